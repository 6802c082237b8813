// Tokens by kind and by model, what they cost by prices, and what was spent by model and by agent (B11, B15). Dollars are whole
// billionths, and every sum is kept for good: what a run has used of a model is known as long as the life goes on.

import { readings } from './amounts.mjs';
import { doubts } from './usage.mjs';

/** The kinds, in the order in which the package names them. */
export const KINDS = ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheWriteTokens', 'cacheWrite1hTokens', 'reasoningTokens'];

/** The kinds of what the package was given in dollars a million tokens. */
const PER_MILLION = 1_000_000n;

/** What a turn takes of which nothing is known. */
const UNKNOWN = 2_000;

/** No kind is known. */
export function unknownKinds() {
  return Object.fromEntries(KINDS.map((kind) => [kind, null]));
}

/** The sum, kind by kind; a kind that one alone knows is what that one has. */
function plus(one, other) {
  return Object.fromEntries(KINDS.map((kind) => [kind, one[kind] === null ? other[kind] : one[kind] + (other[kind] ?? 0)]));
}

/** What a total has beyond what is known, never below 0. */
function beyond(total, known) {
  return Object.fromEntries(KINDS.map((kind) => [kind, total[kind] === null ? null : Math.max(0, total[kind] - (known[kind] ?? 0))]));
}

/** What a host says of kinds, and of the model: nothing where its tokens can't be read. */
function toldOf(usage) {
  if (Number.isNaN(readings(usage).tokens)) return { kinds: unknownKinds(), estimated: false };
  const { modelId, estimated = false } = usage;
  return { kinds: Object.fromEntries(KINDS.map((kind) => [kind, usage[kind] ?? null])), modelId, estimated };
}

/** What a run, or a main agent, has used of each model by now. */
export function newTally() {
  return { byModel: new Map(), last: undefined, isUnpriced: false, estimated: false };
}

/**
 * Runs that have ended, each with its attempts: what they took, the dollars of those of which these are known (`paid`), and whether
 * prices of one model don't give all of them (`isSaid`).
 */
function noPast() {
  return { runs: 0, tokens: 0, costUsd: 0, turns: 0, paid: 0, kinds: unknownKinds(), isSaid: false };
}

/** Both together. */
function bothPasts(one, other) {
  const sums = ['runs', 'tokens', 'costUsd', 'turns', 'paid'].map((field) => [field, one[field] + other[field]]);
  return { ...Object.fromEntries(sums), kinds: plus(one.kinds, other.kinds), isSaid: one.isSaid || other.isSaid };
}

/** All that it has used, by kind. */
export function kindsOf({ byModel }) {
  return [...byModel.values()].reduce((sum, { kinds }) => plus(sum, kinds), unknownKinds());
}

/** What prices have booked for it. */
export function pricedOf({ byModel }) {
  return [...byModel.values()].reduce((sum, { priced }) => sum + priced, 0);
}

/** What a model costs: of the prices that match its name the longest, a task's own before the manager's. */
function priceOf(tables, model) {
  for (const prices of tables) {
    const fits = (name) => (name.endsWith('*') ? (model ?? '').startsWith(name.slice(0, -1)) : name === model);
    const [name] = Object.keys(prices)
      .filter(fits)
      .sort((one, other) => Number(one.endsWith('*')) - Number(other.endsWith('*')) || other.length - one.length);
    if (name !== undefined) return prices[name];
  }
  return undefined;
}

/** What so many tokens cost, rounded down once. */
function costOf(price, kinds) {
  const nanos = (dollars) => BigInt(Math.round(dollars * 1e9));
  const [input, output, read, some, hour] = KINDS.map((kind) => BigInt(kinds[kind] ?? 0));
  const write = some > hour ? some : hour;
  const cacheWrite = price.cacheWrite ?? price.input;
  const parts = [
    [input - read - write, price.input],
    [read, price.cacheRead ?? price.input],
    [write - hour, cacheWrite],
    [hour, price.cacheWrite1h ?? cacheWrite],
    [output, price.output],
  ];
  return Number(parts.reduce((sum, [tokens, dollars]) => sum + tokens * nanos(dollars), 0n) / PER_MILLION);
}

/**
 * Takes note of what was used. `of` has the tally, the agent's definition, its model and its own prices. Gives the dollars where
 * the host gives none and there is a price, and how many of the tokens count against no cap. `booked`: so many are booked with it,
 * and so many were `before`.
 */
