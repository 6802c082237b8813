// Callers' signals: followed while they matter, then released. Owns that each has one listener, however many follow it
// (C4). A long-lived signal keeps no finished work and no unused manager alive.

import { Collected, type Weak, weakly } from '../base/weak.js';
import { PROGRAM } from '../boundary/key.js';
import { TASK_STATUSES } from '../generated/names.js';
import type { ActiveRun } from './active-run.js';
import { isOfMove } from './moved-runs.js';

/** A callback for when a signal fires. `fire` must not throw. */
interface Follower {
  fire(): void;
}

/** One signal and its followers, of any manager. */
class Followed {
  readonly #signal: AbortSignal;
  readonly #followers = new Set<Weak<Follower>>();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  readonly #fire = (): void => {
    const followers = [...this.#followers];
    for (const follower of followers) this.leave(follower);
    for (const follower of followers) follower.deref()?.fire();
  };

  join(follower: Weak<Follower>): void {
    this.#followers.add(follower);
    if (this.#followers.size === 1) this.#signal.addEventListener('abort', this.#fire, { once: true });
  }

  leave(follower: Weak<Follower>): void {
    if (!this.#followers.delete(follower) || this.#followers.size > 0) return;
    if (followed.get(this.#signal) === this) followed.delete(this.#signal);
    this.#signal.removeEventListener('abort', this.#fire);
  }
}

const followed = new WeakMap<AbortSignal, Followed>();
/** Followers that are gone with their manager need no notification. */
let collected: Collected<() => void> | undefined;

/** Separate: a function made inside `follow` would share its scope, and so keep a manager alive. */
function call(leave: () => void): void {
  leave();
}

function join(signal: AbortSignal, follower: Weak<Follower>): () => void {
  let on = followed.get(signal);
  if (on === undefined) {
    on = new Followed(signal);
    followed.set(signal, on);
  }
  const joined = on;
  joined.join(follower);
  return () => joined.leave(follower);
}

/** Calls `fire` when the signal fires. Returns a function that unsubscribes; until then the signal keeps `fire` alive. */
export function follow(signal: AbortSignal, fire: () => void): () => void {
  const follower = { fire };
  return join(signal, { deref: () => follower });
}

/** Signals that are followed longer than a run: one that outlives the manager must not keep it. */
export class Signals {
  /** Followers, by the functions that unsubscribe them. Nothing else refers to them. */
  readonly #followers = new Map<() => void, Follower>();
  /** By index: sub-agents that were spawned without a text, whose signals are followed across their runs. */
  readonly #idle = new Map<number, ActiveRun>();

  /** The same as `follow`, but the signal keeps nothing alive. */
  follow(signal: AbortSignal, fire: () => void): () => void {
    const follower = { fire };
    const leave = join(signal, weakly(follower));
    const end = (): void => {
      this.#followers.delete(end);
      collected?.unwatch(follower);
      leave();
    };
    this.#followers.set(end, follower);
    collected ??= new Collected(call);
    collected.watch(follower, leave);
    return end;
  }

  /** Follows the signal of a sub-agent that was spawned without a text, until the sub-agent is closed or forgotten. */
  keepIdle(active: ActiveRun, signal: AbortSignal): void {
    const { runtime, index, generation } = active;
    // Before the other subscription ends, so that the signal never lacks a listener.
    const end = this.follow(signal, () => cancelActive(active));
    active.unfollow?.();
    active.unfollow = end;
    // From now on the core reports which tasks it closes and forgets.
    runtime.call((core) => core.notifyForgotten());
    // A task that had this index before is forgotten, though a store has yet to keep that.
    this.#idle.get(index)?.unfollow?.();
    this.#idle.set(index, active);
    const status = runtime.call((core) => core.status(index, generation));
    if (status < 0 || TASK_STATUSES[status] === 'closed') this.taskGone(index, generation);
  }

  /** The core has closed or forgotten a task. */
  taskGone(index: number, generation: number): void {
    if (this.#idle.size === 0) return;
    const active = this.#idle.get(index);
    if (active?.generation !== generation) return;
    this.#idle.delete(index);
    active.unfollow?.();
  }

  /** The manager is over. */
  clear(): void {
    for (const end of [...this.#followers.keys()]) end();
    for (const active of this.#idle.values()) active.unfollow?.();
    this.#idle.clear();
  }
}

/** Cancels a new sub-agent when its caller's signal fires. */
export function followSignal(active: ActiveRun, signal: AbortSignal): void {
  const end = follow(signal, () => {
    if (active.index === 0) active.abortedEarly = true;
    // Sub-agents of a run that continues elsewhere share its fate (D8, C3).
    else if (!isOfMove(active.runtime, signal)) cancelActive(active);
  });
  active.unfollow = () => {
    active.unfollow = undefined;
    end();
  };
}

/** The caller's signal fired. */
function cancelActive(active: ActiveRun): void {
  const { runtime, call } = active;
  if (runtime.isClosed) return;
  try {
    if (call !== undefined) runtime.waits.abortCall(call, active).catch(() => undefined);
    else runtime.waits.cancel(PROGRAM, active, 'signal_aborted').catch(() => undefined);
  } catch {
    // The core failed; the waiting callers have got the error.
  }
}
