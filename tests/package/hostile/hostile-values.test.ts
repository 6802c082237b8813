// Hostile values everywhere: each part of each argument of each public method is exchanged for each value of a table,
// and so is each field of what a host answers. Whatever comes in, the answer is a value or a `SubAgentError` that
// names the argument; nothing is left unhandled, and the manager goes on.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createSubAgentTool,
  DEFAULT_LIMITS,
  type DrivenHandle,
  Handle,
  type HostResult,
  Inbox,
  type Run,
  SubAgentError,
  SubAgentManager,
} from '../../../dist/index.js';
import { parseAgentDefinition, parseAgentDefinitions } from '../../../dist/options/agent-file.js';
import { completionCheck, delegationGuard, safetyLimits, searchBudget, workloadDistributor } from '../../../dist/policies/index.js';
import { exchanged, HOSTILE, type Path, partsOf, said, thornedAt } from '../../support/hostile-values.js';
import { done } from '../../support/hosts.js';
import { rowsOf } from '../../support/share.js';

const unhandled: unknown[] = [];
const note = (error: unknown): void => {
  unhandled.push(error);
};
beforeAll(() => {
  process.on('unhandledRejection', note);
  process.on('uncaughtException', note);
});
afterAll(() => {
  process.off('unhandledRejection', note);
  process.off('uncaughtException', note);
});

/** A manager with one of each. */
interface World {
  manager: SubAgentManager;
  idle: Handle;
  busy: Handle;
  run: Run;
  driven: DrivenHandle;
}

function makeWorld(): World {
  let run: Run | undefined;
  const manager = new SubAgentManager({
    maxConcurrent: Number.POSITIVE_INFINITY,
    maxChildren: Number.POSITIVE_INFINITY,
    onError: () => undefined,
    spawnSubAgent: (_, given) => {
      if (given.prompt === 'sound') return done('sound');
      run ??= given;
      return new Promise<HostResult>(() => undefined);
    },
  });
  const [idle, busy] = [manager.spawn({}), manager.spawn({ instructions: 'x' })];
  const driven = manager.spawn({ drive: 'program', instructions: 'x' });
  driven.start().catch(() => undefined);
  return { manager, idle, busy, run: run as Run, driven };
}

/** Lets promises go on that settle by themselves. */
async function flush(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
}

const PENDING = Symbol('pending');

/** What comes of a call: the error it throws or rejects with, or its value. */
async function outcome(call: () => unknown): Promise<{ error: unknown } | { value: unknown }> {
  try {
    const value = call();
    if (!(value instanceof Promise)) return { value };
    const settled = value.then(
      (value: unknown) => ({ value }),
      (error: unknown) => ({ error }),
    );
    return await Promise.race([settled, flush().then(() => ({ value: PENDING }))]);
  } catch (error) {
    return { error };
  }
}

/** An error of ours; where an argument is wrong it says which, in its message and for programs. */
function expectOurs(error: unknown, what: string): void {
  if (!(error instanceof SubAgentError)) throw new Error(`${what}: a foreign error: ${String((error as Error)?.stack ?? error)}`);
  expect(['internal', 'disposed', 'unknown'], what).not.toContain(error.code);
  if (error.code !== 'invalid_argument') return;
  const { argument, line } = error.details;
  // A file says where it is wrong by its line.
  if (typeof line === 'number') return;
  expect(argument, `${what}: ${error.message}`).toBeTypeOf('string');
  const last = (argument as string).split('.').at(-1) as string;
  expect(error.message.replaceAll('`', ''), what).toContain(last);
}

/** The manager still takes work, and completes it. */
async function expectAlive({ manager }: World, what: string): Promise<void> {
  const result = await manager.spawn({ instructions: 'sound' }).wait();
  expect(result, what).toMatchObject({ status: 'completed', output: 'sound' });
}

type Method = (world: World, ...given: never[]) => unknown;
/** `ends`: what it does may leave no room for other work. */
type Row = readonly [name: string, good: (world: World) => readonly unknown[], call: Method, ends?: 'ends'];

