// Waiting: for a run, for several, for all that a cancel or a drain stops. Owns the promises, by the core's number of the wait.
// Each settles once: by its end, by its caller's signal, or with the manager.

import { now } from '../base/clock.js';
import { SubAgentError } from '../base/errors.js';
import { waitOf } from '../boundary/core.js';
import type { Command, Reply, WaitedFor } from '../boundary/generated/commands.js';
import { enter, leave } from '../boundary/imports.js';
import { type Actor, indexOf, type Key, keyOf, PROGRAM, packed } from '../boundary/key.js';
import { REFUSED, WAIT_NEEDS_INPUT, WAIT_NOT_YET, WAIT_NOTHING_OPEN } from '../generated/codes.js';
import type { StopReason } from '../generated/names.js';
import { claimedEnds } from '../reading/claimed-ends.js';
import type { Reading } from '../reading/lookup.js';
import { movedToBackground, type RunResult, resultFrom } from '../reading/run-result.js';
import type { CancelReceipt } from '../snapshots/notices.js';
import type { DrainResult } from '../snapshots/types.js';
import type { ActiveRun, ToolCall } from './active-run.js';
import type { Following } from './following.js';
import type { KeepAlive } from './keep-alive.js';
import { isOfMove, leftBehind } from './moved-runs.js';
import { needsInput } from './questions.js';
import { follow } from './signals.js';

/** The parts of its manager that waiting needs. */
export interface WaitsParts extends Reading {
  readonly keepAlive: KeepAlive;
  readonly listeners: { readonly listening: boolean };
  readonly runs: Record<'activeOf' | 'undelivered', (index: number, generation: number) => ActiveRun | undefined>;
  readonly hosts: { keepAwake(): void };
  readonly following: Following;
  readonly readers: { isRead(actor: Key): boolean };
}

/** Makes the answer of a wait for several when the core reports its end. */
export type ReadTargets<T> = (timedOut: boolean, targets: readonly WaitedFor[]) => T;

const NO_TARGETS: readonly WaitedFor[] = [];

/** The message if a signal fires during a stop. */
export const STOPPING = 'only the waiting was aborted: the sub-agents still stop';

/** The error of a wait for one sub-agent whose time ran out. */
export function notEnded(timeoutMs: number): SubAgentError {
  return new SubAgentError('aborted', `the sub-agent had not ended after ${timeoutMs} ms; it continues`, { timeoutMs });
}

/**
 * A promise that the core will settle. With `active`, it gets that run's result, or `undefined` if the time ran out. A wait for
 * several or for a subtree has no `active`: it gets the value of `read`, else whether the time ran out.
 */
interface Waiting {
  /** The core's number of this wait. Another wait may take its index before this one gets its end. */
  wait: number;
  active: ActiveRun | undefined;
  /** The waiting actor, if it waits for the ends of runs. */
  actor?: Actor | undefined;
  read?: ReadTargets<unknown> | undefined;
  resolve: (value: never) => void;
  reject: (error: SubAgentError) => void;
  /** Stops following the signal that may end the wait. */
  unfollow?: () => void;
  /** Why the wait ends before its target. */
  aborted?: SubAgentError;
}

export class Waits {
  /** By index. */
  private readonly open: (Waiting | undefined)[] = [];
  /** By number: waits whose index is still taken by a finished wait that has not got its end. */
  private readonly crowded = new Map<number, Waiting>();
  private count = 0;
  /** Rejections of promises that the core itself makes, and never settles once it has failed. */
  private readonly untilClosed = new Set<(error: SubAgentError) => void>();
  private readonly runtime: WaitsParts;

  constructor(runtime: WaitsParts) {
    this.runtime = runtime;
  }

  /** Whether a promise is open that a wait or a drain will settle. */
  get areOpen(): boolean {
    return this.count > 0 || this.untilClosed.size > 0;
  }

