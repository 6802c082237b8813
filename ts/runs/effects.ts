// Effects that come as records. Owns which part of the manager carries out each; decides nothing.

import type { Effect } from '../boundary/generated/effects.js';
import { packed } from '../boundary/key.js';
import type { Runs } from './runs.js';
import type { Waits } from './waits.js';
import type { Wakes } from './wakes.js';

/** The parts that carry out effects. */
export interface EffectParts {
  readonly runs: Runs;
  readonly waits: Waits;
  readonly wakes: Wakes;
}

export function dispatchEffect(parts: EffectParts, effect: Effect): void {
  switch (effect.type) {
    case 'run_retried':
      parts.runs.runRetried(effect.task, effect.run, effect.reason);
      return;
    case 'wait_over':
      parts.waits.done(packed(effect.wait), effect.timedOut, effect.targets);
      return;
    case 'ask_done':
      parts.runs.askDone(effect.task, effect.run, effect.answer, effect.timedOut);
      return;
    case 'timed_out':
      parts.runs.timedOut(effect.task, effect.run, effect.reason === 'idle_timeout' ? 'idle_timeout' : 'timeout');
      return;
    case 'approval_over':
      parts.runs.approvalOver(effect.task, effect.run);
      return;
    case 'wake':
      parts.wakes.mark(effect.session.index);
      return;
  }
}
