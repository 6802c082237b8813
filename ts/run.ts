// The run, as the host function gets it: what it was given, what bounds it, and the same operations that
// the manager has, within its own descendants. Owns the protocol of turns.

import { noOtherOptions, optionsOf, readArgument, textOf, unknownField } from './arguments.js';
import { now } from './clock.js';
import { invalid, SubAgentError } from './errors.js';
import type { AskAnswer, PreviousError, RunLimits, RunRemaining, RunReport, TurnPermit } from './exchange.js';
import type { Live } from './live.js';
import type { EndPermit, ToolPermit, ToolVerdict } from './policies/policy.js';
import { reading } from './result.js';
import type { ResultSchema } from './schema/schema.js';
import { Scope } from './scope.js';
import { NO_TEXT } from './scratch.js';
import { count, string } from './spawn-options.js';
import { ask } from './talk.js';
import { readTodos, reportTodos } from './todos.js';
import { limitOf } from './tools/limits.js';

const REPORTED = ['tokens', 'costUsd', 'contextTokens', 'message', 'todos'] satisfies (keyof RunReport)[];

/** One execution of a sub-agent. */
export class Run extends Scope {
  readonly #live: Live;
  #systemPrompt: string | undefined;

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

  /** The system prompt: of the spawn, else of its definition, else made by its profile. */
  get systemPrompt(): string {
    const view = this.#live.snapshot();
    this.#systemPrompt ??= view.systemPrompt ?? this.runtime.profiles.prompt(view, view.depth < limitOf(this.runtime, 'maxDepth'));
    return this.#systemPrompt;
  }

  /** The profile that makes its system prompt where none is given. */
  get profile(): string {
    return this.#live.snapshot().profile;
  }

  /** The definition that it was spawned from, if there was one. */
  get sourceAgentId(): string | undefined {
    return this.#live.snapshot().sourceAgentId ?? undefined;
  }

  /** Tools that its definition forbids; `tools`, where it is known, is without them. */
  get disallowedTools(): string[] {
    return this.#live.snapshot().disallowedTools ?? [];
  }

  /** Names of the tools that it may use; undefined where neither parent nor spawn named any. */
  get tools(): string[] | undefined {
    return this.#live.snapshot().tools ?? undefined;
  }

  /** The model's id: of the spawn, else of its definition, else that of whoever spawned it. */
  get modelId(): string | undefined {
    const given = this.#live.snapshot().modelId;
    if (given !== null) return given;
    const { getModelId } = this.runtime.functions;
    return getModelId && string('what `getModelId` returns', readArgument('`getModelId`', getModelId));
  }

  /** The `schema` of the spawn, or of its definition, as it was given: the result's `value` has to fit it. */
  get schema(): ResultSchema | undefined {
    return this.#live.check?.schema;
  }

  /** How the attempt before this one ended, where its message is tried again (`retry`). */
  get previousError(): PreviousError | undefined {
    const live = this.#live;
    // Of a manager that was opened again the core knows it alone.
    live.previousError ??= this.runtime.call((core) => core.previousError(live.slot, live.generation, live.run)) as
      | PreviousError
      | undefined;
    return live.previousError;
  }

  /** What bounds this run. */
  get limits(): RunLimits {
    const { slot, generation } = this.#live;
    const limits = this.runtime.call((core) => core.runLimits(slot, generation)) as Omit<RunLimits, 'maxDepth'> | undefined;
    if (limits === undefined) throw this.runtime.refusal();
    return { ...limits, maxDepth: limitOf(this.runtime, 'maxDepth') };
  }

  /**
   * What is left for this run now, for hosts that tell the model: tokens, US dollars and turns, `Infinity` where
   * nothing caps them. Once the run has ended, no turn is left. Throws `forgotten` where its sub-agent is.
   */
  get remaining(): RunRemaining {
    const { slot, generation, run } = this.#live;
    const remaining = this.runtime.call((core) => core.remaining(slot, generation, run)) as RunRemaining | undefined;
    if (remaining === undefined) throw this.runtime.refusal();
    return remaining;
  }

  /** Fires when the run has to stop. Its reason is a `SubAgentError` with code `aborted`. */
  get signal(): AbortSignal {
    return this.#live.signal;
  }

  /** Private to the sub-agent: empty at first, kept over its runs. */
  get session(): Map<string, unknown> {
    return this.runtime.belongings.of(this.#live.slot, this.#live.generation);
  }

  /**
   * Asks for leave to call the model once more. Resolves when the run has its slot and the turn's budget
   * is set aside, or with why not. Rejects only when the manager is disposed.
   *
   * @param options.tokens what the turn is expected to need. Default: the manager's `turnEstimate`
   */
  beforeTurn(options?: { tokens?: number | undefined }): Promise<TurnPermit> {
    const live = this.#live;
    let permit: TurnPermit | undefined;
    let estimate = Number.NaN;
    try {
      if (options !== undefined) estimate = estimateOf(options);
      if (live.turn !== undefined || live.agent?.asksForTurn === true)
        throw new SubAgentError('invalid_argument', 'the last beforeTurn has not answered yet');
      const { gates } = this.runtime;
      if (gates.sub.has('before_turn') || live.agent?.hasInjected === true)
        return this.#watched(gates.beforeTurn(gates.agentOf(live), () => this.#takeTurn(estimate)));
      permit = this.runtime.runs.beginTurn(live, estimate);
    } catch (error) {
      return Promise.reject(error);
    }
    const answer = permit === undefined ? this.#awaitTurn(estimate) : Promise.resolve(permit);
    return live.watch === undefined ? answer : this.#watched(answer);
  }

  /** Asks the core for a turn. */
  #takeTurn(estimate: number): TurnPermit | Promise<TurnPermit> {
    return this.runtime.runs.beginTurn(this.#live, estimate) ?? this.#awaitTurn(estimate);
  }

  #awaitTurn(estimate: number): Promise<TurnPermit> {
    return new Promise((resolve, reject) => {
      this.#live.turn = { estimate, resolve, reject };
    });
  }

