// Every rule and every row of the checklist is proven by a test that ran: tests/rules.json says by which.
// Owns the check; what ran is read from the reports that `npm test` keeps. A kind of proof is a word before
// the first colon:
//   a file of tests      `tool: S2.24 it is …` is a test of tool.test.ts; a title may end with `…`
//   golden               a transcript in tests/golden/, played in Rust and in TypeScript
//   rust                 the name of a test function
//   simulation           words of a check in tests/core/simulation/ or src/state/invariants.rs, made at every step
//   types                words in tests/types/, checked by tsc
//   frameworks           words in tests/frameworks/src/, run with the real packages by `npm run test:frameworks`

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { reports, root } from './run.mjs';

const read = (path) => readFileSync(`${root}${path}`, 'utf8');
const textOf = (folder, ending) =>
  readdirSync(`${root}${folder}`)
    .filter((file) => file.endsWith(ending))
    .map((file) => read(`${folder}/${file}`))
    .join('\n');

/** Titles of tests that were left out because this machine lacks their server or their runtime. */
const leftOut = new Set();

/** Titles of the tests of TypeScript that passed, by the name of their file. */
function passedInTypeScript() {
  const passed = new Map();
  for (const { name, assertionResults } of JSON.parse(readFileSync(reports.vitest, 'utf8')).testResults) {
    const file = name.replace(/^.*\//, '').replace(/\.test\.ts$/, '');
    const titles = assertionResults.filter(({ status }) => status === 'passed').map(({ title }) => title);
    passed.set(file, [...(passed.get(file) ?? []), ...titles]);
    for (const { status, title } of assertionResults) if (status === 'skipped' || status === 'pending') leftOut.add(`${file}: ${title}`);
  }
  return passed;
}

/** Names of the tests of Rust that passed. With `--nocapture` a test's own output may stand before its end. */
function passedInRust() {
  const lines = readFileSync(reports.cargo, 'utf8').matchAll(/^test (\S+)(?: - should panic)? \.\.\. (?:.*)?ok$/gm);
  return new Set([...lines].map(([, name]) => name.replace(/^.*::/, '')));
}

const inTypeScript = passedInTypeScript();
const inRust = passedInRust();
const checks = textOf('tests/core/simulation', '.rs') + textOf('src/state', 'invariants.rs') + read('tests/core/simulation.rs');
const types = textOf('tests/types', '.ts');
const frameworks = readdirSync(`${root}tests/frameworks/src`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => textOf(`tests/frameworks/src/${name}`, '.ts'))
  .concat(textOf('tests/frameworks/src', '.ts'))
  .join('\n');

/** What is wrong with a proof, or nothing. */
function flaw(proof) {
  const [kind, rest] = proof.split(/: (.*)/s);
  if (!rest) return 'says no kind of proof';
  if (kind === 'rust') return inRust.has(rest) ? undefined : 'no such test ran';
  if (kind === 'simulation') {
    if (!checks.includes(rest)) return 'the simulation makes no such check';
    return inRust.has('hostile_hosts_break_nothing') ? undefined : 'the simulation did not run';
  }
  if (kind === 'golden') {
    if (!existsSync(`${root}tests/golden/${rest}.txt`)) return 'there is no such transcript';
    if (!inRust.has('every_transcript_plays_as_written')) return 'the transcripts were not played in Rust';
    return inTypeScript.get('golden')?.includes(rest) ? undefined : 'it was not played in TypeScript';
  }
  if (kind === 'frameworks') return frameworks.includes(rest) ? undefined : 'there are no such words in tests/frameworks/src/';
  if (kind === 'types') return types.includes(rest) ? undefined : 'there are no such words in tests/types/';
  const titles = inTypeScript.get(kind);
  if (!titles) return `there is no ${kind}.test.ts that ran`;
  const found = rest.endsWith('…') ? titles.some((title) => title.startsWith(rest.slice(0, -1))) : titles.includes(rest);
  return found ? undefined : 'no such test passed';
}

const { rules, notYet } = JSON.parse(read('tests/rules.json'));
const flaws = Object.entries(rules).flatMap(([id, { means, proof }]) => {
  if (!means) return [`${id} does not say what it means`];
  if (proof.length === 0 && !notYet[id]) return [`${id} has no proof: ${means}`];
  const ran = proof.filter((entry) => !leftOut.has(entry));
  if (proof.length > 0 && ran.length === 0) return [`${id} has no proof that ran: ${means}`];
  return ran.flatMap((entry) => (flaw(entry) ? [`${id}: ${entry}\n    ${flaw(entry)}`] : []));
});
const open = Object.keys(notYet);
flaws.push(...open.filter((id) => !rules[id]).map((id) => `${id} is listed in \`notYet\`, but is no rule`));
// The lists stand complete: a row that is lost is not missed by the check above.
const expected = { S1: 40, S2: 25, S3: 34, S4: 20, S5: 21 };
for (const [source, count] of Object.entries(expected)) {
  for (let row = 1; row <= count; row += 1) {
    const id = `${source}.${String(row).padStart(2, '0')}`;
    if (!rules[id]) flaws.push(`${id} is missing`);
  }
}
const counts = { A: 8, L: 8, D: 9, S: 6, B: 12, T: 4, M: 5, W: 6, C: 4, N: 6, R: 8, P: 4, X: 5, J: 5 };
for (const [chapter, count] of Object.entries(counts)) {
  for (let rule = 1; rule <= count; rule += 1) if (!rules[`${chapter}${rule}`]) flaws.push(`${chapter}${rule} is missing`);
}
if (flaws.length > 0) {
  process.stderr.write(`${flaws.join('\n')}\n\n${flaws.length} flaws in tests/rules.json\n`);
  process.exit(1);
}
process.stderr.write(`${Object.keys(rules).length - open.length} rules and rows are proven by tests that ran\n`);
for (const [id, what] of Object.entries(notYet)) process.stderr.write(`not yet: ${id}, ${what}\n`);