const signal = (): AbortSignal => new AbortController().signal;
const origin = { channel: 'cli', chatId: 'direct' };
const budget = { tokens: 1_000, costUsd: 1, turns: 5 };
const policy = { name: 'p', blockedTools: ['x'], beforeTurn: () => undefined };
const usage = { tokens: 1, cost: 0.1, turns: 1, durationMs: 5 };
const result = { output: 'x', status: 'completed', error: 'why', taskId: 'h', usage, artifacts: [{ path: 'a' }] };
const tool = {
  onDetails: () => undefined,
  format: 'json',
  backgroundTimeoutMs: 5,
  idempotencyKey: () => 'k',
  canAnswer: true,
  origin,
  metadata: { a: 1 },
};

const spawnOptions = {
  ...{ instructions: 'x', tools: ['read'], systemPrompt: 's', maxTurns: 3, maxCost: 0.5, background: true, contextHint: 'c', label: 'l' },
  ...{
    budget: { tokens: 1_000, turns: 5 },
    timeoutMs: 5_000,
    idleTimeoutMs: 5_000,
    turnEstimate: 100,
    turnEstimateUsd: 0.1,
    priority: 1,
    format: 'json',
  },
  ...{ modelId: 'm', profile: 'minimal', agent: null, rateLimitKey: 'r', idempotencyKey: 'i', nickname: 'n', onParentEnd: 'wait' },
  ...{ origin, signal: signal(), retry: { max: 1, backoffMs: 5, on: ['host_failed'] }, metadata: { a: [1, { b: null }] } },
};

const managerOptions = {
  ...Object.fromEntries(Object.entries(DEFAULT_LIMITS).filter(([name]) => !['maxTurns'].includes(name))),
  ...{ spawnSubAgent: () => done(), spawnBackgroundSubAgent: async () => ({ taskId: 'h' }), checkConsumerSpawn: () => ({ allowed: true }) },
  ...{ canSpawn: () => true, getConcurrencyInfo: () => ({ active: 0, limit: 1 }), getModelId: () => 'm', onError: () => undefined },
  ...{ countTokens: () => 1, onWake: () => undefined, budget, taskBudget: { tokens: 100 }, onLimit: 'queue', maxTurns: 5 },
  ...{ agents: { reader: { description: 'reads', prompt: 'Read.', tools: ['read'], disallowedTools: ['write'], maxTurns: 3, budget } } },
  ...{ profiles: { own: () => 'p' }, tools: ['read'], policies: { subAgents: [policy], main: [policy] } },
  ...{ mainLimits: { maxTurns: 5, maxContextTokens: 100, timeoutMs: 5_000 }, retry: { max: 1 } },
};

/** Every method with good arguments: each part of them is exchanged in turn. */
const SCOPE: readonly Row[] = [
  ['spawn', () => [spawnOptions], ({ manager }, options) => manager.spawn(options)],
  ['spawn', () => [{ instructions: 'x', maxTurns: 3, agent: null, profile: 'minimal' }], ({ manager }, options) => manager.spawn(options)],
  ['send', ({ idle }) => [idle, 'x', { mode: 'queue' }], ({ manager }, ...given) => manager.send(...(given as [never, never]))],
  ['interrupt', ({ busy }) => [busy, { graceMs: 5 }], ({ manager }, ...given) => manager.interrupt(...(given as [never, never]))],
  [
    'wait',
    ({ busy, idle }) => [[busy, idle.taskId], { mode: 'all', timeoutMs: 5, signal: signal() }],
    ({ manager }, ...given) => manager.wait(...(given as [never, never])),
  ],
  [
    'cancel',
    ({ busy }) => [busy, { graceMs: 5, signal: signal() }],
    ({ manager }, ...given) => manager.cancel(...(given as [never, never])),
  ],
  ['close', ({ busy }) => [busy, { graceMs: 5, signal: signal() }], ({ manager }, ...given) => manager.close(...(given as [never, never]))],
  ['resume', ({ idle }) => [idle], ({ manager }, target) => manager.resume(target)],
  ['moveToBackground', ({ busy }) => [busy], ({ manager }, target) => manager.moveToBackground(target)],
  ['get', ({ idle }) => [idle], ({ manager }, target) => manager.get(target)],
  [
    'list',
    () => [{ filter: { status: ['idle'], parent: null, label: 'l', background: true }, page: { offset: 0, limit: 5 } }],
    ({ manager }, options) => manager.list(options),
  ],
  ['forget', ({ idle }) => [idle, { resultOnly: true }], ({ manager }, ...given) => manager.forget(...(given as [never, never]))],
  [
    'readResult',
    ({ idle }) => [idle, { offset: 0, limit: 5 }],
    ({ manager }, ...given) => manager.readResult(...(given as [never, never])),
  ],
  ['drive', ({ idle }) => [idle], ({ manager }, target) => manager.drive(target)],
  ['checkConsumerSpawn', () => [{ instructions: 'x', tools: ['a'] }], ({ manager }, params) => manager.checkConsumerSpawn(params)],
  ['createSubAgentTool', () => [tool], ({ manager }, options) => manager.createSubAgentTool(options)],
  [
    'createTools',
    () => [{ ...tool, preset: 'subagents', names: { spawn: 'delegate' }, include: ['spawn', 'wait'] }],
    ({ manager }, options) => manager.createTools(options),
  ],
];

