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
 * Some have a `createTree(options)` for the `tree` loop: `call` and `child`, with which a host runs a sub-agent of its
 * own, take parameters rather than a text.
 *
 * @typedef {object} TreeOptions
 * @property {(child: (run: object, params: object) => Promise<{ output: string }>) => (params: object, run: object) => Promise<{ output: string }>} hostOver
 * @property {number} limit Slots.
 * @property {boolean} costCap Whether there is a shared cap on cost too.
 *
 * @typedef {object} Variant
 * @property {(text: string) => Promise<{ output: string }>} call
 * @property {() => void} close
 * @property {(calls: number, turns: number) => void} [check] Throws if the variant's own counts are not what the calls
 *   made should have left; the turns are those of the `tree` loop.
 * @property {number} [mostLeaves] How many may be at the bottom of a tree at once, if not `limit`.
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
/** Of the tree: tokens, and cost too where the cell says so. */
export const treePool = (/** @type {boolean} */ costCap) => (costCap ? POOL : { tokens: POOL.tokens });
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

const GO = Object.freeze({ go: true });

/** The second argument of the tree's host for the variants that have no runs: every turn is granted, nothing is booked. */
export const OPEN_RUN = Object.freeze({
  beforeTurn: async () => GO,
  report: (_report) => {},
});

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
