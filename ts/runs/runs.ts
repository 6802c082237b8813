// The runs under way, by the slots of their tasks: what the core says of them finds them here. Owns the table,
// and what a run's start, turns, end and order to stop mean for its promises; calling the host is
// `ts/runs/host-calls.ts`'s.

import { now } from '../base/clock.js';
import type { Contexts } from '../base/context.js';
import type { SubAgentError } from '../base/errors.js';
import { headOf } from '../base/text.js';
import { type Ended, readEnded } from '../boundary/ended.js';
import { limitOf } from '../boundary/limits.js';
import type { Returned, Scratch } from '../boundary/scratch.js';
import { turnOf } from '../boundary/turn-code.js';
import { REFUSED, TURN_LATER, TURN_STOPPED } from '../generated/codes.js';
import { STOP_REASONS } from '../generated/names.js';
import type { TurnPermit } from '../reading/exchange.js';
import { nothing } from '../reading/returned.js';
import { RunResult } from '../reading/run-result.js';
import type { RunParts, TurnNumbers } from './active-run.js';
import { ActiveRun } from './active-run.js';
import type { HostCalls } from './host-calls.js';
import type { KeepAlive } from './keep-alive.js';
import type { Pins } from './pins.js';
import { askDone } from './questions.js';

/** What the table of runs needs of its manager. */
export interface RunsParts extends RunParts {
  readonly keepAlive: KeepAlive;
  readonly contexts: Contexts;
  readonly gates: {
    readonly sub: { has(point: 'before_start'): boolean };
    start(live: ActiveRun): void;
    timedOut(live: ActiveRun, reason: 'timeout' | 'idle_timeout'): void;
  };
  readonly hosts: HostCalls;
  readonly pins: Pins;
  readonly scratch: Scratch;
}

/** A run, told apart from every other one of the manager. */
function nameOf(slot: number, generation: number, run: number): string {
  return `${slot} ${generation} ${run}`;
}

export class Runs {
  private readonly lives: (ActiveRun | undefined)[] = [];
  /** Runs that ended while their host function is running: the order to stop may come after the end. */
  private readonly endedOpen = new Map<string, ActiveRun>();
  /** Ends of manual tasks that a wait is to tell, by their slots, until the core says that the tasks have ended. */
  private readonly manualEnds = new Map<number, Returned>();
  /** Runs of which a caller is to be told that their host function is over. */
  private readonly awaited = new Set<ActiveRun>();
  /** Calls of user code that follow from what was told, until all is told: promises settle before any code of the user's runs. */
  private putOff: (() => void)[] = [];
  /** Runs that have just ended, by their slots, while events are read: their outputs are here already. */
  private outputs: (ActiveRun | undefined)[] | undefined = undefined;
  private readonly runtime: RunsParts;

  constructor(runtime: RunsParts) {
    this.runtime = runtime;
    ActiveRun.standAlone();
  }

  /** Keeps a run by its slot until it ends. */
  keep(live: ActiveRun): void {
    if (this.lives[live.slot] === undefined) this.runtime.keepAlive.begin();
    this.lives[live.slot] = live;
  }

  /** Calls the host function of a run. */
  startRun(slot: number, generation: number, run: number, knowsTools: boolean): void {
    // An earlier call of the same batch may have disposed or poisoned the manager.
    if (this.runtime.isClosed) return;
    const live = this.find(slot, generation, run) ?? this.found(slot, generation, run);
    if (live === undefined) return;
    if (live.text === undefined) this.readText(live);
    live.knowsTools = knowsTools;
    this.runtime.contexts.run(slot, generation, this.starting, live);
  }

  /** The run that starts, where it was not spawned here; undefined where it is over by now. */
  private found(slot: number, generation: number, run: number): ActiveRun | undefined {
    const live = this.newLive(slot, generation, run);
    // Ended in the same batch that starts it, and told so already: its host need not be called any more.
    if (!this.runtime.call((core) => core.isOpen(slot, generation, run))) {
      this.runtime.hosts.settle(live, nothing());
      return undefined;
    }
    this.keep(live);
    return live;
  }

  private readText(live: ActiveRun): void {
    live.text = this.runtime.call((core) => core.message(live.slot));
  }

  /** A run that was not spawned here: of a message, or of an earlier manager. */
  private newLive(slot: number, generation: number, run: number): ActiveRun {
    const live = new ActiveRun(this.runtime, undefined);
    live.slot = slot;
    live.generation = generation;
    live.run = run;
    return live;
  }

  private readonly starting = (live: ActiveRun): void => {
    const { gates, hosts } = this.runtime;
    if (gates.sub.has('before_start')) gates.start(live);
    else hosts.start(live);
  };

  /** The run of this number, of the task that has, or had, this place; its slot may be another one's by now. */
  private find(slot: number, generation: number, run: number): ActiveRun | undefined {
    const live = this.lives[slot];
    return live?.run === run && live.generation === generation ? live : undefined;
  }

