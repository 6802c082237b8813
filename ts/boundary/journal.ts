// The journal of a manager: its facts on their way into a store, and back where a manager goes on after another one
// (J1, J3). Owns when facts are handed to the store, and in `sync` that nothing is carried out before it has kept them.

import { now } from '../base/clock.js';
import type { SubAgentError } from '../base/errors.js';
import type { Store } from '../stores/store.js';
import { JournalWriter } from '../stores/writer.js';
import type { Core } from './core.js';
import type { Scratch } from './scratch.js';

/** When what happened is durable: before anything follows from it, or a little later. */
export type Durability = 'sync' | 'batched';

/** What the journal needs of its manager. */
export interface JournalParts extends Core {
  journal: Journal | undefined;
  /** Whether the core has the randomness for its ids. */
  seeded: boolean;
  readonly scratch: Scratch;
  readonly hosts: { keepAwake(): void };
  readonly runs: { batchOver(): void };
  readonly wakes: { review(): void };
  readonly listeners: { tell(facts: Facts): void };
  /** The store has failed: the manager is over. */
  fail(error: SubAgentError): void;
}

/** Facts of a batch in their stored form. */
export interface Facts {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** How many facts came before, the seed not counted. */
  readonly before: number;
}

/** Someone who is told once all that was decided before is kept. */
interface Waiter {
  /** How many facts there were. */
  readonly facts: number;
  readonly resolve: () => void;
  readonly reject: (error: SubAgentError) => void;
}

/** A batch goes out before its time once it has so many bytes. */
const LARGE_BATCH = 1 << 18;

export class Journal {
  /** It goes on where another manager ended. */
  readonly goesOn: boolean;
  readonly isSync: boolean;
  private readonly writer: JournalWriter;
  private readonly flushMs: number;
  private runtime: JournalParts | undefined = undefined;
  /** Facts that are not handed to the store yet. */
  private pending: Facts[] = [];
  private bytes = 0;
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;
  /** Facts that were handed out by the core, and, in `sync`, that the store has kept. */
  private handedOut = 0;
  private kept = 0;
  /** Nothing is carried out while this is above 0: until the program has its manager, and within `together`. */
  private holds = 1;
  /** A record is on its way into the store, or what follows from it is being carried out. */
  private isBusy = false;
  private waiters: Waiter[] = [];

  /** @param records how many records the store has */
  constructor(store: Store, records: number, durability: Durability, flushMs: number) {
    this.goesOn = records > 0;
    this.isSync = durability === 'sync';
    this.flushMs = flushMs;
    this.writer = new JournalWriter(store, records, (error) => this.runtime?.fail(error));
  }

  /**
   * Keeps what this manager decides from now on; what earlier ones decided has been restored.
   *
   * @param lost what becomes of the runs that they had in flight, by the core's number
   */
  keep(runtime: JournalParts, lost: number): void {
    this.runtime = runtime;
    runtime.journal = this;
    this.handedOut = runtime.call((core) => core.factCount());
    this.kept = this.handedOut;
    runtime.call((core) => core.keepJournal());
    if (this.goesOn) runtime.call((core) => core.reopen(now(), lost));
    runtime.call((core) => core.seed(now()));
    runtime.seeded = true;
  }

  /** Begins to carry out what follows: the program has its manager. */
  start(): void {
    const { runtime } = this;
    if (runtime === undefined || runtime.isClosed) return;
    this.holds -= 1;
    if (this.isSync) this.carryOut();
    else runtime.unasked((core) => core.goOn());
    this.afterwards(runtime);
  }

  /** Takes the facts of a batch. Must not throw: the core calls it. */
  take(bytes: Uint8Array<ArrayBuffer>): Facts {
    const facts = { bytes, before: this.handedOut };
    this.handedOut = this.runtime?.unasked((core) => core.factCount()) ?? this.handedOut;
    this.pending.push(facts);
    this.bytes += bytes.length;
    if (!this.isSync) {
      if (this.bytes >= LARGE_BATCH) this.write();
      else this.timer ??= setTimeout(() => this.write(), this.flushMs);
    }
    return facts;
  }

  /**
   * In `sync`: has the store keep what was decided, and then carries it out. While a record is on its way all that is
   * decided goes into the next one.
   */
  carryOut(): void {
    const { runtime } = this;
    while (this.holds === 0 && !this.isBusy && runtime?.unasked((core) => core.setAside()) === true) {
      this.isBusy = true;
      if (this.pending.length > 0) this.append(runtime);
      else this.carryOutAside(runtime);
    }
  }

  private append(runtime: JournalParts): void {
    const facts = this.pending;
    const count = this.handedOut;
    this.write().then(
      () => {
        if (runtime.isClosed) return;
        this.kept = count;
        this.carryOutAside(runtime);
        for (const batch of facts) runtime.listeners.tell(batch);
        const told = this.waiters.filter((waiter) => waiter.facts <= count);
        this.waiters = this.waiters.filter((waiter) => waiter.facts > count);
        for (const { resolve } of told) resolve();
        this.carryOut();
        this.afterwards(runtime);
      },
      // The writer has told of it.
      () => undefined,
    );
  }

  /** What is decided on the way waits for its turn. */
  private carryOutAside(runtime: JournalParts): void {
    runtime.unasked((core) => core.carryOutAside());
    this.isBusy = false;
  }

  private afterwards(runtime: JournalParts): void {
    if (runtime.isClosed) return;
    runtime.wakes.review();
    runtime.hosts.keepAwake();
    runtime.runs.batchOver();
  }

  /** Calls that are one to everybody else: what follows from them is carried out after the last one. */
  together<T>(body: () => T): T {
    this.holds += 1;
    try {
      return body();
    } finally {
      this.holds -= 1;
      this.carryOut();
    }
  }

  /** An answer that nothing has to be carried out for; in `sync` it comes once the store has kept what led to it. */
  async answer<T>(answer: T): Promise<T> {
    if (this.isSync) await this.allKept();
    return answer;
  }

  /** Resolves once all that was decided is durable. */
  async flush(): Promise<void> {
    if (this.isSync) return this.allKept();
    if (this.pending.length > 0) this.write();
    return this.writer.flush();
  }

  private allKept(): Promise<void> {
    const facts = this.runtime?.call((core) => core.factCount()) ?? 0;
    if (facts <= this.kept) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiters.push({ facts, resolve, reject });
    });
  }

  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const facts = this.pending;
    this.pending = [];
    this.bytes = 0;
    return this.writer.write(facts.map(({ bytes }) => bytes));
  }

  /** The manager is over: what it decided is kept still, then the store is let go. */
  close(error: SubAgentError): void {
    if (this.pending.length > 0) void this.write().catch(() => undefined);
    const { waiters } = this;
    this.waiters = [];
    for (const { reject } of waiters) reject(error);
    void this.closed().catch(() => undefined);
  }

  /** Resolves once the store is let go; rejects where it could not keep all. */
  closed(): Promise<void> {
    return this.writer.close();
  }
}
