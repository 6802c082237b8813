// Stores for tests: one that says what it was asked and lets appends through when it is told to, and one that holds
// what another had after so many records.

import type { Store, StoreContents } from '../../dist/index.js';
import { journal } from '../../dist/stores/journal.js';
import { memoryStore } from '../../dist/stores/memory.js';

/** A store in memory whose records can be looked at. */
export interface WatchedStore extends Store {
  /** All records that it was given, in order; those of the stores that it goes on from first. */
  readonly records: Uint8Array[];
  /** Appends wait while this is set. */
  stopped: boolean;
  /** Lets the appends go that wait. */
  letGo(): void;
  /** Every append rejects from now on. */
  failure: Error | undefined;
  closed: number;
}

/** A store with these records. */
export function watchedStore(before: readonly Uint8Array[] = []): WatchedStore {
  const records = [...before];
  const waiting: (() => void)[] = [];
  return {
    journal,
    records,
    stopped: false,
    failure: undefined,
    closed: 0,
    async open(): Promise<StoreContents> {
      return { through: 0, records: [...records] };
    },
    async append(record) {
      if (this.failure !== undefined) throw this.failure;
      if (this.stopped)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      if (this.failure !== undefined) throw this.failure;
      records.push(record);
    },
    async compact() {
      throw new Error('no test compacts this store');
    },
    async close() {
      this.closed += 1;
    },
    letGo() {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

export { memoryStore };
