// What is asked to stop, and when that has settled: cancel, interrupt, and all at once (C1, C2, C4, M4, N4).

import { ack } from './notices.mjs';
import { answer, asked, open } from './promises.mjs';
import { park } from './slots.mjs';
import { hasSettled, stopRun, stopTask } from './stops.mjs';
import { below, lastRun, openRun, statusOf } from './tree.mjs';
import { tellEnd } from './waits.mjs';

export function cancel(model, { by, target, promise, graceMs }) {
  open(model, promise);
  asked(model, promise, () => {
    const actor = model.actor(by);
    const task = model.target(actor, target);
    actor.acked = [];
    stopTask(model, task, {
      status: 'cancelled',
      reason: 'cancelled',
      below: 'ancestor_cancelled',
      grace: graceMs ?? model.options.graceMs,
      by: actor,
    });
    whenSettled(
      model,
      actor,
      promise,
      () => hasSettled(task),
      () => {
        if (lastRun(task)?.end && !task.background) lastRun(task).collected = true;
        return { status: statusOf(task), acked: actor.acked.length };
      },
      task,
    );
  });
}

export function interrupt(model, { by, target, promise, graceMs }) {
  open(model, promise);
  asked(model, promise, () => {
    const actor = model.actor(by);
    const task = model.target(actor, target);
    const run = openRun(task);
    const stopped = task.children
      .filter((child) => run && !child.background && openRun(child)?.caller === run)
      .flatMap((child) => [...below(child), child].flatMap((one) => openRun(one) ?? []));
    if (run) {
      task.held = true;
      stopRun(model, run, 'interrupted', 'interrupted', graceMs ?? model.options.graceMs, { ...actor, interrupts: promise });
    }
    whenSettled(
      model,
      actor,
      promise,
      () => !run || (run.end !== undefined && stopped.every((one) => one.end)),
      () => {
        for (const notice of model.notices)
          if (
            notice.run === run &&
            notice.delivery !== 'acked' &&
            (notice.heldBy !== undefined || (run.started && notice.node === actor.node && !actor.run?.end))
          )
            ack(notice);
          else if (stopped.includes(notice.run) && notice.delivery === 'awaited' && notice.node === actor.node) ack(notice);
        if (run?.started && !actor.run?.end) tellEnd(run, actor);
        if (run?.started && task.parent === actor.node) run.collected = true;
        return {};
      },
      undefined,
      [run, ...stopped],
    );
  });
}

export function cancelAll(model, { by, promise }) {
  open(model, promise);
  asked(model, promise, () => {
    const actor = model.actor(by);
    const tops = [model.home, ...model.sessions.values()].flatMap((session) => session.children).filter((task) => !task.forgotten);
    actor.acked = [];
    actor.covers = model.root;
    const ended = tops.flatMap((top) => [...below(top), top]).flatMap((task) => openRun(task) ?? []);
    for (const task of tops)
      stopTask(model, task, {
        status: 'cancelled',
        reason: 'ancestor_cancelled',
        below: 'ancestor_cancelled',
        grace: model.options.graceMs,
        by: actor,
      });
    whenSettled(
      model,
      actor,
      promise,
      () => tops.every(hasSettled),
      () => {
        for (const run of ended) if (run.end && !run.task.background) run.collected = true;
        return {};
      },
      model.root,
    );
  });
}

/** `root` is what is sealed meanwhile, `interrupts` the runs whose ends an interrupt will have reported. */
export function whenSettled(model, actor, promise, over, tell, root, interrupts) {
  if (over()) {
    answer(model, promise, tell());
    return;
  }
  model.stops.push({ run: actor.run, asker: actor, promise, over, tell, root, interrupts });
  if (actor.run && !actor.run.end && !actor.run.parks.has('children')) park(model, actor.run, 'children');
}
