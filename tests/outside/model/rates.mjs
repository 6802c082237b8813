// Rates: how many requests and tokens a minute a key allows, what has been used of that, and who waits for it: turns in a line
// for each key, and starts behind them (B11).

import { toGoOn } from './estimates.mjs';
import { park, unpark } from './slots.mjs';

/** A rate is given a minute; counted is in parts of these, so that every sum is whole. */
const MINUTE = 60_000;
/** So much of it may come at once. */
const BURST_MS = MINUTE / 10;

const PER = { requests: 'requestsPerMinute', tokens: 'tokensPerMinute' };
const KINDS = Object.keys(PER);

/** What shares a rate with a task: all with its key, or all without one. */
function keyOf({ rateLimitKey = '' }) {
  return rateLimitKey;
}

/** The rate of a key, by its longest match; a whole name is longer than any beginning. */
function rateOf(model, key) {
  const fits = (name) => (name.endsWith('*') ? key.startsWith(name.slice(0, -1)) : name === key);
  const lengthOf = (name) => (name.endsWith('*') ? name.length : Number.POSITIVE_INFINITY);
  const [name] = Object.keys(model.rates)
    .filter(fits)
    .sort((one, other) => (lengthOf(one) < lengthOf(other) ? 1 : -1));
  return name === undefined ? undefined : model.rates[name];
}

/** What has been used of a key by now, brought to the present moment. */
function usedOf(model, key) {
  const used = model.used.get(key) ?? { requests: 0, tokens: 0, at: model.now };
  for (const kind of KINDS) {
    const perMinute = isBounded(model, key, kind) ? rateOf(model, key)[PER[kind]] : 0;
    used[kind] = Math.max(0, used[kind] - perMinute * (model.now - used.at));
  }
  used.at = model.now;
  model.used.set(key, used);
  return used;
}

/** Uses so much of a key's rate, or gives so much back; what isn't bounded isn't counted. */
function use(model, key, amounts) {
  const used = usedOf(model, key);
  for (const kind of KINDS) if (isBounded(model, key, kind)) used[kind] = Math.max(0, used[kind] + (amounts[kind] ?? 0) * MINUTE);
}

function isBounded(model, key, kind) {
  return Number.isFinite(rateOf(model, key)?.[PER[kind]] ?? Number.POSITIVE_INFINITY);
}

/** How long it takes until so much of a key's rate is there, or all that may come at once if that is less. */
function lackOf(model, key, amounts) {
  const used = usedOf(model, key);
  const waits = KINDS.filter((kind) => isBounded(model, key, kind) && amounts[kind] !== undefined).map((kind) => {
    const perMinute = rateOf(model, key)[PER[kind]];
    const mayBeUsed = Math.max(0, perMinute * BURST_MS - amounts[kind] * MINUTE);
    return Math.ceil(Math.max(0, used[kind] - mayBeUsed) / perMinute);
  });
  return Math.max(0, ...waits);
}

/** The turns that wait for a key's rate, first come first. */
function lineOf(model, key) {
  const stands = ({ parks, task, turnAsked, end }) => parks.has('rate') && turnAsked && !end && keyOf(task) === key;
  return model.live.filter(stands).sort((one, other) => one.inLineSince - other.inLineSince);
}

/** How long the next turn of a run has to wait for the rate alone. */
function lackOfTurn(model, run) {
  if (run.ahead?.turn) return 0;
  return lackOf(model, keyOf(run.task), { requests: run.ahead?.request ? undefined : 1, tokens: toGoOn(model, run).tokens });
}

/** Whether the next turn of a run has to wait: behind those that wait for the same key. */
export function isTurnOverRate(model, run) {
  if (run.ahead?.turn || !rateOf(model, keyOf(run.task))) return false;
  const [first = run] = lineOf(model, keyOf(run.task));
  return first !== run || lackOfTurn(model, run) > 0;
}

/** Whether a run of this task can't start yet: behind the turns, or for the rate itself. */
export function isStartOverRate(model, task) {
  const key = keyOf(task);
  if (!rateOf(model, key)) return false;
  return lineOf(model, key).length > 0 || lackOf(model, key, { requests: 1, tokens: 1 }) > 0;
}