const MAIN: readonly Row[] = [
  ['beforeTurn', () => [{ prompt: 'x' }], ({ manager }, options) => manager.beforeTurn(options)],
  ['beforeTool', () => ['read', { path: 'a' }], ({ manager }, ...given) => manager.beforeTool(...(given as [never, never]))],
  ['afterTool', () => ['read', 'text'], ({ manager }, ...given) => manager.afterTool(...(given as [never, never]))],
  ['beforeEnd', () => ['x'], ({ manager }, output) => manager.beforeEnd(output)],
  [
    'report',
    () => [{ contextTokens: 5, message: 'm', todos: [{ content: 'c', status: 'pending' }] }],
    ({ manager }, report) => manager.report(report),
  ],
];

const MANAGER: readonly Row[] = [
  ['subscribe', () => [() => undefined], ({ manager }, listener) => manager.subscribe(listener)],
  ['onRefused', () => [() => undefined], ({ manager }, listener) => manager.onRefused(listener)],
  [
    'session',
    () => [
      `key ${Math.random()}`,
      { tools: ['read'], modelId: 'm', budget, onWake: () => undefined, policies: [policy], limits: { maxTurns: 5 }, signal: signal() },
    ],
    ({ manager }, ...given) => manager.session(...(given as [never, never])),
  ],
  ['closeSession', () => ['key', { graceMs: 5 }], ({ manager }, ...given) => manager.closeSession(...(given as [never, never]))],
  [
    'addBudget',
    ({ idle }) => [{ tokens: 5, costUsd: 1, turns: 1 }, idle],
    ({ manager }, ...given) => manager.addBudget(...(given as [never])),
  ],
  ['budget', ({ idle }) => [idle], ({ manager }, target) => manager.budget(target)],
  ['cancelAll', () => [{ graceMs: 5 }], ({ manager }, options) => manager.cancelAll(options), 'ends'],
  [
    'setLimits',
    () => [{ leaseMs: 5, onLimit: 'queue', budget: { tokens: 90_000 }, taskBudget: { tokens: 9_000 } }],
    ({ manager }, o) => manager.setLimits(o),
  ],
  [
    'estimate',
    () => [[{ instructions: 'x', agent: 'reader', modelId: 'm', count: 3, turns: 2 }]],
    ({ manager }, plan) => manager.estimate(plan as never),
  ],
  ['drain', () => [{ timeoutMs: 5 }], ({ manager }, options) => manager.drain(options), 'ends'],
  ['reportSettled', () => ['nobody', result], ({ manager }, ...given) => manager.reportSettled(...(given as [never, never]))],
  ['drive', ({ driven }) => [driven.taskId], ({ manager }, task) => manager.drive(task)],
];

const RUN: readonly Row[] = [
  ['beforeTurn', () => [{ tokens: 5 }], ({ run }, options) => run.beforeTurn(options)],
  ['beforeTool', () => ['read', {}], ({ run }, ...given) => run.beforeTool(...(given as [never, never]))],
  ['afterTool', () => ['read', 'text'], ({ run }, ...given) => run.afterTool(...(given as [never, never]))],
  ['steers', () => [{ wait: false }], ({ run }, options) => run.steers(options)],
  ['beforeEnd', () => ['x'], ({ run }, output) => run.beforeEnd(output)],
  ['ask', () => ['?', { timeoutMs: 5 }], ({ run }, ...given) => run.ask(...(given as [never, never]))],
  [
    'report',
    () => [{ tokens: 1, costUsd: 0.1, contextTokens: 5, message: 'm', todos: [{ content: 'c', status: 'pending' }] }],
    ({ run }, report) => run.report(report),
  ],
  ['reportRateLimit', () => [{ retryAfterMs: 5 }], ({ run }, limit) => run.reportRateLimit(limit), 'ends'],
  ['checkpoint', () => [{ page: 5, read: ['a.md'] }], ({ run }, data) => run.checkpoint(data)],
  ['save', () => [{ conversation: 'c', at: [5] }], ({ run }, data) => run.save(data)],
  ['countTokens', () => ['x'], ({ run }, text) => run.countTokens(text)],
  ['idempotencyKey', () => ['charge', 7], ({ run }, ...parts) => run.idempotencyKey(...(parts as [never, never]))],
];

