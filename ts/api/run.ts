// The run that a host function gets: its input, its limits, and the manager's operations on its own descendants. Owns its
// properties; its turns and reports are in `ts/commands/turns.ts`.

import { expectMade } from '../base/error-class.js';
import { keyWithin } from '../base/idempotency-key.js';
import { type Json, type JsonLike, type JsonOf, MAX_METADATA_CHARS, readJson } from '../base/metadata.js';
import { limitOf } from '../boundary/limits.js';
import { optional } from '../boundary/view-bytes.js';
import { asked } from '../commands/lifecycle.js';
import type { Parts } from '../commands/parts.js';
import { ask } from '../commands/talk.js';
import { beforeTurn, reportOn } from '../commands/turns.js';
import { knownOptions, readArgument } from '../options/arguments.js';
import { type LedRun, ledBy } from '../options/lead-marks.js';
import type { ResultSchema } from '../options/schema/schema.js';
import { countTokens } from '../options/token-count.js';
import { flag } from '../options/values.js';
import type { EndPermit, ToolPermit, ToolVerdict } from '../policies/policy.js';
import type {
  AskAnswer,
  PreviousError,
  RateLimitReport,
  RunLimits,
  RunRemaining,
  RunReport,
  TurnEstimate,
  TurnPermit,
} from '../reading/exchange.js';
import { readRateLimit } from '../reading/usage-report.js';
import type { ActiveRun } from '../runs/active-run.js';
import { movedAway } from '../runs/moved-runs.js';
import { managersModel } from '../runs/reported-tokens.js';
import { readPreviousError, readRunLimits, readRunRemaining } from '../snapshots/generated/run-readers.js';
import { actorOf, partsOf, Scope } from './scope.js';

/**
 * Whether leads of workers can read the private fields of runs. The first run sets it, for the reason at `insides` of scopes.
 */
let isLed = false;

function letLead(): boolean {
  ledBy(Run.prototype, led);
  return true;
}

/** One execution of a sub-agent: the second argument of the host function. */
export class Run extends Scope<Run> {
  /** @internal */
  constructor(runtime: Parts, active: ActiveRun) {
    super(runtime, active);
    expectMade(active, 'a run', '`spawnSubAgent(params, run)` gets one');
    if (!isLed) isLed = letLead();
    active.readWork();
  }

  /** The sub-agent's id. */
  get taskId(): string {
    return activeOf(this).taskId;
  }

  /** The number of this run in the sub-agent's life, from 1. */
  get run(): number {
    return activeOf(this).run;
  }

  /**
   * A key for an external action of a tool, such as a payment or a mail. Pass it to the service that does it. It is the same in
   * every attempt at this message: by `retry`, on another worker, or in the next process. Another message has another key, even
   * if a store lost its last records or was copied. If the spawn had an `idempotencyKey`, the key is made of that key, the
   * spawner and the parameters. Characters that a URL would escape are escaped in `parts`. The id of a model's tool call stays
   * the same if `checkpoint` saves the model's answer before its tools are called.
   *
   * @param parts the call's place in this work: a step of your program, or the id of a model's tool call
   */
  idempotencyKey(...parts: (string | number)[]): string {
    // Throws if the method was called without its run.
    runtimeOf(this);
    return keyWithin(activeOf(this).work, parts);
  }

  /** How deep the sub-agent is nested; 1 below the main agent. */
  get depth(): number {
    return activeOf(this).snapshot().depth;
  }

  /** The sub-agent's name for display. */
  get label(): string {
    return activeOf(this).snapshot().label;
  }

  /** The instructions, or the message that this run answers. */
  get prompt(): string {
    return activeOf(this).prompt();
  }

  /** Context that the spawn added to the instructions. */
  get contextHint(): string {
    return activeOf(this).snapshot().contextHint;
  }

  /** The system prompt: of the spawn, else of its definition, else made by its profile. */
  get systemPrompt(): string {
    const active = activeOf(this);
    active.systemPrompt ??= active.snapshot().systemPrompt ?? profilePrompt(runtimeOf(this), active);
    return active.systemPrompt;
  }

