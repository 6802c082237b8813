// `npm run bench:inspector`: the inspector in Chromium, with 500 live sub-agents and 10,000 events a second, with 10,000
// lanes, and with a journal of a million facts. It prints what was measured; it judges nothing.
//
// Without a graphics card the browser draws on the processor, in threads of its own, so frames a second say how much of the
// processor was left. What the page itself takes of each frame is the processor time of its main thread.
//
//   --facts N   facts of the journal; default 1,000,000
//   --only X    live, lanes or journal; default all of them

import { once } from 'node:events';
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectOneOf, readOptions, whole } from '../scripts/run.mjs';
import { stage } from '../tests/inspector/page.mjs';

const known = { facts: { type: 'string' }, only: { type: 'string' } };
const usage = 'npm run bench:inspector -- [--facts N] [--only live|lanes|journal]';
const { facts: text = '1000000', only } = readOptions(known, usage);
const facts = whole('facts', text, usage, { from: 1 });
if (only !== undefined) expectOneOf('only', only, ['live', 'lanes', 'journal'], usage);
const opened = await stage();
if (opened.missing !== undefined) {
  console.error(opened.missing);
  process.exit(1);
}
console.log(`Chromium ${opened.version}`);
const folder = mkdtempSync(join(tmpdir(), 'subagents-bench-'));
try {
  if (only === undefined || only === 'live') await live();
  if (only === undefined || only === 'lanes') await lanes();
  if (only === undefined || only === 'journal') await journal(facts);
} finally {
  await opened.close();
  rmSync(folder, { recursive: true, force: true });
}

/** A page, and how long its main thread has been busy, in milliseconds of the processor. */
async function measured() {
  const { page, close } = await opened.inspector({ width: 1440, height: 900 });
  page.setDefaultTimeout(900_000);
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const busyMs = async () => {
    const { metrics } = await protocol.send('Performance.getMetrics');
    const of = (name) => (metrics.find((metric) => metric.name === name)?.value ?? 0) * 1_000;
    return { all: of('TaskDuration'), script: of('ScriptDuration'), style: of('RecalcStyleDuration') + of('LayoutDuration') };
  };
  const memory = async () => {
    await protocol.send('HeapProfiler.collectGarbage');
    const { usedSize, backingStorageSize = 0 } = await protocol.send('Runtime.getHeapUsage');
    return { heapMb: Math.round(usedSize / 1e6), buffersMb: Math.round(backingStorageSize / 1e6) };
  };
  return { page, close, busyMs, memory };
}

async function during(busyMs, act, unit = 'frame') {
  const before = await busyMs();
  const did = await act();
  const after = await busyMs();
  const per = (name) => ((after[name] - before[name]) / did.frames).toFixed(1);
  return {
    ...did,
    busy: `${per('all')} ms of the processor a ${unit} on the main thread (${per('script')} script, ${per('style')} style and layout)`,
  };
}

async function live() {
  for (const isShown of [false, true]) {
    const { page, close, busyMs } = await measured();
    await page.evaluate(beginLive, isShown);
    await page.evaluate(liveFrames, 2_000);
    const figures = await during(busyMs, () => page.evaluate(liveFrames, 6_000));
    console.log(
      `live, ${isShown ? 'with the inspector' : 'the manager alone'}: ${figures.tasks} at work, ${figures.eventsPerSecond} events a second, ${figures.framesPerSecond} frames a second, ${figures.late} % of them over 20 ms, the longest ${figures.longestMs} ms; ${figures.busy}`,
    );
    await close();
  }
}

async function lanes() {
  const { page, close, busyMs } = await measured();
  await page.evaluate(beginLanes);
  const figures = await during(busyMs, () => page.evaluate(moveLanes));
  console.log(
    `lanes: ${figures.lanes}, zoomed, panned and scrolled with each frame: ${figures.framesPerSecond} frames a second, the longest ${figures.longestMs} ms; ${figures.busy}`,
  );
  await close();
}

