// Waiting: what each wait pins, when it returns, what it returns and so collects (W1 to W4).

import { noteTold } from './asking.mjs';
import { noticeOf } from './notices.mjs';
import { answer, asked, open, Refused, refuse } from './promises.mjs';
import { park, priorityOf, unpark } from './slots.mjs';
import { below, lastRun, openRun } from './tree.mjs';

/** Opens a wait, or answers it at once. `single` is `handle.wait()`. */
export function openWait(model, actor, promise, targets, { mode, timeoutMs, single }) {
  const pins = targets.map((task) => ({ task, run: lastRun(task), model }));
  const wait = { actor, run: actor.run, promise, pins, mode, single, until: timeoutMs === undefined ? undefined : model.now + timeoutMs };
  const over = pins.filter(isOver);
  const fresh = over.filter((pin) => pin.run?.end && !isCollected(actor, pin));
  if (pins.some(isAsking)) {
    model.count('waits that a question kept from waiting');
    if (actor.run) for (const pin of pins) noteTold(actor.node, pin.task);
    return answerWait(model, wait, false);
  }
  if (over.length === pins.length || (mode === 'any' && fresh.length > 0)) return answerWait(model, wait, false);
  if (timeoutMs === 0) return answerWait(model, wait, true);
  for (const pin of pins) {
    const notice = pin.run?.end && noticeOf(model, pin.run);
    if (notice && notice.node === actor.node && notice.delivery === 'pending') notice.delivery = 'awaited';
  }
  if (actor.run) for (const pin of pins) raise(model, pin.task, actor.run);
  wait.old = new Set(over);
  model.waits.push(wait);
  if (actor.run && !actor.run.parks.has('children')) park(model, actor.run, 'children');
  return undefined;
}

/** What is queued of it and below comes forward, and stays there when the wait is over: a place never gets worse (D2). */
function raise(model, task, waiter) {
  for (const one of [...below(task), task]) {
    const run = openRun(one);
    if (run && !run.started && (one === task || !one.background))
      run.raised = Math.max(run.raised ?? run.task.priority, priorityOf(model, waiter));
  }
}

/** Whether it waits itself, for an answer of those who would wait for it (M5). */
function isAsking({ task, run }) {
  return run?.question !== undefined && !run.end && openRun(task) === run;
}

function isOver(pin) {
  return pin.task.forgotten || !pin.run || pin.run.end !== undefined;
}

/** A foreground end whose caller's run is over: it is reported to nobody any longer. */
function isOrphans({ task, run }) {
  return !task.background && (run.end.reason === 'parent_ended' || run.end.alone);
}

/** An interrupt of this actor that is still open will return it. */
function isToldByStop({ model, run }, actor) {
  return model.stops.some(({ interrupts, asker }) => interrupts?.includes(run) && asker.node === actor.node);
}

/** Ends of others' work, and those that were handed out or that another wait will hand over, are no reason to come back at once. */
function isCollected(actor, pin) {
  const notice = noticeOf(pin.model, pin.run);
  const asker = notice?.node ?? pin.task.parent;
  return Boolean(
    asker !== actor.node ||
      isOrphans(pin) ||
      pin.run.collected ||
      pin.run.toldTo?.has(actor.node) ||
      isToldByStop(pin, actor) ||
      notice?.delivery === 'leased' ||
      notice?.delivery === 'awaited',
  );
}

function tell(model, { wait, timedOut, hearing, asks }) {
  for (const pin of wait.pins) if (hearing && isOver(pin)) collect(model, wait.actor, pin.run);
  const completed = wait.pins.filter(isOver).map((pin) => pin.task.name);
  if (wait.single) {
    const pin = wait.pins[0];
    if (asks.length > 0) return refuse(model, wait.promise, 'needs_input');
    if (wait.moved && !isOver(pin)) return answer(model, wait.promise, { run: pin.run.number, backgrounded: true });
    if (!isOver(pin)) return refuse(model, wait.promise, 'aborted');
    const end = pin.run?.end;
    return answer(
      model,
      wait.promise,
      end
        ? { run: pin.run.number, status: end.status, reason: end.reason, output: end.output }
        : { run: 0, status: pin.task.ended ?? 'idle' },
    );
  }
  const pending = wait.pins.filter((pin) => !isOver(pin)).map((pin) => pin.task.name);
  return answer(model, wait.promise, {
    completed,
    pending,
    unknown: [],
    timedOut: timedOut && pending.length > 0,
    needsInput: asks,
    moved: wait.moved && pending.includes(wait.moved.name) ? [wait.moved.name] : [],
  });
}