const HANDLE: readonly Row[] = [
  ['wait', () => [{ timeoutMs: 5, signal: signal() }], ({ busy }, options) => busy.wait(options)],
  ['send', () => ['x', { mode: 'queue' }], ({ idle }, ...given) => idle.send(...(given as [never, never]))],
  ['interrupt', () => [{ graceMs: 5 }], ({ busy }, options) => busy.interrupt(options)],
  ['cancel', () => [{ graceMs: 5, signal: signal() }], ({ busy }, options) => busy.cancel(options)],
  ['close', () => [{ graceMs: 5, signal: signal() }], ({ busy }, options) => busy.close(options)],
  ['readResult', () => [{ offset: 0, limit: 5 }], ({ idle }, options) => idle.readResult(options)],
];

const INBOX: readonly Row[] = [
  ['lease', () => [{ max: 5, leaseMs: 5 }], ({ manager }, options) => manager.inbox.lease(options)],
  ['ack', () => ['x'], ({ manager }, id) => manager.inbox.ack(id)],
  ['next', () => [{ timeoutMs: 5, signal: signal() }], ({ manager }, options) => manager.inbox.next(options)],
];

const made = (options: unknown): void => new SubAgentManager(options as never).dispose();
const FUNCTIONS: readonly Row[] = [
  ['new SubAgentManager', () => [managerOptions], (_, options) => made(options)],
  ['new SubAgentManager', () => [{ budget: { costUsd: 1, tokens: 5 } }], (_, options) => made(options)],
  [
    'createSubAgentTool',
    () =>
      [{ ...tool, ...Object.fromEntries(Object.entries(managerOptions).filter(([, value]) => typeof value === 'function')) }].map((all) => {
        const { onError: _, countTokens: __, onWake: ___, ...config } = all as Record<string, unknown>;
        return config;
      }),
    (_, config) => createSubAgentTool(config),
  ],
  [
    'parseAgentDefinition',
    () => ['---\ndescription: d\n---', { unknown: 'ignore' }],
    (_, ...given) => parseAgentDefinition(...(given as [never, never])),
  ],
  [
    'parseAgentDefinitions',
    () => [{ 'a.md': '---\ndescription: d\n---' }, { unknown: 'ignore' }],
    (_, ...given) => parseAgentDefinitions(...(given as [never, never])),
  ],
  ['safetyLimits', () => [{ maxTurns: 5, maxContextTokens: 5, blockedTools: ['x'] }], (_, options) => safetyLimits(options)],
  ['searchBudget', () => [{ limit: 5, tools: ['x'] }], (_, options) => searchBudget(options)],
  ['completionCheck', () => [{ maxForcedTurns: 5 }], (_, options) => completionCheck(options)],
  ['delegationGuard', () => [{ words: ['x'], retrievalVerbs: ['x'] }], (_, options) => delegationGuard(options)],
  [
    'workloadDistributor',
    () => [{ minWords: 5, keywords: ['x'], commands: { clone: /x/ }, notice: 'n' }],
    (_, options) => workloadDistributor(options),
  ],
];

/** Exchanges one part of the arguments for each value of the table, and puts it behind a getter that throws. */
async function attack([, good, call, ends]: Row, path: Path): Promise<void> {
  let world = makeWorld();
  for (const [name, make] of [...HOSTILE, ['a getter that throws', undefined] as const]) {
    const given = good(world);
    if (make === undefined && path.length === 1) continue;
    const attacked = make === undefined ? thornedAt(given, path) : exchanged(given, path, make());
    const what = `${said(path)} is ${name}`;
    const came = await outcome(() => call(world, ...(attacked as never[])));
    if ('error' in came) expectOurs(came.error, what);
    expect(() => world.manager.stats(), what).not.toThrow();
    if ('error' in came && path.length > 0) continue;
    // It was taken: the next value finds a world in which nothing has happened.
    if (ends === undefined) await expectAlive(world, what);
    world.manager.dispose();
    world = makeWorld();
  }
  if (ends === undefined) await expectAlive(world, 'after all');
  world.manager.dispose();
}

