// A monkey that does anything in any order: seeded, so that what it finds can be found again. `MONKEY_SEEDS=n
// MONKEY_START=s` runs other lives than the usual ones; with `MONKEY_LOG=1` those that fail are reported.

import '../../support/virtual-time.js';

import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Limits, SubAgentManager } from '../../../dist/index.js';
import { Dice } from '../../support/dice.mjs';
import { coreOf, runtimeOf } from '../../support/hosts.js';
import { act, dispose } from '../../support/monkey-acts.js';
import { asked, elsewhere, gate, host, policies, told } from '../../support/monkey-hosts.js';
import { describe, World } from '../../support/monkey-world.js';
import { amount } from '../../support/share.js';

const START = Number(process.env.MONKEY_START ?? 0);
/** How many lives are lived by default. */
const USUAL = 600;
const SEEDS = Number(process.env.MONKEY_SEEDS ?? amount(USUAL, 50));

// ─── the loop of events, without its clock ────────────────────────────────────────────────────────

const { port1, port2 } = new MessageChannel();
let hopped: () => void = () => undefined;
port2.on('message', () => hopped());

/** Lets all that can go on without time go on, and rejections be noticed. */
function hop(): Promise<void> {
  return new Promise((resolve) => {
    hopped = resolve;
    port1.postMessage(0);
  });
}

/** Lets time pass, timer by timer. */
async function pass(ms: number): Promise<void> {
  let over = false;
  setTimeout(() => {
    over = true;
  }, ms);
  while (!over) {
    vi.advanceTimersToNextTimer();
    await hop();
  }
}

/** Awaits what nearly always settles at once; where a listener has started something anew, not for ever. */
async function within(promise: Promise<void>): Promise<void> {
  let over = false;
  void promise.finally(() => {
    over = true;
  });
  await hop();
  for (let rest = 0; !over && rest < 10; rest += 1) await pass(1_000);
}

let world: World | undefined;
const unhandled = (reason: unknown, promise: object): void => world?.unhandled(reason, promise);
const uncaught = (error: unknown): void => world?.uncaught(error);
/** Where an error goes that nobody asked for. */
const logged = vi.spyOn(console, 'error');
const before: [string, ((...args: unknown[]) => void)[]][] = [];

beforeAll(() => {
  for (const name of ['unhandledRejection', 'uncaughtException']) {
    before.push([name, process.listeners(name as never) as never]);
    process.removeAllListeners(name);
  }
  process.on('unhandledRejection', unhandled as never);
  process.on('uncaughtException', uncaught);
  logged.mockImplementation((error: unknown) => world?.logged(error));
});

afterAll(() => {
  logged.mockRestore();
  process.removeListener('unhandledRejection', unhandled as never);
  process.removeListener('uncaughtException', uncaught);
  for (const [name, listeners] of before) for (const listener of listeners) process.on(name as never, listener as never);
  port1.close();
});

// ─── one life ─────────────────────────────────────────────────────────────────────────────────────

/** Limits that no life is given: none is opened again. */
type NotGiven = 'maxLost';

