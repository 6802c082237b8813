// What runs say they used, and what is booked for it: reports, totals, and what can't be read (B2, B3, B6, B7).

import { DIMENSIONS, each, isNothing, readings } from './amounts.mjs';
import { lenders, pathOf, release } from './budget.mjs';
import { noteTaken } from './estimates.mjs';
import { noteSpent, take, takeBack } from './kinds.mjs';
import { noteTokens } from './rates.mjs';

/**
 * Usage was reported: it comes out of the hold, and a turn's hold ends with it (B3). A dimension that was left out books nothing
 * (B7); what is set aside in it ends as well, unless the run has reported it before. What is set aside where a reading was invalid
 * stays until a valid one replaces that.
 */
export function bookReport(model, run, given) {
  const usage = readings(given);
  const booked = usage.tokens >= 0 ? usage.tokens : 0;
  const { dollars, uncounted } = takeKinds(model, run, given, booked);
  uncount(model, run, uncounted - booked);
  if (dollars !== undefined) usage.costUsd = dollars;
  const reported = DIMENSIONS.filter((dimension) => Number.isFinite(usage[dimension]));
  const invalid = DIMENSIONS.filter((dimension) => Number.isNaN(usage[dimension]));
  bookTold(model, run, reported, usage, uncounted);
  for (const dimension of invalid) run.invalid.add(dimension);
  if (reported.length + invalid.length === 0 || run.whole) return;
  releaseTold(run, reported);
}

/** The final usage is the run's own total: what isn't booked yet is booked (B6). Where it can't be read the hold is (B7). */
export function bookTotal(model, run, given) {
  const total = readings(given);
  const booked = total.tokens > run.reported.tokens ? total.tokens - run.reported.tokens : 0;
  const { dollars, less, uncounted } = takeKinds(model, run, given, booked, true);
  uncount(model, run, uncounted - booked);
  if (total.costUsd >= 0) giveBack(model, run, total.costUsd);
  else if (less > 0) giveBack(model, run, run.reported.costUsd - less);
  run.saidCost = Number.isFinite(total.costUsd);
  if (dollars !== undefined) total.costUsd = run.reported.costUsd + dollars;
  const reported = DIMENSIONS.filter((dimension) => Number.isFinite(total[dimension]));
  for (const dimension of DIMENSIONS) {
    if (Number.isNaN(total[dimension])) run.invalid.add(dimension);
    if (!reported.includes(dimension) && run.invalid.has(dimension)) bookHeld(model, run, dimension);
  }
  bookTold(
    model,
    run,
    reported,
    each((dimension) => Math.max(0, total[dimension] - run.reported[dimension])),
    uncounted,
  );
  if (reported.length > 0 && !run.whole) releaseTold(run, reported);
}

/** What a host says of kinds of tokens and of the model: the dollars that prices give for it, and what of it counts against no cap (B11). */
function takeKinds(model, run, given, booked, isTotal = false) {
  if (typeof given !== 'object' || given === null) return { uncounted: 0 };
  const usage = readings(given);
  const isMore = DIMENSIONS.some((dimension) => (isTotal ? usage[dimension] > run.reported[dimension] : usage[dimension] >= 0));
  return take(model, run.of, given, { isTotal, isMore, booked, before: run.reported.tokens });
}

/** More of what was counted turned out to be from the cache than is booked: it comes back. */
function uncount(model, run, tokens) {
  if (!(tokens > 0)) return;
  model.count('tokens from the cache that came back');
  for (const node of pathOf(run.task)) node.spent.tokens -= tokens;
  noteSpent(model, run.of, 'tokens', -tokens);
}

/** The host says itself what the run has cost in all: less than that is not booked, and what prices have booked beyond it comes back. */
function giveBack(model, run, total) {
  const less = takeBack(model, run.of, run.reported.costUsd, total);
  run.reported.costUsd -= less;
  for (const node of [run, ...pathOf(run.task)]) node.spent.costUsd -= less;
}

function bookTold(model, run, reported, amounts, uncounted) {
  for (const dimension of reported) {
    const counted = dimension === 'tokens' ? Math.max(0, amounts.tokens - uncounted) : amounts[dimension];
    book(model, run, dimension, amounts[dimension], counted);
    spend(run, dimension, counted);
    noteTaken(run, dimension, counted);
    if (dimension === 'tokens' && amounts.tokens > 0) noteTokens(model, run.task, run, counted);
    run.tells.add(dimension);
    run.invalid.delete(dimension);
  }
}

function releaseTold(run, reported) {
  const stays = (dimension) => !reported.includes(dimension) && (run.tells.has(dimension) || run.invalid.has(dimension));
  for (const dimension of DIMENSIONS) if (!stays(dimension)) release(run, dimension, run.hold[dimension]);
}

/** What was set aside counts as spent: what was used of it isn't known (S4, J3). */
export function bookHold(model, run) {
  run.isAssumed ||= run.abandoned || !isNothing(run.hold);
  for (const dimension of DIMENSIONS) bookHeld(model, run, dimension);
  run.debts = [];
}

/** The same for what it reported in figures that can't be read (B7). */
export function bookDoubted(model, run) {
  for (const dimension of run.invalid) bookHeld(model, run, dimension);
}

export function bookHeld(model, run, dimension) {
  book(model, run, dimension, run.hold[dimension]);
  run.hold[dimension] = 0;
}

/** Spending counts at the run, at its task and at all above that (B2); there tokens from the cache as far as an option says (B11). */
function book(model, run, dimension, amount, counted = amount) {
  run.reported[dimension] += amount;
  run.spent[dimension] += amount;
  for (const node of pathOf(run.task)) node.spent[dimension] += counted;
  noteSpent(model, run.of, dimension, counted);
}

/** A part of the hold is spent, and what goes beyond it out of what lends to the run: nobody gets it back. */
function spend(run, dimension, amount) {
  let open = amount;
  for (const holder of run.end ? [run] : [run, ...lenders(run.task)]) {
    const part = Math.min(open, holder.hold[dimension]);
    holder.hold[dimension] -= part;
    open -= part;
  }
}

/** A model without a price leaves the cost of its run unknown, unless the host says in the end what that was (B11). */
function isUnpriced(run, dimension) {
  return dimension === 'costUsd' && run.of.tally.isUnpriced && !run.saidCost;
}

/** What of a run's usage is in doubt: what nobody reported, and what couldn't be read (B7). */
export function doubts(run) {
  return {
    unknown: DIMENSIONS.filter((dimension) => !run.invalid.has(dimension) && (!run.tells.has(dimension) || isUnpriced(run, dimension))),
    invalid: DIMENSIONS.filter((dimension) => run.invalid.has(dimension)),
  };
}
