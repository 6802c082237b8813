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
export function pricesOf(dice) {
  const price = () => dice.int(1e11, 9e11) / 1e9;
  const names = ['a*', 'a-big', 'a-b*', 'b', '*'].filter(() => dice.chance(0.4));
  const some = () => ['cacheRead', 'cacheWrite', 'cacheWrite1h'].filter(() => dice.chance(0.6)).map((field) => [field, price()]);
  return Object.fromEntries(names.map((name) => [name, { input: price(), output: price(), ...Object.fromEntries(some()) }]));
}

/** Rates of some keys: some bind from the first starts on, most now and then, and what one turn takes may be more than a burst. */
export function ratesOf(dice) {
  const rate = () => ({
    ...(dice.chance(0.7) && { requestsPerMinute: dice.pick([7, 30, 30, 60, 90]) }),
    tokensPerMinute: dice.pick([Number.POSITIVE_INFINITY, 600, 900, 1_700, 3_000]),
  });
  return Object.fromEntries(['one', 'o*', 'other', '*'].filter(() => dice.chance(0.5)).map((name) => [name, rate()]));
}

/** A number of thousandths of a dollar, in dollars. */
export function thousandths(count) {
  return count / 1_000;
}

/** With this chance a random amount from `least` to `most`, else no bound. */
export function upTo(dice, chance, least, most, of = (amount) => amount) {
  return dice.chance(chance) ? of(dice.int(least, most)) : Number.POSITIVE_INFINITY;
}

/** The options of a life. What matters is given, so that no default does, but for what turns are expected to need. */
export function optionsOf(dice) {
  return {
    maxConcurrent: dice.int(1, 4),
    maxQueued: dice.chance(0.15) ? dice.int(0, 3) : 1_000,
    maxDepth: dice.int(1, 4),
    maxChildren: 1_000,
    maxTasks: 100_000,
    retain: 100_000,
    maxSessions: 1_000,
    maxAbandoned: dice.chance(0.2) ? dice.int(1, 2) : 100,
    maxTurns: dice.int(1, 6),
    turnEstimate: dice.chance(0.5) ? 100 : undefined,
    turnEstimateUsd: dice.chance(0.5) ? 0.05 : undefined,
    wrapUpTokens: dice.pick([0, 40, 40, 100]),
    timeoutMs: dice.chance(0.3) ? dice.int(500, 3_000) : 10_000_000,
    graceMs: dice.pick([0, 100, 200, 200]),
    idleTimeoutMs: dice.chance(0.2) ? dice.int(300, 1_000) : 10_000_000,
    abandonMs: dice.int(300, 1_000),
    askTimeoutMs: 2_000,
    maxMessages: dice.int(2, 5),
    ageingMs: dice.chance(0.8) ? 1e12 : 1_000,
    leaseMs: dice.int(200, 600),
    staggerMs: dice.pick([7, 31, 113, 0, 0, 0, undefined, undefined, undefined]),
    maxDeliveries: dice.int(1, 3),
    maxInjected: 100,
    maxSpawns: upTo(dice, 0.25, 3, 12),
    onLimit: dice.chance(0.1) ? 'reject' : 'queue',
    budget: capOf(upTo(dice, 0.4, 300, 2_500), upTo(dice, 0.25, 150, 1_250, thousandths)),
    retry: dice.chance(0.25) ? retryOf(dice, 0) : undefined,
    taskBudget: capOf(upTo(dice, 0.3, 150, 900), upTo(dice, 0.2, 75, 450, thousandths)),
    hasPolicies: dice.chance(0.3),
    prices: dice.chance(0.6) ? pricesOf(dice) : {},
    modelId: dice.pick([undefined, undefined, ...MODELS]),
    rates: dice.chance(0.35) ? ratesOf(dice) : {},
    countCacheReads: dice.pick([1_000, 1_000, 0, 100, 333, 5_000]),
    isDriven: dice.chance(0.3),
    agents: dice.chance(0.3) ? { reader: definitionOf(dice), writer: definitionOf(dice) } : undefined,
  };
}

/** A definition of an agent: some of what a spawn may give itself. Deadlines are left out, for each is at a moment of its own. */
function definitionOf(dice) {
  return {
    description: 'what it is for',
    background: dice.pick([undefined, false, true]),
    priority: dice.pick([undefined, 0, 2]),
    maxTurns: dice.pick([undefined, 1, 3]),
    ...(dice.chance(0.15) && { maxSpawns: dice.int(1, 2) }),
    rateLimitKey: dice.pick([undefined, undefined, 'one']),
    turnEstimate: dice.pick([undefined, undefined, undefined, 60]),
    model: dice.pick([undefined, ...MODELS]),
    ...(dice.chance(0.2) && { prices: pricesOf(dice) }),
    ...(dice.chance(0.3) && { budget: { tokens: dice.int(120, 700), costUsd: dice.int(60, 350) / 1_000 } }),
  };
}

/** How runs are tried again. No two attempts are due at one moment: no rule says which of them comes first. */
export function retryOf(dice, number) {
  const on = RETRIED.filter(() => dice.chance(0.5));
  return { max: dice.int(1, 3), backoffMs: dice.pick([1, 3, 30, 130]) + number, ...(on.length > 0 && dice.chance(0.4) ? { on } : {}) };
}

/** Where the journal of a life is kept, and how, and what bounds a life that goes on. */
export function storeOf(dice) {
  return {
    kind: dice.chance(0.08) ? 'file' : 'memory',
    durability: dice.chance(0.6) ? 'sync' : 'batched',
    bounds: { maxLost: dice.int(1, 3), idempotencyTtlMs: dice.pick([700, 1e8]) },
  };
}
