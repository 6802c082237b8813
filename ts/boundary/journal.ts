// Writes facts to the store and restores them (J1, J3). In `sync` mode, effects wait until the store has persisted their facts.
// Owns that no effect runs while another process may own the store (J4).

import type { SubAgentCore } from '../../pkg/subagents.js';
import { LONGEST_TIMER, now } from '../base/clock.js';
import type { SubAgentError } from '../base/errors.js';
import { RECORD_HEADER_BYTES } from '../stores/record.js';
import type { Store, StoreLease } from '../stores/store.js';
import { JournalWriter } from '../stores/writer.js';
import { Compaction } from './compaction.js';
import type { Core } from './core.js';
import type { Missing } from './generated/lookups.js';
import { readMissing } from './generated/lookups-readers.js';
import type { Scratch } from './scratch.js';
import { StoreOwnership } from './store-ownership.js';

/** When a decision is durable: before its effects run, or a little later. */
export type Durability = 'sync' | 'batched';

/** The parts of the manager that the journal needs. */
export interface JournalParts extends Core {
  journal: Journal | undefined;
  ahead: number;
  /** Whether the core has the randomness for its ids. */
  seeded: boolean;
  readonly scratch: Scratch;
  /** The names of the known definitions. */
  readonly agents: { readonly names: string[] };
  readonly profiles: { readonly names: string[] };
  readonly hosts: { keepAwake(): void };
  readonly runs: { batchOver(): void };
  readonly wakes: { review(): void };
  readonly listeners: { readonly listening: boolean; notify(facts: Facts): void };
  /** Reports an error that ends nothing. */
  report(error: unknown): void;
  /** Ends the manager, because the store has failed. */
  fail(error: SubAgentError): void;
}

/** Sets the options of a manager. With `reopen`, that function sets them, because restored work continues with them. */
export type Configure = (reopen?: (core: SubAgentCore, settings: object) => boolean) => void;

/** Facts of a batch. */
export interface Facts {
  /** Their stored form. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The same bytes, after space for the header of a record. */
  readonly record: Uint8Array<ArrayBuffer>;
  /** How many facts came before, without the seed. */
  readonly before: number;
}

/** A promise that resolves once all earlier decisions are persisted. */
interface Waiter {
  /** How many facts there were at its beginning. */
  readonly facts: number;
  readonly resolve: () => void;
  readonly reject: (error: SubAgentError) => void;
}

/** The options of a store that the journal uses. */
export interface JournalOptions {
  readonly durability: Durability;
  readonly flushMs: number;
  /** See `StoreOptions`. */
  readonly compactBytes: number;
}

/** The state of a store when it was opened. */
export interface OpenedStore {
  /** How many records it has had, over its life. */
  readonly records: number;
  /** The bytes of the records after the snapshot, and of the snapshot. */
  readonly tailBytes: number;
  readonly snapshotBytes: number;
  readonly lease?: StoreLease | undefined;
}

/** A batch of this many bytes is written before its timer fires. */
const LARGE_BATCH = 1 << 18;

export class Journal {
  /** The names that restored work waited for when the manager was opened. */
  missing: Missing = { sessions: [], agents: [], profiles: [] };
  /** Whether it continues where another manager ended. */
  readonly goesOn: boolean;
  /** Whether the program has its manager, and the effects of the restoration run. */
  isStarted = false;
  readonly isSync: boolean;
  private readonly writer: JournalWriter;
  private readonly options: JournalOptions;
  private readonly compaction: Compaction;
  private runtime: JournalParts | undefined = undefined;
  /** Facts that are not yet handed to the store. */
  private pending: Facts[] = [];
  private bytes = 0;
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;
  /** How many facts the core has emitted, and, in `sync`, the store has persisted. */
  private handedOut = 0;
  private keptFacts = 0;
  /** While this is above 0, no effect runs: until the program has its manager, and within `batch`. */
  private pauses = 1;
  /** Resolves once the core hands over its facts, which it doesn't before the program has its manager. */
  private readonly begun: Promise<void>;
  private begin: () => void = () => undefined;
  /** Whether a record is on its way into the store, or its effects are being carried out. */
  private isBusy = false;
  private waiters: Waiter[] = [];
  private readonly ownership: StoreOwnership;

  constructor(store: Store, { records, tailBytes, snapshotBytes, lease }: OpenedStore, options: JournalOptions) {
    this.goesOn = records > 0;
    this.isSync = options.durability === 'sync';
    this.options = options;
    this.writer = new JournalWriter(store, records, (error) => this.runtime?.fail(error));
    this.ownership = new StoreOwnership(this.writer, lease);
    this.compaction = new Compaction(this.writer, options.compactBytes, tailBytes, snapshotBytes);
    this.begun = new Promise((resolve) => {
      this.begin = resolve;
    });
  }

