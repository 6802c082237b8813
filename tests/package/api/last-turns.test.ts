// What turns are expected to need, and the end of a cap that a whole tree shares. Rule B13.

import { expect, test } from 'vitest';
import { type Run, type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import type { Host } from '../../support/hosts.js';

const BATCH = 200;
const EACH = 400;

/** Runs so many sub-agents under a cap that is just enough for all, and says how many completed. */
async function batch(host: Host, options = {}): Promise<{ completed: number; left: number }> {
  const manager = new SubAgentManager({ budget: { tokens: BATCH * EACH }, spawnSubAgent: host, ...options });
  const handles = Array.from({ length: BATCH }, (_, at) => manager.spawn({ instructions: `part ${at}` }));
  const ends = await Promise.all(handles.map((handle) => handle.wait()));
  const left = manager.budget().tokens.available;
  manager.dispose();
  return { completed: ends.filter((end) => end.status === 'completed').length, left };
}

const inOneTurn =
  (estimate?: { tokens: number }): Host =>
  async (_, run) => {
    const permit = await run.beforeTurn(estimate);
    if (permit.go) run.report({ tokens: EACH });
    return { output: permit.go ? 'done' : '' };
  };

test('B13 B5 a batch whose cap is just enough completes, by what turns take', async () => {
  expect(await batch(inOneTurn({ tokens: EACH }))).toEqual({ completed: BATCH, left: 0 });
  expect(await batch(inOneTurn())).toEqual({ completed: BATCH, left: 0 });
  expect(await batch(inOneTurn(), { taskBudget: { tokens: 10_000 } })).toEqual({ completed: BATCH, left: 0 });
  // Hosts that ask for no turns count as one each.
  expect(await batch(() => ({ output: 'done', usage: { tokens: EACH } }))).toEqual({ completed: BATCH, left: 0 });
});

const inTurns =
  (turns: number): Host =>
  async (_, run) => {
    for (let turn = 0; turn < turns; turn += 1) {
      if (!(await run.beforeTurn()).go) return { output: '' };
      await new Promise((resolve) => setImmediate(resolve));
      run.report({ tokens: EACH / turns });
    }
    return { output: 'done' };
  };

test('B13 so does one whose sub-agents take several turns, as those before them did', async () => {
  for (const [maxConcurrent, turns] of [
    [1, 2],
    [3, 4],
    [20, 2],
    [20, 5],
  ] as const) {
    expect(await batch(inTurns(turns), { maxConcurrent })).toEqual({ completed: BATCH, left: 0 });
  }
});

test('B13 so does one whose cap is in dollars', async () => {
  const manager = new SubAgentManager({
    budget: { costUsd: 2 },
    spawnSubAgent: async (_, run) => {
      for (let turn = 0; turn < 2; turn += 1) {
        if (!(await run.beforeTurn()).go) return { output: '' };
        run.report({ tokens: EACH, costUsd: 0.005 });
      }
      return { output: 'done' };
    },
  });
  const handles = Array.from({ length: BATCH }, (_, at) => manager.spawn({ instructions: `part ${at}` }));
  const ends = await Promise.all(handles.map((handle) => handle.wait()));
  expect(ends.filter((end) => end.status === 'completed').length).toBe(BATCH);
  expect(manager.budget().costUsd).toMatchObject({ spent: 2, available: 0, overspent: 0 });
  manager.dispose();
});

/** Numbers that look random, and are the same each time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Tree {
  /** How many last turns each run had that was at work when the cap ended. */
  lastTurns: number[];
  spent: number;
  /** By how much turns took more than was set aside for them. */
  excess: number;
  costs: { reason: string }[];
}

const CAP = 60_000;

/** Leads with three workers each under one cap, all at work until it ends. A turn takes up to so many times what was set aside. */
async function tree(most: number, seed: number): Promise<Tree> {
  const random = numbers(seed);
  const holds = new Map<string, number>();
  const lastTurns = new Map<string, number>();
  let excess = 0;
  const works = async (run: Run, begun: () => void): Promise<void> => {
    for (let turn = 1; ; turn += 1) {
      const permit = await run.beforeTurn({ tokens: 500 });
      if (!permit.go) return;
      if (turn === 1) begun();
      const held = holds.get(run.taskId) ?? 0;
      const tokens = Math.ceil(held * random() * most);
      await new Promise((resolve) => setImmediate(resolve));
      run.report({ tokens });
      excess += Math.max(0, tokens - held);
      const key = `${run.taskId}`;
      if (!lastTurns.has(key)) lastTurns.set(key, 0);
      if (permit.wrapUp) {
        lastTurns.set(key, (lastTurns.get(key) ?? 0) + 1);
        return;
      }
    }
  };
  const manager: SubAgentManager = new SubAgentManager({
    budget: { tokens: CAP },
    maxConcurrent: 16,
    maxDepth: 2,
    maxTurns: Number.POSITIVE_INFINITY,
    spawnSubAgent: async (params, run) => {
      const isLead = params.instructions.startsWith('lead');
      const workers: { wait(): Promise<unknown> }[] = [];
      await works(run, () => {
        if (!isLead) return;
        for (let at = 0; at < 3; at += 1) workers.push(run.spawn({ instructions: `part ${at}` }));
      });
      await Promise.all(workers.map((worker) => worker.wait()));
      return { output: 'as far as it came' };
    },
  });
  manager.subscribe((event: SubAgentEvent) => {
    if (event.type === 'turn_started') holds.set(`${event.taskId}`, event.reserved.tokens);
  });
  const leads = Array.from({ length: 4 }, (_, at) => manager.spawn({ instructions: `lead ${at}` }));
  const ends = await Promise.all(leads.map((lead) => lead.wait()));
  const spent = manager.budget().tokens.spent;
  manager.dispose();
  return { lastTurns: [...lastTurns.values()], spent, excess, costs: ends.map((end) => ({ reason: end.stopReason })) };
}

test('B13 a tree whose cap ends gets one last turn for each run at work, and stays below the cap', async () => {
  for (let seed = 1; seed <= 10; seed += 1) {
    const { lastTurns, spent, costs } = await tree(1, seed);
    expect(lastTurns).toEqual(Array.from({ length: 16 }, () => 1));
    expect(spent).toBeLessThanOrEqual(CAP);
    expect(spent).toBeGreaterThan(CAP * 0.8);
    expect(costs).toEqual(Array.from({ length: 4 }, () => ({ reason: 'budget_exhausted' })));
  }
});

test('B13 it passes the cap by no more than its turns passed what was set aside for them', async () => {
  let passed = 0;
  for (let seed = 1; seed <= 10; seed += 1) {
    const { lastTurns, spent, excess } = await tree(3, seed);
    expect(spent).toBeLessThanOrEqual(CAP + excess);
    expect(Math.max(...lastTurns)).toBe(1);
    passed += excess;
  }
  expect(passed).toBeGreaterThan(0);
});
