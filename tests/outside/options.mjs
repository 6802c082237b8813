// Under which options a life is lived: random ones, with values that bite in so short a life. Owns the numbers; which of them a
// spawn or a change of limits has is said by `operations.mjs`.

/** After which ends a run may be tried again. */
const RETRIED = ['host_threw', 'host_failed', 'host_lost', 'host_timed_out', 'host_cancelled'];

/** A budget that caps tokens, dollars, or both. */
export function capOf(tokens, costUsd) {
  return { tokens, costUsd, turns: Number.POSITIVE_INFINITY };
}

/** Models that agents are given, and that reports name; not each has a price. */
export const MODELS = ['a-big', 'a-small', 'b', 'c'];

/** Prices of some models, such that a few dozen tokens cost some hundredths of a dollar, and none comes out even. */
export function pricesOf(rng) {
  const price = () => rng.int(1e11, 9e11) / 1e9;
  const names = ['a*', 'a-big', 'a-b*', 'b', '*'].filter(() => rng.chance(0.4));
  const some = () => ['cacheRead', 'cacheWrite', 'cacheWrite1h'].filter(() => rng.chance(0.6)).map((field) => [field, price()]);
  return Object.fromEntries(names.map((name) => [name, { input: price(), output: price(), ...Object.fromEntries(some()) }]));
}

/** Rates of some keys: some bind from the first starts on, most now and then, and what one turn takes may be more than a burst. */
export function ratesOf(rng) {
  const rate = () => ({
    ...(rng.chance(0.7) && { requestsPerMinute: rng.pick([7, 30, 30, 60, 90]) }),
    tokensPerMinute: rng.pick([Number.POSITIVE_INFINITY, 600, 900, 1_700, 3_000]),
  });
  return Object.fromEntries(['one', 'o*', 'other', '*'].filter(() => rng.chance(0.5)).map((name) => [name, rate()]));
}

/** A number of thousandths of a dollar, in dollars. */
export function thousandths(count) {
  return count / 1_000;
}

/** With this chance a random amount from `least` to `most`, else no bound. */
export function upTo(rng, chance, least, most, of = (amount) => amount) {
  return rng.chance(chance) ? of(rng.int(least, most)) : Number.POSITIVE_INFINITY;
}

/** The options of a life. What matters is given, so that no default does, but for what turns are expected to need. */
export function optionsOf(rng) {
  return {
    maxConcurrent: rng.int(1, 4),
    maxQueued: rng.chance(0.15) ? rng.int(0, 3) : 1_000,
    maxDepth: rng.int(1, 4),
    maxChildren: 1_000,
    maxTasks: 100_000,
    retain: 100_000,
    maxSessions: 1_000,
    maxAbandoned: rng.chance(0.2) ? rng.int(1, 2) : 100,
    maxTurns: rng.int(1, 6),
    turnEstimate: rng.chance(0.5) ? 100 : undefined,
    turnEstimateUsd: rng.chance(0.5) ? 0.05 : undefined,
    wrapUpTokens: rng.pick([0, 40, 40, 100]),
    timeoutMs: rng.chance(0.3) ? rng.int(500, 3_000) : 10_000_000,
    graceMs: rng.pick([0, 100, 200, 200]),
    idleTimeoutMs: rng.chance(0.2) ? rng.int(300, 1_000) : 10_000_000,
    abandonMs: rng.int(300, 1_000),
    askTimeoutMs: 2_000,
    maxMessages: rng.int(2, 5),
    ageingMs: rng.chance(0.8) ? 1e12 : 1_000,
    leaseMs: rng.int(200, 600),
    staggerMs: rng.pick([7, 31, 113, 0, 0, 0, undefined, undefined, undefined]),
    maxDeliveries: rng.int(1, 3),
    maxInjected: 100,
    maxSpawns: upTo(rng, 0.25, 3, 12),
    onLimit: rng.chance(0.1) ? 'reject' : 'queue',
    budget: capOf(upTo(rng, 0.4, 300, 2_500), upTo(rng, 0.25, 150, 1_250, thousandths)),
    retry: rng.chance(0.25) ? retryOf(rng, 0) : undefined,
    taskBudget: capOf(upTo(rng, 0.3, 150, 900), upTo(rng, 0.2, 75, 450, thousandths)),
    hasPolicies: rng.chance(0.3),
    prices: rng.chance(0.6) ? pricesOf(rng) : {},
    modelId: rng.pick([undefined, undefined, ...MODELS]),
    rates: rng.chance(0.35) ? ratesOf(rng) : {},
    countCacheReads: rng.pick([1_000, 1_000, 0, 100, 333, 5_000]),
    isDriven: rng.chance(0.3),
    agents: rng.chance(0.3) ? { reader: definitionOf(rng), writer: definitionOf(rng) } : undefined,
  };
}

/** A definition of an agent: some of what a spawn may give itself. Deadlines are left out, for each is at a moment of its own. */
function definitionOf(rng) {
  return {
    description: 'what it is for',
    background: rng.pick([undefined, false, true]),
    priority: rng.pick([undefined, 0, 2]),
    maxTurns: rng.pick([undefined, 1, 3]),
    ...(rng.chance(0.15) && { maxSpawns: rng.int(1, 2) }),
    rateLimitKey: rng.pick([undefined, undefined, 'one']),
    turnEstimate: rng.pick([undefined, undefined, undefined, 60]),
    model: rng.pick([undefined, ...MODELS]),
    ...(rng.chance(0.2) && { prices: pricesOf(rng) }),
    ...(rng.chance(0.3) && { budget: { tokens: rng.int(120, 700), costUsd: rng.int(60, 350) / 1_000 } }),
  };
}

/** How runs are tried again. No two attempts are due at one moment: no rule says which of them comes first. */
export function retryOf(rng, number) {
  const on = RETRIED.filter(() => rng.chance(0.5));
  return { max: rng.int(1, 3), backoffMs: rng.pick([1, 3, 30, 130]) + number, ...(on.length > 0 && rng.chance(0.4) ? { on } : {}) };
}

/** Where the journal of a life is kept, and how, and what bounds a life that goes on. */
export function storeOf(rng) {
  return {
    kind: rng.chance(0.08) ? 'file' : 'memory',
    durability: rng.chance(0.6) ? 'sync' : 'batched',
    bounds: { maxLost: rng.int(1, 3), idempotencyTtlMs: rng.pick([700, 1e8]) },
  };
}
