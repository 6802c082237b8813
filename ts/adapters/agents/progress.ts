// What an agent is doing, as its run reports it. Owns that an agent which says very much is reported at most so often.

import type { Run } from '../../api/run.js';
import type { RunReport } from '../../reading/exchange.js';

/** Milliseconds between two reports. */
const BETWEEN_MS = 500;

export class Progress {
  private readonly run: Run;
  private next: RunReport | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isOver = false;
  private readonly onReport: () => void;

  /** `onReport` is called with each report. */
  constructor(run: Run, onReport: () => void = () => undefined) {
    this.run = run;
    this.onReport = onReport;
  }

  /** What it is doing now. */
  say(message: string): void {
    if (/\S/.test(message)) this.report({ message });
  }

  /** The last report of each kind counts. */
  report(report: RunReport): void {
    if (this.isOver) return;
    this.next = { ...this.next, ...report };
    if (this.timer !== undefined) return;
    this.send();
    this.timer = setTimeout(() => {
      this.timer = undefined;
      if (this.next !== undefined) this.report({});
    }, BETWEEN_MS);
  }

  /** Reports what waits for its time. */
  flush(): void {
    this.send();
  }

  /** Nothing more is reported. */
  end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private send(): void {
    const report = this.next;
    this.next = undefined;
    try {
      if (report === undefined || Object.keys(report).length === 0) return;
      this.run.report(report);
      this.onReport();
    } catch {
      // The run has ended.
    }
  }
}
