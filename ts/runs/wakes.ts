// Waking idle sessions: once a batch, after the step, never within one. Owns who is notified and when; the core knows
// that notices wait.

import { bound } from '../base/context.js';
import type { Core } from '../boundary/core.js';
import { type Key, PROGRAM } from '../boundary/key.js';
import type { KeepAlive } from './keep-alive.js';

/** What waking needs of its manager. */
interface WakesParts extends Core {
  readonly keepAlive: KeepAlive;
  readonly journal: { readonly isStarted: boolean } | undefined;
  readonly readers: { noticeWaits(index: number): void; changed(): void };
}

/** What `onWake` gets. */
export interface Wake {
  /** How many notices wait to be leased. */
  pending: number;
}

/** Is called when notices wait: `session` is the session, or the manager for the one that it speaks for. */
export type WakeListener<S> = (session: S, wake: Wake) => unknown;

interface WakeTarget {
  session: Key;
  scope: object;
  onWake: WakeListener<never>;
}

export class Wakes {
  readonly #runtime: WakesParts;
  readonly #sleepers = new Map<number, WakeTarget>();
  #marked = new Set<number>();
  /** Sessions whose notices keep the manager: they are notified again if they don't take them (N2). */
  readonly #kept = new Set<number>();

  constructor(runtime: WakesParts) {
    this.#runtime = runtime;
  }

  /** Sets the listener of a session, in place of that of the session which had its index before: none if it has no `onWake`. */
  register(session: Key, scope: object, onWake: WakeListener<never> | undefined): void {
    const { index } = session;
    if (onWake === undefined) this.#sleepers.delete(index);
    else {
      this.#sleepers.set(index, { session, scope, onWake: bound(onWake) });
      // Notices of a restored session were announced when it had no listener yet, unless the manager has not started and is
      // still to announce them.
      const { journal } = this.#runtime;
      if (journal?.isStarted === true && (this.#runtime.unasked((core) => core.pendingNotices(index)) ?? 0) > 0) this.mark(index);
    }
  }

  /** The core says that notices wait for a session. */
  mark(index: number): void {
    this.#runtime.readers.changed();
    if (!this.#sleepers.has(index)) {
      this.#runtime.readers.noticeWaits(index);
      return;
    }
    // A microtask runs when the call that led here has returned, so the listener is never inside of a step.
    if (this.#marked.size === 0) queueMicrotask(() => this.#wakeMarked());
    this.#marked.add(index);
    if (this.#kept.has(index)) return;
    this.#kept.add(index);
    this.#runtime.keepAlive.begin();
  }

  /** Time has passed: sessions whose notices wait no more keep the manager no longer. */
  review(): void {
    for (const index of this.#kept) {
      if (this.#sleepers.has(index) && this.#runtime.unasked((core) => core.noticesWait(index)) === true) continue;
      // If the core failed at that, nothing stays here.
      if (this.#kept.delete(index)) this.#runtime.keepAlive.end();
    }
  }

  clear(): void {
    this.#sleepers.clear();
    this.#kept.clear();
  }

  #wakeMarked(): void {
    if (this.#runtime.isPutOff(() => this.#wakeMarked())) return;
    const marked = this.#marked;
    this.#marked = new Set();
    for (const index of marked) {
      const sleeper = this.#sleepers.get(index);
      const pending = this.#runtime.unasked((core) => core.pendingNotices(index));
      // A session that was notified before may have taken them, or disposed the manager.
      if (sleeper === undefined || pending === undefined || pending === 0) continue;
      this.#runtime.notify(() => sleeper.onWake(sleeper.scope as never, { pending }));
      // From here on it has its time to take them.
      this.#runtime.unasked(() => this.#runtime.commandIf(PROGRAM, { type: 'woken', session: sleeper.session }));
      this.#runtime.dispatch();
    }
    this.review();
  }
}
