// `npm test`: checks for a contributor, in minutes. `npm run test:all`: these and the long proofs, in full. `--long` and
// `--examples` run the checks that `npm test` leaves out, in two runs side by side. Owns the one list of checks;
// CONTRIBUTING.md says how long each takes.

import { buildPackage, inOrder, install, node, readOptions, reports, root, run } from './run.mjs';

const usage = `npm run test and npm run test:all take no options and no files
npx vitest run FILE runs one test`;
const flag = { type: 'boolean' };
const { all: isAll, long: isLong, examples: isExamples } = readOptions({ all: flag, long: flag, examples: flag }, usage);
const bin = (name) => `${root}node_modules/${name}`;

/** The first steps of both: they are cheap and fail most often. */
const first = [
  () => install(),
  () => node('format and lint of TypeScript', [bin('@biomejs/biome/bin/biome'), 'check', '.']),
  () => run('format of Rust', 'cargo', ['fmt', '--all', '--check']),
  () => buildPackage(),
  () => node('types as a user sees them', [bin('typescript/bin/tsc'), '-p', `${root}tests`]),
  // The types of the inspector are checked when it is built.
  () => node('types of the playground', [bin('typescript/bin/tsc'), '-p', `${root}playground`]),
];
const examples = ['ask', 'coding', 'workers'].flatMap((name) => {
  const cwd = `${root}examples/${name}`;
  return [() => install(cwd), () => run(`tests of the example ${name}`, 'npm', ['test', '--silent'], { cwd })];
});

/** A share of the long tests: few seeds, and one row in several of each table. */
const SHARE = { SUBAGENTS_SHARE: '1', SUBAGENTS_SEEDS: '40', SUBAGENTS_CASES: '100' };
const vitest = (kept) => [bin('vitest/vitest.mjs'), 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${kept}`];

const quick = [
  ...first,
  () => node('tests of TypeScript against the built package', vitest(reports.share), { env: SHARE }),
  // Not optimised: compiling would take longer than it saves.
  () =>
    run('tests of Rust: units, properties, golden transcripts, the simulation', 'cargo', ['test', '--profile', 'xtask'], { env: SHARE }),
];

const clippy = ['clippy', '--quiet', '--lib', '--target', 'wasm32-unknown-unknown'];
const deny = ['--', '-D', 'warnings'];
// The fuzzers are a workspace of their own, which would have its own target directory.
const fuzzers = ['--manifest-path', 'tests/fuzz/Cargo.toml', '--bins', '--target-dir', 'target'];
/** With `--long`, `npm test` has already run. */
const rest = isLong ? { env: { SUBAGENTS_REST: '1' } } : {};
const long = [
  () => run('the generated files are what the tables make', 'cargo', ['xtask', 'generate', '--check']),
  () => run('pkg/ is what the sources make', 'cargo', ['xtask', 'check']),
  () => run('lint of Rust', 'cargo', ['clippy', '--quiet', '--workspace', '--all-targets', ...deny]),
  () => run('lint of the boundary', 'cargo', [...clippy, ...deny]),
  () => run('the fuzzers compile', 'cargo', ['check', '--quiet', ...fuzzers]),
  () =>
    run('tests of Rust, 20,000 lives of the simulation', 'cargo', ['test', '--workspace', '--', '--nocapture'], { keep: reports.cargo }),
  () => node('tests of TypeScript against the built package', vitest(reports.vitest), rest),
  () => node('every rule is proven by a test that ran', [`${root}scripts/rules.mjs`, ...(isLong ? ['--long'] : [])]),
  () => install(`${root}scripts/reference`),
  () => node('the reference of the API is what the comments say', [`${root}scripts/reference/make.mjs`, '--check']),
  () => node('programs that are killed go on, and have lost nothing', [`${root}tests/crash/run.mjs`]),
  () => node('the second model agrees with the core', [`${root}tests/outside/run.mjs`]),
];

inOrder(isLong ? long : isExamples ? examples : isAll ? [...first, ...long, ...examples] : quick);
