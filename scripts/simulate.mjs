// `npm run simulate`: the simulation for as many seeds as asked for. It ends at the first seed that fails and
// says how to replay it.

import { parseArgs } from 'node:util';
import { run } from './run.mjs';

const usage = `npm run simulate -- --seeds N --start S   N seeds from S (20000 from 0)
npm run simulate -- --seed N [--verbose]   one seed; with --verbose every input and every fact is printed`;

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20000' },
    start: { type: 'string', default: '0' },
    seed: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
const numbers = [values.seeds, values.start, values.seed ?? '0'];
if (values.help || numbers.some((number) => !/^\d+$/.test(number))) {
  process.stderr.write(`${usage}\n`);
  process.exit(values.help ? 0 : 2);
}
const env = {
  SUBAGENTS_SEEDS: values.seed === undefined ? values.seeds : '1',
  SUBAGENTS_SEED_START: values.seed ?? values.start,
  ...(values.verbose ? { SUBAGENTS_VERBOSE: '1' } : {}),
};
const long = ['simulation::long::long_run', '--exact', '--ignored', '--nocapture'];
run('simulation', 'cargo', ['test', '--quiet', '--test', 'simulation', '--', ...long], { env });
