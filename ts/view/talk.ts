// The messages of a node: which wait, in which order, and which are undelivered. Owns that order;
// `src/state/mailbox.rs` has that of the manager.

import { NO_LIST, NOT_AHEAD, type NodeRecord } from './node-record.js';

export function queueMessage(node: NodeRecord, place: 'queue' | 'steer' | 'missed' | 'interrupt', text: string): void {
  if (place === 'queue') node.messages = [...node.messages, text];
  else if (place === 'steer') node.steers = [...node.steers, text];
  else if (place === 'interrupt') putAhead(node, text, node.ahead.interrupting, 'interrupting');
  else miss(node, text);
}

/** The next attempt gets the steering messages of this one, and the last messages that this one missed. */
export function steerAgain(node: NodeRecord, texts: readonly string[], count: number): void {
  const { interrupting, missed } = node.ahead;
  const end = Math.min(interrupting + missed, node.messages.length);
  const begin = Math.max(Math.min(interrupting, end), end - count);
  node.again = texts;
  node.steers = [...node.messages.slice(begin, end), ...node.steers];
  node.messages = [...node.messages.slice(0, begin), ...node.messages.slice(end)];
  node.ahead = { interrupting, missed: Math.max(0, missed - (end - begin)) };
}

/** The message that a queued run answers leaves the queue. */
export function takeMessage(node: NodeRecord): void {
  if (node.messages.length === 0) return;
  node.messages = node.messages.slice(1);
  const { interrupting, missed } = node.ahead;
  node.ahead = interrupting > 0 ? { interrupting: interrupting - 1, missed } : { interrupting, missed: Math.max(0, missed - 1) };
}

export function dropMessages(node: NodeRecord, count: number): void {
  missSteers(node);
  const left = Math.max(0, node.messages.length - count);
  node.undelivered = [...node.undelivered, ...node.messages.slice(left)];
  node.messages = node.messages.slice(0, left);
  const interrupting = Math.min(node.ahead.interrupting, left);
  node.ahead = left === 0 ? NOT_AHEAD : { interrupting, missed: Math.min(node.ahead.missed, left - interrupting) };
  node.queuePaused = node.queuePaused && left > 0;
}

/** A queued run ended, so its message is undelivered: it waits again, or will never be delivered. */
export function messageUndelivered(node: NodeRecord, text: string, again: boolean): void {
  if (again) putAhead(node, text, node.ahead.interrupting, 'missed');
  else node.undelivered = [...node.undelivered, text];
}

/** A run is over: its question stays without an answer, and its undelivered steering messages go to the front of the queue. */
export function endTalk(node: NodeRecord, at: number): void {
  if (node.question !== null) closeQuestion(node, at);
  missSteers(node);
  node.again = NO_LIST;
}

/** The run got its steering messages at a turn or a tool's boundary. */
export function deliverSteers(node: NodeRecord): void {
  node.steers = NO_LIST;
  node.again = NO_LIST;
}

export function closeQuestion(node: NodeRecord, at: number): void {
  node.question = null;
  node.questionUntil = null;
  node.updatedAt = at;
}

function missSteers(node: NodeRecord): void {
  for (const text of node.steers) miss(node, text);
  if (node.steers.length > 0) node.steers = NO_LIST;
}

/** Interrupting messages come first, then those that missed the run they should have steered. */
function miss(node: NodeRecord, text: string): void {
  const { interrupting, missed } = node.ahead;
  putAhead(node, text, interrupting + missed, 'missed');
}

function putAhead(node: NodeRecord, text: string, at: number, kind: 'interrupting' | 'missed'): void {
  node.messages = [...node.messages.slice(0, at), text, ...node.messages.slice(at)];
  node.ahead = { ...node.ahead, [kind]: node.ahead[kind] + 1 };
}
