// How a question of a run ends: for the run that asked, and for its waiting callers. Owns the replies without an
// answer, and the error of a wait for a run that asks.

import { SubAgentError } from '../base/errors.js';
import { quoted } from '../base/quoting.js';
import { TASK_CHARS } from '../generated/quoting.js';
import type { AskAnswer } from '../reading/exchange.js';
import type { Reading } from '../reading/lookup.js';
import type { ActiveRun } from './active-run.js';
import { leftBehind } from './moved-runs.js';

/** A question ended, as the core reports. */
export function questionEnded(active: ActiveRun, answer: string | undefined, timedOut: boolean): void {
  const { asking } = active;
  active.asking = undefined;
  if (asking === undefined) return;
  if (answer !== undefined) asking.resolve({ answered: true, answer });
  else asking.resolve(timedOut ? { answered: false, reason: 'timeout' } : stopped(active));
}

/** The answer of a question whose run has to stop. The run gets it in the same step, after this. */
async function stopped(active: ActiveRun): Promise<AskAnswer> {
  await undefined;
  return unanswered(active);
}

/** The answer for a run that has to stop. If the run is left to the next process, its question stays open. */
export function unanswered(active: ActiveRun): AskAnswer {
  if (active.isLeft) throw leftBehind('asks');
  return { answered: false, reason: 'stopped' };
}

/** The error of a wait that ended because the sub-agent asks. */
export function needsInput(runtime: Reading, index: number, generation: number): SubAgentError {
  const question = runtime.call((core) => core.question(index, generation));
  const taskId = runtime.lookup.taskId(index, generation);
  const said = `the sub-agent ${taskId} asks and waits for a message`;
  return new SubAgentError('needs_input', question === undefined ? said : `${said}: '${quoted(question, TASK_CHARS)}'`, {
    taskId,
    question: question ?? null,
  });
}
