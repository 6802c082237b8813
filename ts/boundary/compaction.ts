// Compacts a journal: a snapshot of the state replaces the records before it. Owns when a compaction is due, and who waits for
// it. `journal.ts` knows when the records contain all decisions of the core.

import type { SubAgentError } from '../base/errors.js';
import type { JournalWriter } from '../stores/writer.js';
import type { Core } from './core.js';

/** A compaction that the program requested. */
interface PendingCompaction {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Compaction {
  private readonly writer: JournalWriter;
  private readonly compactBytes: number;
  /** The bytes of the records after the last snapshot, and of that snapshot. */
  private tailBytes: number;
  private snapshotBytes: number;
  private isCompacting = false;
  private asked: PendingCompaction[] = [];

  constructor(writer: JournalWriter, compactBytes: number, tailBytes: number, snapshotBytes: number) {
    this.writer = writer;
    this.compactBytes = compactBytes;
    this.tailBytes = tailBytes;
    this.snapshotBytes = snapshotBytes;
  }

  /** Resolves after the next compaction; rejects with the store's error. */
  ask(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.asked.push({ resolve, reject });
    });
  }

  get isAsked(): boolean {
    return this.asked.length > 0;
  }

  /** Counts the bytes of records on their way into the store. */
  written(bytes: number): void {
    this.tailBytes += bytes;
  }

  /** Rejects all requests, because the manager is over. */
  rejectAll(error: SubAgentError): void {
    for (const { reject } of this.asked.splice(0)) reject(error);
  }

  /** Begins a compaction if it is due or requested. Calls `next` after it, if another one was requested in that time. */
  beginIfDue(runtime: Core, next: () => void): void {
    const { asked } = this;
    if (this.isCompacting || runtime.isClosed) return;
    // Snapshots are at most half of all bytes ever written.
    if (asked.length === 0 && this.tailBytes < Math.max(this.compactBytes, this.snapshotBytes)) return;
    const snapshot = runtime.unasked((core) => core.snapshot());
    // The core has unwritten facts: the next record will have them.
    if (snapshot === undefined) return;
    const tail = this.tailBytes;
    this.asked = [];
    this.isCompacting = true;
    this.tailBytes = 0;
    this.writer
      .compact(snapshot)
      .then(
        () => {
          this.snapshotBytes = snapshot.length;
          for (const { resolve } of asked) resolve();
        },
        (error: unknown) => {
          // Tried again after the same number of new bytes. A store that has failed reports it at the next append.
          for (const { reject } of asked) reject(error);
          if (asked.length === 0 && !runtime.isClosed) runtime.report(error);
          this.snapshotBytes = Math.max(this.snapshotBytes, 2 * tail);
        },
      )
      .finally(() => {
        this.isCompacting = false;
        if (this.isAsked) next();
      });
  }
}
