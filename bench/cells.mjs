/**
 * The spawn-cycle cells: which loop, texts, calls in flight and host. A cell is measured with every variant.
 *
 * @typedef {object} Cell
 * @property {string} id Unique, made of the rest: what `--only` matches.
 * @property {'workers' | 'burst' | 'flood'} loop
 * @property {number} size Characters of each text, each way.
 * @property {number} inFlight
 * @property {number} limit The variant's limit.
 * @property {boolean} signal Whether the host reads `run.signal`.
 * @property {boolean} gcBetween Whether a full GC is run before each round, or only before the first.
 * @property {number} calls In a timed round.
 * @property {number} warmup Rounds before the clock starts.
 * @property {number} rounds Timed rounds in one process, whose median is the process's figure.
 * @property {string[]} variants Names of files in `variants/`, with `+listener` for a listener that takes all events.
 * @property {boolean} target Whether targets are judged on it.
 */

/** From the floor to the package. */
export const VARIANTS = ['bare-await', 'async-sema', 'p-limit', 'p-queue', 'js-manager', 'subagents'];
/** Only the managers have events. */
export const LISTENING = ['js-manager+listener', 'subagents+listener'];

const CALLS = 20_000;
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
  const { loop, inFlight, size = SHORT, signal = false, limit = inFlight } = part;
  return {
    id: `${loop}/${size}B/${inFlight}${signal ? '/signal' : ''}`,
    size,
    signal,
    limit,
    gcBetween: loop === 'workers',
    calls: size === SHORT ? Math.max(CALLS, loop === 'flood' ? 0 : TURNS * inFlight) : CALLS_OF_LONG_TEXTS,
    warmup: size === SHORT ? 3 : 1,
    rounds: size === SHORT ? 7 : 3,
    ...(quick ? { warmup: 2, rounds: 5 } : {}),
    variants: VARIANTS,
    target: false,
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
  const judged = loops.map((loop) => cell({ loop, inFlight: 100, target: true, variants: [...VARIANTS, ...LISTENING] }, quick));
  const flooded = cell({ loop: 'flood', inFlight: 20_000, limit: 100 }, quick);
  if (quick) return [...judged, flooded];

  const others = [];
  for (const loop of loops) {
    for (const size of [SHORT, LONG]) {
      for (const inFlight of [1, 100, 10_000]) {
        for (const signal of [false, true]) {
          if (size === SHORT && inFlight === 100 && !signal) continue; // Among the judged ones.
          others.push(cell({ loop, size, inFlight, signal }, quick));
        }
      }
    }
  }
  return [...judged, flooded, ...others];
}
