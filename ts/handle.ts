// A handle: what `spawn` gives back. Owns nothing but the name of a task; everything is asked of the core.

import { graceOf, optionsOf, readArgument, signalOf } from './arguments.js';
import { SubAgentError } from './errors.js';
import { TASK_STATUSES, type TaskStatus } from './generated/names.js';
import type { Live } from './live.js';
import type { RunResult } from './run-result.js';
import type { Actor, Runtime } from './runtime.js';
import { duration } from './spawn-options.js';
import type { TaskSnapshot, WaitOptions } from './types.js';

/** A sub-agent. */
export class Handle {
  readonly #live: Live;
  readonly #actor: Actor;

  /** @internal */
  constructor(live: Live, actor: Actor) {
    this.#live = live;
    this.#actor = actor;
  }

  get #runtime(): Runtime {
    return this.#live.runtime;
  }

  /** The sub-agent's id: `sub_` and 32 hex digits. */
  get taskId(): string {
    return this.#live.taskId;
  }

  /** Where it stands. Throws `forgotten` once it is no longer kept. */
  get status(): TaskStatus {
    const { slot, generation } = this.#live;
    const status = this.#runtime.call((core) => core.status(slot, generation));
    const name = TASK_STATUSES[status];
    if (name === undefined) throw new SubAgentError('forgotten', 'this sub-agent has been forgotten');
    return name;
  }

  /**
   * Waits for the current run and gives its result; for the last one where none is open. Never rejects
   * for a run that failed. Without `timeoutMs` it waits as long as it takes; with one, it rejects with
   * code `aborted` when the time is over. Ending a wait touches no sub-agent.
   */
  wait(options?: Pick<WaitOptions, 'timeoutMs' | 'signal'>): Promise<RunResult> {
    if (options === undefined) return this.#runtime.waitFor(this.#actor, this.#live, Number.POSITIVE_INFINITY) as Promise<RunResult>;
    const { timeoutMs, signal } = readArgument('the options of wait', () => {
      const { timeoutMs, signal } = optionsOf('the options of wait', options);
      return { timeoutMs: duration('`timeoutMs`', timeoutMs) ?? Number.POSITIVE_INFINITY, signal: signalOf('`signal`', signal) };
    });
    const waiting = this.#runtime.waitFor(this.#actor, this.#live, timeoutMs, signal);
    if (timeoutMs === Number.POSITIVE_INFINITY) return waiting as Promise<RunResult>;
    return waiting.then((result) => {
      if (result !== undefined) return result;
      throw new SubAgentError('aborted', `the sub-agent had not ended after ${timeoutMs} ms; it goes on`, { timeoutMs });
    });
  }

  /** Sends a message: it starts the next run, once the current one is over. */
  send(message: string): { receipt: 'started' | 'queued' } {
    return this.#runtime.send(this.#actor, this.#live.slot, this.#live.generation, message);
  }

  /** Cancels it and all under it; resolves when nothing runs there any more. */
  cancel(options?: { graceMs?: number }): Promise<void> {
    return this.#runtime.cancel(this.#actor, this.#live.slot, this.#live.generation, 'cancelled', graceOf(options));
  }

  /** The sub-agent as it stands, safe for JSON. */
  snapshot(): TaskSnapshot {
    return this.#runtime.snapshot(this.#live.slot, this.#live.generation);
  }
}
