// Wakes idle sessions: once a batch, after the step, never within one. Owns who is notified and when; the core knows
// that notices wait.

import { bound } from '../base/context.js';
import type { Core } from '../boundary/core.js';
import { type Key, PROGRAM } from '../boundary/key.js';
import type { KeepAlive } from './keep-alive.js';

/** The parts of its manager that waking needs. */
interface WakesParts extends Core {
  readonly keepAlive: KeepAlive;
  readonly journal: { readonly isStarted: boolean } | undefined;
  readonly readers: { noticeWaits(index: number): void; changed(): void };
}

/** The argument of `onWake`. */
export interface Wake {
  /** How many notices wait to be leased. */
  pending: number;
}

/** Called when notices wait: `session` is the session, or the manager for its own session. */
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
  /** Sessions whose notices keep the manager alive: they are notified again if they don't take them (N2). */
  readonly #kept = new Set<number>();

  constructor(runtime: WakesParts) {
    this.#runtime = runtime;
  }

  /** Sets the listener of a session, none without `onWake`. Drops that of the session which had its index before. */
  register(session: Key, scope: object, onWake: WakeListener<never> | undefined): void {
    const { index } = session;
    if (onWake === undefined) this.#sleepers.delete(index);
    else {
      this.#sleepers.set(index, { session, scope, onWake: bound(onWake) });
      // Notices of a restored session were announced before it had a listener, unless the manager has not started: it still
      // announces them then.
      const { journal } = this.#runtime;
      if (journal?.isStarted === true && (this.#runtime.unasked((core) => core.pendingNotices(index)) ?? 0) > 0) this.mark(index);
    }
  }

  /** Notices wait for a session. */
  mark(index: number): void {
    this.#runtime.readers.changed();
    if (!this.#sleepers.has(index)) {
      this.#runtime.readers.noticeWaits(index);
      return;
    }
    // A microtask runs when the call that led here has returned, so the listener never runs inside a step.
    if (this.#marked.size === 0) queueMicrotask(() => this.#wakeMarked());
    this.#marked.add(index);
    if (this.#kept.has(index)) return;
    this.#kept.add(index);
    this.#runtime.keepAlive.begin();
  }

  /** Time has passed: sessions without waiting notices no longer keep the manager alive. */
  review(): void {
    for (const index of this.#kept) {
      if (this.#sleepers.has(index) && this.#runtime.unasked((core) => core.noticesWait(index)) === true) continue;
      // If that call failed, the manager is over and nothing is left here.
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
      // Its time to take them begins here.
      this.#runtime.unasked(() => this.#runtime.commandIf(PROGRAM, { type: 'woken', session: sleeper.session }));
      this.#runtime.dispatch();
    }
    this.review();
  }
}
