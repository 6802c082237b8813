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
  /** It goes back to the queue. */
  isHandedBack = false;
  /** Its host function is over. */
  hasReturned = false;
  isRefused = false;
  /** What the lead sent can't be read: with that it ends. */
  fault: unknown;
  /** Calls of its host function that wait. */
  #waits = 0;
  /** Its run waits in the manager for a slot. */
  #isEarly = false;
  readonly #whenParked: (change: 1 | -1) => void;
  /** Since when it is lost. */
  lostAt = Number.POSITIVE_INFINITY;

  #controller: AbortController | undefined;

  /** @param whenParked is called when it begins to wait, and when it waits no longer */
  constructor(jobId: string, token: string, line: Line, whenParked: (change: 1 | -1) => void) {
    this.jobId = jobId;
    this.token = token;
    this.line = line;
    this.#whenParked = whenParked;
  }

  /** While it waits, another run has its place: it may be the one that is waited for. However many calls wait, it has one place. */
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

  /** Made when it is first asked for: most short runs never look. */
  get controller(): AbortController {
    this.#controller ??= new AbortController();
    return this.#controller;
  }

  abort(reason: string): void {
    this.controller.abort(aborted(reason));
  }

  /**
   * Another worker has it, or may have it. Its messages no longer count, nor does the result of its host function. If it still
   * has the lock, the job goes back to the queue.
   */
  lose(): void {
    this.isHandedBack = true;
    this.lostAt = Math.min(this.lostAt, performance.now());
    this.abort('host_lost');
    this.line.end('the run was lost: another worker takes it over');
  }

  /** What the lead sent about it can't be read: it ends with that. */
  spoil(error: Error): void {
    this.fault ??= error;
    this.abort('invalid_result');
    this.line.end(error.message);
  }
}
