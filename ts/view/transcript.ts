// The transcript of a node: the messages to it, its own texts, and their turns. Owns the order and the kinds of its
// entries; texts are whole, and those of a sub-agent are not the user's.

import type { SubAgentEvent } from '../generated/facts.js';
import type { Naming } from './names.js';
import { NO_LIST, NOT_AHEAD, type NodeRecord } from './node-record.js';
import { deliverSteers, dropMessages, endTalk, messageUndelivered, queueMessage, steerAgain, takeMessage } from './talk.js';

/** One entry of a transcript. */
export interface TranscriptEntry {
  /** The number of its event. */
  readonly seq: number;
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** The run's number; 0 for a main agent, or if none is open. */
  readonly run: number;
  /**
   * Its kind: input of the sub-agent, a text of its own, or its progress.
   *
   * Input: `instructions`, `message`, `steer`, `answer`, `injected` by a policy. Own: `question`, `report`, `output`, `error`.
   * Progress: `turn`, `tool`, `checkpoint`, `stopped`.
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
  /** The text; for a turn its number, for a tool its name, for a stop its reason. */
  readonly text: string;
}

/** The kind of an event's entry, and the field that has its text. */
const SAID: { readonly [T in SubAgentEvent['type']]?: readonly [TranscriptEntry['kind'], string] } = {
  task_admitted: ['instructions', 'text'],
  message_queued: ['message', 'text'],
  run_queued: ['message', 'message'],
  turn_started: ['turn', 'turn'],
  run_reported: ['report', 'message'],
  tool_began: ['tool', 'tool'],
  question_asked: ['question', 'question'],
  question_closed: ['answer', 'answer'],
  policy_answered: ['injected', 'text'],
  checkpoint_saved: ['checkpoint', 'data'],
  stop_requested: ['stopped', 'stopReason'],
  wrap_up_requested: ['stopped', 'stopReason'],
  run_retried: ['error', 'error'],
  run_returned: ['output', 'output'],
  run_ended: ['output', 'output'],
};

/** The kind and the text of an event's entry; null if it has no text. */
export function saidBy(event: SubAgentEvent): readonly [TranscriptEntry['kind'] | '', string | null] {
  const [kind, field] = SAID[event.type] ?? ['', ''];
  const text = (event as unknown as Record<string, string | number | null>)[field] ?? null;
  return [kind, text === null ? null : String(text)];
}

/** The transcript of a node, of the events that concern it. @param isOf whether an event is about the node itself */
export function transcriptOf(events: readonly SubAgentEvent[], isOf: (event: Naming) => boolean): TranscriptEntry[] {
  const entries: TranscriptEntry[] = [];
  const waiting = { messages: NO_LIST, steers: NO_LIST, ahead: NOT_AHEAD, undelivered: NO_LIST } as unknown as NodeRecord;
  /** The input of the last run, and its output while it waits for its sub-agents. */
  let input: string | null = null;
  let returned: string | null = null;
  for (const event of events) {
    const { type, seq, at } = event;
    const [kind, text] = saidBy(event);
    if (!('taskId' in event && isOf(event))) continue;
    const isFirst = type === 'task_admitted';
    const run = isFirst ? 1 : 'run' in event ? event.run : 0;
    const say = (what: typeof kind, said: string | null): void => {
      if (what !== '' && said !== null && (isFirst || said !== '')) entries.push({ seq, at, run, kind: what, text: said });
    };
    if (type === 'message_queued' && event.place === 'steer') say('steer', text);
    else if (type === 'run_retried') say('error', text ?? event.stopReason);
    // A message that waited is listed once, where it came; so is an output that waited.
    else if (type === 'run_queued' ? !event.again && waiting.messages[0] !== text : type !== 'run_ended' || text !== returned)
      say(kind, text);
    if (type === 'run_ended') say('error', event.error);
    if (type === 'run_returned' || type === 'run_retried' || type === 'run_ended') returned = type === 'run_returned' ? text : null;
    follow(waiting, event, input);
    if (isFirst || type === 'run_queued') input = text ?? input;
  }
  return entries;
}

/** Follows which messages wait. @param input that of the last run; null if it isn't known */
function follow(node: NodeRecord, event: SubAgentEvent, input: string | null): void {
  switch (event.type) {
    case 'message_queued':
      queueMessage(node, event.place, event.text);
      return;
    case 'run_queued':
      if (!event.again && node.messages[0] === event.message) takeMessage(node);
      return;
    case 'steers_again':
      steerAgain(node, event.texts, event.missed);
      return;
    case 'messages_dropped':
      dropMessages(node, event.count);
      return;
    case 'turn_started':
    case 'tool_ended':
      if (event.steers > 0) deliverSteers(node);
      return;
    case 'run_returned':
    case 'run_retried':
    case 'run_ended':
      endTalk(node, event.at);
      if (event.type === 'run_ended' && event.messageRequeued && input !== null) messageUndelivered(node, input, true);
      return;
    default:
  }
}
