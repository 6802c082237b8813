/**
 * One measurement of how long a decision takes until the disk has it, with `durability: 'sync'` and a file, in a process of
 * its own: one after the other, and 100 at once.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SubAgentManager } from 'subagents';
import { fileStore } from 'subagents/store/file';
import { freshTexts } from '../texts.mjs';

const CALLS = 2_000;
const AT_ONCE = 100;

const folder = mkdtempSync(join(tmpdir(), 'subagents-latency-'));
const manager = await SubAgentManager.open({
  store: fileStore(join(folder, 'journal')),
  maxConcurrent: AT_ONCE,
  spawnSubAgent: async () => ({ output: 'done', usage: { tokens: 10 } }),
});

/** Milliseconds of a spawn until the store has it, of so many calls by so many workers. */
async function measured(calls, workers) {
  const texts = freshTexts(calls, 200);
  const ms = [];
  const work = async () => {
    for (let text = texts.pop(); text !== undefined; text = texts.pop()) {
      const from = performance.now();
      const handle = manager.spawn({ instructions: text });
      await manager.flush();
      ms.push(performance.now() - from);
      await handle.wait();
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  ms.sort((a, b) => a - b);
  return { p50: ms[Math.floor(ms.length * 0.5)], p99: ms[Math.floor(ms.length * 0.99)] };
}

await measured(CALLS / 10, AT_ONCE);
const alone = await measured(CALLS, 1);
const atOnce = await measured(CALLS, AT_ONCE);
await manager[Symbol.asyncDispose]();
rmSync(folder, { recursive: true });
process.stdout.write(`${JSON.stringify({ alone, atOnce })}\n`, () => process.exit(0));
