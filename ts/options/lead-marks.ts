// The marks of a lead of workers. Its host function is marked, because its runs continue when this process ends: other
// processes carry them out. Runs are marked with operations for the lead alone. Owns the hidden keys, since the lead is built
// apart from the manager, and the program may wrap its host function.

import type { SubAgentError } from '../base/error-class.js';
import { invalid } from '../base/errors.js';
import type { StopReason } from '../generated/names.js';
import { readArgument } from './arguments.js';

/** These keys are the same in every loaded copy of this package. */
const OUTLIVES = Symbol.for('subagents.outlives');
const OPENED = Symbol.for('subagents.opened');
const LED = Symbol.for('subagents.led');

/** Asks the store whether the manager still owns it. Rejects if it doesn't, or if the manager is over. */
export type OwnsStore = () => Promise<void>;

/**
 * Marks a host function.
 *
 * @param opened called each time that a manager with this host function has opened a store, before any effect runs
 */
export function outliving<F extends object>(hostFunction: F, opened: (ownsStore: OwnsStore) => void): F {
  return Object.assign(hostFunction, { [OUTLIVES]: true, [OPENED]: opened });
}

export function outlivesProcess(hostFunction: unknown): boolean {
  if (typeof hostFunction !== 'function') return false;
  return readArgument('`spawnSubAgent`', () => (hostFunction as { [OUTLIVES]?: unknown })[OUTLIVES] === true);
}

/** Notifies a marked host function that its manager has opened a store. */
export function notifyOpened(hostFunction: unknown, ownsStore: OwnsStore): void {
  if (outlivesProcess(hostFunction)) (hostFunction as { [OPENED]?: (ownsStore: OwnsStore) => void })[OPENED]?.(ownsStore);
}

/** The operations of a lead on a run. */
export interface LedRun {
  /** Calls `stop` when the run is asked to stop; at once if it already was. Making a signal takes far longer. */
  whenAborted(stop: (reason: StopReason) => void): void;
  /**
   * Another host continues the run from its last checkpoint, or from the beginning. Books the turns that the earlier host had
   * begun and not reported. The next turn repeats all steering messages since that checkpoint, or since the beginning.
   */
  hostReplaced(isAnew: boolean): void;
  /**
   * Ends the waits of the earlier host, because another host has taken the run. The new host begins them again. Returns the
   * reason with which the signals of the earlier host's calls have to fire: it stops no sub-agent.
   */
  leaveCalls(): SubAgentError;
  /** Gives another process an answer for this run, once the store has persisted the facts behind the answer. */
  answer<T>(answer: T | Promise<T>): Promise<T>;
}

/** Gives leads these operations on the runs with a prototype. No name leads to them, and no list of properties has them. */
export function ledBy<Run extends object>(prototype: Run, lead: (run: Run) => LedRun): void {
  if (Object.hasOwn(prototype, LED)) return;
  Object.defineProperty(prototype, LED, {
    value(this: Run) {
      return lead(this);
    },
  });
}

/** The operations of a lead on this run. */
export function ledRun(run: object): LedRun {
  const lead = (run as { [LED]?(): LedRun })[LED];
  if (lead === undefined) throw invalid('`run`', 'the run that the manager hands to its host function', run);
  return lead.call(run);
}
