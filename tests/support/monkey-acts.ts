// What a monkey does to a manager: any call of its public API, with what it knows and with nonsense, as the program,
// a session or a run. Each act is drawn; what came of it the world judges.

import { type Handle, type Notice, Run, type Session, type SpawnOptions, type SubAgentManager } from '../../dist/index.js';
import { policies, resultOf, told } from './monkey-hosts.js';
import { alone, answer, anyMethod, atBounds, moveNewest, oddTool, sameKey, signal, spiked, texts, wrongAck } from './monkey-odd-acts.js';
import type { Scope, World } from './monkey-world.js';

/** How likely each act is. */
const ACTS = {
  spawn: 22,
  oddSpawn: 2,
  wait: 10,
  waitMany: 8,
  send: 10,
  interrupt: 4,
  cancel: 5,
  close: 4,
  resume: 3,
  move: 3,
  forget: 3,
  forgetResult: 2,
  read: 3,
  get: 3,
  list: 2,
  lease: 4,
  ack: 4,
  mainTurn: 3,
  mainTool: 2,
  mainEnd: 1,
  mainReport: 1,
  questions: 3,
  result: 3,
  tool: 5,
  tools: 6,
  openSession: 2,
  closeSession: 0.8,
  subscribe: 1,
  driven: 5,
  budget: 2,
  settled: 3,
  signal: 3,
  cancelAll: 0.3,
  drain: 0.3,
  dispose: 0.6,
  anyMethod: 8,
  oddTool: 8,
  alone: 3,
  atBounds: 3,
  sameKey: 2,
  texts: 1,
  wrongAck: 2,
  moveNewest: 3,
  answer: 5,
} as const;

type Act = keyof typeof ACTS;

/** In a gentle life little is stopped from outside, so that sub-agents come to talk and to delegate. */
const ROUGH: readonly string[] = ['interrupt', 'cancel', 'close', 'forget', 'closeSession', 'signal', 'cancelAll', 'drain', 'anyMethod'];
const GENTLE = Object.fromEntries(
  Object.entries(ACTS).map(([name, weight]) => [name, ROUGH.includes(name) ? weight / 8 : weight]),
) as Record<Act, number>;

/** Does one thing, unless enough has been done. */
export function act(world: World, as?: Scope): void {
  if (!world.wild || world.left <= 0 || world.depth > 3) return;
  world.left -= 1;
  world.acted += 1;
  world.depth += 1;
  const name = world.dice.weighed<Act>(world.gentle ? GENTLE : ACTS);
  try {
    BODIES[name](world, as ?? world.scope());
  } finally {
    world.depth -= 1;
  }
}

function spawnOptions(world: World): SpawnOptions {
  const { dice } = world;
  const text = dice.chance(0.88) ? { instructions: dice.pick(['read', 'write', 'compare the two', 'x']) } : {};
  const background = dice.chance(0.4);
  const options: SpawnOptions = {
    ...text,
    ...(background && { background }),
    ...dice.some<SpawnOptions>(0.12, {
      label: () => 'a label',
      contextHint: () => 'a hint',
      tools: () => dice.pick([['read'], ['web_search'], ['nothing known'], ['missing_tool'], ['missing_tool', 'other_tool'], []]),
      systemPrompt: () => 'be brief',
      maxTurns: () => dice.int(1, 4),
      budget: () => dice.pick([{ tokens: dice.int(50, 6_000) }, { turns: 2 }, { costUsd: 0.05 }, { tokens: 5_000, turns: 3 }]),
      timeoutMs: () => dice.int(1, 500),
      idleTimeoutMs: () => dice.int(1, 200),
      turnEstimate: () => dice.int(1, 1_000),
      turnEstimateUsd: () => dice.pick([0.0001, 0.002, 0.01]),
      priority: () => dice.below(5) - 2,
      agent: () => dice.pick(['reader', 'reader', 'worker', 'nobody']),
      profile: () => dice.pick(['minimal', 'odd', 'nowhere']),
      rateLimitKey: () => dice.pick(['a', 'b']),
      idempotencyKey: () => dice.pick(['k0', 'k1', 'k2']),
      nickname: () => dice.pick(['nick0', 'nick1', 'nick2']),
      format: () => dice.pick(['json', 'text']),
      signal: () => signal(world),
      origin: () => ({ channel: 'slack', chatId: 'C1' }),
    }),
    ...(background && dice.chance(0.3) && { onParentEnd: dice.pick(['adopt', 'wait', 'cancel'] as const) }),
  };
  return spiked(world, options, 0.02);
}

