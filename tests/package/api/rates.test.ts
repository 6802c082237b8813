// Rates: shared cooldowns and the distance between starts. Rules X1, T1.

import '../../support/virtual-time.js';

import { afterEach, expect, test } from 'vitest';
import type { SubAgentManager, SubAgentManagerOptions } from '../../../dist/index.js';
import { done, expectSums, type Host, managerWith, manualHost, refusal, refusesUnchanged } from '../../support/hosts.js';
import { flush, isPending, pass, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(host: Host, options: SubAgentManagerOptions = {}): SubAgentManager {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

test('X1 work with the key stays queued, other work passes it', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 2 });
  manager.spawn({ instructions: 'a', rateLimitKey: 'api' });
  runs[0]?.run.reportRateLimit({ retryAfterMs: 5_000 });
  const waits = manager.spawn({ instructions: 'b', rateLimitKey: 'api' });
  const passes = manager.spawn({ instructions: 'c', rateLimitKey: 'local' });
  expect([waits.status, passes.status]).toEqual(['pending', 'running']);
  expect(waits.snapshot().rateLimitKey).toBe('api');
  runs[0]?.end.resolve(done());
  await pass(4_999);
  expect(waits.status).toBe('pending');
  await pass(1);
  expect(waits.status).toBe('running');
  expectSums(manager);
});

test('X1 T1 a running one parks at its next turn, its slot is free, its clock stands still', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 1, timeoutMs: 10_000 });
  const handle = manager.spawn({ instructions: 'a', rateLimitKey: 'api' });
  const { run } = runs[0] as (typeof runs)[number];
  expect(await run.beforeTurn()).toMatchObject({ go: true, turn: 1 });
  run.report({ tokens: 5 });
  run.reportRateLimit({ retryAfterMs: 60_000 });
  expect(handle.snapshot().parked).toBeNull();
  await pass(1_000);
  const turn = run.beforeTurn();
  expect(await isPending(turn)).toBe(true);
  expect(handle.snapshot()).toMatchObject({ status: 'running', parked: 'cooldown' });
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, parked: 1 });
  const other = manager.spawn({ instructions: 'b', rateLimitKey: 'other' });
  expect(other.status).toBe('running');
  await pass(59_000);
  // The cooldown is over, and now it waits for the slot that the other one has.
  expect(handle.snapshot().parked).toBe('reentry');
  runs[1]?.end.resolve(done());
  expect(await turn).toMatchObject({ go: true, turn: 2 });
  await pass(8_999);
  expect(await isPending(run.beforeTurn().then(() => new Promise(() => undefined)))).toBe(true);
  await pass(1);
  expect(await run.beforeTurn()).toMatchObject({ go: true, wrapUp: true, reason: 'timeout' });
  runs[0]?.end.resolve(done());
  await settles(handle.wait());
});

test('X1 a later end of the cooldown counts, an earlier one does not; 0 changes nothing', async () => {
  const { host, runs } = manualHost();
  const manager = open(host);
  manager.spawn({ instructions: 'a' });
  const run = runs[0]?.run;
  run?.reportRateLimit({ retryAfterMs: 0 });
  expect(manager.canSpawn()).toBe(true);
  run?.reportRateLimit({ retryAfterMs: 2_000 });
  run?.reportRateLimit({ retryAfterMs: 10 });
  await pass(1_999);
  expect(manager.canSpawn()).toBe(false);
  await pass(1);
  expect(manager.canSpawn()).toBe(true);
});

