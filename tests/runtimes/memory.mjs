// Memory, in Node processes with a bounded heap: what is disposed, ended or just forgotten is let go. Owns
// the scripts and their bounds.

import { readFileSync } from 'node:fs';
import { run } from './process.mjs';

/** The way to the insides of a manager, for a script of its own. */
const INSIDES = readFileSync(new URL('../support/insides.mjs', import.meta.url), 'utf8').replace('export function', 'function');

const LOAD =
  "import { SubAgentManager } from 'subagents';\nconst MB = 2 ** 20;\nconst spawnSubAgent = async () => ({ output: 'x', usage: { tokens: 1, turns: 1, cost: 0 } });";

export const memoryFiles = {
  // An instance is some 100 kB outside the heap; a bound of 600 MB is what 6,000 of them would take.
  'managers.js': `${LOAD}
let most = 0;
for (let round = 0; round < 10_000; round += 1) {
  const manager = new SubAgentManager({ spawnSubAgent });
  manager.subscribe(() => undefined);
  const { status } = await manager.spawn({ instructions: 'x' }).wait();
  if (status !== 'completed') throw new Error(status);
  manager.dispose();
  if (round % 100 === 0) most = Math.max(most, process.memoryUsage.rss());
}
console.log(JSON.stringify({ rss: Math.round(most / MB) }));
`,
  'tasks.js': `${LOAD}
const unlimited = Infinity;
const manager = new SubAgentManager({ maxConcurrent: 100, maxQueued: unlimited, maxChildren: unlimited, budget: { tokens: unlimited }, spawnSubAgent });
const used = () => { gc(); return process.memoryUsage().heapUsed; };
const round = async (count) => {
  for (let at = 0; at < count; at += 1_000) {
    await Promise.all(Array.from({ length: 1_000 }, (_, task) => manager.spawn({ instructions: 'task ' + (at + task) }).wait()));
  }
};
await round(50_000);
const before = { heap: used(), linear: manager.stats().memoryBytes };
await round(950_000);
const after = { heap: used(), linear: manager.stats().memoryBytes };
if (manager.stats().turnsSpent !== 1_000_000) throw new Error('not a million');
console.log(JSON.stringify({ heapGrowth: after.heap - before.heap, linearGrowth: after.linear - before.linear, linear: after.linear, rss: Math.round(process.memoryUsage.rss() / MB) }));
`,
  // Without `dispose`, in every state that might keep a manager: listened to, armed, running, waited for.
  'forgotten.js': `${LOAD}
${INSIDES}
const runtimeOf = insidesOf(SubAgentManager);
const kept = [];
// Node 20 sometimes calls no registry of a process at all.
let called = 0;
const registry = new FinalizationRegistry(() => { called += 1; });
let firstHost;
for (let round = 0; round < 1_000; round += 1) {
  const never = round % 3 === 0;
  // What is under way has its deadlines first.
  const deadlines = { timeoutMs: 20, graceMs: 10, abandonMs: 10 };
  const manager = new SubAgentManager(never ? { ...deadlines, spawnSubAgent: () => new Promise(() => undefined) } : { spawnSubAgent });
  if (round % 2 === 0) manager.subscribe(() => manager);
  manager.session('agent').createSubAgentTool();
  const handle = manager.spawn({ instructions: 'x' });
  if (never) void manager.wait([handle]);
  else await handle.wait();
  kept.push(new WeakRef(manager));
  registry.register(manager);
  firstHost ??= runtimeOf(manager).host;
}
for (let turn = 0; turn < 60 && kept.some((ref) => ref.deref() !== undefined); turn += 1) { await new Promise((resolve) => setTimeout(resolve, 5)); gc(); }
const alive = kept.filter((ref) => ref.deref() !== undefined).length;
const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
// The number of a manager that is gone is used again, once Node has called what waits for its collection.
let next = Infinity;
for (let turn = 0; turn < 200 && next >= firstHost + 1_000; turn += 1) { await new Promise((resolve) => setTimeout(resolve, 5)); gc(); next = runtimeOf(new SubAgentManager()).host; }
console.log(JSON.stringify({ alive, timers, called, reused: next < firstHost + 1_000 }));
`,
};

/** `{ name, check }`; what was measured is what `check` resolves to. */
export function memoryChecks() {
  const child = async (file, flags, { esm }) => JSON.parse(await run(process.execPath, [...flags, file], { cwd: esm, timeoutMs: 600_000 }));
  return [
    {
      name: '10,000 managers made, used and disposed, with a heap of 64 MB',
      async check(projects) {
        const measured = await child('managers.js', ['--max-old-space-size=64'], projects);
        return hold(measured, measured.rss < 600);
      },
    },
    {
      name: '1,000,000 tasks in one manager, with a heap of 64 MB',
      async check(projects) {
        const measured = await child('tasks.js', ['--max-old-space-size=64', '--expose-gc'], projects);
        return hold(measured, measured.heapGrowth < 4 * 2 ** 20 && measured.linearGrowth < 2 ** 20 && measured.linear < 16 * 2 ** 20);
      },
    },
    {
      name: '1,000 managers forgotten without dispose: all collected, no timer left, their numbers used again',
      async check(projects) {
        let measured = await child('forgotten.js', ['--expose-gc'], projects);
        for (let more = 10; more > 0 && measured.called === 0; more -= 1) measured = await child('forgotten.js', ['--expose-gc'], projects);
        return hold(measured, measured.alive < 5 && measured.timers < 5 && measured.reused);
      },
    },
  ];
}

function hold(measured, holds) {
  if (!holds) throw new Error(`out of bounds: ${JSON.stringify(measured)}`);
  return JSON.stringify(measured);
}