function managerOf(world: World): SubAgentManager {
  const { dice } = world;
  const limits = {
    maxConcurrent: () => dice.int(1, 3),
    maxQueued: () => dice.below(6),
    maxDepth: () => dice.int(2, 3),
    maxChildren: () => dice.int(1, 2),
    maxTasks: () => dice.int(6, 30),
    retain: () => dice.pick([0, 1, 3, 10]),
    maxSessions: () => dice.int(2, 4),
    maxAbandoned: () => dice.int(1, 3),
    maxTurns: () => dice.int(1, 5),
    turnEstimate: () => dice.int(100, 1_500),
    timeoutMs: () => dice.int(20, 2_000),
    graceMs: () => dice.pick([0, 1, 50, 300]),
    idleTimeoutMs: () => dice.int(10, 800),
    abandonMs: () => dice.int(1, 1_000),
    askTimeoutMs: () => dice.int(10, 1_000),
    maxMessages: () => dice.int(1, 3),
    maxResultBytes: () => dice.pick([10, 100]),
    inlineBytes: () => dice.pick([20, 200]),
    approvalTimeoutMs: () => dice.int(10, 400),
    idempotencyTtlMs: () => dice.int(10, 2_000),
    maxIdempotencyKeys: () => dice.int(1, 3),
    staggerMs: () => dice.pick([0, 5]),
    ageingMs: () => dice.pick([1, 50, 1_000]),
    leaseMs: () => dice.int(5, 500),
    maxDeliveries: () => dice.int(1, 3),
    maxNotices: () => dice.int(2, 6),
    maxInjected: () => dice.int(1, 3),
    maxSpawns: () => dice.int(3, 30),
    turnEstimateUsd: () => dice.pick([0.001, 1]),
    countCacheReads: () => dice.pick([0, 100, 5_000]),
    wrapUpTokens: () => dice.pick([0, 50]),
    stallMs: () => dice.int(1, 500),
    maxCooldownMs: () => dice.int(1, 300),
    maxCooldowns: () => dice.int(1, 2),
  } satisfies Record<Exclude<keyof Limits, NotGiven>, () => number>;
  const others = {
    onLimit: () => dice.pick(['queue', 'reject']),
    budget: () => ({ tokens: dice.int(2_000, 60_000) }),
    taskBudget: () => ({ tokens: dice.int(200, 9_000) }),
  };
  const functions = dice.some<Record<string, unknown>>(0.4, {
    spawnBackgroundSubAgent: () => () => elsewhere(world),
    checkConsumerSpawn: () => () => gate(world),
    canSpawn: () => () => asked(world, 'canSpawn', 0.1, dice.chance(0.9)),
    getConcurrencyInfo: () => () => asked(world, 'getConcurrencyInfo', 0.1, { active: 1, limit: 1 }),
    getModelId: () => () => asked(world, 'getModelId', 0.03, 'model'),
    countTokens: () => () => asked(world, 'countTokens', 0.1, dice.pick([5, -1])),
    onWake: () => (agent: SubAgentManager) => {
      world.count('onWake');
      if (dice.chance(0.5)) world.attempt('peeking in onWake', () => agent.inbox.peek());
      return told(world, 'onWake', 0.3);
    },
    agents: () => ({ reader: { description: 'reads', tools: ['read'], maxTurns: 2 }, worker: { description: 'works', background: true } }),
    profiles: () => ({ odd: () => asked(world, 'a profile', 0.1, 'an odd prompt') }),
    tools: () => ['read', 'web_search', 'SubAgent'],
    policies: () => dice.some<Record<string, unknown>>(0.7, { subAgents: () => policies(world), main: () => policies(world) }),
    mainLimits: () => ({ maxTurns: 3, maxContextTokens: 500, timeoutMs: 200 }),
  });
  const onError = (error: unknown): unknown => {
    world.reported(error);
    return told(world, 'onError', 0.2);
  };
  return new SubAgentManager({
    ...dice.some<Record<string, unknown>>(0.45, { ...limits, ...others }),
    ...functions,
    spawnSubAgent: (_: unknown, run: never) => host(world, run),
    ...(dice.chance(0.8) && { onError }),
  } as never);
}

interface Private {
  runs: { open: { all(): unknown[] }; endedOpen: Map<string, unknown> };
  waits: { open: unknown[]; count: number; untilClosed: Set<unknown> };
  waitSnapshots: { open: Map<unknown, unknown> };
  sessionData: { kept: Map<unknown, unknown> };
  hosts: { openHosts: number; elsewhere: { early: Map<unknown, unknown> } };
  keepAlive: { count: number };
  wakes: { review(): void };
}

/** What JavaScript keeps of runs, waits and tasks, where nothing is open any more. */
function leftOver(manager: SubAgentManager): Record<string, number> {
  const { runs, waits, waitSnapshots, sessionData, hosts, keepAlive, wakes } = runtimeOf<Private>(manager);
  // Whether notices wait still is looked at when the alarm rings.
  wakes.review();
  const there = (list: unknown[]): number => list.filter((entry) => entry !== undefined).length;
  return {
    runs: runs.open.all().length,
    endedOpen: runs.endedOpen.size,
    waits: there(waits.open) + waits.count + waits.untilClosed.size,
    waitSnapshots: waitSnapshots.open.size,
    sessionData: sessionData.kept.size,
    hosts: hosts.openHosts,
    keepAlive: keepAlive.count,
  };
}