test('X1 two that wait for one cooldown both go on; a cancelled one needn’t wait', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 3 });
  const handles = ['a', 'b', 'c'].map((instructions) => manager.spawn({ instructions, rateLimitKey: 'api' }));
  runs[0]?.run.reportRateLimit({ retryAfterMs: 30_000 });
  const turns = runs.map(({ run }) => run.beforeTurn());
  await flush();
  const cancelled = handles[2]?.cancel({ graceMs: 100 });
  expect(await turns[2]).toEqual({ go: false, reason: 'cancelled' });
  runs[2]?.end.resolve(done());
  await settles(Promise.resolve(cancelled), 1_000);
  await pass(30_000);
  expect(await Promise.race([turns[1], 'waits'])).toBe('waits');
  await pass(50);
  expect(await Promise.all(turns.slice(0, 2))).toMatchObject([{ go: true }, { go: true }]);
});

test('A1 the report of a run that has ended is refused and opens no cooldown; after disposing nothing happens', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { graceMs: 0 });
  const handle = manager.spawn({ instructions: 'a' });
  runs[0]?.end.resolve(done());
  await handle.wait();
  // Its host function goes on, but it has ended.
  const stopped = manager.spawn({ instructions: 'b' });
  await settles(stopped.cancel());
  // The number of a run distinguishes it from the next one of its sub-agent.
  handle.send('again');
  for (const at of [0, 1]) {
    refusesUnchanged(manager, 'actor_ended', () => runs[at]?.run.reportRateLimit({ retryAfterMs: 500 }));
    expect(manager.canSpawn()).toBe(true);
  }
  runs[1]?.end.resolve(done());
  await flush();
  manager.forget(stopped);
  refusesUnchanged(manager, 'actor_ended', () => runs[1]?.run.reportRateLimit({ retryAfterMs: 500 }));
  runs[2]?.run.reportRateLimit({ retryAfterMs: 500 });
  expect(manager.canSpawn()).toBe(false);
  manager.dispose();
  expect(() => runs[0]?.run.reportRateLimit({ retryAfterMs: 500 })).not.toThrow();
});

test('X1 `maxCooldownMs` bounds what a host may report', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxCooldownMs: 1_000 });
  manager.spawn({ instructions: 'a' });
  runs[0]?.run.reportRateLimit({ retryAfterMs: 1e15 });
  await pass(1_000);
  expect(manager.canSpawn()).toBe(true);
});

test.each([undefined, null, 5, {}, { retryAfterMs: -1 }, { retryAfterMs: Number.NaN }, { retryAfterMs: '5' }, { retryAfterMs: Infinity }])(
  'a report that is none is an error (%#)',
  (limit) => {
    const { host, runs } = manualHost();
    const manager = open(host);
    manager.spawn({ instructions: 'a' });
    refusesUnchanged(manager, 'invalid_argument', () => runs[0]?.run.reportRateLimit(limit as never));
  },
);

test('X1 D2 where nothing may wait, the refusal says how long', () => {
  const { host, runs } = manualHost();
  const manager = open(host, { onLimit: 'reject' });
  manager.spawn({ instructions: 'a', rateLimitKey: 'api' });
  runs[0]?.run.reportRateLimit({ retryAfterMs: 3_000 });
  const error = refusesUnchanged(manager, 'rate_limited', () => manager.spawn({ instructions: 'b', rateLimitKey: 'api' }));
  expect(error.details.retryAfterMs).toBeGreaterThan(2_900);
  expect(manager.spawn({ instructions: 'c' }).status).toBe('running');
});

test('X1 starts are at least `staggerMs` apart; 0, the default, is no distance', async () => {
  const starts: number[] = [];
  const { host } = manualHost();
  const began = Date.now();
  const manager = open(
    (params, run) => {
      starts.push(Date.now() - began);
      return host(params, run);
    },
    { staggerMs: 250, maxConcurrent: 3 },
  );
  for (const instructions of ['a', 'b', 'c', 'd']) manager.spawn({ instructions });
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, queued: 3 });
  expect(manager.canSpawn()).toBe(false);
  await pass(2_000);
  expect(starts).toEqual([0, 250, 500]);
  const plain = open(manualHost().host);
  plain.spawn({ instructions: 'a' });
  plain.spawn({ instructions: 'b' });
  expect(plain.getConcurrencyInfo()).toMatchObject({ active: 2, queued: 0 });
});

