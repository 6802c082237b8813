// The active runs. Owns how a run's start, turns, end and abort settle its promises; `ts/runs/host-calls.ts` calls the host.

import { now } from '../base/clock.js';
import type { Contexts } from '../base/context.js';
import { SubAgentError } from '../base/errors.js';
import { headOf } from '../base/text.js';
import { type EndRow, readEnd } from '../boundary/generated/ended.js';
import type { Key } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import type { Returned, Scratch } from '../boundary/scratch.js';
import { turnOf } from '../boundary/turn-code.js';
import { readTexts } from '../boundary/view-bytes.js';
import { REFUSED, TURN_LATER, TURN_STOPPED } from '../generated/codes.js';
import { STOP_REASONS, type StopReason } from '../generated/names.js';
import type { TurnPermit } from '../reading/exchange.js';
import { nothing } from '../reading/returned.js';
import { resultOf } from '../reading/run-result.js';
import type { RunParts, TurnNumbers } from './active-run.js';
import { ActiveRun } from './active-run.js';
import type { Following } from './following.js';
import type { HostCalls } from './host-calls.js';
import type { KeepAlive } from './keep-alive.js';
import { questionEnded } from './questions.js';
import { nameOf, RunTable } from './run-table.js';
import type { WaitSnapshots } from './wait-snapshots.js';

/** The parts of its manager that the table of runs needs. */
export interface RunsParts extends RunParts {
  readonly keepAlive: KeepAlive;
  readonly contexts: Contexts;
  readonly following: Following;
  readonly gates: {
    readonly sub: { has(point: 'before_start'): boolean };
    start(active: ActiveRun): void;
    timedOut(active: ActiveRun, reason: 'timeout' | 'idle_timeout'): void;
    steered(active: ActiveRun): void;
  };
  readonly hosts: HostCalls;
  readonly waitSnapshots: WaitSnapshots;
  readonly scratch: Scratch;
  readonly readers: { changed(): void };
  report(error: unknown): void;
}

export class Runs {
  private readonly open = new RunTable();
  /** Runs that ended while their host function is running: the order to stop may come after the end. */
  private readonly endedOpen = new Map<string, ActiveRun>();
  /** The last run of each task that the program took up, by the index of the task. */
  readonly taken: { readonly generation: number; readonly run: number }[] = [];
  /** Runs with a caller that waits for the end of their host function. */
  private readonly awaited = new Map<string, ActiveRun>();
  /** Calls of user code that wait until the whole batch is delivered: promises settle before any user code runs. */
  private putOff: (() => void)[] = [];
  /** Runs that have just ended, by the indexes of their tasks, while events are read: their outputs are already here. */
  private outputs: (ActiveRun | undefined)[] | undefined = undefined;
  private readonly runtime: RunsParts;

  constructor(runtime: RunsParts) {
    this.runtime = runtime;
    ActiveRun.standAlone();
  }

  /** Keeps a run by the index of its task until it ends. */
  keep(active: ActiveRun): void {
    this.runtime.keepAlive.begin();
    this.open.put(active);
  }

  /** Calls the host function of a run. */
  startRun(index: number, generation: number, run: number, knowsTools: boolean): void {
    // An earlier call of the same batch may have disposed or poisoned the manager.
    if (this.runtime.isClosed) return;
    const active = this.open.find(index, generation, run) ?? this.found(index, generation, run);
    if (active === undefined) return;
    if (active.text === undefined) this.readText(active);
    active.knowsTools = knowsTools;
    this.runtime.contexts.take(active);
    this.runtime.contexts.run(active, this.beginning, active);
  }

  /** The run that starts, if it was not spawned here; undefined if it is already over. */
  private found(index: number, generation: number, run: number): ActiveRun | undefined {
    const active = this.newActive(index, generation, run);
    // It ended in the batch that starts it, and its end is delivered, so its host is not called.
    if (!this.runtime.call((core) => core.isOpen(index, generation, run))) {
      this.runtime.hosts.end(active, nothing());
      return undefined;
    }
    this.keep(active);
    return active;
  }

