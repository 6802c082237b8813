// What only the lead of workers may do with a run. Owns the hidden key for that on the run: the lead is built apart
// from the manager, and the program may wrap its host function.

import type { SubAgentError } from '../base/error-class.js';
import { invalid } from '../base/errors.js';
import type { StopReason } from '../generated/names.js';

/** The same in each copy of this package that a program has loaded. */
const LED = Symbol.for('subagents.led');

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
