// Calls the user's host functions: once for each run, and however that call ends, the core is told once. Owns this pairing,
// and when the alarm keeps a process alive that is otherwise idle.

import { type Alarm, now } from '../base/clock.js';
import { letStackGo, messageOf } from '../base/errors.js';
import { enter, leave } from '../boundary/imports.js';
import { limitOf } from '../boundary/limits.js';
import type { Returned, Scratch } from '../boundary/scratch.js';
import { MOST_TEXT } from '../options/arguments.js';
import type { ValueCheck } from '../options/schema/schema.js';
import { checkValue, readResult, threw } from '../reading/returned.js';
import type { ActiveRun } from './active-run.js';
import type { HostFunctions } from './functions.js';
import type { KeepAlive } from './keep-alive.js';
import type { RemoteParts } from './remote-runs.js';
import { RemoteRuns } from './remote-runs.js';

/** What calling the host needs of its manager. */
export interface HostParts extends RemoteParts {
  readonly functions: HostFunctions;
  readonly keepAlive: KeepAlive;
  readonly waits: RemoteParts['waits'] & { readonly areOpen: boolean };
  readonly runs: {
    returned(live: ActiveRun): void;
    manualEnded(slot: number, returned: Returned): void;
  };
}

export class HostCalls {
  /** Runs that the host started elsewhere. */
  readonly elsewhere: RemoteRuns;
  private openHosts = 0;
  private readonly runtime: HostParts;
  private readonly scratch: Scratch;
  private readonly alarm: Alarm;

  constructor(runtime: HostParts, scratch: Scratch, alarm: Alarm) {
    this.runtime = runtime;
    this.scratch = scratch;
    this.alarm = alarm;
    this.elsewhere = new RemoteRuns(runtime);
  }

  /** Calls the host function of a run. */
  start(live: ActiveRun): void {
    try {
      const { spawnSubAgent, spawnBackgroundSubAgent } = this.runtime.functions;
      if (spawnBackgroundSubAgent !== undefined && live.background) {
        this.elsewhere.start(live, spawnBackgroundSubAgent);
        return;
      }
      if (spawnSubAgent === undefined) throw new Error('no spawnSubAgent was given to the manager');
      live.hostOpen = true;
      this.openHosts += 1;
      this.alarm.keepAlive(true);
      const returned: unknown = spawnSubAgent(live.params() as never, live.handedRun() as never);
      // Any other thenable may settle twice, call back at once or throw on the way: a promise of ours tames it.
      const promise = isPlainPromise(returned) ? returned : new Promise((resolve) => resolve(returned));
      promise.then(
        (value) => this.hostReturned(live, value),
        (error: unknown) => this.hostThrew(live, error),
      );
    } catch (error) {
      this.hostThrew(live, error);
    }
  }

  /** Tells the core that a host function is over. */
  settle(live: ActiveRun, returned: Returned): void {
    if (live.settled) return;
    this.runtime.runs.returned(live);
    this.hostIsOver(live);
    if (this.runtime.isClosed) return;
    live.returned = returned;
    const outer = enter(this.runtime);
    try {
      this.tell(live.slot, live.generation, live.run, this.bounded(returned));
    } catch (trap) {
      this.runtime.poison(trap);
    } finally {
      leave(outer);
    }
    if (live.onHostOver !== undefined) for (const tell of live.onHostOver) tell();
    this.runtime.carryOut();
    this.keepAwake();
  }

  /** A manual task ends; see `ts/api/manual.ts`. */
  settleManual(slot: number, generation: number, returned: Returned): void {
    this.runtime.check();
    if (!this.runtime.call(() => this.tell(slot, generation, 0, returned))) throw this.runtime.refusal();
    this.runtime.runs.manualEnded(slot, returned);
    this.runtime.carryOut();
    this.runtime.expectSound();
  }

  /** Hands an end to the core; the run 0 stands for a manual task. */
  private tell(slot: number, generation: number, run: number, returned: Returned): boolean {
    const { output, beside } = this.scratch.writeLeft(returned);
    const { how, tokens, cost, turns, durationMs } = returned;
    return this.runtime.core.settle(now(), slot, generation, run, how, output, beside, tokens, cost, turns, durationMs);
  }

  /** A huge output, of which the core keeps a part, need not go into its memory as a whole. */
  private bounded(returned: Returned): Returned {
    const { output } = returned;
    if (output.length <= MOST_TEXT) return returned;
    return { ...returned, output: output.slice(0, Math.max(MOST_TEXT, limitOf(this.runtime, 'maxResultBytes') + 1)) };
  }

  private hostReturned(live: ActiveRun, value: unknown): void {
    const returned = readResult(value);
    // Which check it has may have to be asked of the core, which is gone with the manager.
    const check = this.runtime.isClosed ? undefined : live.check;
    if (check === undefined) this.settle(live, returned);
    else this.settleChecked(live, returned, check);
  }

  /** Takes an end whose value is to be checked first; until then the host function is not over. */
  settleChecked(live: ActiveRun, returned: Returned, check: ValueCheck): void {
    const checked = checkValue(returned, check, limitOf(this.runtime, 'maxResultBytes'));
    if (checked instanceof Promise) this.runtime.alone(checked.then((later) => this.settle(live, later)));
    else this.settle(live, checked);
  }

  private hostThrew(live: ActiveRun, error: unknown): void {
    letStackGo(error);
    const message = messageOf(error);
    this.settle(live, threw(message, error));
  }

  private hostIsOver(live: ActiveRun): void {
    live.settled = true;
    this.release(live);
  }

  /** The run has ended before its host function: no process is kept alive for what that may still return (R6). */
  goOnWithout(live: ActiveRun): void {
    if (!live.hostOpen) return;
    this.release(live);
    this.keepAwake();
  }

  private release(live: ActiveRun): void {
    if (!live.hostOpen) return;
    live.hostOpen = false;
    this.openHosts -= 1;
  }

  /**
   * An idle process waits for the alarm only where something would go on then: a host function returns, queued
   * work starts, or a promise of ours is settled. Runs elsewhere, which no promise waits for, keep none.
   */
  keepAwake(): void {
    // While a host function is open the alarm keeps the process alive anyway.
    if (this.openHosts > 0 || this.runtime.isClosed) return;
    const queued = this.runtime.unasked((core) => core.hasQueued()) === true;
    // The core may have failed at that.
    if (this.runtime.isClosed) return;
    this.runtime.keepAlive.hasQueued(queued);
    this.alarm.keepAlive(queued || this.runtime.waits.areOpen);
  }
}

/** A promise whose own `then` is the one of the language: it settles once, later, and throws nothing. */
function isPlainPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise && value.constructor === Promise && value.then === Promise.prototype.then;
}