  private readText(active: ActiveRun): void {
    active.text = this.runtime.call((core) => core.message(active.index));
  }

  /** A run that was not spawned here: of a message, or of an earlier manager. */
  private newActive(index: number, generation: number, run: number): ActiveRun {
    const active = new ActiveRun(this.runtime, undefined);
    active.index = index;
    active.generation = generation;
    active.run = run;
    return active;
  }

  private readonly beginning = (active: ActiveRun): void => this.runtime.following.run(active, this.starting, active);

  private readonly starting = (active: ActiveRun): void => {
    const { gates, hosts } = this.runtime;
    if (gates.sub.has('before_start')) gates.start(active);
    else hosts.start(active);
  };

  /** The run of this number, also if it has just ended. */
  private findOpen(index: number, generation: number, run: number): ActiveRun | undefined {
    return this.open.find(index, generation, run) ?? this.endedOpen.get(nameOf(index, generation, run));
  }

  /** The run that its host reports. If it has ended and nothing here waits for its host, a new object represents it. */
  reported(index: number, generation: number, run: number): ActiveRun {
    const known = this.findOpen(index, generation, run) ?? this.awaited.get(nameOf(index, generation, run));
    return known === undefined || known.hostIsOver ? this.newActive(index, generation, run) : known;
  }

  /** A message has come that steers the open run of a task. */
  steered({ index, generation }: Key): void {
    const active = this.open.newestOf(index, generation);
    if (active !== undefined) this.runtime.gates.steered(active);
  }

  /** A run is over: the core has written its end at this address. */
  runEnded(address: number): boolean {
    const { waitSnapshots, scratch } = this.runtime;
    const ended = readEnd(scratch, address);
    const { index, generation, run, reason, hostOpen } = ended;
    this.runtime.readers.changed();
    const active = this.open.find(index, generation, run);
    if (active === undefined) {
      if (!waitSnapshots.has(index)) return false;
      // A run that an earlier manager began.
      const earlier = this.newActive(index, generation, 0);
      waitSnapshots.ended(index, generation, run, resultOf(earlier, ended, undefined));
      return false;
    }
    this.open.remove(active);
    this.runtime.keepAlive.end();
    // Without grace, one batch asks a run to stop and ends it, and its end is delivered first. If a policy blocked its start,
    // that is already over, and nothing else would release it.
    if (hostOpen && !active.hostIsOver) {
      this.endedOpen.set(nameOf(index, generation, run), active);
      this.runtime.hosts.release(active);
    }
    active.unfollow?.();
    active.agent?.stop();
    // Stops a host function that still runs, here or in another process, unless it reported this end itself.
    const stops = !active.hostIsOver && !active.hostOpen;
    if (stops)
      this.putOff.push(() => {
        this.stop(active, reason);
        active.release();
      });
    this.runtime.contexts.ended(active, !ended.neverStarted);
    if (active.hostIsOver) active.release();
    let returned = hostOpen ? undefined : (active.returned ?? errorOf(active.before));
    if (reason === 'policy' || ended.withoutValue) returned = this.madeByPolicy(active, returned ?? nothing(), ended);
    active.result = resultOf(active, ended, returned);
    waitSnapshots.ended(index, generation, run, active.result);
    if (this.outputs !== undefined) this.outputs[index] = active;
    if (active.followers !== undefined) for (const { resolve } of active.followers) resolve(active.result);
    active.named?.resolve();
    if (active.begun?.isOver === false)
      active.begun.reject(new SubAgentError('aborted', `the sub-agent ended before it could start: ${reason}`, { reason }));
    const turn = active.turn;
    if (turn !== undefined) {
      active.turn = undefined;
      turn.resolve({ go: false, reason });
    }
    return stops;
  }

  /** All of a batch is delivered, and its promises are settled. */
  batchDelivered(): void {
    const calls = this.putOff;
    this.putOff = [];
    for (const call of calls) call();
  }

  /** Whether outputs of runs are retained until events have shown their ends. */
  keepOutputs(on: boolean): void {
    this.outputs = on ? [] : undefined;
  }

