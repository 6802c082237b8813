// One attempt of a worker at a job. Owns what is known of it: whether its lock holds, whether it counts, and its signal.

import { nothingReported } from './attempt-usage.js';
import type { Line } from './line.js';
import { aborted } from './wire.js';

export class Attempt {
  readonly line: Line;
  readonly jobId: string;
  readonly token: string;
  readonly parked: <T>(wait: Promise<T>) => Promise<T>;
  readonly reported = nothingReported();
  /** When its lock was last known to hold. */
  heldAt = performance.now();
  /** It goes back to the queue. */
  isHandedBack = false;
  /** Its host function is over. */
  hasReturned = false;
  isRefused = false;
  /** Since when it is lost. */
  lostAt = Number.POSITIVE_INFINITY;

  #controller: AbortController | undefined;

  constructor(jobId: string, token: string, line: Line, parked: <T>(wait: Promise<T>) => Promise<T>) {
    this.jobId = jobId;
    this.token = token;
    this.line = line;
    this.parked = parked;
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
   * Another worker has it, or may have it: nothing that it says counts any more, nor does what its host function makes of
   * that. If the lock is its own still, the job goes back to the queue.
   */
  lose(): void {
    this.isHandedBack = true;
    this.lostAt = Math.min(this.lostAt, performance.now());
    this.abort('host_lost');
    this.line.end('the run was lost: another worker takes it over');
  }
}