  /**
   * Waits for the current run of one task and gives its result, or `undefined` if the time ran out. The end is persisted before
   * the core delivers it, so the caller need not wait for later decisions.
   */
  waitFor(actor: Actor, target: ActiveRun, timeoutMs: number, signal?: AbortSignal, call?: ToolCall): Promise<RunResult | undefined> {
    this.runtime.check();
    const { index, generation } = target;
    const active = this.runtime.runs.activeOf(index, generation);
    // The time matters for a deadline, for listeners, and if a run releases its slot: another one may start then. Otherwise the
    // core's own last time is enough.
    const isTimeless =
      timeoutMs === Number.POSITIVE_INFINITY &&
      actor.run === 0 &&
      !this.runtime.listeners.listening &&
      this.runtime.following.present === undefined;
    const at = isTimeless ? 0 : now();
    const outer = enter(this.runtime);
    let code: number;
    try {
      code = this.runtime.core.wait(at, actor.index, actor.generation, actor.run, index, generation, timeoutMs);
    } catch (error) {
      throw this.runtime.poison(error);
    } finally {
      leave(outer);
    }
    if (code === REFUSED) throw this.runtime.refusal();
    if (code < 0) {
      const answer = this.answered(code, target);
      this.runtime.dispatch();
      return answer;
    }
    if (call !== undefined) call.wait = code;
    const answer = this.waiting(code, active, actor, signal);
    // A wait that parks no run has no effects, at a time that the core already had.
    if (!isTimeless) this.runtime.dispatch();
    return answer;
  }

  /** The same for a call of a tool. If its caller has aborted it, the end still has to be delivered. */
  waitForCall(call: ToolCall, target: ActiveRun, timeoutMs = Number.POSITIVE_INFINITY): Promise<RunResult | undefined> {
    const { index, generation } = target;
    if (call.isAborted && this.runtime.runs.activeOf(index, generation) === undefined) return this.runtime.answer(this.lastResult(target));
    const answer = this.waitFor(call.actor, target, timeoutMs, undefined, call);
    if (call.isAborted) this.abortCall(call, target).catch(() => undefined);
    return answer;
  }

  /**
   * The caller of a tool's call has aborted it: cancels what the call started, and leaves its end to be delivered (W5).
   * Resolves when nothing runs there any longer.
   */
  async abortCall(call: ToolCall, task: Key): Promise<void> {
    call.isAborted = true;
    const reads = this.runtime.readers.isRead(call.actor);
    const wait = call.wait === undefined ? undefined : keyOf(call.wait);
    await this.opened(waitOf(this.unasked({ type: 'abort_call', task, wait, reads })));
  }

  /** The core's answer to a command for a signal; undefined if it refuses or has failed. */
  private unasked(command: Command): Reply | undefined {
    return this.runtime.unasked(() => this.runtime.commandIf(PROGRAM, command));
  }

  /** The answer of a wait for one run that the core did not open. */
  private answered(code: number, target: ActiveRun): Promise<RunResult | undefined> {
    if (code === WAIT_NOT_YET) return this.runtime.answer(undefined);
    if (code === WAIT_NEEDS_INPUT) return this.runtime.answer(Promise.reject(needsInput(this.runtime, target.index, target.generation)));
    return this.runtime.answer(this.lastResult(target));
  }

  private waiting(wait: number, active: ActiveRun | undefined, actor: Actor, signal?: AbortSignal): Promise<RunResult | undefined> {
    let resolve!: Waiting['resolve'];
    let reject!: Waiting['reject'];
    // No more than this in the function of the promise: a small one is always compiled into its caller.
    const promise = new Promise<RunResult | undefined>((settle, fail) => {
      resolve = settle;
      reject = fail;
    });
    this.keep({ wait, active, actor, resolve, reject }, signal);
    this.runtime.hosts.keepAwake();
    return promise;
  }

  /** The result of the last run. */
  pastResult({ index, generation, latest }: ActiveRun): RunResult {
    const last = this.runtime.call((core) => core.lastRun(index, generation));
    // The result that waiting callers got has more than the retained one. Waiting collects an end, and a collected task may be
    // forgotten in the same step: then it has no last run.
    if (latest.result !== undefined && (last === 0 || latest.run === last)) return latest.result;
    return resultFrom(this.runtime.lookup.snapshot(index, generation), latest);
  }

