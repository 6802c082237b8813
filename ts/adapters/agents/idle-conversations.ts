// Conversations whose agents wait for a next message. Owns how long their idle processes live.

import { randomBytes } from 'node:crypto';
import type { AcpConversation } from './acp-conversation.js';

export class IdleConversations {
  private readonly waiting = new Map<string, { conversation: AcpConversation; timer: ReturnType<typeof setTimeout> }>();
  private readonly idleMs: number;

  constructor(idleMs: number) {
    this.idleMs = idleMs;
  }

  /** Lets a conversation wait, and returns its place. Undefined if none may wait. */
  put(conversation: AcpConversation): string | undefined {
    if (this.idleMs === 0) return undefined;
    const place = randomBytes(8).toString('hex');
    const timer = setTimeout(() => {
      this.waiting.delete(place);
      void conversation.end();
    }, this.idleMs);
    // The program need not stay alive for it.
    (timer as unknown as { unref?(): void }).unref?.();
    conversation.connection.process.hold(false);
    this.waiting.set(place, { conversation, timer });
    return place;
  }

  /** The conversation that waits there, if its agent still runs. */
  take(place: unknown): AcpConversation | undefined {
    const found = this.waiting.get(place as string);
    if (found === undefined) return undefined;
    this.waiting.delete(place as string);
    clearTimeout(found.timer);
    const { conversation } = found;
    if (conversation.isOver) return undefined;
    conversation.connection.process.hold(true);
    return conversation;
  }
}
