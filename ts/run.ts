// The run, as the host function gets it: what it was given, what bounds it, and the same operations that
// the manager has, within its own descendants. Owns the protocol of turns.

import { now } from './clock.js';
import { invalid, SubAgentError } from './errors.js';
import type { Live } from './live.js';
import { reading } from './result.js';
import { Scope } from './scope.js';
import { NO_TEXT } from './scratch.js';
import { count } from './spawn-options.js';
import type { RunLimits, RunReport, TurnPermit } from './types.js';

/** One execution of a sub-agent. */
export class Run extends Scope {
  readonly #live: Live;

  /** @internal */
  constructor(live: Live) {
    super(live.runtime, live);
    this.#live = live;
  }

  /** The sub-agent's id. */
  get taskId(): string {
    return this.#live.taskId;
  }

  /** The number of this run in the sub-agent's life, from 1. */
  get run(): number {
    return this.#live.run;
  }

  /** How deep the sub-agent stands; 1 below the main agent. */
  get depth(): number {
    return this.#live.snapshot().depth;
  }

  /** For display. */
  get label(): string {
    return this.#live.snapshot().label;
  }

  /** What to work on: the instructions, or the message that this run answers. */
  get prompt(): string {
    return this.#live.prompt();
  }

  /** Context given beside the instructions. */
  get contextHint(): string {
    return this.#live.snapshot().contextHint;
  }

  /** The system prompt that was given, if one was. */
  get systemPrompt(): string | undefined {
    return this.#live.snapshot().systemPrompt ?? undefined;
  }

  /** Names of the tools that it may use; undefined where neither parent nor spawn named any. */
  get tools(): string[] | undefined {
    return this.#live.snapshot().tools ?? undefined;
  }

  /** The model's id, inherited from the main agent. */
  get modelId(): string | undefined {
    return this.runtime.functions.getModelId?.();
  }

  /** What bounds this run. */
  get limits(): RunLimits {
    const { slot, generation } = this.#live;
    const limits = this.runtime.call((core) => core.runLimits(slot, generation)) as RunLimits | undefined;
    if (limits === undefined) throw this.runtime.refusal();
    return limits;
  }

  /** Fires when the run has to stop. Its reason is a `SubAgentError` with code `aborted`. */
  get signal(): AbortSignal {
    return this.#live.signal;
  }

  /** Private to the sub-agent: empty at first, kept over its runs. */
  get session(): Map<string, unknown> {
    return this.runtime.session(this.#live.slot, this.#live.generation);
  }

  /**
   * Asks for leave to call the model once more. Resolves when the run has its slot and the turn's budget
   * is set aside, or with why not. Rejects only when the manager is disposed.
   *
   * @param options.tokens what the turn is expected to need. Default: the manager's `turnEstimate`
   */
  beforeTurn(options?: { tokens?: number }): Promise<TurnPermit> {
    const live = this.#live;
    let permit: TurnPermit | undefined;
    let estimate = Number.NaN;
    try {
      estimate = count('`tokens`', options?.tokens) ?? Number.NaN;
      if (live.turn !== undefined) throw new SubAgentError('invalid_argument', 'the last beforeTurn has not answered yet');
      permit = this.runtime.beginTurn(live, estimate);
    } catch (error) {
      return Promise.reject(error);
    }
    if (permit !== undefined) return Promise.resolve(permit);
    return new Promise((resolve, reject) => {
      live.turn = { estimate, resolve, reject };
    });
  }

  /** Reports what was used since the last report, and how it goes. Reports are never refused. */
  report(report: RunReport): void {
    if (typeof report !== 'object' || report === null) throw invalid('a report', 'an object', report);
    const { tokens, costUsd, contextTokens, message } = report;
    if (message !== undefined && typeof message !== 'string') throw invalid('`message`', 'a string', message);
    if (this.runtime.isClosed) return;
    const length = message === undefined ? NO_TEXT : this.runtime.write(message);
    const { slot, generation, run } = this.#live;
    this.runtime.call((core) =>
      core.report(now(), slot, generation, run, reading(tokens), reading(costUsd), reading(contextTokens), length),
    );
  }
}
