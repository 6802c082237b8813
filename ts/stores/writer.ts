// Writes a journal: seals records, numbers them, and passes them to the store. Owns that the first rejection is final.

import { messageOf, SubAgentError } from '../base/errors.js';
import { RECORD_HEADER_BYTES, sealRecord } from './record.js';
import type { Store } from './store.js';

/** The stores that managers of this process are releasing, until they are closed. */
const closings = new WeakMap<Store, Promise<void>>();

/** Resolves once no manager of this process is still closing this store. */
export async function untilClosed(store: Store): Promise<void> {
  await closings.get(store)?.catch(() => undefined);
}

export class JournalWriter {
  private readonly store: Store;
  private readonly failed: (error: SubAgentError) => void;
  private number: number;
  private failure: SubAgentError | undefined = undefined;
  private last: Promise<void> = Promise.resolve();
  private closing: Promise<void> | undefined = undefined;

  /**
   * @param number how many records the store has
   * @param failed called once if a record could not be persisted
   */
  constructor(store: Store, number: number, failed: (error: SubAgentError) => void) {
    this.store = store;
    this.number = number;
    this.failed = failed;
  }

  /**
   * Appends bytes as one record; resolves once it is durable. Each part has space for a header before it. A single part becomes
   * the record itself and belongs to the store, unless `areReadLater`.
   */
  write(parts: readonly Uint8Array[], areReadLater: boolean): Promise<void> {
    if (this.failure !== undefined) return rejected(this.failure);
    const [first] = parts;
    const record = first !== undefined && parts.length === 1 && !areReadLater ? first : joined(parts);
    this.number += 1;
    const { number } = this;
    this.last = this.appended(sealRecord(record, number)).catch((cause: unknown) => {
      throw this.fail(cause, `the store could not keep record ${number}: ${messageOf(cause)}`);
    });
    this.last.catch(() => undefined);
    return this.last;
  }

  /** Has the store replace all written records by a snapshot. A failure of this loses no record. */
  async compact(snapshot: Uint8Array): Promise<void> {
    const record = new Uint8Array(RECORD_HEADER_BYTES + snapshot.length);
    record.set(snapshot, RECORD_HEADER_BYTES);
    await this.store.compact(sealRecord(record, this.number), this.number);
  }

  /** Called when the store itself finds that it can persist nothing more. */
  lost(cause: unknown): SubAgentError {
    const message = `the store can't keep anything any longer: ${messageOf(cause)}`;
    return this.closing === undefined ? this.fail(cause, message) : new SubAgentError('store_failed', message, {}, { cause });
  }

  /** Resolves once all writes are durable; rejects if one failed. */
  flush(): Promise<void> {
    return this.last;
  }

  /** Waits for all writes, then releases the store. */
  close(): Promise<void> {
    this.closing ??= this.last.then(
      () => this.closed(),
      (error: unknown) => this.closed().then(rethrow(error), rethrow(error)),
    );
    this.closing.catch(() => undefined);
    closings.set(this.store, this.closing);
    return this.closing;
  }

  private async appended(record: Uint8Array): Promise<void> {
    await this.store.append(record);
  }

  private async closed(): Promise<void> {
    try {
      await this.store.close();
    } catch (cause) {
      throw this.fail(cause, `the store could not be closed: ${messageOf(cause)}`);
    }
  }

  private fail(cause: unknown, message: string): SubAgentError {
    if (this.failure === undefined) {
      this.failure = new SubAgentError('store_failed', message, {}, { cause });
      this.failed(this.failure);
    }
    return this.failure;
  }
}

/** Joins parts into one with space for a header. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const record = new Uint8Array(parts.reduce((sum, part) => sum + part.length - RECORD_HEADER_BYTES, RECORD_HEADER_BYTES));
  let at = RECORD_HEADER_BYTES;
  for (const part of parts) {
    record.set(part.subarray(RECORD_HEADER_BYTES), at);
    at += part.length - RECORD_HEADER_BYTES;
  }
  return record;
}

function rejected(error: SubAgentError): Promise<never> {
  const promise = Promise.reject(error);
  promise.catch(() => undefined);
  return promise;
}

const rethrow = (error: unknown) => (): never => {
  throw error;
};