async function live(seed: number): Promise<World> {
  const made = new World(new Dice(Math.imul(seed + 1, 0x9e37_79b9)), act);
  world = made;
  // What queues up within the same `ageingMs` of the clock is of one age: at the full hour, these begin anew.
  vi.advanceTimersByTime(3_600_000 - (Date.now() % 3_600_000));
  try {
    await liveThrough(made);
  } catch (error) {
    made.fault(`the manager said to its owner: ${describe(error)}`);
  }
  world = undefined;
  vi.clearAllTimers();
  return made;
}

async function liveThrough(made: World): Promise<void> {
  const { dice } = made;
  made.mayDispose = dice.chance(0.25);
  made.gentle = dice.chance(0.5);
  made.manager = managerOf(made);
  const { manager } = made;
  // The first spawn would do it, and a refused one too.
  coreOf(manager).seed(Date.now());
  made.opinion.begin(manager);
  manager.subscribe((event) => {
    made.ledger.take(event);
    made.opinion.take(event);
    made.note(`  ${event.type} ${'taskId' in event ? made.name(event.taskId) : ''}`);
    return told(made, 'listener', 0.004) as undefined;
  });
  const deed = dice.int(10, 60);
  for (let done = 0; done < deed && !made.disposed && made.faults.length === 0; done += 1) {
    made.act();
    if (dice.chance(0.6)) await hop();
    if (dice.chance(0.4)) await pass(dice.pick([0, 1, 10, 50, 300, 2_000]));
    if (dice.chance(0.2)) {
      await hop();
      made.look();
      if (!made.disposed && done * 2 < deed) made.opinion.comeLate(manager);
    }
    const handle = dice.chance(0.15) ? made.handle() : undefined;
    if (handle !== undefined) await within(made.waitTwice(handle));
  }
  await hop();
  made.opinion.lookBack();
  if (made.faults.length === 0) {
    if (made.disposed || dice.chance(0.2)) await endAtOnce(made);
    else await endWell(made);
  }
  await hop();
  if (!made.disposed) dispose(made);
  made.wild = false;
  await hop();
  for (const settle of made.strays.splice(0)) settle();
  await hop();
}

/** The manager is disposed in the middle of it all. */
async function endAtOnce(world: World): Promise<void> {
  if (!world.disposed) dispose(world);
  world.wild = false;
  await hop();
  for (let rest = 0; rest < 5; rest += 1) {
    for (const settle of world.strays.splice(0)) settle();
    await pass(3_000);
  }
  if (world.open.length > 0) world.fault(`still pending after dispose: ${world.open.join(', ')}`);
  for (const run of world.runs) {
    if (!run.signal.aborted && leftOpen(world, run)) world.fault('the signal of an open run has not fired');
  }
}

const leftOpen = (world: World, run: { taskId: string; run: number }): boolean => {
  const end = world.ledger.ends.get(`${run.taskId}/${run.run}`);
  return end === undefined;
};

/** All is brought to its end, acknowledged and forgotten: nothing is left. */
async function endWell(world: World): Promise<void> {
  const { manager, dice } = world;
  world.wild = false;
  if (dice.chance(0.3)) void world.track('drain', () => manager.drain({ timeoutMs: 100 }));
  if (dice.chance(0.3)) await pass(5_000);
  void world.track('cancelAll', () => manager.cancelAll());
  await pass(12_000);
  world.look();
  // Hosts that never returned do so now; what they were asked in the meantime may have started others.
  for (let rest = 0; rest < 6; rest += 1) {
    for (const settle of world.strays.splice(0)) settle();
    await pass(3_000);
    void world.track('cancelAll', () => manager.cancelAll({ graceMs: 0 }));
    await hop();
  }
  await pass(100_000);
  world.look();
  if (world.open.length > 0) world.fault(`still pending at the end: ${world.open.join(', ')}`);
  const info = manager.getConcurrencyInfo();
  if (info.active + info.queued + info.parked + info.abandoned > 0) world.fault(`at the end: ${JSON.stringify(info)}`);
  const without = world.ledger.withoutNotice();
  if (without.length > 0)
    world.fault(`ends of background runs without a notice: ${without.map((key) => world.name(key.split('/')[0])).join(', ')}`);
  await ackAll(world);
  await closeAll(world);
}

