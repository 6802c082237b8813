// The interface of a store for a manager with a journal. Owns the types only: a store has records and one snapshot, and knows
// nothing of their content.

/** The contents of a store when it is opened. */
export interface StoreContents {
  /** The last snapshot; none if the store was never compacted. */
  readonly snapshot?: Uint8Array;
  /** How many records the snapshot replaces; 0 without one. */
  readonly through: number;
  /** The records after the snapshot, oldest first. */
  readonly records: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /** How many bytes of a torn tail were cut; none if the last record was whole. */
  readonly cut?: number;
  /**
   * The records after this number, of a store that is read while another process may write. If a snapshot has replaced them,
   * throws `store_failed` with `details.through`.
   */
  later?(record: number): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
  /**
   * Resolves with the reason if the store finds by itself that it can store nothing more.
   *
   * Another process has it, or its medium is gone. A manager that appends nothing learns of the loss only from this.
   */
  readonly lost?: Promise<unknown>;
  /** The lease of the store; absent if no process can lose the store while it lives. */
  readonly lease?: StoreLease;
}

/**
 * The lease of a store that another process may take from a silent one. A process that was frozen or suspended doesn't know
 * that it was. So a manager asks `isHeld` before it calls a host, resolves a promise or leases a notice.
 */
export interface StoreLease {
  /** Whether, by its clocks, this process certainly still has the store. Fast, and asks nothing. */
  isHeld(): boolean;
  /** Asks the store, and extends the lease. Rejects if another process has the store, which ends the manager. */
  renew(): Promise<void>;
}

/**
 * Keeps the journal of one manager. Every record is sealed (see `RECORD_HEADER_BYTES`): it has its own length, number, version
 * and checksum. So a file of records needs nothing between them, and shows a torn tail. Bytes that a store gets belong to it:
 * the manager no longer changes them.
 */
export interface Store {
  /**
   * Takes the store for this process, and reads it. Rejects with `store_locked` if another process has it. Rejects with
   * `store_damaged` if it can't be trusted: `details.record` or `details.byte` is the place.
   */
  open(): Promise<StoreContents>;
  /**
   * Appends one record; resolves once it is durable. Records come back in the order of the calls, also of calls that are made
   * before earlier ones have resolved. A rejection is final: every later call rejects too.
   */
  append(record: Uint8Array): Promise<void>;
  /**
   * Atomically replaces the old snapshot and every record up to and including number `through` by this snapshot. Numbers count
   * from 1 over the life of the store. Records that are appended during it stay.
   */
  compact(snapshot: Uint8Array, through: number): Promise<void>;
  /** Waits for all appends, then releases the store. Another `open`, by any process, may then take it. */
  close(): Promise<void>;
}
