// The caller's signals: followed while they matter, then let go of. Owns that a foreign signal, whatever it
// throws, harms nobody.

import { PROGRAM } from './key.js';
import type { Live } from './live.js';

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
