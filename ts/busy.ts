// Whether a manager has work that somebody may still hear of: runs that are queued or open, waits, drains.
// While it has, its timer keeps it, so that deadlines are met though nobody else refers to it; once it has
// none, nothing here does, and a manager that was not disposed can be collected. Owns the counting.

import type { Alarm } from './clock.js';

export class Busy {
  private count = 0;
  private readonly alarm: Alarm;
  private readonly manager: object;

  constructor(alarm: Alarm, manager: object) {
    this.alarm = alarm;
    this.manager = manager;
  }

  /** One more thing to come. */
  begin(): void {
    this.count += 1;
    if (this.count === 1) this.alarm.keeps = this.manager;
  }

  /** One of them has come. */
  end(): void {
    this.count -= 1;
    if (this.count === 0) this.alarm.keeps = undefined;
  }

  /** The manager is over. */
  clear(): void {
    this.count = 0;
    this.alarm.keeps = undefined;
  }
}