async function journal(count) {
  const path = join(folder, 'journal.jsonl');
  const made = await writeJournal(path, count);
  const { page, close, busyMs, memory } = await measured();
  const before = await memory();
  const busyBefore = (await busyMs()).all;
  const opening = page.evaluate(watchOpening, made.last);
  await page.getByLabel('Open a journal').first().setInputFiles(path);
  const figures = await opening;
  const busy = Math.round((await busyMs()).all - busyBefore);
  const after = await memory();
  console.log(
    `journal: ${made.facts} facts of ${made.tasks} sub-agents, ${Math.round(made.bytes / 1e6)} MB of JSON; the first are shown after ${figures.firstMs} ms, all after ${figures.openMs} ms (${busy} ms of the processor on the main thread), meanwhile the page was away for at most ${figures.longestMs} ms; ${after.heapMb - before.heapMb} MB of heap and ${after.buffersMb - before.buffersMb} MB of buffers`,
  );
  const moves = [];
  for (let move = 1; move <= 100; move += 1) {
    const from = (await busyMs()).all;
    const ms = await page.evaluate(moveSlider, Math.round(((move * 0.618) % 1) * made.last || 1));
    moves.push({ ms, busy: (await busyMs()).all - from });
  }
  const of = (what, share) => Math.round(moves.map((move) => move[what]).sort((a, b) => a - b)[Math.ceil(share * moves.length) - 1]);
  const spread = (what) => `median ${of(what, 0.5)} ms, p95 ${of(what, 0.95)} ms, longest ${of(what, 1)} ms`;
  console.log(`slider, ${moves.length} moves: answered after ${spread('ms')}; of the processor on the main thread ${spread('busy')}`);
  await close();
}

/** Facts of the package's own journal, as they are exported: leads with readers, messages, questions of budget, failures. */
async function writeJournal(path, count) {
  const { SubAgentManager } = await import('../dist/index.js');
  const { readJournal } = await import('../dist/journal.js');
  const { memoryStore } = await import('../dist/stores/memory.js');
  const file = createWriteStream(path);
  const store = memoryStore();
  const manager = await SubAgentManager.open({
    store,
    durability: 'batched',
    compactBytes: Number.POSITIVE_INFINITY,
    maxConcurrent: 16,
    maxDepth: 2,
    budget: { tokens: 1e12 },
    spawnSubAgent: async ({ instructions }, run) => {
      await run.beforeTurn();
      if (instructions.startsWith('lead')) {
        await run.wait([1, 2, 3].map((each) => run.spawn({ instructions: `read part ${each} of ${instructions}` })));
        await run.beforeTurn();
      }
      run.report({ tokens: 100, costUsd: 0.002, message: `${instructions}: a step` });
      if (instructions.endsWith('7')) throw new Error('the page can’t be read');
      return { output: `${instructions}: ${'what was found there '.repeat(5)}` };
    },
  });
  for (let lead = 0; manager.stats().events < count; ) {
    const handles = Array.from({ length: 100 }, () => manager.spawn({ instructions: `lead ${lead++}` }));
    await Promise.all(handles.map((handle) => handle.wait()));
  }
  await manager[Symbol.asyncDispose]();
  const journal = await readJournal(store);
  let [facts, tasks, last] = [0, 0, 0];
  let lines = '';
  for await (const { event } of journal) {
    if (facts === count) break;
    facts += 1;
    tasks += event.type === 'task_admitted' ? 1 : 0;
    last = event.seq;
    lines += `${JSON.stringify(event, (_name, value) => (value === Number.POSITIVE_INFINITY ? '\u221e' : value))}\n`;
    if (lines.length < 1 << 20) continue;
    if (!file.write(lines)) await once(file, 'drain');
    lines = '';
  }
  await journal[Symbol.asyncDispose]();
  file.end(lines);
  await once(file, 'finish');
  return { facts, tasks, last, bytes: file.bytesWritten };
}

/** In the page: sub-agents at work that report nothing yet. */
async function beginLive(isShown) {
  const TASKS = 500;
  const { SubAgentManager } = globalThis.subagents;
  const runs = [];
  const manager = new SubAgentManager({
    maxConcurrent: TASKS,
    spawnSubAgent: (_params, run) => new Promise(() => runs.push(run)),
  });
  if (isShown) globalThis.inspector.manager = manager;
  // As a page without an inspector might, it listens.
  else manager.subscribe(() => undefined);
  for (let at = 0; at < TASKS; at += 1) manager.spawn({ instructions: `Sub-agent ${at}`, label: `sub-agent ${at}` });
  while (runs.length < TASKS) await new Promise((resolve) => setTimeout(resolve, 50));
  globalThis.working = { manager, runs };
}

