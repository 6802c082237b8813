// Checks that a test which ran proves every rule of docs/rules.md and every row of tests/sources.json. A test proves `B4` if
// its title or its group has it. So does a file of tests/types/, which tsc checks, and a check of the simulation. The reports
// of `npm run test:all` name the tests that ran; with `--long`, those of `npm test` too.

import { readdirSync, readFileSync } from 'node:fs';
import { readOptions, reports, root } from './run.mjs';

const read = (path) => readFileSync(`${root}${path}`, 'utf8');
const textsIn = (folder) => readdirSync(`${root}${folder}`).map((file) => read(`${folder}/${file}`));
/** `B4`, `S3.07`; `S3.01–S3.17` means all of these. */
const NAMED = /\b([A-Z]\d+(?:\.\d\d)?)\b(?: ?– ?[A-Z]\d+\.(\d\d))?/g;

const rules = Array.from(read('docs/rules.md').matchAll(/^- \*\*([A-Z]\d+)\*\*/gm), ([, id]) => id);
const rows = Object.keys(JSON.parse(read('tests/sources.json')));

const { long } = readOptions({ long: { type: 'boolean' } }, 'node scripts/rules.mjs [--long]');
const results = [reports.vitest, ...(long ? [reports.share] : [])].flatMap((file) =>
  JSON.parse(readFileSync(file, 'utf8')).testResults.flatMap(({ assertionResults }) => assertionResults),
);
const passed = results.filter(({ status }) => status === 'passed').map(({ fullName }) => fullName);
// With `--nocapture`, a test's own output may precede its result.
const hasLived = /^test hostile_hosts_break_nothing \.\.\. (?:.*)?ok$/m.test(readFileSync(reports.cargo, 'utf8'));
const checks = hasLived ? [...textsIn('tests/core/simulation'), read('src/state/invariants.rs')] : [];
/** Only the texts of their failures: a comment checks nothing. */
const lives = checks.flatMap((text) => Array.from(text.matchAll(/"([A-Z]\d+)\b[^"]*"/g), ([, id]) => id));

const proven = new Set();
for (const text of [...passed, ...textsIn('tests/types'), ...lives]) {
  for (const [, first, last] of text.matchAll(NAMED)) {
    proven.add(first);
    const [source, from] = first.split('.');
    for (let row = Number(from); row <= Number(last); row += 1) proven.add(`${source}.${String(row).padStart(2, '0')}`);
  }
}

const expected = [...rules, ...rows];
const open = expected.filter((id) => !proven.has(id));
// Finds uses of names that were renamed or removed.
const strange = [...proven].filter((id) => /^[A-Z]\d+\.\d\d$/.test(id) && !rows.includes(id));
if (open.length > 0 || strange.length > 0) {
  for (const id of open) process.stderr.write(`${id} is named by no test that ran\n`);
  for (const id of strange) process.stderr.write(`${id} is named by a test, and is no row of tests/sources.json\n`);
  process.exit(1);
}
process.stderr.write(`${rules.length} rules and ${rows.length} rows of the sources are named by tests that ran\n`);
