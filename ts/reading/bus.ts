// The shapes of a message bus: what is said when background work starts, how its end comes back, where it
// goes. Owns the formats; computes from what it is given alone.

import { invalid } from '../base/errors.js';
import { quoted } from '../base/quoting.js';
import { DEFAULT_CHANNEL } from '../generated/names.js';
import { LABEL_CHARS } from '../generated/quoting.js';
import { objectOf, readArgument } from '../options/arguments.js';
import type { Notice, Origin } from '../snapshots/notices.js';

/** The inbox that is published, as far as publishing needs it. */
interface PublishedInbox {
  lease(): Notice[];
  ack(deliveryId: string): boolean;
}

/** The end of background work as a message to the main agent. */
export interface BusMessage {
  channel: 'system';
  senderId: 'subagent';
  /** `{channel}:{chatId}` of where the work came from; `parseOrigin` takes it apart. */
  chatId: string;
  /** For the model; what the sub-agent wrote stands fenced after `Result:`. */
  content: string;
  /** For `inbox.ack`, once the message has been handled. */
  deliveryId: string;
}

/** A notice as a message of a bus, as `nanobot` sends it. */
export function toBusMessage(notice: Notice): BusMessage {
  return readArgument('a notice', () => {
    const { origin, text, deliveryId } = objectOf('a notice', notice);
    return { channel: 'system', senderId: 'subagent', chatId: `${origin.channel}:${origin.chatId}`, content: text, deliveryId };
  });
}

/** A message bus, as far as ends of background work need one. */
export interface MessageBus {
  /**
   * Takes a message. Once it has returned, or what it returned has resolved, the end counts as delivered; where it
   * throws or rejects the error is reported and the message comes again, `leaseMs` later and at most `maxDeliveries` times.
   */
  publish(message: BusMessage): unknown;
}

/**
 * Makes the function that publishes the ends which wait for a main agent, each once its lease is kept, and acknowledges
 * each once the bus has taken it.
 */
export function publisher(
  bus: MessageBus,
  report: (error: unknown) => void,
  onceKept: (body: () => void) => void,
): (session: { readonly inbox: PublishedInbox }) => void {
  return ({ inbox }) => {
    const leased = inbox.lease();
    if (leased.length === 0) return;
    onceKept(() => {
      for (const notice of leased) {
        const taken = async (): Promise<void> => {
          await bus.publish(toBusMessage(notice));
          inbox.ack(notice.deliveryId);
        };
        taken().catch(report);
      }
    });
  };
}

/** The bus that a manager is given, checked. */
export function busOf(value: unknown): MessageBus {
  const publish = typeof value === 'object' && value !== null ? (value as Partial<MessageBus>).publish : undefined;
  if (typeof publish !== 'function') throw invalid('`bus`', 'an object with a function `publish`', value);
  return { publish: (message) => publish.call(value, message) };
}

/**
 * Where a bus message goes back to: split at the first colon, so that a chat's id may hold more of them.
 * Without a colon it is a chat of `cli`.
 */
export function parseOrigin(chatId: string): Origin {
  if (typeof chatId !== 'string') throw invalid('`chatId`', 'a text', chatId);
  const at = chatId.indexOf(':');
  return at < 0 ? { channel: DEFAULT_CHANNEL, chatId } : { channel: chatId.slice(0, at), chatId: chatId.slice(at + 1) };
}

/** The promise that a notice comes: said only where one does (N6). */
export const NOTIFIES = "I'll notify you when it completes.";

/**
 * The text which says that background work has started, for a handle or its snapshot.
 *
 * @param task the sub-agent
 * @param task.label its label
 * @param task.taskId its id
 * @param notifies whether it says that a notice comes. @default true
 */
export function startedText(task: { readonly label: string; readonly taskId: string }, notifies = true): string {
  return readArgument('a task', () => {
    const { label, taskId } = objectOf('a task', task);
    return `Subagent [${quoted(label, LABEL_CHARS)}] started (id: ${quoted(taskId)}).${notifies ? ` ${NOTIFIES}` : ''}`;
  });
}