describe.each<[string, readonly Row[], (object | undefined)[], string[]]>([
  ['a scope', SCOPE, [Object.getPrototypeOf(Object.getPrototypeOf(SubAgentManager.prototype))], []],
  ['a main agent', MAIN, [], []],
  ['the manager', MANAGER, [], ['stats', 'costs', 'dispose']],
  ['a run', RUN, [], []],
  ['a handle', HANDLE, [Handle.prototype], ['resume', 'snapshot']],
  ['an inbox', INBOX, [Inbox.prototype], ['peek']],
  ['the functions', FUNCTIONS, [], []],
])('%s', (_, rows) => {
  const cells = rows.flatMap((row) => {
    const world = makeWorld();
    const paths = partsOf(row[1](world));
    world.manager.dispose();
    return paths.map((path) => [row[0], said(path), row, path] as const);
  });

  test.each(rowsOf(cells, 10))('%s: %s', async (_, __, row, path) => {
    await attack(row, path);
    await flush();
    expect(unhandled.splice(0)).toEqual([]);
  });
});

describe('what a host answers', () => {
  /** A manager whose functions answer with one value, and what a run of it comes to. */
  const asked: [string, (answer: () => unknown) => Promise<unknown>][] = [
    ['spawnSubAgent', (answer) => runWith({ spawnSubAgent: async () => answer() })],
    ['spawnSubAgent at once', (answer) => runWith({ spawnSubAgent: answer })],
    ...partsOf([result]).map((path): [string, (answer: () => unknown) => Promise<unknown>] => [
      `a result's ${said(path)}`,
      (answer) => runWith({ spawnSubAgent: async () => (exchanged([result], path, answer()) as [unknown])[0] }),
    ]),
    ['what spawnSubAgent throws', (answer) => runWith({ spawnSubAgent: () => Promise.reject(answer()) })],
    ['spawnBackgroundSubAgent', (answer) => runWith({ spawnBackgroundSubAgent: async () => answer() }, { background: true })],
    [
      'an id of spawnBackgroundSubAgent',
      (answer) => runWith({ spawnBackgroundSubAgent: async () => ({ taskId: answer() }) }, { background: true }),
    ],
    ['checkConsumerSpawn', (answer) => runWith({ checkConsumerSpawn: answer })],
    ['allowed', (answer) => runWith({ checkConsumerSpawn: () => ({ allowed: answer(), reason: answer() }) })],
    ['getModelId', (answer) => runWith({ getModelId: answer, spawnSubAgent: async (_: unknown, run: Run) => done(String(run.modelId)) })],
    [
      'a profile',
      (answer) =>
        runWith({ profiles: { own: answer }, spawnSubAgent: async (_: unknown, run: Run) => done(run.systemPrompt) }, { profile: 'own' }),
    ],
    ['onError', (answer) => runWith({ onError: answer, countTokens: () => -1 })],
    ...['beforeSpawn', 'beforeStart', 'beforeTurn', 'beforeTool', 'afterTool', 'beforeEnd'].flatMap((point) => {
      const at =
        (made: (answer: () => unknown) => unknown): ((answer: () => unknown) => Promise<unknown>) =>
        (answer) =>
          runWith({ policies: { subAgents: [{ [point]: () => made(answer) }], main: [{ [point]: () => made(answer) }] } });
      return [
        [`the answer of ${point}`, at((answer) => answer())],
        [`the action of ${point}`, at((answer) => ({ action: answer(), text: 't', reason: 'r', report: 'r' }))],
        [`the texts of ${point}`, at((answer) => ({ action: 'block', text: answer(), reason: answer(), report: answer() }))],
      ] as [string, (answer: () => unknown) => Promise<unknown>][];
    }),
  ];

  /** Runs one sub-agent, by the program and by the tool, and then an ordinary one. */
  async function runWith(options: object, spawn: object = {}): Promise<unknown> {
    const host = async (_: unknown, run: Run): Promise<HostResult> => {
      const permit = await run.beforeTurn();
      if (!permit.go) return done('refused');
      await run.beforeTool('read', {});
      await run.afterTool('read', 'text');
      await run.beforeEnd('x');
      run.countTokens('x');
      return done('x');
    };
    const manager = new SubAgentManager({ spawnSubAgent: host, onError: () => undefined, ...options } as never);
    const came = await outcome(async () => {
      return manager.spawn({ instructions: 'x', ...spawn }).wait({ timeoutMs: 1_000 });
    });
    if ('error' in came) expectOurs(came.error, 'a run');
    else expect(() => JSON.stringify(came.value)).not.toThrow();
    const tool = manager.createSubAgentTool({ onDetails: () => undefined });
    expect(await outcome(() => tool.execute({ instructions: 'x' }))).not.toHaveProperty('error');
    expect(manager.stats().total).toBeLessThan(3);
    manager.dispose();
    return came;
  }

  test.each(rowsOf(asked, 5))('%s', async (what, ask) => {
    // As JSON, an artifact of four billion holes would be that long.
    const values = what.includes('artifacts') ? HOSTILE.filter(([name]) => !/holes only|endless/.test(name)) : HOSTILE;
    for (const [name, make] of values) {
      try {
        await ask(make);
      } catch (error) {
        throw new Error(`${name}: ${String((error as Error).stack)}`);
      }
    }
    await flush();
    expect(unhandled.splice(0)).toEqual([]);
  });
});