  /** The text of a task's admission, if it was spawned here and its first run is still open. */
  textOf(index: number, generation: number): string | undefined {
    return this.open.find(index, generation, 1)?.text;
  }

  /** The output of a run that has just ended, if it is retained. It can be read once. */
  outputOf(index: number, generation: number, run: number): string | undefined {
    const active = this.outputs?.[index];
    if (this.outputs === undefined || active?.run !== run || active.generation !== generation) return undefined;
    this.outputs[index] = undefined;
    return active.result?.output;
  }

  /** A run failed and is retried: its task waits for the next attempt under the next number. */
  runRetried({ index, generation }: Key, run: number, reason: StopReason): void {
    const { waitSnapshots, sessionData } = this.runtime;
    sessionData.empty(index, generation);
    waitSnapshots.retried(index, generation, run);
    const active = this.open.find(index, generation, run);
    if (active === undefined) return;
    active.agent?.stop();
    active.turn?.resolve({ go: false, reason });
    active.turn = undefined;
    // In `sync`, a caller may have it before this is delivered.
    const known = this.open.find(index, generation, run + 1);
    const next = active.nextAttempt(reason, known);
    this.open.remove(active, known === undefined ? next : undefined);
    if (known !== undefined) this.runtime.keepAlive.end();
  }

  /**
   * An end as a policy changed it, read from the core. If the task is forgotten in the same step, its reason comes from the
   * policy.
   */
  private madeByPolicy({ index, generation, agent }: ActiveRun, returned: Returned, { withoutValue, withoutArtifacts }: EndRow): Returned {
    const isForgotten = this.runtime.call((core) => core.status(index, generation)) < 0;
    const why = agent?.blockedBecause;
    const error = isForgotten
      ? why && headOf(why, limitOf(this.runtime, 'maxResultBytes'))
      : (this.runtime.lookup.snapshot(index, generation).error ?? undefined);
    return {
      ...returned,
      error,
      artifacts: withoutArtifacts ? undefined : returned.artifacts,
      valueJson: withoutValue ? undefined : returned.valueJson,
    };
  }

  abortRun(index: number, generation: number, run: number, reason: number): void {
    const active = this.findOpen(index, generation, run);
    if (active === undefined) return;
    active.agent?.stop();
    const why = STOP_REASONS[reason] ?? 'cancelled';
    this.runtime.contexts.run(active, (why) => this.stop(active, why), why);
    if (active.isLeft) this.runtime.waits.leave(active);
  }

  /** Asks a run to stop. Errors of the host's listeners on its signal are no failure of the core. */
  private stop(active: ActiveRun, reason: StopReason): void {
    try {
      active.abort(reason);
    } catch (error) {
      this.runtime.report(error);
    }
  }

  /** The time of a run is over. */
  timedOut({ index, generation }: Key, run: number, reason: 'timeout' | 'idle_timeout'): void {
    const active = this.findOpen(index, generation, run);
    if (active !== undefined) this.runtime.contexts.run(active, (why) => this.runtime.gates.timedOut(active, why), reason);
  }

  /** The time of a run's policies to answer is over. */
  approvalOver({ index, generation }: Key, run: number): void {
    this.findOpen(index, generation, run)?.agent?.overdue();
  }

  askDone({ index, generation }: Key, run: number, answer: string | undefined, timedOut: boolean): void {
    const active = this.open.find(index, generation, run);
    if (active !== undefined) questionEnded(active, answer, timedOut);
  }

  /** A turn that had to wait may be requested again, or a run whose policy took its time may start. */
  turnReady(index: number, generation: number, run: number): boolean {
    const active = this.open.find(index, generation, run);
    if (active === undefined) return false;
    const start = active.takeStart();
    if (start !== undefined) {
      this.putOff.push(() => this.runtime.contexts.run(active, () => this.runtime.following.run(active, start, undefined), undefined));
      return true;
    }
    const { turn } = active;
    const permit = turn && this.beginTurn(active, turn.estimate);
    if (permit !== undefined) {
      active.turn = undefined;
      turn?.resolve(permit);
    }
    return false;
  }