  /**
   * Asks whoever asked for this sub-agent. The run gives up its slot and its clocks stand still until the
   * requester, or one above, sends it a message in any mode: that is the answer. Waits for it end with the
   * question; a foreground call of the `SubAgent` tool returns it. Without an answer it resolves to
   * `{ answered: false }` with the reason: its time ran out, the run was told to stop, or (at once) whoever
   * asked has no tool to send with. Rejects with code `actor_ended` after the end of the run, and with
   * `wrong_status` while an earlier question is open.
   *
   * @param options.timeoutMs milliseconds, `Infinity` for no end. Default: the manager's `askTimeoutMs`
   */
  ask(question: string, options?: { timeoutMs?: number | undefined }): Promise<AskAnswer> {
    return ask(this.#live, question, options);
  }

  async #watched(answer: Promise<TurnPermit>): Promise<TurnPermit> {
    const permit = await answer;
    if (permit.go) this.#live.watch?.(this.#live, { turn: permit.turn });
    return permit;
  }

  /**
   * Asks before a tool is used: refused are tools that the run was not given, and what policies block. The
   * time until `afterTool`, or the next turn, doesn't count as silence. Rejects only when the manager is disposed.
   */
  beforeTool(name: string, args?: unknown): Promise<ToolPermit> {
    const { gates } = this.runtime;
    return gates.beforeTool(gates.agentOf(this.#live), name, args);
  }

  /** Tells that a tool was used, and what it gave. */
  afterTool(name: string, result?: unknown): Promise<ToolVerdict> {
    const { gates } = this.runtime;
    return gates.afterTool(gates.agentOf(this.#live), name, result);
  }

  /** Asks before the run returns its output: a policy may force another turn, refuse it, or report instead. */
  beforeEnd(output: string): Promise<EndPermit> {
    const { gates } = this.runtime;
    return gates.beforeEnd(gates.agentOf(this.#live), output);
  }

  /** Reports what was used since the last report, and how it goes. Reports are never refused. */
  report(report: RunReport): void {
    const { tokens, costUsd, contextTokens, message, list } = readArgument('a report', () => {
      const { tokens, costUsd, contextTokens, message, todos, ...unknown } = optionsOf('a report', report);
      for (const name of Object.keys(unknown)) throw unknownField('a report', name, REPORTED);
      if (message !== undefined) textOf('`message`', message);
      return { tokens, costUsd, contextTokens, message, list: todos === undefined ? undefined : readTodos(todos) };
    });
    if (this.runtime.isClosed) return;
    if (message !== undefined) this.runtime.gates.agentOf(this.#live).say(message);
    const length = message === undefined ? NO_TEXT : this.runtime.write(message);
    const { slot, generation, run } = this.#live;
    this.runtime.call((core) =>
      core.report(now(), slot, generation, run, reading(tokens), reading(costUsd), reading(contextTokens), length),
    );
    if (list !== undefined) reportTodos(this.runtime, this.#live, list);
    if (message !== undefined) this.#live.watch?.(this.#live, { message });
  }

  /**
   * Reports that the model's provider limits the rate. Work with the same `rateLimitKey` stays queued until
   * that is over, and runs under way wait in their next `beforeTurn`. A later end counts, an earlier doesn't.
   * Throws `actor_ended` after the end of the run.
   *
   * @param limit.retryAfterMs milliseconds from now; 0 changes nothing, and at most `maxCooldownMs` counts
   */
  reportRateLimit(limit: { retryAfterMs: number }): void {
    const { retryAfterMs, ...unknown } = optionsOf('a rate limit', limit);
    noOtherOptions('reportRateLimit', unknown);
    if (!(typeof retryAfterMs === 'number' && retryAfterMs >= 0 && Number.isFinite(retryAfterMs)))
      throw invalid('`retryAfterMs`', 'milliseconds of at least 0', retryAfterMs);
    if (this.runtime.isClosed) return;
    const { slot, generation, run } = this.#live;
    this.runtime.ask((core) => core.reportRateLimit(now(), slot, generation, run, Math.ceil(retryAfterMs)));
  }
}

function estimateOf(options: { tokens?: number | undefined }): number {
  return readArgument('the options of beforeTurn', () => {
    const { tokens, ...unknown } = optionsOf('the options of beforeTurn', options);
    noOtherOptions('beforeTurn', unknown);
    return count('`tokens`', tokens) ?? Number.NaN;
  });
}
