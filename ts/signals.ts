// The caller's signals: followed while they matter, then let go of. Owns that a foreign signal, whatever it
// throws, harms nobody.

import type { Live } from './live.js';
import type { Runtime } from './runtime.js';

/** Cancels what is being spawned when the caller's signal fires. */
export function followSignal(runtime: Runtime, live: Live, signal: AbortSignal): void {
  const fire = (): void => {
    if (live.slot === 0) live.abortedEarly = true;
    else runtime.cancelLive(live);
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

/** A foreign signal that can't be let go of fires at what has ended, which harms nobody. */
export function letGo(unfollow: () => void): void {
  try {
    unfollow();
  } catch {
    // Nothing to be done, and nothing is lost.
  }
}
