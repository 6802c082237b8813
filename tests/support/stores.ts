// Stores for tests: one that says what it was asked and lets appends through when it is asked to, and one that holds
// what another had after so many records.

import type { Store, StoreContents } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';

/** A store in memory whose records can be looked at. */
export interface WatchedStore extends Store {
  /** The records behind the snapshot, in order; those of the stores that it goes on from first. */
  readonly records: Uint8Array[];
  /** What it held at first, and after each record and compaction: what a process that is killed leaves. */
  readonly images: StoreImage[];
  /** Compactions reject with this. */
  compactFailure: Error | undefined;
  /** Appends wait while this is set. */
  stopped: boolean;
  /** Lets the appends go that wait. */
  release(): void;
  /** Every append rejects from now on. */
  failure: Error | undefined;
  closed: number;
}

/** What a store holds. */
export interface StoreImage extends StoreContents {
  readonly records: readonly Uint8Array[];
}

/** A store with these records, or with what another one held. */
export function watchedStore(before: readonly Uint8Array[] | StoreImage = []): WatchedStore {
  let image: StoreImage = 'through' in before ? before : { through: 0, records: before };
  const records = [...image.records];
  const images = [image];
  const waiting: (() => void)[] = [];
  const keep = (): void => {
    image = { ...image, records: [...records] };
    images.push(image);
  };
  return {
    records,
    images,
    compactFailure: undefined,
    stopped: false,
    failure: undefined,
    closed: 0,
    async open(): Promise<StoreContents> {
      return image;
    },
    async append(record) {
      if (this.failure !== undefined) throw this.failure;
      if (this.stopped)
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
        });
      if (this.failure !== undefined) throw this.failure;
      records.push(record);
      keep();
    },
    async compact(snapshot, through) {
      if (this.compactFailure !== undefined) throw this.compactFailure;
      records.splice(0, through - image.through);
      image = { through, snapshot, records: [] };
      keep();
    },
    async close() {
      this.closed += 1;
    },
    release() {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

/** A real store, whose appends can be held back. */
export interface HeldStore extends Store {
  /** Appends wait before they reach the store while this is set. */
  held: boolean;
  /** Lets the appends go that wait now. */
  release(): void;
}

export function heldStore(inner: Store): HeldStore {
  const waiting: (() => void)[] = [];
  let last: Promise<unknown> = Promise.resolve();
  // The inner store gets all in the order of the calls.
  const next = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  return {
    held: false,
    open: () => inner.open(),
    append(record) {
      if (!this.held) return next(() => inner.append(record));
      const going = new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
      return next(() => going.then(() => inner.append(record)));
    },
    compact: (snapshot, through) => next(() => inner.compact(snapshot, through)),
    close: () => next(() => inner.close()),
    release() {
      for (const resolve of waiting.splice(0)) resolve();
    },
  };
}

export { memoryStore };
