// A scope for the main agent: its own turns, tools and end under policies and limits. Owns the names of the
// operations; runs have the same ones.

import { now } from '../base/clock.js';
import { PROGRAM, ROOT } from '../boundary/key.js';
import { asked } from '../commands/lifecycle.js';
import { NO_TEXT } from '../generated/codes.js';
import { graceOf, knownOptions, textOf } from '../options/arguments.js';
import { reportTodos } from '../options/todos.js';
import type { Gates, Main } from '../policies/gates.js';
import type { EndPermit, ToolPermit, ToolVerdict } from '../policies/policy.js';
import type { RunReport, TurnPermit } from '../reading/exchange.js';
import { readReport } from '../reading/usage-report.js';
import { stageTokens, tokensOrPlain } from '../runs/reported-tokens.js';
import type { CancelReceipt } from '../snapshots/notices.js';
import type { Run } from './run.js';
import { actorOf, partsOf, Scope } from './scope.js';

/** The base of a manager and a session: a scope, and the turns, tools and end of its main agent. */
export abstract class MainAgent extends Scope<Run> {
  /**
   * Cancels all its sub-agents; for a manager, those of its sessions too. Resolves when none of them runs. The manager or
   * session continues, with its spending and its notices.
   */
  cancelAll(options?: { graceMs?: number | undefined }): Promise<CancelReceipt> {
    return asked(partsOf(this), () => {
      const actor = actorOf(this);
      return partsOf(this).waits.cancel(actor, actor === PROGRAM ? ROOT : actor, 'cancelled', graceOf(options, 'cancelAll'));
    });
  }

  get #gates(): Gates {
    return partsOf(this).gates;
  }

  get #main(): Main {
    return this.#gates.main(actorOf(this));
  }

  /**
   * Asks whether the main agent may call its model once more. Its own budget is up to the program; `mainLimits` bound its
   * turns, context and time, and `policies.main` are asked. Notices that wait in its inbox come with the turn, as texts in
   * `inject`. The next `beforeTurn`, or an allowed end, acknowledges them.
   *
   * Rejects with `actor_ended` once its session is closed. (A run's `beforeTurn` resolves to `{ go: false }`.) `beforeTool`
   * then resolves to `{ allowed: false }`, while `afterTool` and `beforeEnd` answer as before.
   *
   * @param options.prompt the main agent's new prompt: it restarts its limits, like an allowed end
   */
  beforeTurn(options: { prompt?: string | undefined } = {}): Promise<TurnPermit> {
    return partsOf(this).answer(this.#beforeTurn(options));
  }

  async #beforeTurn(options: { prompt?: string | undefined }): Promise<TurnPermit> {
    const { prompt } = knownOptions('beforeTurn', options, ['prompt']);
    if (prompt !== undefined) textOf('`prompt`', prompt);
    partsOf(this).readers.reads(actorOf(this));
    return this.#gates.mainTurn(actorOf(this), prompt);
  }

  /** Asks whether the main agent may use a tool: policies may refuse it. */
  beforeTool(name: string, args?: unknown): Promise<ToolPermit> {
    return partsOf(this).answer(this.#gates.beforeTool(this.#main.agent, name, args));
  }

  /** Reports that the main agent has used a tool; resolves to the verdict of the policies. */
  afterTool(name: string, result?: unknown): Promise<ToolVerdict> {
    return partsOf(this).answer(this.#gates.afterTool(this.#main.agent, name, result));
  }

  /** Asks before the main agent answers: policies may force another turn. If it may end, its next turn restarts its limits. */
  beforeEnd(output: string): Promise<EndPermit> {
    return partsOf(this).answer(this.#gates.beforeEnd(this.#main.agent, output));
  }

  /**
   * Reports the main agent's usage since its last report, and its progress. Tokens and dollars are booked on its session, and
   * count against the caps of the session and of the manager. A wrong amount books nothing, and `onError` gets it. An unknown
   * name, a `message` that is no text and wrong `todos` throw `invalid_argument`; then nothing of the report is booked.
   */
  report(report: RunReport): void {
    const read = readReport(report, 'a report of a main agent');
    const runtime = partsOf(this);
    if (runtime.isClosed) return;
    const { tokens, costUsd, ignored, contextTokens, message, todos } = read;
    const byKind = tokensOrPlain(runtime, read);
    const { index, generation } = actorOf(this);
    if (message !== undefined) this.#main.agent.say(message);
    if (byKind !== undefined) stageTokens(runtime, byKind);
    const length = message === undefined ? NO_TEXT : runtime.write(message);
    runtime.mutate((core) => core.report(now(), index, generation, 0, tokens, costUsd, contextTokens, length));
    if (Number.isNaN(tokens)) runtime.unknownNames.inReport('tokens');
    if (Number.isNaN(costUsd)) runtime.unknownNames.inReport('costUsd');
    runtime.unknownNames.kindsInReport(ignored);
    if (todos !== undefined) reportTodos(runtime, actorOf(this), todos);
  }
}
