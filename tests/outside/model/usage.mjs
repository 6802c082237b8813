// What runs say they used, and what is booked for it: reports, totals, and what can't be read (B2, B3, B6, B7).

import { DIMENSIONS, each, readings } from './amounts.mjs';
import { lenders, pathOf, release } from './budget.mjs';

/**
 * Usage was reported: it comes out of the hold, and a turn's hold ends with it (B3). A dimension that was left out books nothing
 * (B7); what is set aside in it ends as well, unless the run has told it before. What is set aside where a reading was invalid
 * stays until a valid one replaces that.
 */
export function bookReport(run, given) {
  const usage = readings(given);
  const told = DIMENSIONS.filter((dimension) => Number.isFinite(usage[dimension]));
  const invalid = DIMENSIONS.filter((dimension) => Number.isNaN(usage[dimension]));
  bookTold(run, told, usage);
  for (const dimension of invalid) run.invalid.add(dimension);
  if (told.length + invalid.length === 0 || run.whole) return;
  releaseTold(run, told);
}

/** The final usage is the run's own total: what isn't booked yet is booked (B6). Where it can't be read the hold is (B7). */
export function bookTotal(run, given) {
  const total = readings(given);
  const told = DIMENSIONS.filter((dimension) => Number.isFinite(total[dimension]));
  for (const dimension of DIMENSIONS) {
    if (Number.isNaN(total[dimension])) run.invalid.add(dimension);
    if (!told.includes(dimension) && run.invalid.has(dimension)) bookHeld(run, dimension);
  }
  bookTold(
    run,
    told,
    each((dimension) => Math.max(0, total[dimension] - run.reported[dimension])),
  );
  if (told.length > 0 && !run.whole) releaseTold(run, told);
}

function bookTold(run, told, amounts) {
  for (const dimension of told) {
    book(run, dimension, amounts[dimension]);
    spend(run, dimension, amounts[dimension]);
    run.tells.add(dimension);
    run.invalid.delete(dimension);
  }
}

function releaseTold(run, told) {
  const stays = (dimension) => !told.includes(dimension) && (run.tells.has(dimension) || run.invalid.has(dimension));
  for (const dimension of DIMENSIONS) if (!stays(dimension)) release(run, dimension, run.hold[dimension]);
}

/** What was set aside counts as spent: what was used of it isn't known (S4, J3). */
export function bookHold(run) {
  for (const dimension of DIMENSIONS) bookHeld(run, dimension);
  run.debts = [];
}

/** The same for what it told in figures that can't be read (B7). */
export function bookDoubted(run) {
  for (const dimension of run.invalid) bookHeld(run, dimension);
}

export function bookHeld(run, dimension) {
  book(run, dimension, run.hold[dimension]);
  run.hold[dimension] = 0;
}

/** Spending counts at the run, at its task and at all above that (B2). */
function book(run, dimension, amount) {
  run.reported[dimension] += amount;
  for (const node of [run, ...pathOf(run.task)]) node.spent[dimension] += amount;
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

/** What of a run's usage is in doubt: what nobody told, and what couldn't be read (B7). */
export function doubts(run) {
  return {
    unknown: DIMENSIONS.filter((dimension) => !run.tells.has(dimension) && !run.invalid.has(dimension)),
    invalid: DIMENSIONS.filter((dimension) => run.invalid.has(dimension)),
  };
}
