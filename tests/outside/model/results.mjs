// What a host function's result says: how the run ended, what went wrong, and its value (L3, R7).

import { NO_RESULT, NO_VALUE } from '../said.mjs';

const COMPLETED = { status: 'completed', reason: 'finished' };
const FAILED = { status: 'failed', reason: 'host_failed' };

/** What a word means; in which case it is written, and with what between its parts, makes no difference. */
const MEANINGS = [
  [COMPLETED, ['completed', 'success', 'succeeded', 'ok', 'done', 'finished', 'stop', 'end turn']],
  [FAILED, ['failed', 'failure', 'error', 'errored']],
  [{ ...FAILED, partial: true }, ['incomplete', 'length', 'max tokens', 'content filter', 'refusal']],
  [{ status: 'cancelled', reason: 'host_cancelled' }, ['cancelled', 'canceled', 'aborted', 'interrupted']],
  [{ status: 'timed_out', reason: 'host_timed_out' }, ['timed out', 'timeout']],
];

function meaningOf(word, error) {
  const plain = word?.toLowerCase().replace(/[-_]/g, ' ');
  return MEANINGS.find(([, words]) => words.includes(plain))?.[0] ?? (error ? FAILED : COMPLETED);
}

const INVALID = { status: 'failed', reason: 'invalid_result' };

/** How a run ends by what its host function returned or threw, if nothing else had asked it to end. */
export function judge(model, { task }, { threw, isNone, status: word, error, value }) {
  // A program doesn't throw: it says that it failed (X6).
  if (threw) return { status: 'failed', reason: task.isDriven ? 'host_failed' : 'host_threw', error: threw };
  if (isNone) return { ...INVALID, error: NO_RESULT };
  const { status, reason, partial = false } = meaningOf(word, error);
  // A schema is of the process that it was given in, and only a run that completed is asked for a value.
  const isAsked = task.schema && task.process === model.process && status === 'completed';
  const isWrong = isAsked && !fits(value);
  const said = [isWrong && NO_VALUE, error].filter(Boolean);
  const judged = isWrong ? INVALID : { status, reason, partial, value: isAsked ? value : undefined };
  return { ...judged, error: said.length > 0 ? said.join('; ') : null };
}

/** The one schema of the lives: an object with a whole number `n`. */
function fits(value) {
  return Number.isInteger(value?.n);
}
