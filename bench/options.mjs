// The options of the benches: read by the scripts before they install and build, and by the programs that measure,
// which can also run alone.

import { readdirSync } from 'node:fs';
import { expectOneOf, misused, mustBeWritable, readOptions, whole } from '../scripts/run.mjs';
import { SOURCES } from './frameworks/ways.mjs';

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };

/** Of `npm run bench`. */
export function benchOptions() {
  const usage = 'npm run bench -- [--quick] [--json FILE|-] [--only TEXT]... [--rounds N] [--profile [--variant NAME]]';
  const only = { ...text, multiple: true, default: [] };
  const given = readOptions({ quick: flag, json: text, only, rounds: text, profile: flag, variant: text, help: flag }, usage);
  if (given.help) {
    process.stdout.write(`${usage}\n`);
    process.exit(0);
  }
  const { rounds = given.quick ? '3' : '5', variant = 'subagents' } = given;
  if (given.variant !== undefined && !given.profile) misused('--variant is of --profile alone', usage);
  expectVariant(variant, usage);
  expectWritable(given.json, usage);
  return { ...given, variant, rounds: whole('rounds', rounds, usage, { from: 1 }) };
}

/** Of `npm run bench:journal`. */
export function journalOptions(args) {
  const usage = 'npm run bench:journal -- [--rounds N] [--only latency]';
  const { rounds = '5', only } = readOptions({ rounds: text, only: text }, usage, args);
  if (only !== undefined) expectOneOf('only', only, ['latency'], usage);
  return { only, rounds: whole('rounds', rounds, usage, { from: 1 }) };
}

/** Of `npm run bench:workers`. */
export function workersOptions() {
  const usage = 'npm run bench:workers -- [--runs N] [--rounds N] [--concurrency N] [--durability sync|batched]';
  const known = { runs: text, rounds: text, concurrency: text, durability: text };
  const { runs = '5000', rounds = '5', concurrency = '100', durability = 'sync' } = readOptions(known, usage);
  expectOneOf('durability', durability, ['sync', 'batched'], usage);
  const many = (name, number) => whole(name, number, usage, { from: 1 });
  return { runs: many('runs', runs), rounds: many('rounds', rounds), concurrency: many('concurrency', concurrency), durability };
}

/** Of `npm run bench:frameworks`. */
export function frameworksOptions() {
  const usage = 'npm run bench:frameworks -- [--only NAME]... [--rounds N] [--json FILE|-]';
  const { only, rounds, json } = readOptions({ only: { ...text, multiple: true, default: [] }, rounds: text, json: text }, usage);
  for (const name of only) expectOneOf('only', name, Object.keys(SOURCES), usage);
  expectWritable(json, usage);
  return { names: only, rounds: whole('rounds', rounds ?? '7', usage, { from: 1 }), json };
}

/** A variant of the bench is a file in `variants/`, with `+listener` for one that takes all events. */
export function expectVariant(name, usage) {
  const files = readdirSync(new URL('variants', import.meta.url)).map((file) => file.replace('.mjs', ''));
  const known = files.filter((file) => !['check', 'options'].includes(file));
  expectOneOf('variant', name.replace(/\+listener$/, ''), known, usage);
}

function expectWritable(json, usage) {
  if (json !== undefined && json !== '-') mustBeWritable(json, usage);
}
