// The caller's signals: followed while they matter, then let go of. Owns that a foreign signal, whatever it
// throws, harms nobody.

import { PROGRAM } from './key.js';
import type { Live } from './live.js';

/** Signals that are followed as long as the manager lives: one that outlives it must not keep it. */
export class Signals {
  readonly #followed = new Set<() => void>();

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

  /** The manager is over. */
  clear(): void {
    for (const end of this.#followed) end();
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