test('arguments of tools: a text comes back, whatever they are', async () => {
  const manager = new SubAgentManager({ spawnSubAgent: async () => done('sound'), budget: { tokens: Number.POSITIVE_INFINITY } });
  const tools = [manager.createSubAgentTool(), ...manager.createTools()];
  for (const tool of tools) {
    for (const [name, make] of HOSTILE) {
      const names = Object.keys(tool.parameters.properties);
      for (const args of [make(), ...names.map((field) => ({ instructions: 'sound', [field]: make() }))]) {
        const came = await outcome(() => tool.execute(args));
        if ('error' in came) throw new Error(`${tool.name} of ${name}: ${String((came.error as Error).stack)}`);
        expect(() => manager.stats()).not.toThrow();
      }
    }
  }
  expect(await manager.spawn({ instructions: 'x' }).wait()).toMatchObject({ status: 'completed', output: 'sound' });
  manager.dispose();
  await flush();
  expect(unhandled.splice(0)).toEqual([]);
});

describe('what somebody left on Object.prototype', () => {
  const left = [
    'leaked',
    'label',
    'timeoutMs',
    'signal',
    'tools',
    'status',
    'error',
    'action',
    'allowed',
    'usage',
    'preset',
    'idempotencyKey',
    'artifacts',
    'watch',
    'successor',
    'followers',
  ];

  test.each(rowsOf(left, 5))('%s: nobody takes it for an option or an answer', async (name) => {
    Object.defineProperty(Object.prototype, name, { value: 5, enumerable: true, configurable: true, writable: true });
    try {
      const manager = new SubAgentManager({
        checkConsumerSpawn: () => ({ allowed: true }),
        policies: { subAgents: [{ beforeTurn: () => ({ action: 'continue' }) }] },
        agents: { reader: { description: 'reads' } },
        spawnSubAgent: async (_, run) => {
          run.report({ message: 'm' });
          return { output: run.prompt };
        },
      });
      const handle = manager.session('s', {}).spawn({ instructions: 'x', agent: 'reader', background: true });
      expect(await handle.wait({})).toMatchObject({ status: 'completed', output: 'x', error: undefined, artifacts: [] });
      expect(manager.spawn({ nickname: 'idle' }).status).toBe('idle');
      expect(await manager.wait([handle], {})).toMatchObject({ timedOut: false });
      expect(await manager.createSubAgentTool({}).execute({ instructions: 'by tool' }, {})).toContain('by tool');
      manager.list({});
      manager.report({});
      manager.dispose();
    } finally {
      Reflect.deleteProperty(Object.prototype, name);
    }
  });
});

