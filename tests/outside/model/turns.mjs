// What happens between a run's turns: permits, reports, and what is put into the conversation (L4, N3, M1).

import { tellQuestions } from './asking.mjs';
import { beginWhole, giveDollarsBack, holdTurn, lacksTurn } from './budget.mjs';
import { cools } from './cooldowns.mjs';
import { heard } from './deadlines.mjs';
import { beginTurn, toGoOn } from './estimates.mjs';
import { noteTurn } from './kinds.mjs';
import { ackLeased, leaseFor } from './notices.mjs';
import { answer } from './promises.mjs';
import { isTurnOverRate, noteTurnAhead, standForRate } from './rates.mjs';
import { park, slotsHeld, standInLine } from './slots.mjs';
import { bookReport } from './usage.mjs';

/** `beforeTurn`: answers through the promise of that name. */
export function askTurn(model, run, promise) {
  run.turnPromise = promise;
  ackLeased(model, run.task, run);
  if (run.end) return answer(model, promise, { go: false, reason: 'actor_ended' });
  if (run.stop) return answer(model, promise, { go: false, reason: run.stop.reason });
  if (run.verdict) return answer(model, promise, { go: false, reason: 'policy' });
  if (run.budgetTold || run.told?.reason === 'budget_exhausted') return refuseSpent(model, run);
  if (isLast(run)) return refuseLast(model, run);
  const waits = run.parks.size > 0;
  const isInLine = run.parks.has('reentry');
  const isOver = run.overLimit && slotsHeld(model) > model.options.maxConcurrent;
  if (!waits && !isOver && isSpentAndLate(model, run)) return refuseSpent(model, run);
  run.turnAsked = true;
  model.takesTurns ||= waits || isOver || isLate(model, run);
  if (waits && !isInLine) return undefined;
  if (cools(model, run.task)) return park(model, run, 'cooldown');
  if (isTurnOverRate(model, run)) return standForRate(model, run);
  if (isInLine) return undefined;
  if (isOver) return standInLine(model, run);
  return grantTurn(model, run);
}

/** Nothing is left for its turn, which it would wait for otherwise (B11). */
function isSpentAndLate(model, run) {
  return isLate(model, run) && lacksTurn(model, run);
}

function isLate(model, run) {
  return cools(model, run.task) || isTurnOverRate(model, run);
}

/** It has had its last turn. What it was asked first is why (L4). */
function isLast(run) {
  return Boolean((run.softTold && run.wrapUpGiven) || run.turns >= run.task.maxTurns);
}

function refuseLast(model, run) {
  run.told ??= { status: 'failed', reason: 'max_turns' };
  return answer(model, run.turnPromise, { go: false, reason: run.told.reason });
}

function refuseSpent(model, run) {
  run.told ??= { status: 'failed', reason: 'budget_exhausted' };
  return answer(model, run.turnPromise, { go: false, reason: run.told.reason });
}

/** The run holds its slot: the turn begins, or is refused. Where it had to wait, it gets at last what the step has brought. */
export function grantTurn(model, run, late = false) {
  run.turnAsked = false;
  run.overLimit = false;
  if (run.budgetTold || run.told?.reason === 'budget_exhausted') return refuseSpent(model, run);
  if (isLast(run)) return refuseLast(model, run);
  if (isSpentAndLate(model, run)) return refuseSpent(model, run);
  if (cools(model, run.task)) {
    run.turnAsked = true;
    return park(model, run, 'cooldown');
  }
  if (isTurnOverRate(model, run)) {
    run.turnAsked = true;
    return standForRate(model, run);
  }
  const held = holdTurn(model, run, late);
  if (held === 'spent') return refuseSpent(model, run);
  model.takesTurns = true;
  if (held === 'waits') {
    giveDollarsBack(run);
    run.turnAsked = true;
    return standInLine(model, run);
  }
  run.turns++;
  beginTurn(model, run);
  noteTurn(model, run.of);
  // What a whole turn holds says nothing of what it takes.
  noteTurnAhead(model, run, run.asksWhole ? Math.min(run.expects, toGoOn(model, { ...run, estimate: undefined }).tokens) : run.expects);
  run.asksTurns = true;
  heard(model, run);
  if (held === 'wrapUp') run.budgetTold = true;
  if (!late) return tellTurn(model, run, held);
  model.late.push(() => {
    if (run.aside && !run.end && !run.stop) beginWhole(model, run, run.aside);
    return tellTurn(model, run, held);
  });
  return undefined;
}

function tellTurn(model, run, held) {
  if (run.end || run.stop) return answer(model, run.turnPromise, { go: false, reason: run.stop?.reason ?? 'actor_ended' });
  const inject = leaseFor(model, run);
  const waiting = run.task.queue.filter((message) => message.mode === 'steer');
  const steers = [...(run.heard ?? []).filter((one) => one.isUntold), ...waiting];
  for (const one of run.heard ?? []) one.isUntold = false;
  run.task.queue = run.task.queue.filter((message) => message.mode !== 'steer');
  keep(model, run, waiting);
  const said = {
    go: true,
    turn: run.turns,
    notices: inject.map((end) => end.split('#')[0]).sort(),
    steers: [...steers.map((message) => message.text), ...(run.injected?.splice(0) ?? [])],
    questions: tellQuestions(run.task),
  };
  if (run.softTold) {
    said.wrapUp = 'timeout';
    run.wrapUpGiven = true;
  }
  if (held === 'wrapUp') {
    said.wrapUp ??= 'budget_exhausted';
    run.told ??= { status: 'failed', reason: 'budget_exhausted' };
  }
  return answer(model, run.turnPromise, said);
}

/** What an attempt in the place of this one gets as well: of all that, the last `maxMessages` texts. */
export function keep(model, run, texts) {
  run.heard = [...(run.heard ?? []), ...texts].slice(-model.options.maxMessages);
  run.replies = run.replies?.filter((one) => run.heard.includes(one));
}

/** A waiting turn of a run that has to stop is refused. */
export function refuseTurn(model, run, reason) {
  if (!run.turnAsked) return;
  run.turnAsked = false;
  answer(model, run.turnPromise, { go: false, reason });
}

export function report(model, run, { message, ...usage }) {
  bookReport(model, run, usage);
  if (message !== undefined && !run.end) run.said = message;
  if (!run.stop && !run.end) heard(model, run);
}