test.each<[string, object, number[]]>([
  ['50 ms, for the first `maxConcurrent`', {}, [300, 350, 400, 400]],
  ['a longer `staggerMs`, for ever', { staggerMs: 80 }, [300, 380, 460, 540]],
  ['a shorter one is lengthened', { staggerMs: 20 }, [300, 350, 400, 420]],
  ['none where `staggerMs` is given as 0', { staggerMs: 0 }, [300, 300, 300, 300]],
])('X1 the distance of starts after a cooldown: %s', async (_, options, expected) => {
  const starts: number[] = [];
  const began = Date.now();
  const manager = open(
    async (_params, run) => {
      starts.push(Date.now() - began);
      if (starts.length > 1) return done();
      run.reportRateLimit({ retryAfterMs: 300 });
      return done();
    },
    { maxConcurrent: 3, ...options },
  );
  await manager.spawn({ instructions: 'meets the limit' }).wait();
  const waiting = ['a', 'b', 'c', 'd'].map((instructions) => manager.spawn({ instructions }).wait());
  await pass(1_000);
  await Promise.all(waiting);
  expect(starts.slice(1)).toEqual(expected);
});

test('X1 the distance after a cooldown ends where any number may run at once', async () => {
  const starts: number[] = [];
  const began = Date.now();
  const manager = open(
    async (_params, run) => {
      starts.push(Date.now() - began);
      if (starts.length === 1) run.reportRateLimit({ retryAfterMs: 300 });
      return done();
    },
    { maxConcurrent: Infinity },
  );
  await manager.spawn({ instructions: 'meets the limit' }).wait();
  const waiting = ['a', 'b', 'c'].map((instructions) => manager.spawn({ instructions }).wait());
  await pass(1_000);
  await Promise.all(waiting);
  for (const instructions of ['d', 'e', 'f']) manager.spawn({ instructions });
  expect(starts.slice(1)).toEqual([300, 350, 400, 1_000, 1_000, 1_000]);
});

test('X1 S2 who comes back goes before new starts, and keeps the distance', async () => {
  const log: string[] = [];
  const began = Date.now();
  const { host, runs } = manualHost();
  const manager = open(
    (params, run) => {
      log.push(`${params.instructions} ${Date.now() - began}`);
      return host(params, run);
    },
    { staggerMs: 100, maxConcurrent: 2, maxDepth: 2 },
  );
  manager.spawn({ instructions: 'a' });
  const { run } = runs[0] as (typeof runs)[number];
  await run.beforeTurn();
  run.report({ tokens: 1 });
  const child = run.spawn({ instructions: 'a1' });
  const waiting = child.wait().then(() => run.beforeTurn());
  waiting.then(() => log.push(`a is back ${Date.now() - began}`)).catch(() => undefined);
  await pass(150);
  manager.spawn({ instructions: 'b' });
  runs[1]?.end.resolve(done());
  await pass(1_000);
  expect(log).toEqual(['a 0', 'a1 100', 'a is back 200', 'b 300']);
});

test('D3 X1 what would start at once is known though nothing has happened since the last start', async () => {
  const manager = open(() => done(), { staggerMs: 250 });
  await manager.spawn({ instructions: 'x' }).wait();
  expect([manager.canSpawn(), manager.stats().canSpawn]).toEqual([false, false]);
  await pass(300);
  expect([manager.canSpawn(), manager.stats().canSpawn]).toEqual([true, true]);
});

test.each([-1, 0.5, '5', Number.NaN])('`staggerMs` must be milliseconds (%#)', (staggerMs) => {
  expect(refusal(() => open(() => done(), { staggerMs } as never)).code).toBe('invalid_argument');
});

