// Which lead of a queue counts: the one that announced the highest number. Owns the order in which a lead takes its
// number, asks its store and announces itself.
//
// The lead asks the store only after it has its number, so a later lead always has a higher one. Workers then ignore
// the announcement of an earlier lead, even of one that was frozen. A lead that lost its store announces nothing.

import type { Relay } from 'bullmq';
import type { OwnsStore } from '../options/lead-marks.js';
import type { Broadcast } from './wire.js';

export class Term {
  /** The number in the lead's messages. */
  number = '0';
  /** The highest number that it has taken; it may not know yet whether it leads. */
  #taken = '0';
  /** Without a store, no other lead can continue the runs: the later one counts. */
  #ownsStore: OwnsStore = async () => undefined;

  /** The manager has opened a store, which decides from now on. */
  opened(ownsStore: OwnsStore): void {
    this.#ownsStore = ownsStore;
  }

  /** Rejects if another process has taken the store, or if the manager is over. */
  ownsStore(): Promise<void> {
    return this.#ownsStore();
  }

  /** Takes the lead. Rejects like `ownsStore`, and then has announced nothing. */
  async take(relay: Relay): Promise<void> {
    const { mid } = await relay.publish('term', {});
    this.#taken = mid;
    await this.#ownsStore();
    this.number = mid;
    await relay.publish('workers', { term: mid } satisfies Broadcast);
  }

  /** Whether another lead came after this one. False before this lead has a number. */
  isReplacedBy({ term }: Broadcast): boolean {
    return this.#taken !== '0' && BigInt(term) > BigInt(this.#taken);
  }
}
