// What a monkey does beside the usual: any method with anything in any place, tools with arguments that no schema takes,
// the tool that stands alone, keys, leases and budgets at their bounds. Owns the oddities; the world judges them.

import { type Budget, createSubAgentTool, type Notice, type SpawnOptions, TOOL_PRESETS } from '../../dist/index.js';
import { gate, later, resultOf, thrown, told } from './monkey-hosts.js';
import { MonkeyError, type Scope, type World } from './monkey-world.js';

export const signal = (world: World): AbortSignal => {
  if (world.controllers.length === 0 || world.dice.chance(0.5)) world.controllers.push(new AbortController());
  return world.dice.pick(world.controllers.slice(-4)).signal;
};

/** Anything at all. */
export function junk(world: World): unknown {
  const { dice } = world;
  const makers: (() => unknown)[] = [
    () => undefined,
    () => null,
    () => dice.pick([0, -0, 1, -1, 1.5, 5e-324, 2 ** 31, 2 ** 53, 1e308, Number.NaN, Number.POSITIVE_INFINITY]),
    () => dice.pick(['', ' ', 'x', 'sub_', 'nick0', 's0', '\ud800', '🐒', 'x'.repeat(5_000), '{"instructions":"x"}', '__proto__', 'then']),
    () => dice.chance(0.5),
    () => [],
    () => ({}),
    () => [junk(world)],
    () => ({ [dice.pick(['taskId', 'timeoutMs', 'graceMs', 'signal', 'max', 'tokens', 'mode', 'instructions', 'page'])]: junk(world) }),
    () => Symbol('odd'),
    () => 10n,
    () => () => told(world, 'an odd function', 0.3),
    () => new Date(Number.NaN),
    () => Object.create(null),
    () => Promise.resolve(5),
    () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
    () => spiked(world, { taskId: 'x', instructions: 'x', timeoutMs: 5 }, 1),
    () => signal(world),
    () => AbortSignal.abort(),
    () => world.handle(),
    () => world.handle()?.taskId,
    () => (world.runs.length === 0 ? world.manager : dice.pick(world.runs)),
    () => (world.sessions.length === 0 ? world.manager : dice.pick(world.sessions)),
  ];
  return dice.pick(makers)();
}

/** The options, now and then with one whose getter throws, or does something of its own. */
export function spiked<T extends object>(world: World, options: T, often: number): T {
  const { dice } = world;
  const names = Object.keys(options);
  if (names.length === 0 || !dice.chance(often)) return options;
  const name = dice.pick(names);
  const value = options[name as keyof T];
  const throws = dice.chance(0.3);
  world.count(throws ? 'getter throws' : 'getter acts');
  return Object.defineProperty({ ...options }, name, {
    enumerable: true,
    get() {
      if (throws) throw thrown(world);
      world.act();
      return value;
    },
  });
}

// ─── any method with anything ─────────────────────────────────────────────────────────────────────

const SCOPE = {
  now: [
    ...['spawn', 'send', 'get', 'list', 'forget', 'readResult', 'canSpawn'],
    ...['checkConsumerSpawn', 'getConcurrencyInfo', 'createSubAgentTool', 'createTools', 'report'],
  ],
  later: ['interrupt', 'wait', 'cancel', 'close', 'resume', 'moveToBackground', 'beforeTurn', 'beforeTool', 'afterTool', 'beforeEnd'],
};
const RUN = { now: ['reportRateLimit', 'countTokens'], later: ['ask'] };
const MANAGER = {
  now: [...['subscribe', 'session', 'addBudget', 'budget', 'reportSettled']],
  later: ['closeSession'],
};
const HANDLE = {
  now: ['send', 'readResult', 'snapshot'],
  later: ['wait', 'interrupt', 'cancel', 'close', 'resume'],
};
const INBOX = { now: ['lease', 'ack', 'peek'], later: [] };

export function anyMethod(world: World, scope: Scope): void {
  const { dice, manager } = world;
  const handle = world.handle();
  const [of, methods] = dice.pick<[object, { now: string[]; later: string[] }]>([
    [scope, SCOPE],
    [scope, SCOPE],
    [manager, MANAGER],
    ...(world.runs.length > 0 ? [[dice.pick(world.runs), RUN] as [object, typeof RUN]] : []),
    ...(handle === undefined ? [] : [[handle, HANDLE] as [object, typeof HANDLE]]),
    [scope.inbox, INBOX],
  ]);
  const name = dice.pick([...methods.now, ...methods.later]);
  const method = (of as Record<string, (...given: unknown[]) => unknown>)[name];
  if (method === undefined) return;
  // What is right in its place lets the rest be read.
  const given = Array.from({ length: dice.int(1, 3) }, () => junk(world));
  const closesSession = name === 'close' && 'key' in of;
  if (name !== 'wait' && dice.chance(0.5) && !closesSession) given[0] = world.target();
  if (name === 'wait' && dice.chance(0.7)) given[0] = of === handle ? { timeoutMs: 5 } : [world.target(), junk(world)];
  if (methods.now.includes(name)) {
    const value = world.attempt(`any: ${name}`, () => method.call(of, ...given));
    if (name === 'subscribe' && typeof value === 'function') world.subscriptions.push(value as () => void);
    if (name === 'lease') for (const notice of (value ?? []) as Notice[]) world.delivered.add(notice.deliveryId);
  } else void world.track(`any: ${name}`, () => method.call(of, ...given) as Promise<unknown>);
}