  /** The same for waiting callers, also if the task was forgotten before the store has the end of that run. */
  private async lastResult(target: ActiveRun): Promise<RunResult> {
    const { index, generation } = target;
    const undelivered = this.runtime.runs.undelivered(index, generation);
    if (undelivered === undefined || this.runtime.call((core) => core.lastRun(index, generation)) > 0) return this.pastResult(target);
    return new Promise((resolve, reject) => undelivered.follow({ resolve, reject }));
  }

  /** Waits for several, all or any, or until none has a message left to run; `read` makes the answer. */
  waitMany<T>(
    actor: Actor,
    targets: readonly Key[],
    { all, idle, timeoutMs }: { all: boolean; idle: boolean; timeoutMs: number },
    read: ReadTargets<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    const reply = this.runtime.command(actor, { type: 'wait', targets, all, idle, timeoutMs });
    if (reply.type === 'waiting') return this.opened(packed(reply.wait), signal, undefined, read, actor) as Promise<T>;
    const answer = reply.type === 'wait_over' ? read(reply.timedOut, reply.targets) : read(false, []);
    this.runtime.dispatch();
    return Promise.resolve(answer);
  }

  /** Cancels a subtree and resolves when nothing runs there any longer. */
  cancel(actor: Actor, task: Key, reason: StopReason, graceMs?: number, signal?: AbortSignal): Promise<CancelReceipt> {
    return this.stop(actor, { type: 'cancel', task, reason, graceMs }, signal);
  }

  /** Stops something, and resolves when all that was stopped has ended. */
  stop(actor: Actor, command: Command, signal?: AbortSignal): Promise<CancelReceipt> {
    const wait = waitOf(this.runtime.command(actor, command));
    const receipt = { acked: claimedEnds(this.runtime) };
    const over = this.opened(wait, signal, STOPPING);
    return wait === WAIT_NOTHING_OPEN ? Promise.resolve(receipt) : over.then(() => receipt);
  }

  /**
   * Waits for several, or for a subtree, if the core has opened a wait: resolves to whether its time ran out. Carries out the
   * effects of the call that opened it.
   */
  opened(wait: number, signal?: AbortSignal, aborted?: string, read?: ReadTargets<unknown>, actor?: Actor): Promise<unknown> {
    const answer =
      wait === WAIT_NOTHING_OPEN
        ? Promise.resolve(undefined)
        : new Promise((resolve, reject) => {
            this.keep({ wait, active: undefined, actor, read, resolve, reject }, signal, aborted);
          });
    this.runtime.dispatch();
    return answer;
  }

  /** Takes no new work and resolves when the rest has ended. */
  drain(timeoutMs: number): Promise<DrainResult> {
    // Spawns are refused from this call on; `drain` itself begins later.
    this.runtime.mutate((core) => core.startDrain(now(), timeoutMs));
    const drained = this.runtime.call((core) => core.drain(now(), timeoutMs));
    this.runtime.keepAlive.begin();
    return new Promise((resolve, reject) => {
      this.untilClosed.add(reject);
      this.runtime.hosts.keepAwake();
      drained.then(
        (result) => {
          if (this.untilClosed.delete(reject)) this.runtime.keepAlive.end();
          this.runtime.hosts.keepAwake();
          resolve(result);
        },
        (error: unknown) => reject(this.runtime.poison(error)),
      );
    });
  }

  /** Retains the promise of a wait until the wait is over. `signal` ends the wait and nothing else. */
  private keep(waiting: Waiting, signal?: AbortSignal, aborted = 'the wait was aborted; that touches no sub-agent'): void {
    const { wait } = waiting;
    const index = indexOf(wait);
    if (this.open[index] === undefined) this.open[index] = waiting;
    else this.crowded.set(wait, waiting);
    this.runtime.keepAlive.begin();
    this.count += 1;
    this.parkPresent(waiting);
    if (signal !== undefined) this.follow(waiting, signal, aborted);
  }

