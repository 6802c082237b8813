// What a lead of workers marks: its host function, whose runs continue when this process ends, because other processes
// carry them out; and the runs, with what only the lead may do with them. Owns the hidden keys, since the lead is built
// apart from the manager, and the program may wrap its host function.

import type { SubAgentError } from '../base/error-class.js';
import { invalid } from '../base/errors.js';
import type { StopReason } from '../generated/names.js';
import { readArgument } from './arguments.js';

/** These keys are the same in each copy of this package that a program has loaded. */
const OUTLIVES = Symbol.for('subagents.outlives');
const OPENED = Symbol.for('subagents.opened');
const LED = Symbol.for('subagents.led');

/** Asks the store whether the manager still has it. Rejects if it doesn't, or if the manager is over. */
export type OwnsStore = () => Promise<void>;

/**
 * Marks a host function.
 *
 * @param opened called each time that a manager with this host function has opened a store, before anything is carried out
 */
export function outliving<F extends object>(hostFunction: F, opened: (ownsStore: OwnsStore) => void): F {
  return Object.assign(hostFunction, { [OUTLIVES]: true, [OPENED]: opened });
}

export function outlivesProcess(hostFunction: unknown): boolean {
  if (typeof hostFunction !== 'function') return false;
  return readArgument('`spawnSubAgent`', () => (hostFunction as { [OUTLIVES]?: unknown })[OUTLIVES] === true);
}

/** Notifies a host function, if it is such a one, that its manager has opened a store. */
export function notifyOpened(hostFunction: unknown, ownsStore: OwnsStore): void {
  if (outlivesProcess(hostFunction)) (hostFunction as { [OPENED]?: (ownsStore: OwnsStore) => void })[OPENED]?.(ownsStore);
}

/** What a lead does with a run. */
export interface LedRun {
  /** Calls this when the run is asked to stop; at once if it already was. Making a signal takes far longer. */
  whenAborted(stop: (reason: StopReason) => void): void;
  /**
   * Another host continues the run from its last checkpoint, or from the beginning. Usage that the earlier host had begun and
   * not reported is booked. The next turn repeats all steering messages since that checkpoint, or since the beginning.
   */
  hostReplaced(isAnew: boolean): void;
  /**
   * Another host has taken the run, so the waits of the earlier host end here. The new host begins them again. Returns the
   * reason with which the signals of the earlier host's calls have to fire, so that no sub-agent is stopped by that.
   */
  leaveCalls(): SubAgentError;
  /** Gives another process an answer for this run, once the store has persisted the facts behind it. */
  answer<T>(answer: T | Promise<T>): Promise<T>;
}

/** Lets leads find this on the runs with a prototype. No name leads to it, and no list of properties has it. */
export function ledBy<Run extends object>(prototype: Run, lead: (run: Run) => LedRun): void {
  if (Object.hasOwn(prototype, LED)) return;
  Object.defineProperty(prototype, LED, {
    value(this: Run) {
      return lead(this);
    },
  });
}

/** What a lead does with this run. */
export function ledRun(run: object): LedRun {
  const lead = (run as { [LED]?(): LedRun })[LED];
  if (lead === undefined) throw invalid('`run`', 'the run that the manager hands to its host function', run);
  return lead.call(run);
}
