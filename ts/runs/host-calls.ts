// Calls the user's host functions, once for each run, and reports each call's end to the core once. Owns this pairing,
// and when the alarm keeps an idle process alive.

import type { Alarm } from '../base/alarm.js';
import { now } from '../base/clock.js';
import { letStackGo, messageOf } from '../base/errors.js';
import { enter, leave } from '../boundary/imports.js';
import { PROGRAM } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import type { Returned, Scratch } from '../boundary/scratch.js';
import { MOST_TEXT } from '../options/arguments.js';
import type { ValueCheck } from '../options/schema/schema.js';
import { UnknownStatuses } from '../reading/host-status.js';
import { checkValue, readResult, threw } from '../reading/returned.js';
import type { ActiveRun } from './active-run.js';
import type { HostFunctions } from './functions.js';
import type { KeepAlive } from './keep-alive.js';
import type { RemoteParts } from './remote-runs.js';
import { RemoteRuns } from './remote-runs.js';
import { stageTokens, tokensOrPlain } from './reported-tokens.js';
import type { Resources } from './resources.js';

/** The parts of its manager that calls of the host need. */
export interface HostParts extends RemoteParts {
  readonly functions: HostFunctions;
  readonly keepAlive: KeepAlive;
  readonly waits: RemoteParts['waits'] & { readonly areOpen: boolean };
  readonly resources: Resources;
  readonly readers: { readonly areWaiting: boolean };
  readonly runs: RemoteParts['runs'] & {
    /** The last run of each task that the program took up. */
    readonly taken: { readonly generation: number; readonly run: number }[];
    returned(active: ActiveRun): void;
    untilOver(active: ActiveRun): Promise<void>;
  };
}

export class HostCalls {
  /** Runs that the host started elsewhere. */
  readonly elsewhere: RemoteRuns;
  private openHosts = 0;
  /** Runs whose host functions are over, not yet passed to the core. */
  private arrived: ActiveRun[] = [];
  private readonly unknownStatuses: UnknownStatuses;
  private readonly runtime: HostParts;
  private readonly scratch: Scratch;
  private readonly alarm: Alarm;

  constructor(runtime: HostParts, scratch: Scratch, alarm: Alarm) {
    this.runtime = runtime;
    this.scratch = scratch;
    this.alarm = alarm;
    this.elsewhere = new RemoteRuns(runtime);
    this.unknownStatuses = new UnknownStatuses((error) => {
      if (!runtime.isClosed) runtime.report(error);
    });
  }

  /** Records whether the host function of a run is already called. A policy may come before it (M2). */
  noteHost(active: ActiveRun, called: boolean): void {
    this.runtime.unasked(() => this.runtime.commandIf(PROGRAM, { type: 'note_host', task: active, run: active.run, called }));
  }

  /** Calls the host function of a run. If the program drives its task, passes the run to the program. */
  start(active: ActiveRun): void {
    if (active.isAsked === true) this.noteHost(active, true);
    const { resources } = this.runtime;
    if (!resources.areUsed || !resources.lacks(active)) {
      this.callHost(active);
      return;
    }
    const refused = (error: unknown): void => {
      if (!this.runtime.isClosed) this.runtime.report(error);
      this.end(active, thrown(error));
    };
    const begin = (): void => {
      // If the run was stopped before this, nobody has to wait for a host function that hasn't begun.
      if (active.signal.aborted) this.end(active, thrown(active.signal.reason));
      else if (!this.runtime.isClosed) this.callHost(active);
    };
    this.runtime.alone(resources.acquire(active).then(begin, refused));
  }

  private callHost(active: ActiveRun): void {
    const { begun } = active;
    const { resources } = this.runtime;
    if (resources.areUsed && (begun !== undefined || active.background)) resources.use(active.taskId, this.runtime.runs.untilOver(active));
    if (begun !== undefined) {
      begun.isOver = true;
      this.runtime.runs.taken[active.index] = { generation: active.generation, run: active.run };
      begun.resolve(active);
      return;
    }
    try {
      const { spawnSubAgent, spawnBackgroundSubAgent } = this.runtime.functions;
      if (spawnBackgroundSubAgent !== undefined && active.background) {
        this.elsewhere.start(active, spawnBackgroundSubAgent);
        return;
      }
      if (spawnSubAgent === undefined)
        throw new Error('the manager has no `spawnSubAgent`: make it with `new SubAgentManager({ spawnSubAgent })`');
      active.hostOpen = true;
      this.openHosts += 1;
      this.alarm.keepAlive(true);
      const returned: unknown = spawnSubAgent(active.params() as never, active.handedRun() as never);
      // Any other thenable may settle twice, call back at once or throw: a promise of our own prevents that.
      const promise = isPlainPromise(returned) ? returned : new Promise((resolve) => resolve(returned));
      if (resources.areUsed) resources.use(active.taskId, promise);
      promise.then(
        (value) => this.hostReturned(active, value),
        (error: unknown) => this.arrive(active, thrown(error)),
      );
    } catch (error) {
      this.end(active, thrown(error));
    }
  }

