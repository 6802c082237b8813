// The runs under way, by the slots of their tasks: what the core says of them finds them here. Owns the table,
// and what a run's start, turns, end and order to stop mean for its promises; calling the host is
// `ts/host-calls.ts`'s.

import { now } from './clock.js';
import type { SubAgentError } from './errors.js';
import type { TurnPermit } from './exchange.js';
import { STOP_REASONS, type StopReason, TASK_STATUSES } from './generated/names.js';
import type { Key } from './key.js';
import { Live } from './live.js';
import { nothing, type Returned } from './result.js';
import { RunResult } from './run-result.js';
import type { Runtime } from './runtime.js';
import { askDone } from './talk.js';
import { limitOf } from './tools/limits.js';
import { headOf } from './tools/words.js';

const FLAG_PARTIAL = 1;
const FLAG_HOST_OPEN = 2;
const FLAG_CUT = 4;
const FLAG_TEXT = 8;
const FLAG_NEVER_STARTED = 16;

/** A run, told apart from every other one of the manager. */
function nameOf(slot: number, generation: number, run: number): string {
  return `${slot} ${generation} ${run}`;
}

export class Runs {
  /** The one that is being spawned: it may start before its spawn has returned. */
  incoming: Live | undefined = undefined;
  private readonly lives: (Live | undefined)[] = [];
  /** Those that ended while their host function is running: the order to stop may come after the end. */
  private readonly endedOpen = new Map<string, Live>();
  /** The manual task that the program is ending, and with what. */
  ending: (Key & { readonly returned: Returned }) | undefined = undefined;
  private readonly runtime: Runtime;

  constructor(runtime: Runtime) {
    this.runtime = runtime;
  }

  /** Keeps a run by its slot until it ends. */
  keep(live: Live): void {
    if (this.lives[live.slot] === undefined) this.runtime.busy.begin();
    this.lives[live.slot] = live;
  }

  /** Calls the host function of a run. `fresh`: it is the one being spawned right now. */
  startRun(slot: number, generation: number, run: number, fresh: boolean): void {
    // Disposed, or poisoned, by what the same batch called before.
    if (this.runtime.isClosed) return;
    let live = fresh ? this.incoming : this.lives[slot];
    if (!fresh && (live?.run !== run || live.generation !== generation)) live = undefined;
    const isKnown = live !== undefined;
    live ??= new Live(this.runtime, undefined);
    live.slot = slot;
    live.generation = generation;
    live.run = run;
    // Ended in the same batch that starts it, and told so already: its host need not be called any more.
    if (!isKnown && !this.runtime.call((core) => core.isOpen(slot, generation, run))) {
      this.runtime.hosts.settle(live, nothing());
      return;
    }
    this.keep(live);
    live.text ??= this.runtime.call((core) => core.message(slot));
    const started = live;
    // What is being spawned right now starts where it was called.
    if (fresh) this.start(started);
    else this.runtime.contexts.run(slot, generation, () => this.start(started));
  }

  private start(live: Live): void {
    const { gates, hosts } = this.runtime;
    if (gates.sub.has('before_start')) gates.start(live, () => hosts.start(live));
    else hosts.start(live);
  }

  /** The run of this number, of the task that has, or had, this place; its slot may be another one's by now. */
  private find(slot: number, generation: number, run: number): Live | undefined {
    const live = this.lives[slot];
    return live?.run === run && live.generation === generation ? live : undefined;
  }

  /** The same, also where it has just ended. */
  private findOpen(slot: number, generation: number, run: number): Live | undefined {
    return this.find(slot, generation, run) ?? this.endedOpen.get(nameOf(slot, generation, run));
  }

