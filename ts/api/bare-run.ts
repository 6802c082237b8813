// The run that a host function gets from the bare wasm class: its input, turns and reports. The package's own `Run`
// has all operations.

import type { Parts } from '../commands/parts.js';
import { beforeTurn, reportOn } from '../commands/turns.js';
import type { RunReport, TurnEstimate, TurnPermit } from '../reading/exchange.js';
import type { ActiveRun } from '../runs/active-run.js';

export class BareRun {
  readonly #runtime: Parts;
  readonly #active: ActiveRun;

  constructor(runtime: Parts, active: ActiveRun) {
    this.#runtime = runtime;
    this.#active = active;
  }

  /** The sub-agent's id. */
  get taskId(): string {
    return this.#active.taskId;
  }

  /** The number of this run in the sub-agent's life, from 1. */
  get run(): number {
    return this.#active.run;
  }

  /** The instructions, or the message that this run answers. */
  get prompt(): string {
    return this.#active.prompt();
  }

  /** Fires when the run has to stop. */
  get signal(): AbortSignal {
    return this.#active.signal;
  }

  /** Asks whether the run may call the model once more. */
  beforeTurn(options?: TurnEstimate): Promise<TurnPermit> {
    return beforeTurn(this.#runtime, this.#active, options);
  }

  /** Reports the usage since the last report, and the progress. */
  report(report: RunReport): void {
    reportOn(this.#runtime, this.#active, report);
  }
}
