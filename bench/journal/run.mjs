/**
 * `npm run bench:journal`: what a journal costs, texts of 200 characters. Cycles with and without one take turns, a process
 * each, and their ratios are taken inside a round; replaying and opening have a process of their own, and so has the time
 * until the disk has a decision. `-- --rounds N`: other than 5 rounds; `-- --only latency` measures that time alone. `npm run bench:instructions -- --variant journal-memory` counts a cycle's instructions instead.
 */

import { cells } from '../cells.mjs';
import { runChild } from '../children.mjs';
import { measureCell, ratio } from '../cycle.mjs';
import { journalOptions } from '../options.mjs';
import { median } from '../stats.mjs';

const { only, rounds } = journalOptions();
const PLAIN = 'subagents';
/** What each variant is. */
const CYCLES = {
  'journal-memory': 'in memory, batched',
  'journal-memory-sync': 'in memory, sync',
  'journal-file': 'in a file, batched',
  'journal-file-sync': 'in a file, sync',
};
const progress = (text) => process.stderr.write(`${text}\n`);
const say = (what, figure) => process.stdout.write(`${what}: ${figure}\n`);

const latencies = [];
for (let round = 0; round < rounds; round += 1) {
  progress(`waiting for the disk, round ${round + 1} of ${rounds}`);
  latencies.push(await runChild('journal/latency.mjs', {}));
}
for (const [how, words] of Object.entries({ alone: 'one after the other', atOnce: '100 at once' })) {
  const of = (name) => latencies.map((each) => each[how][name]);
  const p99 = of('p99');
  const range = `${Math.min(...p99).toFixed(1)} to ${Math.max(...p99).toFixed(1)}`;
  say(
    `until the disk has a spawn, in a file, sync, ${words}`,
    `p50 ${median(of('p50')).toFixed(2)} ms, p99 ${median(p99).toFixed(1)} ms (${range})`,
  );
}
if (only === 'latency') process.exit(0);

const [burst] = cells({ quick: true }).filter(({ id }) => id.startsWith('burst/200B/100'));
const cell = await measureCell({ ...burst, variants: [PLAIN, ...Object.keys(CYCLES)] }, { rounds, progress, outOfTime: () => false });
for (const [variant, why] of Object.entries(cell.failed)) throw new Error(`${variant}: ${why}`);
for (const [variant, what] of Object.entries(CYCLES)) {
  const found = ratio(cell, variant, PLAIN);
  const figure = `${found.median.toFixed(2)} × without (${found.min.toFixed(2)} to ${found.max.toFixed(2)})`;
  say(`a cycle with a journal ${what}`, figure);
}

const all = { factsPerSecond: [], openMs: [] };
for (let round = 0; round < rounds; round += 1) {
  progress(`replaying and opening, round ${round + 1} of ${rounds}`);
  const measured = await runChild('journal/child.mjs', {}, { flags: ['--max-old-space-size=4096'] });
  for (const [name, list] of Object.entries(all)) list.push(measured[name]);
}
const facts = median(all.factsPerSecond);
say('replay', `${(facts / 1e6).toFixed(2)} million facts a second`);
const openMs = median(all.openMs);
say(
  'opening a snapshot of 100,000 sub-agents',
  `${openMs.toFixed(0)} ms (${Math.min(...all.openMs).toFixed(0)} to ${Math.max(...all.openMs).toFixed(0)})`,
);
