// How a question of a run ends: for the run that asked, and for those who wait for it.

import { SubAgentError } from '../base/errors.js';
import { quoted } from '../base/quoting.js';
import { TASK_CHARS } from '../generated/quoting.js';
import type { Reading } from '../reading/lookup.js';
import type { ActiveRun } from './active-run.js';

const UNANSWERED = ['timeout', 'stopped'] as const;

/** The core says how a question ended. */
export function askDone(live: ActiveRun, end: number, answer: string): void {
  const { asking } = live;
  live.asking = undefined;
  if (asking === undefined) return;
  asking.resolve(end === 0 ? { answered: true, answer } : { answered: false, reason: UNANSWERED[end - 1] ?? 'stopped' });
}

/** A wait for one ended without a result: it asks. */
export function needsInput(runtime: Reading, slot: number, generation: number): SubAgentError {
  const question = runtime.call((core) => core.question(slot, generation));
  const taskId = runtime.lookup.taskId(slot, generation);
  const said = `the sub-agent ${taskId} asks and waits for a message`;
  return new SubAgentError('needs_input', question === undefined ? said : `${said}: '${quoted(question, TASK_CHARS)}'`, {
    taskId,
    question: question ?? null,
  });
}
