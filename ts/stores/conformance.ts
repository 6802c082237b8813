// The entry `subagents/store/conformance`: the contract of every store, as checks that need no test framework.

import type { Store } from './store.js';

export type { Store, StoreContents, StoreLease } from './store.js';

/** One rule that a store has to follow. */
export interface StoreCheck {
  /** The title of a test for it. */
  readonly name: string;
  /** Rejects if the store breaks it. */
  run(): Promise<void>;
}

/** Options of `storeConformance`. */
export interface StoreConformanceOptions {
  /**
   * The result of a second `open` while the store is open. Default: `refused`.
   *
   * `refused`: it rejects with `store_locked`. `takes over`: the first store's next append is refused.
   */
  readonly secondOpen?: 'refused' | 'takes over' | undefined;
  /** The longest record to try, in bytes; 3,000,000 by default. A snapshot of twice that is tried too. */
  readonly largest?: number | undefined;
}

/** Makes a store at a place; two stores at one place have the same contents. */
export type MakeStore = (place: string) => Store | Promise<Store>;

/**
 * Returns the checks of a store, each at its own place:
 * `for (const { name, run } of storeConformance((place) => myStore(place))) test(name, run);`
 */
export function storeConformance(makeStore: MakeStore, options: StoreConformanceOptions = {}): StoreCheck[] {
  const { secondOpen = 'refused', largest = 3_000_000 } = options;
  const common = Math.random().toString(36).slice(2, 10);
  const checks = { ...CHECKS, ...(secondOpen === 'refused' ? REFUSED : TAKEN_OVER) };
  return Object.entries(checks).map(([name, check], index) => ({
    name,
    async run() {
      const opened: Store[] = [];
      const make = async (): Promise<Store> => {
        const store = await makeStore(`conformance-${common}-${index}`);
        opened.push(store);
        return store;
      };
      try {
        await check(make, largest);
      } finally {
        for (const store of opened) await store.close().catch(() => undefined);
      }
    },
  }));
}

type Check = (make: () => Promise<Store>, largest: number) => Promise<void>;

