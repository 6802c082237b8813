// The promises of open waits, by the core's number of the wait. Owns that each settles once: by its end, by
// its caller's signal, or with the manager.

import { SubAgentError } from './errors.js';
import type { Live } from './live.js';
import { letGo } from './signals.js';

/**
 * A promise that the core will settle: with the result of `live`, or `undefined` where the time ran out;
 * without `live`, where it waits for several or for a subtree, with whether the time ran out.
 */
export interface Waiting {
  live: Live | undefined;
  resolve: (value: never) => void;
  reject: (error: SubAgentError) => void;
  /** Lets go of the signal that may end the wait. */
  unfollow?: () => void;
}

export class Waits {
  private readonly open: (Waiting | undefined)[] = [];
  /** Those that were over before the call that opened them had returned, with whether their time ran out. */
  private readonly overAlready = new Map<number, boolean>();
  private readonly end: (wait: number) => void;

  /** @param end tells the core that nobody waits any more */
  constructor(end: (wait: number) => void) {
    this.end = end;
  }

  /** Keeps who is to be told when a wait is over, or tells at once; `signal` ends the wait and nothing else. */
  keep(wait: number, waiting: Waiting, signal?: AbortSignal): void {
    this.open[wait] = waiting;
    if (this.overAlready.size > 0) {
      const timedOut = this.overAlready.get(wait);
      if (timedOut !== undefined) {
        this.overAlready.delete(wait);
        this.done(wait, timedOut);
        return;
      }
    }
    if (signal !== undefined) this.follow(wait, waiting, signal);
  }

  /** The core says that a wait is over. */
  done(wait: number, timedOut: boolean): void {
    const waiting = this.open[wait];
    if (waiting === undefined) {
      // The call that opened it has not returned yet.
      this.overAlready.set(wait, timedOut);
      return;
    }
    this.open[wait] = undefined;
    const { live, resolve, unfollow } = waiting;
    if (unfollow !== undefined) letGo(unfollow);
    if (live === undefined) resolve(timedOut as never);
    else resolve((timedOut ? undefined : live.result) as never);
  }

  /** The manager is over. */
  rejectAll(error: SubAgentError): void {
    for (const waiting of this.open) {
      if (waiting === undefined) continue;
      if (waiting.unfollow !== undefined) letGo(waiting.unfollow);
      waiting.reject(error);
    }
    this.open.length = 0;
  }

  private follow(wait: number, waiting: Waiting, signal: AbortSignal): void {
    const fire = (): void => {
      if (this.open[wait] !== waiting) return;
      waiting.reject(new SubAgentError('aborted', 'the wait was aborted; the sub-agents go on', {}, { cause: signal.reason }));
      this.end(wait);
    };
    if (signal.aborted) {
      fire();
      return;
    }
    signal.addEventListener('abort', fire, { once: true });
    waiting.unfollow = () => signal.removeEventListener('abort', fire);
  }
}
