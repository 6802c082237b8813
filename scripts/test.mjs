// `npm test`: all the set-up, then every check. The one list of what is checked.

import { install, node, reports, root, run } from './run.mjs';

const bin = (name) => `${root}node_modules/${name}`;

install();
run('the generated files are what the tables make', 'cargo', ['xtask', 'generate', '--check']);
run('pkg/ is what the sources make', 'cargo', ['xtask', 'check']);
run('format of Rust', 'cargo', ['fmt', '--all', '--check']);
run('lint of Rust', 'cargo', ['clippy', '--quiet', '--workspace', '--all-targets', '--', '-D', 'warnings']);
run('lint of the boundary', 'cargo', ['clippy', '--quiet', '--lib', '--target', 'wasm32-unknown-unknown', '--', '-D', 'warnings']);
const boundary = ['clippy', '--quiet', '--lib', '--target', 'wasm32-unknown-unknown', '--features', 'journal', '--', '-D', 'warnings'];
run('lint of the boundary with its journal', 'cargo', boundary);
const rust = ['test', '--workspace', '--', '--nocapture'];
run('tests of Rust: units, properties, golden transcripts, the simulation', 'cargo', rust, { keep: reports.cargo });
node('format and lint of TypeScript', [bin('@biomejs/biome/bin/biome'), 'check', '.']);
node('building the package', [`${root}scripts/build.mjs`]);
run('the test build that opens managers from facts', 'cargo', ['xtask', 'build-journal']);
node('types as a user sees them', [bin('typescript/bin/tsc'), '-p', `${root}tests`]);
const kept = ['--reporter=default', '--reporter=json', `--outputFile.json=${reports.vitest}`];
node('tests of TypeScript against the built package', [bin('vitest/vitest.mjs'), 'run', ...kept]);
node('every rule is proven by a test that ran', [`${root}scripts/rules.mjs`]);
const example = `${root}examples/ask`;
install(example);
run('tests of the example', 'npm', ['test', '--silent'], { cwd: example });
process.stderr.write('\nall checks passed\n');