  /** The same, also where it has just ended. */
  private findOpen(slot: number, generation: number, run: number): ActiveRun | undefined {
    return this.find(slot, generation, run) ?? this.endedOpen.get(nameOf(slot, generation, run));
  }

  /** A run is over: the core shows how at this address. */
  runEnded(row: number): boolean {
    const { pins, scratch } = this.runtime;
    const ended = readEnded(scratch, row);
    const { slot, generation, run, stopReason } = ended;
    const live = this.find(slot, generation, run);
    // No host function of it is open that would see to it when it returns.
    if (live?.hostOpen !== true) this.runtime.hosts.keepAwake();
    if (live === undefined) {
      if (!pins.has(slot)) return false;
      // The run of a manual task, or one that an earlier manager began.
      const said = this.manualEnds.get(slot);
      this.manualEnds.delete(slot);
      pins.ended(slot, generation, run, new RunResult(this.newLive(slot, generation, 0), ended, said));
      return false;
    }
    this.lives[slot] = undefined;
    this.runtime.keepAlive.end();
    // Without grace a run is told to stop and ended in one batch, and its end is told first. Where a policy had blocked its
    // start, that is over by now, and nothing comes that would let go of it.
    if (ended.hostStillRunning && !live.settled) {
      this.endedOpen.set(nameOf(slot, generation, run), live);
      this.runtime.hosts.goOnWithout(live);
    }
    live.unfollow?.();
    live.agent?.stop();
    // A host function that is still running, here or in another process, is told to stop, unless it reported this end itself.
    const stops = !live.settled && !live.hostOpen;
    if (stops) this.putOff.push(() => live.abort(stopReason));
    let returned = ended.hostStillRunning ? undefined : (live.returned ?? errorOf(live.before));
    if (stopReason === 'policy') returned = this.madeByPolicy(live, returned ?? nothing(), ended);
    live.result = new RunResult(live, ended, returned);
    pins.ended(slot, generation, run, live.result);
    if (this.outputs !== undefined) this.outputs[slot] = live;
    if (live.followers !== undefined) for (const { resolve } of live.followers) resolve(live.result);
    live.named?.resolve();
    const turn = live.turn;
    if (turn !== undefined) {
      live.turn = undefined;
      turn.resolve({ go: false, reason: stopReason });
    }
    return stops;
  }

  /** All of a batch is told, and its promises are settled. */
  allTold(): void {
    const calls = this.putOff;
    this.putOff = [];
    for (const call of calls) call();
  }

  /** Whether outputs of runs are kept until their ends have been told as events. */
  keepOutputs(on: boolean): void {
    this.outputs = on ? [] : undefined;
  }

  /** The text that a task was admitted with, where it was spawned here and its first run goes on. */
  textOf(slot: number, generation: number): string | undefined {
    return this.find(slot, generation, 1)?.text;
  }

  /** The output of a run that has just ended, where it is kept; asked for once. */
  outputOf(slot: number, generation: number, run: number): string | undefined {
    const live = this.outputs?.[slot];
    if (this.outputs === undefined || live?.run !== run || live.generation !== generation) return undefined;
    this.outputs[slot] = undefined;
    return live.result?.output;
  }

  /** The core has taken the end of a manual task. */
  manualEnded(slot: number, returned: Returned): void {
    if (this.runtime.pins.has(slot)) this.manualEnds.set(slot, returned);
  }

  /** A run ended badly and is tried again: its task waits for the next attempt under the next number. */
  runRetried(slot: number, generation: number, run: number, reason: number): void {
    const { pins, sessionData, hosts } = this.runtime;
    sessionData.empty(slot, generation);
    pins.retried(slot, generation, run);
    hosts.keepAwake();
    const live = this.find(slot, generation, run);
    if (live === undefined) return;
    live.agent?.stop();
    const why = STOP_REASONS[reason] ?? 'host_failed';
    live.turn?.resolve({ go: false, reason: why });
    live.turn = undefined;
    this.lives[slot] = live.nextAttempt(why);
  }

  /** What a policy made of an end, as the core says; its reason, where the task is forgotten in the same step, as the policy said. */
  private madeByPolicy({ slot, generation, agent }: ActiveRun, returned: Returned, { withoutValue, withoutArtifacts }: Ended): Returned {
    const isForgotten = this.runtime.call((core) => core.status(slot, generation)) < 0;
    const why = agent?.blockedBecause;
    const error = isForgotten
      ? why && headOf(why, limitOf(this.runtime, 'maxResultBytes'))
      : (this.runtime.lookup.snapshot(slot, generation).error ?? undefined);
    return {
      ...returned,
      error,
      artifacts: withoutArtifacts ? undefined : returned.artifacts,
      valueJson: withoutValue ? undefined : returned.valueJson,
    };
  }

  abortRun(slot: number, generation: number, run: number, reason: number): void {
    const live = this.findOpen(slot, generation, run);
    if (live === undefined) return;
    live.agent?.stop();
    const why = STOP_REASONS[reason] ?? 'cancelled';
    this.runtime.contexts.run(slot, generation, (why) => live.abort(why), why);
    if (live.isLeft) this.runtime.waits.leave(live);
  }

