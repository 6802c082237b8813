// One timer. After the process was suspended, it fires late rather than at once. Owns this delay, and whether the timer keeps
// the process alive.

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
  /** The `clearTimeout` for the timer: tests may have replaced the timers since it was set. */
  private clear = clearTimeout;
  private at = 0;
  private keepsAlive = false;
  /** The process stood still until just now: everything that arrived in that time goes first. */
  private isWaking = false;
  /** An object that must not be collected before the alarm has rung: see `keep-alive.ts`. */
  keeps: object | undefined;
  private readonly ring: () => void;
  private readonly fire: () => void;
  private readonly stood: ((at: number, ms: number) => void) | undefined;
  private readonly context: AsyncContext | undefined;

  /**
   * @param fire called at the set time
   * @param stood called after the process stood still, to set a new time; without it, the alarm moves by that duration
   * @param context the context of the timer, which otherwise retains the one in which it is set
   */
  constructor(fire: () => void, stood?: (at: number, ms: number) => void, context?: AsyncContext) {
    this.fire = fire;
    this.stood = stood;
    this.context = context;
    // Because of `this`, an armed timer retains what the alarm keeps.
    this.ring = () => {
      this.timer = undefined;
      // Timers may fire a little early, and long delays come in parts.
      const isEarly = now() < this.at;
      // Reading the clock may have shown that the process stood still, which sets a new timer.
      if (this.timer !== undefined) return;
      if (isEarly) this.arm();
      else this.goOff();
    };
  }

  /** Rings at `at` instead of the previous time. */
  set(at: number): void {
    this.at = at;
    if (this.isWaking) return;
    this.disarm();
    this.arm();
  }

  /** Sets whether the process has to live until the alarm rings. */
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

  /** Without open work, the deadline may be gone. So this fires early, and the core sets the alarm again if one is left. */
  beat(): void {
    if (this.keepsAlive || this.isWaking || this.stood === undefined) return;
    this.stop();
    this.fire();
  }

  /** Rings only after one turn of the event loop: due timers and network input that has arrived go first (T4). */
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

  /** Arms again with the current timers: a replaced one may never ring. */
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

/** Runs `body` after the network input that has already arrived, if the runtime can schedule that. */
function soon(body: () => void): void {
  const { setImmediate } = globalThis as { setImmediate?: (body: () => void) => unknown };
  if (setImmediate === undefined) setTimeout(body, 0);
  else setImmediate(body);
}
