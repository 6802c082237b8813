// The ledger of tokens and dollars: caps, what is spent, what is set aside, and who lends to whom (B1 to B9).

import { DIMENSIONS, each, isNothing, NOTHING } from './amounts.mjs';
import { FREE, knowsDollars, priceOf, saysDollars, toBegin, toGoOn } from './estimates.mjs';
import { ceiling, forLastTurns, shareOf } from './last-turns.mjs';
import { mayStart, slotsHeld } from './slots.mjs';
import { openRun } from './tree.mjs';

/** The node and all above it, up to the manager. */
export function pathOf(node) {
  const path = [];
  for (let at = node; at; at = at.parent) path.push(at);
  return path;
}

function runsHolding(node) {
  return (node.runs ?? []).filter((run) => !isNothing(run.hold));
}

export function heldAt(node, dimension) {
  const own = runsHolding(node).reduce((sum, run) => sum + run.hold[dimension], 0);
  return (node.children ?? []).reduce((sum, child) => sum + heldAt(child, dimension), own);
}

function remaining(node, dimension) {
  return node.cap[dimension] - node.spent[dimension];
}

function left(node, dimension) {
  return remaining(node, dimension) - heldAt(node, dimension);
}

/** Runs above a task whose whole-run hold lends to what is below (B4), the nearest first. */
export function lenders(task) {
  return pathOf(task.parent)
    .filter((node) => node.kind === 'task')
    .map((node) => openRun(node))
    .filter((run) => run?.started && run.whole);
}

/** The least that is to be had for a run of this task, what is lent included. */
export function toBeHad(task, dimension, kept = 0) {
  let lent = 0;
  const least = [];
  for (const node of pathOf(task)) {
    const run = node !== task && node.kind === 'task' ? openRun(node) : undefined;
    if (run?.started && run.whole) lent += run.hold[dimension];
    least.push(left(node, dimension) + lent - (node === task ? kept : 0));
  }
  return Math.min(...least);
}

/** Whether a cap on the path is spent: less than one turn's estimate remains (B5). */
export function isSpent(model, task, more = NOTHING) {
  const needed = toBegin(model, task);
  const lacks = (one) => DIMENSIONS.some((dimension) => remaining(one, dimension) - more[dimension] < needed[dimension]);
  return pathOf(task).some(lacks);
}

/** Whether one turn's estimate is to be had by a run of this task. */
export function hasTurn(model, task) {
  const needed = toBegin(model, task);
  return DIMENSIONS.every((dimension) => toBeHad(task, dimension) >= needed[dimension]);
}

/** Whether a queued run finds enough to begin with: what its host elsewhere is at, it has. */
export function canHold(model, run) {
  return !isNothing(run.hold) || hasTurn(model, run.task);
}

function take(run, dimension, amount) {
  let open = amount;
  for (const lender of lenders(run.task)) {
    const part = Math.min(open, lender.hold[dimension]);
    if (part <= 0) continue;
    lender.hold[dimension] -= part;
    open -= part;
    run.debts.push({ lender, dimension, amount: part });
  }
  run.hold[dimension] += amount;
}

/** Gives a part of a hold back: to whom it was borrowed from as long as that lends, the last loan first; the rest is free. */
export function release(run, dimension, amount) {
  let open = Math.min(amount, run.hold[dimension]);
  run.hold[dimension] -= open;
  const debts = run.debts.filter((debt) => debt.dimension === dimension && !debt.lender.end && debt.lender.whole);
  for (const debt of debts.reverse()) {
    const part = Math.min(open, debt.amount);
    debt.amount -= part;
    open -= part;
    debt.lender.hold[dimension] += part;
  }
  run.debts = run.debts.filter((debt) => debt.amount > 0);
}

/** Gives all of a hold back. */
export function releaseAll(run) {
  for (const dimension of DIMENSIONS) release(run, dimension, run.hold[dimension]);
}

/** A run lends no more: what others have of it that it had borrowed itself, they owe to its own lenders. */
export function stopLending(model, run) {
  const lenders = run.debts.filter(({ lender }) => !lender.end && lender.whole);
  for (const borrower of model.live) {
    for (const debt of borrower.debts.filter(({ lender }) => lender === run)) {
      for (const own of lenders.filter(({ dimension }) => dimension === debt.dimension)) {
        const part = Math.min(debt.amount, own.amount);
        if (part <= 0) continue;
        debt.amount -= part;
        own.amount -= part;
        borrower.debts.push({ ...debt, lender: own.lender, amount: part });
      }
    }
    borrower.debts = borrower.debts.filter((debt) => debt.amount > 0);
  }
}

/** The whole-run hold of a start (B3). `free` counts the slot that it takes. What goes on at a turn has that. */
export function holdWhole(model, run, free) {
  if (!isNothing(run.hold)) return;
  run.whole = true;
  const had = each((dimension) => toBeHad(run.task, dimension));
  const share = shareOfWhole(run.task, had, toBegin(model, run.task), free);
  for (const dimension of DIMENSIONS) take(run, dimension, share[dimension]);
}

