// `npm run mutants`: changes the core in every way that cargo-mutants knows, one at a time, and lists the
// changes that no test notices. Needs `cargo install --locked cargo-mutants`. A whole run takes hours; a
// shard of it, `npm run mutants -- --shard 0/20`, or a file, `-- --file src/rules/budget/reserving.rs`, does not.

import { mkdirSync } from 'node:fs';
import { needCargo, root, run } from './run.mjs';

needCargo('mutants');
// The fast tests: .cargo/mutants.toml names them, and these are the seeds of the simulation.
const env = { SUBAGENTS_SEEDS: '150' };
// cargo-mutants makes its own folder, but not the one above it.
mkdirSync(`${root}target`, { recursive: true });
run('mutants', 'cargo', ['mutants', '--jobs', '1', '--output', 'target/mutants', '--no-shuffle', ...process.argv.slice(2)], { env });