  /**
   * Records the decisions of this manager from now on. Those of earlier ones have been restored.
   *
   * @param lost how to end or continue the runs that they had in flight, by the core's number
   * @param configure sets the options of this process, with which restored work continues, too
   */
  keep(runtime: JournalParts, lost: number, configure: Configure): void {
    this.runtime = runtime;
    runtime.journal = this;
    this.handedOut = runtime.call((core) => core.factCount());
    this.keptFacts = this.handedOut;
    runtime.call((core) => core.keepJournal(lost, this.isSync));
    if (!this.goesOn) configure();
    else {
      configure((core, settings) => core.reopen(now(), lost, runtime.agents.names, runtime.profiles.names, settings));
      this.missing = runtime.view((core) => core.missing(), readMissing);
      runtime.ahead = runtime.call((core) => core.ahead());
    }
    runtime.call((core) => core.seed(now()));
    runtime.seeded = true;
  }

  /**
   * With `on`, the core retains facts until the journal writes them. Otherwise it emits them with each batch, as listeners need
   * them. In both cases, it first emits those that it has. In `sync`, each batch is written anyway. Before `start`, the core
   * retains all facts: a listener that subscribes until then gets those of the opening.
   */
  gather(on: boolean): void {
    if (!this.isSync && this.isStarted) this.runtime?.call((core) => core.gather(on));
  }

  /** How many facts there were before the first one that a new listener gets. */
  get factsBefore(): number {
    return this.isStarted ? (this.runtime as JournalParts).call((core) => core.factCount()) : this.handedOut;
  }

  /** Schedules a write of facts that the core retains. Must not throw: the core calls it. */
  scheduleWrite(): void {
    this.timer ??= setTimeout(() => this.writeAll(), Math.min(this.options.flushMs, LONGEST_TIMER));
  }

  /** Writes all facts, including those that the core retains. */
  private writeAll(): void {
    this.runtime?.unasked((core) => core.handOut());
    if (this.pending.length > 0) this.write();
  }

  /** Begins to carry out effects: the program has its manager. */
  start(): void {
    const { runtime } = this;
    if (runtime === undefined || runtime.isClosed || this.isPutOff(() => this.start())) return;
    this.pauses -= 1;
    this.isStarted = true;
    if (this.isSync) this.dispatch();
    else if (this.goesOn) this.resume(runtime);
    else {
      // A new store persists the seed of ids before any id is shown: a key that is made of a spawn's stays the same (A7).
      runtime.unasked((core) => core.handOut());
      this.write().then(
        () => this.resume(runtime),
        () => undefined,
      );
    }
    this.begin();
    this.afterwards(runtime);
  }

  private resume(runtime: JournalParts): void {
    runtime.unasked((core) => {
      if (!runtime.listeners.listening) core.gather(true);
      core.dispatchBuffered();
    });
    if (this.compaction.isAsked) this.writeAll();
    this.afterwards(runtime);
  }

  /** Takes the facts of a batch, which the core shows at an address. Must not throw: the core calls it. */
  take(at: number, length: number): Facts {
    const record = (this.runtime as JournalParts).scratch.copyBehind(RECORD_HEADER_BYTES, at, length);
    const facts = { bytes: record.subarray(RECORD_HEADER_BYTES), record, before: this.handedOut };
    this.handedOut = this.runtime?.unasked((core) => core.factCount()) ?? this.handedOut;
    this.pending.push(facts);
    this.bytes += length;
    if (!this.isSync) {
      if (this.bytes >= LARGE_BATCH) this.write();
      else this.scheduleWrite();
    }
    return facts;
  }

  /**
   * In `sync`: has the store persist the decisions, then carries out their effects. All decisions of one turn go into one
   * record, and so do all that are made while a record is on its way.
   */
  dispatch(): void {
    if (this.pauses > 0 || this.isBusy) return;
    this.isBusy = true;
    queueMicrotask(() => {
      this.isBusy = false;
      this.dispatchTurn();
    });
  }

  private dispatchTurn(): void {
    const { runtime } = this;
    if (runtime?.isClosed !== false) return;
    while (this.pauses === 0 && !this.isBusy && runtime.unasked((core) => core.stageEffects()) === true) {
      this.isBusy = true;
      if (this.pending.length > 0) this.append(runtime);
      else this.dispatchPersisted(runtime);
    }
    this.afterwards(runtime);
  }

  private dispatchPersisted(runtime: JournalParts): void {
    const again = (): void => {
      this.dispatchPersisted(runtime);
      this.dispatch();
      this.afterwards(runtime);
    };
    if (!this.isPutOff(again)) this.dispatchStaged(runtime);
  }