/** It waits with its turn. */
export function standForRate(model, run) {
  model.count('turns that waited for their rate');
  run.inLineSince = ++model.changes;
  return park(model, run, 'rate');
}

/** The turn that has waited longest of those that are first in line and may go. */
export function nextInRate(model, isHeldBack) {
  const firsts = [...new Set(model.live.map(({ task }) => keyOf(task)))].flatMap((key) => lineOf(model, key).slice(0, 1));
  const able = firsts.filter((run) => lackOfTurn(model, run) === 0 && !isHeldBack(run));
  return able.sort((one, other) => one.inLineSince - other.inLineSince)[0];
}

/** Its rate is there: it is used from now on, whatever the turn still waits for. */
export function passRate(model, run) {
  noteTurnAhead(model, run, toGoOn(model, run).tokens);
  if (run.ahead) Object.assign(run.ahead, { request: true, turn: true });
  unpark(model, run, 'rate');
}

/** A run starts: the request of its first turn. */
export function noteStartAhead(model, run) {
  if (!rateOf(model, keyOf(run.task))) return;
  use(model, keyOf(run.task), { requests: 1 });
  run.ahead = { request: true, turn: false, tokens: 0 };
}

/** A turn begins, with so many tokens that it is expected to take. */
export function noteTurnAhead(model, run, tokens) {
  if (!rateOf(model, keyOf(run.task))) return;
  const { request = false, turn = false, tokens: before = 0 } = run.ahead ?? {};
  const more = turn ? 0 : tokens;
  use(model, keyOf(run.task), { requests: request ? 0 : 1, tokens: more });
  run.ahead = { request: false, turn: false, tokens: before + more };
}

/** Tokens were reported: they take the place of what was expected of a run. What is booked without that counts against no rate. */
export function noteTokens(model, task, run, tokens) {
  const key = keyOf(task);
  if (!rateOf(model, key)) return;
  use(model, key, { tokens: tokens - (run?.ahead?.tokens ?? 0) });
  if (run?.ahead) run.ahead.tokens = 0;
}

/** What turns under the rate of a task have taken lately (B13). */
export function takenUnder(model, task) {
  return rateOf(model, keyOf(task)) ? (model.taken.get(keyOf(task)) ?? []) : [];
}

/** Turns of a task have taken so much each. */
export function noteUnder(model, task, turns) {
  const key = keyOf(task);
  if (isBounded(model, key, 'tokens')) model.taken.set(key, [...(model.taken.get(key) ?? []), ...turns].slice(-20));
}

/** A provider says what is left: no more than that is. */
export function noteLeft(model, task, left) {
  const key = keyOf(task);
  const used = usedOf(model, key);
  for (const kind of KINDS) {
    if (left[kind] === undefined || !isBounded(model, key, kind)) continue;
    used[kind] = Math.max(used[kind], rateOf(model, key)[PER[kind]] * BURST_MS - left[kind] * MINUTE);
  }
}

/** The rates are these from now on; what was used of a key stays used as long as that is bounded. */
export function setRates(model, rates) {
  if (model.rates) for (const key of model.used.keys()) usedOf(model, key);
  model.rates = rates;
  for (const [key, used] of model.used) {
    for (const kind of KINDS) if (!isBounded(model, key, kind)) used[kind] = 0;
    if (!rateOf(model, key)) model.used.delete(key);
  }
  model.changes++;
}

/** When something that waits for its rate may go, later than now. */
export function rateMoments(model) {
  const moments = [];
  const queued = model.queue.map(({ task }) => keyOf(task));
  for (const key of new Set([...queued, ...model.live.map(({ task }) => keyOf(task))])) {
    const [first] = lineOf(model, key);
    const lack = first ? lackOfTurn(model, first) : queued.includes(key) ? lackOf(model, key, { requests: 1, tokens: 1 }) : 0;
    if (lack > 0) moments.push(model.now + lack);
  }
  return moments;
}