export function take(model, of, usage, { isTotal = false, isMore = true, before: counted = 0, booked = 0 } = {}) {
  const { kinds, modelId, estimated } = toldOf(usage);
  const { tally } = of;
  const more = isTotal ? beyond(kinds, kindsOf(tally)) : kinds;
  const isNew =
    modelId !== undefined ||
    (estimated && !tally.estimated) ||
    KINDS.some((kind) => more[kind] > 0 || (more[kind] === 0 && kindsOf(tally)[kind] === null));
  const name = modelId ?? usualModel(model, of);
  const saysCost = Number.isFinite(readings(usage).costUsd);
  const tables = [of.prices ?? {}, model.prices];
  const hasSides = (more.inputTokens ?? more.outputTokens) !== null;
  const isPriced = tables.some((prices) => Object.keys(prices).length > 0) && !saysCost && hasSides;
  const price = isPriced ? priceOf(tables, name) : undefined;
  const isAlone = name === modelNow(of) && tally.byModel.size <= 1;
  const used = tally.byModel.get(name) ?? { kinds: unknownKinds(), priced: 0 };
  const before = used.kinds;
  const readBefore = kindsOf(tally).cacheReadTokens ?? 0;
  used.kinds = plus(before, more);
  const difference = price && costOf(price, used.kinds) - costOf(price, before);
  const dollars = price && Math.max(0, difference);
  // What a total that divides the tokens anew costs less, at most what prices have booked for them.
  const less = isTotal && price ? Math.min(Math.max(0, -difference), used.priced) : 0;
  if (less > 0) model.count('totals that divided tokens anew');
  if (isNew || (isMore && name !== modelNow(of))) {
    used.priced += dollars ?? 0;
    tally.byModel.set(name, used);
    nameModel(model, of, name);
  }
  if (isNew) {
    const row = rowOf(model, of.agent, name);
    row.kinds = plus(row.kinds, more);
    row.estimated ||= estimated;
    tally.estimated ||= estimated;
    if (isPriced && !price) noteUnpriced(model, tally, row, name);
  }
  if (dollars !== undefined) model.count('amounts that a price gave');
  if (Object.values(kinds).some((amount) => amount !== null)) model.count('amounts that were told by kind');
  const free = 1_000 - Math.min(1_000, model.options.countCacheReads);
  // A total without news says nothing of what that has cost.
  const freeOf = (read) => Math.floor((read * free) / 1_000);
  // What was counted before may turn out to be from the cache, if all of it is of this model.
  const countable = booked + (isAlone ? Math.max(0, counted - freeOf(readBefore)) : 0);
  const uncounted = Math.min(freeOf(readBefore + (more.cacheReadTokens ?? 0)) - freeOf(readBefore), countable);
  return { dollars: isTotal && !isNew ? undefined : dollars, less, uncounted };
}

/** Whose tokens are those of which nobody says it: the run's model, else the manager's. */
export function usualModel(model, of) {
  return of.modelId ?? model.options.modelId ?? null;
}

/** What is booked from now on is of this model. */
export function nameModel(model, of, name) {
  if (of.tally.last === undefined && of.modelId === undefined) nameTurns(model, of, rowOf(model, of.agent, name));
  of.tally.last = name;
}

/** What turned out to have no price is reported once a model. */
function noteUnpriced(model, tally, row, name) {
  tally.isUnpriced = true;
  row.isUnpriced = true;
  if (model.unpriced.has(name)) return;
  model.count('models without a price');
  model.unpriced.add(name);
  model.toldUnpriced.push(name);
}

// ── what was spent by model and by agent

function rowOf(model, agent, name) {
  const key = JSON.stringify([agent ?? null, name]);
  const empty = { agent: agent ?? null, model: name, kinds: unknownKinds(), tokens: 0, costUsd: 0, turns: 0, runs: 0, past: noPast() };
  if (!model.costs.has(key)) model.costs.set(key, { ...empty, isUnpriced: false, estimated: false });
  return model.costs.get(key);
}

/** The model that was named last, else the one that it was given. */
function modelNow({ tally, modelId }) {
  return tally.last === undefined ? (modelId ?? null) : tally.last;
}

/** What is counted for it. */
function rowNow(model, { agent, tally, modelId }) {
  return rowOf(model, agent, modelNow({ tally, modelId }));
}

/** So much is booked. */
export function noteSpent(model, of, dimension, amount) {
  rowNow(model, of)[dimension] += amount;
}

/** A turn begins. */
export function noteTurn(model, of) {
  rowNow(model, of).turns++;
  of.tally.turns = (of.tally.turns ?? 0) + 1;
}

/** A run has ended. */
export function noteRun(model, of) {
  rowNow(model, of).runs++;
}