test('B11 a turn over the rate of its key parks, others with the key stand behind it, and another key has the rate for itself', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 9, timeoutMs: 10_000, rates: { 'open*': { requestsPerMinute: 20 } } });
  const [a, b] = ['openai', 'openrouter'].map((rateLimitKey) => manager.spawn({ instructions: rateLimitKey, rateLimitKey }));
  const { run } = runs[0] as (typeof runs)[number];
  // The start is the request of the first turn; two may come at once.
  for (const turn of [1, 2]) expect(await run.beforeTurn()).toMatchObject({ go: true, turn });
  const third = run.beforeTurn();
  expect(await isPending(third)).toBe(true);
  expect(a?.snapshot()).toMatchObject({ status: 'running', parked: 'rate' });
  const late = manager.spawn({ instructions: 'late', rateLimitKey: 'openai' });
  expect(late.snapshot()).toMatchObject({ status: 'pending', waitingFor: 'rate' });
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, parked: 1, waitingFor: { rate: 1 } });
  expect(await runs[1]?.run.beforeTurn()).toMatchObject({ go: true });
  expect(b?.snapshot().parked).toBeNull();
  await pass(2_999);
  expect(await isPending(third)).toBe(true);
  await pass(1);
  expect(await third).toMatchObject({ go: true, turn: 3 });
  expect(late.status).toBe('pending');
  await pass(3_000);
  expect(late.status).toBe('running');
  for (const { end } of runs) end.resolve(done());
  expectSums(manager);
});

test('B11 T1 waiting for the rate counts against no timeout', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { timeoutMs: 10_000, rates: { '*': { requestsPerMinute: 1 } } });
  manager.spawn({ instructions: 'a' });
  const { run } = runs[0] as (typeof runs)[number];
  await run.beforeTurn();
  await pass(1_000);
  const turn = run.beforeTurn();
  await pass(58_999);
  expect(await isPending(turn)).toBe(true);
  await pass(1);
  expect(await turn).toEqual({ go: true, turn: 2 });
});

test('B11 tokens count as they are expected until they are reported, and more than may come at once passes once all is there', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { rates: { '*': { tokensPerMinute: 60_000 } } });
  manager.spawn({ instructions: 'a' });
  const { run } = runs[0] as (typeof runs)[number];
  await run.beforeTurn({ tokens: 6_000 });
  run.report({ tokens: 1_000 });
  await run.beforeTurn({ tokens: 5_000 });
  run.report({ tokens: 5_000 });
  const large = run.beforeTurn({ tokens: 50_000 });
  await pass(5_999);
  expect(await isPending(large)).toBe(true);
  await pass(1);
  expect(await large).toMatchObject({ go: true });
  run.report({ tokens: 50_000 });
  const next = run.beforeTurn({ tokens: 1 });
  await pass(44_000);
  expect(await isPending(next)).toBe(true);
  await pass(1);
  expect(await next).toMatchObject({ go: true });
});

test('B11 what the provider has left lowers what the rate leaves, and its refusal opens a cooldown beside it', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { rates: { api: { requestsPerMinute: 600, tokensPerMinute: 60_000 } } });
  const handle = manager.spawn({ instructions: 'a', rateLimitKey: 'api' });
  const { run } = runs[0] as (typeof runs)[number];
  await run.beforeTurn({ tokens: 10 });
  run.report({ tokens: 10 });
  run.reportRateLimit({ remainingRequests: 0, remainingTokens: 12.9 });
  const turn = run.beforeTurn({ tokens: 10 });
  expect(handle.snapshot().parked).toBe('rate');
  await pass(100);
  expect(await turn).toMatchObject({ go: true });
  run.reportRateLimit({ retryAfterMs: 5_000, remainingRequests: 60 });
  const cooled = run.beforeTurn({ tokens: 10 });
  expect(handle.snapshot().parked).toBe('cooldown');
  await pass(5_000);
  expect(await cooled).toMatchObject({ go: true });
  for (const wrong of [{}, { remainingTokens: -1 }, { remainingRequests: Number.NaN }, { remaining: 5 }])
    refusesUnchanged(manager, 'invalid_argument', () => run.reportRateLimit(wrong as never));
});

