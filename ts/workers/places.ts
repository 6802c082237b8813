// How many runs a worker process has at once. Owns that waiting runs don't count, since they may wait for a run that hasn't
// started yet, and that a freed place is filled.

import type { Worker } from 'bullmq';

interface PlacesParts {
  /** The worker that takes jobs; undefined while it must not. */
  worker(): Worker | undefined;
  /** How many runs it has, including waiting ones. */
  taken(): number;
  report(error: unknown): void;
}

export class Places {
  /** The number of places if no run waits. */
  readonly count: number;
  readonly #parts: PlacesParts;
  #parked = 0;
  #isWaking = false;
  #wakesAgain = false;

  constructor(count: number, parts: PlacesParts) {
    this.count = count;
    this.#parts = parts;
  }

  /** One more run waits, or one fewer. */
  readonly park = (change: 1 | -1): void => {
    this.#parked += change;
    this.resize();
  };

  /** Sets how many runs the worker may have now. */
  resize(): void {
    const worker = this.#parts.worker();
    if (worker === undefined) return;
    const before = worker.concurrency;
    worker.concurrency = this.count + this.#parked;
    if (worker.concurrency > before && this.#parts.taken() >= before) this.#wake(worker);
  }

  /**
   * Resumes a full worker, so that it checks its size at once, not when a job ends. If another place becomes free after that,
   * it checks again.
   */
  #wake(worker: Worker): void {
    this.#wakesAgain = this.#isWaking;
    if (this.#isWaking) return;
    this.#isWaking = true;
    worker
      .pause(true)
      .then(() => this.#parts.worker()?.resume())
      .catch(this.#parts.report)
      .finally(() => {
        this.#isWaking = false;
        if (this.#wakesAgain) this.#wakeAnew();
      });
  }

  #wakeAnew(): void {
    const worker = this.#parts.worker();
    if (worker !== undefined) this.#wake(worker);
  }
}
