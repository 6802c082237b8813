// What a turn is expected to need: what is said of it, else what turns have taken before (B13). Owns what is remembered of those.

import { DIMENSIONS, units } from './amounts.mjs';
import { noteLength } from './last-turns.mjs';
import { noteUnder, takenUnder } from './rates.mjs';

/** So many turns are remembered, and so many have to be known. */
const REMEMBERED = 20;
const ENOUGH = 2;
/** What a turn takes of which nothing is known. */
const UNKNOWN = 2_000;

function mean(turns) {
  const last = turns.slice(-REMEMBERED);
  return last.length < ENOUGH ? undefined : Math.ceil(last.reduce((sum, tokens) => sum + tokens, 0) / last.length);
}

function isCapped(node) {
  return Number.isFinite(node.cap.tokens);
}

/** The mean of what turns below a node have taken, once that is known. */
export function expectedOf({ measured = [] }) {
  return mean(measured);
}

/** The nodes above, the nearest first. */
function above({ parent }) {
  return parent ? [parent, ...above(parent)] : [];
}

/** What its turn takes that was reported, and is not over. */
function latest({ unmeasured }) {
  return unmeasured?.tokens > 0 ? [Math.max(1, Math.floor(unmeasured.tokens / Math.max(1, unmeasured.turns)))] : [];
}

/** The mean of the turns that say what those of a task take: of its `run`, of all below the nearest cap, or of those under its rate. */
function learned(model, task, run) {
  const now = run ? latest(run) : [];
  const own = run && isCapped(task) ? mean([...(run.measured ?? []), ...now]) : undefined;
  const means = above(task).map((node) => (isCapped(node) ? mean([...(node.measured ?? []), ...now]) : undefined));
  return own ?? means.find((one) => one !== undefined) ?? (run && mean([...takenUnder(model, task), ...now]));
}

/** At most a fifth of its cap, or of the least above it. */
function atMost(task) {
  const cap = isCapped(task) ? task.cap.tokens : Math.min(...above(task).map((node) => node.cap.tokens));
  return Number.isFinite(cap) ? Math.max(1, Math.floor(cap / 5)) : cap;
}

/** The tokens of a turn of a task: of this `run`, or of one that is yet to start. For a turn half as much again is set aside. */
function usualTokens(model, task, run) {
  const most = atMost(task);
  const taken = learned(model, task, run);
  return Math.min(most, taken === undefined ? UNKNOWN : run ? taken + Math.ceil(taken / 2) : taken);
}

/** What a turn costs of which no dollars are reported: the least there is, of which nothing is set aside. */
export const FREE = 1;
/** What one costs before any is known. */
const GUESS = 0.25e9;

/** What a turn costs that nobody names a price for: as much as the dearest of its run, else of those nearest to it, as far as that is left. */
function usualDollars(model, task, run) {
  const path = [task, ...above(task)];
  const [least, left] = [(node) => node.cap.costUsd, (node) => node.cap.costUsd - node.spent.costUsd].map((of) =>
    Math.min(...path.map(of)),
  );
  if (!Number.isFinite(least)) return FREE;
  if (run?.dearest > FREE) return run.dearest;
  const near = nearest(task);
  const guess = () => (run || model.takesTurns ? Math.min(GUESS, Math.floor(least / 5)) : FREE);
  return Math.max(FREE, Math.min(near ?? guess(), left));
}

/** The dearest turn of those nearest to a task. */
function nearest(task) {
  return above(task).find(({ dearest }) => dearest > 0)?.dearest;
}

/** Turns that a run has begun, and of which no dollars were reported yet, are due as much as the next one: what lacks of that. A guess, and what is free, is once. */
function dueDollars(run, costUsd) {
  const { turns = 0, costUsd: paid = 0 } = run.unpaid ?? {};
  if (paid > 0 || turns === 0) return 0;
  const isOnce = costUsd <= FREE || (!(run.dearest > FREE) && nearest(run.task) === undefined);
  return (isOnce ? 0 : turns * costUsd) - (run.whole ? 0 : run.hold.costUsd);
}

/** Whether it is said what a turn costs. */
export function saysDollars(model, { task, estimate }) {
  return [estimate, task.estimate, model.estimate].some((said) => said?.costUsd !== undefined);
}

