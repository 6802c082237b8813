// Runs commands one after the other, with their output passed through. Owns how a step is shown, the effect of its failure, and
// how arguments are read.

import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { isBuilt, isInstalled, PACKAGE } from './stamp.mjs';
import { npm } from './system.mjs';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** The reports of the tests, for `scripts/rules.mjs`. */
export const reports = {
  cargo: `${root}target/proof/cargo.txt`,
  vitest: `${root}target/proof/vitest.json`,
  /** Of `npm test`. */
  share: `${root}target/proof/share.json`,
};

/** The place in a list of steps, shown before the titles. */
let place = '';

/** Carries out steps one after the other. Shows the number of each, how many there are, and how long each took. */
export function inOrder(steps) {
  const began = Date.now();
  for (const [at, step] of steps.entries()) {
    const from = Date.now();
    place = `${at + 1} of ${steps.length}, after ${seconds(began)}: `;
    step();
    process.stderr.write(`   took ${seconds(from)}\n`);
  }
  process.stderr.write(`\nall checks passed in ${seconds(began)}\n`);
}

function seconds(from) {
  const passed = Math.round((Date.now() - from) / 1000);
  return passed < 60 ? `${passed} s` : `${Math.floor(passed / 60)} min ${passed % 60} s`;
}

/**
 * Runs a command. `quiet` shows its output only if it fails; `keep` is a file for its output. If it fails, this ends the
 * process.
 */
export function run(title, command, args, { cwd = root, quiet = false, env = {}, keep } = {}) {
  process.stderr.write(`\n── ${place}${title}\n`);
  const [program, words] = command === 'npm' ? npm(args) : [command, args];
  const result = spawnSync(program, words, {
    cwd,
    stdio: ['ignore', quiet || keep ? 'pipe' : 'inherit', quiet ? 'pipe' : 'inherit'],
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  });
  if (keep && result.stdout) {
    mkdirSync(dirname(keep), { recursive: true });
    writeFileSync(keep, result.stdout);
    process.stdout.write(result.stdout);
  }
  if (result.error) {
    process.stderr.write(`${command} could not be started: ${result.error.message}\n`);
    process.exit(1);
  }
  if (result.status !== 0) {
    if (quiet) process.stderr.write(`${result.stdout}${result.stderr}`);
    process.stderr.write(`\n${title}: failed\n`);
    process.exit(result.status ?? 1);
  }
}

/** Installs the packages of a lock file, unless they are there already; `flags` are for npm. */
export function install(folder = root, flags = []) {
  if (isInstalled(folder)) return;
  const name = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).name;
  run(`installing ${name}`, 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error', ...flags], { cwd: folder, quiet: true });
}

/** Builds the package, unless dist/ is up to date: then others may be reading it. */
export function buildPackage() {
  if (isBuilt('package', PACKAGE.from, PACKAGE.made)) return;
  node('building the package', [`${root}scripts/build.mjs`]);
}

/** Reads the options of `npm run NAME -- …` before anything is done. A mistake prints one line and the usage, exit code 2. */
export function readOptions(options, usage, args = process.argv.slice(2)) {
  try {
    return parseArgs({ options, args }).values;
  } catch (error) {
    return misused(error.message, usage);
  }
}

/** The whole number of an option. `Number` alone would take an empty text for 0, and pass on NaN. */
export function whole(name, text, usage, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}) {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= from && number <= to) return number;
  const bounds = to === Number.MAX_SAFE_INTEGER ? `of ${from} or more` : `from ${from} to ${to}`;
  return misused(`--${name} takes a whole number ${bounds}, not ${text}`, usage);
}

/** Checks that an option is a word of a list. */
export function expectOneOf(name, text, words, usage) {
  if (!words.includes(text)) misused(`--${name} takes one of ${words.join(', ')}, not ${text}`, usage);
}

/** Checks for a cargo command that is installed separately. Running cargo reports whether cargo itself is missing. */
export function needCargo(command) {
  const { status, error } = spawnSync('cargo', [command, '--version']);
  if (status === 0 || error) return;
  process.stderr.write(`cargo ${command} is missing: cargo install --locked cargo-${command}\n`);
  process.exit(1);
}

/** Checked before a long run, not found out after it. */
export function mustBeWritable(file, usage) {
  try {
    appendFileSync(file, '');
  } catch (error) {
    misused(`${file} cannot be written: ${error.code}`, usage);
  }
}

export function misused(message, usage) {
  process.stderr.write(`${message}\n${usage}\n`);
  process.exit(2);
}

export function node(title, args, options) {
  run(title, process.execPath, args, options);
}
