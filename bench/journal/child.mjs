/** One measurement of replaying and opening, in a process of its own: the records of many cycles, then their snapshot. */

import { SubAgentManager } from 'subagents';
import { memoryStore } from 'subagents/store/memory';
import { freshTexts } from '../texts.mjs';

const TASKS = 100_000;
const TEXT = 200;
const AT_ONCE = 1_000;
const unbounded = {
  maxConcurrent: AT_ONCE,
  maxTasks: TASKS + 1,
  retain: TASKS,
  durability: 'batched',
  compactBytes: Number.POSITIVE_INFINITY,
};

const texts = freshTexts(AT_ONCE, TEXT);
const store = memoryStore();
const open = () =>
  SubAgentManager.open({
    ...unbounded,
    store,
    spawnSubAgent: async ({ instructions }) => ({ output: instructions, usage: { tokens: 10 } }),
  });

const first = await open();
for (let made = 0; made < TASKS; made += AT_ONCE) {
  const handles = texts.map((instructions) => first.spawn({ instructions }));
  for (const handle of handles) await handle.wait();
}
await first[Symbol.asyncDispose]();

async function timed(body) {
  globalThis.gc();
  const from = performance.now();
  const value = await body();
  return { ms: performance.now() - from, value };
}

// Two times: the first one compiles.
await (await open())[Symbol.asyncDispose]();
const replayed = await timed(open);
let facts = 0;
const stop = replayed.value.subscribe((event) => {
  facts = event.seq;
});
await replayed.value.spawn({ instructions: 'the last' }).wait();
stop();
await replayed.value.compact();
await replayed.value[Symbol.asyncDispose]();
const opened = await timed(open);
if (opened.value.stats().total < TASKS) throw new Error(`Expected ${TASKS} sub-agents, got ${opened.value.stats().total}`);
process.stdout.write(`${JSON.stringify({ factsPerSecond: (1_000 * facts) / replayed.ms, openMs: opened.ms })}\n`, () => process.exit(0));
