// Promises of a transcript: waits, cancels, drains. Owns how one that settles comes to its line.

import { type Handle, type RunResult, SubAgentError, type SubAgentManager } from '../../dist/index.js';
import type { Cast } from './golden-cast.js';
import { type Line, refusalOf } from './golden-lines.js';
import type { Log } from './golden-log.js';
import { given } from './golden-transcript.js';
import { flush } from './virtual-time.js';

export class Waiting {
  readonly #cast: Cast;
  readonly #log: Log;
  #drained = false;

  constructor(cast: Cast, log: Log) {
    this.#cast = cast;
    this.#log = log;
  }

  /** Drains; what the promise gives is reported once. */
  drain(manager: SubAgentManager, timeoutMs: number | undefined): void {
    manager.drain(given({ timeoutMs })).then(
      ({ timedOut }) => {
        // The core says it once; each call of `drain` gets it.
        if (!this.#drained) this.#log.add('settled', this.#cast.now(), () => `> drained${timedOut ? ' timedOut' : ''}`);
        this.#drained = true;
      },
      () => undefined,
    );
  }

  /** Waits for one, by its handle: gives whether the time ran out. */
  async untilEnd(handle: Handle, timeoutMs: number, signal: AbortSignal): Promise<boolean> {
    try {
      const result = await handle.wait({ timeoutMs, signal });
      if (!result.backgrounded) this.#expectSame(result);
      return false;
    } catch (error) {
      if (error instanceof SubAgentError && error.code === 'aborted' && error.details.timeoutMs === timeoutMs) return true;
      throw error;
    }
  }

  /** What whoever waits gets is what the event of the end says. */
  #expectSame({ taskId, run, status, stopReason, partial, output }: RunResult): void {
    const end = this.#cast.ends.get(`${taskId}#${run}`);
    if (end?.status === status && end.stopReason === stopReason && end.partial === partial && end.output === output) return;
    const name = `${this.#cast.nameOf(taskId)}#${run}`;
    this.#log.add('settled', this.#cast.now(), () => `the result of ${name} isn't what its event says: ${status} ${stopReason} ${output}`);
  }

  /** Begins to wait, for a promise of whether the time ran out; notes when it settles. */
  async until(ask: () => Promise<boolean>, end?: AbortController): Promise<Line | undefined> {
    const place = this.#cast.waits.length;
    const promise = ask();
    const wait = this.#cast.waits[place];
    let answer: Line | undefined = 'it waits, and no event says so';
    if (wait !== undefined) {
      answer = `= waits ${wait.name}`;
      wait.end = () => end?.abort();
    }
    const over = (timedOut: boolean): void => {
      if (wait === undefined) answer = timedOut ? '= not-yet' : undefined;
      else {
        wait.open = false;
        this.#log.add('settled', this.#cast.now(), () => `> wait-done ${wait.name}${timedOut ? ' timedOut' : ''}`);
      }
    };
    const needsInput = (): void => {
      if (wait === undefined) answer = '= needs-input';
      else over(false);
    };
    promise.then(over, (error: unknown) => {
      const { code } = error as SubAgentError;
      if (code === 'disposed') return;
      if (code === 'aborted') over(false);
      else if (code === 'needs_input') needsInput();
      else answer = error instanceof SubAgentError ? refusalOf(error) : String(error);
    });
    await flush();
    return answer;
  }
}