  /** The profile that makes the system prompt if none is given. */
  get profile(): string {
    return activeOf(this).snapshot().profile;
  }

  /** The definition that it was spawned from, if any. */
  get agent(): string | undefined {
    return activeOf(this).snapshot().agent ?? undefined;
  }

  /** Tools that its definition forbids; `tools`, if known, has none of them. */
  get disallowedTools(): string[] {
    return activeOf(this).snapshot().disallowedTools ?? [];
  }

  /** Names of the tools that it may use; undefined if neither parent nor spawn named any. */
  get tools(): string[] | undefined {
    return activeOf(this).tools;
  }

  /** The model's id: of the spawn, else its definition, else the sub-agent or session above, else the manager. */
  get modelId(): string | undefined {
    return activeOf(this).snapshot().modelId ?? managersModel(runtimeOf(this).functions);
  }

  /** The reasoning effort of its model, set by its spawn or its definition; undefined if neither sets it. */
  get effort(): string | undefined {
    return activeOf(this).snapshot().effort ?? undefined;
  }

  /** The `schema` of the spawn, or of its definition, as given: the result's `value` has to fit it. */
  get schema(): ResultSchema | undefined {
    return activeOf(this).check?.schema;
  }

  /**
   * The end of the previous attempt, if its message is tried again; otherwise undefined.
   *
   * It is tried again by `retry`, or by the next process for the reason `host_lost` or `drained`.
   */
  get previousError(): PreviousError | undefined {
    const active = activeOf(this);
    // The first run has none. After a reopening, only the core knows that of a later run.
    if (active.run === 1) return undefined;
    active.previousError ??= runtimeOf(this).view(
      (core) => core.previousError(active.index, active.generation, active.run),
      optional(readPreviousError),
    );
    return active.previousError;
  }

  /**
   * The data of this work's last `checkpoint`; undefined if there is none.
   *
   * With `onHostLost: 'resume'`, it may be that of an earlier run whose process was lost. An attempt of `retry` starts without
   * a checkpoint.
   */
  get checkpointed(): Json | undefined {
    const { index, generation } = activeOf(this);
    const json = runtimeOf(this).call((core) => core.checkpointed(index, generation));
    return json === undefined ? undefined : (JSON.parse(json) as Json);
  }

  /**
   * Saves the progress of the work, as JSON. If its process is lost, and the manager is opened again with
   * `onHostLost: 'resume'`, the next run finds it in `checkpointed`. With `durability: 'sync'` it resolves once the store has
   * it. Rejects with `invalid_argument` for data that JSON can't hold and for more characters than `maxResultBytes`. Rejects
   * with `actor_ended` after the end of the run.
   */
  checkpoint<T extends JsonLike>(data: T & JsonOf<T>): Promise<void> {
    const runtime = runtimeOf(this);
    return asked(runtime, () => {
      const json = readArgument('a checkpoint', () => readJson('data', data, limitOf(runtime, 'maxResultBytes')));
      runtime.perform(activeOf(this), { type: 'checkpoint', data: json });
    });
  }

  /**
   * The value of the last `save`, in this or an earlier run of the sub-agent; undefined if there was none.
   *
   * It stays until the sub-agent is closed or forgotten, across its messages, attempts and restarts.
   */
  get saved(): Json | undefined {
    const { index, generation } = activeOf(this);
    const json = runtimeOf(this).call((core) => core.saved(index, generation));
    return json === undefined ? undefined : (JSON.parse(json) as Json);
  }

  /**
   * Saves one JSON value for the later runs of this sub-agent, such as the id of a conversation. It replaces the previous
   * value. With `durability: 'sync'` it resolves once the store has it. Rejects with `invalid_argument` for a value that JSON
   * can't hold, or with more than 16,384 characters or 32 levels. Rejects with `actor_ended` after the end of the run.
   */
  save<T extends JsonLike>(data: T & JsonOf<T>): Promise<void> {
    const runtime = runtimeOf(this);
    return asked(runtime, () => {
      const json = readArgument('saved data', () => readJson('data', data, MAX_METADATA_CHARS));
      runtime.perform(activeOf(this), { type: 'save', data: json });
    });
  }

