// The ledger of tokens: caps, what is spent, what is set aside, and who lends to whom (B1 to B9).

import { openRun } from './tree.mjs';

/** The node and all above it, up to the manager. */
export function pathOf(node) {
  const path = [];
  for (let at = node; at; at = at.parent) path.push(at);
  return path;
}

function runsHolding(node) {
  return (node.runs ?? []).filter((run) => run.hold > 0);
}

export function heldAt(node) {
  const own = runsHolding(node).reduce((sum, run) => sum + run.hold, 0);
  return (node.children ?? []).reduce((sum, child) => sum + heldAt(child), own);
}

function remaining(node) {
  return node.cap.tokens - node.spent.tokens;
}

function left(node) {
  return remaining(node) - heldAt(node);
}

/** Runs above a task whose whole-run hold lends to what is below (B4), the nearest first. */
function lenders(task) {
  return pathOf(task.parent)
    .filter((node) => node.kind === 'task')
    .map((node) => openRun(node))
    .filter((run) => run?.started && run.whole);
}

/** The least that is to be had for a run of this task, what is lent included. */
export function toBeHad(task, kept = 0) {
  let lent = 0;
  const least = [];
  for (const node of pathOf(task)) {
    const run = node !== task && node.kind === 'task' ? openRun(node) : undefined;
    if (run?.started && run.whole) lent += run.hold;
    least.push(left(node) + lent - (node === task ? kept : 0));
  }
  return Math.min(...least);
}

export function isCapped(model) {
  return [model.root, model.home, ...model.sessions.values(), ...model.tasks.values()].some((node) => Number.isFinite(node.cap.tokens));
}

/** Whether a cap on the path is spent: less than one turn's estimate remains (B5). */
export function isSpent(model, node, also = []) {
  return [...also, ...pathOf(node)].some((one) => remaining(one) < model.options.turnEstimate);
}

/** Whether a queued run finds enough to begin with. */
export function canHold(model, run) {
  return toBeHad(run.task) >= model.options.turnEstimate;
}

function take(run, amount) {
  let open = amount;
  for (const lender of lenders(run.task)) {
    const part = Math.min(open, lender.hold);
    if (part <= 0) continue;
    lender.hold -= part;
    open -= part;
    run.debts.push({ lender, amount: part });
  }
  run.hold += amount;
}

/** Gives a part of a hold back: to whom it was borrowed from as long as that lends, the last loan first; the rest is free. */
export function release(_model, run, amount) {
  let open = Math.min(amount, run.hold);
  run.hold -= open;
  for (const debt of run.debts.filter(({ lender }) => !lender.end && lender.whole).reverse()) {
    const part = Math.min(open, debt.amount);
    debt.amount -= part;
    open -= part;
    debt.lender.hold += part;
  }
  run.debts = run.debts.filter((debt) => debt.amount > 0);
}

/** A run lends no more: what others have of it that it had borrowed itself, they owe to its own lenders. */
export function stopLending(model, run) {
  const lenders = run.debts.filter(({ lender }) => !lender.end && lender.whole);
  for (const borrower of model.live) {
    for (const debt of borrower.debts.filter(({ lender }) => lender === run)) {
      for (const own of lenders) {
        const part = Math.min(debt.amount, own.amount);
        if (part <= 0) continue;
        debt.amount -= part;
        own.amount -= part;
        borrower.debts.push({ lender: own.lender, amount: part });
      }
    }
    borrower.debts = borrower.debts.filter((debt) => debt.amount > 0);
  }
}

/** The whole-run hold of a start (B3). `free` counts the slot that it takes. */
export function holdWhole(model, run, free) {
  run.whole = true;
  const had = toBeHad(run.task);
  const { tokens } = run.task.cap;
  if (!Number.isFinite(had)) return;
  const amount = Number.isFinite(tokens) ? had : Math.min(had, Math.max(model.options.turnEstimate, Math.floor(had / (free + 1))));
  take(run, amount);
}

/**
 * Sets a turn aside: `granted`, `wrapUp` with what is left, `waits` for what others hold, or `spent` (B3, B6, B8).
 */
export function holdTurn(model, run) {
  const estimate = model.options.turnEstimate;
  const had = forTurn(model, run);
  if (isLastTurn(model, run)) {
    if (!maySumUp(run)) return 'spent';
    const amount = Math.min(restFor(run), estimate, forLast(run));
    if (amount <= 0) return 'spent';
    run.task.wrapUpUsed = true;
    setAside(model, run, amount);
    return 'wrapUp';
  }
  if (had < estimate) return 'waits';
  setAside(model, run, estimate);
  return 'granted';
}

/** What an ordinary turn finds, its run's whole hold included. */
function forTurn(model, run) {
  return toBeHad(run.task, reserve(model, run.task)) + (run.whole ? run.hold : 0);
}