  /** The time of a run is over, or that of its policies to answer. */
  policiesDue(slot: number, generation: number, run: number, why: number): void {
    const live = this.findOpen(slot, generation, run);
    if (live === undefined) return;
    const reason = STOP_REASONS[why];
    if (reason === 'timeout' || reason === 'idle_timeout')
      this.runtime.contexts.run(slot, generation, (why) => this.runtime.gates.timedOut(live, why), reason);
    else live.agent?.overdue();
  }

  askDone(slot: number, generation: number, run: number, end: number, text: number, textLength: number): void {
    const live = this.find(slot, generation, run);
    if (live !== undefined) askDone(live, end, this.runtime.scratch.read(text, textLength));
  }

  /** A turn that had to wait may be asked for again, or the run whose policy took its time may start. */
  turnReady(slot: number, generation: number, run: number): boolean {
    const live = this.find(slot, generation, run);
    if (live === undefined) return false;
    const start = live.takeStart();
    if (start !== undefined) {
      this.putOff.push(() => this.runtime.contexts.run(slot, generation, start, undefined));
      return true;
    }
    const { turn } = live;
    const permit = turn && this.beginTurn(live, turn.estimate);
    if (permit !== undefined) {
      live.turn = undefined;
      turn?.resolve(permit);
    }
    return false;
  }

  /** The run of a task that is queued or open, made where it is not known here yet. */
  liveOf(slot: number, generation: number): ActiveRun | undefined {
    const known = this.lives[slot];
    if (known !== undefined && known.generation === generation) return known;
    const run = this.runtime.call((core) => core.lastRun(slot, generation));
    if (run === 0 || !this.runtime.call((core) => core.isOpen(slot, generation, run))) return undefined;
    const live = this.newLive(slot, generation, run);
    this.keep(live);
    return live;
  }

  /** Asks for a turn, which may come later; rejects when the manager is over. */
  takeTurn(live: ActiveRun, estimate: TurnNumbers): Promise<TurnPermit> {
    const permit = this.beginTurn(live, estimate);
    const answer =
      permit === undefined
        ? new Promise<TurnPermit>((resolve, reject) => {
            live.turn = { estimate, resolve, reject };
          })
        : Promise.resolve(permit);
    this.runtime.carryOut();
    return answer;
  }

  /** One question for a turn; `undefined` where the answer comes later. */
  private beginTurn({ slot, generation, run }: ActiveRun, { tokens, cost }: TurnNumbers): TurnPermit | undefined {
    const code = this.runtime.call((core) => core.beginTurn(now(), slot, generation, run, tokens, cost));
    if (code === TURN_LATER) return undefined;
    if (code === REFUSED) return { go: false, reason: 'actor_ended' };
    if (code < 0) return { go: false, reason: STOP_REASONS[TURN_STOPPED - code] ?? 'cancelled' };
    const { turn, injects, wrapUp } = turnOf(code);
    const given = injects ? { inject: this.runtime.call((core) => core.takeInject()) } : undefined;
    if (wrapUp === undefined) return { go: true, turn, ...given };
    const held = this.runtime.call((core) => ({ tokens: core.heldTokens(slot), costUsd: core.heldDollars(slot) }));
    return { go: true, turn, wrapUp: true, reason: wrapUp, ...held, ...given };
  }

  /** The host function of a run has returned: where that has ended, no order to stop is for it any more. */
  returned(live: ActiveRun): void {
    if (this.endedOpen.size > 0) this.endedOpen.delete(nameOf(live.slot, live.generation, live.run));
    if (this.awaited.size > 0) this.awaited.delete(live);
  }

  /** Resolves once the host function of a run is over and the core knows it, or the manager is over. */
  untilOver(live: ActiveRun): Promise<void> {
    return new Promise((resolve) => {
      live.onHostOver ??= [];
      live.onHostOver.push(resolve);
      this.awaited.add(live);
    });
  }

  /** All orders of a batch have come. */
  batchOver(): void {
    this.endedOpen.clear();
  }

  /** The manager is over. */
  close(error: SubAgentError): void {
    for (const live of this.lives) {
      if (live === undefined) continue;
      live.turn?.reject(error);
      live.turn = undefined;
      live.asking?.reject(error);
      live.asking = undefined;
      for (const { reject } of live.followers ?? []) reject(error);
      live.named?.resolve();
      live.unfollow?.();
      live.agent?.stop();
      // A run that a store keeps goes on in the next process.
      live.abort(error.code === 'disposed' && this.runtime.journal === undefined ? 'cancelled' : 'host_lost');
    }
    for (const { onHostOver = [] } of this.awaited) for (const tell of onHostOver) tell();
    this.awaited.clear();
    this.lives.length = 0;
    this.manualEnds.clear();
  }
}

/** What went wrong in the attempt before one that does not begin any more. */
function errorOf(before: Returned | undefined): Returned | undefined {
  return before && { ...nothing(), error: before.error, cause: before.cause };
}
