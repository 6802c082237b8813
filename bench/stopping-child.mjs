/**
 * What it costs to stop many sub-agents that run at once, and to see each of them end: in a process of its own, `count`
 * of them, whose hosts return as soon as their signal fires. `run.mjs` starts it with a JSON task as its argument.
 *
 * `how: 'together'`: by one `cancelAll`. `how: 'session'`: their session is closed.
 */

import { SubAgentManager } from 'subagents';

const { how, count } = JSON.parse(process.argv[2]);

const manager = new SubAgentManager({
  spawnSubAgent: (_params, { signal }) =>
    new Promise((resolve) => {
      signal.addEventListener('abort', () => resolve({ output: 'stopped' }), { once: true });
    }),
  maxConcurrent: count,
  maxChildren: count,
  maxQueued: count,
  maxTasks: 2 * count,
  budget: { tokens: 1e15 },
});
const session = how === 'session' ? manager.session('stopped') : manager;
const ends = Array.from({ length: count }, (_, i) => session.spawn({ instructions: `Task ${i}` }).wait());
// Hosts are called in the next turn of the loop of events.
await new Promise((resolve) => setImmediate(resolve));
if (manager.stats().running !== count) throw new Error(`Expected ${count} to run, got ${manager.stats().running}`);

globalThis.gc();
const begin = performance.now();
await (how === 'session' ? session.close() : manager.cancelAll());
const results = await Promise.all(ends);
const ms = performance.now() - begin;

const wrong = results.find((result) => result.status !== 'cancelled');
if (wrong !== undefined) throw new Error(`Expected every sub-agent to be cancelled, got one that ${wrong.status}`);
process.stdout.write(`${JSON.stringify({ ns: (ms * 1e6) / count })}\n`, () => process.exit(0));