/** What the run's own earlier turns hold: it can't wait for that. */
function unreported(run) {
  return run.whole ? 0 : run.hold;
}

/** Nothing is left for an ordinary turn, whatever others give back. */
function isLastTurn(model, run) {
  const estimate = model.options.turnEstimate;
  const { task } = run;
  return pathOf(task).some((node) => remaining(node) - unreported(run) - (node === task ? reserve(model, task) : 0) < estimate);
}

/** Whether a turn that waits gets an answer now. */
export function mayHoldTurn(model, run) {
  return isLastTurn(model, run) || forTurn(model, run) >= model.options.turnEstimate;
}

/** What is left of the caps for a wrap-up turn; the task gets one once in its life, whosever cap it is (B8). */
function restFor(run) {
  return Math.min(...pathOf(run.task).map((node) => remaining(node) - unreported(run)));
}

function maySumUp(run) {
  return !run.task.wrapUpUsed && restFor(run) > 0;
}

/** What a wrap-up turn finds that others don't hold. */
function forLast(run) {
  return toBeHad(run.task) + (run.whole ? run.hold : 0);
}

/** The first turn shrinks the whole-run hold; every other adds its own. */
function setAside(model, run, amount) {
  if (!run.whole) return take(run, amount);
  if (run.hold > amount) release(model, run, run.hold - amount);
  run.whole = false;
  stopLending(model, run);
  // What it borrows for its turn it has not lent on.
  return take(run, amount - run.hold);
}

/** What of a task's cap is kept for its wrap-up turn (B8). */
export function reserve(model, task) {
  return Number.isFinite(task.cap.tokens) && !task.wrapUpUsed ? Math.min(model.options.wrapUpTokens, Math.floor(task.cap.tokens / 10)) : 0;
}

/** Usage was reported: it comes out of the hold; a turn's hold ends with it. */
export function bookReport(model, run, tokens) {
  book(run.task, tokens);
  if (run.whole || run.hold <= 0) spend(run, tokens);
  else {
    spend(run, tokens);
    release(model, run, run.hold);
  }
}

/** A part of the hold is spent, and what goes beyond it out of what lends to the run: nobody gets it back. */
function spend(run, tokens) {
  let open = tokens;
  for (const holder of run.end ? [run] : [run, ...lenders(run.task)]) {
    const part = Math.min(open, holder.hold);
    holder.hold -= part;
    open -= part;
  }
}

/** Spending counts at the task and all above it (B2). */
export function book(task, tokens) {
  for (const node of pathOf(task)) node.spent.tokens += tokens;
}

/** What `budget()` shows of a node. */
export function account(node) {
  const { tokens: cap } = node.cap;
  const [spent, held] = [node.spent.tokens, heldAt(node)];
  return {
    cap,
    spent,
    held,
    available: Math.max(0, node.kind === 'task' ? toBeHad(node) : Math.min(...pathOf(node).map(left))),
    overspent: Math.max(0, spent + held - cap),
  };
}

/** Queued work that waits for budget which only runs hold that wait for queued work themselves: it never comes free (B5). */
export function isStuck(model, run) {
  return starves(model, run, stuckRuns(model));
}

function starves(model, run, stuck) {
  if (canHold(model, run) || earlierHost(run)) return false;
  return lackingOf(model, run).every((node) => holders(model, node).every((holder) => stuck.has(holder)));
}

/** Where too little is left, what is lent to the run included. */
function lackingOf(model, run) {
  let lent = 0;
  return pathOf(run.task).filter((node) => {
    const above = node !== run.task && node.kind === 'task' ? openRun(node) : undefined;
    if (above?.started && above.whole) lent += above.hold;
    return left(node) + lent < model.options.turnEstimate;
  });
}

/** Runs that wait for nothing but queued work that starves, and for each other. */
function stuckRuns(model) {
  const stuck = new Set(model.live.filter((run) => run.parked === 'children' && !run.returned && !run.end));
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

function holders(model, node) {
  return model.live.filter((run) => run.hold > 0 && pathOf(run.task).includes(node));
}

/** An earlier run whose host function has not returned and was not given up (L6). */
function earlierHost(run) {
  return run.task.runs.some((other) => other !== run && other.started && !other.hostReturned && !other.abandoned);
}

/**
 * What a run is given at its start where other things end in the same step: the rules don't say in which order what they held
 * comes free, so that the package's amount is taken over if it lies between one turn's estimate and all that is left.
 */
export function adopt(model, run, amount) {
  if (!run.whole || run.end || amount === run.hold) return;
  const most = run.hold + Math.min(...pathOf(run.task).map(left)) + lenders(run.task).reduce((sum, lender) => sum + lender.hold, 0);
  if (amount < model.options.turnEstimate || amount > most) return;
  if (amount > run.hold) take(run, amount - run.hold);
  else release(model, run, run.hold - amount);
}
