// The handle of a sub-agent whose runs the program carries out. Owns these operations; `Handle` has the others.

import type { Key } from '../boundary/key.js';
import { endDriven, expectStarted, failure, takeUp } from '../commands/driving.js';
import { asked } from '../commands/lifecycle.js';
import type { lastRunOf } from '../commands/spawning.js';
import { reportOn } from '../commands/turns.js';
import type { HostResult } from '../options/host-result.js';
import type { RunReport } from '../reading/exchange.js';
import { Handle, insideOf } from './handle.js';

/**
 * A sub-agent spawned with `drive: 'program'`: your program carries out its runs, and no host function is called. `start()`
 * takes the place of the host function's call, `complete` and `fail` of its return. Budgets, messages, waits, cancels and
 * notices work as for any sub-agent. After a `send` to an ended one, its next run waits for `start()` again.
 */
export class DrivenHandle<Value = unknown, DrivenRun = unknown> extends Handle<Value> {
  /**
   * Takes up the run that waits for the program. Resolves to the run once it has its slot and its budget; until then it is
   * queued like any other. A second call returns the same run. Rejects with `wrong_status` if no run waits, and with `aborted`
   * if the run ends before it could start. If `onLimit` is `'reject'`, it rejects with `concurrency_limit` or the code of
   * whatever else prevents the start.
   */
  start(): Promise<DrivenRun> {
    const { runtime, actor, active } = insideOf(this);
    return asked(runtime, async () => (await takeUp(runtime, actor, active)).handedRun() as DrivenRun);
  }

  /**
   * Fires when the run has to stop: the waiting or open run, else the last one.
   *
   * Its reason is a `SubAgentError` with code `aborted`. The run can still be completed within `graceMs`: its output is then
   * partial.
   */
  get signal(): AbortSignal {
    return this.#current().signal;
  }

  /**
   * Reports the run's usage since the last report, and its progress. Works like `report` of the run that `start` returns.
   * Throws `wrong_status` before `start()`.
   */
  report(report: RunReport): void {
    const { runtime } = insideOf(this);
    const run = this.#current();
    expectStarted(runtime, run);
    reportOn(runtime, run, report);
  }

  /**
   * Ends the run like a host function that returns: with its output alone, or with all that a host function may return. If the
   * run has already ended, this is a late result. Throws `wrong_status` before `start()`.
   */
  complete(result: HostResult | string): void {
    const { runtime, active } = insideOf(this);
    endDriven(runtime, active, runtime.hosts.read(typeof result === 'string' ? { output: result } : result));
  }

  /** Ends the run as failed (`host_failed`), with the error's message and, as `cause`, the error. Throws like `complete`. */
  fail(error: unknown): void {
    const { runtime, active } = insideOf(this);
    endDriven(runtime, active, failure(error));
  }

  #current(): ReturnType<typeof lastRunOf> {
    const { runtime, active } = insideOf(this);
    const { index, generation }: Key = active;
    return runtime.runs.activeOf(index, generation) ?? runtime.runs.undelivered(index, generation) ?? active.latest;
  }
}
