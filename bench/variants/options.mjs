/**
 * What every variant is made from, and the settings both managers get.
 *
 * A variant's `create(options)` returns `{ call(text), close() }`. `call` resolves with an object that has an
 * `output`, not with the string: unwrapping it would cost the thin variants an async layer that the program they stand
 * for does not have.
 *
 * @typedef {object} VariantOptions
 * @property {(params: { instructions: string }, run: object) => Promise<{ output: string }>} host
 * @property {number} limit Calls in flight.
 * @property {boolean} readSignal Whether the host reads `run.signal`.
 * @property {boolean} listener Whether a listener takes every event; only the managers have events.
 *
 * @typedef {object} Variant
 * @property {(text: string) => Promise<{ output: string }>} call
 * @property {() => void} close
 * @property {() => void} [check] Throws if the variant's own counts are not what the calls made should have left.
 */

/**
 * Every gate is on and none refuses: large finite numbers, because `Infinity` may skip the arithmetic being measured.
 * @param {number} limit
 */
export function managerLimits(limit) {
  return {
    maxConcurrent: limit,
    maxQueued: 100_000,
    maxTasks: 100_000,
    maxChildren: 100_000,
    maxDepth: 1,
    retain: 1000,
    turnEstimate: 2000,
    timeoutMs: 1_800_000,
    checkConsumerSpawn: allow,
  };
}

const ALLOWED = Object.freeze({ allowed: true });
const allow = () => ALLOWED;

/** The pool: never used up by a run of the bench, and small enough to stay exact. */
export const POOL = Object.freeze({ tokens: 1e12, costUsd: 1e6 });
/** Each task's cap. */
export const TASK_TOKENS = 10_000;

const RUN = Object.freeze({});

/**
 * The second argument of the host for the variants that have no runs of their own. Where the host reads the signal,
 * the program would make an `AbortController` for each call, so this does.
 * @param {boolean} readSignal
 * @returns {() => object}
 */
export function plainRuns(readSignal) {
  return readSignal ? () => ({ signal: new AbortController().signal }) : () => RUN;
}

/** An event listener that does next to nothing, yet cannot be optimised away. */
export function countingListener() {
  const seen = { events: 0 };
  return {
    seen,
    listener: (event) => {
      if (event.type !== undefined) seen.events++;
    },
  };
}