  runEnded(
    slot: number,
    generation: number,
    run: number,
    status: number,
    reason: number,
    flags: number,
    tokens: number,
    nanos: number,
    turns: number,
    durationMs: number,
    text: number,
    textLength: number,
  ): void {
    const { pins } = this.runtime;
    const live = this.find(slot, generation, run);
    // No host function of it is open that would see to it when it returns.
    if (live?.hostOpen !== true) this.runtime.hosts.keepAwake();
    if (live === undefined) {
      if (!pins.hold(slot)) return;
      // A manual task's: whoever ends it says what with.
      const said = this.ending?.slot === slot && this.ending.generation === generation ? this.ending.returned : undefined;
      const output = (flags & FLAG_TEXT) !== 0 ? this.runtime.scratch.read(text, textLength) : (said?.output ?? '');
      pins.ended(slot, generation, run, resultOf('', status, reason, flags, output, said, tokens, nanos, turns, durationMs));
      return;
    }
    this.lives[slot] = undefined;
    this.runtime.busy.end();
    // Without grace a run is told to stop and ended in one batch, and its end is told first.
    if ((flags & FLAG_HOST_OPEN) !== 0) {
      this.endedOpen.set(nameOf(slot, generation, run), live);
      this.runtime.hosts.goOnWithout(live);
    }
    live.unfollow?.();
    live.agent?.stop();
    // What runs elsewhere hears of an end that it has not reported itself.
    if (!live.settled && !live.hostOpen) live.abort(STOP_REASONS[reason] ?? 'never_reported');
    let returned = (flags & FLAG_HOST_OPEN) === 0 ? (live.returned ?? errorOf(live.before)) : undefined;
    const output = (flags & FLAG_TEXT) !== 0 ? this.runtime.scratch.read(text, textLength) : (returned?.output ?? '');
    if (STOP_REASONS[reason] === 'policy') returned = { ...(returned ?? nothing()), ...this.madeByPolicy(live) };
    live.result = resultOf(live, status, reason, flags, output, returned, tokens, nanos, turns, durationMs);
    pins.ended(slot, generation, run, live.result);
    for (const { resolve } of live.followers ?? []) resolve(live.result);
    live.named?.resolve();
    const turn = live.turn;
    if (turn !== undefined) {
      live.turn = undefined;
      turn.resolve({ go: false, reason: STOP_REASONS[reason] ?? 'host_failed' });
    }
  }

  /** A run ended badly and is tried again: its task waits for the next attempt under the next number. */
  runRetried(slot: number, generation: number, run: number, reason: number): void {
    const { pins, belongings, hosts } = this.runtime;
    belongings.empty(slot, generation);
    pins.retried(slot, generation, run);
    hosts.keepAwake();
    const live = this.find(slot, generation, run);
    if (live === undefined) return;
    live.agent?.stop();
    const why = STOP_REASONS[reason] ?? 'host_failed';
    live.turn?.resolve({ go: false, reason: why });
    live.turn = undefined;
    this.lives[slot] = live.again(why);
  }

  /** What a policy made of an end, as the core knows it; where that is forgotten in the same step, as the policy said. */
  private madeByPolicy({ slot, generation, agent }: Live): Pick<Returned, 'error' | 'artifacts'> {
    if (this.runtime.call((core) => core.status(slot, generation)) < 0) {
      const why = agent?.blockedBecause;
      return { error: why && headOf(why, limitOf(this.runtime, 'maxResultBytes')), artifacts: undefined };
    }
    const { error, artifacts } = this.runtime.lookup.snapshot(slot, generation);
    return { error: error ?? undefined, artifacts };
  }

  abortRun(slot: number, generation: number, run: number, reason: number): void {
    const live = this.findOpen(slot, generation, run);
    if (live === undefined) return;
    live.agent?.stop();
    this.runtime.contexts.run(slot, generation, () => live.abort(STOP_REASONS[reason] ?? 'cancelled'));
  }

  /** The time of a run is over, or that of its policies to answer. */
  policiesDue(slot: number, generation: number, run: number, why: number): void {
    const live = this.findOpen(slot, generation, run);
    if (live === undefined) return;
    const reason = STOP_REASONS[why];
    if (reason === 'timeout' || reason === 'idle_timeout')
      this.runtime.contexts.run(slot, generation, () => this.runtime.gates.timedOut(live, reason));
    else live.agent?.overdue();
  }

