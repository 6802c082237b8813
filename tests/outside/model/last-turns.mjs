// The end of a cap that runs share: what later turns leave of it to the last turns of the open runs below it, and the share of each
// of these (B13). Owns this reckoning, and how many turns runs have taken.

import { DIMENSIONS, each, NOTHING } from './amounts.mjs';
import { expectedOf, knowsDollars, priceOf } from './estimates.mjs';
import { below, openRun } from './tree.mjs';

/** Runs at work at a node and below it. */
function openRuns(node) {
  return [node, ...below(node)].flatMap((one) => (one.kind === 'task' ? (openRun(one) ?? []) : [])).filter((run) => run.started);
}

function hadLast(run) {
  return Boolean(run.wrapUpGiven || run.budgetTold || run.task.wrapUpUsed);
}

/** A tenth of a cap, and no more than a last turn for each open run takes. */
export function forLastTurns(model, run, node) {
  const { length } = openRuns(node);
  const most = { tokens: model.options.wrapUpTokens, costUsd: knowsDollars(model, run) ? priceOf(model, run) : 0 };
  return each((one) => (Number.isFinite(node.cap[one]) ? Math.min(Math.floor(node.cap[one] / 10), most[one] * length) : 0));
}

/** How many turns a run still takes: as many as the longest that completed below this node, or as it may once it asks for more. */
function turnsToCome(run, node, asking) {
  if (run.returned || run.wrapUpGiven || run.budgetTold) return 0;
  const lengths = node.lengths ?? [];
  const longest = lengths.length < 2 ? Number.NEGATIVE_INFINITY : Math.max(...lengths);
  const asked = run.turns + (run.turnAsked || run === asking ? 1 : 0);
  const { maxTurns } = run.task;
  return Math.max(0, (asked <= longest ? Math.min(longest, maxTurns) : maxTurns) - run.turns);
}

/** Turns that it has begun and not reported. */
function begunTurns({ unmeasured, unpaid }) {
  return { tokens: unmeasured?.tokens > 0 ? 0 : (unmeasured?.turns ?? 0), costUsd: unpaid?.costUsd > 0 ? 0 : (unpaid?.turns ?? 0) };
}

function isEnoughForAll(model, asking, node, room, needed, withBegun) {
  const takes = { tokens: expectedOf(node) ?? needed.tokens, costUsd: priceOf(model, asking) };
  const all = { ...NOTHING };
  for (const run of openRuns(node)) {
    const begun = withBegun ? begunTurns(run) : NOTHING;
    for (const one of DIMENSIONS) all[one] += takes[one] * (turnsToCome(run, node, asking) + begun[one]);
  }
  return DIMENSIONS.every((one) => all[one] <= room[one]);
}

/** What a turn of a run leaves of a cap above its task: nothing where it is its first, or where the room is enough for all. */
export function ceiling(model, run, node, room, needed, withBegun) {
  if (run.turns === 0 || node === run.task || isEnoughForAll(model, run, node, room, needed, withBegun)) return NOTHING;
  model.count('turns that met the ceiling of a shared cap');
  return forLastTurns(model, run, node);
}

/** What the last turn of a run finds of what a node leaves: of a shared cap its share, and what it costs if so much is left. */
export function shareOf(model, run, node, room, { costUsd: needed }) {
  if (run.turns === 0 || node === run.task) return room;
  const runs = Math.max(1, openRuns(node).filter((one) => !hadLast(one)).length);
  const shares = each((one) => Math.floor(room[one] / runs));
  const costUsd = knowsDollars(model, run) ? needed : 0;
  return { ...shares, costUsd: Math.max(shares.costUsd, Math.min(costUsd, room.costUsd)) };
}

/** A run has completed: it took as many turns as it needed. */
export function noteLength(run) {
  for (let node = run.task.parent; node && run.turns > 0; node = node.parent)
    node.lengths = [...(node.lengths ?? []), run.turns].slice(-20);
}
