/**
 * Runs the spawn-cycle cells: one process per variant and round, the variants taking turns, so that whatever else the
 * machine does falls on all of them. Ratios are taken inside a round and their median is reported.
 */

import { runChild } from './children.mjs';
import { median, summary } from './stats.mjs';

/**
 * @param {import('./cells.mjs').Cell} cell
 * @param {{ rounds: number, progress: (text: string) => void, outOfTime: () => boolean }} options
 */
export async function measureCell(cell, { rounds, progress, outOfTime }) {
  /** @type {Record<string, number[]>} */
  const ns = Object.fromEntries(cell.variants.map((variant) => [variant, []]));
  const failed = {};
  for (let round = 0; round < rounds && !(round > 0 && outOfTime()); round++) {
    for (let i = 0; i < cell.variants.length; i++) {
      // Each round starts with another variant, so none always follows the same one.
      const variant = cell.variants[(i + round) % cell.variants.length];
      if (failed[variant] !== undefined) continue;
      progress(`${cell.id} round ${round + 1}/${rounds} ${variant}`);
      try {
        ns[variant].push((await runChild('cycle-child.mjs', childTask(cell, variant))).ns);
      } catch (error) {
        failed[variant] = error.message;
      }
    }
  }
  const { id, loop, size, inFlight, limit, signal, calls } = cell;
  return {
    id,
    loop,
    size,
    inFlight,
    limit,
    signal,
    calls,
    variants: Object.fromEntries(cell.variants.filter((v) => failed[v] === undefined && ns[v].length > 0).map((v) => [v, summary(ns[v])])),
    failed,
  };
}

/**
 * @param {import('./cells.mjs').Cell} cell
 * @param {string} variant As in the cell, perhaps with `+listener`.
 */
export function childTask(cell, variant) {
  const [name, extra] = variant.split('+');
  return { ...cell, variant: name, listener: extra === 'listener' };
}

/**
 * The median over the rounds of `variant` ÷ `base`, each taken in one round.
 * @returns {{ median: number, min: number, max: number } | null} Null if either is missing.
 */
export function ratio(cell, variant, base) {
  const ours = cell.variants[variant]?.values;
  const theirs = cell.variants[base]?.values;
  if (ours === undefined || theirs === undefined) return null;
  const ratios = [];
  for (let i = 0; i < Math.min(ours.length, theirs.length); i++) ratios.push(ours[i] / theirs[i]);
  return { median: median(ratios), min: Math.min(...ratios), max: Math.max(...ratios) };
}
