// How long a process may rely on its store without asking (J4). After that, another process may take the store, and a suspended
// process doesn't know that it was suspended. Owns the clocks: both are read, because the monotonic one stops while a machine
// is suspended.

/** A moment by both clocks. */
interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

const BEAT_MS = 1_000;
/** A later beat means that the process was frozen, or busy for this long: it has to ask. */
const STILL_MS = 2 * BEAT_MS;

const moment = (): Moment => ({ monotonic: performance.now(), wall: Date.now() });
const since = (then: Moment, now: Moment): number => Math.max(now.monotonic - then.monotonic, now.wall - then.wall);

export class Lease {
  readonly #forMs: number;
  #renewed: Moment;
  #seen: Moment;
  /** When the process was last found to have been frozen. */
  #woken: Moment | undefined;
  readonly #beat: ReturnType<typeof setInterval>;

  /** A lease that began now. @param forMs after this long without a renewal, another process may take the store */
  constructor(forMs: number) {
    this.#forMs = forMs;
    this.#renewed = moment();
    this.#seen = this.#renewed;
    this.#beat = setInterval(() => this.#look(), BEAT_MS);
    (this.#beat as { unref?(): unknown }).unref?.();
  }

  /** Whether the store is certainly this process's: no other can have taken it since the last renewal. */
  isHeld(): boolean {
    const now = this.#look();
    return this.#woken === undefined && since(this.#renewed, now) < this.#forMs;
  }

  /** Renews the lease with `ask`, which rejects if another process has the store. It counts from the question on. */
  async renew(ask: () => Promise<void>): Promise<void> {
    const asked = this.#look();
    await ask();
    this.#renewed = asked;
    // If the process was frozen during the question, the answer may be old.
    if (this.#woken !== undefined && this.#woken.monotonic <= asked.monotonic) this.#woken = undefined;
  }

  end(): void {
    clearInterval(this.#beat);
  }

  #look(): Moment {
    const now = moment();
    if (since(this.#seen, now) > STILL_MS) this.#woken = now;
    this.#seen = now;
    return now;
  }
}