  /** Reports to the core that a host function is over. */
  end(active: ActiveRun, returned: Returned): void {
    if (active.hostIsOver) return;
    active.returned = returned;
    this.endAll([active]);
  }

  /**
   * A host's promise has settled. The core gets all that settle in one round of microtasks together. If a hundred runs end at
   * once, each part of the code then handles all of them while it is in the processor's cache.
   */
  private arrive(active: ActiveRun, returned: Returned): void {
    active.returned = returned;
    if (this.arrived.push(active) === 1) Promise.resolve().then(this.endArrived);
  }

  /** Passes the collected ends to the core now, for an answer that has to include them. */
  readonly endArrived = (): void => {
    const { arrived } = this;
    if (arrived.length === 0) return;
    this.arrived = [];
    this.endAll(arrived);
  };

  /** Reports to the core that the host functions of these runs are over, and carries out the effects. */
  private endAll(actives: readonly ActiveRun[]): void {
    const at = now();
    const outer = enter(this.runtime);
    try {
      for (const active of actives) this.take(at, active);
    } catch (trap) {
      this.runtime.poison(trap);
    } finally {
      leave(outer);
    }
    for (const { onHostOver } of actives) if (onHostOver !== undefined) for (const callback of onHostOver) callback();
    this.runtime.dispatch();
  }

  /** Takes one end, unless it was taken before. */
  private take(at: number, active: ActiveRun): void {
    if (active.hostIsOver) return;
    active.hostIsOver = true;
    this.runtime.runs.returned(active);
    this.release(active);
    if (this.runtime.isClosed) return;
    const returned = this.bounded(active.returned as Returned);
    const { how, tokens, cost, turns, durationMs } = returned;
    const byKind = tokensOrPlain(this.runtime, { byKind: returned.byKind, tokens, costUsd: cost });
    if (byKind !== undefined) stageTokens(this.runtime, byKind);
    const { output, beside } = this.scratch.writeLeft(returned);
    const { index, generation, run } = active;
    this.runtime.core.hostReturned(at, index, generation, run, how, output, beside, tokens, cost, turns, durationMs);
  }

  /** Cuts a huge output before it enters the core's memory: the core keeps only a part. */
  private bounded(returned: Returned): Returned {
    const { output } = returned;
    if (output.length <= MOST_TEXT) return returned;
    return { ...returned, output: output.slice(0, Math.max(MOST_TEXT, limitOf(this.runtime, 'maxResultBytes') + 1)) };
  }

  /** Reads the value that a host function resolved to, or that was reported in its place. */
  read(result: unknown): Returned {
    return readResult(result, this.unknownStatuses, this.runtime.unknownNames);
  }

  private hostReturned(active: ActiveRun, value: unknown): void {
    const returned = this.read(value);
    // Finding the check may need the core, which ends with the manager.
    const check = this.runtime.isClosed ? undefined : active.check;
    if (check === undefined) this.arrive(active, returned);
    else this.whenChecked(returned, check, (checked) => this.arrive(active, checked));
  }

  /**
   * Ends a run once its value is checked; until then its host function is not over. Returns the promise of an asynchronous
   * check.
   */
  endOnceChecked(active: ActiveRun, returned: Returned, check: ValueCheck): Promise<void> | undefined {
    return this.whenChecked(returned, check, (checked) => this.end(active, checked));
  }

  private whenChecked(returned: Returned, check: ValueCheck, take: (checked: Returned) => void): Promise<void> | undefined {
    const checked = checkValue(returned, check, limitOf(this.runtime, 'maxResultBytes'));
    if (!(checked instanceof Promise)) return void take(checked);
    const taken = checked.then(take);
    this.runtime.alone(taken);
    return taken;
  }

  /** Its host function has returned, or its run has ended before that. Its later return doesn't keep the process alive (R6). */
  release(active: ActiveRun): void {
    if (!active.hostOpen) return;
    active.hostOpen = false;
    this.openHosts -= 1;
  }

  /**
   * An idle process waits for the alarm only if that would continue something: a host function, queued work, or one of our
   * promises. Runs elsewhere that no promise waits for don't make it wait.
   */
  keepAwake(): void {
    // While a host function is open the alarm keeps the process alive anyway.
    if (this.openHosts > 0 || this.runtime.isClosed) return;
    const queued = this.runtime.unasked((core) => core.hasQueued()) === true;
    // That call may have failed, and closed the manager.
    if (this.runtime.isClosed) return;
    this.runtime.keepAlive.hasQueued(queued);
    this.alarm.keepAlive(queued || this.runtime.waits.areOpen || this.runtime.readers.areWaiting);
  }
}

/** The result of a run whose host function has thrown. */
function thrown(error: unknown): Returned {
  letStackGo(error);
  return threw(messageOf(error), error);
}

/** A promise with the language's own `then`: it settles once, later, and throws nothing. */
function isPlainPromise(value: unknown): value is Promise<unknown> {
  return value instanceof Promise && value.constructor === Promise && value.then === Promise.prototype.then;
}
