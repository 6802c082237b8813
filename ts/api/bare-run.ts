// The run, as the host function gets it where the bare wasm class is used: what it works on, its turns and reports.
// Owns that list; the package's own `Run` can do everything.

import type { Parts } from '../commands/parts.js';
import { beforeTurn, reportOn } from '../commands/turns.js';
import type { RunReport, TurnEstimate, TurnPermit } from '../reading/exchange.js';
import type { ActiveRun } from '../runs/active-run.js';

export class BareRun {
  readonly #runtime: Parts;
  readonly #live: ActiveRun;

  constructor(runtime: Parts, live: ActiveRun) {
    this.#runtime = runtime;
    this.#live = live;
  }

  /** The sub-agent's id. */
  get taskId(): string {
    return this.#live.taskId;
  }

  /** The number of this run in the sub-agent's life, from 1. */
  get run(): number {
    return this.#live.run;
  }

  /** What to work on. */
  get prompt(): string {
    return this.#live.prompt();
  }

  /** Fires when the run has to stop. */
  get signal(): AbortSignal {
    return this.#live.signal;
  }

  /** Asks for leave to call the model once more. */
  beforeTurn(options?: TurnEstimate): Promise<TurnPermit> {
    return beforeTurn(this.#runtime, this.#live, options);
  }

  /** Reports what was used since the last report, and how it goes. */
  report(report: RunReport): void {
    reportOn(this.#runtime, this.#live, report);
  }
}
