// `npm run fuzz -- --seconds 60`: the coverage-guided fuzzers of tests/fuzz/, each for that time, from the small
// committed corpus. Needs `cargo install --locked cargo-fuzz` and a C++ compiler.

import { mkdirSync } from 'node:fs';
import { expectOneOf, needCargo, readOptions, root, run, whole } from './run.mjs';

const TARGETS = ['boundary', 'facts'];
const usage = `npm run fuzz -- [--seconds N] [--target ${TARGETS.join('|')}]`;
const values = readOptions({ seconds: { type: 'string', default: '60' }, target: { type: 'string' } }, usage);
whole('seconds', values.seconds, usage, { from: 1 });
if (values.target !== undefined) expectOneOf('target', values.target, TARGETS, usage);
needCargo('fuzz');
for (const target of values.target ? [values.target] : TARGETS) {
  // New inputs go to a folder of their own; the committed corpus only seeds it.
  const found = `${root}target/fuzz/${target}`;
  mkdirSync(found, { recursive: true });
  const limits = [`-max_total_time=${values.seconds}`, '-timeout=10', '-max_len=600', '-print_final_stats=1'];
  // The core has no unsafe code, so it needs no sanitizer and no nightly compiler, only coverage.
  const args = [
    'fuzz',
    'run',
    '--fuzz-dir',
    'tests/fuzz',
    '--sanitizer',
    'none',
    target,
    found,
    `${root}tests/fuzz/corpus/${target}`,
    '--',
    ...limits,
  ];
  run(`fuzzing: ${target}, ${values.seconds} s`, 'cargo', args, { env: { RUSTC_BOOTSTRAP: '1' } });
}
