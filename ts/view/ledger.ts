// The money and time of runs, and their sums up to the manager. Owns the order in which an event's amounts are
// applied; `src/state/budget/reservations.rs` has that of the manager.

import type { EventAmounts, EventLoan, EventLoans } from '../generated/facts.js';
import type { TaskStatus } from '../generated/names.js';
import { isSame, isZero, minus, plus, ZERO } from './amounts.js';
import { countBooked, givePricedBack, noteCost } from './costs.js';
import { type Moment, runOf } from './moment.js';
import type { NodeRecord } from './node-record.js';
import type { NodeView, RunView } from './record.js';

/** Changes a run, if there is one of this number. */
export function changeRun(node: NodeRecord, number: number, change: Partial<RunView>): void {
  const run = runOf(node, number);
  if (run !== undefined) Object.assign(run, change);
}

/**
 * Takes an event about a run's budget.
 *
 * @param usage the run's total usage
 * @param reserved its new reservation
 */
export function book(
  moment: Moment,
  node: NodeRecord,
  number: number,
  usage: EventAmounts,
  reserved: EventAmounts,
  loans: EventLoans | null,
): void {
  if (loans !== null) for (const loan of loans.lent) lend(moment, loan, minus);
  const run = runOf(node, number);
  const isLast = node.runs === number;
  const booked = run?.usage ?? (isLast ? node.usage : undefined);
  let most = usage;
  if (booked !== undefined) {
    const amount = minus(usage, booked);
    // The host's own cost may be lower than the dollars that prices had booked.
    const less = booked.costUsd > usage.costUsd ? { ...ZERO, costUsd: minus(booked, usage).costUsd } : ZERO;
    most = minus(plus(booked, amount), less);
    const [counted, back] = countBooked(node, number, amount);
    const away = plus(less, back);
    if (!isZero(plus(amount, away))) {
      for (let at = node.index; at >= 0; ) {
        const above = moment.write(at);
        above.spent = minus(plus(above.spent, counted), away);
        at = above.parent;
      }
      if (!isZero(less)) givePricedBack(moment, node, number, less);
      noteCost(moment, node, number, amount, counted, back);
      node.own = minus(plus(node.own, amount), less);
      if (isLast) node.usage = minus(plus(node.usage, amount), less);
      node.updatedAt = moment.at;
    }
  }
  if (run !== undefined) {
    setReserved(moment, node.index, run.reserved, reserved);
    run.reserved = reserved;
    run.usage = most;
  }
  if (loans !== null) for (const loan of loans.returned) lend(moment, loan, plus);
}

/** A lender's reservation shrinks by its loans, and grows by returned ones. */
function lend(moment: Moment, { lender, run, amount }: EventLoan, change: typeof plus): void {
  const known = moment.read(moment.names.task(lender, moment));
  if (known === undefined) return;
  const { index } = known;
  const lending = runOf(moment.write(index), run);
  if (lending === undefined) return;
  const before = lending.reserved;
  lending.reserved = change(before, amount);
  setReserved(moment, index, before, lending.reserved);
}

/** The reservation of a node has changed, and so it has for all above it. */
export function setReserved(moment: Moment, index: number, before: EventAmounts, after: EventAmounts): void {
  if (isSame(before, after)) return;
  for (let at = index; at >= 0; ) {
    const node = moment.write(at);
    node.reserved = plus(minus(node.reserved, before), after);
    at = node.parent;
  }
}

export function giveUpSlot(moment: Moment, { slot }: RunView): void {
  if (slot === 'taken') moment.active -= 1;
  else if (slot === 'parked') moment.parked -= 1;
}

export function setStatus({ at }: Moment, node: NodeRecord, status: TaskStatus): void {
  node.status = status;
  node.updatedAt = at;
  if (status === 'closed') node.saved = node.acquired = null;
}

export function setClock(moment: Moment, node: NodeRecord, clock: NodeView['clock']): void {
  const { at } = moment;
  const { clock: before, clockSince } = node;
  if (clock === before) return;
  const passed = at - clockSince;
  if (before === 'queued') node.queuedMs += passed;
  else if (before === 'parked') node.parkedMs += passed;
  else if (before === 'working') {
    node.workingMs += passed;
    countWorking(moment, node.index, passed, -1, -clockSince);
  }
  if (clock === 'working') countWorking(moment, node.index, 0, 1, at);
  node.clock = clock;
  node.clockSince = at;
}

/** Updates the work below a node and all above it: its milliseconds, the number of workers, the sum of their starts. */
export function countWorking(moment: Moment, index: number, ms: number, one: number, since: number): void {
  for (let at = index; at >= 0; ) {
    const node = moment.write(at);
    node.subtreeMs += ms;
    node.subtreeWorking += one;
    node.subtreeSince += since;
    at = node.parent;
  }
}