function keepHandle(world: World, handle: Handle | undefined): void {
  if (handle === undefined) return;
  world.name(handle.taskId);
  world.handles.push(handle);
  if (world.dice.chance(0.35)) waitFor(world, handle);
}

function waitFor(world: World, handle: Handle): void {
  const { dice } = world;
  const options = dice.chance(0.6)
    ? undefined
    : dice.some<{ timeoutMs: number; signal: AbortSignal }>(0.6, { timeoutMs: () => dice.int(1, 600), signal: () => signal(world) });
  void world.track(
    'handle.wait',
    () => handle.wait(options),
    (result) => world.sawResult(result),
  );
}

function grace(world: World): { graceMs: number } | undefined {
  return world.dice.chance(0.5) ? { graceMs: world.dice.pick([0, 0, 1, 50, Number.POSITIVE_INFINITY]) } : undefined;
}

/** A promise that somebody looks at, or nobody. */
function asked(world: World, what: string, make: () => Promise<unknown>): void {
  if (world.dice.chance(0.2)) world.careless(what, make);
  else void world.track(what, make);
}

function sawNotices(world: World, scope: Scope, notices: readonly Notice[] | undefined): void {
  for (const notice of notices ?? []) {
    world.sawNotice(notice);
    world.count('notice leased');
    world.delivered.add(notice.deliveryId);
    if (world.dice.chance(0.4)) {
      const acked = world.attempt('inbox.ack', () => scope.inbox.ack(notice.deliveryId));
      const again = world.attempt('inbox.ack again', () => scope.inbox.ack(notice.deliveryId));
      if (acked === true && again === true) world.fault('a notice was acknowledged twice');
    }
  }
}

const isMain = (scope: Scope): scope is SubAgentManager | Session => 'closeSession' in scope || 'key' in scope;

