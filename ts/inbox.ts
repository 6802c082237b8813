// An inbox: the notices of an actor. Owns the checking of what its callers hand in; the core decides who gets
// which notice, and when it comes back.

import { noOtherOptions, optionsOf, readArgument } from './arguments.js';
import { now } from './clock.js';
import { invalid } from './errors.js';
import type { Actor } from './key.js';
import { type ClaimedEnd, type Notice, noticeOf, type RawNotice } from './notices.js';
import type { Runtime } from './runtime.js';
import { count, duration } from './spawn-options.js';

/** Options of a lease. */
export interface LeaseOptions {
  /** The most notices to take. Default: all that wait. */
  max?: number | undefined;
  /** Milliseconds until those that are not acknowledged come back. @default the manager's `leaseMs` */
  leaseMs?: number | undefined;
}

/** The notices for one main agent, or for one run. */
export class Inbox {
  readonly #runtime: Runtime;
  readonly #actor: Actor;

  /** @internal */
  constructor(runtime: Runtime, actor: Actor) {
    this.#runtime = runtime;
    this.#actor = actor;
  }

  /**
   * Takes what waits, oldest first. Each notice comes back after `leaseMs` unless `ack` is called with its
   * `deliveryId`; after `maxDeliveries` times it is set aside, where `peek` shows it. A run's inbox throws
   * `actor_ended` once the run has ended.
   */
  lease(options: LeaseOptions = {}): Notice[] {
    const { max, leaseMs } = readArgument('the options of lease', () => {
      const { max, leaseMs, ...unknown } = optionsOf('the options of lease', options);
      noOtherOptions('lease', unknown);
      return { max: count('`max`', max) ?? Number.NaN, leaseMs: duration('`leaseMs`', leaseMs) ?? Number.NaN };
    });
    const { slot, generation, run } = this.#actor;
    const leased = this.#runtime.call((core) => core.lease(now(), slot, generation, run, max, leaseMs)) as RawNotice[] | undefined;
    if (leased === undefined) throw this.#runtime.refusal();
    return leased.map(noticeOf);
  }

  /**
   * Acknowledges a notice: it is delivered no more. Works for any notice of this inbox, leased or not; the
   * manager's works for every notice. `false` where it was acknowledged before, or isn't one of these.
   */
  ack(deliveryId: string): boolean {
    if (typeof deliveryId !== 'string') throw invalid('`deliveryId`', 'a text', deliveryId);
    this.#runtime.check();
    const { slot, generation, run } = this.#actor;
    const length = this.#runtime.write(deliveryId.slice(0, 64));
    const acked = this.#runtime.call((core) => core.ack(now(), slot, generation, run, length));
    if (acked < 0) throw this.#runtime.refusal();
    return acked === 1;
  }

  /** All that is not acknowledged, oldest first: pending, leased and set aside. Changes nothing. */
  peek(): Notice[] {
    const { slot, generation, run } = this.#actor;
    this.#runtime.ask((core) => core.speaks(slot, generation, run));
    return (this.#runtime.call((core) => core.peek(slot)) as RawNotice[]).map(noticeOf);
  }
}

/** The ends that the last cancel settled by itself (N4). */
export function claimedEnds(runtime: Runtime): ClaimedEnd[] {
  const numbers = runtime.call((core) => core.claimed());
  const ends: ClaimedEnd[] = [];
  for (let at = 0; at < numbers.length; at += 3) {
    const [slot, generation, run] = numbers.subarray(at, at + 3) as unknown as [number, number, number];
    const deliveryId = runtime.call((core) => core.deliveryId(slot, generation, run));
    ends.push({ deliveryId, taskId: runtime.lookup.taskId(slot, generation), run });
  }
  return ends;
}