/** Whether it is known: it is said, or its own run has spent some. */
export function knowsDollars(model, run) {
  return saysDollars(model, run) || run.dearest > FREE;
}

function expected(model, task, run) {
  const said = { ...model.estimate, ...defined(task.estimate), ...defined(run?.estimate) };
  const costUsd = said.costUsd === undefined ? usualDollars(model, task, run) : said.costUsd;
  return { tokens: said.tokens ?? usualTokens(model, task, run), costUsd };
}

/** What is said of a turn. */
export function estimateOf({ turnEstimate, turnEstimateUsd }) {
  return units({ tokens: turnEstimate, costUsd: turnEstimateUsd });
}

function defined(amounts = {}) {
  return Object.fromEntries(DIMENSIONS.filter((one) => amounts[one] !== undefined).map((one) => [one, amounts[one]]));
}

/** What there must be for a run of a task to begin (B5). */
export function toBegin(model, task) {
  return expected(model, task);
}

/** What one turn of a run costs. */
export function priceOf(model, run) {
  return expected(model, run.task, run).costUsd;
}

/** What the next turn of a run needs; where it finds less, what a run needs to begin is enough. */
export function toGoOn(model, run, found = Number.POSITIVE_INFINITY) {
  const { task } = run;
  const needed = expected(model, task, run);
  if (!saysDollars(model, run)) needed.costUsd = Math.max(0, needed.costUsd + dueDollars(run, needed.costUsd));
  const isSaid = (run.estimate ?? task.estimate)?.tokens !== undefined;
  if (!isSaid) needed.tokens = Math.min(needed.tokens, Math.max(found, toBegin(model, task).tokens));
  return needed;
}

// ── what is remembered

/** A turn begins: that before is over, if anything was reported of it. Of one that was reported without dollars none are expected. */
export function beginTurn(model, run) {
  endTurns(model, run, true);
  if (run.tells.size > 0 && !run.tells.has('costUsd')) noteDearest(run, FREE);
  run.unpaid = { turns: (run.unpaid?.costUsd > 0 ? 0 : (run.unpaid?.turns ?? 0)) + 1, costUsd: 0 };
  run.unmeasured ??= { turns: 0, tokens: 0 };
  run.unmeasured.turns++;
}

/** So much more was reported. Turns that took nothing say nothing of the next ones. */
export function noteTaken(run, dimension, amount) {
  const { turns, tokens } = run.unmeasured ?? { turns: 0, tokens: 0 };
  if (dimension === 'tokens') run.unmeasured = { turns: tokens + amount > 0 ? turns : 0, tokens: tokens + amount };
  else noteDollars(run, amount);
}

/** The turns since the last one that was paid for have each cost as much. */
function noteDollars(run, amount) {
  if (amount === 0 || (run.isAssumed && run.hostReturned)) return;
  run.unpaid ??= { turns: 0, costUsd: 0 };
  run.unpaid.costUsd += amount;
  const each = Math.max(FREE, Math.floor(run.unpaid.costUsd / Math.max(1, run.unpaid.turns)));
  run.dearest = Math.max(run.dearest ?? 0, each);
  noteDearest(run, each);
}

/** All above a run know the dearest turn below them. */
function noteDearest(run, costUsd) {
  for (const node of above(run.task)) node.dearest = Math.max(node.dearest ?? 0, costUsd);
}

/** All that a run has used is known: its host has returned. One without turns counts as one turn. What is in doubt says nothing. */
export function endMeasure(model, run, reason) {
  const isKnown = run.hostReturned && reason !== 'host_lost' && !run.isAssumed && !run.invalid.has('tokens');
  if (isKnown) endTurns(model, run, false);
  if (isKnown && reason === 'finished') noteLength(run);
  if (reason === 'finished' && !run.tells.has('costUsd') && !run.invalid.has('costUsd')) noteDearest(run, FREE);
}

/** The turns since the last one that was reported have each taken as much. */
function endTurns(model, run, goesOn) {
  const turns = latest(run).flatMap((tokens) => Array(Math.max(1, run.unmeasured.turns)).fill(tokens));
  if (turns.length === 0) return;
  run.unmeasured = undefined;
  noteUnder(model, run.task, turns);
  for (const one of [...(goesOn ? [run] : []), ...above(run.task)]) one.measured = [...(one.measured ?? []), ...turns].slice(-REMEMBERED);
}
