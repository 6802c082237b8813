// The clocks of a worker and its database. Owns that a worker with a wrong clock takes nothing over. Over Postgres, BullMQ
// writes and reads the expiry of locks by each worker's clock: a wrong one would take jobs of living workers.

import { SubAgentError } from '../base/error-class.js';

/** Two workers may differ by twice this share, and a lock that is renewed in time lasts longer. */
const ALLOWED_SHARE = 8;
const ASK_AGAIN_MS = 1_000;

/** The parts of a worker that its clock needs. */
interface ClockParts {
  /** The milliseconds that this machine's clock is certainly ahead; undefined if locks don't use it. */
  aheadMs(): Promise<number | undefined>;
  readonly lostAfterMs: number;
  /** The clock is off: nothing may begin or continue here. */
  off(error: SubAgentError): void;
  /** The clock is right again. */
  right(): void;
}

export class DatabaseClock {
  isOff = false;
  readonly #parts: ClockParts;
  #asking: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: ClockParts) {
    this.#parts = parts;
  }

  /** Rejects with `clock_skew` if the clock is off. */
  async check(): Promise<void> {
    const error = await this.#skew();
    if (error !== undefined) throw error;
  }

  /** Whether the clock is right. If not, this notifies the worker, and again once it is right. */
  readonly isRight = async (): Promise<boolean> => {
    if (this.isOff) return false;
    const error = await this.#skew();
    if (error === undefined) return true;
    this.isOff = true;
    this.#parts.off(error);
    this.#askLater();
    return false;
  };

  #askLater(): void {
    this.#asking = setTimeout(() => {
      this.#skew().then(
        (error) => {
          if (error !== undefined) return this.#askLater();
          this.isOff = false;
          this.#parts.right();
        },
        // The database is unreachable.
        () => this.#askLater(),
      );
    }, ASK_AGAIN_MS);
    (this.#asking as { unref?(): unknown }).unref?.();
  }

  async #skew(): Promise<SubAgentError | undefined> {
    const { lostAfterMs } = this.#parts;
    const aheadMs = (await this.#parts.aheadMs()) ?? 0;
    const allowedMs = Math.floor(lostAfterMs / ALLOWED_SHARE);
    if (Math.abs(aheadMs) <= allowedMs) return undefined;
    const how = `${Math.round(Math.abs(aheadMs))} ms ${aheadMs > 0 ? 'ahead of' : 'behind'} that of its Postgres`;
    const message = `the clock of this worker is ${how}, by which jobs are taken over. It may differ by ${allowedMs} ms, an eighth of \`lostAfterMs\`: set the clock, as with NTP`;
    return new SubAgentError('clock_skew', message, { aheadMs, allowedMs });
  }

  close(): void {
    clearTimeout(this.#asking);
  }
}