// ─── tools ────────────────────────────────────────────────────────────────────────────────────────

interface Callable {
  name: string;
  parameters: {
    properties: Readonly<Record<string, unknown>>;
    required: readonly string[];
    '~standard': { validate(value: unknown): { value?: unknown; issues?: readonly { message: string }[] } };
  };
  execute(...given: unknown[]): Promise<unknown>;
}

/** Arguments as models make them, and worse. */
function argumentsFor(world: World, { parameters }: Callable): unknown {
  const { dice } = world;
  if (dice.chance(0.15)) return junk(world);
  const args: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(parameters.properties) as [string, { type: string; enum?: string[] }][]) {
    if (!dice.chance(parameters.required.includes(name) ? 0.95 : 0.4)) continue;
    const target = (): unknown => world.attempt('handle.taskId', () => world.handle()?.taskId) ?? 'sub_none';
    const sound: Record<string, () => unknown> = {
      array: () => [target(), 'read'].slice(0, dice.int(0, 2)),
      boolean: () => dice.chance(0.5),
      string: () => (schema.enum !== undefined ? dice.pick(schema.enum) : dice.pick([target(), 'read this', 'x'])),
      integer: () => dice.pick([0, 1, 2, 50, 16_000, 10_000_000]),
      number: () => dice.pick([0, 0.001, 1, 400, 600_000, 1e9]),
    };
    args[name] = dice.chance(0.12) ? junk(world) : (sound[schema.type] ?? (() => null))();
  }
  if (dice.chance(0.05)) args[dice.pick(['__proto__', 'constructor', 'extra'])] = junk(world);
  if (dice.chance(0.1)) {
    try {
      return JSON.stringify(args);
    } catch {
      return args;
    }
  }
  return spiked(world, args, 0.06);
}

/** A call of a tool in one of the ways in which frameworks call. */
function callTool(world: World, what: string, tool: Callable): void {
  const { dice } = world;
  const args = argumentsFor(world, tool);
  const onUpdate = dice.chance(0.4) ? () => told(world, 'onUpdate', 0.3) : undefined;
  const options = dice.some<Record<string, unknown>>(0.25, {
    signal: () => signal(world),
    abortSignal: () => (dice.chance(0.1) ? junk(world) : signal(world)),
    toolCallId: () => dice.pick<unknown>(['c1', 'c2', 5]),
    writer: () => () => told(world, 'writer', 0.3),
    outputWriter: () => () => Promise.reject(new MonkeyError('a monkey threw this')),
  });
  const given =
    dice.below(4) === 0
      ? ['c1', args, options.signal, onUpdate]
      : [args, dice.chance(0.7) ? { ...options, ...(onUpdate && { onUpdate }) } : undefined];
  const check = dice.chance(0.2) ? world.attempt('validate', () => tool.parameters['~standard'].validate(args)) : undefined;
  if (check !== undefined && (check.issues?.length === 0 || 'value' in check === 'issues' in check))
    world.fault(`a validation gave ${Object.keys(check)}`);
  let call: Promise<unknown> | undefined;
  void world.call<unknown>(
    what,
    () => {
      call = tool.execute(...given);
      return call;
    },
    true,
  );
  if (call !== undefined && Symbol.asyncIterator in call && dice.chance(0.3))
    void world.track('iterating', () => readLines(call as never, dice.chance(0.3)));
}

async function readLines(call: AsyncIterable<string>, leavesEarly: boolean): Promise<void> {
  for await (const line of call) {
    if (typeof line !== 'string') throw new TypeError('a line is a text');
    if (leavesEarly) break;
  }
}

function toolOptions(world: World): Record<string, unknown> {
  const { dice } = world;
  return dice.some<Record<string, unknown>>(0.25, {
    format: () => dice.pick(['json', 'text']),
    canAnswer: () => dice.chance(0.5),
    backgroundTimeoutMs: () => dice.int(1, 400),
    onDetails: () => (details: { taskId: string; status: string }) => {
      if (typeof details.taskId !== 'string' || typeof details.status !== 'string') world.fault('details without a status');
      return told(world, 'onDetails', 0.2);
    },
    idempotencyKey: () => () => {
      if (dice.chance(0.05)) world.act();
      return dice.pick<unknown>([undefined, 'tool0', '', 5]);
    },
    origin: () => () => dice.pick<unknown>([{ channel: 'a:b' }, { channel: 'tool', chatId: '1' }, {}, null]),
  });
}