  askDone(slot: number, generation: number, run: number, end: number, text: number, textLength: number): void {
    const live = this.find(slot, generation, run);
    if (live !== undefined) askDone(live, end, this.runtime.scratch.read(text, textLength));
  }

  /** A turn that had to wait may be asked for again. */
  turnReady(slot: number, generation: number, run: number): void {
    const live = this.find(slot, generation, run);
    if (live === undefined) return;
    const start = live.takeStart();
    if (start !== undefined) {
      this.runtime.contexts.run(slot, generation, start);
      return;
    }
    const { turn } = live;
    if (turn === undefined) {
      // The answer "later" has not come back yet.
      live.turnReady = true;
      return;
    }
    const permit = this.beginTurn(live, turn.estimate);
    if (permit === undefined) return;
    live.turn = undefined;
    turn.resolve(permit);
  }

  /** The run of a task that is queued or open, made where it is not known here yet. */
  liveOf(slot: number, generation: number): Live | undefined {
    const known = this.lives[slot];
    if (known !== undefined && known.generation === generation) return known;
    const run = this.runtime.call((core) => core.lastRun(slot, generation));
    if (run === 0 || !this.runtime.call((core) => core.isOpen(slot, generation, run))) return undefined;
    const live = new Live(this.runtime, undefined);
    live.slot = slot;
    live.generation = generation;
    live.run = run;
    this.keep(live);
    return live;
  }

  /** One question for a turn; `undefined` where the answer comes later. */
  beginTurn(live: Live, estimate: number): TurnPermit | undefined {
    live.turnReady = false;
    const code = this.runtime.call((core) => core.beginTurn(now(), live.slot, live.generation, live.run, estimate));
    if (code === 0) {
      // A listener may have ended the run, or all of it, before the answer was there.
      this.runtime.check();
      if (live.result !== undefined) return { go: false, reason: live.result.stopReason };
      return live.turnReady ? this.beginTurn(live, estimate) : undefined;
    }
    if (code === -1) return { go: false, reason: 'actor_ended' };
    if (code < 0) return { go: false, reason: STOP_REASONS[-2 - code] ?? 'cancelled' };
    const reason = code % 32;
    const turn = Math.floor(code / 64);
    const given = code % 64 < 32 ? undefined : { inject: this.runtime.call((core) => core.takeInject()) };
    if (reason === 0) return { go: true, turn, ...given };
    const tokens = this.runtime.call((core) => core.heldTokens(live.slot));
    return { go: true, turn, wrapUp: true, reason: STOP_REASONS[reason - 1] as StopReason, tokens, ...given };
  }

  /** The host function of an ended run has returned: no order to stop is for it any more. */
  returned({ slot, generation, run }: Live): void {
    if (this.endedOpen.size > 0) this.endedOpen.delete(nameOf(slot, generation, run));
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
      live.abort(error.code === 'disposed' ? 'cancelled' : 'host_lost');
    }
    this.lives.length = 0;
  }
}

/** What went wrong in the attempt before one that does not begin any more. */
function errorOf(before: Returned | undefined): Returned | undefined {
  return before && { ...nothing(), error: before.error, cause: before.cause };
}

/** A result from the numbers of the core. */
function resultOf(
  of: Live | string,
  status: number,
  reason: number,
  flags: number,
  output: string,
  returned: Returned | undefined,
  tokens: number,
  nanos: number,
  turns: number,
  durationMs: number,
): RunResult {
  return new RunResult(
    of,
    TASK_STATUSES[status] ?? 'failed',
    STOP_REASONS[reason] ?? 'host_failed',
    output,
    returned,
    tokens,
    nanos,
    turns,
    flags >>> 8,
    durationMs,
    (flags & FLAG_PARTIAL) !== 0,
    (flags & FLAG_CUT) !== 0,
    (flags & FLAG_HOST_OPEN) !== 0,
    (flags & FLAG_NEVER_STARTED) === 0,
  );
}
