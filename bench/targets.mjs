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

const CYCLE = [
  { base: 'p-limit', limit: 1.5, kind: 'target' },
  { base: 'p-queue', limit: 0.8, kind: 'target' },
  { base: 'js-manager', limit: 1.2, kind: 'target' },
  { base: 'bare-await', limit: 10, kind: 'target' },
  { base: 'p-limit', limit: 1.0, kind: 'wanted' },
  { base: 'bare-await', limit: 7, kind: 'wanted' },
];
const FLAT = 2;
const FLAT_FROM = 1000;
const FLAT_TO = 100_000;
const MILLION = 1_000_000;
const TASK_BYTES = 256;
const FULL_GC_MS = 15;
const WASM_GZIP = 60_000;
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

/** With and without a listener: "everything on" is judged both ways. */
function judgeCycle(cell) {
  return ['', '+listener'].flatMap((extra) =>
    CYCLE.map(({ base, limit, kind }) => {
      // The plain manager has listeners too, so it is compared like with like.
      const other = base === 'js-manager' ? base + extra : base;
      const found = ratio(cell, `subagents${extra}`, other);
      const name = `cycle, ${cell.loop}${extra === '' ? '' : ', listener'}: ÷ ${base}`;
      return verdict({ name, limit, unit: '×', kind }, found?.median, found);
    }),
  );
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
