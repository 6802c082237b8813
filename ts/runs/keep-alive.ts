// Whether a manager has work whose outcome can still be read: queued or open runs, waits, drains, notices that a
// session is woken for. While it has, its timer keeps it alive, so that deadlines are met. Otherwise a manager that
// was not disposed can be collected. Owns the counting.

import type { Alarm } from '../base/alarm.js';

export class KeepAlive {
  private count = 0;
  private queued = false;
  private readonly alarm: Alarm;
  private readonly manager: object;

  constructor(alarm: Alarm, manager: object) {
    this.alarm = alarm;
    this.manager = manager;
  }

  /** One more piece of work is open. */
  begin(): void {
    this.count += 1;
    if (this.count === 1) this.keep();
  }

  /** One piece of work is done. */
  end(): void {
    this.count -= 1;
    if (this.count === 0) this.keep();
  }

  /** Sets whether runs are queued, including runs of messages that only the core knows. */
  hasQueued(queued: boolean): void {
    if (this.queued === queued) return;
    this.queued = queued;
    this.keep();
  }

  /** The manager is over. */
  clear(): void {
    this.count = 0;
    this.queued = false;
    this.keep();
  }

  private keep(): void {
    this.alarm.keeps = this.count > 0 || this.queued ? this.manager : undefined;
  }
}
