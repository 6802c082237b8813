// The readers of notices: sessions and runs whose inbox was read, that asked for a turn, or that have `onWake`. Owns
// their list, and that unread notices are reported to the program once (N2). The core has the notices.

import { Alarm } from '../base/alarm.js';
import { now } from '../base/clock.js';
import { SubAgentError } from '../base/errors.js';
import type { Core } from '../boundary/core.js';
import { type Actor, DEFAULT_SESSION, type Key, PROGRAM } from '../boundary/key.js';
import { UNREAD_NOTICE_MS } from '../generated/limits.js';
import type { KeepAlive } from './keep-alive.js';
import { follow } from './signals.js';

/** The parts of their manager that readers need. */
interface ReadersParts extends Core {
  readonly keepAlive: KeepAlive;
  readonly hosts: { keepAwake(): void };
}

export class Readers {
  readonly #runtime: ReadersParts;
  /** The generation of each reader, by index. */
  readonly #read = new Map<number, number>();
  /** Whether the program was already warned, or reads notices. */
  #isQuiet = false;
  #alarm: Alarm | undefined;
  /** Callbacks of callers that wait for a notice. */
  readonly #waiting = new Set<() => void>();

  constructor(runtime: ReadersParts) {
    this.#runtime = runtime;
  }

  /** An inbox is read, or its owner is notified by `onWake`. */
  reads(actor: Key): void {
    const { index, generation } = this.#inboxOf(actor);
    this.#read.set(index, generation);
    this.waits();
  }

  /** The program waits for a sub-agent: it gets ends without notices. */
  waits(): void {
    this.#isQuiet = true;
    this.#alarm?.stop();
    this.#alarm = undefined;
  }

  /** Whether the inbox of an actor is read. */
  isRead(actor: Key): boolean {
    const { index, generation } = this.#inboxOf(actor);
    return this.#read.get(index) === generation;
  }

  /** A notice waits in the inbox of the session at an index, which has no `onWake`. */
  noticeWaits(index: number): void {
    if (this.#isQuiet || this.#alarm !== undefined) return;
    const alarm = new Alarm(() => this.#reportUnread(index));
    alarm.set(now() + UNREAD_NOTICE_MS);
    this.#alarm = alarm;
  }

  #reportUnread(index: number): void {
    this.#alarm = undefined;
    if (this.#isQuiet || (this.#runtime.unasked((core) => core.pendingNotices(index)) ?? 0) === 0) return;
    this.#isQuiet = true;
    this.#runtime.report(
      new SubAgentError(
        'unread_notice',
        `a background sub-agent ended ${UNREAD_NOTICE_MS / 1_000} s ago, and nothing reads its notice: take it with \`inbox.next()\` or \`inbox.lease()\`, or give \`onWake\``,
      ),
    );
  }

  /** The inbox of an actor. The program has that of the default session. */
  #inboxOf({ index, generation }: Key): Key {
    const first = DEFAULT_SESSION.index;
    return index === 0 || index === first ? { index: first, generation: 0 } : { index, generation };
  }

  /** Whether a caller waits for a notice. */
  get areWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Resolves when waiting callers have to look again, `signal` fires, or the time is over. A waiting run parks. */
  async change(actor: Actor, by: number, signal?: AbortSignal): Promise<void> {
    const { keepAlive, hosts } = this.#runtime;
    const reply = actor.run === 0 ? undefined : this.#runtime.performIf(actor, { type: 'await_notice' });
    let unfollow: (() => void) | undefined;
    let alarm: Alarm | undefined;
    let wake!: () => void;
    keepAlive.begin();
    try {
      await new Promise<void>((resolve) => {
        wake = resolve;
        this.#waiting.add(wake);
        hosts.keepAwake();
        if (signal !== undefined) unfollow = follow(signal, wake);
        if (Number.isFinite(by)) {
          alarm = new Alarm(wake);
          alarm.keepAlive(true);
          alarm.set(by);
        }
      });
    } finally {
      this.#waiting.delete(wake);
      unfollow?.();
      alarm?.stop();
      if (!this.#runtime.isClosed) {
        keepAlive.end();
        if (reply?.type === 'waiting') this.#runtime.performIf(PROGRAM, { type: 'end_wait', wait: reply.wait });
        hosts.keepAwake();
      }
    }
  }

  /** A run has ended, or notices wait: waiting callers look again. */
  changed(): void {
    for (const wake of this.#waiting) wake();
  }

  /** The manager is over. */
  clear(): void {
    this.changed();
    this.waits();
    this.#read.clear();
  }
}