  /** If a host function waits by the manager, a session or a handle, its run releases its slot, as by its own calls (S6). */
  private parkPresent({ wait, actor }: Waiting): void {
    const present = (actor?.run ?? 0) === 0 ? this.runtime.following.present : undefined;
    if (present === undefined) return;
    this.unasked({ type: 'waits_within', wait: keyOf(wait), task: present, run: present.run });
  }

  /** Removes and returns the wait of this number, if it is here. */
  private take(wait: number): Waiting | undefined {
    const index = indexOf(wait);
    const first = this.open[index];
    if (first?.wait === wait) {
      this.open[index] = undefined;
      return first;
    }
    if (this.crowded.size === 0) return undefined;
    const waiting = this.crowded.get(wait);
    this.crowded.delete(wait);
    return waiting;
  }

  /** The core has ended a wait. */
  done(wait: number, timedOut: boolean, targets: readonly WaitedFor[] = NO_TARGETS): void {
    const waiting = this.take(wait);
    if (waiting === undefined) return;
    this.runtime.keepAlive.end();
    this.count -= 1;
    const { resolve, unfollow } = waiting;
    const active = waiting.active?.latest;
    unfollow?.();
    try {
      if (active === undefined) resolve((waiting.read === undefined ? timedOut : waiting.read(timedOut, targets)) as never);
      else if (active.result === undefined && !timedOut) this.endWithout(waiting, active);
      else resolve((timedOut ? undefined : active.result) as never);
    } catch (error) {
      // Reading the answer calls the core, which may fail. No other part knows of this promise any longer.
      waiting.reject(error as SubAgentError);
    }
  }

  /** A wait is over before the end of its run: the run asks, or it continues in the background (X3). */
  private endWithout({ actor, aborted, resolve, reject }: Waiting, active: ActiveRun): void {
    const { index, generation } = active;
    const { runtime } = this;
    if (runtime.call((core) => core.question(index, generation)) !== undefined) {
      resolve(runtime.answer(Promise.reject(needsInput(runtime, index, generation))) as never);
      return;
    }
    const moved = movedToBackground(active);
    if (moved !== undefined) resolve(runtime.answer(moved) as never);
    else if (aborted !== undefined) reject(aborted);
    // The run asked, and was answered before this could be shown: it waits again.
    else if (actor !== undefined)
      this.waitFor(actor, active, Number.POSITIVE_INFINITY).then(resolve as (result?: RunResult) => void, reject);
  }

  /** The manager is over. */
  rejectAll(error: SubAgentError): void {
    for (const waiting of [...this.open, ...this.crowded.values()]) {
      if (waiting === undefined) continue;
      waiting.unfollow?.();
      waiting.reject(error);
    }
    this.open.length = 0;
    this.crowded.clear();
    this.count = 0;
    for (const reject of this.untilClosed) reject(error);
    this.untilClosed.clear();
  }

  /** A run continues elsewhere, in the next process or another worker. Here, the targets of its waits may not end. */
  leave({ index, generation, run }: ActiveRun): void {
    for (const waiting of [...this.open, ...this.crowded.values()]) {
      const by = waiting?.actor;
      if (waiting === undefined || by?.index !== index || by.generation !== generation || by.run !== run) continue;
      this.abort(waiting, leftBehind('waits'));
    }
  }

  private abort(waiting: Waiting, error: SubAgentError): void {
    waiting.aborted = error;
    // If the core has already delivered an end to this wait, nothing else delivers it. It is the answer, once a store has it.
    const reply = this.unasked({ type: 'end_wait', wait: keyOf(waiting.wait) });
    if (reply?.type !== 'wait_over') waiting.reject(error);
    this.runtime.dispatch();
  }

  private follow(waiting: Waiting, signal: AbortSignal, aborted: string): void {
    const { wait } = waiting;
    const index = indexOf(wait);
    const fire = (): void => {
      if (this.open[index] !== waiting && this.crowded.get(wait) !== waiting) return;
      const isLeft = isOfMove(this.runtime, signal);
      this.abort(waiting, isLeft ? leftBehind('waits') : new SubAgentError('aborted', aborted, {}, { cause: signal.reason }));
    };
    if (signal.aborted) {
      fire();
      return;
    }
    waiting.unfollow = follow(signal, fire);
  }
}
