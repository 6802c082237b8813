/**
 * The spawn-cycle cells: which loop, texts, calls in flight and host. A cell is measured with every variant.
 *
 * @typedef {object} Cell
 * @property {string} id Unique, made of the rest: what `--only` matches.
 * @property {'workers' | 'burst' | 'flood' | 'fan-out' | 'tree'} loop
 * @property {number} size Characters of each text, each way.
 * @property {number} inFlight
 * @property {number} limit The variant's limit.
 * @property {boolean} signal Whether the host reads `run.signal`.
 * @property {boolean} costCap Whether a `tree`'s managers have a shared cap on cost too, far above what is spent.
 * @property {boolean} gcBetween Whether a full GC is run before each round, or only before the first.
 * @property {number} calls In a timed round.
 * @property {number} warmup Rounds before the clock starts.
 * @property {number} rounds Timed rounds in one process, whose median is the process's figure.
 * @property {string[]} variants Names of files in `variants/`, with `+listener` for a listener that takes all events.
 * @property {boolean} isMain Whether it is measured before all else, and is what `--profile` runs.
 */

import { TREE_SIZE } from './loops/tree.mjs';

/** From the floor to the package. */
export const VARIANTS = ['bare-await', 'async-sema', 'p-limit', 'p-queue', 'js-manager', 'subagents'];
/** Only the managers have events. */
export const LISTENING = ['js-manager+listener', 'subagents+listener'];

/** Variants that can run the tree. */
const NESTING = ['bare-await', 'p-limit', 'p-queue', 'js-manager', 'subagents'];

const CALLS = 20_000;
/** Trees a round: 2,220 sub-agents. */
const TREES = 2;
/** With many in flight, a worker or a batch should come round this often. */
const TURNS = 4;
/** The texts of all rounds are held at once, two a call: 10,000 calls with 4-kB texts are 82 MB. */
const CALLS_OF_LONG_TEXTS = 10_000;
const SHORT = 200;
const LONG = 4096;

/**
 * @param {Partial<Cell> & Pick<Cell, 'loop' | 'inFlight'>} part
 * @param {boolean} quick Fewer rounds.
 * @returns {Cell}
 */
function cell(part, quick) {
  const { loop, inFlight, size = SHORT, signal = false, costCap = false, limit = inFlight } = part;
  return {
    id: `${loop}/${size}B/${inFlight}${signal ? '/signal' : ''}${costCap ? '/cost' : ''}`,
    size,
    signal,
    costCap,
    limit,
    gcBetween: loop === 'workers',
    calls: size === SHORT ? Math.max(CALLS, loop === 'flood' ? 0 : TURNS * inFlight) : CALLS_OF_LONG_TEXTS,
    warmup: size === SHORT ? 3 : 1,
    rounds: size === SHORT ? 7 : 3,
    ...(quick ? { warmup: 2, rounds: 5 } : {}),
    variants: VARIANTS,
    isMain: false,
    ...part,
  };
}

/**
 * All cells.
 * @param {{ quick: boolean }} options
 * @returns {Cell[]}
 */
export function cells({ quick }) {
  const loops = /** @type {const} */ (['workers', 'burst']);
  const main = [
    ...loops.map((loop) => cell({ loop, inFlight: 100, isMain: true, variants: [...VARIANTS, ...LISTENING] }, quick)),
    ...loops.map((loop) => cell({ loop, inFlight: 100, signal: true, isMain: true }, quick)),
  ];
  const flooded = cell({ loop: 'flood', inFlight: 20_000, limit: 100 }, quick);
  const fanned = cell({ loop: 'fan-out', inFlight: 10_000, limit: 100, calls: 10_000 }, quick);
  // A tree's limit is what its id shows: no option decides how many are in flight. More warm-up, as its rounds are short.
  const treed = /** @type {const} */ ({ loop: 'tree', inFlight: 16, calls: TREES * TREE_SIZE, warmup: 10, rounds: 9, variants: NESTING });
  const few = [...main, flooded, fanned, cell(treed, quick)];
  if (quick) return few;

  const others = [cell({ ...treed, costCap: true }, quick)];
  for (const loop of loops) {
    for (const size of [SHORT, LONG]) {
      for (const inFlight of [1, 100, 10_000]) {
        for (const signal of [false, true]) {
          if (size === SHORT && inFlight === 100) continue; // Among the main ones.
          others.push(cell({ loop, size, inFlight, signal }, quick));
        }
      }
    }
  }
  return [...few, ...others];
}
