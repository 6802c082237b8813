// Notices: every end of background work makes one, for who asked for it, until it is acknowledged or collected (N1 to N4, W4).

import { isBelow, openRun } from './tree.mjs';
import { collect } from './waits.mjs';

/** Whether a task can still be notified: an open run, or a message waiting for one (N1); in a held queue it may wait for ever. */
export function hears(node) {
  if (node.kind === 'session') return true;
  return !node.forgotten && (openRun(node) !== undefined || (node.queue.length > 0 && node.ended !== 'closed' && !node.held));
}

/** Who is notified of the end of a task's run: whoever asked for it, or the nearest one above that can be. */
export function addressee(task) {
  let node = task.parent;
  while (!hears(node)) node = node.parent;
  return node;
}

const STOPPED = ['interrupted', 'cancelled', 'closed'];

/** Whoever stops background work, or something above it, needs no notice of that end (N4). A cancel overtakes an interrupt. */
export function claim(run, by) {
  const asker = run.task.parent;
  if (!by || !run.task.background || (run.stop && !STOPPED.includes(run.stop.status))) return;
  if (run.claimed && run.stop?.status !== 'interrupted') return;
  const covered = by.covers && (by.covers === asker || isBelow(asker, by.covers));
  if (covered || by.node === asker || by.node === addressee(run.task)) run.claimed = by;
}

export function makeNotice(model, run) {
  const { task } = run;
  if (!task.background) return;
  const asker = task.parent;
  const node = addressee(task);
  const notice = {
    run,
    node,
    reroutedFrom: node === asker ? null : asker.name,
    delivery: 'pending',
    attempt: 0,
    order: ++model.noticeOrder,
  };
  if (run.claimed) {
    notice.delivery = 'acked';
    run.collected = true;
    run.claimed.acked?.push(`${task.name}#${run.number}`);
    collect(model, run.claimed, run);
    return;
  }
  const stop = stopThatTells(model, node, run);
  if (stop) {
    notice.delivery = 'awaited';
    notice.heldBy = stop.promise;
    collect(model, stop.asker, run, true);
    model.notices.push(notice);
    return;
  }
  if (isAwaited(model, node, run)) notice.delivery = 'awaited';
  model.notices.push(notice);
}

/** The open interrupt that will report this end to whom it is for. */
function stopThatTells(model, node, run) {
  return model.stops.find(
    ({ interrupts, asker }) => interrupts?.includes(run) && asker.node === node && !asker.run?.end && !asker.run?.returned,
  );
}

/** Whether an open wait for all of its runs, or an interrupt, will hand it over. */
function isAwaited(model, node, run) {
  const waits = model.waits.some(
    (wait) => !wait.run?.end && !wait.run?.returned && wait.actor.node === node && wait.pins.some((pin) => pin.run === run),
  );
  const stop = stopThatTells(model, node, run);
  return waits || (stop !== undefined && !stop.over());
}

/** A run is over, and its waits hand over nothing any more: what they would have waits as usual. */
export function releaseNotices(model, task) {
  for (const notice of model.notices) {
    if (notice.node === task && notice.delivery === 'awaited' && !isAwaited(model, task, notice.run)) notice.delivery = 'pending';
  }
}

/** Notices for a task that can no longer be notified go to the nearest one above (N1). */
export function rerouteFrom(model, task) {
  if (hears(task)) return;
  for (const notice of model.notices) {
    if (notice.node !== task || notice.delivery === 'acked') continue;
    let node = task;
    while (!hears(node)) node = node.parent;
    notice.node = node;
    notice.order = ++model.noticeOrder;
    notice.attempt = 0;
    notice.reroutedFrom ??= task.name;
    notice.delivery = isAwaited(model, node, notice.run) ? 'awaited' : 'pending';
    notice.leasedTo = undefined;
    if (notice.run.toldTo?.has(node)) ack(notice);
  }
}

export function waiting(model, node) {
  return model.notices.filter((notice) => notice.node === node && notice.delivery !== 'acked').sort((a, b) => a.order - b.order);
}

export function lease(model, node, max, leaseMs) {
  const pending = waiting(model, node).filter((notice) => notice.delivery === 'pending');
  const chosen = pending.filter((notice) => model.seenLease?.includes(nameOf(notice)));
  const count = Math.min(max, pending.length);
  const taken =
    chosen.length === count
      ? chosen.sort((a, b) => model.seenLease.indexOf(nameOf(a)) - model.seenLease.indexOf(nameOf(b)))
      : pending.slice(0, count);
  for (const notice of taken) {
    notice.delivery = 'leased';
    notice.attempt++;
    notice.leasedUntil = leaseMs === undefined ? undefined : model.now + leaseMs;
  }
  return taken;
}

/** A turn of a run gets its notices; they stay leased until its next turn or its good end (N3). */
export function leaseFor(model, run) {
  const taken = lease(model, run.task, model.options.maxInjected, undefined);
  for (const notice of taken) notice.leasedTo = run;
  return taken.map(nameOf);
}

export function ackLeased(model, node, run) {
  for (const notice of model.notices) if (notice.node === node && notice.delivery === 'leased' && notice.leasedTo === run) ack(notice);
}

/** What a run's turns were given comes again: it has not ended well. */
export function returnLeased(model, run) {
  for (const notice of model.notices) if (notice.delivery === 'leased' && notice.leasedTo === run) wakeLeases(model, notice);
}

/** A lease is over: the notice waits again, or is set aside (N2). */
export function wakeLeases(model, notice) {
  const back = isAwaited(model, notice.node, notice.run) ? 'awaited' : 'pending';
  notice.delivery = notice.attempt >= model.options.maxDeliveries ? 'undelivered' : back;
  notice.leasedUntil = undefined;
  notice.leasedTo = undefined;
}

/** Done with: whoever it was for knows of it. */
export function ack(notice) {
  notice.delivery = 'acked';
  notice.run.collected = true;
}

export function noticeOf(model, run) {
  return model.notices.find((notice) => notice.run === run && notice.delivery !== 'acked');
}

export function nameOf(notice) {
  return `${notice.run.task.name}#${notice.run.number}`;
}
