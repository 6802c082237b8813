// Reports what an agent is doing. Owns that a chatty agent is reported at a bounded rate, and that a working one
// doesn't count as silent.

import type { Run } from '../../api/run.js';
import type { RunReport } from '../../reading/exchange.js';

/** Milliseconds between two reports. */
const BETWEEN_MS = 500;
/** The longest pause between reports of a working agent, in milliseconds, so that its run is not silent (T2). */
const ALIVE_MS = 60_000;

export class Progress {
  private readonly run: Run;
  private next: RunReport | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOver = false;
  private readonly onReport: () => void;
  private beat: ReturnType<typeof setInterval> | undefined;
  private isAlive = false;
  private isBusy = false;
  private readonly aliveMs: number;

  /** `onReport` is called with each report. */
  constructor(run: Run, onReport: () => void = () => undefined) {
    this.run = run;
    this.onReport = onReport;
    this.aliveMs = Math.min(ALIVE_MS, run.limits.idleTimeoutMs / 3);
  }

  /** Reports its present work. */
  say(message: string): void {
    if (/\S/.test(message)) this.report({ message });
  }

  /** The last report of each kind counts. */
  report(report: RunReport): void {
    if (this.isOver) return;
    this.next = { ...this.next, ...report };
    if (this.timer !== undefined) return;
    this.flush();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.next !== undefined) this.report({});
    }, BETWEEN_MS);
  }

  /** Sends the waiting report. */
  flush(): void {
    const { next } = this;
    this.next = undefined;
    if (next !== undefined && Object.keys(next).length > 0) this.send(next);
  }

  /** Notes a sign of life, even if it is not worth a report. `isBusy`: the agent works, and may be silent until it is done. */
  alive(isBusy: boolean): void {
    this.isAlive = true;
    this.isBusy = isBusy;
    if (this.isOver || this.beat !== undefined) return;
    this.beat = setInterval(() => {
      if (this.isAlive || this.isBusy) this.send({});
      this.isAlive = false;
    }, this.aliveMs);
  }

  /** Ends all reports. */
  end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
    clearInterval(this.beat);
  }

  private send(report: RunReport): void {
    try {
      this.run.report(report);
      this.onReport();
    } catch {
      // The run has ended.
    }
  }
}
