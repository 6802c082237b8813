#!/usr/bin/env node
/**
 * The bench behind `npm run bench:frameworks`: what it costs to delegate 1,000 no-op sub-agents, 50 at a time, in each
 * framework's own way and through ours in that framework. The frameworks are those of `tests/frameworks/`, pinned and
 * offline, with the fake models of the tests. A main agent's model delegates 50 parts in one step, gets the results and
 * is done; the next main agent takes the next 50. The sub-agents are the framework's own agents both ways, with one
 * turn that says one word; where ours makes an agent for each call, so does the framework's way, if it can. `alone` is what
 * these agents cost called directly, 50 at a time.
 *
 *   node bench/frameworks/run.mjs              all of them, about half an hour
 *   node bench/frameworks/run.mjs --only NAME  one framework by the name of its folder, such as `ai-7`; repeatable
 *   node bench/frameworks/run.mjs --rounds N   another number of processes per figure
 *   node bench/frameworks/run.mjs --json FILE  all figures as JSON too; `-` writes them to standard output instead
 *
 * Every figure is processor time of the main thread of a process that runs one way and nothing else; the ways take
 * turns, round by round; medians are reported, and ratios are taken inside a round. The exit code is 1 only if something
 * could not be measured.
 */

import { writeFileSync } from 'node:fs';
import { ENVIRONMENT, FRAMEWORKS, nodeOf, prepare } from '../../tests/frameworks/prepare.mjs';
import { runChild } from '../children.mjs';
import { frameworksOptions } from '../options.mjs';
import { number, table } from '../report.mjs';
import { median, summary } from '../stats.mjs';
import { benchSourcesOf } from './sources.mjs';
import { SOURCES } from './ways.mjs';

const DELEGATIONS = 1_000;
const AT_ONCE = 50;
/** In one process: before the clock starts, and timed. */
const WARMUP = 1;
const TIMED = 3;
const VARIANTS = ['own', 'ours', 'alone'];

/** What takes our tools and has no agents that could be measured. */
const WITHOUT_AGENTS = [
  { name: 'Anthropic SDK 1.12', none: 'it runs tools, and has no agents' },
  { name: 'MCP SDK 1.32, 2.4', none: 'a protocol for tools, it has no agents' },
  { name: 'Claude Agent SDK 0.3', none: 'its sub-agents run in a program that needs an account' },
];

const startedAt = Date.now();
const { names, rounds, json } = frameworksOptions();
const ways = [];
const failures = [];

for (const framework of FRAMEWORKS) {
  if (SOURCES[framework.name] === undefined || (names.length > 0 && !names.includes(framework.name))) continue;
  progress(`preparing ${framework.name}`);
  try {
    await add(framework);
  } catch (error) {
    failures.push(`${framework.name}: ${error.message}`);
  }
}
for (let round = 0; round < rounds; round++) {
  for (const way of ways) await measure(way, round);
}
clearProgress();

const measured = ways.map(({ framework, name, how, none, us, failed }) => ({
  framework: framework.name,
  name,
  how,
  none,
  us: Object.fromEntries(VARIANTS.filter((variant) => us[variant].length > 0).map((variant) => [variant, summary(us[variant])])),
  ratio: ratioOf(us),
  failed,
}));
failures.push(...measured.flatMap(({ name, failed }) => Object.entries(failed).map(([variant, why]) => `${name}, ${variant}: ${why}`)));
const seconds = Math.round((Date.now() - startedAt) / 1_000);
const without = names.length === 0 ? WITHOUT_AGENTS : [];
const data = { node: process.versions.node, delegations: DELEGATIONS, atOnce: AT_ONCE, rounds, measured, without, failures, seconds };
if (json !== undefined) {
  const text = `${JSON.stringify(data, null, 2)}\n`;
  if (json === '-') process.stdout.write(text);
  else writeFileSync(json, text);
}
if (json !== '-') process.stdout.write(report());
process.exit(failures.length === 0 ? 0 : 1);

/** Bundles a framework's ways and asks what they are. */
async function add(framework) {
  const bundle = await prepare(framework, 'bench', benchSourcesOf(framework));
  const node = nodeOf(framework.node);
  const run = (task) => runChild(bundle, task, { node, env: ENVIRONMENT });
  for (const [index, way] of (await run({})).entries()) {
    ways.push({ framework, index, run, ...way, us: Object.fromEntries(VARIANTS.map((variant) => [variant, []])), failed: {} });
  }
}

/** One process for each variant; each round starts with another. */
async function measure({ name, index, run, none, us, failed }, round) {
  for (let i = 0; i < VARIANTS.length; i++) {
    const variant = VARIANTS[(i + round) % VARIANTS.length];
    if (failed[variant] !== undefined || (variant === 'own' && none !== undefined)) continue;
    progress(`round ${round + 1}/${rounds} ${name} ${variant}`);
    try {
      const answer = await run({ index, variant, delegations: DELEGATIONS, atOnce: AT_ONCE, warmup: WARMUP, rounds: TIMED });
      us[variant].push(median(answer.us));
    } catch (error) {
      failed[variant] = error.message;
    }
  }
}

/** Ours ÷ its own: of the ratios in a round. */
function ratioOf({ own, ours }) {
  const ratios = own.slice(0, ours.length).map((value, i) => ours[i] / value);
  return ratios.length === 0 ? undefined : summary(ratios);
}

function report() {
  const head = ['', 'its own way', 'own', 'ours', 'ours ÷ own', 'lowest–highest', 'alone'];
  const rows = measured.map(({ name, how, none, us, ratio, failed }) => {
    const figure = (variant) => (failed[variant] === undefined ? number(us[variant]?.median) : 'failed');
    const range = ratio === undefined ? '–' : `${number(ratio.min)}–${number(ratio.max)}`;
    return [name, how ?? `none: ${none}`, figure('own'), figure('ours'), number(ratio?.median), range, figure('alone')];
  });
  for (const { name, none } of without) rows.push([name, `none: ${none}`, '–', '–', '–', '–', '–']);
  const title = `Delegating ${DELEGATIONS.toLocaleString('en-US')} no-op sub-agents, ${AT_ONCE} at a time: µs of the main thread each, medians of ${rounds} processes`;
  const failed = failures.length === 0 ? '' : `\nCould not be measured\n\n${failures.join('\n')}\n`;
  return `${title} (${seconds} s)\n\n${table(head, rows)}\n${failed}`;
}

/** On a terminal one line that is written over, elsewhere a line each. */
function progress(text) {
  const line = `[${Math.round((Date.now() - startedAt) / 1_000)} s] ${text}`;
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}

function clearProgress() {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}