  /** The queued or open run of a task, made if it is not known here yet. */
  activeOf(index: number, generation: number): ActiveRun | undefined {
    const known = this.open.newestOf(index, generation);
    // In `sync`, it may have ended: its end is delivered once the store has it.
    const isSure = this.runtime.journal?.isSync !== true;
    if (known !== undefined && (isSure || this.runtime.call((core) => core.isOpen(index, generation, known.run)))) return known;
    const run = this.runtime.call((core) => core.lastRun(index, generation));
    if (run === 0 || !this.runtime.call((core) => core.isOpen(index, generation, run))) return undefined;
    const active = this.newActive(index, generation, run);
    this.keep(active);
    return active;
  }

  /** The last run of a task, if its end is not delivered yet. */
  undelivered(index: number, generation: number): ActiveRun | undefined {
    return this.open.newestOf(index, generation);
  }

  /** Asks for a turn, which may come later; rejects when the manager is over. */
  takeTurn(active: ActiveRun, estimate: TurnNumbers): Promise<TurnPermit> {
    const permit = this.beginTurn(active, estimate);
    const answer =
      permit === undefined
        ? new Promise<TurnPermit>((resolve, reject) => {
            active.turn = { estimate, resolve, reject };
          })
        : Promise.resolve(permit);
    this.runtime.dispatch();
    return answer;
  }

  /** Asks the core once for a turn; `undefined` if the answer comes later. */
  private beginTurn({ index, generation, run }: ActiveRun, { tokens, cost, whole }: TurnNumbers): TurnPermit | undefined {
    const code = this.runtime.call((core) => core.beginTurn(now(), index, generation, run, tokens, cost, whole));
    if (code === TURN_LATER) return undefined;
    if (code === REFUSED) return { go: false, reason: 'actor_ended' };
    if (code < 0) return { go: false, reason: STOP_REASONS[TURN_STOPPED - code] ?? 'cancelled' };
    const { turn, injects, wrapUp } = turnOf(code);
    const given = injects ? { inject: this.runtime.view((core) => core.takeInject(), readTexts) } : undefined;
    if (wrapUp === undefined) return { go: true, turn, ...given };
    const reserved = this.runtime.call((core) => ({ tokens: core.reservedTokens(index), costUsd: core.reservedDollars(index) }));
    return { go: true, turn, wrapUp: true, reason: wrapUp, ...reserved, ...given };
  }

  /** The host function of a run has returned: no order to stop can follow for an ended run. */
  returned(active: ActiveRun): void {
    if (this.endedOpen.size + this.awaited.size > 0) {
      const name = nameOf(active.index, active.generation, active.run);
      this.endedOpen.delete(name);
      this.awaited.delete(name);
    }
    if (active.result !== undefined) active.release();
  }

  /** Resolves once the host function of a run is over and the core knows it, or the manager is over. */
  untilOver(active: ActiveRun): Promise<void> {
    return new Promise((resolve) => {
      active.onHostOver ??= [];
      active.onHostOver.push(resolve);
      this.awaited.set(nameOf(active.index, active.generation, active.run), active);
    });
  }

  /** A batch has no further orders. */
  batchOver(): void {
    this.endedOpen.clear();
  }

  /** The manager is over. */
  close(error: SubAgentError): void {
    for (const active of this.open.all()) {
      active.turn?.reject(error);
      active.turn = undefined;
      active.asking?.reject(error);
      active.asking = undefined;
      if (active.begun?.isOver === false) active.begun.reject(error);
      for (const { reject } of active.followers ?? []) reject(error);
      active.named?.resolve();
      active.unfollow?.();
      active.agent?.stop();
      // A run in a store continues in the next process.
      this.stop(active, error.code === 'disposed' && this.runtime.journal === undefined ? 'cancelled' : 'host_lost');
    }
    for (const { onHostOver = [] } of this.awaited.values()) for (const callback of onHostOver) callback();
    this.awaited.clear();
    this.open.clear();
  }
}

/** The error of the last attempt, if the next one never begins. */
function errorOf(before: Returned | undefined): Returned | undefined {
  return before && { ...nothing(), error: before.error, cause: before.cause };
}