  /** The result of the manager's `acquire` for this sub-agent; undefined without such a function. */
  get acquired(): Json | undefined {
    const { index, generation } = activeOf(this);
    const json = runtimeOf(this).call((core) => core.acquired(index, generation));
    return json === undefined ? undefined : (JSON.parse(json) as Json);
  }

  /** The limits of this run. */
  get limits(): RunLimits {
    const { index, generation } = activeOf(this);
    return runtimeOf(this).view((core) => core.runLimits(index, generation), readRunLimits);
  }

  /**
   * The tokens, US dollars and turns that this run can still use; `Infinity` if nothing caps them.
   *
   * Show it to the model. Once the run has ended, no turn is left. Throws `forgotten` if its sub-agent was forgotten.
   */
  get remaining(): RunRemaining {
    const { index, generation, run } = activeOf(this);
    return runtimeOf(this).view((core) => core.remaining(index, generation, run), readRunRemaining);
  }

  /**
   * Counts the tokens of a text, such as a prompt for `beforeTurn({ tokens })`: by the manager's `countTokens`, else as UTF-8
   * bytes divided by 4.
   */
  countTokens(text: string): number {
    const runtime = runtimeOf(this);
    return countTokens(text, runtime.functions.countTokens, (error) => runtime.report(error));
  }

  /** Fires when the run has to stop. Its reason is a `SubAgentError` with code `aborted`. */
  get signal(): AbortSignal {
    return activeOf(this).signal;
  }

  /** The sub-agent's own map: empty at first, the same in all its runs. */
  get session(): Map<string, unknown> {
    return runtimeOf(this).sessionData.of(activeOf(this).index, activeOf(this).generation);
  }

  /**
   * Resolves once the host function of this run has returned and the store, if there is one, has its end. Use it to release
   * external resources, such as a job of a queue. The host function itself must not await it. Rejects if the manager ends
   * first.
   */
  async ended(): Promise<void> {
    const [runtime, active] = [runtimeOf(this), activeOf(this)];
    if (!active.hostIsOver && !runtime.isClosed) await runtime.runs.untilOver(active);
    runtime.check();
    await runtime.journal?.flush();
  }

  /**
   * Asks whether the run may call the model once more. Resolves when the run has its slot and the turn's budget is reserved, or
   * with the reason why no turn may begin. Rejects only when the manager is disposed.
   *
   * By default, a turn's expected tokens are `turnEstimate`, or the tokens of the last turns. Its expected dollars are
   * `turnEstimateUsd`, or the cost of the dearest turn so far.
   *
   * @param options the expected usage of the turn. Default: by the limits and the turns so far
   */
  beforeTurn(options?: TurnEstimate): Promise<TurnPermit> {
    return beforeTurn(runtimeOf(this), activeOf(this), options);
  }

  /**
   * Asks the agent that gave the sub-agent its task. The run gives up its slot, and its clocks stop. The first message to the
   * sub-agent, in any mode, from that agent or one above it is the answer. Waits for the sub-agent end with the question; a
   * foreground call of the `SubAgent` tool returns it.
   *
   * Without an answer, it resolves to `{ answered: false }` with the reason: the time ran out, or the run has to stop. If that
   * agent has no tool to send with, it does so at once. A further attempt gets each earlier answer once and at once, while it
   * asks the same questions in the same order. If it continues from a checkpoint, it gets the answers since that checkpoint.
   *
   * Rejects with `actor_ended` after the end of the run, and with `wrong_status` while an earlier question is open. If a drain
   * leaves the run to the next process, which may ask again, it rejects with `aborted` (`details.reason` is `'drained'`).
   *
   * @param question what the sub-agent needs to know; must not be empty
   * @param options.timeoutMs milliseconds, `Infinity` for no end. Default: the manager's `askTimeoutMs`
   */
  ask(question: string, options?: { timeoutMs?: number | undefined }): Promise<AskAnswer> {
    return runtimeOf(this).answer(ask(activeOf(this), question, options));
  }