const BODIES: Record<Act, (world: World, scope: Scope) => void> = {
  spawn: (world, scope) => {
    const options = spawnOptions(world);
    keepHandle(
      world,
      world.attempt('spawn', () => scope.spawn(options)),
    );
  },
  oddSpawn: (world, scope) => {
    const options = world.dice.pick<unknown>([
      undefined,
      5,
      { instructions: 5 },
      { instructions: '' },
      { instructions: 'x', nonsense: 1 },
      { instructions: 'x', timeoutMs: -1 },
      { instructions: 'x', signal: {} },
      { instructions: 'x', onParentEnd: 'wait' },
      { task: 'x', goal: 'y' },
      { instructions: 'x', nickname: 'sub_x' },
      { instructions: 'x', idempotencyKey: '' },
    ]);
    keepHandle(
      world,
      world.attempt('a wrong spawn', () => scope.spawn(options as never)),
    );
  },
  wait: (world) => {
    const handle = world.handle();
    if (handle !== undefined) waitFor(world, handle);
  },
  waitMany: (world, scope) => {
    const { dice } = world;
    const targets = Array.from({ length: dice.int(1, 4) }, () => (dice.chance(0.98) ? (world.handle() ?? world.target()) : world.target()));
    const options = dice.some<{ mode: 'any' | 'all'; timeoutMs: number; signal: AbortSignal }>(0.4, {
      mode: () => dice.pick(['any', 'all']),
      timeoutMs: () => dice.pick([1, 50, 700, Number.POSITIVE_INFINITY]),
      signal: () => signal(world),
    });
    void world.track(
      'wait',
      () => scope.wait(targets, options),
      ({ completed, pending, needsInput, unknown, timedOut }) => {
        world.count(timedOut ? 'wait: timed out' : 'wait: over');
        if (completed.length + pending.length + unknown.length !== targets.length) world.fault('a wait lost one of its targets');
        if (needsInput.length > pending.length) world.fault('a wait has more questions than who asks');
        for (const view of completed) JSON.stringify(view);
      },
    );
  },
  send: (world, scope) => {
    const { dice } = world;
    const target = dice.chance(0.15) ? undefined : world.target();
    const mode = dice.pick(['queue', 'steer', 'interrupt', undefined] as const);
    const receipt = world.attempt('send', () =>
      scope.send(target, dice.chance(0.96) ? 'go on' : '', dice.chance(0.7) ? { mode } : undefined),
    );
    if (receipt !== undefined) world.count(`receipt: ${receipt.receipt}`);
  },
  interrupt: (world, scope) => {
    const target = world.dice.chance(0.1) ? undefined : world.target();
    asked(world, 'interrupt', () => scope.interrupt(target, grace(world)));
  },
  cancel: (world, scope) => {
    const target = world.dice.chance(0.1) ? undefined : world.target();
    const options = { ...grace(world), ...(world.dice.chance(0.2) && { signal: signal(world) }) };
    asked(world, 'cancel', () => scope.cancel(target, options));
  },
  close: (world, scope) => {
    const [target, options] = [world.target(), grace(world)];
    asked(world, 'close', () => scope.close(target, options));
  },
  resume: (world, scope) => {
    const target = world.target();
    asked(world, 'resume', () => scope.resume(target));
  },
  move: (world, scope) => {
    const target = world.target();
    void world.track('moveToBackground', () => scope.moveToBackground(target));
  },
  forget: (world, scope) => {
    world.attempt('forget', () => scope.forget(world.target()));
  },
  forgetResult: (world, scope) => {
    world.attempt('forget resultOnly', () => scope.forget(world.target(), { resultOnly: true }));
  },
  read: (world, scope) => {
    const { dice } = world;
    const page = world.attempt('readResult', () => scope.readResult(world.target(), { offset: dice.below(20), limit: dice.int(1, 50) }));
    if (page !== undefined && (page.nextOffset ?? page.total) > page.total) world.fault(`a page beyond the end: ${JSON.stringify(page)}`);
  },
  get: (world, scope) => {
    const handle = world.handle();
    world.attempt('get', () => JSON.stringify(scope.get(world.target())));
    if (handle !== undefined) world.attempt('handle.snapshot', () => JSON.stringify([handle.status, handle.snapshot()]));
  },
  list: (world, scope) => {
    const { dice } = world;
    const filter = dice.some<NonNullable<Parameters<Scope['list']>[0]>['filter'] & object>(0.3, {
      status: () => [dice.pick(['running', 'pending', 'completed', 'closed'] as const)],
      background: () => dice.chance(0.5),
      parent: () => (dice.chance(0.3) ? null : (world.target() as Handle)),
      label: () => 'a label',
    });
    world.attempt('list', () => scope.list({ filter, page: { offset: dice.below(3), limit: dice.int(1, 6) } }));
  },
  lease: (world, scope) => {
    const { dice } = world;
    const options = dice.some<{ max: number; leaseMs: number }>(0.3, { max: () => dice.int(1, 2), leaseMs: () => dice.int(1, 100) });
    sawNotices(
      world,
      scope,
      world.attempt('inbox.lease', () => scope.inbox.lease(options)),
    );
  },
  ack: (world, scope) => {
    const peeked = world.attempt('inbox.peek', () => scope.inbox.peek());
    for (const notice of peeked ?? []) world.sawNotice(notice);
    const id = world.dice.chance(0.1) ? 'del_nobody' : world.dice.pick([...(peeked ?? []).map(({ deliveryId }) => deliveryId), 'del_none']);
    world.attempt('inbox.ack', () => scope.inbox.ack(id));
  },
  mainTurn: (world, scope) => {
    if (!isMain(scope)) return;
    const options = world.dice.chance(0.4) ? { prompt: 'what the user said' } : undefined;
    void world.track('main.beforeTurn', () => scope.beforeTurn(options));
  },
  mainTool: (world, scope) => {
    if (!isMain(scope)) return;
    void world.track('main.beforeTool', () => scope.beforeTool('read', { path: 'a' }));
    if (world.dice.chance(0.5)) void world.track('main.afterTool', () => scope.afterTool('read', 'text'));
  },
  mainEnd: (world, scope) => {
    if (isMain(scope)) void world.track('main.beforeEnd', () => scope.beforeEnd('the answer'));
  },
  mainReport: (world, scope) => {
    if (isMain(scope))
      world.attempt('main.report', () => scope.report({ contextTokens: world.dice.below(900), message: 'hm', todos: [{ content: 'a' }] }));
  },
  questions: (world, scope) => {
    world.attempt('questions', () => {
      scope.canSpawn();
      scope.checkConsumerSpawn({ instructions: 'x' });
      JSON.stringify([scope.getConcurrencyInfo(), world.manager.stats(), scope instanceof Run ? scope.countTokens('text') : 0]);
    });
  },
  result: (world) => {
    if (world.handles.length === 0) return;
    const handle = world.dice.pick(world.handles);
    const text = world.attempt('handle.resultText', () => handle.resultText());
    if (text !== undefined && (typeof text !== 'string' || text === '')) world.fault(`a result's text is ${JSON.stringify(text)}`);
    if (world.results.length > 0) JSON.stringify(world.dice.pick(world.results));
  },
  tool: (world, scope) => {
    const { dice } = world;
    const options = dice.some<NonNullable<Parameters<Scope['createSubAgentTool']>[0]>>(0.3, {
      format: () => 'json',
      canAnswer: () => dice.chance(0.5),
      backgroundTimeoutMs: () => dice.int(1, 400),
      onDetails: () => () => told(world, 'onDetails', 0.1),
      idempotencyKey: () => () => dice.pick([undefined, 'tool0']),
      origin: () => () => ({ channel: 'tool', chatId: '1' }),
    });
    const tool = world.attempt('createSubAgentTool', () => scope.createSubAgentTool(options));
    if (tool === undefined) return;
    const args = dice.pick<unknown>([
      { instructions: 'from a model' },
      { instructions: 'from a model', background: true },
      { instructions: 'from a model', agent: 'reader' },
      '{"instructions":"as text","background":null}',
      {},
      null,
      { instructions: 5, more: 1 },
    ]);
    const given = dice.chance(0.3) ? { signal: signal(world), toolCallId: 'c1', onUpdate: () => told(world, 'onUpdate', 0.1) } : undefined;
    const pi = dice.chance(0.2);
    void world.call<unknown>(
      'tool.execute',
      () => (pi ? tool.execute('call', args, signal(world), () => told(world, 'onUpdate', 0.1)) : tool.execute(args, given)),
      false,
    );
  },
  tools: (world, scope) => {
    const { dice } = world;
    const preset = dice.pick(['subagents', undefined] as const);
    const tools = world.attempt('createTools', () => scope.createTools(preset === undefined ? undefined : { preset }));
    if (tools === undefined) return;
    const tool = dice.pick([...tools]);
    const args: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(tool.parameters.properties) as [string, { type: string; enum?: string[] }][]) {
      if (!tool.parameters.required.includes(name) && dice.chance(0.5)) continue;
      const target = (): unknown => world.attempt('handle.taskId', () => world.handle()?.taskId) ?? 'sub_none';
      args[name] =
        schema.enum !== undefined
          ? dice.pick(schema.enum)
          : schema.type === 'array'
            ? [target()]
            : schema.type === 'boolean'
              ? dice.chance(0.5)
              : schema.type === 'string'
                ? target()
                : dice.int(1, 100);
    }
    void world.call<unknown>(`tools.${tool.name}`, () => tool.execute(args), false);
  },
  openSession: (world) => {
    const { dice } = world;
    const options = dice.some<NonNullable<Parameters<SubAgentManager['session']>[1]>>(0.3, {
      budget: () => ({ tokens: dice.int(1_000, 20_000) }),
      tools: () => ['read', 'web_search', 'SubAgent'],
      onWake: () => (session: Session) => {
        world.count('onWake of a session');
        if (session.key !== key) world.fault('a session is woken for another');
        world.attempt('leasing in onWake', () => sawNotices(world, session, session.inbox.lease()));
      },
      policies: () => policies(world),
      limits: () => ({ maxTurns: 2, timeoutMs: 100 }),
      signal: () => signal(world),
    });
    const key = dice.pick(['s0', 's1', 's2']);
    const session = world.attempt('session', () => world.manager.session(key, options));
    if (session !== undefined) world.sessions.push(session);
  },
  closeSession: (world) => {
    const { dice } = world;
    if (world.sessions.length === 0) return;
    const session = dice.pick(world.sessions);
    if (dice.chance(0.5)) asked(world, 'session.close', () => session.close());
    else asked(world, 'closeSession', () => world.manager.closeSession(session.key, grace(world)));
  },
  subscribe: (world) => {
    if (world.subscriptions.length > 0 && world.dice.chance(0.5)) world.subscriptions.pop()?.();
    else {
      const unsubscribe = world.attempt('subscribe', () =>
        world.manager.subscribe(() => told(world, 'second listener', 0.02) as undefined),
      );
      if (unsubscribe !== undefined) world.subscriptions.push(unsubscribe);
    }
  },
  driven: (world, scope) => {
    const { dice } = world;
    const handle = world.attempt('spawn driven', () =>
      scope.spawn({ drive: 'program', instructions: 'by hand', background: dice.chance(0.3) }),
    );
    if (handle === undefined) return;
    world.name(handle.taskId);
    const end = (): void => {
      if (dice.chance(0.3)) world.attempt('driven.report', () => handle.report({ tokens: dice.below(20), message: 'on it' }));
      if (dice.chance(0.7))
        world.attempt('driven.complete', () => handle.complete({ output: 'result', usage: { tokens: dice.below(100) } }));
      else world.attempt('driven.fail', () => handle.fail('failed by hand'));
    };
    if (dice.chance(0.1)) end();
    if (dice.chance(0.2)) void world.track('driven.cancel', () => handle.cancel());
    if (dice.chance(0.2)) return;
    // What is asked to stop is ended: a program is no deaf host.
    handle.signal.addEventListener('abort', end);
    void world.track('driven.start', () => handle.start().then(() => (dice.chance(0.7) ? end() : undefined)));
  },
  budget: (world) => {
    const { dice, manager } = world;
    const target = dice.chance(0.3)
      ? undefined
      : dice.chance(0.3) && world.sessions.length > 0
        ? dice.pick(world.sessions)
        : world.target();
    world.attempt('budget', () => manager.budget(target));
    if (dice.chance(0.5)) world.attempt('addBudget', () => manager.addBudget({ tokens: dice.int(1, 3_000) }, target));
  },
  settled: (world) => {
    const { dice } = world;
    const id = dice.chance(0.7) && world.hostIds.length > 0 ? dice.pick(world.hostIds) : (world.handle()?.taskId ?? 'sub_none');
    if (dice.chance(0.3)) world.attempt('drive', () => world.manager.drive(world.handle()?.taskId ?? 'sub_none'));
    world.attempt('reportSettled', () => world.manager.reportSettled(id, resultOf(world) as never));
  },
  signal: (world) => {
    if (world.controllers.length === 0) return;
    world.note('abort');
    world.count('signal fired');
    world.dice.pick(world.controllers).abort(world.dice.chance(0.5) ? undefined : 'a reason');
  },
  cancelAll: (world) => asked(world, 'cancelAll', () => world.manager.cancelAll(grace(world))),
  drain: (world) => asked(world, 'drain', () => world.manager.drain({ timeoutMs: world.dice.int(1, 2_000) })),
  dispose: (world) => {
    if (world.mayDispose) dispose(world);
  },
  anyMethod,
  oddTool,
  alone,
  atBounds,
  sameKey,
  texts,
  wrongAck,
  moveNewest,
  answer,
};

export function dispose(world: World): void {
  world.note('dispose');
  world.count(world.depth > 0 ? 'dispose from within' : 'dispose');
  world.disposed = true;
  world.manager.dispose();
}