const CHECKS: Record<string, Check> = {
  async 'a new store is empty'(make) {
    const store = await make();
    await expectContents(store, { through: 0, records: [] });
    await store.close();
    await expectContents(await make(), { through: 0, records: [] });
  },

  async 'a lease, if the store has one, is valid while it is open'(make) {
    const { lease } = await (await make()).open();
    await lease?.renew();
    if (lease?.isHeld() === false) throw new Error('the lease is not valid after it was renewed');
  },

  async 'records come back in their order, each with the bytes that it had'(make, largest) {
    const lengths = [0, 1, 20, 255, 256, 511, 512, 513, 4_096, 65_536, 1_048_577, largest];
    const records = [...lengths.map((length, at) => bytesOf(length, at)), new Uint8Array(2_000), bytesOf(3, 7)];
    const store = await opened(make);
    for (const record of records) await store.append(record);
    await store.close();
    await expectContents(await make(), { through: 0, records });
  },

  async 'records that are appended without waiting keep the order of the calls, and resolve in it'(make) {
    const store = await opened(make);
    const records = Array.from({ length: 500 }, (_, at) => bytesOf(at % 40, at));
    const resolved: number[] = [];
    await Promise.all(records.map((record, at) => store.append(record).then(() => resolved.push(at))));
    expectSame(resolved, [...records.keys()], 'the order in which appends resolved');
    await store.close();
    await expectContents(await make(), { through: 0, records });
  },

  async 'a record may be a part of a larger buffer'(make) {
    const store = await opened(make);
    const all = bytesOf(100, 1);
    await store.append(all.subarray(10, 20));
    await store.close();
    await expectContents(await make(), { through: 0, records: [all.slice(10, 20)] });
  },

  async '`close` waits for what was appended, and may be called again'(make) {
    const store = await opened(make);
    const appends = Array.from({ length: 50 }, (_, at) => store.append(bytesOf(30, at)));
    await store.close();
    await store.close();
    await Promise.all(appends);
    await expectContents(await make(), { through: 0, records: Array.from({ length: 50 }, (_, at) => bytesOf(30, at)) });
  },

  async 'a store that is not open refuses, and its contents stay'(make) {
    const store = await make();
    await expectRefusal(store.append(bytesOf(1, 1)), 'store_failed', 'an append before `open`');
    await store.open();
    await store.append(bytesOf(5, 1));
    await store.close();
    await expectRefusal(store.append(bytesOf(1, 1)), 'store_failed', 'an append after `close`');
    await expectRefusal(store.compact(bytesOf(1, 1), 1), 'store_failed', 'a compaction after `close`');
    await expectContents(await make(), { through: 0, records: [bytesOf(5, 1)] });
  },

  async 'a store that was closed can be opened again, and continues'(make) {
    const store = await make();
    for (let round = 0; round < 4; round += 1) {
      const records = Array.from({ length: round }, (_, at) => bytesOf(10, at));
      await expectContents(store, { through: 0, records });
      await store.append(bytesOf(10, round));
      await store.close();
    }
  },

  async 'a store that is open is not opened again'(make) {
    const store = await opened(make);
    await expectRefusal(store.open(), 'store_locked', 'a second `open`');
    await store.append(bytesOf(4, 4));
    await store.close();
    await expectContents(await make(), { through: 0, records: [bytesOf(4, 4)] });
  },

  async 'a compaction replaces the records that it stands for, and no other'(make) {
    const store = await opened(make);
    for (let at = 1; at <= 10; at += 1) await store.append(bytesOf(at, at));
    await store.compact(bytesOf(77, 1), 7);
    await store.append(bytesOf(11, 11));
    await store.close();
    const rest = [8, 9, 10, 11].map((at) => bytesOf(at, at));
    await expectContents(await make(), { through: 7, snapshot: bytesOf(77, 1), records: rest });
  },

  async 'a compaction of all records leaves none, and counting continues over the life of the store'(make, largest) {
    const first = await opened(make);
    for (let at = 1; at <= 3; at += 1) await first.append(bytesOf(at, at));
    await first.compact(new Uint8Array(0), 3);
    await first.close();
    const second = await make();
    await expectContents(second, { through: 3, snapshot: new Uint8Array(0), records: [] });
    for (let at = 4; at <= 8; at += 1) await second.append(bytesOf(at, at));
    await second.compact(bytesOf(2 * largest, 5), 6);
    await second.close();
    const third = await make();
    await expectContents(third, { through: 6, snapshot: bytesOf(2 * largest, 5), records: [bytesOf(7, 7), bytesOf(8, 8)] });
    await third.compact(bytesOf(1, 1), 8);
    await third.close();
    await expectContents(await make(), { through: 8, snapshot: bytesOf(1, 1), records: [] });
  },

  async 'records are appended during a compaction, and stay'(make) {
    const store = await opened(make);
    const records: Uint8Array[] = [];
    const work: Promise<void>[] = [];
    for (let round = 0; round < 8; round += 1) {
      for (let at = 0; at < 25; at += 1) {
        const record = bytesOf(40, records.push(new Uint8Array(0)));
        records[records.length - 1] = record;
        work.push(store.append(record));
      }
      // A snapshot may also replace records that are not durable yet.
      work.push(store.compact(bytesOf(1_000, round), records.length - 3));
      if (round % 3 === 0) await work.at(-2);
    }
    await Promise.all(work);
    await store.close();
    await expectContents(await make(), { through: 197, snapshot: bytesOf(1_000, 7), records: records.slice(197) });
  },

  async 'a compaction of records that there are not, or are no more, is refused and changes nothing'(make) {
    const store = await opened(make);
    for (let at = 1; at <= 4; at += 1) await store.append(bytesOf(at, at));
    await store.compact(bytesOf(9, 9), 2);
    for (const through of [1, 5, -1, 2.5, Number.NaN]) {
      await expectRefusal(store.compact(bytesOf(8, 8), through), 'invalid_argument', `a compaction through ${through}`);
    }
    await store.append(bytesOf(5, 5));
    await store.close();
    await expectContents(await make(), { through: 2, snapshot: bytesOf(9, 9), records: [3, 4, 5].map((at) => bytesOf(at, at)) });
  },
};