test('B11 setLimits sets the rates anew: what was used stays used, and without a rate all go on', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 2, rates: { 'a*': { requestsPerMinute: 10 } } });
  manager.spawn({ instructions: 'a', rateLimitKey: 'a' });
  const { run } = runs[0] as (typeof runs)[number];
  await run.beforeTurn();
  const turn = run.beforeTurn();
  const late = manager.spawn({ instructions: 'late', rateLimitKey: 'a' });
  manager.setLimits({ rates: { a: { requestsPerMinute: 60 }, 'a*': { requestsPerMinute: 1 } } });
  // One request of the burst of 6 is used.
  expect(await turn).toMatchObject({ go: true });
  expect(late.status).toBe('running');
  for (let turn = 0; turn < 3; turn += 1) await run.beforeTurn();
  const seventh = run.beforeTurn();
  expect(await isPending(seventh)).toBe(true);
  manager.setLimits({ rates: {} });
  expect(await seventh).toMatchObject({ go: true });
});

test('B11 wrong rates are refused before anything is changed', () => {
  const { host } = manualHost();
  const manager = open(host);
  for (const rates of [
    5,
    { a: 5 },
    { a: {} },
    { a: { requestsPerMinute: 0 } },
    { a: { tokensPerMinute: 1.5 } },
    { a: { perMinute: 5 } },
    { 'a*b': { requestsPerMinute: 5 } },
  ]) {
    expect(refusal(() => manager.setLimits({ rates: rates as never })).code).toBe('invalid_argument');
    expect(refusal(() => new (manager.constructor as never as new (options: object) => unknown)({ rates })).code).toBe('invalid_argument');
  }
});

test('B11 D2 where work is refused instead of queued, the error says when the rate lets it start', async () => {
  const { host } = manualHost();
  const manager = open(host, { onLimit: 'reject', rates: { '*': { requestsPerMinute: 10 } } });
  manager.spawn({ instructions: 'a' });
  expect(refusal(() => manager.spawn({ instructions: 'b' }))).toMatchObject({ code: 'rate_limited', details: { retryAfterMs: 6_000 } });
  await pass(6_000);
  expect(manager.spawn({ instructions: 'c' }).status).toBe('running');
});

test('B11 a turn waits for its rate no longer once its run has to stop, and takes nothing of it', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 9, rates: { api: { requestsPerMinute: 10 } } });
  const stopped = manager.spawn({ instructions: 'a', rateLimitKey: 'api' });
  const { run, end } = runs[0] as (typeof runs)[number];
  expect(await run.beforeTurn()).toMatchObject({ go: true, turn: 1 });
  run.report({ tokens: 1 });
  const turn = run.beforeTurn();
  expect(await isPending(turn)).toBe(true);
  const cancelled = manager.cancel(stopped.taskId, { graceMs: 8_000 });
  expect(await turn).toMatchObject({ go: false, reason: 'cancelled' });
  const next = manager.spawn({ instructions: 'b', rateLimitKey: 'api' });
  await pass(5_999);
  expect(next.snapshot().waitingFor).toBe('rate');
  await pass(1);
  expect(next.status).toBe('running');
  end.resolve(done());
  expect(await settles(cancelled)).toMatchObject({ status: 'cancelled' });
});

test('B11 a turn whose run has spent its budget waits for no rate and no cooldown', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { rates: { '*': { requestsPerMinute: 1 } } });
  for (const whole of [false, true]) {
    const handle = manager.spawn({ instructions: 'a', rateLimitKey: `api ${whole}`, budget: { tokens: 1_000 } });
    const { run, end } = runs.at(-1) as (typeof runs)[number];
    expect(await run.beforeTurn({ whole })).toMatchObject({ go: true });
    run.report({ tokens: 1_200 });
    if (whole) run.reportRateLimit({ retryAfterMs: 60_000 });
    expect(await run.beforeTurn({ whole })).toEqual({ go: false, reason: 'budget_exhausted' });
    end.resolve(done());
    expect(await settles(handle.wait())).toMatchObject({ status: 'failed', stopReason: 'budget_exhausted' });
  }
});