async function ackAll(world: World): Promise<void> {
  const { manager } = world;
  for (const scope of [manager, ...world.sessions]) {
    const peeked = world.attempt('inbox.peek', () => scope.inbox.peek());
    for (const notice of peeked ?? []) {
      world.ledger.checkNotice(notice);
      if (!scope.inbox.ack(notice.deliveryId)) world.fault('a notice that is there can not be acknowledged');
      if (manager.inbox.ack(notice.deliveryId)) world.fault('a notice was acknowledged twice');
    }
  }
  await hop();
}

async function closeAll(world: World): Promise<void> {
  const { manager } = world;
  for (const session of world.sessions) void world.track('session.close', () => session.close());
  await hop();
  for (const view of manager.list({ page: { limit: 1_000 } }).items) {
    if (world.ledger.status.get(view.taskId) === undefined) continue;
    void world.track('close', () => manager.close(view.taskId));
  }
  await hop();
  world.look();
  for (const view of manager.list({ filter: { parent: null }, page: { limit: 1_000 } }).items) {
    if (world.ledger.status.get(view.taskId) !== undefined) world.attempt('forget', () => manager.forget(view.taskId));
  }
  await pass(200);
  world.look();
  const { total, tokensReserved } = manager.stats();
  if (total > 0 || tokensReserved > 0) world.fault(`at the end there are ${total} tasks and ${tokensReserved} tokens held`);
  const left = leftOver(manager);
  if (Object.values(left).some((count) => count !== 0)) world.fault(`kept at the end: ${JSON.stringify(left)}`);
}

// ─── the test ─────────────────────────────────────────────────────────────────────────────────────

/** What has to happen in the usual lives, so that the monkey is known to come everywhere. */
const EXPECTED: readonly string[] = [
  ...['a wrong spawn', 'abort listener', 'addBudget', 'budget', 'cancel'],
  ...['cancel unattended', 'cancelAll', 'cancelAll unattended', 'cancel_requested', 'cancel_settled', 'cap_set'],
  ...['child.wait', 'close', 'close unattended', 'closeSession', 'cooldown_over', 'cooldown_set'],
  ...['createSubAgentTool', 'createTools', 'dispose', 'dispose from within', 'drain', 'drain unattended'],
  ...[
    'drain_ended',
    'drain_overran',
    'drain_started',
    'driven.cancel',
    'driven.complete',
    'driven.fail',
    'driven.report',
    'driven.start',
    'elsewhere: actThenReject',
    'elsewhere: early',
    'elsewhere: later',
  ],
  ...['elsewhere: nonsense', 'elsewhere: rejecting', 'elsewhere: soon', 'elsewhere: throwing', 'ends_collected'],
  ...['forget', 'gate', 'get', 'handle.resultText', 'handle.snapshot', 'handle.taskId', 'handle.wait'],
  ...['host: atOnce', 'host: busy', 'host: deaf', 'host: later', 'host: obedient', 'host: reenter', 'host: rejecting'],
  ...['host: thenable', 'host: throwing', 'host: twice', 'host_abandoned', 'host_returned', 'inbox.ack', 'inbox.ack again'],
  ...['inbox.lease', 'inbox.peek', 'interrupt', 'interrupt unattended', 'key_dropped', 'leasing in onWake', 'list'],
  ...['listener acts', 'main.afterTool', 'main.beforeEnd', 'main.beforeTool', 'main.beforeTurn', 'main.report', 'main_ended'],
  ...['main_agent_set', 'message_queued'],
  ...['messages_dropped', 'moveToBackground', 'notice leased', 'notice_moved'],
  ...['onDetails acts', 'onError acts', 'onWake', 'onWake acts', 'onWake of a session', 'peeking in onWake'],
  ...['policy: after_tool', 'policy: before_end', 'policy: before_spawn', 'policy: before_start', 'policy: before_tool'],
  ...['policy: before_turn', 'policy: on_timeout', 'policy_answered', 'run_reported', 'question answered'],
  ...['question: stopped', 'question: timeout', 'question_asked', 'question_closed', 'questions', 'queue_paused', 'readResult'],
  ...['receipt: delivered', 'receipt: queued', 'receipt: started', 'refused: aborted', 'refused: actor_ended'],
  ...[
    'refused: budget_exhausted',
    'refused: children_limit',
    'refused: concurrency_limit',
    'refused: depth_limit',
    'refused: spawns_limit',
  ],
  ...['refused: disposed', 'refused: draining', 'refused: forgotten', 'refused: idempotency_conflict', 'refused: invalid_argument'],
  ...['refused: needs_input', 'refused: no_tools', 'refused: not_reachable'],
  ...['refused: policy_blocked', 'refused: queue_full', 'refused: rate_limited', 'refused: sessions_limit', 'refused: spawn_denied'],
  ...['refused: unknown_agent', 'refused: unknown_profile', 'refused: unknown_task', 'refused: wrong_status'],
  ...['refused: wrong_style', 'reportSettled', 'reportSettled from within the start'],
  ...['reported error of the monkey', 'result: backgrounded'],
  ...['result: cancelled', 'result: closed', 'result: completed', 'result: failed', 'result: idle', 'result: interrupted'],
  ...['result: timed_out', 'result_released', 'resume', 'resume unattended', 'run.afterTool', 'run.ask', 'run.beforeEnd'],
  ...['run.beforeTool', 'run.beforeTurn', 'run.report', 'run.reportRateLimit', 'run.spawn', 'run.…', 'run_elsewhere', 'run_ended'],
  ...['run_parked', 'run_queued', 'run_reentered', 'run_started', 'run_unparked', 'second listener acts', 'send'],
  ...['session', 'session.close', 'session_closed', 'session_freed', 'session_opened', 'signal fired', 'spawn'],
  ...['stop_requested', 'subscribe', 'task_admitted', 'task_backgrounded', 'task_ended', 'task_forgotten'],
  ...['task_resumed', 'todos_reported', 'tool.execute', 'tool_began', 'tool_ended', 'turn', 'turn: refused'],
  ...['turn_delayed', 'turn_started', 'logged error of a listener', 'wait'],
  ...['wait: over', 'wait: timed out', 'wrap_up_requested', 'tools.cancel_agent', 'tools.close_agent'],
  ...['tools.interrupt_agent', 'tools.list_agents', 'tools.read_agent_result', 'tools.resume_agent', 'tools.send_message'],
  ...['tools.spawn_agent', 'tools.wait_agents'],
  ...['a tool alone', 'addBudget at its bounds', 'alone: execute', 'alone: host', 'alone: reportSettled'],
  ...['another with a key', 'answer', 'any: ack', 'any: ask', 'any: cancel', 'any: close', 'any: interrupt', 'any: lease'],
  ...['any: peek', 'any: readResult', 'any: reportRateLimit', 'any: resume', 'any: send', 'any: spawn'],
  ...['built-in policy', 'call_counted', 'canSpawn acts', 'context', 'context.count', 'counted: counted', 'counted: exhausted'],
  ...['counted: nothing_to_count', 'getModelId acts', 'getter acts', 'getter throws', 'inbox.ack of any'],
  ...['interrupt the newest unattended', 'iterating', 'lease at its bounds', 'move the newest'],
  ...['odd SubAgent', 'odd tool', 'refused: messages_limit', 'send to the newest', 'spawn at its bounds', 'spawn with a key'],
  ...['spawn with a key again', 'validate'],
];