describe('getters', () => {
  class Computed {
    looks = 0;
    get instructions(): string {
      this.looks += 1;
      return this.looks === 1 ? 'computed' : 'something else';
    }
  }

  test.each<[string, () => object]>([
    [
      'of the object',
      () => ({
        get instructions() {
          return 'computed';
        },
      }),
    ],
    ['of the object, that can not be listed', () => Object.defineProperty({}, 'instructions', { get: () => 'computed' })],
    ['of a class', () => Object.defineProperty(new Computed(), 'looks', { enumerable: false })],
    ['of a class without Object.prototype', () => Object.create(Object.create(null, { instructions: { get: () => 'computed' } }))],
  ])('%s: its text is the task, read once', async (_, options) => {
    const manager = new SubAgentManager({ spawnSubAgent: async (_, run) => done(run.prompt) });
    expect(await manager.spawn(options()).wait()).toMatchObject({ status: 'completed', output: 'computed' });
    manager.dispose();
  });
});

describe("a signal that is not the platform's", () => {
  test('it is followed; what it throws is an error of ours, and nothing was begun', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: () => new Promise<HostResult>(() => undefined) });
    const received: (() => void)[] = [];
    const foreign = {
      aborted: false,
      reason: 'why',
      addEventListener: (_: string, fire: () => void) => received.push(fire),
      removeEventListener: () => undefined,
    };
    const handle = manager.spawn({ instructions: 'x', signal: foreign as never });
    for (const fire of received) fire();
    expect(handle.snapshot().cancelRequested).toBe(true);
    const total = manager.stats().total;
    for (const [name, make] of HOSTILE.filter(([name]) => name.startsWith('a signal that can not'))) {
      const came = await outcome(() => manager.spawn({ instructions: 'x', signal: make() as never }));
      expect(came, name).toMatchObject({ error: { code: 'invalid_argument', details: { argument: 'signal' } } });
    }
    expect(manager.stats().total).toBe(total);
    manager.dispose();
  });
});

describe('names', () => {
  const halves = ['a\ud800', 'a\udc00'] as const;

  test.each(['idempotencyKey', 'nickname', 'rateLimitKey', 'agent', 'profile'])(
    '%s: two that differ in half of a surrogate pair are never one',
    (option) => {
      const { manager } = makeWorld();
      for (const half of halves) {
        expect(() => manager.spawn({ instructions: 'x', [option]: half })).toThrow(
          expect.objectContaining({ code: 'invalid_argument', details: expect.objectContaining({ argument: option }) }),
        );
      }
      manager.dispose();
    },
  );

  test('keys of sessions, and ids', () => {
    const { manager } = makeWorld();
    for (const half of halves) expect(() => manager.session(half)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
    manager.spawn({ instructions: 'x', nickname: 'a\ufffd' });
    expect(manager.get('a\ufffd').nickname).toBe('a\ufffd');
    for (const half of halves) expect(() => manager.get(half)).toThrow(expect.objectContaining({ code: 'unknown_task' }));
    manager.dispose();
  });
});

test('a huge text is refused, and kills nobody', async () => {
  const world = makeWorld();
  const huge = 'x'.repeat(2 ** 28);
  const { manager, idle } = world;
  for (const call of [() => manager.spawn({ instructions: huge }), () => manager.send(idle, huge)]) {
    expect(call).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  }
  const host = new SubAgentManager({ spawnSubAgent: async () => ({ output: huge, error: huge, taskId: huge }) });
  expect(await host.spawn({ instructions: 'x' }).wait()).toMatchObject({ status: 'failed', truncated: true });
  host.dispose();
  await expectAlive(world, 'after all');
  manager.dispose();
});

test('the table has every public method', () => {
  const tabled = new Set([...SCOPE, ...MAIN, ...MANAGER, ...RUN, ...HANDLE, ...INBOX].map(([name]) => name));
  const world = makeWorld();
  const takesNothing = [
    'stats',
    'costs',
    'flush',
    'compact',
    'ended',
    'dispose',
    'snapshot',
    'toJSON',
    'peek',
    'canSpawn',
    'getConcurrencyInfo',
    'resultText',
  ];
  const more = ['constructor'];
  const missing: string[] = [];
  for (const object of [world.manager, world.run, world.idle, world.manager.inbox, world.manager.session('s')]) {
    for (let level: object = Object.getPrototypeOf(object); level !== Object.prototype; level = Object.getPrototypeOf(level)) {
      for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(level))) {
        if (typeof value === 'function' && ![...tabled, ...takesNothing, ...more].includes(name)) missing.push(name);
      }
    }
  }
  world.manager.dispose();
  expect(missing).toEqual([]);
});
