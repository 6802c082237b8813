/**
 * What a manager costs as it fills, in its own process: `count` tasks, then the time of single calls, the memory of a
 * task and the time of a full GC. `run.mjs` starts it with a JSON task as its argument.
 *
 * `kind: 'ended'`: every task ran, ended and is retained, with its own 200 bytes of instructions and 200 of output.
 * `kind: 'idle'`: every task is a handle spawned without a message, so it has no text but its label `x`, which all
 * share. The caller drops the handles: the memory is what the manager retains.
 */

import { createHost, Supply } from './host.mjs';
import { median } from './stats.mjs';
import { freshTexts } from './texts.mjs';

const TEXT = 200;
const BATCH = 1000;
/** Ids the lookups go round: few enough to stay in the processor's caches, spread over the whole table. */
const HOT_IDS = 1000;
/** Ids for the row that does not stay in the caches. */
const SPREAD_IDS = 100_000;
const PAGE = 100;
const GCS = 9;
/** Long enough for the clock and for a few young collections. */
const STRETCH_NS = 15e6;

const { variant, kind, count } = JSON.parse(process.argv[2]);

const wasmMemories = watchWasmMemories();
const supply = new Supply();
const host = createHost(supply, { readSignal: false });
const { createGrowing } = await import(`./variants/${variant}.mjs`);
const manager = createGrowing({ host });

const emptyGcMs = gcMs();
const before = memory();
const start = performance.now();
await (kind === 'ended' ? fillEnded(count) : fillIdle(count));
const fillNs = ((performance.now() - start) * 1e6) / count;
supply.fill([]);
const fullGcMs = gcMs();
const after = memory();

const perTask = Object.fromEntries(Object.keys(after).map((key) => [key, (after[key] - before[key]) / count]));
// Node 20 counts wasm memory as external. Should another version not, the larger of the two is still right.
const bytesPerTask = perTask.heap + Math.max(perTask.external, perTask.wasm);
const textPerTask = kind === 'ended' ? 2 * TEXT : 0;

const total = manager.list({ page: { offset: 0, limit: 1 } }).total;
if (total !== count) throw new Error(`Expected ${count} tasks in the manager, got ${total}`);

const hot = sampleIds(Math.min(HOT_IDS, count));
const spread = sampleIds(Math.min(SPREAD_IDS, count));
shuffle(hot);
shuffle(spread);
let sink = 0;
/** Every answer is put here, or the optimiser would leave out the making of what is not looked at. */
let kept = null;

const ns = {
  canSpawn: time(() => {
    sink += manager.canSpawn() ? 1 : 0;
  }),
  get: time((i) => {
    kept = manager.get(hot[i % hot.length]);
  }),
  getSpread: time((i) => {
    kept = manager.get(spread[i % spread.length]);
  }),
  readStatus: time((i) => {
    sink += readStatus(hot[i % hot.length]).length;
  }),
  page: time((i) => {
    const offset = ((i * 7919) % Math.max(1, Math.floor(count / PAGE))) * PAGE;
    kept = manager.list({ page: { offset, limit: PAGE } });
  }),
  stats: time(() => {
    kept = manager.stats();
  }),
};

process.stdout.write(
  `${JSON.stringify({
    fillNs,
    bytes: { ...perTask, all: bytesPerTask, text: textPerTask, besideText: bytesPerTask - textPerTask },
    gcMs: { full: fullGcMs, empty: emptyGcMs },
    ns,
    sink: sink > 0 && kept !== null,
  })}\n`,
  () => process.exit(0),
);

async function fillEnded(tasks) {
  for (let made = 0; made < tasks; made += BATCH) {
    const batch = Math.min(BATCH, tasks - made);
    const texts = freshTexts(batch, TEXT);
    supply.fill(freshTexts(batch, TEXT));
    const pending = texts.map((text) => manager.spawn({ instructions: text }).wait());
    for (const promise of pending) {
      const result = await promise;
      if (result.output.length !== TEXT) throw new Error(`Expected an output, got a task that ${result.status}`);
    }
  }
}

async function fillIdle(tasks) {
  for (let made = 0; made < tasks; made++) manager.spawn({});
}

/** One field of one task: through a reader of that field if the manager has one, else through its snapshot. */
function readStatus(taskId) {
  return manager.get(taskId).status;
}

/** Ids evenly spread over the table, page by page, so that collecting them needs no list of all. */
function sampleIds(wanted) {
  const ids = [];
  const step = count / wanted;
  if (step < PAGE) {
    let index = 0;
    while (index < count) {
      const { items } = manager.list({ page: { offset: index, limit: 10 * PAGE } });
      if (items.length === 0) throw new Error(`Expected a page at ${index}, got nothing`);
      for (const item of items) {
        if (Math.floor(index / step) > Math.floor((index - 1) / step)) ids.push(item.taskId);
        index++;
      }
    }
    return ids;
  }
  for (let i = 0; i < wanted; i++) {
    ids.push(manager.list({ page: { offset: Math.floor(i * step), limit: 1 } }).items[0].taskId);
  }
  return ids;
}

/** In place, the same way every time. */
function shuffle(items) {
  let state = 42;
  for (let i = items.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = state % (i + 1);
    [items[i], items[j]] = [items[j], items[i]];
  }
}

/**
 * Nanoseconds a call: the median of seven stretches, each long enough for the clock.
 * @param {(i: number) => void} call
 */
function time(call) {
  let calls = 16;
  for (;;) {
    const elapsed = stretch(call, calls);
    if (elapsed >= STRETCH_NS || calls >= 2 ** 24) break;
    calls *= 2;
  }
  const times = [];
  for (let i = 0; i < 7; i++) times.push(stretch(call, calls) / calls);
  return median(times);
}

function stretch(call, calls) {
  const begin = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) call(i);
  return Number(process.hrtime.bigint() - begin);
}

/** Milliseconds of a full GC, the median of several; the first, which collects the garbage, is not counted. */
function gcMs() {
  globalThis.gc();
  const times = [];
  for (let i = 0; i < GCS; i++) {
    const begin = performance.now();
    globalThis.gc();
    times.push(performance.now() - begin);
  }
  return median(times);
}

/** Bytes in use, after a GC. */
function memory() {
  const { heapUsed, external, rss } = process.memoryUsage();
  const wasm = wasmMemories.reduce((sum, wasmMemory) => sum + wasmMemory.buffer.byteLength, 0);
  return { heap: heapUsed, external, wasm, rss };
}

/**
 * Collects the memories of all instances made from here on. The bench must see them without the package's help, or it
 * would believe what it is given.
 * @returns {WebAssembly.Memory[]}
 */
function watchWasmMemories() {
  const memories = [];
  const note = (instance) => {
    for (const value of Object.values(instance.exports)) {
      if (value instanceof WebAssembly.Memory) memories.push(value);
    }
    return instance;
  };
  const { Instance, instantiate } = WebAssembly;
  WebAssembly.Instance = new Proxy(Instance, {
    construct: (target, args) => note(Reflect.construct(target, args, target)),
  });
  WebAssembly.instantiate = async (source, imports) => {
    const made = await instantiate(source, imports);
    note(made.instance ?? made);
    return made;
  };
  return memories;
}