  /**
   * Asks whether a tool may be used. Refuses tools that the run wasn't given, or that a policy blocks.
   *
   * The time until `afterTool`, or the next turn, doesn't count as silence. Rejects only when the manager is disposed.
   */
  beforeTool(name: string, args?: unknown): Promise<ToolPermit> {
    const { gates } = runtimeOf(this);
    return runtimeOf(this).answer(gates.beforeTool(gates.agentOf(activeOf(this)), name, args));
  }

  /** Reports a tool's use and result; resolves to the verdict of the policies, with messages that steer the run. */
  afterTool(name: string, result?: unknown): Promise<ToolVerdict> {
    const { gates } = runtimeOf(this);
    return runtimeOf(this).answer(gates.afterTool(gates.agentOf(activeOf(this)), name, result));
  }

  /**
   * Resolves to the messages of mode `steer` that have arrived, for an agent that can read one in the middle of its turn. Each
   * is delivered once: here, by `beforeTurn`, or by `afterTool`. While a tool is in use, `afterTool` delivers them.
   *
   * @param options.wait resolves once there are some; to none if the run has to stop or calls `steers` again. Default: at once
   */
  async steers(options: { wait?: boolean | undefined } = {}): Promise<string[]> {
    const runtime = runtimeOf(this);
    runtime.check();
    const { gates } = runtime;
    const wait = flag('wait', knownOptions('steers', options, ['wait']).wait);
    return runtime.answer(gates.steers(gates.agentOf(activeOf(this)), wait));
  }

  /** Asks before the run returns its output: a policy may force another turn, refuse it, or report instead. */
  beforeEnd(output: string): Promise<EndPermit> {
    const { gates } = runtimeOf(this);
    return runtimeOf(this).answer(gates.beforeEnd(gates.agentOf(activeOf(this)), output));
  }

  /**
   * Reports the usage since the last report, and the progress of the run. A wrong amount (negative, not a number) is no error:
   * `usage` marks it as invalid. An unknown name, a `message` that is no text and wrong `todos` throw `invalid_argument`; then
   * nothing of the report is booked.
   */
  report(report: RunReport): void {
    reportOn(runtimeOf(this), activeOf(this), report);
  }

  /**
   * Reports that the model's provider limits the rate, or its remaining amounts. For `retryAfterMs`, work with the same
   * `rateLimitKey` stays queued, and open runs wait in their next `beforeTurn`. A report may lengthen the wait, never shorten
   * it. Remaining amounts lower those that `rates` leave to the key, and never raise them. Throws `actor_ended` after the end
   * of the run.
   */
  reportRateLimit(limit: RateLimitReport): void {
    const read = readRateLimit(limit);
    if (runtimeOf(this).isClosed) return;
    runtimeOf(this).perform(activeOf(this), { type: 'report_rate_limit', ...read });
  }
}

/** The parts of a run's manager. */
function runtimeOf(run: Run): Parts {
  return partsOf(run, 'run.beforeTurn');
}

/** The run itself is its actor, so runs need no further field to fill. */
function activeOf(run: Run): ActiveRun {
  return actorOf(run) as ActiveRun;
}

/** A run as the lead of workers uses it. */
function led(of: Run): LedRun {
  const [active, runtime] = [activeOf(of), runtimeOf(of)];
  return {
    whenAborted: (stop) => active.whenAborted(stop),
    hostReplaced: (isAnew) => void runtime.perform(active, { type: 'replace_host', resumes: !isAnew }),
    leaveCalls: () => {
      runtime.waits.leave(active);
      return movedAway(runtime);
    },
    answer: (answer) => runtime.answer(answer),
  };
}

function profilePrompt(runtime: Parts, active: ActiveRun): string {
  const { depth, profile } = active.snapshot();
  return runtime.profiles.prompt(profile, () => active.snapshot(), depth < limitOf(runtime, 'maxDepth'));
}

/** Makes the `run` argument of a manager's host function. */
export function makeRun(runtime: Parts, active: ActiveRun): Run {
  return new Run(runtime, active);
}