/** In the page: they report as fast as is asked. */
async function liveFrames(ms) {
  const PER_SECOND = 10_000;
  const { manager, runs } = globalThis.working;
  const began = performance.now();
  const before = manager.stats().events;
  const frames = [];
  let last = began;
  let sent = 0;
  await new Promise((resolve) => {
    const frame = (now) => {
      if (now > last) frames.push(now - last);
      last = now;
      const due = Math.floor(((now - began) / 1_000) * PER_SECOND);
      for (; sent < due; sent += 1) runs[sent % runs.length].report({ tokens: 1, message: `step ${sent}` });
      if (now - began < ms) requestAnimationFrame(frame);
      else resolve();
    };
    requestAnimationFrame(frame);
  });
  const seconds = (performance.now() - began) / 1_000;
  return {
    tasks: runs.length,
    frames: frames.length,
    eventsPerSecond: Math.round((manager.stats().events - before) / seconds),
    framesPerSecond: Math.round((frames.length / seconds) * 10) / 10,
    late: Math.round((frames.filter((each) => each > 20).length / frames.length) * 100),
    longestMs: Math.round(Math.max(...frames)),
  };
}

/** In the page: ten thousand sub-agents, of which some are at work. */
async function beginLanes() {
  const { SubAgentManager } = globalThis.subagents;
  const manager = new SubAgentManager({
    maxConcurrent: 500,
    spawnSubAgent: ({ instructions }) => (instructions.length % 2 === 0 ? Promise.resolve({ output: '' }) : new Promise(() => undefined)),
  });
  globalThis.inspector.manager = manager;
  for (let at = 0; at < 10_000; at += 1) manager.spawn({ instructions: `Sub-agent ${at}`, label: `sub-agent ${at}` });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
}

/** In the page: the timeline is zoomed, panned and scrolled, a little with each frame. */
async function moveLanes() {
  const root = globalThis.inspector.shadowRoot;
  const scroller = root.querySelector('.time .scroll');
  const canvas = root.querySelector('.time canvas');
  const frames = [];
  let last = performance.now();
  const began = last;
  for (let at = 0; at < 240; at += 1) {
    const turn = Math.floor(at / 20) % 3;
    const deltaY = at % 40 < 20 ? -40 : 40;
    if (turn === 0)
      canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, ctrlKey: true, bubbles: true, composed: true, cancelable: true }));
    else if (turn === 1) canvas.dispatchEvent(new WheelEvent('wheel', { deltaX: deltaY, bubbles: true, composed: true, cancelable: true }));
    else scroller.scrollTop += 733;
    const now = await new Promise((resolve) => requestAnimationFrame(resolve));
    frames.push(now - last);
    last = now;
  }
  const label = canvas.getAttribute('aria-label');
  return {
    lanes: /\d+ sub-agents/.exec(label)?.[0] ?? label,
    frames: frames.length,
    framesPerSecond: Math.round((frames.length / (performance.now() - began)) * 10_000) / 10,
    longestMs: Math.round(Math.max(...frames)),
  };
}

/** In the page: from when a file is chosen until all of it is there. */
async function watchOpening(last) {
  const root = globalThis.inspector.shadowRoot;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  await new Promise((resolve) => root.addEventListener('change', resolve, { once: true, capture: true }));
  const began = performance.now();
  const slider = () => root.querySelector('input[type=range]');
  let firstMs;
  let longestMs = 0;
  for (let before = began; slider()?.max !== String(last) || root.querySelector('[role=treeitem]') === null; ) {
    await frame();
    const now = performance.now();
    if (firstMs === undefined && root.querySelector('[role=treeitem]') !== null) firstMs = Math.round(now - began);
    longestMs = Math.max(longestMs, now - before);
    before = now;
  }
  return { firstMs, openMs: Math.round(performance.now() - began), longestMs: Math.round(longestMs) };
}

/** In the page: the slider goes to a place. Says how long it took. */
async function moveSlider(wanted) {
  const root = globalThis.inspector.shadowRoot;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const slider = root.querySelector('input[type=range]');
  const from = performance.now();
  slider.value = String(wanted);
  slider.dispatchEvent(new Event('input', { bubbles: true }));
  // Answered: the page says that it is at this moment.
  while (!root.querySelector('.where b').textContent.startsWith(wanted.toLocaleString('en-US'))) await frame();
  return performance.now() - from;
}
