// Whether this manager still owns the store, or another process may (J4). Owns the check: one at a time, shared by all who
// wait.

import { RECORD_HEADER_BYTES } from '../stores/record.js';
import type { StoreLease } from '../stores/store.js';
import type { JournalWriter } from '../stores/writer.js';
import type { Core } from './core.js';

export class StoreOwnership {
  private readonly writer: JournalWriter;
  private readonly lease: StoreLease | undefined;
  /** The check in progress. */
  private confirming: Promise<void> | undefined = undefined;

  constructor(writer: JournalWriter, lease: StoreLease | undefined) {
    this.writer = writer;
    this.lease = lease;
  }

  /** Whether another process may have taken the store. */
  get isDoubtful(): boolean {
    return this.lease?.isHeld() === false;
  }

  /** Resolves once the store is known to be this manager's. */
  confirmed(runtime: Core | undefined): Promise<void> {
    this.confirming ??= this.confirm(runtime).finally(() => {
      this.confirming = undefined;
    });
    return this.confirming;
  }

  /**
   * Checks whether this manager still owns the store: by its lease, or by a record without facts. Every store refuses an append
   * if another process has it. Rejects if the store refuses, which ends the manager, or if the manager is over.
   */
  async confirm(runtime: Core | undefined): Promise<void> {
    runtime?.check();
    const { lease } = this;
    if (lease === undefined) return this.writer.write([new Uint8Array(RECORD_HEADER_BYTES)], false);
    await lease.renew().catch((cause: unknown) => {
      throw this.writer.lost(cause);
    });
  }
}
