// One timer. After the process was suspended, it fires late rather than at once. Owns that, and whether it keeps the
// process alive.

import { type Beating, joinBeat, leaveBeat } from './beat.js';
import { LONGEST_TIMER, now } from './clock.js';
import type { AsyncContext } from './context.js';

interface NodeTimer {
  ref?(): unknown;
  unref?(): unknown;
}

/**
 * The one timer of a manager. It keeps a Node process alive only while work is open, so that a
 * forgotten deadline never does.
 */
export class Alarm implements Beating {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** What clears the timer: tests may have replaced the timers since it was set. */
  private clear = clearTimeout;
  private at = 0;
  private keepsAlive = false;
  /** The process stood still until just now: everything that arrived during that time goes first. */
  private isWaking = false;
  /** What must not be collected before it has rung: see `keep-alive.ts`. */
  keeps: object | undefined;
  private readonly ring: () => void;
  private readonly fire: () => void;
  private readonly stood: ((at: number, ms: number) => void) | undefined;
  private readonly context: AsyncContext | undefined;

  /**
   * @param fire called when the time has come
   * @param stood called after the process stood still, to set a new time; without it, the alarm moves by that time
   * @param context the context of the timer, which otherwise retains the one in which it is set
   */
  constructor(fire: () => void, stood?: (at: number, ms: number) => void, context?: AsyncContext) {
    this.fire = fire;
    this.stood = stood;
    this.context = context;
    // Through `this`, an armed timer keeps what the alarm keeps.
    this.ring = () => {
      this.timer = undefined;
      // Timers may fire a little early, and long delays come in parts.
      const isEarly = now() < this.at;
      // The look at the clock may have shown that the process stood still.
      if (this.timer !== undefined) return;
      if (isEarly) this.arm();
      else this.goOff();
    };
  }

  /** Rings at `at` instead of the time before. */
  set(at: number): void {
    this.at = at;
    if (this.isWaking) return;
    this.disarm();
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
    this.disarm();
    this.isWaking = false;
    leaveBeat(this);
  }

  /** If no work is open, its deadline may be gone: then it arms nothing. */
  beat(): void {
    if (this.keepsAlive || this.isWaking || this.stood === undefined) return;
    this.stop();
    this.fire();
  }

  /** Rings no sooner than after one turn of the event loop: timers that are due and what came over the network go first (T4). */
  stoodStill(at: number, ms: number): void {
    if (this.stood === undefined) this.at += ms;
    else this.stood(at, ms);
    this.disarm();
    this.isWaking = true;
    this.startTimer(() => {
      soon(() => {
        if (!this.isWaking) return;
        this.isWaking = false;
        this.timer = undefined;
        if (this.stood === undefined && now() < this.at) this.arm();
        else this.goOff();
      });
    }, 1);
  }

  /** Goes by the timers that there are now: an old one may never ring. */
  timersReplaced(): void {
    if (this.timer === undefined) return;
    this.disarm();
    this.isWaking = false;
    this.arm();
  }

  private disarm(): void {
    const { timer, clear } = this;
    this.timer = undefined;
    if (timer !== undefined) clear(timer);
  }

  private goOff(): void {
    leaveBeat(this);
    this.fire();
  }

  private arm(): void {
    this.startTimer(this.ring, Math.min(Math.max(Math.ceil(this.at - now()), 1), LONGEST_TIMER));
    this.inContext(() => joinBeat(this));
  }

  private startTimer(ring: () => void, ms: number): void {
    this.clear = clearTimeout;
    this.timer = this.inContext(() => setTimeout(ring, ms));
    if (!this.keepsAlive) (this.timer as NodeTimer).unref?.();
  }

  private inContext<T>(body: () => T): T {
    return this.context === undefined ? body() : this.context.runInAsyncScope(body);
  }
}

/** After the network input that is already there, if the runtime can schedule that. */
function soon(body: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (body: () => void) => unknown };
  if (setImmediate === undefined) setTimeout(body, 0);
  else setImmediate(body);
}
