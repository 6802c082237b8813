/**
 * One measurement in a process of its own: one variant, one loop, some timed rounds. `run.mjs` starts it with a JSON
 * task as its argument; the answer is one line of JSON on standard output.
 *
 * A process of its own, because variants run together spoil each other's inline caches: alone, p-limit is almost twice
 * as fast.
 */

import { createHost, Supply } from './host.mjs';
import { burst } from './loops/burst.mjs';
import { fanOut } from './loops/fan-out.mjs';
import { flood } from './loops/flood.mjs';
import { createTreeHost, TREE_SIZE, TURNS_IN_TREE, tree } from './loops/tree.mjs';
import { workers } from './loops/workers.mjs';
import { median } from './stats.mjs';
import { freshTexts } from './texts.mjs';

const LOOPS = { burst, 'fan-out': fanOut, flood, tree, workers };

const task = JSON.parse(process.argv[2]);
const { size, inFlight, limit, calls, rounds, warmup } = task;

const supply = new Supply();
const { create, createTree } = await import(`./variants/${task.variant}.mjs`);
const variant =
  task.loop === 'tree'
    ? createTree({ hostOver: (child) => createTreeHost(supply, child), limit, costCap: task.costCap })
    : await create({
        host: createHost(supply, { readSignal: task.signal }),
        limit,
        readSignal: task.signal,
        listener: task.listener,
      });
const loop = LOOPS[task.loop];

// All texts of all rounds, before anything is timed: made in between, they would be young when the clock starts, and
// the timed collections would have to copy them.
const texts = Array.from({ length: warmup + rounds }, () => [freshTexts(calls, size), freshTexts(calls, size)]);

let made = 0;
globalThis.gc();
const ns = [];
/** The timed rounds on the monotonic clock, in microseconds: what `--profile` looks at. */
const windows = [];
for (let round = 0; round < warmup + rounds; round++) {
  if (task.gcBetween) globalThis.gc();
  const { start, end } = await timedRound(texts[round]);
  if (round < warmup) continue;
  ns.push(Number(end - start) / calls);
  windows.push([Number(start / 1000n), Number(end / 1000n)]);
}
variant.check?.(made, (made / TREE_SIZE) * TURNS_IN_TREE);
if (task.loop === 'tree' && (supply.mostLeaves === 0 || supply.mostLeaves > (variant.mostLeaves ?? limit))) {
  throw new Error(`Expected at most ${limit} sub-agents at the bottom at once, got ${supply.mostLeaves}`);
}
variant.close();

// A variant's timers must not keep the process alive.
process.stdout.write(`${JSON.stringify({ ns: median(ns), rounds: ns, windows })}\n`, () => process.exit(0));

/** @returns {Promise<{ start: bigint, end: bigint }>} Nanoseconds. */
async function timedRound([inputs, outputs]) {
  supply.fill(outputs, inputs);
  const start = process.hrtime.bigint();
  const chars = await loop(variant.call, inputs, inFlight, supply);
  const end = process.hrtime.bigint();
  made += calls;
  const { next, charsIn, aborted } = supply;
  if (next !== calls || chars !== calls * size || charsIn !== calls * size || aborted !== 0) {
    throw new Error(`Expected ${calls} results and ${calls * size} characters each way, got ${next}, ${charsIn} in and ${chars} out`);
  }
  return { start, end };
}
