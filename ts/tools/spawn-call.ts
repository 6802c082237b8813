// A call of a tool that spawns: the order of its checks (D6), the spawn, the wait for its end. Owns that order;
// `answers.ts` has the answers.

import { within } from '../base/clock.js';
import { describe, messageOf, SubAgentError, type SubAgentErrorCode } from '../base/errors.js';
import { atOnce } from '../base/log.js';
import type { Metadata } from '../base/metadata.js';
import { quoted } from '../base/quoting.js';
import { counted } from '../base/text.js';
import type { Actor } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import type { Parts } from '../commands/parts.js';
import { spawn } from '../commands/spawning.js';
import { ANSWERS_NO, ANSWERS_SENDS, ANSWERS_WITH_TOOL } from '../generated/codes.js';
import { ERROR_CHARS } from '../generated/quoting.js';
import type { SpawnOptions, SubAgentParamsType } from '../options/generated/spawn.js';
import { readSpawn, type SpawnRequest, stagedBy } from '../options/spawn-options.js';
import { string } from '../options/values.js';
import type { RunResult } from '../reading/run-result.js';
import { type ActiveRun, callOf, type ToolCall } from '../runs/active-run.js';
import { Answers, type Full, isRefusal, type OtherTools } from './answers.js';
import { answered, CallTime, moveOn } from './bounded.js';
import { toCorrect } from './fields.js';
import { ADVICE } from './generated/advice.js';
import type { ToolAnswer, ToolCallContext } from './object.js';
import { watcher } from './progress.js';
import type { CheckedArguments } from './tool-arguments.js';
import type { SubAgentDetails, SubAgentToolOptions } from './tool-options.js';

/** A call that spawns. */
interface SpawnToolCall extends ToolCall {
  /** Whether its caller gets the details of the end. */
  readonly isDetailed: boolean;
}

/** Makes the calls of one tool: each spawns, and waits for the end unless it is in the background. */
export class SpawnCall {
  readonly runtime: Parts;
  private readonly actor: Actor;
  private readonly options: SubAgentToolOptions;
  private readonly answers: Answers;
  private readonly isAlone: boolean;

  constructor(runtime: Parts, actor: Actor, options: SubAgentToolOptions, others: OtherTools = {}, isAlone = false) {
    this.isAlone = isAlone;
    this.runtime = runtime;
    this.actor = actor;
    // Without a prototype, so that only given options are read.
    this.options = Object.assign(Object.create(null), options);
    this.answers = new Answers(runtime, this.options, others);
  }

  async run(checked: CheckedArguments, context: ToolCallContext): Promise<ToolAnswer<SubAgentDetails>> {
    this.runtime.check();
    return this.told(this.answer(checked, context), context);
  }

  /** The answer of a call, once the program has its details. */
  told(answer: Promise<ToolAnswer<SubAgentDetails>>, { toolCallId }: ToolCallContext): Promise<ToolAnswer<SubAgentDetails>> {
    const { onDetails } = this.options;
    if (onDetails === undefined) return answer;
    return this.runtime.answer(answer).then((given) => {
      this.runtime.notify(() => onDetails(given.details, toolCallId));
      return given;
    });
  }