/** What a run took with the attempts before it, as one run; of one that never began those attempts alone. */
export function pastOf(run) {
  if (!run.started) return run.attempted;
  const { tally } = run.of;
  const { tokens, costUsd } = run.reported;
  const kinds = kindsOf(tally);
  const isSaid = costUsd !== pricedOf(tally) || filled(kinds, tokens).inputTokens > (kinds.inputTokens ?? 0) || tally.byModel.size > 1;
  const paid = doubts(run).unknown.includes('costUsd') ? 0 : 1;
  const past = { runs: 1, tokens, costUsd, turns: run.turns, paid, kinds, isSaid };
  const { attempted } = run;
  return attempted ? { ...bothPasts(past, attempted), runs: 1, paid: Math.min(paid, attempted.paid) } : past;
}

/** What a run took that is over, for the estimate of such runs. */
export function notePast(model, run) {
  const past = pastOf(run);
  if (past === undefined) return;
  const row = rowNow(model, run.of);
  row.past = bothPasts(row.past, past.paid > 0 ? past : { ...past, costUsd: 0 });
}

/** Tokens that are of no kind are input. */
function filled(kinds, tokens) {
  return { ...kinds, inputTokens: Math.max(kinds.inputTokens ?? 0, tokens - (kinds.outputTokens ?? 0)) };
}

/**
 * What a run of a model is expected to take, by such runs that have ended: those without an agent, else all of the model, else all.
 * `costUsd` is null if nobody knows it.
 */
export function estimateOf(model, modelId) {
  const rows = [...model.costs.values()];
  const price = priceOf([model.prices], modelId);
  const priced = (kinds, tokens) => (price ? costOf(price, filled(kinds, tokens)) : null);
  for (const [basis, fits, isOther] of [
    ['measured', (row) => row.agent === null && row.model === modelId],
    ['similar', (row) => row.model === modelId],
    ['similar', () => true, true],
  ]) {
    const past = rows.filter(fits).reduce((sum, row) => bothPasts(sum, row.past), noPast());
    const { runs, tokens, costUsd, turns, paid, kinds, isSaid } = past;
    if (runs === 0 || tokens + costUsd + turns === 0) continue;
    // Dollars of another model count without any prices.
    const counts = paid > 0 && (!isOther || Object.keys(model.prices).length === 0);
    const byPrice = price ? Math.ceil(priced(kinds, tokens) / runs) : null;
    return { basis, tokens: Math.ceil(tokens / runs), costUsd: counts && (isSaid || !price) ? Math.ceil(costUsd / paid) : byPrice };
  }
  const { turnEstimate } = model.options;
  const tokens = turnEstimate ?? Math.min(UNKNOWN, Math.max(1, Math.floor(model.root.cap.tokens / 5)));
  return { basis: 'expected', tokens, costUsd: priced(unknownKinds(), tokens) ?? model.estimate.costUsd ?? null };
}

/** Turns that began before their model was known are of the first one that is named. */
function nameTurns(model, of, row) {
  const { turns = 0 } = of.tally;
  rowNow(model, of).turns -= turns;
  row.turns += turns;
}

/** All has cost this in the end: gives how much less that is than what prices have booked. What was named last comes first. */
export function takeBack(model, { agent, tally }, booked, total) {
  const less = Math.min(Math.max(0, booked - total), pricedOf(tally));
  let left = less;
  for (const name of new Set([tally.last, ...tally.byModel.keys()])) {
    const used = tally.byModel.get(name);
    if (used === undefined) continue;
    const part = Math.min(left, used.priced);
    left -= part;
    rowOf(model, agent, name).costUsd -= part;
    if (less > 0) used.priced = 0;
  }
  if (less > 0) model.count('totals that took the place of what prices had booked');
  return less;
}

/** The rows that `costs()` shows, by model or by agent, the dearest first. */
export function shares(model, by) {
  const sums = new Map();
  for (const row of model.costs.values()) {
    const name = row[by];
    const sum = sums.get(name);
    if (!sum) sums.set(name, { ...row, name });
    else {
      sum.kinds = plus(sum.kinds, row.kinds);
      for (const field of ['tokens', 'costUsd', 'turns', 'runs']) sum[field] += row[field];
      sum.isUnpriced ||= row.isUnpriced;
      sum.estimated ||= row.estimated;
    }
  }
  return [...sums.values()].filter(hasUsed);
}

/** What has used nothing has no row. */
export function hasUsed({ kinds, tokens, costUsd, turns, estimated }) {
  return tokens + costUsd + turns > 0 || estimated || Object.values(kinds).some((amount) => amount !== null);
}