test('the same seed gives the same life, whenever it is lived', async () => {
  const logs: string[][][] = [[], []];
  for (const round of logs) {
    for (let seed = START; seed < START + amount(100, 10); seed += 1) round.push((await live(seed)).log);
    vi.advanceTimersByTime(4_321);
  }
  expect(logs[1]).toEqual(logs[0]);
});

test('whatever is done in whatever order, nothing breaks', { timeout: 3_600_000 }, async () => {
  const counts = new Map<string, number>();
  const failures: string[] = [];
  for (let seed = START; seed < START + SEEDS; seed += 1) {
    const { faults, log, counts: seen, ledger } = await live(seed);
    for (const [kind, count] of [...seen, ...ledger.kinds]) counts.set(kind, (counts.get(kind) ?? 0) + count);
    if (faults.length === 0) continue;
    failures.push(`MONKEY_SEEDS=1 MONKEY_START=${seed} MONKEY_LOG=1: ${faults[0]}`);
    if (process.env.MONKEY_LOG) console.log(log.join('\n'));
  }
  const sorted = [...counts].sort(([, one], [, other]) => other - one);
  console.log(sorted.map(([kind, count]) => `${kind} ${count}`).join(', '));
  expect(failures.slice(0, 20)).toEqual([]);
  if (SEEDS >= USUAL) expect(EXPECTED.filter((kind) => !counts.has(kind))).toEqual([]);
});
