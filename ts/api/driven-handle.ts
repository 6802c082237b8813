// The handle of a sub-agent whose runs the program carries out itself. Owns these operations; the rest is `Handle`'s.

import type { Key } from '../boundary/key.js';
import { endDriven, expectStarted, failure, takeUp } from '../commands/driving.js';
import { asked } from '../commands/lifecycle.js';
import type { lastRunOf } from '../commands/spawning.js';
import { reportOn } from '../commands/turns.js';
import type { HostResult } from '../options/host-result.js';
import type { RunReport } from '../reading/exchange.js';
import { Handle, insideOf } from './handle.js';

/**
 * A sub-agent that was spawned with `drive: 'program'`: no host function is called, your program carries its runs out.
 * `start()` takes the place of the host function's call, `complete` and `fail` that of its return. Budgets, messages, waits,
 * cancels and notices are those of any sub-agent. After a `send` to one that has ended, its next run waits for `start()` again.
 */
export class DrivenHandle<Value = unknown, DrivenRun = unknown> extends Handle<Value> {
  /**
   * Takes up the run that waits for the program. Resolves to the run once it has its slot and its budget; until then it is
   * queued as any other. Called again, it gives the same run. Rejects with `wrong_status` if no run waits, and with `aborted`
   * if the run ends before it could start. If `onLimit` is `'reject'`, it rejects with `concurrency_limit` or the code of
   * whatever else prevents the start.
   */
  start(): Promise<DrivenRun> {
    const { runtime, actor, active } = insideOf(this);
    return asked(runtime, async () => (await takeUp(runtime, actor, active)).handedRun() as DrivenRun);
  }

  /**
   * Fires when the run has to stop: the one that waits or is open, else the last one.
   *
   * Its reason is a `SubAgentError` with code `aborted`. The run can still be completed within `graceMs`: its output is then
   * partial.
   */
  get signal(): AbortSignal {
    return this.#current().signal;
  }

  /**
   * Reports what the run used since the last report, and how it goes. The same as `report` of the run that `start` gives. Throws
   * `wrong_status` before `start()`.
   */
  report(report: RunReport): void {
    const { runtime } = insideOf(this);
    const run = this.#current();
    expectStarted(runtime, run);
    reportOn(runtime, run, report);
  }

  /**
   * Ends the run as a host function does by returning: with its output, or with all that a host function may return. For a run
   * that has ended it is a late result. Throws `wrong_status` before `start()`.
   */
  complete(result: HostResult | string): void {
    const { runtime, active } = insideOf(this);
    endDriven(runtime, active, runtime.hosts.read(typeof result === 'string' ? { output: result } : result));
  }

  /** Ends the run as failed (`host_failed`), with the error's message and, as `cause`, the error. Throws as `complete` does. */
  fail(error: unknown): void {
    const { runtime, active } = insideOf(this);
    endDriven(runtime, active, failure(error));
  }

  #current(): ReturnType<typeof lastRunOf> {
    const { runtime, active } = insideOf(this);
    const { index, generation }: Key = active;
    return runtime.runs.activeOf(index, generation) ?? active.latest;
  }
}
