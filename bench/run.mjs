#!/usr/bin/env node
/**
 * The bench behind `npm run bench`. Every figure comes from a process that runs one variant and nothing else; the
 * variants take turns, round by round; medians are reported, and ratios are taken inside a round.
 *
 *   node bench/run.mjs              everything, about a quarter of an hour
 *   node bench/run.mjs --quick      what is measured first, in less than a minute
 *   node bench/run.mjs --json FILE  all figures as JSON too; `-` writes them to standard output instead of the tables
 *   node bench/run.mjs --only TEXT  what has TEXT in its id, such as `burst/200B/100/`, `growth/idle` or `startup`;
 *                                   repeatable
 *   node bench/run.mjs --rounds N   another number of processes per variant
 *   node bench/run.mjs --profile    where a cycle's time goes, by bucket and function (`--variant NAME`: of another)
 *
 * What is measured is said where it is: the loops in `loops/`, the host in `host.mjs`, the variants in `variants/`, the
 * cells in `cells.mjs`. Times depend on the machine and on what else it does: read the ratios. The exit code is 1 only if
 * something could not be measured.
 */

import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { cells as allCells, LISTENING, VARIANTS } from './cells.mjs';
import { measureCell, ratio } from './cycle.mjs';
import { measureGrowth } from './growth.mjs';
import { benchOptions } from './options.mjs';
import { measurePaths } from './paths.mjs';
import { profileCell } from './profile.mjs';
import * as report from './report.mjs';
import { measureForStores, measureSize } from './size.mjs';
import { measureStartup } from './startup.mjs';
import { measureStopping } from './stopping.mjs';

/** After this, `--quick` starts nothing more: the machine is slower than it was made for. */
const QUICK_DEADLINE_MS = 45_000;
const STARTUP_ROUNDS = { full: 15, quick: 5 };

const options = benchOptions();
const { rounds } = options;
const startedAt = Date.now();
const mode = options.quick ? 'quick' : 'full';

/** What `--only` asks for and nothing has in its id. */
const unmatched = new Set(options.only);
function only(id) {
  const matching = options.only.filter((text) => `${id}/`.includes(text));
  for (const text of matching) unmatched.delete(text);
  return options.only.length === 0 || matching.length > 0;
}
const outOfTime = () => options.quick && Date.now() - startedAt > QUICK_DEADLINE_MS;

if (options.profile) await runProfile();
else await runBench();

async function runProfile() {
  const profiles = [];
  for (const cell of allCells({ quick: true })) {
    if (!cell.isMain || !only(cell.id)) continue;
    progress(`profile ${cell.id}`);
    profiles.push(await profileCell(cell, options.variant));
  }
  clearProgress();
  writeJson({ machine: machine(), profiles });
  if (options.json !== '-') print(profiles.flatMap(report.profileTables).join('\n'));
}

async function runBench() {
  const measured = {
    machine: machine(),
    mode,
    rounds,
    cells: [],
    growth: [],
    paths: [],
    stopping: [],
    startup: { failed: {} },
    size: { wasm: [], dist: {} },
  };
  // A quick run on a slow machine leaves out what matters least.
  if (only('size')) measured.size = { ...measureSize(), forStores: await measureForStores() };
  if (only('startup')) measured.startup = await measureStartup({ rounds: STARTUP_ROUNDS[mode], progress });
  const measureCells = async (cells) => {
    for (const cell of cells) {
      if (!only(cell.id) || outOfTime()) continue;
      measured.cells.push(await measureCell(cell, { rounds, progress, outOfTime }));
    }
  };
  const cells = allCells(options);
  await measureCells(cells.filter((cell) => cell.isMain));
  measured.growth = await measureGrowth({ quick: options.quick, only, progress, outOfTime });
  await measureCells(cells.filter((cell) => !cell.isMain));
  if (!options.quick) {
    measured.stopping = await measureStopping({ only, progress });
    measured.paths = await measurePaths({ only, progress });
  }
  clearProgress();

  const ratios = measured.cells.map((cell) => ({ id: cell.id, ...ratiosOf(cell) }));
  const failures = failuresOf(measured);
  const seconds = (Date.now() - startedAt) / 1000;
  writeJson({ ...measured, ratios, failures, seconds });
  if (options.json !== '-') printTables(measured, failures, seconds);
  if (failures.length > 0) process.exitCode = 1;
}

function printTables(measured, failures, seconds) {
  const { node, cpu, cores } = measured.machine;
  const names = [...VARIANTS, ...LISTENING];
  const sections = [
    `Node ${node}, ${cpu}, ${cores} cores; ${mode} run of ${Math.round(seconds)} s, ${rounds} processes per figure\n`,
    ...report.cycleTables(measured.cells, names),
    ...report.ratioTable(measured.cells, ratio, names),
    ...report.growthTable(measured.growth),
    ...report.stoppingTable(measured.stopping),
    ...report.pathsTable(measured.paths),
    ...report.startupTable(measured.startup),
    ...report.sizeTable(measured.size),
  ];
  if (failures.length > 0) sections.push(`Could not be measured\n\n${failures.join('\n')}\n`);
  print(sections.join('\n'));
}

/** Every manager's ratios to every other variant. */
function ratiosOf(cell) {
  const of = (variant) => Object.fromEntries(Object.keys(cell.variants).map((base) => [base, ratio(cell, variant, base)]));
  return Object.fromEntries(['subagents', 'subagents+listener', 'js-manager'].filter((v) => cell.variants[v]).map((v) => [v, of(v)]));
}

/** @returns {string[]} */
function failuresOf({ cells, growth, stopping, paths, startup }) {
  const messages = [
    ...cells.flatMap(({ id, failed }) => Object.entries(failed).map(([variant, why]) => `${id} ${variant}: ${why}`)),
    ...[...growth, ...stopping, ...paths].filter((row) => row.failed).map((row) => `${row.id}: ${row.failed}`),
    ...[...unmatched].map((text) => `--only ${text}: nothing has this in its id`),
    ...Object.entries(startup.failed).map(([kind, why]) => `startup ${kind}: ${why}`),
  ];
  return [...new Set(messages)];
}

/** What the figures depend on, and nothing that names the machine. */
function machine() {
  const processors = cpus();
  return {
    node: process.versions.node,
    v8: process.versions.v8,
    platform: process.platform,
    arch: process.arch,
    cpu: processors[0]?.model ?? 'unknown',
    cores: processors.length,
    date: new Date(startedAt).toISOString(),
  };
}

function writeJson(data) {
  if (options.json === undefined) return;
  const text = `${JSON.stringify(data, null, 2)}\n`;
  if (options.json === '-') print(text);
  else writeFileSync(options.json, text);
}

/** On a terminal one line that is written over, elsewhere a line each. */
function progress(text) {
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const line = `[${seconds} s] ${text}`;
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
}

function clearProgress() {
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[K');
}

function print(text) {
  process.stdout.write(text);
}
