// The boundary: what JavaScript may hand in, and what becomes of text on its way. Whatever comes in, the answer
// is a `SubAgentError` with a code or a defined result; a refused request changes nothing.

import '../../support/virtual-time.js';

import { inspect } from 'node:util';

import { afterEach, describe, expect, test } from 'vitest';
import {
  createSubAgentTool,
  type DrivenHandle,
  type Handle,
  type Run,
  SubAgentError,
  SubAgentManager,
  type SubAgentManagerOptions,
} from '../../../dist/index.js';
import { parseAgentDefinition, parseAgentDefinitions } from '../../../dist/options/agent-file.js';
import { completionCheck, delegationGuard, safetyLimits, searchBudget, workloadDistributor } from '../../../dist/policies/index.js';
import { coreOf, done, expectSums, managerWith, refusal, refusesUnchanged, standing } from '../../support/hosts.js';
import { rowsOf } from '../../support/share.js';
import { flush, isPending, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function echo(options: SubAgentManagerOptions = {}) {
  const made = managerWith(async (_, run) => done(run.prompt), options);
  opened.push(made.manager);
  return made;
}

function revoked(target: object = {}): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function thorny(target: object = {}): object {
  const trap = (): never => {
    throw new Error('thorn');
  };
  const names = ['get', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor', 'apply', 'construct'];
  return new Proxy(target, Object.fromEntries(names.map((name) => [name, trap])));
}

/** Values of every kind that no method takes for anything. */
const junk: [string, unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['true', true],
  ['NaN', Number.NaN],
  ['-1', -1],
  ['0', 0],
  ['1.5', 1.5],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['2 ** 53', 2 ** 53],
  ['1e300', 1e300],
  ['a bigint', 10n],
  ['a symbol', Symbol('s')],
  ['an empty text', ''],
  ['a text', 'text'],
  ['a lone surrogate', '\ud800'],
  ['a long text', 'x'.repeat(100_000)],
  ['an empty object', {}],
  ['a list', [1, 'x', null]],
  ['a function', () => 1],
  ['a date', new Date(0)],
  ['a null-prototype object', Object.create(null)],
  [
    'a getter that throws',
    Object.defineProperty({}, 'taskId', {
      enumerable: true,
      get: () => {
        throw new Error('thorn');
      },
    }),
  ],
  [
    'an object whose valueOf throws',
    {
      valueOf: () => {
        throw new Error('thorn');
      },
      toString: () => {
        throw new Error('thorn');
      },
    },
  ],
  ['a proxy that throws', thorny()],
  ['a revoked proxy', revoked()],
  ['a revoked list', revoked([])],
  ['a proxied function', thorny(() => undefined)],
];

/** A manager with one of each. */
interface World {
  manager: SubAgentManager;
  idle: Handle;
  busy: Handle;
  /** The run of `busy`. */
  run: Run;
  driven: DrivenHandle;
}

function oneOfEach(): World {
  let run!: Run;
  const { manager } = managerWith((_, given) => {
    run = given;
    return new Promise(() => undefined);
  });
  opened.push(manager);
  const [idle, busy] = [manager.spawn({}), manager.spawn({ instructions: 'x' })];
  const driven = manager.spawn({ drive: 'program', instructions: 'x' });
  driven.start().catch(() => undefined);
  return { manager, idle, busy, run, driven };
}

/** What came of a call: it must be a value or a `SubAgentError`, and the manager must still be there. */
async function defined(manager: SubAgentManager, name: string, call: () => unknown): Promise<'refused' | 'taken'> {
  const core = coreOf(manager);
  core.seed(Date.now());
  const before = standing(manager);
  let value: unknown;
  try {
    value = call();
    // A promise that rejects has had no effect either; one that waits for what never ends was taken.
    if (value instanceof Promise && !(await isPending(value))) await value;
  } catch (error) {
    expect(error, name).toBeInstanceOf(SubAgentError);
    expect((error as SubAgentError).code, name).not.toBe('internal');
    expect((error as SubAgentError).code, name).not.toBe('disposed');
    expect(standing(manager), `${name}: a refused request changes nothing`).toEqual(before);
    return 'refused';
  }
  expect(() => manager.stats(), name).not.toThrow();
  return 'taken';
}

const methods: [string, (world: World, value: never) => unknown][] = [
  [
    'new SubAgentManager',
    (_, value) => {
      const made = new SubAgentManager(value);
      opened.push(made);
      return made;
    },
  ],
  ['subscribe', ({ manager }, value) => manager.subscribe(value)],
  ['spawn', ({ manager }, value) => manager.spawn(value)],
  ['spawn instructions', ({ manager }, value) => manager.spawn({ instructions: value })],
  ['spawn contextHint', ({ manager }, value) => manager.spawn({ instructions: 'x', contextHint: value })],
  ['spawn label', ({ manager }, value) => manager.spawn({ instructions: 'x', label: value })],
  ['spawn systemPrompt', ({ manager }, value) => manager.spawn({ instructions: 'x', systemPrompt: value })],
  ['spawn tools', ({ manager }, value) => manager.spawn({ instructions: 'x', tools: value })],
  ['spawn a tool', ({ manager }, value) => manager.spawn({ instructions: 'x', tools: ['read', value] })],
  ['spawn background', ({ manager }, value) => manager.spawn({ instructions: 'x', background: value })],
  ['spawn maxTurns', ({ manager }, value) => manager.spawn({ instructions: 'x', maxTurns: value })],
  ['spawn maxCost', ({ manager }, value) => manager.spawn({ instructions: 'x', maxCost: value })],
  ['spawn budget', ({ manager }, value) => manager.spawn({ instructions: 'x', budget: value })],
  ['spawn budget.tokens', ({ manager }, value) => manager.spawn({ instructions: 'x', budget: { tokens: value } })],
  ['spawn budget.costUsd', ({ manager }, value) => manager.spawn({ instructions: 'x', budget: { costUsd: value } })],
  ['spawn budget.turns', ({ manager }, value) => manager.spawn({ instructions: 'x', budget: { turns: value } })],
  ['spawn timeoutMs', ({ manager }, value) => manager.spawn({ instructions: 'x', timeoutMs: value })],
  ['spawn idleTimeoutMs', ({ manager }, value) => manager.spawn({ instructions: 'x', idleTimeoutMs: value })],
  ['spawn turnEstimate', ({ manager }, value) => manager.spawn({ instructions: 'x', turnEstimate: value, budget: { tokens: 5 } })],
  ['spawn priority', ({ manager }, value) => manager.spawn({ instructions: 'x', priority: value })],
  ['spawn signal', ({ manager }, value) => manager.spawn({ instructions: 'x', signal: value })],
  ['send target', ({ manager }, value) => manager.send(value, 'hello')],
  ['send message', ({ manager, idle }, value) => manager.send(idle, value)],
  ['wait targets', ({ manager }, value) => manager.wait(value)],
  ['wait target', ({ manager }, value) => manager.wait([value])],
  ['wait options', ({ manager, idle }, value) => manager.wait([idle], value)],
  ['wait mode', ({ manager, idle }, value) => manager.wait([idle], { mode: value })],
  ['wait timeoutMs', ({ manager, idle }, value) => manager.wait([idle], { timeoutMs: value })],
  ['wait signal', ({ manager, busy }, value) => manager.wait([busy], { signal: value })],
  ['handle.wait', ({ idle }, value) => idle.wait(value)],
  ['handle.wait timeoutMs', ({ busy }, value) => busy.wait({ timeoutMs: value })],
  ['handle.wait signal', ({ busy }, value) => busy.wait({ signal: value })],
  ['handle.send', ({ idle }, value) => idle.send(value)],
  ['handle.cancel', ({ idle }, value) => idle.cancel(value)],
  ['handle.cancel graceMs', ({ idle }, value) => idle.cancel({ graceMs: value })],
  ['cancel', ({ manager }, value) => manager.cancel(value)],
  ['cancel graceMs', ({ manager, idle }, value) => manager.cancel(idle, { graceMs: value })],
  ['cancelAll', ({ manager }, value) => manager.cancelAll(value)],
  ['cancelAll graceMs', ({ manager }, value) => manager.cancelAll({ graceMs: value })],
  ['get', ({ manager }, value) => manager.get(value)],
  ['list', ({ manager }, value) => manager.list(value)],
  ['list filter', ({ manager }, value) => manager.list({ filter: value })],
  ['list filter.status', ({ manager }, value) => manager.list({ filter: { status: value } })],
  ['list a status', ({ manager }, value) => manager.list({ filter: { status: [value] } })],
  ['list page', ({ manager }, value) => manager.list({ page: value })],
  ['list page.offset', ({ manager }, value) => manager.list({ page: { offset: value } })],
  ['list page.limit', ({ manager }, value) => manager.list({ page: { limit: value } })],
  ['forget', ({ manager }, value) => manager.forget(value)],
  ['checkConsumerSpawn', ({ manager }, value) => manager.checkConsumerSpawn(value)],
  ['createSubAgentTool', ({ manager }, value) => manager.createSubAgentTool(value)],
  ['createSubAgentTool onDetails', ({ manager }, value) => manager.createSubAgentTool({ onDetails: value })],
  ['addBudget', ({ manager }, value) => manager.addBudget(value)],
  ['addBudget target', ({ manager }, value) => manager.addBudget({ tokens: 1 }, value)],
  ['drain', ({ manager }, value) => manager.drain(value)],
  ['drain timeoutMs', ({ manager }, value) => manager.drain({ timeoutMs: value })],
  ['reportSettled id', ({ manager }, value) => manager.reportSettled(value, { output: 'x' })],
  ['reportSettled result', ({ manager }, value) => manager.reportSettled('nobody', value)],
  ['drive', ({ manager }, value) => manager.drive(value)],
  ['spawn drive', ({ manager }, value) => manager.spawn({ instructions: 'x', drive: value })],
  ['handle.complete', ({ driven }, value) => driven.complete(value)],
  ['handle.fail', ({ driven }, value) => driven.fail(value)],
  ['handle.report', ({ driven }, value) => driven.report(value)],
  ['session', ({ manager }, value) => manager.session(value)],
  ['session options', ({ manager }, value) => manager.session('chat', value)],
  ['session tools', ({ manager }, value) => manager.session('chat', { tools: value })],
  ['spawn agent', ({ manager }, value) => manager.spawn({ instructions: 'x', agent: value })],
  ['spawn profile', ({ manager }, value) => manager.spawn({ instructions: 'x', profile: value })],
  ['spawn modelId', ({ manager }, value) => manager.spawn({ instructions: 'x', modelId: value })],
  ['spawn nickname', ({ manager }, value) => manager.spawn({ instructions: 'x', nickname: value })],
  ['spawn origin', ({ manager }, value) => manager.spawn({ instructions: 'x', origin: value })],
  ['spawn origin.channel', ({ manager }, value) => manager.spawn({ instructions: 'x', origin: { channel: value } })],
  ['spawn format', ({ manager }, value) => manager.spawn({ instructions: 'x', format: value })],
  ['spawn idempotencyKey', ({ manager }, value) => manager.spawn({ instructions: 'x', idempotencyKey: value })],
  ['spawn rateLimitKey', ({ manager }, value) => manager.spawn({ instructions: 'x', rateLimitKey: value })],
  ['spawn metadata', ({ manager }, value) => manager.spawn({ instructions: 'x', metadata: { a: value } })],
  ['spawn onParentEnd', ({ manager }, value) => manager.spawn({ instructions: 'x', background: true, onParentEnd: value })],
  ['send options', ({ manager, idle }, value) => manager.send(idle, 'x', value)],
  ['send mode', ({ manager, idle }, value) => manager.send(idle, 'x', { mode: value })],
  ['interrupt', ({ manager }, value) => manager.interrupt(value)],
  ['interrupt options', ({ busy }, value) => busy.interrupt(value)],
  ['close', ({ manager }, value) => manager.close(value)],
  ['close options', ({ idle }, value) => idle.close(value)],
  ['close signal', ({ idle }, value) => idle.close({ signal: value })],
  ['resume', ({ manager }, value) => manager.resume(value)],
  ['moveToBackground', ({ manager }, value) => manager.moveToBackground(value)],
  ['readResult', ({ manager }, value) => manager.readResult(value)],
  ['readResult options', ({ idle }, value) => idle.readResult(value)],
  ['readResult limit', ({ idle }, value) => idle.readResult({ limit: value })],
  ['forget resultOnly', ({ manager }, value) => manager.forget('sub_1', { resultOnly: value })],
  ['list filter.parent', ({ manager }, value) => manager.list({ filter: { parent: value } })],
  ['lease', ({ manager }, value) => manager.inbox.lease(value)],
  ['lease max', ({ manager }, value) => manager.inbox.lease({ max: value })],
  ['lease leaseMs', ({ manager }, value) => manager.inbox.lease({ leaseMs: value })],
  ['ack', ({ manager }, value) => manager.inbox.ack(value)],
  ['createTools', ({ manager }, value) => manager.createTools(value)],
  ['createTools preset', ({ manager }, value) => manager.createTools({ preset: value })],
  ['createTools names', ({ manager }, value) => manager.createTools({ names: value })],
  ['createTools a name', ({ manager }, value) => manager.createTools({ names: { spawn: value } })],
  ['createTools include', ({ manager }, value) => manager.createTools({ include: value })],
  ['createSubAgentTool origin', ({ manager }, value) => manager.createSubAgentTool({ origin: value })],
  ['createSubAgentTool idempotencyKey', ({ manager }, value) => manager.createSubAgentTool({ idempotencyKey: value })],
  ['main beforeTurn', ({ manager }, value) => manager.beforeTurn(value)],
  ['main beforeTurn prompt', ({ manager }, value) => manager.beforeTurn({ prompt: value })],
  ['main beforeTool', ({ manager }, value) => manager.beforeTool(value)],
  ['main beforeTool args', ({ manager }, value) => manager.beforeTool('read', value)],
  ['main afterTool', ({ manager }, value) => manager.afterTool(value, value)],
  ['main beforeEnd', ({ manager }, value) => manager.beforeEnd(value)],
  ['main report', ({ manager }, value) => manager.report(value)],
  ['main report message', ({ manager }, value) => manager.report({ message: value })],
  ['main report contextTokens', ({ manager }, value) => manager.report({ contextTokens: value })],
  ['main report todos', ({ manager }, value) => manager.report({ todos: value })],
  ['main report a to-do', ({ manager }, value) => manager.report({ todos: [value] })],
  ['run.beforeTurn', ({ run }, value) => run.beforeTurn(value)],
  ['run.beforeTurn tokens', ({ run }, value) => run.beforeTurn({ tokens: value })],
  ['run.beforeTool', ({ run }, value) => run.beforeTool(value)],
  ['run.afterTool', ({ run }, value) => run.afterTool(value, value)],
  ['run.beforeEnd', ({ run }, value) => run.beforeEnd(value)],
  ['run.ask', ({ run }, value) => run.ask(value)],
  ['run.ask options', ({ run }, value) => run.ask('?', value)],
  ['run.ask timeoutMs', ({ run }, value) => run.ask('?', { timeoutMs: value })],
  ['run.report', ({ run }, value) => run.report(value)],
  ['run.report tokens', ({ run }, value) => run.report({ tokens: value })],
  ['run.report message', ({ run }, value) => run.report({ message: value })],
  ['run.report todos', ({ run }, value) => run.report({ todos: value })],
  ['run.report a to-do', ({ run }, value) => run.report({ todos: [value] })],
  ['run.reportRateLimit', ({ run }, value) => run.reportRateLimit(value)],
  ['run.reportRateLimit retryAfterMs', ({ run }, value) => run.reportRateLimit({ retryAfterMs: value })],
  ['budget', ({ manager }, value) => manager.budget(value)],
  ['closeSession', ({ manager }, value) => manager.closeSession(value)],
  ['session budget', ({ manager }, value) => manager.session('chat', { budget: value })],
  ['session onWake', ({ manager }, value) => manager.session('chat', { onWake: value })],
  ['session policies', ({ manager }, value) => manager.session('chat', { policies: value })],
  ['session a policy', ({ manager }, value) => manager.session('chat', { policies: [value] })],
  ['session limits', ({ manager }, value) => manager.session('chat', { limits: value })],
  ['session signal', ({ manager }, value) => manager.session('chat', { signal: value })],
  ['a tool alone', (_, value) => createSubAgentTool(value)],
  ['a tool alone spawnSubAgent', (_, value) => createSubAgentTool({ spawnSubAgent: value } as never)],
  ['parseAgentDefinition', (_, value) => parseAgentDefinition(value)],
  ['parseAgentDefinitions', (_, value) => parseAgentDefinitions(value)],
  ['a definition among others', (_, value) => parseAgentDefinitions({ 'a.md': value })],
  ['safetyLimits', (_, value) => safetyLimits(value)],
  ['searchBudget', (_, value) => searchBudget(value)],
  ['completionCheck', (_, value) => completionCheck(value)],
  ['delegationGuard', (_, value) => delegationGuard(value)],
  ['workloadDistributor', (_, value) => workloadDistributor(value)],
];

describe('junk for every public method', () => {
  const unshown = new Set(['spawn turnEstimate', 'releaseBudget']);
  test.each(methods.filter(([name]) => unshown.has(name)))('%s of Infinity', (_, call) => {
    expect(refusal(() => call(oneOfEach(), Number.POSITIVE_INFINITY as never)).code).toBeTypeOf('string');
  });

  test.each(rowsOf(methods, 8))('%s', async (method, call) => {
    for (const [name, value] of junk) {
      if (typeof value === 'number' && value >= 2 ** 53 && unshown.has(method)) continue;
      const world = oneOfEach();
      await defined(world.manager, name, () => call(world, value as never));
      world.manager.dispose();
    }
  });
});

test('the options of a manager: junk for each', () => {
  const options = ['maxConcurrent', 'maxQueued', 'graceMs', 'budget', 'taskBudget', 'tools', 'onLimit', 'spawnSubAgent'];
  for (const option of options) {
    for (const [name, value] of junk) {
      let made: SubAgentManager | undefined;
      try {
        made = new SubAgentManager({ [option]: value } as never);
      } catch (error) {
        expect(error, `${option}: ${name}`).toBeInstanceOf(SubAgentError);
        expect((error as SubAgentError).code, `${option}: ${name}`).toBe('invalid_argument');
      }
      made?.dispose();
    }
  }
});

describe('the tool takes any arguments', () => {
  test.each(junk)('%s: a text comes back, never a rejection', async (_, value) => {
    const { manager } = echo();
    const tool = manager.createSubAgentTool();
    const names = ['instructions', 'tools', 'systemPrompt', 'maxTurns', 'maxCost', 'background'];
    const given = [value, ...names.map((name) => ({ instructions: 'x', [name]: value }))];
    for (const args of given) expect(await settles(tool.execute(args))).toBeTypeOf('string');
    expectSums(manager);
    await flush();
    expect(manager.getConcurrencyInfo().active).toBe(0);
  });
});

describe('getters that call back', () => {
  test('a getter of the options may spawn, cancel and dispose', async () => {
    const { manager } = echo();
    const handle = manager.spawn({
      get instructions() {
        manager.spawn({ instructions: 'from a getter', label: 'inner', contextHint: 'inner' });
        return 'outer';
      },
      get label() {
        return manager.spawn({ instructions: 'from another', tools: ['a'] }).snapshot().label;
      },
    });
    expect(await handle.wait()).toMatchObject({ output: 'outer' });
    expect(handle.snapshot()).toMatchObject({ instructions: 'outer', label: 'from another', contextHint: '', tools: null });
    expect(manager.stats()).toMatchObject({ total: 3, completed: 3 });
    expect(
      await settles(
        Promise.resolve().then(() =>
          manager.spawn({
            get instructions() {
              manager.dispose();
              return 'x';
            },
          }),
        ),
      ).then(
        () => 'spawned',
        (error: SubAgentError) => error.code,
      ),
    ).toBe('disposed');
  });

  test('an option that changes between two looks counts once', async () => {
    const { manager } = echo();
    let looks = 0;
    const handle = manager.spawn({
      instructions: 'x',
      get maxTurns() {
        looks += 1;
        return looks === 1 ? 3 : -5;
      },
    });
    expect(looks).toBe(1);
    expect(handle.snapshot().maxTurns).toBe(3);
  });
});

describe('the order of what follows from a call', () => {
  test('a listener is notified of a spawn within a host function after that one’s host function was called', async () => {
    const order: string[] = [];
    const manager = new SubAgentManager({
      maxDepth: 3,
      spawnSubAgent: async (params, run) => {
        order.push(`host ${params.label}`);
        if (params.label === 'a') run.spawn({ instructions: 'x', label: 'b' });
        if (params.label === 'b') run.spawn({ instructions: 'x', label: 'c', background: true });
        return { output: 'done' };
      },
    });
    const labels = new Map<string | null, string>();
    manager.subscribe((event) => {
      if (event.type === 'task_admitted') labels.set(event.taskId, event.spec?.label ?? '');
      if (event.type === 'run_started') order.push(`heard ${labels.get(event.taskId)}`);
    });
    await manager.spawn({ instructions: 'x', label: 'a' }).wait();
    expect(order).toEqual(['host a', 'host b', 'host c', 'heard a', 'heard b', 'heard c']);
    manager.dispose();
  });
});

describe('ids', () => {
  test('only the very id is an id', () => {
    const { manager } = echo();
    const { taskId } = manager.spawn({ instructions: 'x' });
    for (const wrong of [
      taskId.toUpperCase(),
      `${taskId} `,
      taskId.slice(0, -1),
      `${taskId}0`,
      taskId.slice(4),
      `sub_${'0'.repeat(32)}`,
      `${taskId}${'x'.repeat(1_000)}`,
      '\ud800',
      '',
    ]) {
      expect(() => manager.get(wrong)).toThrow(SubAgentError);
    }
    expect(manager.get(taskId).taskId).toBe(taskId);
  });

  test('S1.05 ids differ between managers and can not be counted up', () => {
    const ids = new Set<string>();
    for (let round = 0; round < 20; round += 1) {
      const { manager } = echo({ retain: 100 });
      for (let count = 0; count < 20; count += 1) ids.add(manager.spawn({}).taskId);
      manager.dispose();
    }
    expect(ids.size).toBe(400);
    const tails = new Set([...ids].map((id) => id.slice(-8)));
    expect(tails.size).toBeGreaterThan(390);
  });
});

describe('text', () => {
  const texts: [string, string, string][] = [
    ['plain', 'hello', 'hello'],
    ['umlauts and emoji', 'Grüße 🙂 👩‍👩‍👧‍👦 你好 \u{10ffff}', 'Grüße 🙂 👩‍👩‍👧‍👦 你好 \u{10ffff}'],
    ['control characters', 'a\0b\n\r\t\u001b[31m\u2028\u2029\ufeff', 'a\0b\n\r\t\u001b[31m\u2028\u2029\ufeff'],
    ['a byte order mark in front', '\ufefftext', '\ufefftext'],
    ['lone surrogates', 'a\ud800b\udc00c', 'a\ufffdb\ufffdc'],
  ];

  test.each(texts)('%s: what goes in as instructions comes out of the core', async (_, given, kept) => {
    const { manager } = echo({ tools: [given] });
    const handle = manager.spawn({ instructions: given, contextHint: given, label: given, systemPrompt: given, tools: [given] });
    await handle.wait();
    expect(handle.snapshot()).toMatchObject({ instructions: kept, contextHint: kept, label: kept, systemPrompt: kept, tools: [kept] });
    expect(manager.get(handle).output).toBe(kept);
  });

  test.each(texts)('%s: outputs, errors, messages and artifacts too', async (_, given, kept) => {
    const prompts: string[] = [];
    const { manager, use } = managerWith((_, run) => {
      prompts.push(run.prompt);
      run.report({ message: given });
      return { output: given, status: 'failed', error: given, taskId: given, artifacts: [{ text: kept }] } as never;
    });
    opened.push(manager);
    const handle = manager.spawn({});
    handle.send(given);
    await handle.wait();
    expect(prompts).toEqual([kept]);
    expect(handle.snapshot()).toMatchObject({ output: kept, error: kept, hostTaskId: kept, progress: kept, artifacts: [{ text: kept }] });
    use(() => done());
    expect(use).toBeTypeOf('function');
  });

  test.each(texts)('%s: answers to questions, and outputs that are cut, too', async (_, given, kept) => {
    const { manager } = managerWith(async (_, run) => done(JSON.stringify(await run.ask('what?'))));
    opened.push(manager);
    const asking = manager.spawn({ instructions: 'ask' });
    await flush();
    asking.send(given);
    expect(JSON.parse((await asking.wait()).output)).toEqual({ answered: true, answer: kept });
    const { manager: small } = managerWith(async () => done(`${given}${'x'.repeat(200)}`), { maxResultBytes: 100 });
    opened.push(small);
    const cut = small.spawn({ instructions: 'write' });
    const { output, truncated } = await cut.wait();
    expect(truncated).toBe(true);
    expect(output.startsWith(kept)).toBe(true);
    expect(cut.snapshot().output).toBe(output);
  });

  test('a lone surrogate in an output is U+FFFD for whoever waits, as it is in the snapshot', async () => {
    const { manager } = managerWith(async () => done('a\ud800b'));
    opened.push(manager);
    const handle = manager.spawn({ instructions: 'x' });
    const result = await handle.wait();
    expect(handle.snapshot().output).toBe('a\ufffdb');
    expect(result.output).toBe('a\ufffdb');
  });

  // Live.text (ts/api/runtime.ts, spawn) is the text as it came, the core's copy is well-formed.
  test('a lone surrogate in the instructions is U+FFFD in the prompt, as it is in the snapshot', async () => {
    const prompts: string[] = [];
    const { manager } = managerWith((_, run) => {
      prompts.push(run.prompt);
      return done();
    });
    opened.push(manager);
    await manager.spawn({ instructions: 'a\ud800b' }).wait();
    expect(prompts).toEqual(['a\ufffdb']);
  });

  test('R1 an output of 1 MiB is kept whole, one byte more is cut and marked', async () => {
    const full = 1_048_576;
    for (const [length, truncated] of [
      [full, false],
      [full + 1, true],
    ] as const) {
      const { manager } = managerWith(async () => done('x'.repeat(length)));
      opened.push(manager);
      const handle = manager.spawn({ instructions: 'x' });
      const result = await handle.wait();
      expect(result.truncated).toBe(truncated);
      expect(result.output).toHaveLength(full);
      expect(handle.snapshot()).toMatchObject({ truncated, status: 'completed' });
      expect(handle.snapshot().output).toHaveLength(full);
    }
  });

  test.each([9, 10, 11, 12, 13])('R1 it is cut between code points (maxResultBytes %i)', async (maxResultBytes) => {
    const { manager } = managerWith(async () => done('🙂'.repeat(10)), { maxResultBytes });
    opened.push(manager);
    const handle = manager.spawn({ instructions: 'x' });
    const result = await handle.wait();
    expect(result).toMatchObject({ truncated: true, status: 'completed', output: '🙂'.repeat(Math.floor(maxResultBytes / 4)) });
    expect(handle.snapshot().output).toBe(result.output);
  });

  test('the scratch grows from 4 kB texts to 1 MB texts and back', async () => {
    const { manager } = echo({ budget: { tokens: Number.POSITIVE_INFINITY } });
    const before = manager.stats().memoryBytes;
    for (const length of [1, 4_096, 4_097, 65_536, 1_000_000, 10, 300_000, 5]) {
      const text = `${'ü🙂x'.repeat(Math.ceil(length / 4))}.`;
      const handle = manager.spawn({ instructions: text });
      const result = await handle.wait();
      expect(result.truncated).toBe(Buffer.byteLength(text) > 1_048_576);
      if (!result.truncated) expect(result.output === text).toBe(true);
      expect(handle.snapshot().instructions === text).toBe(true);
    }
    expect(manager.stats().memoryBytes).toBeGreaterThan(before);
  });

  test('several long texts of one end keep apart', async () => {
    const artifacts = [{ text: 'a'.repeat(50_000) }];
    const { manager } = managerWith(
      async () =>
        ({ output: 'o'.repeat(70_000), status: 'failed', error: 'é'.repeat(60_000), taskId: 'i'.repeat(3_000), artifacts }) as never,
    );
    opened.push(manager);
    const handle = manager.spawn({ instructions: 'x' });
    await handle.wait();
    const { output, error, hostTaskId, hostStatus, artifacts: kept } = handle.snapshot();
    expect([output.length, error?.length, hostTaskId?.length, hostStatus]).toEqual([70_000, 60_000, 3_000, 'failed']);
    expect([output.at(0), output.at(-1), error?.at(0), error?.at(-1)]).toEqual(['o', 'o', 'é', 'é']);
    expect(kept).toEqual(artifacts);
  });

  test('memory that grows while runs, views and waits are open detaches nothing', async () => {
    const runs: Run[] = [];
    const ends: ((output: string) => void)[] = [];
    const { manager } = managerWith(
      (_, run) => {
        runs.push(run);
        return new Promise((resolve) => ends.push((output) => resolve(done(output))));
      },
      { maxConcurrent: 4, budget: { tokens: Number.POSITIVE_INFINITY }, taskBudget: { tokens: 1_000_000 } },
    );
    opened.push(manager);
    const events: string[] = [];
    manager.subscribe((event) => {
      events.push(event.type);
      // Read and grow within the delivery of a batch.
      if (event.type === 'run_ended') manager.spawn({ label: 'l'.repeat(10_000) });
    });
    const first = manager.spawn({ instructions: 'first' });
    const waiting = first.wait();
    const view = manager.get(first);
    const before = manager.stats().memoryBytes;
    const idle = Array.from({ length: 20 }, (_, index) => manager.spawn({ contextHint: `${index}`.repeat(200_000) }));
    expect(manager.stats().memoryBytes).toBeGreaterThan(before);
    expect(runs[0]?.prompt).toBe('first');
    runs[0]?.report({ message: 'still here', tokens: 1 });
    ends[0]?.('ö'.repeat(400_000));
    const result = await waiting;
    expect(result.output).toHaveLength(400_000);
    expect(view.instructions).toBe('first');
    expect(manager.get(first)).toMatchObject({ progress: 'still here', status: 'completed' });
    expect(idle.map((handle) => handle.snapshot().contextHint.length)).toEqual(idle.map((_, index) => `${index}`.length * 200_000));
    expect(events).toContain('run_ended');
  });
});

describe('numbers', () => {
  test.each([2 ** 31, 2 ** 32, 2 ** 40, 2 ** 52, Number.POSITIVE_INFINITY])('limits of %d are taken as they are', (limit) => {
    const manager = new SubAgentManager({
      maxConcurrent: limit,
      maxQueued: limit,
      timeoutMs: limit,
      maxTurns: limit,
      budget: { tokens: limit },
    });
    opened.push(manager);
    expect(manager.getConcurrencyInfo()).toMatchObject({ limit, queueLimit: limit });
    expect(manager.stats().tokensRemaining).toBe(limit);
    expect(manager.get(manager.spawn({})).maxTurns).toBe(limit);
  });

  test.each([1e16, 1e300, Number.MAX_VALUE])('a limit of %d is as good as none', (limit) => {
    const manager = new SubAgentManager({ maxConcurrent: limit, budget: { tokens: limit, costUsd: limit } });
    opened.push(manager);
    expect(manager.getConcurrencyInfo().limit).toBe(Number.POSITIVE_INFINITY);
    expect(manager.stats().tokensRemaining).toBe(Number.POSITIVE_INFINITY);
  });

  test.each([5e-10, 1e-9, 0.1 + 0.2, 123.456789012])('a cap of $%d is kept to the nano-dollar', (cost) => {
    const manager = new SubAgentManager();
    opened.push(manager);
    const { cap } = manager.get(manager.spawn({ maxCost: cost })).budget.costUsd;
    expect(cap).toBeGreaterThan(0);
    expect(Math.abs(cap - cost)).toBeLessThanOrEqual(1e-9);
  });

  test('a cap below that is refused, not taken for 0', () => {
    const { manager } = echo();
    refusesUnchanged(manager, 'invalid_argument', () => manager.spawn({ maxCost: 1e-12 }));
    expect(() => new SubAgentManager({ budget: { costUsd: 1e-12 } })).toThrow(SubAgentError);
  });

  test('B6 the largest whole number is a valid reading', async () => {
    const { manager } = managerWith(async () => done('x', Number.MAX_SAFE_INTEGER));
    opened.push(manager);
    expect((await manager.spawn({ instructions: 'x' }).wait()).usage).toMatchObject({ tokens: Number.MAX_SAFE_INTEGER, invalid: [] });
  });
});

describe('what is read', () => {
  test('each option of a spawn is read once: a getter may say something else the second time', () => {
    const { manager } = echo({ agents: { a: { description: 'd' } }, budget: { tokens: 1_000_000 } });
    const options = {
      ...{
        instructions: 'x',
        contextHint: 'c',
        label: 'l',
        budget: { tokens: 100 },
        maxTurns: 3,
        timeoutMs: 5,
        idleTimeoutMs: 5,
        turnEstimate: 5,
      },
      ...{ agent: 'a', modelId: 'm', profile: 'minimal', rateLimitKey: 'r', idempotencyKey: 'i', priority: 1, format: 'json', maxCost: 1 },
      ...{
        origin: { channel: 'c' },
        nickname: 'n',
        onParentEnd: 'wait',
        background: true,
        tools: ['t'],
        systemPrompt: 's',
        metadata: { a: 1 },
      },
      signal: new AbortController().signal,
    };
    const read = new Map<PropertyKey, number>();
    const counted = new Proxy(options, {
      get: (target, name) => {
        read.set(name, (read.get(name) ?? 0) + 1);
        return Reflect.get(target, name);
      },
    });
    manager.spawn(counted as never);
    // The host, which is handed this very object, reads what it likes.
    expect([...read].filter(([, times]) => times > 1)).toEqual([]);
    expect(Object.keys(options).filter((name) => !read.has(name))).toEqual([]);
  });
});

describe('what is printed', () => {
  const secret = 'nobody should find this text in a log';

  /** Everything that a program may hold of a manager, by name. */
  async function holdings(): Promise<Record<string, unknown>> {
    let run: Run | undefined;
    const { manager } = managerWith(
      async (_, given) => {
        run = given;
        given.session.set('kept', secret);
        return done('an output');
      },
      { policies: { subAgents: [{ beforeTurn: () => undefined }] } },
    );
    opened.push(manager);
    const session = manager.session('key');
    const handle = session.spawn({ instructions: secret, background: true });
    await flush();
    const notices = session.inbox.peek();
    const result = await handle.wait();
    const tools = [manager.createSubAgentTool(), session.createTools()];
    return { manager, session, run, handle, result, notices, tools, inbox: session.inbox, snapshot: handle.snapshot() };
  }

  test('nothing that a program holds throws where it is stringified or printed, also when the manager is over', async () => {
    const held = await holdings();
    for (const over of [false, true]) {
      if (over) (held.manager as SubAgentManager).dispose();
      for (const [name, value] of Object.entries(held)) {
        expect(() => JSON.stringify(value), name).not.toThrow();
        expect(() => inspect(value, { depth: null, showHidden: true }), name).not.toThrow();
      }
    }
  });

  test('a manager, a session, a run and a handle show nothing of what is inside', async () => {
    const { manager, session, run, handle, inbox } = await holdings();
    const printed = [manager, session, run, handle, inbox].map((value) => inspect(value, { depth: null, showHidden: true }));
    expect(printed.filter((text) => text.includes(secret) || text.includes('Runtime'))).toEqual([]);
    expect([manager, session, run, handle, inbox].map((value) => JSON.stringify(value))).toEqual([
      '{}',
      '{"key":"key"}',
      '{}',
      JSON.stringify({ taskId: (handle as { taskId: string }).taskId }),
      '{}',
    ]);
  });
});