/** This actor knows of the end: it does not come again as a notice that is handed on. */
export function tellEnd(run, actor) {
  run.toldTo ??= new Set();
  run.toldTo.add(actor.node);
}

/** The end is delivered: no wait comes back for it, and its notice is done with unless `only` the former is meant. */
export function collect(model, actor, run, only = false) {
  if (!run) return;
  tellEnd(run, actor);
  if (actor.node === (noticeOf(model, run)?.node ?? run.task.parent)) run.collected = true;
  const notice = only ? undefined : noticeOf(model, run);
  if (notice && notice.node === actor.node) notice.delivery = 'acked';
}

/** What a wait for a list returns is looked at when the step is done: it is all that the step has brought (W2). */
function answerWait(model, wait, timedOut) {
  const asks = wait.pins.filter(isAsking).map(({ task, run }) => `${task.name}: ${run.question.text}`);
  const telling = { wait, timedOut, hearing: !wait.run?.end && !wait.run?.returned, asks };
  const last = model.ended.at(-1);
  // The end that ends a wait is handed over with it, even where the run that waited ends in the same step.
  if (telling.hearing && wait.pins.some((pin) => pin.run === last)) collect(model, wait.actor, last);
  if (wait.single) tell(model, telling);
  else model.tellings.push(telling);
}

export function tellAll(model) {
  for (const telling of model.tellings.splice(0)) tell(model, telling);
}

function close(model, wait, timedOut) {
  model.waits.splice(model.waits.indexOf(wait), 1);
  answerWait(model, wait, timedOut);
  const { run } = wait;
  if (run?.parks.has('children') && !stillWaits(model, run)) unpark(model, run, 'children');
}

/** Ends every wait for a run that asks: gives the runs that waited. */
export function closeForQuestion(model, run) {
  const waits = model.waits.filter((wait) => wait.pins.some((pin) => pin.run === run));
  for (const wait of waits) close(model, wait, false);
  return waits.map((wait) => wait.run);
}

/** Foreground work goes on in the background: those who wait for it on its caller's side are answered now (X3). */
export function moveToBackground(model, { by, target, promise }) {
  open(model, promise);
  asked(model, promise, () => {
    const actor = model.actor(by);
    const task = model.target(actor, target);
    const run = openRun(task);
    if (!task.background && !run) throw new Refused('wrong_status');
    if (!task.background) {
      model.count('sub-agents moved to the background');
      task.background = true;
      task.changed = ++model.changes;
      const waits = run.stop
        ? []
        : model.waits.filter((wait) => wait.actor.node === task.parent && wait.pins.some((pin) => pin.run === run));
      for (const wait of waits) {
        model.count('waits that a move to the background ended');
        wait.moved = task;
        close(model, wait, false);
      }
    }
    answer(model, promise, { background: true });
  });
}

/** Whether a run has an open wait, for sub-agents or for something that it stops. */
export function stillWaits(model, run) {
  return model.waits.some((other) => other.run === run) || model.stops.some((stop) => stop.run === run);
}

/** A run goes on in the next process: here, what it waits for may not end (D8). */
export function leaveWaits(model, run) {
  const left = model.waits.filter((wait) => wait.run === run);
  model.waits = model.waits.filter((wait) => !left.includes(wait));
  for (const { promise } of left) refuse(model, promise, 'aborted');
  if (left.length > 0 && !stillWaits(model, run)) unpark(model, run, 'children');
}

export function expireWait(model, wait) {
  returnWaits(model, (one) => one === wait);
  if (model.waits.includes(wait)) close(model, wait, true);
}

/** Returns every wait that what happened in this step ends. */
export function returnWaits(model, which = () => true) {
  for (const wait of model.waits.filter(which)) {
    const over = wait.pins.filter(isOver);
    if (over.length === wait.pins.length || (wait.mode === 'any' && over.some((pin) => !wait.old.has(pin)))) close(model, wait, false);
  }
}
