// Forgetting a sub-agent whose host function never returns (L8, S4): from when on it may be forgotten, what counts for it
// then, and what its host function still does.

import '../../support/virtual-time.js';

import { afterEach, expect, test } from 'vitest';
import { type Handle, type SubAgentEvent, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { baseOf, View } from '../../../dist/view/index.js';
import { done, manualHost, refusesUnchanged } from '../../support/hosts.js';
import { differences } from '../../support/monkey-view.js';
import { watchedStore } from '../../support/stores.js';
import { flush, pass } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

/** A manager whose host functions end only when the test says so; stopped ones are given up after 1,000 ms. */
function deaf(options: SubAgentManagerOptions = {}) {
  const { host, runs } = manualHost();
  const manager = new SubAgentManager({ graceMs: 0, abandonMs: 1_000, ...options, spawnSubAgent: host });
  opened.push(manager);
  return { manager, runs };
}

/** Cancels a sub-agent whose host function goes on. Until that returns or is given up, `cancel()` doesn't settle. */
async function stop(handle: Handle): Promise<void> {
  void handle.cancel();
  await pass(1);
}

test('L8 S4 what never returns is forgotten from `abandonMs` on; before, the error says what ends that and in how many ms', async () => {
  const { manager } = deaf();
  const lead = manager.spawn({ instructions: 'never returns' });
  await stop(lead);
  await pass(400);
  const early = refusesUnchanged(manager, 'wrong_status', () => manager.forget(lead));
  expect(early.message).toMatch(/`run\.signal` fires, or `abandonMs` is over;.*; it can in 600 ms$/);
  expect(early.details).toMatchObject({ status: 'cancelled', retryAfterMs: 600 });
  await pass(600);
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 1 });
  manager.forget(lead);
  refusesUnchanged(manager, 'forgotten', () => manager.get(lead));
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 0 });
  expect(manager.stats().total).toBe(0);
});

test('L8 without an end of `abandonMs` the error gives no time', async () => {
  const { manager } = deaf({ abandonMs: Number.POSITIVE_INFINITY });
  const handle = manager.spawn({ instructions: 'never returns' });
  await stop(handle);
  const error = refusesUnchanged(manager, 'wrong_status', () => manager.forget(handle));
  expect(error.message).toMatch(/`reportSettled` says so$/);
  expect(error.details).not.toHaveProperty('retryAfterMs');
});

test('L8 with a sub-agent goes one below it that was given up; one that was not yet is named by its status', async () => {
  const { host, runs } = manualHost();
  const manager = new SubAgentManager({ graceMs: 0, abandonMs: 1_000, maxDepth: 2, spawnSubAgent: host });
  opened.push(manager);
  const lead = manager.spawn({ instructions: 'lead' });
  await flush();
  runs[0]?.run.spawn({ instructions: 'below' });
  await flush();
  await stop(lead);
  runs[0]?.end.resolve(done());
  await flush();
  const early = refusesUnchanged(manager, 'wrong_status', () => manager.forget(lead));
  expect(early.message).toMatch(/`abandonMs` is over/);
  await pass(1_000);
  manager.forget(lead);
  expect(manager.stats().total).toBe(0);
});

test('L8 S4 a host function that returns after that is ignored, also once its place in the core is another one’s', async () => {
  const { manager, runs } = deaf({ budget: { tokens: 100_000 }, taskBudget: { tokens: 5_000 } });
  const events: SubAgentEvent[] = [];
  const before = manager.spawn({ instructions: 'never returns' });
  await stop(before);
  await pass(1_000);
  const { run } = runs[0] as (typeof runs)[number];
  manager.forget(before);
  const spent = manager.budget().tokens.spent;
  expect(spent).toBe(5_000);
  const next = manager.spawn({ instructions: 'comes next' });
  await flush();
  manager.subscribe((event) => events.push(event));
  run.report({ tokens: 70 });
  expect(await run.beforeTurn()).toMatchObject({ go: false });
  runs[0]?.end.resolve({ output: 'late', usage: { tokens: 900 } });
  await flush();
  expect(events).toEqual([]);
  expect(next.snapshot()).toMatchObject({ status: 'running', lateResult: null, usage: { tokens: 0 } });
  runs[1]?.end.resolve({ output: 'its own', usage: { tokens: 10 } });
  expect(await next.wait()).toMatchObject({ output: 'its own', usage: { tokens: 10 } });
  expect(manager.budget().tokens).toMatchObject({ spent: spent + 10, reserved: 0 });
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 0 });
});

test('S4 one that is forgotten counts for `maxAbandoned` no more: what waited for that starts', async () => {
  const { manager, runs } = deaf({ maxAbandoned: 1, onError: () => {} });
  const stuck = manager.spawn({ instructions: 'never returns' });
  await stop(stuck);
  await pass(1_000);
  const waits = manager.spawn({ instructions: 'waits' });
  expect(waits.snapshot()).toMatchObject({ status: 'pending', waitingFor: 'abandoned' });
  manager.forget(stuck);
  expect(waits.status).toBe('running');
  // It returns at last: nothing is counted twice.
  runs[0]?.end.resolve(done());
  await flush();
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, abandoned: 0 });
});

test('J1 that such a one was forgotten is folded alike by a store and by a view', async () => {
  const { host } = manualHost();
  const options = { graceMs: 0, abandonMs: 1_000, budget: { tokens: 100_000 }, taskBudget: { tokens: 5_000 } };
  const store = watchedStore();
  const manager = await SubAgentManager.open({ ...options, store, spawnSubAgent: host });
  opened.push(manager);
  const view = new View();
  view.begin(baseOf(manager));
  manager.subscribe((event) => view.add(event));
  const stuck = manager.spawn({ instructions: 'never returns', background: true });
  await stop(stuck);
  await pass(1_000);
  const late = new View();
  late.begin(baseOf(manager));
  manager.subscribe((event) => late.add(event));
  manager.forget(stuck);
  const next = manager.spawn({ instructions: 'rests' });
  await stop(next);
  await flush();
  for (const one of [view, late]) {
    expect(differences(one.now, manager, [], false)).toEqual([]);
    expect(one.now.slots.abandoned).toBe(0);
  }
  await manager.flush();
  const again = await SubAgentManager.open({ ...options, store: watchedStore(store.records), spawnSubAgent: host });
  opened.push(again);
  refusesUnchanged(again, 'forgotten', () => again.get(stuck.taskId));
  expect(again.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 0 });
  expect(again.budget().tokens.spent).toBe(10_000);
});