export function oddTool(world: World, scope: Scope): void {
  const { dice } = world;
  if (dice.chance(0.25)) {
    const tool = world.attempt('createSubAgentTool', () => scope.createSubAgentTool(spiked(world, toolOptions(world), 0.05)));
    if (tool !== undefined) callTool(world, 'odd SubAgent', tool as never);
    return;
  }
  const options = {
    preset: dice.pick(TOOL_PRESETS),
    ...toolOptions(world),
    ...dice.some<Record<string, unknown>>(0.1, {
      names: () => dice.pick<unknown>([{ spawn: 'delegate' }, { wait: 'send_message' }, { spawn: '' }, { nothing: 'x' }]),
      include: () => dice.pick<unknown>([['spawn'], [], ['wait', 'send', 'close'], ['fly']]),
    }),
  };
  const tools = world.attempt('createTools', () => [...scope.createTools(spiked(world, options, 0.05) as never)]);
  if (tools !== undefined && tools.length > 0) callTool(world, 'odd tool', dice.pick(tools) as never);
}

/** The tool that stands alone: a manager of its own, which nobody disposes. */
export function alone(world: World): void {
  const { dice } = world;
  if (world.alone === undefined || dice.chance(0.1)) {
    const host = (): unknown => {
      if (!world.wild) return { output: 'tame' };
      world.count('alone: host');
      if (dice.chance(0.1)) throw thrown(world);
      if (dice.chance(0.2)) world.act();
      return dice.chance(0.5) ? resultOf(world) : later(world, () => resultOf(world));
    };
    const background = (): unknown => {
      const id = `alone${dice.below(4)}`;
      if (!world.wild) return { taskId: id };
      if (dice.chance(0.1)) throw thrown(world);
      if (dice.chance(0.2)) world.alone?.reportSettled(id, resultOf(world) as never);
      return dice.pick<unknown>([Promise.resolve({ taskId: id }), later(world, () => ({ taskId: id })), {}, Promise.resolve(null)]);
    };
    const config = {
      spawnSubAgent: host,
      spawnBackgroundSubAgent: background,
      canSpawn: () => {
        if (dice.chance(0.05)) throw thrown(world);
        return dice.pick<unknown>([true, true, true, true, false, 'yes']);
      },
      getConcurrencyInfo: () => {
        if (dice.chance(0.3)) throw thrown(world);
        return { active: 2, limit: 2 };
      },
      getModelId: () => {
        if (dice.chance(0.1)) throw thrown(world);
        return 'model';
      },
      ...(dice.chance(0.3) && { checkConsumerSpawn: () => gate(world) }),
      ...toolOptions(world),
    };
    world.alone = world.attempt('a tool alone', () => createSubAgentTool(spiked(world, config, 0.05) as never));
  }
  const tool = world.alone;
  if (tool === undefined) return;
  if (dice.chance(0.3)) world.attempt('alone: reportSettled', () => tool.reportSettled(`alone${dice.below(4)}`, resultOf(world) as never));
  else callTool(world, 'alone: execute', tool as never);
}

// ─── bounds ───────────────────────────────────────────────────────────────────────────────────────

/** A budget at its bounds. */
function edgyBudget(world: World): Budget {
  const edge = (): number => world.dice.pick([0, 1, 1e-9, 1e-12, 2 ** 53, 1e308, Number.POSITIVE_INFINITY, -1, Number.NaN, 0.5]);
  return world.dice.some(0.5, { tokens: edge, costUsd: edge, turns: edge });
}