  /** The order of D6: arguments, the host's own limit, its gate, admission, spawn. */
  private async answer(checked: CheckedArguments, context: ToolCallContext): Promise<ToolAnswer<SubAgentDetails>> {
    const { signal, toolCallId, progress } = context;
    const notifies = context.notifies && this.isNotified;
    const report = (about: string | null, error: SubAgentError): void => this.runtime.refusals.report('spawn', this.actor, about, error);
    if ('mistakes' in checked) {
      report(null, new SubAgentError('invalid_argument', checked.mistakes.join('; ')));
      return this.answers.refused(toCorrect(checked));
    }
    const { params, checked: given } = checked;
    const text = given.instructions ?? null;
    const limit = this.hostLimit();
    if (limit !== undefined) {
      report(text, new SubAgentError('spawn_denied', limit.why));
      return this.answers.refused(limit.why, undefined, limit.full);
    }
    if (signal?.aborted === true) {
      report(text, new SubAgentError('aborted', 'the call was aborted before it began'));
      return this.answers.refused('the call was aborted before it began.');
    }
    const isDetailed = context.isDetailed || this.options.onDetails !== undefined;
    const call: SpawnToolCall = { ...callOf(this.actor, notifies), isDetailed };
    let active: ActiveRun;
    let request: SpawnRequest;
    const { backgroundTimeoutMs: timeoutMs, onParentEnd, agent = undefined } = this.options;
    // Errors of these are the program's own, and are thrown unchanged.
    const [key, origin, metadata] = [this.keyOf(toolCallId, params), this.originOf(), this.metadataOf(toolCallId, params)];
    try {
      const idempotencyKey = string('what `idempotencyKey` returns', key);
      const options = {
        ...given,
        ...(agent !== undefined && given.agent === undefined && { agent }),
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(origin !== undefined && { origin }),
        ...(metadata !== undefined && { metadata }),
      };
      request = readSpawn(options, this.runtime, true);
      if (request.background && timeoutMs !== undefined) request = readSpawn({ ...options, timeoutMs }, this.runtime, true);
      request.signal = signal;
      request.call = call;
      request.answers = this.answerers;
      if (this.options.format === 'json') stagedBy(request).json = true;
      if (onParentEnd !== undefined) stagedBy(request).onParentEnd = onParentEnd;
      if (progress !== undefined && !request.background) request.watch = watcher(progress);
      active = spawn(this.runtime, this.actor, request, params);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      report(text, error);
      return typeof error.details.report === 'string'
        ? this.answers.reported(error.details.report)
        : this.answers.refused(`${sentence(this.answers.why(error))}${adviceOn(error.code)}`, error);
    }
    const modelId = call.isDetailed ? (request.staged?.modelId ?? this.modelOf(active)) : undefined;
    try {
      if (request.repeated === true) return await this.repeated(active, request.background, signal, notifies);
      if (!request.background) return await this.foreground(active, modelId, call, context);
      await (active.named && within(active.named.promise, limitOf(this.runtime, 'graceMs')));
      this.runtime.hosts.endArrived();
      this.runtime.check();
      // Its end comes as a notice, once. It is shown and collected here if the call was aborted before its answer, or if there
      // is no inbox and it has already failed.
      const isAnsweredHere = hasFired(signal) || (this.isAlone && active.result?.success === false);
      return isAnsweredHere ? await this.outcome(active, modelId, call) : this.movedOn(active, modelId, notifies);
    } catch (error) {
      // A listener of its start has stopped the caller, or has had its end forgotten: that end is the answer.
      if (isRefusal(error) && active.result !== undefined) return this.answers.ended(active, active.result, modelId, call.isDetailed);
      if (isRefusal(error) && error.code === 'forgotten') return this.answers.forgotten(active, modelId);
      throw error;
    }
  }

  /** The call waits for the sub-agent, at most for its time. */
  private async foreground(
    active: ActiveRun,
    modelId: string | undefined,
    call: SpawnToolCall,
    context: ToolCallContext,
  ): Promise<ToolAnswer<SubAgentDetails>> {
    const time = new CallTime(this.options.foregroundMs, () => void moveOn(this.runtime, this.actor, active));
    try {
      return await this.outcome(active, modelId, call, () => answered(this.runtime, this.actor, active, context, time));
    } finally {
      time.end();
    }
  }

  /**
   * Its outcome: its end, unless it first moves to the background or asks. `hasAnswer`: the program has answered its question.
   */
  private async outcome(
    active: ActiveRun,
    modelId: string | undefined,
    call: SpawnToolCall,
    hasAnswer?: () => Promise<boolean>,
  ): Promise<ToolAnswer<SubAgentDetails>> {
    try {
      const result = (await this.runtime.waits.waitForCall(call, active)) as RunResult;
      return result.backgrounded
        ? this.movedOn(active, modelId, call.notifies)
        : this.answers.ended(active, result, modelId, call.isDetailed);
    } catch (error) {
      if (!(isRefusal(error) && error.code === 'needs_input')) throw error;
      return (await hasAnswer?.()) ? this.outcome(active, modelId, call, hasAnswer) : this.asks(active, modelId, call);
    }
  }

  /** The key of a call, if the host gives one. */
  private keyOf(toolCallId: string | undefined, params: SubAgentParamsType): unknown {
    const { idempotencyKey } = this.options;
    return idempotencyKey === undefined ? undefined : atOnce(idempotencyKey(toolCallId, params));
  }

  /** The host's metadata for the sub-agent of a call. */
  private metadataOf(toolCallId: string | undefined, params: SubAgentParamsType): Metadata | undefined {
    const { metadata } = this.options;
    return typeof metadata === 'function' ? atOnce(metadata(toolCallId, params)) : metadata;
  }

  /** The origin of a call's work, if the host gives it. */
  private originOf(): SpawnOptions['origin'] {
    const { origin } = this.options;
    return typeof origin === 'function' ? atOnce(origin()) : origin;
  }