/** What of that a whole run sets aside: all where its task has a cap, else its share for each free slot; nothing where nothing is capped. */
function shareOfWhole(task, had, needed, free) {
  return each((one) => {
    if (!Number.isFinite(had[one])) return 0;
    const share = Math.max(needed[one], Math.floor(had[one] / (free + 1)));
    return Number.isFinite(task.cap[one]) ? had[one] : Math.min(had[one], share);
  });
}

/** What a whole turn sets aside: what the run has by now, and at least what one that starts would get, but for last turns of others (B14). */
function wholeTurn(model, run, amounts) {
  model.count('whole turns');
  const own = run.whole ? run.hold : NOTHING;
  const free = leastOf(rooms(run), (node) => (run.turns === 0 || node === run.task ? NOTHING : forLastTurns(model, run, node)));
  const share = shareOfWhole(run.task, free, amounts, model.options.maxConcurrent - slotsHeld(model) + 1);
  return each((one) => Math.max(amounts[one], Math.min(free[one], Math.max(share[one], own[one]))));
}

/** A whole turn begins, and its run lends. What was set aside when it came back is judged anew: others may have begun since. */
export function beginWhole(model, run, aside = undefined) {
  if (aside) {
    const again = wholeTurn(model, { ...run, whole: true, hold: aside.hold, turns: run.turns - 1 }, aside.amounts);
    for (const one of DIMENSIONS) {
      release(run, one, Math.max(0, aside.hold[one] - again[one]));
      take(run, one, Math.max(0, again[one] - aside.hold[one]));
    }
  }
  run.whole = !isNothing(run.hold);
}

/**
 * Sets a turn aside: `granted`, `wrapUp` with what is left, `waits` for what others hold, or `spent` (B3, B6, B8, B13). `isLate`: it
 * begins when the step is done.
 */
export function holdTurn(model, run, isLate) {
  const { answer, amounts } = judgeTurn(model, run);
  if (answer === 'wrapUp') run.task.wrapUpUsed = true;
  if (amounts?.costUsd > 0 && !saysDollars(model, run)) model.count('turns whose dollars nobody had said');
  const isWhole = answer === 'granted' && run.asksWhole;
  const hold = isWhole ? wholeTurn(model, run, amounts) : amounts;
  if (hold) setAside(model, run, hold, isWhole && !isLate);
  if (isWhole && !isLate) beginWhole(model, run);
  run.aside = isWhole && isLate ? { amounts, hold } : undefined;
  return answer;
}

/** Whether a turn that waits gets an answer now. */
export function mayHoldTurn(model, run) {
  return judgeTurn(model, run).answer !== 'waits';
}

/** Whether nothing is left for a turn. */
export function lacksTurn(model, run) {
  return judgeTurn(model, run).answer === 'spent';
}

function judgeTurn(model, run) {
  const { task } = run;
  const found = rooms(run);
  const least = leastOf(found, (node, room) => ceiling(model, run, node, room, toGoOn(model, run), false));
  const needed = toGoOn(model, run, least.tokens);
  const own = each((dimension) => reserve(model, run, dimension));
  const amounts = ofTurn(task, needed);
  const [[, atTask]] = found;
  if (DIMENSIONS.every((one) => least[one] >= needed[one] && atTask[one] - own[one] >= needed[one])) return { answer: 'granted', amounts };
  const unspent = pathOf(task).map((node) => [node, each((one) => remaining(node, one) - unreported(run, one))]);
  const rest = leastOf(unspent, (node, room) => (node === task ? own : ceiling(model, run, node, room, needed, true)));
  if (DIMENSIONS.every((one) => rest[one] >= needed[one])) return { answer: 'waits' };
  const shares = found.map(([node, room]) => [node, shareOf(model, run, node, room, amounts)]);
  const last = leastOf(shares, () => NOTHING);
  if (task.wrapUpUsed || DIMENSIONS.some((one) => last[one] <= 0)) return { answer: 'spent' };
  return { answer: 'wrapUp', amounts: each((one) => Math.min(last[one], amounts[one])) };
}

/** What each node on its path leaves a turn of a run beside what others hold, with its own hold and what is lent to it. */
function rooms(run) {
  const freed = run.whole ? { ...run.hold } : { ...NOTHING };
  return pathOf(run.task).map((node) => {
    const above = node !== run.task && node.kind === 'task' ? openRun(node) : undefined;
    if (above?.started && above.whole) for (const one of DIMENSIONS) freed[one] += above.hold[one];
    return [node, each((one) => left(node, one) + freed[one])];
  });
}

/** The least of what nodes leave, less what is kept of each. */
function leastOf(found, kept) {
  const all = found.map(([node, room]) => {
    const less = kept(node, room);
    return each((one) => room[one] - less[one]);
  });
  return each((one) => Math.min(...all.map((amounts) => amounts[one])));
}

