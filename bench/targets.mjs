/**
 * The targets, and what a run says of each. A missed one is reported, never raised: times depend on the machine, and a
 * bench that fails on a busy one gets switched off.
 *
 * @typedef {object} Verdict
 * @property {string} name
 * @property {number} limit The figure should be at most this.
 * @property {number | null} figure Null if this run did not measure it.
 * @property {[number, number] | null} range Of the rounds, where there are several.
 * @property {string} unit
 * @property {'met' | 'missed' | 'not measured'} verdict
 * @property {'target' | 'wanted'} kind `wanted` is the hope beyond the target.
 */

import { ratio } from './cycle.mjs';

/** What a cycle may take, as ratios: at most, and what is wanted beyond. */
const CYCLES = {
  burst: { 'p-limit': [3.1, 2.4], 'p-queue': [1.7, 1.2], 'js-manager': [1.4, 1.1] },
  workers: { 'p-limit': [2.6, 2.0], 'p-queue': [1.6, 1.2], 'js-manager': [2.2, 1.7] },
};
/** With a host that reads `run.signal`, as real ones do. */
const SIGNAL = { 'p-limit': [1.5, 1.3] };
const LISTENERS = { burst: { 'p-limit': [5.5, 4] }, workers: {} };
const FLAT = 2;
const FLAT_FROM = 1000;
const FLAT_TO = 100_000;
const MILLION = 1_000_000;
const TASK_BYTES = 256;
const FULL_GC_MS = 15;
const WASM_GZIP = 122_000;
const FOR_STORES_GZIP = 4_000;
const JOURNAL_GZIP = 20_000;
const STARTUP_MS = 15;

/**
 * @param {{ cells: object[], growth: object[], startup: object, size: object }} measured
 * @returns {Verdict[]}
 */
export function judge({ cells, growth, startup, size }) {
  return [
    ...cells.filter((cell) => cell.target).flatMap(judgeCycle),
    ...judgeGrowth(growth),
    verdict({ name: 'wasm, gzip -9', limit: WASM_GZIP / 1000, unit: 'kB' }, thousandth(gzipOf(size, 'subagents.wasm'))),
    verdict(
      { name: 'what the module with the journal has besides, gzip -9', limit: JOURNAL_GZIP / 1000, unit: 'kB' },
      thousandth(gzipOf(size, 'journal.wasm') - gzipOf(size, 'subagents.wasm')),
    ),
    verdict({ name: 'JavaScript for stores alone, gzip -9', limit: FOR_STORES_GZIP / 1000, unit: 'kB' }, thousandth(size.forStores)),
    ...['esm', 'cjs'].map((kind) => {
      const ms = startup[kind]?.ms;
      return verdict({ name: `import to first call, ${kind}`, limit: STARTUP_MS, unit: 'ms' }, ms?.median, ms);
    }),
  ];
}

function judgeCycle(cell) {
  const { loop, signal } = cell;
  if (signal) return judgeRatios(cell, '', SIGNAL);
  return [...judgeRatios(cell, '', CYCLES[loop]), ...judgeRatios(cell, '+listener', LISTENERS[loop])];
}

function judgeRatios(cell, extra, limits) {
  const how = `${cell.loop}${cell.signal ? ', signal' : ''}${extra && ', listener'}`;
  return Object.entries(limits).flatMap(([base, [target, wanted]]) => {
    const found = ratio(cell, `subagents${extra}`, base);
    const judged = (kind, limit) => verdict({ name: `cycle, ${how}: ÷ ${base}`, limit, unit: '×', kind }, found?.median, found);
    return [judged('target', target), judged('wanted', wanted)];
  });
}

function judgeGrowth(growth) {
  const of = (kind, count) => growth.find((row) => row.variant === 'subagents' && row.kind === kind && row.count === count && !row.failed);
  const kinds = [...new Set(growth.map((row) => row.kind))];
  return kinds.flatMap((kind) => {
    const small = of(kind, FLAT_FROM);
    const large = of(kind, FLAT_TO);
    const million = of(kind, MILLION);
    const flat = (key) => (small && large ? large.ns[key] / small.ns[key] : undefined);
    return [
      verdict({ name: `canSpawn, 1k to 100k ${kind} tasks`, limit: FLAT, unit: '×' }, flat('canSpawn')),
      verdict({ name: `lookup, 1k to 100k ${kind} tasks`, limit: FLAT, unit: '×' }, flat('get')),
      verdict({ name: `bytes a task, 1M ${kind}, no text`, limit: TASK_BYTES, unit: 'B' }, million?.bytes.besideText),
      verdict({ name: `full GC, 1M ${kind} tasks`, limit: FULL_GC_MS, unit: 'ms' }, million?.gcMs.full),
    ];
  });
}

/** @returns {Verdict} */
function verdict({ name, limit, unit, kind = 'target' }, figure, range) {
  const known = figure !== undefined && figure !== null;
  return {
    name,
    limit,
    figure: known ? figure : null,
    range: known && range ? [range.min, range.max] : null,
    unit,
    verdict: known ? (figure <= limit ? 'met' : 'missed') : 'not measured',
    kind,
  };
}

/** Of the module with this name; `NaN` where it isn't built. */
function gzipOf({ wasm }, name) {
  return wasm.find(({ file }) => file.endsWith(name))?.gzip ?? Number.NaN;
}

function thousandth(bytes) {
  return bytes === undefined || Number.isNaN(bytes) ? undefined : bytes / 1000;
}
