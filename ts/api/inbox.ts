// An inbox: the notices of an actor. Owns the checks of its arguments; the core decides who gets which notice, and when to
// deliver it again.

import { now } from '../base/clock.js';
import { detached, expectMade } from '../base/error-class.js';
import { invalid, SubAgentError } from '../base/errors.js';
import { type Actor, DEFAULT_SESSION, PROGRAM } from '../boundary/key.js';
import { many } from '../boundary/view-bytes.js';
import { knownOptions, readArgument, signalOf } from '../options/arguments.js';
import { count, duration } from '../options/values.js';
import type { Reading } from '../reading/lookup.js';
import type { Readers } from '../runs/readers.js';
import { readNotice } from '../snapshots/generated/notice-readers.js';
import type { Notice } from '../snapshots/notices.js';

/** The parts of the manager that an inbox uses. */
export interface InboxParts extends Reading {
  readonly readers: Readers;
  readonly wakes: { mark(index: number): void };
}

/** Options of a lease. */
export interface LeaseOptions {
  /** Maximum number of notices to take. Default: all that wait. */
  max?: number | undefined;
  /** Milliseconds until unacknowledged notices are delivered again. @default the manager's `leaseMs` */
  leaseMs?: number | undefined;
}

/** Options of waiting for the next notice. */
export interface NextOptions {
  /** Milliseconds to wait; 0 checks once. Default: until no notice can come. */
  timeoutMs?: number | undefined;
  /** Ends the wait when it fires. */
  signal?: AbortSignal | undefined;
}

const STOPPED_WAITING = 'waiting for a notice was aborted; that touches no sub-agent and no notice';

const readNotices = /* @__PURE__ */ many(readNotice);

/** The notices for one main agent, or for one run. */
export class Inbox {
  readonly #runtime: InboxParts;
  readonly #actor: Actor;

  /** @internal */
  constructor(runtime: InboxParts, actor: Actor) {
    expectMade(runtime, 'an inbox', '`manager.inbox` is one, and so is that of a session or a run');
    this.#runtime = runtime;
    this.#actor = actor;
  }

  /** The manager's parts, which each method asks for first. Throws if the method was called without its inbox. */
  static #runtimeOf(inbox: Inbox): InboxParts {
    try {
      return inbox.#runtime;
    } catch {
      throw detached('inbox.lease');
    }
  }

  /**
   * Takes the waiting notices, oldest first. A notice that isn't acknowledged with its `deliveryId` within `leaseMs` is
   * delivered again. After `maxDeliveries` times it stays undelivered, and only `peek` shows it. The inbox of a run throws
   * `actor_ended` once the run has ended. With a store and `durability: 'sync'`, it leases a notice only once the end that it
   * reports is persisted. While another process may have the store, as after this one stood still, it takes none; `onWake` is
   * called again later.
   */
  lease(options: LeaseOptions = {}): Notice[] {
    const { max, leaseMs } = readArgument('the options of lease', () => {
      const { max, leaseMs } = knownOptions('lease', options, ['max', 'leaseMs']);
      return { max: count('`max`', max) ?? Number.NaN, leaseMs: duration('`leaseMs`', leaseMs) ?? Number.NaN };
    });
    const runtime = Inbox.#runtimeOf(this);
    const { index, generation, run } = this.#actor;
    runtime.readers.reads(this.#actor);
    const markAgain = (): void => {
      runtime.wakes.mark(index === PROGRAM.index ? DEFAULT_SESSION.index : index);
    };
    if (runtime.isPutOff(markAgain)) return [];
    const leased = runtime.view((core) => core.lease(now(), index, generation, run, max, leaseMs), readNotices);
    runtime.dispatch();
    return leased;
  }

  /**
   * Takes the next notice, like `lease({ max: 1 })`, and waits until there is one. Acknowledge it, or it is delivered again.
   * Resolves to undefined when no notice can come: nothing runs below, and none can be delivered again. A waiting run gives up
   * its slot. Rejects with code `aborted` if `signal` fires or the time is up. That changes no sub-agent and no notice.
   */
  next(options: NextOptions = {}): Promise<Notice | undefined> {
    return Inbox.#runtimeOf(this).answer(this.#next(options));
  }

  async #next(options: NextOptions): Promise<Notice | undefined> {
    const { timeoutMs, signal } = readArgument('the options of next', () => {
      const { timeoutMs, signal } = knownOptions('next', options, ['timeoutMs', 'signal']);
      return { timeoutMs: duration('`timeoutMs`', timeoutMs, true) ?? Number.POSITIVE_INFINITY, signal: signalOf('`signal`', signal) };
    });
    const { readers } = this.#runtime;
    const by = now() + timeoutMs;
    for (;;) {
      if (signal?.aborted === true) throw new SubAgentError('aborted', STOPPED_WAITING, {}, { cause: signal.reason });
      const [notice] = this.lease({ max: 1 });
      if (notice !== undefined) return notice;
      if (!this.#runtime.call((core) => core.mayNotify(this.#actor.index))) return undefined;
      if (now() >= by) throw new SubAgentError('aborted', `no notice came within ${timeoutMs} ms`, { timeoutMs });
      await readers.change(this.#actor, by, signal);
    }
  }

  /**
   * Acknowledges a notice: it is not delivered again. Works for any notice of this inbox, leased or not; the manager's inbox
   * takes every notice. Returns false if the notice was already acknowledged, or isn't in this inbox. With a store, the
   * manager's next promise or `flush()` persists it: after a crash before that, the notice is delivered again.
   */
  ack(deliveryId: string): boolean {
    if (typeof deliveryId !== 'string') throw invalid('`deliveryId`', 'a text, such as `notice.deliveryId`', deliveryId);
    const runtime = Inbox.#runtimeOf(this);
    runtime.check();
    const { index, generation, run } = this.#actor;
    const length = runtime.write(deliveryId.slice(0, 64));
    const acked = runtime.call((core) => core.ack(now(), index, generation, run, length));
    if (acked < 0) throw runtime.refusal();
    runtime.dispatch();
    return acked === 1;
  }

  /** All unacknowledged notices, oldest first: pending, leased and undelivered. Changes nothing. */
  peek(): Notice[] {
    const runtime = Inbox.#runtimeOf(this);
    const { index, generation, run } = this.#actor;
    runtime.readers.reads(this.#actor);
    runtime.ask((core) => core.speaks(index, generation, run));
    return runtime.view((core) => core.peek(index), readNotices);
  }
}