test('B11 C3 a turn waits for its rate no longer once its host has returned, though its run waits for background work', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 9, maxDepth: 2, rates: { api: { requestsPerMinute: 10 } } });
  const first = manager.spawn({ instructions: 'a', rateLimitKey: 'api' });
  const { run, end } = runs[0] as (typeof runs)[number];
  const below = run.spawn({ instructions: 'b', background: true, onParentEnd: 'wait', rateLimitKey: 'api' });
  expect(await run.beforeTurn()).toMatchObject({ go: true, turn: 1 });
  run.report({ tokens: 1 });
  expect(await isPending(run.beforeTurn())).toBe(true);
  end.resolve(done());
  await flush();
  const next = manager.spawn({ instructions: 'c', rateLimitKey: 'api' });
  await pass(6_000);
  expect([below.status, next.status]).toEqual(['running', 'pending']);
  runs[1]?.end.resolve(done());
  expect(await settles(first.wait())).toMatchObject({ status: 'completed' });
  await pass(6_000);
  expect(next.status).toBe('running');
});

test('B11 what was used of a key stays used as long as that is bounded; bounded again, all of it is there', async () => {
  const { host } = manualHost();
  const [requests, tokens] = [{ requestsPerMinute: 20 }, { tokensPerMinute: 60_000 }];
  const manager = open(host, { maxConcurrent: 9, rates: { k: { ...requests, ...tokens } } });
  const spawn = () => manager.spawn({ instructions: 'go', rateLimitKey: 'k' });
  expect([spawn().status, spawn().status]).toEqual(['running', 'running']);
  manager.setLimits({ rates: { k: requests } });
  const third = spawn();
  expect(third.status).toBe('pending');
  manager.setLimits({ rates: { k: tokens } });
  expect(third.status).toBe('running');
  manager.setLimits({ rates: { k: requests } });
  expect(spawn().status).toBe('running');
});

test('B3 B11 a first turn that waits for its rate after the budget keeps what is reserved for its run', async () => {
  const { host, runs } = manualHost();
  const rates = { '*': { tokensPerMinute: 1_700 } };
  const manager = open(host, { rates, maxDepth: 2, taskBudget: { tokens: 500 }, turnEstimate: 100, staggerMs: 0 });
  const lead = manager.spawn({ instructions: 'leads', rateLimitKey: 'api' });
  runs[0]?.run.spawn({ instructions: 'helps', rateLimitKey: 'api' });
  const turn = runs[0]?.run.beforeTurn();
  await runs[1]?.run.beforeTurn();
  await flush();
  expect(lead.snapshot()).toMatchObject({ parked: 'rate', budget: { tokens: { reserved: 500 } } });
  await pass(2_000);
  expect(await turn).toMatchObject({ go: true });
});

test('B11 what is booked for a host that says nothing counts against caps, and against no rate', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { abandonMs: 1_000, taskBudget: { tokens: 100_000 }, rates: { k: { tokensPerMinute: 60_000 } } });
  const unreadable = manager.spawn({ instructions: 'a', rateLimitKey: 'k' });
  runs[0]?.end.resolve(done('', Number.NaN));
  expect(await settles(unreadable.wait())).toMatchObject({ usage: { tokens: 100_000 } });
  const givenUp = manager.spawn({ instructions: 'b', rateLimitKey: 'k' });
  void givenUp.cancel({ graceMs: 0 });
  await pass(2_000);
  expect(manager.budget().tokens).toMatchObject({ spent: 200_000, reserved: 0 });
  expect(manager.spawn({ instructions: 'c', rateLimitKey: 'k' }).status).toBe('running');
});
