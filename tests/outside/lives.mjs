// The process in which lives are lived: virtual time is installed, then the package is loaded from where it was installed.
// Prints a line for each failing life; ends with the counts.

import { writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as clock from './clock.mjs';
import { knownDifferences, openQuestions } from './known-differences.mjs';
import { live, replay } from './life.mjs';
import { shrink } from './shrink.mjs';

const { folder, lives, start, verbose } = JSON.parse(process.argv[2]);
const say = (line) => writeSync(1, `${line}\n`);

clock.install();
process.on('unhandledRejection', (error) => {
  say(`unhandled rejection: ${error?.stack ?? error}`);
  process.exit(1);
});
const require = createRequire(`${folder}/package.json`);
const { SubAgentManager } = require('subagents');
const { memoryStore } = require('subagents/store/memory');
const { fileStore } = require('subagents/store/file');
let files = 0;
/** A new place for a store of this kind: gives the store of it, as each process has it. */
const storeIn = (kind) => {
  if (kind === 'memory') {
    const store = memoryStore();
    return () => store;
  }
  const path = `${folder}/${process.pid}-${++files}.journal`;
  return () => fileStore(path);
};
const pack = { SubAgentManager, storeIn };

for (const { rule, what } of knownDifferences) say(`known difference, not compared: ${rule}: ${what}`);
for (const { rule, what } of openQuestions) say(`left open by the rules, not compared: ${rule}: ${what}`);

let passed = 0;
let kept = 0;
const counts = new Map();
const count = (what, times = 1) => counts.set(what, (counts.get(what) ?? 0) + times);
let failed = 0;
for (let seed = start; seed < start + lives; seed++) {
  const { options, operations, difference, counts: happened } = await live(pack, seed, verbose ? say : undefined);
  if (options.kept) kept++;
  for (const { do: kind } of operations) count(`operations: ${kind}`);
  for (const [what, times] of Object.entries(happened)) count(what, times);
  if (!difference) passed++;
  else {
    failed++;
    say(`\nseed ${seed} differs after ${operations.length} operations`);
    const small = await shrink(operations, (some) => replay(pack, options, some), 300);
    say(`  ${JSON.stringify(options)}`);
    for (const operation of small.operations) say(`  ${JSON.stringify(operation)}`);
    for (const line of small.difference ?? difference) say(`  ✗ ${line}`);
    if (failed >= 10) break;
  }
  if ((seed - start + 1) % 500 === 0) say(`${seed - start + 1} of ${lives} lives: seeds ${start} to ${seed}`);
}
say(`${kept} kept a journal`);
for (const [what, times] of [...counts].sort(([one], [other]) => (one < other ? -1 : 1))) say(`${String(times).padStart(9)} ${what}`);
say(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