  private append(runtime: JournalParts): void {
    // A listener that subscribes before these facts are written gets none of them.
    const facts = runtime.listeners.listening ? this.pending : [];
    const count = this.handedOut;
    const go = (): void => {
      if (runtime.isClosed || this.isPutOff(go)) return;
      this.keptFacts = count;
      this.dispatchStaged(runtime);
      for (const batch of facts) runtime.listeners.notify(batch);
      const settled = this.waiters.filter((waiter) => waiter.facts <= count);
      this.waiters = this.waiters.filter((waiter) => waiter.facts > count);
      for (const { resolve } of settled) resolve();
      this.dispatch();
      this.afterwards(runtime);
    };
    // The writer has reported a rejection.
    this.write().then(go, () => undefined);
  }

  /** Whether a drain leaves the runs that it stops to the next process (D8). */
  get leavesRuns(): boolean {
    return this.runtime?.unasked((core) => core.leavesRuns()) === true;
  }

  /** The store itself has found that it can no longer persist anything. */
  lost(cause: unknown): void {
    void this.writer.lost(cause);
  }

  /** Carries out the staged effects. Decisions that are made meanwhile wait for their turn. */
  private dispatchStaged(runtime: JournalParts): void {
    runtime.unasked((core) => core.dispatchStaged());
    this.isBusy = false;
  }

  private afterwards(runtime: JournalParts): void {
    if (runtime.isClosed) return;
    runtime.wakes.review();
    runtime.hosts.keepAwake();
    runtime.runs.batchOver();
  }

  /** Makes several calls count as one: their effects run after the last one. */
  batch<T>(body: () => T): T {
    this.pauses += 1;
    try {
      return body();
    } finally {
      this.pauses -= 1;
      this.dispatch();
    }
  }

  /** A caller's answer or error. In `sync`, it comes once the store has persisted all earlier decisions. */
  answer<T>(answer: T | Promise<T>): Promise<T> {
    return this.isSync || this.ownership.isDoubtful ? this.kept(answer) : Promise.resolve(answer);
  }

  /**
   * Whether `body` has to wait because another process may have taken the store (J4). If so, it is called once this process is
   * known to own the store.
   */
  isPutOff(body: () => void): boolean {
    if (!this.ownership.isDoubtful || this.runtime?.isClosed !== false) return false;
    // A rejection has ended the manager.
    this.ownership.confirmed(this.runtime).then(body, () => undefined);
    return true;
  }

  private async kept<T>(answer: T | Promise<T>): Promise<T> {
    let outcome: T;
    try {
      outcome = await answer;
    } catch (error) {
      // A manager that is over has nothing to wait for.
      if (this.runtime?.isClosed === false) await this.settled();
      throw error;
    }
    await this.settled();
    return outcome;
  }

  /** Resolves once a caller may be answered. */
  private settled(): Promise<void> {
    const kept = this.isSync ? this.allKept() : undefined;
    const { ownership } = this;
    if (!ownership.isDoubtful) return kept ?? Promise.resolve();
    return Promise.resolve(kept).then(() => (ownership.isDoubtful ? ownership.confirmed(this.runtime) : undefined));
  }

  /** Resolves once all decisions are durable. */
  async flush(): Promise<void> {
    if (this.isSync) return this.allKept();
    await this.begun;
    this.writeAll();
    return this.writer.flush();
  }

  /** See `StoreOwnership.confirm`. */
  confirm(): Promise<void> {
    return this.ownership.confirm(this.runtime);
  }

  private allKept(): Promise<void> {
    const facts = this.runtime?.call((core) => core.factCount()) ?? 0;
    if (facts <= this.keptFacts) return Promise.resolve();
    return new Promise((resolve, reject) => {
      this.waiters.push({ facts, resolve, reject });
      this.dispatch();
    });
  }

  private write(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const facts = this.pending;
    this.pending = [];
    this.compaction.written(this.bytes);
    this.bytes = 0;
    const written = this.writer.write(
      facts.map(({ record }) => record),
      this.runtime?.listeners.listening === true,
    );
    this.compactIfDue();
    return written;
  }

  /**
   * Has the store replace its records by a snapshot, now or with the next record. Resolves once done. If it rejects with the
   * store's error, the store keeps its records and continues.
   */
  compact(): Promise<void> {
    const done = this.compaction.ask();
    if (this.isSync) this.dispatch();
    else if (this.isStarted) this.writeAll();
    this.compactIfDue();
    return done;
  }

  /** Called when all emitted facts are in records: a snapshot then covers exactly these. */
  private compactIfDue(): void {
    if (this.pending.length === 0 && this.runtime !== undefined) this.compaction.beginIfDue(this.runtime, () => this.compactIfDue());
  }

  /** Ends with the manager: persists the remaining decisions, then releases the store. */
  close(error: SubAgentError): void {
    this.begin();
    if (this.pending.length > 0) void this.write().catch(() => undefined);
    for (const { reject } of this.waiters.splice(0)) reject(error);
    this.compaction.rejectAll(error);
    void this.closed().catch(() => undefined);
  }

  /** Resolves once the store is released; rejects if it could not persist everything. */
  closed(): Promise<void> {
    return this.writer.close();
  }
}
