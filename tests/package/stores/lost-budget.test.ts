// A run that was lost with its process while it held what its budget had left. A turn that it was at counts as spent: where that
// leaves nothing, its end says that its process died, not that its budget is spent (J3, B5). Where it took no turns nothing is
// known of what it used: it goes on with its budget.

import { describe, expect, test } from 'vitest';
import type { Run } from '../../../dist/index.js';
import { never, type Options, opener, settled } from '../../support/opened.js';
import { watchedStore } from '../../support/stores.js';

const open = opener({ spawnSubAgent: () => never });

/** A host function that says how far it is, and never returns; with `turns` at a turn that leaves too little for another. */
async function said(run: Run, turns: boolean): Promise<never> {
  if (turns) await run.beforeTurn({ tokens: 4_500 });
  run.report({ message: 'half way' });
  return never;
}

/** What becomes of a run whose hold is all that its cap has, in the next process. */
async function lostWithAll(options: Options, turns = true) {
  const store = watchedStore();
  const first = await open(store, { ...options, spawnSubAgent: (_, run) => said(run, turns) });
  const { taskId } = first.spawn({ instructions: 'x', background: true, budget: { tokens: 5_000 } });
  first.send(taskId, 'and this');
  await settled();
  await first.flush();
  const second = await open(watchedStore(store.records), options);
  await settled();
  while (second.get(taskId).status === 'pending') await settled();
  return { end: second.get(taskId), notices: second.inbox.peek() };
}

describe('J3 B5 it ends `host_lost`, once, with what it had said', () => {
  const retry = { max: 2, backoffMs: 1 };
  test.each<Options>([
    { onHostLost: 'fail' },
    { onHostLost: 'fail', retry },
    { onHostLost: 'requeue' },
    { onHostLost: 'resume' },
    { onHostLost: 'resume', retry },
  ])('%o', async (options) => {
    const { end, notices } = await lostWithAll(options);
    expect(end).toMatchObject({ status: 'failed', stopReason: 'host_lost', run: 1, partial: true, output: 'half way' });
    expect(end.usage.tokens).toBe(4_500);
    // What waited behind it can't be paid either, and is reported (L6).
    expect(end.undelivered).toEqual(['and this']);
    expect(notices.map(({ stopReason }) => stopReason)).toEqual(['host_lost']);
  });
});

describe('J3 one that takes no turns goes on with all of its budget, where it is tried again', () => {
  test.each<Options>([{ onHostLost: 'fail', retry: { max: 2, backoffMs: 1 } }, { onHostLost: 'requeue' }, { onHostLost: 'resume' }])(
    '%o',
    async (options) => {
      const { end, notices } = await lostWithAll(options, false);
      expect(end).toMatchObject({ status: 'running', run: 2, usage: { tokens: 0 }, undelivered: [] });
      expect(notices).toEqual([]);
    },
  );

  test('and where a drain stops it, whose host function does not return', async () => {
    const store = watchedStore();
    const options: Options = { onHostLost: 'resume', graceMs: 1, taskBudget: { tokens: 5_000 } };
    const first = await open(store, options);
    const { taskId } = first.spawn({ instructions: 'x', background: true });
    await settled();
    await first.drain({ timeoutMs: 1 });
    await first.flush();
    const second = await open(watchedStore(store.records), options);
    await settled();
    expect(second.get(taskId)).toMatchObject({ status: 'running', run: 2 });
    expect(second.budget(taskId)).toMatchObject({ tokens: { spent: 0 } });
  });

  test('where it ends, what it held counts as spent', async () => {
    const { end } = await lostWithAll({ onHostLost: 'fail' }, false);
    expect(end).toMatchObject({ status: 'failed', stopReason: 'host_lost', usage: { tokens: 5_000 } });
  });
});

test('J3 B5 so does one whose session has no more to spend when it is registered', async () => {
  const store = watchedStore();
  const options: Options = {
    onHostLost: 'requeue',
    turnEstimate: 1_000,
    spawnSubAgent: async (_, run) => {
      await run.beforeTurn({ tokens: 4_500 });
      return never;
    },
  };
  const first = await open(store, options);
  const budget = { tokens: 5_000 };
  const { taskId } = first.session('chat', { budget }).spawn({ instructions: 'x', background: true, budget });
  await settled();
  await first.flush();
  const second = await open(watchedStore(store.records), options);
  await settled();
  expect(second.get(taskId)).toMatchObject({ status: 'pending', waitingFor: 'session' });
  second.session('chat', { budget });
  await settled();
  expect(second.get(taskId)).toMatchObject({ status: 'failed', stopReason: 'host_lost' });
});

describe('J3 B3 a host that takes turns has spent nothing before the first one of an attempt', () => {
  /** Takes a turn; later attempts make the call again that this had brought, and are lost before they need a turn of their own. */
  const resuming: Options['spawnSubAgent'] = async (_, run) => {
    if (run.run === 1) {
      await run.beforeTurn();
      if (run.depth === 1) run.report({ tokens: 300 });
    }
    if (run.depth === 2) return never;
    const call = run.spawn({ instructions: 'below', idempotencyKey: 'call_1', budget: { tokens: 1_000 } });
    call.wait().catch(() => undefined);
    return never;
  };
  const options: Options = { onHostLost: 'resume', graceMs: 1, maxDepth: 2, turnEstimate: 500, spawnSubAgent: resuming };

  test.each(['crash', 'drain'])('so that a %s then leaves the rest of its budget, and of that of its sub-agent', async (what) => {
    let store = watchedStore();
    let manager = await open(store, options);
    const { taskId } = manager.spawn({ instructions: 'above', background: true, budget: { tokens: 5_000 } });
    for (let lost = 0; lost < 3; lost += 1) {
      await settled();
      if (what === 'drain') await manager.drain({ timeoutMs: 1 });
      await manager.flush();
      store = watchedStore(store.records);
      manager = await open(store, options);
    }
    await settled();
    const [below] = manager.list({ filter: { parent: taskId } }).items;
    expect(manager.get(taskId)).toMatchObject({ status: 'running', run: 4 });
    expect(below).toMatchObject({ status: 'running', run: 4 });
    // One turn of each: the one that was reported, and the one that was open at the first loss.
    expect(manager.budget(taskId)).toMatchObject({ tokens: { spent: 300 + 500 } });
  });
});

test('J3 B3 S2 what is set aside for its next turn has no dollars where nothing caps them, so none count as spent', async () => {
  const store = watchedStore();
  const options: Options = { maxConcurrent: 1, budget: { tokens: 100_000 }, onHostLost: 'requeue' };
  const first = await open(store, {
    ...options,
    spawnSubAgent: async (_, run) => {
      if (run.prompt === 'asks') await run.ask('Which?');
      await run.beforeTurn();
      if (run.prompt === 'asks') return never;
      await settled();
      return { output: '', usage: { tokens: 1 } };
    },
  });
  first.subscribe((event) => {
    if (event.type === 'question_asked') setTimeout(() => first.send(event.taskId as string, 'this'));
  });
  first.spawn({ instructions: 'asks', background: true });
  await first.spawn({ instructions: 'has the slot', background: true }).wait();
  await settled();
  await first.flush();
  // Wherever its process ends, also where it has its slot again and has yet to ask.
  for (const [at] of store.records.entries()) {
    const next = await open(watchedStore(store.records.slice(0, at)), options);
    expect(next.stats().costSpentUsd).toBe(0);
    next.dispose();
  }
});
