// The runs of a driven task (X6): the program takes one and ends it, in place of a host function. Owns which run a call means;
// the core decides when the run starts, and what its end means.

import { messageOf, SubAgentError } from '../base/errors.js';
import type { Actor, Key } from '../boundary/key.js';
import type { Returned } from '../boundary/scratch.js';
import { RETURNED_FAILED } from '../generated/codes.js';
import { threw } from '../reading/returned.js';
import { ActiveRun } from '../runs/active-run.js';
import type { Parts } from './parts.js';
import { lastRunOf } from './spawning.js';

/** Throws if the program doesn't drive a task. */
export function expectDriven(runtime: Parts, { index, generation }: Key, action: string): void {
  if (lastRunOf(runtime, { index, generation }).isDriven) return;
  // Throws if the task is forgotten.
  runtime.lookup.snapshot(index, generation);
  throw new SubAgentError('wrong_style', `this sub-agent was not spawned with \`drive: 'program'\`, so it can't ${action}`, { action });
}

/** Takes up the queued run of a task: resolves to it once it has its slot. */
export function takeUp(runtime: Parts, actor: Actor, task: Key): Promise<ActiveRun> {
  runtime.check();
  const active = runtime.runs.activeOf(task.index, task.generation);
  if (active?.begun !== undefined) return active.begun.promise;
  const begun = active?.expectBegin();
  try {
    runtime.perform(actor, { type: 'take_run', task });
  } catch (error) {
    if (active !== undefined) active.begun = undefined;
    // A core that failed has rejected this promise, and the caller already has the error.
    begun?.catch(() => undefined);
    throw error;
  }
  return begun as Promise<ActiveRun>;
}

/** Ends the run that the program took up. If the run is over, its result is late (L2). */
export function endDriven(runtime: Parts, task: Key, returned: Returned): void {
  runtime.check();
  const active = endable(runtime, task);
  // The first end counts, even while its value is being checked.
  if (active.checking !== undefined) {
    runtime.alone(active.checking.then(() => runtime.hosts.end(overRun(runtime, active, active.run), returned)));
    return;
  }
  const check = active.begun === undefined ? undefined : active.check;
  if (check === undefined) runtime.hosts.end(active, returned);
  else active.checking = runtime.hosts.endOnceChecked(active, returned, check);
}

/** A run that is over: its result is late. */
function overRun(runtime: Parts, { index, generation }: Key, run: number): ActiveRun {
  return Object.assign(new ActiveRun(runtime, undefined), { index, generation, run });
}

/** The last run that has begun. Of the runs that earlier processes began, the last one that is over. */
function endable(runtime: Parts, { index, generation }: Key): ActiveRun {
  expectDriven(runtime, { index, generation }, 'be ended');
  const last = lastRunOf(runtime, { index, generation });
  if (last.begun?.isOver === true && !last.hostIsOver) return last;
  const taken = runtime.runs.taken[index];
  const over = waitsForStart(runtime, last) ? last.run - 1 : last.run;
  const run = taken?.generation === generation ? taken.run : over;
  if (run > 0) return runtime.runs.reported(index, generation, run);
  throw notStarted(runtime, last, 'be ended', ', or `cancel()` it');
}

/** Throws if the run waits for `start()`: it has nothing to report. */
export function expectStarted(runtime: Parts, run: ActiveRun): void {
  if (!runtime.isClosed && waitsForStart(runtime, run)) throw notStarted(runtime, run, 'report');
}

function waitsForStart(runtime: Parts, { index, generation, run, begun }: ActiveRun): boolean {
  return begun?.isOver !== true && runtime.call((core) => core.isOpen(index, generation, run));
}

function notStarted(runtime: Parts, { index, generation }: Key, action: string, or = ''): SubAgentError {
  const { status } = runtime.lookup.snapshot(index, generation);
  const message = `this sub-agent is ${status}, so it can't ${action}: \`await handle.start()\` first${or}`;
  return new SubAgentError('wrong_status', message, { status, action });
}

/** The result of a run that the program couldn't complete. */
export function failure(error: unknown): Returned {
  return { ...threw(messageOf(error), error), how: RETURNED_FAILED };
}
