// The caller's signals: followed while they matter, then let go of. Owns that a foreign signal, whatever it
// throws, harms nobody.

import { TASK_STATUSES } from './generated/names.js';
import { PROGRAM } from './key.js';
import type { Live } from './live.js';

/** Signals that are followed longer than a run: one that outlives the manager must not keep it. */
export class Signals {
  readonly #followed = new Set<() => void>();
  /** By slot: what was spawned without a text, and goes on following its signal over its runs. */
  readonly #idle = new Map<number, Live>();

  /** Calls `fire` when the signal fires; the function that it returns ends that. */
  follow(signal: AbortSignal, fire: () => void): () => void {
    const end = (): void => {
      this.#followed.delete(end);
      letGo(() => signal.removeEventListener('abort', fire));
    };
    signal.addEventListener('abort', fire, { once: true });
    this.#followed.add(end);
    return end;
  }

  /** Has the signal of what was spawned without a text followed until that is closed or forgotten. */
  keepIdle(live: Live): void {
    const { runtime, slot, generation } = live;
    // From now on the core says which tasks it closes and forgets.
    runtime.call((core) => core.tellForgotten());
    this.#idle.set(slot, live);
    const status = runtime.call((core) => core.status(slot, generation));
    if (status < 0 || TASK_STATUSES[status] === 'closed') this.taskGone(slot, generation);
  }

  /** The core says that a task has been closed, or forgotten. */
  taskGone(slot: number, generation: number): void {
    const live = this.#idle.get(slot);
    if (live?.generation !== generation) return;
    this.#idle.delete(slot);
    live.unfollow?.();
  }

  /** The manager is over. */
  clear(): void {
    for (const end of this.#followed) end();
    for (const live of this.#idle.values()) live.unfollow?.();
    this.#idle.clear();
  }
}

/** Cancels what is being spawned when the caller's signal fires. */
export function followSignal(live: Live, signal: AbortSignal): void {
  const fire = (): void => {
    if (live.slot === 0) live.abortedEarly = true;
    else cancelLive(live);
  };
  if (signal.aborted) {
    live.abortedEarly = true;
    return;
  }
  signal.addEventListener('abort', fire, { once: true });
  live.unfollow = () => {
    live.unfollow = undefined;
    letGo(() => signal.removeEventListener('abort', fire));
  };
}

/** The caller's signal fired. */
export function cancelLive(live: Live): void {
  const { runtime } = live;
  if (runtime.isClosed) return;
  try {
    runtime.waits.cancel(PROGRAM, live.slot, live.generation, 'signal_aborted').catch(() => undefined);
  } catch {
    // The core failed; whoever waits has been told.
  }
}

/** A foreign signal that can't be let go of fires at what has ended, which harms nobody. */
export function letGo(unfollow: () => void): void {
  try {
    unfollow();
  } catch {
    // Nothing to be done, and nothing is lost.
  }
}
