// Progress of one sub-agent, for the call that waits for it. Owns the texts; a listener that throws does no harm.

import { quoted } from '../base/quoting.js';
import { LABEL_CHARS, TASK_CHARS } from '../generated/quoting.js';
import type { ActiveRun } from '../runs/active-run.js';
import type { ToolProgress } from './object.js';

/** Notifies `listener` of a run's turns and reports. The listener makes the words, if it needs them. */
export function watcher(listener: (make: () => ToolProgress) => unknown): ActiveRun['watch'] {
  let turn = 0;
  let message = '';
  return (active, news) => {
    turn = news.turn ?? turn;
    message = news.message ?? message;
    const then = { turn, message };
    active.runtime.notify(() => {
      // Read now: when the text is made, the sub-agent may be forgotten. An id can be shown even then.
      const { label } = active.snapshot();
      return listener(() => progressOf({ taskId: active.taskId, label, ...then }));
    });
  };
}

function progressOf(known: Omit<ToolProgress, 'text'>): ToolProgress {
  const { label, turn, message } = known;
  const at = turn === 0 ? 'has started' : `is at turn ${turn}`;
  const text = `[${quoted(label, LABEL_CHARS)}] ${at}${message === '' ? '' : `: ${quoted(message, TASK_CHARS)}`}`;
  return { ...known, text };
}
