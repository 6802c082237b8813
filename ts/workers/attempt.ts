// One attempt of a worker at a job. Owns its state: whether its lock holds, whether it counts, and its signal.

import { nothingReported } from './attempt-usage.js';
import type { Line } from './line.js';
import { aborted } from './wire.js';

export class Attempt {
  readonly line: Line;
  readonly jobId: string;
  readonly token: string;
  readonly reported = nothingReported();
  /** When its lock was last known to hold. */
  heldAt = performance.now();
  /** Whether its job returns to the queue. */
  isHandedBack = false;
  /** Whether its host function has settled. */
  hasReturned = false;
  isRefused = false;
  /** The error that ends it, if the lead's data can't be read. */
  fault: unknown;
  /** How many calls of its host function wait. */
  #waits = 0;
  /** Whether its run waits in the manager for a slot. */
  #isEarly = false;
  readonly #whenParked: (change: 1 | -1) => void;
  /** When it was lost. */
  lostAt = Number.POSITIVE_INFINITY;

  #controller: AbortController | undefined;

  /** @param whenParked called when it begins to wait, and when it stops waiting */
  constructor(jobId: string, token: string, line: Line, whenParked: (change: 1 | -1) => void) {
    this.jobId = jobId;
    this.token = token;
    this.line = line;
    this.#whenParked = whenParked;
  }

  /** While it waits, another run has its place, perhaps the run that it waits for. Several waiting calls free one place. */
  readonly parked = async <T>(wait: Promise<T>): Promise<T> => {
    this.#park(() => {
      this.#waits += 1;
    });
    try {
      return await wait;
    } finally {
      this.#park(() => {
        this.#waits -= 1;
      });
    }
  };

  /** Whether its run waits in the manager for a slot; that counts as waiting, too. */
  set isEarly(isEarly: boolean) {
    this.#park(() => {
      this.#isEarly = isEarly;
    });
  }

  get #isParked(): boolean {
    return this.#waits > 0 || this.#isEarly;
  }

  #park(change: () => void): void {
    const before = this.#isParked;
    change();
    if (this.#isParked !== before) this.#whenParked(before ? -1 : 1);
  }

  /** Made when it is first read: most short runs never do. */
  get controller(): AbortController {
    this.#controller ??= new AbortController();
    return this.#controller;
  }

  abort(reason: string): void {
    this.controller.abort(aborted(reason));
  }

  /**
   * Another worker has the job, or may have it. This attempt's messages and result no longer count. If it still holds the lock,
   * the job returns to the queue.
   */
  lose(): void {
    this.isHandedBack = true;
    this.lostAt = Math.min(this.lostAt, performance.now());
    this.abort('host_lost');
    this.line.end('the run was lost: another worker takes it over');
  }

  /** Ends the attempt: the lead's data about it can't be read. */
  spoil(error: Error): void {
    this.fault ??= error;
    this.abort('invalid_result');
    this.line.end(error.message);
  }
}
