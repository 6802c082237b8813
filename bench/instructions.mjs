#!/usr/bin/env node
/**
 * `npm run bench:instructions`: how many machine instructions a plain cycle takes (spawn, wait, settle; texts of 200
 * characters; 100 in flight), by where they are spent. Counted under valgrind, not timed: a difference of 1 % shows, however
 * busy the machine is.
 *
 *   node bench/instructions.mjs              the whole cycle in Node, as in `npm run bench`: module, JavaScript, V8
 *   node bench/instructions.mjs --core       the core alone, compiled natively, with nothing capped; needs Rust
 *   node bench/instructions.mjs --core --capped   with caps on tokens and money
 *   node bench/instructions.mjs --variant p-limit   another variant of the bench; `subagents+listener`: with a listener
 *   node bench/instructions.mjs --variant journal-memory   with a journal in memory, batched; what it adds is the difference.
 *                                          `--functions` tells it apart: a full collection of V8 may fall into one of the runs
 *   node bench/instructions.mjs --misses     how often code was not in a first-level cache of 32 kB, as valgrind simulates it,
 *                                          in place of instructions
 *   node bench/instructions.mjs --functions  what each function takes itself, the functions that it calls left out; the
 *                                          module's have names after `cargo xtask build --named && npm run build`
 *
 * The program runs twice, with more cycles the second time. What it does once is in both counts: their difference is what
 * the cycles take. Node compiles the module with the optimising compiler from the start,
 * and JavaScript in one thread, so that it is the same each time.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { misused, readOptions } from '../scripts/run.mjs';
import { expectVariant } from './options.mjs';

const USAGE = 'npm run bench:instructions -- [--core [--capped]] [--variant NAME] [--misses] [--functions]';
const options = readOptions(
  {
    core: { type: 'boolean', default: false },
    capped: { type: 'boolean', default: false },
    variant: { type: 'string' },
    misses: { type: 'boolean', default: false },
    functions: { type: 'boolean', default: false },
  },
  USAGE,
);
const { variant = 'subagents' } = options;
expectVariant(variant, USAGE);
if (options.capped && !options.core) misused('--capped is of --core alone', USAGE);
if (options.core && options.variant !== undefined) misused('--core has no variants', USAGE);
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'subagents-instructions-'));
/** Fewer than this a cycle are not shown. */
const LEAST_SHOWN = 5;
/** What valgrind is asked to count, and what it calls that. */
const [COUNTED, EVENT] = options.misses ? ['instruction-cache misses', 'I1mr'] : ['instructions', 'Ir'];
const SIMULATION = options.misses ? ['--cache-sim=yes', '--I1=32768,8,64'] : [];

try {
  if (options.core) run('cargo', ['build', '--quiet', '--release', '--example', 'cycle']);
  // Node needs more of them until all that is hot is compiled.
  const [few, many] = options.core ? [2_000, 12_000] : [12_000, 24_000];
  const [before, after] = [count(few), count(many)];
  const rows = [...after].map(([of, cost]) => [of, (cost - (before.get(of) ?? 0)) / (many - few)]).sort((a, b) => b[1] - a[1]);
  for (const part of options.core ? ['core'] : ['module', 'JavaScript', 'V8 and Node']) {
    const inPart = rows.filter(([of]) => part === (options.core ? 'core' : partOf(of)));
    const total = inPart.reduce((sum, [, instructions]) => sum + instructions, 0);
    process.stdout.write(`${part}: ${Math.round(total)} ${COUNTED} a cycle\n`);
    for (const [of, instructions] of options.functions ? inPart.filter(([, each]) => each >= LEAST_SHOWN) : []) {
      process.stdout.write(`${String(Math.round(instructions)).padStart(7)}  ${of}\n`);
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command, args) {
  const { status, error, stderr } = spawnSync(command, args, {
    cwd: command === 'cargo' ? root : folder,
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${command} failed: ${error?.message ?? stderr}`);
}

/** What each function takes itself, of so many cycles. */
function count(cycles) {
  const out = join(folder, `${cycles}.out`);
  const valgrind = ['--tool=callgrind', '--dump-instr=yes', ...SIMULATION, `--callgrind-out-file=${out}`];
  if (options.core) {
    run('valgrind', [...valgrind, join(root, 'target/release/examples/cycle'), String(cycles), options.capped ? 'capped' : '']);
    return selfCosts(readFileSync(out, 'utf8'), []);
  }
  const program = [join(root, 'bench/instructions/cycle.mjs'), variant, String(cycles)];
  const named = join(folder, String(cycles));
  const node = [process.execPath, '--no-liftoff', '--predictable', '--perf-basic-prof', ...program];
  run('sh', ['-c', `echo $$ > '${named}'; exec valgrind "$@"`, 'sh', ...valgrind, '--smc-check=all-non-file', ...node]);
  const map = `/tmp/perf-${readFileSync(named, 'utf8').trim()}.map`;
  const compiled = readFileSync(map, 'utf8').trim().split('\n').map(compiledAt);
  rmSync(map);
  return selfCosts(
    readFileSync(out, 'utf8'),
    compiled.sort((a, b) => a.from - b.from),
  );
}

/** What V8 compiled, by where it lies: a line of `--perf-basic-prof`. */
function compiledAt(line) {
  const [, from, length, name] = /^([0-9a-f]+) ([0-9a-f]+) (.*)$/.exec(line) ?? [];
  return { from: Number.parseInt(from, 16), to: Number.parseInt(from, 16) + Number.parseInt(length, 16), name };
}

function partOf(name) {
  if (/-\d+-turbofan$/.test(name) && !name.startsWith('JS:wasm-to-js')) return 'module';
  return name.startsWith('JS:') ? 'JavaScript' : 'V8 and Node';
}

/**
 * Reads what valgrind wrote: below `fn=`, lines of an address, perhaps relative to the one before, a line and a cost. The one
 * after `calls=` is another function's.
 */
function selfCosts(text, compiled) {
  const names = new Map();
  const costs = new Map();
  let [current, address, isCall] = ['', 0, false];
  const event = /^events: (.*)$/m.exec(text)[1].split(' ').indexOf(EVENT);
  for (const line of text.split('\n')) {
    const [, kind, number, name] = /^(c?fn)=\((\d+)\)(?: (.*))?$/.exec(line) ?? [];
    if (kind !== undefined) {
      if (name !== undefined) names.set(number, name.replace(/::h[0-9a-f]{16}$/, '').replace(/'\d+$/, ''));
      if (kind === 'fn') current = names.get(number);
    } else if (line.startsWith('calls=')) {
      isCall = true;
    } else if (/^[+\-*]|^0x/.test(line)) {
      // Trailing zeros are left out.
      const [at, , ...counts] = line.split(' ');
      const cost = counts[event] ?? 0;
      if (at !== '*') address = /^[+-]/.test(at) ? address + Number(at) : Number(at);
      if (!isCall) {
        const of = /^(0x|\?\?\?)/.test(current) ? (nameAt(address, compiled) ?? current) : current;
        costs.set(of, (costs.get(of) ?? 0) + Number(cost));
      }
      isCall = false;
    }
  }
  return costs;
}

function nameAt(address, compiled) {
  let [low, high] = [0, compiled.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compiled[middle].from <= address) low = middle + 1;
    else high = middle;
  }
  const found = compiled[low - 1];
  return found !== undefined && address < found.to ? found.name.replace(/::h[0-9a-f]{16}(?=-\d+-turbofan$)/, '') : undefined;
}
