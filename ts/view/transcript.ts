// The transcript of a node: what was said to it, what it said, and at which turns. Owns the order and the kinds of its
// entries; texts are whole, and those of a sub-agent are not the user's.

import type { SubAgentEvent } from '../generated/facts.js';

/** One entry of a transcript. */
export interface TranscriptEntry {
  /** The number of its event. */
  readonly seq: number;
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** Which run; 0 for a main agent, or where none is under way. */
  readonly run: number;
  /**
   * What it is. To it: `instructions`, `message`, `steer`, `answer`, `injected` by a policy. From it: `question`,
   * `report`, `output`, `error`. On its way: `turn`, `tool`, `checkpoint`, `stopped`.
   */
  readonly kind:
    | 'instructions'
    | 'message'
    | 'steer'
    | 'turn'
    | 'report'
    | 'tool'
    | 'question'
    | 'answer'
    | 'injected'
    | 'checkpoint'
    | 'stopped'
    | 'output'
    | 'error';
  /** What was said; of a turn its number, of a tool its name, of a stop its reason. */
  readonly text: string;
}

/** The transcript of a node, of the events that concern it. @param id its id; null for a session or the manager */
export function transcriptOf(events: readonly SubAgentEvent[], id: string | null): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  for (const event of events) {
    if (!('taskId' in event) || event.taskId !== id) continue;
    const { seq, at } = event;
    const run = 'run' in event ? event.run : 0;
    const say = (kind: TranscriptEntry['kind'], text: string | null): void => {
      if (text !== null && text !== '') entries.push({ seq, at, run, kind, text });
    };
    switch (event.type) {
      case 'task_admitted':
        entries.push({ seq, at, run: 1, kind: 'instructions', text: event.text });
        break;
      case 'message_queued':
        say(event.place === 'steer' ? 'steer' : 'message', event.text);
        break;
      case 'run_queued':
        // One that waited before stands where it came.
        if (!entries.some(({ kind, text }) => (kind === 'message' || kind === 'steer') && text === event.message))
          say('message', event.message);
        break;
      case 'turn_started':
        say('turn', String(event.turn));
        break;
      case 'run_reported':
        say('report', event.message);
        break;
      case 'tool_began':
        say('tool', event.tool);
        break;
      case 'question_asked':
        say('question', event.question);
        break;
      case 'question_closed':
        say('answer', event.answer);
        break;
      case 'policy_answered':
        say('injected', event.text);
        break;
      case 'checkpoint_saved':
        say('checkpoint', event.data);
        break;
      case 'stop_requested':
      case 'wrap_up_told':
        say('stopped', event.reason);
        break;
      case 'run_retried':
        say('error', event.error ?? event.reason);
        break;
      case 'run_returned':
        say('output', event.output);
        break;
      case 'run_ended':
        say('output', event.output);
        say('error', event.error);
        break;
      default:
    }
  }
  return entries;
}
