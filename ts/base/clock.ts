// The clock: epoch milliseconds that never run backwards, and one timer a manager. Owns both.

/** When the runtime's clock began; read at the first use: on Workers the clock stands still at 0 while modules are loaded. */
let origin = Number.NaN;
/** The runtime's clock, and its timers when that was looked up. */
let clock: Pick<Performance, 'now'>;
let timers: typeof setTimeout | undefined;

/** Now, in epoch milliseconds; monotonic, whatever happens to the system's clock. */
export function now(): number {
  // Some runtimes work out the global `performance` at each look, which takes as long as reading the clock. Tests that put
  // a clock of their own in its place do the same with the timers, and to look at these costs nothing.
  if (timers !== setTimeout) lookUp();
  return origin + clock.now();
}

function lookUp(): void {
  timers = setTimeout;
  clock = performance;
  if (Number.isNaN(origin)) origin = Date.now() - clock.now();
}

/** The longest delay that timers take, in milliseconds; one with a longer one fires at once. */
export const LONGEST_TIMER = 2_147_483_647;

/** Resolves with `promise`, which must not reject, or after so many milliseconds. */
export function within(promise: Promise<void>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = ms <= LONGEST_TIMER ? setTimeout(resolve, ms) : undefined;
    const over = (): void => {
      clearTimeout(timer);
      resolve();
    };
    promise.then(over, over);
  });
}

interface NodeTimer {
  ref?(): unknown;
  unref?(): unknown;
}

/**
 * The one timer of a manager. It keeps a Node process alive only while work is open, so that a
 * forgotten deadline never does.
 */
export class Alarm {
  private timer: ReturnType<typeof setTimeout> | undefined;
  private at = 0;
  private keepsAlive = false;
  /** What must not be collected before it has rung: see `keep-alive.ts`. */
  keeps: object | undefined;
  private readonly ring: () => void;

  /** @param fire called when the time has come */
  constructor(fire: () => void) {
    // Through `this`, an armed timer keeps what the alarm keeps.
    this.ring = () => {
      this.timer = undefined;
      // Timers may fire a little early, and long delays come in parts.
      if (now() < this.at) this.arm();
      else fire();
    };
  }

  /** Rings at `at`, in place of what was set before. */
  set(at: number): void {
    this.at = at;
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.arm();
  }

  /** Whether the process should live until the alarm rings. */
  keepAlive(on: boolean): void {
    if (this.keepsAlive === on) return;
    this.keepsAlive = on;
    const timer = this.timer as NodeTimer | undefined;
    if (on) timer?.ref?.();
    else timer?.unref?.();
  }

  stop(): void {
    if (this.timer !== undefined) clearTimeout(this.timer);
    this.timer = undefined;
  }

  private arm(): void {
    this.timer = setTimeout(this.ring, Math.min(Math.max(Math.ceil(this.at - now()), 1), LONGEST_TIMER));
    if (!this.keepsAlive) (this.timer as NodeTimer).unref?.();
  }
}
