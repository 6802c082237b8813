// `npm run simulate`: the simulation for a number of seeds. It ends at the first seed that fails and prints how to
// replay it.

import { misused, readOptions, run } from './run.mjs';

const usage = `npm run simulate -- --seeds N --start S   N seeds from S (20000 from 0)
npm run simulate -- --seed N [--verbose]   one seed; with --verbose every input and every fact is printed`;

const options = {
  seeds: { type: 'string', default: '20000' },
  start: { type: 'string', default: '0' },
  seed: { type: 'string' },
  verbose: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
};
const values = readOptions(options, usage);
if (values.help) {
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}
const wrong = [values.seeds, values.start, values.seed ?? '0'].find((number) => !/^\d+$/.test(number));
if (wrong !== undefined) misused(`Not a whole number: ${wrong}`, usage);
const env = {
  SUBAGENTS_SEEDS: values.seed === undefined ? values.seeds : '1',
  SUBAGENTS_SEED_START: values.seed ?? values.start,
  ...(values.verbose ? { SUBAGENTS_VERBOSE: '1' } : {}),
};
const long = ['simulation::long::long_run', '--exact', '--ignored', '--nocapture'];
run('simulation', 'cargo', ['test', '--quiet', '--test', 'simulation', '--', ...long], { env });