/** What is set aside for a turn: tokens, and dollars where any are capped, and one is expected to cost some. */
function ofTurn(task, needed) {
  const isCapped = pathOf(task).some((node) => Number.isFinite(node.cap.costUsd));
  return { ...needed, ...(isCapped && needed.costUsd > FREE ? {} : { costUsd: 0 }) };
}

/** What the run's own earlier turns hold: it can't wait for that. */
function unreported(run, dimension) {
  return run.whole ? 0 : run.hold[dimension];
}

/** The first turn shrinks the whole-run hold; every other adds its own. One that `lendsOn` stops no loan. */
function setAside(model, run, amounts, lendsOn) {
  run.expects = amounts.tokens;
  const own = run.whole ? run.hold : NOTHING;
  const more = each((one) => amounts[one] - own[one]);
  for (const one of DIMENSIONS) release(run, one, Math.max(0, -more[one]));
  if (run.whole && !lendsOn) {
    run.whole = false;
    stopLending(model, run);
  }
  // What it borrows for its turn it has not lent on.
  for (const one of DIMENSIONS) take(run, one, Math.max(0, more[one]));
}

/** Where a first turn has to wait, what was set aside in dollars for the whole run is there for others (B3 says nothing of it). */
export function giveDollarsBack(run) {
  if (run.whole) release(run, 'costUsd', run.hold.costUsd);
}

/** What of a task's cap is kept for its wrap-up turn (B8). */
function reserve(model, run, dimension) {
  const { task } = run;
  const most = dimension === 'tokens' ? model.options.wrapUpTokens : knowsDollars(model, run) ? priceOf(model, run) : 0;
  return Number.isFinite(task.cap[dimension]) && !task.wrapUpUsed ? Math.min(most, Math.floor(task.cap[dimension] / 10)) : 0;
}

/** What `budget()` shows of a node. */
export function account(node, dimension) {
  const cap = node.cap[dimension];
  const [spent, reserved] = [node.spent[dimension], heldAt(node, dimension)];
  const free = () => Math.min(...pathOf(node).map((one) => left(one, dimension)));
  return {
    cap,
    spent,
    reserved,
    available: Math.max(0, node.kind === 'task' ? toBeHad(node, dimension) : free()),
    overspent: Math.max(0, spent + reserved - cap),
  };
}

/** Queued work that waits for budget which only runs hold that wait for queued work themselves: it never comes free (B5). */
export function isStuck(model, run) {
  return starves(model, run, stuckRuns(model));
}

function starves(model, run, stuck) {
  if (canHold(model, run) || !mayStart(model, run)) return false;
  return lackingOf(model, run).every(([node, dimension]) => holders(model, node, dimension).every((holder) => stuck.has(holder)));
}

/** Where too little is left, what is lent to the run included, and of what. */
function lackingOf(model, run) {
  const lent = { ...NOTHING };
  const needed = toBegin(model, run.task);
  return pathOf(run.task).flatMap((node) => {
    const above = node !== run.task && node.kind === 'task' ? openRun(node) : undefined;
    if (above?.started && above.whole) for (const dimension of DIMENSIONS) lent[dimension] += above.hold[dimension];
    const lacks = (dimension) => left(node, dimension) + lent[dimension] < needed[dimension];
    return DIMENSIONS.filter(lacks).map((dimension) => [node, dimension]);
  });
}

/** Runs that wait for nothing but queued work that starves, and for each other. */
function stuckRuns(model) {
  const stuck = new Set(model.live.filter((run) => run.parks.has('children') && !run.returned && !run.end));
  for (let again = true; again; ) {
    again = false;
    for (const run of stuck) {
      const pins = model.waits.filter((wait) => wait.run === run).flatMap((wait) => wait.pins);
      const settles = model.stops.some((stop) => stop.run === run);
      const blocked = ({ run: one }) => !one || one.end || (one.started ? stuck.has(one) : starves(model, one, stuck));
      if (!settles && pins.length > 0 && pins.every(blocked)) continue;
      stuck.delete(run);
      again = true;
    }
  }
  return stuck;
}

function holders(model, node, dimension) {
  return [...model.live, ...model.queue].filter((run) => run.hold[dimension] > 0 && pathOf(run.task).includes(node));
}

/**
 * What a run is given at its start where other things end in the same step: the rules don't say in which order what they held
 * comes free, so that the package's amount is taken over if it lies between one turn's estimate and all that is left.
 */
export function adopt(model, run, amounts) {
  const needed = toBegin(model, run.task);
  for (const dimension of DIMENSIONS) {
    const [amount, hold] = [amounts[dimension], run.hold[dimension]];
    if (!run.whole || run.end || amount === hold) continue;
    const lent = lenders(run.task).reduce((sum, lender) => sum + lender.hold[dimension], 0);
    const most = hold + Math.min(...pathOf(run.task).map((node) => left(node, dimension))) + lent;
    if (amount < needed[dimension] || amount > most) continue;
    if (amount > hold) take(run, dimension, amount - hold);
    else release(run, dimension, hold - amount);
  }
}
