// Progress of one sub-agent, for the call that waits for it. Owns the words; a listener that throws harms
// nobody.

import { LABEL_CHARS, TASK_CHARS } from '../generated/quoting.js';
import type { Live } from '../live.js';
import { quoted } from '../quoting.js';
import type { ToolProgress } from './object.js';

/** What tells `listener` of a run's turns and reports. */
export function watcher(listener: (progress: ToolProgress) => unknown): Live['watch'] {
  let label: string | undefined;
  let turn = 0;
  let message = '';
  return (live, news) => {
    live.runtime.tell(() => {
      label ??= live.snapshot().label;
      turn = news.turn ?? turn;
      message = news.message ?? message;
      const at = turn === 0 ? 'has started' : `is at turn ${turn}`;
      const text = `[${quoted(label, LABEL_CHARS)}] ${at}${message === '' ? '' : `: ${quoted(message, TASK_CHARS)}`}`;
      return listener({ taskId: live.taskId, label, turn, message, text });
    });
  };
}
