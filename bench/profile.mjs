/**
 * `--profile`: the time of a spawn cycle by bucket. Runs one variant in the main cells under `--cpu-prof` and sums self
 * time, counting only the samples within timed rounds.
 */

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runChild } from './children.mjs';
import { childTask } from './cycle.mjs';

const BENCH = pathToFileURL(fileURLToPath(new URL('.', import.meta.url))).href;
const PACKAGE = pathToFileURL(fileURLToPath(new URL('..', import.meta.url))).href;
const SAMPLING_US = 100;
const ROUNDS = 20;
const TOP = 25;

const BUCKETS = ['package JS', 'wasm', 'host and loop', 'other packages', 'garbage collector', 'V8 and Node'];

/**
 * @param {import('./cells.mjs').Cell} cell
 * @param {string} variant
 */
export async function profileCell(cell, variant) {
  const folder = mkdtempSync(join(tmpdir(), 'subagents-profile-'));
  try {
    const flags = ['--cpu-prof', `--cpu-prof-dir=${folder}`, `--cpu-prof-interval=${SAMPLING_US}`];
    const { ns, windows } = await runChild('cycle-child.mjs', { ...childTask(cell, variant), rounds: ROUNDS }, { flags });
    const [file] = readdirSync(folder);
    const profile = JSON.parse(readFileSync(join(folder, file), 'utf8'));
    return { cell: cell.id, variant, ns, ...summarise(profile, windows) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @param {object} profile As V8 writes it. @param {[number, number][]} windows In microseconds, in order. */
function summarise({ nodes, samples, timeDeltas, startTime }, windows) {
  const selfUs = new Map();
  let at = startTime;
  let window = 0;
  for (let i = 0; i < samples.length; i++) {
    at += timeDeltas[i];
    while (window < windows.length && at > windows[window][1]) window++;
    if (window === windows.length) break;
    if (at < windows[window][0]) continue;
    selfUs.set(samples[i], (selfUs.get(samples[i]) ?? 0) + timeDeltas[i]);
  }

  const functions = new Map();
  const buckets = Object.fromEntries(BUCKETS.map((bucket) => [bucket, 0]));
  let total = 0;
  for (const { id, callFrame } of nodes) {
    const us = selfUs.get(id);
    if (us === undefined) continue;
    total += us;
    buckets[bucketOf(callFrame)] += us;
    const name = nameOf(callFrame);
    functions.set(name, (functions.get(name) ?? 0) + us);
  }
  const share = (us) => us / total;
  return {
    sampledMs: total / 1000,
    buckets: Object.fromEntries(Object.entries(buckets).map(([bucket, us]) => [bucket, share(us)])),
    functions: [...functions]
      .sort((a, b) => b[1] - a[1])
      .slice(0, TOP)
      .map(([name, us]) => ({ name, share: share(us) })),
  };
}

function bucketOf({ functionName, url }) {
  if (functionName === '(garbage collector)') return 'garbage collector';
  if (url.startsWith('wasm:')) return 'wasm';
  if (url.includes('/node_modules/')) return 'other packages';
  // The plain manager is to its variant what `dist/` is to the package.
  if (url.endsWith('/plain-manager.mjs')) return 'package JS';
  if (url.startsWith(BENCH)) return 'host and loop';
  if (url.startsWith(PACKAGE)) return 'package JS';
  return 'V8 and Node';
}

function nameOf({ functionName, url, lineNumber }) {
  const name = functionName === '' ? '(anonymous)' : functionName;
  if (url === '') return name;
  if (url.startsWith('wasm:')) return `${name} (wasm)`;
  const path = url.startsWith(PACKAGE) ? url.slice(PACKAGE.length) : url.split(sep).at(-1);
  return `${name} ${path}:${lineNumber + 1}`;
}