export function atBounds(world: World, scope: Scope): void {
  const { dice, manager } = world;
  switch (dice.below(4)) {
    case 0: {
      const target = dice.chance(0.4)
        ? undefined
        : dice.chance(0.4) && world.sessions.length > 0
          ? dice.pick(world.sessions)
          : world.target();
      world.attempt('addBudget at its bounds', () => manager.addBudget(edgyBudget(world), target));
      const account = world.attempt('budget', () => manager.budget(target));
      for (const { cap, spent, reserved, available, overspent } of Object.values(account ?? {}))
        if (!(cap >= 0 && spent >= 0 && reserved >= 0 && available >= 0 && overspent >= 0))
          world.fault(`a budget that can't be: ${JSON.stringify(account)}`);
      break;
    }
    case 1: {
      const options: SpawnOptions = {
        instructions: 'at the bounds',
        ...dice.some<SpawnOptions>(0.3, {
          budget: () => edgyBudget(world),
          maxTurns: () => dice.pick([0, 1, 1.5, 2 ** 32, 2 ** 53, Number.POSITIVE_INFINITY]),
          maxCost: () => dice.pick([0, 1e-12, 1e-9, 1e308]),
          timeoutMs: () => dice.pick([0, 0.1, 2 ** 31, 2 ** 53, Number.POSITIVE_INFINITY]),
          idleTimeoutMs: () => dice.pick([0.1, 2 ** 31, Number.POSITIVE_INFINITY]),
          turnEstimate: () => dice.pick([0, 1, 2 ** 53, 1e308]),
          turnEstimateUsd: () => dice.pick([0, 1e-12, 0.01, 1e308]),
          priority: () => dice.pick([2 ** 53 - 1, -(2 ** 53) + 1, 2 ** 31, 1.5]),
        }),
      };
      const handle = world.attempt('spawn at its bounds', () => scope.spawn(options));
      if (handle !== undefined) world.handles.push(handle);
      break;
    }
    case 2: {
      const max = dice.pick([0, 1, 2, 2 ** 53, Number.POSITIVE_INFINITY, -1]);
      const leaseMs = dice.pick([0, 0.1, 1, 2 ** 53, Number.POSITIVE_INFINITY]);
      const notices = world.attempt('lease at its bounds', () => scope.inbox.lease({ max, leaseMs }));
      if (notices !== undefined && notices.length > max) world.fault('more notices were leased than asked for');
      for (const notice of notices ?? []) {
        world.sawNotice(notice);
        world.delivered.add(notice.deliveryId);
      }
      break;
    }
  }
}

/** The same key with the same options is the same sub-agent; with others, a conflict. */
export function sameKey(world: World, scope: Scope): void {
  const { dice } = world;
  const idempotencyKey = dice.pick(['k0', 'k1', 'same0', 'same1']);
  const options: SpawnOptions = { instructions: 'once', background: true, idempotencyKey };
  const { acted } = world;
  const first = world.attempt('spawn with a key', () => scope.spawn(options));
  const second = first && world.attempt('spawn with a key again', () => scope.spawn({ ...options, signal: signal(world) }));
  if (first === undefined) return;
  world.handles.push(first);
  if (second !== undefined && second.taskId !== first.taskId && acted === world.acted) world.fault('one key gave two sub-agents');
  if (dice.chance(0.2)) world.attempt('another with a key', () => scope.spawn({ ...options, label: 'another' }));
}

/** Texts are made of what there is. */
export function texts(world: World, scope: Scope): void {
  for (const notice of world.attempt('inbox.peek', () => scope.inbox.peek()) ?? []) {
    if (!notice.text.includes('\n\nTask: ')) world.fault('a text of no notice');
  }
}

/** A notice that somebody else's inbox has, or nobody's. */
export function wrongAck(world: World, scope: Scope): void {
  const { dice } = world;
  const id = dice.pick([...world.delivered, 'del_', `del_${'0'.repeat(48)}`, 'x'.repeat(70)]);
  const own = world.attempt('inbox.peek', () => scope.inbox.peek());
  const acked = world.attempt('inbox.ack of any', () => scope.inbox.ack(id));
  if (own === undefined || acked === undefined) return;
  const isOwn = own.some(({ deliveryId }) => deliveryId === id);
  if (isOwn ? !acked : acked && scope !== world.manager)
    world.fault(`an ack said ${acked} of a notice that is ${isOwn ? '' : 'not '}there`);
}

/** A foreground sub-agent moves on while its caller waits, at any moment. */
export function moveNewest(world: World, scope: Scope): void {
  const newest = world.handles.at(-1);
  if (newest === undefined) return;
  void world.track('move the newest', () => (world.dice.chance(0.5) ? scope : world.manager).moveToBackground(newest));
  if (world.dice.chance(0.5)) world.careless('interrupt the newest', () => scope.interrupt(newest, { graceMs: world.dice.pick([0, 5]) }));
  if (world.dice.chance(0.5))
    world.attempt('send to the newest', () => scope.send(newest, 'go on', { mode: world.dice.pick(['steer', 'interrupt', 'queue']) }));
}

/** Whoever asks is answered; whoever goes on is steered. */
export function answer(world: World, scope: Scope): void {
  const { dice } = world;
  for (const handle of world.handles.slice(-8)) {
    const view = world.attempt('handle.snapshot', () => handle.snapshot());
    if (view === undefined || (view.question === null && view.status !== 'running')) continue;
    const mode = dice.pick(['steer', 'queue', undefined] as const);
    const receipt = world.attempt('answer', () => (dice.chance(0.7) ? world.manager : scope).send(handle, 'this one', { mode }));
    // What the snapshot said holds until the next call.
    if (receipt !== undefined && (view.question === null) === (receipt.receipt === 'delivered'))
      world.fault(`an answer was ${receipt.receipt}`);
  }
}
