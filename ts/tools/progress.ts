// Progress of one sub-agent, for the call that waits for it. Owns the words.

import { quoted } from '../base/quoting.js';
import { LABEL_CHARS, TASK_CHARS } from '../generated/quoting.js';
import type { ActiveRun } from '../runs/active-run.js';

/** Something that a sub-agent did while its caller waits for it. */
export interface ToolProgress {
  /** The sub-agent's id. */
  taskId: string;
  /** The sub-agent's name for display. */
  label: string;
  /** The turn that it is at; 0 before its first. */
  turn: number;
  /** What it last reported; empty where it has not reported. It is a sub-agent's text, not the user's. */
  message: string;
  /** All of it in one line. */
  text: string;
}

/** What tells `listener` of a run's turns and reports. It makes the words itself, where they are asked for. */
export function watcher(listener: (make: () => ToolProgress) => void): ActiveRun['watch'] {
  let turn = 0;
  let message = '';
  return (live, news) => {
    turn = news.turn ?? turn;
    message = news.message ?? message;
    listener(() => progressOf(live, turn, message));
  };
}

function progressOf(live: ActiveRun, turn: number, message: string): ToolProgress {
  const { label } = live.brief();
  const at = turn === 0 ? 'has started' : `is at turn ${turn}`;
  const text = `[${quoted(label, LABEL_CHARS)}] ${at}${message === '' ? '' : `: ${quoted(message, TASK_CHARS)}`}`;
  return { taskId: live.taskId, label, turn, message, text };
}
