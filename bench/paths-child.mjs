/**
 * One path of `paths.mjs` at each of its counts, after at least one round that isn't counted. `paths.mjs` starts it
 * with a JSON task as its argument. The figure is processor time: it measures the calls, not the waits.
 */

import { SubAgentManager } from 'subagents';

const UNBOUNDED = {
  maxConcurrent: Infinity,
  maxQueued: Infinity,
  maxTasks: Infinity,
  maxChildren: Infinity,
  maxSessions: Infinity,
  maxDepth: Infinity,
  maxNotices: Infinity,
  retain: Infinity,
};
const ends = async () => ({ output: 'done' });
/** Nothing ends. */
const stays = () => new Promise(() => {});
const turn = () => new Promise((resolve) => setImmediate(resolve));
const task = { instructions: 'a' };
const made = (options) => new SubAgentManager({ ...UNBOUNDED, spawnSubAgent: ends, ...options });

/** Each makes a manager of the count and gives it with what is measured and how many calls that has. */
const paths = {
  async 'behind a cooled key'(count) {
    const spawnSubAgent = (params, run) => {
      if (params.instructions === 'cool') run.reportRateLimit({ retryAfterMs: 3e6 });
      return { output: 'done' };
    };
    const manager = made({ maxConcurrent: 10, spawnSubAgent });
    await manager.spawn({ instructions: 'cool', rateLimitKey: 'key' }).wait();
    for (let i = 0; i < count; i++) manager.spawn({ ...task, rateLimitKey: 'key' });
    return [manager, 1000, one(manager)];
  },
  async 'behind a rate'(count) {
    const manager = made({ maxConcurrent: 10, rates: { key: { requestsPerMinute: 10 } } });
    for (let i = 0; i < count; i++) manager.spawn({ ...task, rateLimitKey: 'key' });
    return [manager, 1000, one(manager)];
  },
  async 'keys with a rate'(count) {
    const manager = made({ maxConcurrent: 10, rates: { 'key*': { requestsPerMinute: 1_000_000 } } });
    await Promise.all(Array.from({ length: count }, (_, i) => manager.spawn({ ...task, rateLimitKey: `key${i}` }).wait()));
    return [manager, 1000, (i) => manager.spawn({ ...task, rateLimitKey: `key${i}` }).wait()];
  },
  async 'distinct priorities'(count) {
    const manager = made({ maxConcurrent: 3, ageingMs: 1 });
    const spawned = Array.from({ length: count }, (_, priority) => manager.spawn({ ...task, priority }));
    return [manager, 1, () => Promise.all(spawned.map((handle) => handle.wait())), count];
  },
  async 'tools of a parent'(count) {
    const manager = made(count > 0 && { tools: Array.from({ length: count }, (_, i) => `tool_${i}`) });
    const spawn = one(manager);
    // Code that isn't compiled yet takes longer than what is measured.
    for (let i = 0; i < 3000; i++) await spawn();
    return [manager, 2000, spawn];
  },
  async 'statistics with ended ones'(count) {
    const manager = await full(count);
    return [manager, 1000, () => manager.stats()];
  },
  async 'concurrency with ended ones'(count) {
    const manager = await full(count);
    return [manager, 1000, () => manager.getConcurrencyInfo()];
  },
  async 'empty list with ended ones'(count) {
    const manager = await full(count);
    return [manager, 1000, () => manager.list({ filter: { status: ['running'] } })];
  },
  async 'ends in sessions'(count) {
    const manager = made();
    const sessions = Array.from({ length: count }, (_, i) => manager.session(`s${i}`));
    const all = async () => {
      for (const session of sessions) session.spawn({ ...task, background: true });
      await turn();
      await turn();
    };
    return [manager, 1, all, count];
  },
  async 'lease behind leased ones'(count) {
    const manager = await full(count, { background: true });
    manager.inbox.lease({ max: count - 500 });
    return [manager, 500, () => manager.inbox.lease({ max: 1 })];
  },
  async 'wake in vain'(count) {
    const manager = await full(count, { background: true }, { onWake: () => {} });
    const wake = async () => {
      manager.spawn({ ...task, background: true });
      await turn();
    };
    return [manager, 300, wake];
  },
  async 'added budget with queued ones'(count) {
    const manager = made({ maxConcurrent: 10, budget: { tokens: 100_000 }, spawnSubAgent: stays });
    for (let i = 0; i < count; i++) manager.spawn({ ...task, budget: { tokens: 90_000 } });
    manager.addBudget({ tokens: 1 });
    // So many that reading the clock and a collection count for nothing, and too few tokens for one more to begin.
    return [manager, 10_000, () => manager.addBudget({ tokens: 1 })];
  },
  async 'cancel queued ones'(count) {
    const manager = made({ maxConcurrent: 3, spawnSubAgent: stays });
    const queued = Array.from({ length: count }, () => manager.spawn(task)).slice(3);
    return [manager, 1000 - 3, (i) => manager.cancel(queued[i])];
  },
  async 'levels of a chain'(count) {
    const spawnSubAgent = async ({ instructions }, run) => {
      if (instructions !== '0') await run.spawn({ instructions: `${instructions - 1}` }).wait();
      return { output: 'done' };
    };
    const manager = made({ spawnSubAgent, maxConcurrent: 1 });
    return [manager, 1, () => manager.spawn({ instructions: `${count}` }).wait(), count];
  },
  async 'one snapshot'(count) {
    const manager = await full(count);
    const handle = manager.spawn(task);
    await handle.wait();
    return [manager, 5000, () => manager.get(handle)];
  },
  async 'list of 100'(count) {
    const manager = await full(count);
    return [manager, 200, () => manager.list({ page: { limit: 100 } })];
  },
  async 'wait for any'(count) {
    return firstOf(count, (manager, handles) => manager.wait(handles, { mode: 'any', timeoutMs: Infinity }));
  },
  async 'race of waits'(count) {
    return firstOf(count, (_, handles) => Promise.race(handles.map((handle) => handle.wait())));
  },
};

/** Of so many at work one ends after the other, and each end is waited for as the first one of all that are left. */
function firstOf(count, wait) {
  const ending = new Map();
  const spawnSubAgent = (_, run) => new Promise((resolve) => ending.set(run.taskId, () => resolve({ output: 'done' })));
  const manager = made({ spawnSubAgent });
  const handles = Array.from({ length: count + 50 }, () => manager.spawn(task));
  const next = async (i) => {
    const first = wait(manager, handles.slice(i, i + count));
    ending.get(handles[i].taskId)();
    await first;
  };
  return [manager, 50, next];
}

/** One sub-agent after the other. */
function one(manager) {
  return () => manager.spawn(task).wait();
}

/** A manager that keeps so many that have ended. */
async function full(count, { background = false } = {}, options = {}) {
  const manager = made(options);
  const handles = Array.from({ length: count }, () => manager.spawn({ ...task, background }));
  if (!background) await Promise.all(handles.map((handle) => handle.wait()));
  while (manager.stats().completed < count) await turn();
  return manager;
}

const { path, counts } = JSON.parse(process.argv[2]);
const us = [];
for (const count of [counts[0], ...counts]) {
  const [manager, calls, call, each = calls] = await paths[path](count);
  globalThis.gc();
  const begin = process.cpuUsage();
  for (let i = 0; i < calls; i++) await call(i);
  const { user, system } = process.cpuUsage(begin);
  us.push((user + system) / each);
  manager.dispose();
}
process.stdout.write(`${JSON.stringify({ us: us.slice(1) })}\n`, () => process.exit(0));
