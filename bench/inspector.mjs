// `npm run bench:inspector`: the inspector in Chromium, with 500 live sub-agents and 10,000 events a second, and with a
// journal of a million facts. It prints what was measured; it judges nothing.
//
//   --facts N   facts of the journal; default 1,000,000

import { readOptions } from '../scripts/run.mjs';
import { stage } from '../tests/inspector/page.mjs';

const { facts = '1000000' } = readOptions({ facts: { type: 'string' } }, 'npm run bench:inspector -- [--facts N]');
const opened = await stage();
if (opened.missing !== undefined) throw new Error(opened.missing);
console.log(`Chromium ${opened.version}`);
try {
  const { page, close } = await opened.inspector({ width: 1440, height: 900 });
  page.setDefaultTimeout(240_000);
  const [live, journal] = [await page.evaluate(liveRun), await page.evaluate(journalRun, Number(facts))];
  await close();
  console.log(
    `live: ${live.tasks} sub-agents at work, ${live.eventsPerSecond} events a second, ${live.framesPerSecond} frames a second, the longest frame ${live.longestMs} ms`,
  );
  console.log(
    `journal: ${journal.events} facts, open after ${journal.openMs} ms; slider: median ${journal.medianMs} ms, longest ${journal.longestMs} ms of ${journal.moves}`,
  );
} finally {
  await opened.close();
}

/** In the page: sub-agents that report as fast as is asked, for five seconds. */
async function liveRun() {
  const TASKS = 500;
  const PER_SECOND = 10_000;
  const { SubAgentManager } = globalThis.subagents;
  const runs = [];
  const working = new SubAgentManager({
    maxConcurrent: TASKS,
    graceMs: 0,
    spawnSubAgent: (_params, run) =>
      new Promise((resolve) => {
        runs.push(run);
        run.signal.addEventListener('abort', () => resolve({ output: '' }));
      }),
  });
  globalThis.inspector.manager = working;
  for (let at = 0; at < TASKS; at += 1) working.spawn({ instructions: `Sub-agent ${at}`, label: `sub-agent ${at}` });
  await new Promise((resolve) => setTimeout(resolve, 500));
  const began = performance.now();
  const before = working.eventCount;
  const frames = [];
  let last = began;
  let told = 0;
  await new Promise((resolve) => {
    const frame = (now) => {
      frames.push(now - last);
      last = now;
      const due = Math.floor(((now - began) / 1_000) * PER_SECOND);
      for (; told < due; told += 1) runs[told % TASKS].report({ tokens: 1, message: `step ${told}` });
      if (now - began < 5_000) requestAnimationFrame(frame);
      else resolve();
    };
    requestAnimationFrame(frame);
  });
  const seconds = (performance.now() - began) / 1_000;
  const eventsPerSecond = Math.round((working.eventCount - before) / seconds);
  globalThis.inspector.manager = null;
  working.dispose();
  return {
    tasks: TASKS,
    eventsPerSecond,
    framesPerSecond: Math.round((frames.length / seconds) * 10) / 10,
    longestMs: Math.round(Math.max(...frames)),
  };
}

/** In the page: a journal of so many facts is opened, and the slider goes to forty places. */
async function journalRun(count) {
  const { SubAgentManager } = globalThis.subagents;
  const some = [];
  const manager = new SubAgentManager({
    maxConcurrent: 8,
    spawnSubAgent: async (_params, run) => {
      await run.beforeTurn();
      run.report({ tokens: 10, message: 'a step' });
      return { output: 'done' };
    },
  });
  manager.subscribe((event) => some.push(event));
  await Promise.all(Array.from({ length: 200 }, (_, at) => manager.spawn({ instructions: `Sub-agent ${at}` }).wait()));
  manager.dispose();
  // The same work again and again, by other sub-agents, later.
  const ids = new Set(some.flatMap((event) => (event.type === 'task_admitted' ? [event.taskId] : [])));
  const events = [];
  for (let round = 0; events.length < count; round += 1) {
    const name = (value) =>
      typeof value === 'string' && ids.has(value) ? `sub_${round.toString(16)}${value.slice(4 + round.toString(16).length)}` : value;
    for (const event of some) {
      if (events.length === count) break;
      events.push({ ...event, taskId: name(event.taskId), seq: events.length + 1, at: some[0].at + events.length });
    }
  }
  const root = globalThis.inspector.shadowRoot;
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const began = performance.now();
  globalThis.inspector.source = events;
  const slider = () => root.querySelector('input[type=range]');
  while (slider()?.max !== String(count) || root.querySelector('[role=treeitem]') === null) await frame();
  const openMs = Math.round(performance.now() - began);
  const taken = [];
  for (let move = 1; move <= 40; move += 1) {
    const wanted = Math.round(((move * 0.618) % 1) * count || 1);
    const from = performance.now();
    slider().value = String(wanted);
    slider().dispatchEvent(new Event('input', { bubbles: true }));
    // Answered: the page says that it is at this moment.
    while (!root.querySelector('.where b').textContent.startsWith(wanted.toLocaleString('en-US'))) await frame();
    taken.push(performance.now() - from);
  }
  taken.sort((a, b) => a - b);
  return { events: count, openMs, medianMs: Math.round(taken[20]), longestMs: Math.round(taken.at(-1)), moves: taken.length };
}