  /** The call was made before: nothing was started, and this call must not cancel its sub-agent. */
  private async repeated(
    active: ActiveRun,
    background: boolean,
    signal: AbortSignal | undefined,
    notifies: boolean,
  ): Promise<ToolAnswer<SubAgentDetails>> {
    const view = this.runtime.lookup.snapshot(active.index, active.generation);
    const modelId = view.modelId ?? undefined;
    if (background) return this.answers.startedBefore(view);
    try {
      const result = (await this.runtime.waits.waitFor(this.actor, active, Number.POSITIVE_INFINITY, signal)) as RunResult;
      return result.backgrounded ? this.answers.started(active, modelId, notifies) : this.answers.ended(active, result, modelId);
    } catch (error) {
      if (isRefusal(error) && error.code === 'needs_input')
        return this.asks(active, modelId, { ...callOf(this.actor, notifies), isDetailed: true });
      if (!(isRefusal(error) && error.code === 'aborted')) throw error;
      return this.answers.goesOn(view);
    }
  }

  /**
   * Whether anything could notify the model of an end. For a tool that stands alone, that is the host that started the work
   * elsewhere (N6).
   */
  private get isNotified(): boolean {
    return !this.isAlone || this.runtime.functions.spawnBackgroundSubAgent !== undefined;
  }

  /** Who could answer, in the core's code. */
  private get answerers(): number {
    const { canAnswer } = this.options;
    if (canAnswer === undefined) return ANSWERS_WITH_TOOL;
    return canAnswer ? ANSWERS_SENDS : ANSWERS_NO;
  }

  /** The call ends, but the sub-agent continues in the background: it asks (M5). */
  private async asks(active: ActiveRun, modelId: string | undefined, call: SpawnToolCall): Promise<ToolAnswer<SubAgentDetails>> {
    const { index, generation } = active;
    const { actor } = this;
    const question = this.runtime.call((core) => core.questionText(index, generation));
    const goesOn = this.runtime.performIf(actor, { type: 'move_to_background', task: active }) !== undefined;
    // It may have ended before this call got the question.
    if (!goesOn) return this.outcome(active, modelId, call);
    this.letGoOfCall(active);
    return this.answers.asked(active, question, modelId, call.notifies);
  }

  /** The call is answered before the end: its signal no longer stops the sub-agent (X3). */
  private movedOn(active: ActiveRun, modelId: string | undefined, notifies: boolean): ToolAnswer<SubAgentDetails> {
    this.letGoOfCall(active);
    return this.answers.started(active, modelId, notifies);
  }

  private letGoOfCall(active: ActiveRun): void {
    active.unfollow?.();
    active.unfollow = undefined;
  }

  /** The reason if the host's own `canSpawn` refuses. */
  private hostLimit(): { why: string; full?: Full } | undefined {
    const { canSpawn, getConcurrencyInfo } = this.runtime.functions;
    if (canSpawn === undefined) return undefined;
    try {
      const answer: unknown = atOnce(canSpawn());
      if (answer === true) return undefined;
      if (answer !== false) throw noBoolean(describe(answer));
      const info = atOnce(getConcurrencyInfo?.());
      const isKnown = Number.isFinite(info?.active) && typeof info?.limit === 'number';
      const full = isKnown
        ? `${info.active} of ${counted(info.limit, 'sub-agent')} ${info.active === 1 ? 'is' : 'are'} running`
        : 'the limit of sub-agents is reached';
      return { why: `${full}.${adviceOn('concurrency_limit')}`, full: { active: info?.active, limit: info?.limit } };
    } catch (error) {
      this.runtime.report(error);
      return { why: `the host could not say whether a sub-agent may start: ${quoted(messageOf(error), ERROR_CHARS)}.` };
    }
  }

  /** The model that a sub-agent was given or inherits from its parent. */
  private modelOf(active: ActiveRun): string | undefined {
    return this.runtime.isClosed ? undefined : (active.snapshotIf()?.modelId ?? undefined);
  }
}

function noBoolean(what: string): SubAgentError {
  return new SubAgentError('invalid_argument', `\`canSpawn\` must return a boolean at once, it returned ${what}`, { argument: 'canSpawn' });
}

/** Whether a signal has fired. */
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** A text with a final mark; a host's reason may already have one. */
function sentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

/** The advice for a model after a refusal. */
function adviceOn(code: SubAgentErrorCode): string {
  return ADVICE[code] === undefined ? '' : ` ${ADVICE[code]}`;
}