const REFUSED: Record<string, Check> = {
  async 'what another has open is refused with `store_locked`, and is free once that has closed'(make) {
    const first = await opened(make);
    await first.append(bytesOf(3, 3));
    const second = await make();
    await expectRefusal(second.open(), 'store_locked', 'an `open` of what another has');
    await first.append(bytesOf(4, 4));
    await first.close();
    await expectContents(second, { through: 0, records: [bytesOf(3, 3), bytesOf(4, 4)] });
    await expectRefusal(first.open(), 'store_locked', 'an `open` of what another process has taken');
    await second.append(bytesOf(5, 5));
    await second.close();
    await expectContents(first, { through: 0, records: [3, 4, 5].map((at) => bytesOf(at, at)) });
  },
};

const TAKEN_OVER: Record<string, Check> = {
  async 'who opens it last has it: what the one before appends is refused, and is not in it'(make) {
    const first = await make();
    const { lease } = await first.open();
    await first.append(bytesOf(3, 3));
    const second = await make();
    await expectContents(second, { through: 0, records: [bytesOf(3, 3)] });
    if (lease !== undefined) await expectRefusal(lease.renew(), 'store_locked', 'a renewal of what another process has taken');
    await expectRefusal(first.append(bytesOf(9, 9)), 'store_locked', 'an append to what another process has taken');
    await expectRefusal(first.append(bytesOf(9, 9)), 'store_locked', 'the append after it');
    await expectRefusal(first.compact(bytesOf(9, 9), 1), 'store_locked', 'a compaction of what another process has taken');
    await second.append(bytesOf(4, 4));
    await first.close();
    await second.append(bytesOf(5, 5));
    await second.close();
    await expectContents(await make(), { through: 0, records: [3, 4, 5].map((at) => bytesOf(at, at)) });
  },
};

async function opened(make: () => Promise<Store>): Promise<Store> {
  const store = await make();
  await store.open();
  return store;
}

/** Bytes of every value, which differ from seed to seed. */
function bytesOf(length: number, seed: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = seed * 2_654_435_761 + length;
  for (let at = 0; at < length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    bytes[at] = state >>> 16;
  }
  return bytes;
}

async function expectContents(store: Store, expected: { through: number; snapshot?: Uint8Array; records: Uint8Array[] }): Promise<void> {
  const { snapshot, through, records, cut } = await store.open();
  expectSame(through, expected.through, '`through`');
  expectSame(snapshot === undefined, expected.snapshot === undefined, 'whether there is no snapshot');
  if (snapshot !== undefined && expected.snapshot !== undefined) expectBytes(snapshot, expected.snapshot, 'the snapshot');
  const found: Uint8Array[] = [];
  for await (const record of records) found.push(record);
  expectSame(found.length, expected.records.length, 'the number of records');
  for (const [at, record] of found.entries()) expectBytes(record, expected.records[at] as Uint8Array, `record ${through + at + 1}`);
  expectSame(cut ?? 0, 0, '`cut` of a store that was closed');
}

function expectBytes(got: Uint8Array, expected: Uint8Array, what: string): void {
  if (!(got instanceof Uint8Array)) throw new Error(`${what} must be a Uint8Array`);
  const at = expected.findIndex((byte, index) => got[index] !== byte);
  if (at >= 0 || got.length !== expected.length) {
    throw new Error(`${what} must have the ${expected.length} bytes that were stored, has ${got.length}, other ones from ${at} on`);
  }
}

function expectSame(got: unknown, expected: unknown, what: string): void {
  const [one, other] = [JSON.stringify(got), JSON.stringify(expected)];
  if (one !== other) throw new Error(`${what} must be ${other}, is ${one}`);
}

async function expectRefusal(work: Promise<unknown>, code: string, what: string): Promise<void> {
  const got = await work.then(
    () => 'resolved',
    (error: unknown) => (error as { code?: unknown }).code ?? String(error),
  );
  expectSame(got, code, `${what} must be refused; its code`);
}
