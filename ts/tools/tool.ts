// The `SubAgent` tool: one object that frameworks take unchanged. Owns the order of its checks and the
// ways it is called; its words and its schema come from the core.

import type { SubAgentToolObject } from '../../pkg/subagents.js';
import { now, within } from '../base/clock.js';
import { invalid, messageOf, type SubAgentError, type SubAgentErrorCode, toldOf } from '../base/errors.js';
import { type Metadata, metadataOf, readMetadata } from '../base/metadata.js';
import { quoted } from '../base/quoting.js';
import { type Actor, PROGRAM } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import type { Parts } from '../commands/parts.js';
import { spawn } from '../commands/spawning.js';
import { howToAnswer } from '../commands/talk.js';
import type { TaskStatus } from '../generated/names.js';
import { ERROR_CHARS, LABEL_CHARS } from '../generated/quoting.js';
import { isOurs, noOtherOptions, optionsOf, readArgument } from '../options/arguments.js';
import type { SubAgentParamsType } from '../options/spawn.js';
import { formatOf, readSpawn, type SpawnRequest, stagedBy } from '../options/spawn-options.js';
import { duration, string } from '../options/values.js';
import { startedText } from '../reading/bus.js';
import { readReport, reportOfNone, reportText } from '../reading/report.js';
import type { RunResult } from '../reading/run-result.js';
import type { ActiveRun } from '../runs/active-run.js';
import type { Origin } from '../views/notices.js';
import type { TaskSnapshot } from '../views/snapshots.js';
import { type AgentTool, type ToolAnswer, type ToolCallContext, type ToolSchema, toolObject } from './object.js';
import { watcher } from './progress.js';
import { type EndedFacts, type LimitFacts, type SubAgentTexts, said, textsOf } from './texts.js';
import { type CheckedArguments, checkArguments } from './tool-arguments.js';
import { idTold } from './words.js';

/** The tool's name. */
export const SUB_AGENT_TOOL_NAME = 'SubAgent';

/** What is known of a sub-agent that the tool ran. */
export interface SubAgentDetails {
  /** The sub-agent's id; empty where none was started. */
  taskId: string;
  /** The host's own id, where it gave one: of work that it started, the one that the model is told. */
  hostTaskId?: string;
  /** It runs in the background: its end comes later. */
  background: boolean;
  /** The sub-agent's status; `refused` where none was started. */
  status: string;
  /** How long it took, in milliseconds; null where that is not known yet. */
  durationMs: number | null;
  /** Turns that it took; null where the host did not report them. */
  turns: number | null;
  /** What it cost in US dollars; null where the host did not report it. */
  cost: number | null;
  /** The host's own word for the status, where it has one of its own. */
  hostStatus?: string;
  /** The model's id, inherited from the parent. */
  modelId?: string;
  /** What it made beside its output, where it made something. */
  artifacts?: readonly Record<string, unknown>[];
}

/** Options of the `SubAgent` tool. */
export interface SubAgentToolOptions {
  /** Gets what is known of each sub-agent when its call ends. */
  onDetails?: ((details: SubAgentDetails, toolCallId: string | undefined) => void) | undefined;
  /** How results are told: for a model to read, or as the JSON report, with what was done until a failure. @default 'text' */
  format?: 'text' | 'json' | undefined;
  /** Milliseconds after which a background sub-agent is given up. Default: as for any other. */
  backgroundTimeoutMs?: number | undefined;
  /**
   * The idempotency key of a call, made from its id, for hosts that may run a call twice; undefined for none.
   * @default none
   */
  idempotencyKey?: (toolCallId: string | undefined, params: SubAgentParamsType) => string | undefined;
  /**
   * Whether the model that has this tool can answer its sub-agents' questions; if not, `run.ask` says so at once.
   * Default: unless its tools are known and none of them sends (`send_message`, `SendMessage`, `send_input`).
   */
  canAnswer?: boolean | undefined;
  /**
   * Texts of the program's own: what the model is told of a start, an end, a limit, a refusal. Default: the usual ones.
   * Not where `format` is 'json'.
   */
  texts?: SubAgentTexts | undefined;
  /** `metadata` of every sub-agent that it spawns; a function is asked at each call. Default: none. */
  metadata?: (Metadata | ((toolCallId: string | undefined, params: SubAgentParamsType) => Metadata | undefined)) | undefined;
  /** Where the agent's work comes from, told to every sub-agent; a function is asked at each call. */
  origin?: (Partial<Origin> | (() => Partial<Origin>)) | undefined;
}

/** The parameters of the `SubAgent` tool, as JSON Schema and Standard Schema. */
export type ToolParameters = ToolSchema<SubAgentParamsType>;

/** The `SubAgent` tool, by which a model spawns. */
export type SubAgentTool = AgentTool<SubAgentParamsType, SubAgentDetails>;

/** Makes the tool for an actor; the core describes it. `isAlone`: no inbox tells of ends, so its answers do. */
export function createTool(runtime: Parts, actor: Actor, options: SubAgentToolOptions = {}, isAlone = false): SubAgentTool {
  const { kept, others } = readArgument('the options of the tool', () => toolOptionsOf('the options of the tool', options));
  noOtherOptions('createSubAgentTool', others, TOOL_OPTIONS);
  const tool = runtime.call((core) => core.createSubAgentTool());
  const plain = actor === PROGRAM && Object.keys(kept).length === 0 && !isAlone;
  if (plain) return tool as unknown as SubAgentTool;
  return assemble(runtime, actor, kept, tool, isAlone) as unknown as SubAgentTool;
}

/** Every option of a tool that spawns. */
export const TOOL_OPTIONS = [
  'onDetails',
  'format',
  'backgroundTimeoutMs',
  'idempotencyKey',
  'canAnswer',
  'metadata',
  'origin',
  'texts',
] as const satisfies (keyof SubAgentToolOptions)[];

/** The options of a tool that spawns, checked, and what else was given. Only those are there that change something. */
export function toolOptionsOf<T extends SubAgentToolOptions>(
  what: string,
  given: T,
): { kept: SubAgentToolOptions; others: Omit<T, keyof SubAgentToolOptions> } {
  const { onDetails, format, backgroundTimeoutMs, idempotencyKey, canAnswer, metadata, origin, texts, ...rest } = optionsOf(what, given);
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'function') throw invalid('`idempotencyKey`', 'a function', idempotencyKey);
  if (canAnswer !== undefined && typeof canAnswer !== 'boolean') throw invalid('`canAnswer`', 'a boolean', canAnswer);
  if (onDetails !== undefined && typeof onDetails !== 'function') throw invalid('`onDetails`', 'a function', onDetails);
  // A wrong one is the program's mistake, not that of the model that calls later.
  if (typeof origin !== 'function') readSpawn({ ...(origin !== undefined && { origin }) });
  // What the program changes in it later is none of the tool's.
  const fixed = typeof metadata === 'function' ? undefined : readMetadata('metadata', metadata);
  const timeoutMs = duration('`backgroundTimeoutMs`', backgroundTimeoutMs);
  const kept: SubAgentToolOptions = {
    ...(onDetails !== undefined && { onDetails }),
    ...(timeoutMs !== undefined && { backgroundTimeoutMs: timeoutMs }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(canAnswer !== undefined && { canAnswer }),
    ...(typeof metadata === 'function' && { metadata }),
    ...(fixed !== undefined && { metadata: metadataOf(fixed) as Metadata }),
    ...(origin !== undefined && { origin }),
    ...(texts !== undefined && { texts: textsOf(texts) }),
    ...(formatOf(format) === 'json' && { format: 'json' }),
  };
  // Without a prototype, so that only what was given is read of it.
  return { kept, others: Object.assign(Object.create(null), rest) };
}

/** The tool as the core's own export makes it: for the program. */
export function makeTool(runtime: Parts, description: SubAgentToolObject): unknown {
  return assemble(runtime, PROGRAM, {}, description);
}

function assemble(
  runtime: Parts,
  actor: Actor,
  options: SubAgentToolOptions,
  described: Pick<SubAgentToolObject, 'name' | 'description' | 'parameters'>,
  isAlone = false,
): SubAgentTool {
  const { names, descriptions } = runtime.agents;
  const schema = withAgents(described.parameters, names);
  const description = names.length === 0 ? described.description : `${described.description}\n\nWhat \`agent\` may name:\n${descriptions}`;
  const check = (args: unknown): CheckedArguments => checkArguments(args, names);
  return spawnTool(new SpawnCall(runtime, actor, options, {}, isAlone), { name: described.name, description, schema, check });
}

/** The schema, with the parameter `agent` where there are definitions. */
function withAgents(schema: object, names: readonly string[]): object {
  if (names.length === 0) return { ...schema };
  const agent = { type: 'string', enum: names, description: 'The kind of sub-agent to use. Leave it out for a general one.' };
  return { ...schema, properties: { ...(schema as ToolParameters).properties, agent } };
}

/** A tool that spawns, under whatever name and with whatever arguments, unless `instead` has the answer. */
export function spawnTool<Params>(
  call: SpawnCall,
  described: { name: string; description: string; schema: object; check: (args: unknown) => CheckedArguments },
  instead?: (checked: CheckedArguments, context: ToolCallContext) => Promise<ToolAnswer<SubAgentDetails> | undefined>,
): AgentTool<Params, SubAgentDetails> {
  const { name, description, schema, check } = described;
  return toolObject<Params, SubAgentDetails>({
    name,
    label: 'Sub-agent',
    description,
    schema,
    check: (args) => check(args) as unknown as { params: Params } | { mistakes: string[] },
    async call(args, context) {
      const checked = check(args);
      return (await instead?.(checked, context)) ?? call.run(checked, context);
    },
    detailsOf: ({ taskId, turn }) => ({ taskId, background: false, status: 'running', durationMs: null, turns: turn, cost: null }),
  });
}

/** Names of the tools that the model has beside this one, for what it is told. */
export interface OtherTools {
  /** Collects the result of what runs in the background. */
  collect?: string | undefined;
  /** Reads the rest of a result that was cut. */
  rest?: string | undefined;
  /** Answers a question. */
  answer?: string | undefined;
}

/** What the calls of one tool do: spawn, and wait for the end unless it is in the background. */
export class SpawnCall {
  private readonly runtime: Parts;
  private readonly actor: Actor;
  private readonly options: SubAgentToolOptions;
  private readonly others: OtherTools;
  private readonly isAlone: boolean;

  constructor(runtime: Parts, actor: Actor, options: SubAgentToolOptions, others: OtherTools = {}, isAlone = false) {
    this.isAlone = isAlone;
    this.runtime = runtime;
    this.actor = actor;
    // Without a prototype, so that only what was given is read of it.
    this.options = Object.assign(Object.create(null), options);
    this.others = others;
  }

  async run(checked: CheckedArguments, context: ToolCallContext): Promise<ToolAnswer<SubAgentDetails>> {
    this.runtime.check();
    const answer = await this.answer(checked, context);
    const { onDetails } = this.options;
    if (onDetails !== undefined) this.runtime.tell(() => onDetails(answer.details, context.toolCallId));
    return answer;
  }

  /** The order of D6: arguments, the host's own limit, its gate, admission, spawn. */
  private async answer(checked: CheckedArguments, context: ToolCallContext): Promise<ToolAnswer<SubAgentDetails>> {
    const { signal, toolCallId, progress } = context;
    if ('mistakes' in checked) return this.refused(`${checked.mistakes.join('; ')}. Correct the arguments and call again.`);
    const limit = this.hostLimit();
    if (limit !== undefined) return this.refused(limit.why, undefined, limit.full);
    if (signal?.aborted === true) return this.refused('the call was aborted before it began.');
    const { params, checked: given } = checked;
    let live: ActiveRun;
    let request: SpawnRequest;
    const { backgroundTimeoutMs: timeoutMs } = this.options;
    // What these throw is the program's own, and comes back as it is.
    const [key, origin, metadata] = [this.keyOf(toolCallId, params), this.originOf(), this.metadataOf(toolCallId, params)];
    try {
      const idempotencyKey = string('what `idempotencyKey` returns', key);
      const options = {
        ...given,
        ...(idempotencyKey !== undefined && { idempotencyKey }),
        ...(origin !== undefined && { origin }),
        ...(metadata !== undefined && { metadata }),
      };
      request = readSpawn(options, this.runtime, true);
      if (request.background && timeoutMs !== undefined) request = readSpawn({ ...options, timeoutMs }, this.runtime, true);
      request.signal = signal;
      request.answers = this.answers;
      if (this.options.format === 'json') stagedBy(request).json = true;
      if (progress !== undefined && !request.background) request.watch = watcher(progress);
      live = spawn(this.runtime, this.actor, request, params);
    } catch (error) {
      if (isRefusal(error))
        return typeof error.details.report === 'string'
          ? this.reported(error.details.report)
          : this.refused(`${sentence(toldOf(error))}${adviceOn(error.code)}`, error);
      throw error;
    }
    const modelId = request.staged?.modelId ?? this.modelOf(live);
    try {
      if (request.repeated === true) return await this.repeated(live, request.background, signal);
      if (!request.background) return await this.outcome(live, modelId);
      await (live.named && within(live.named.promise, limitOf(this.runtime, 'graceMs')));
      this.runtime.check();
      // Its end comes as a notice, once. It is told here, and collected, where there is no inbox, and where the call
      // itself was aborted before it could be answered.
      const isToldHere = hasFired(signal) || (this.isAlone && live.result?.success === false);
      return isToldHere ? await this.outcome(live, modelId) : this.movedOn(live, modelId);
    } catch (error) {
      // A listener that heard of its start has stopped the caller, or has had its end forgotten: that end is the answer.
      if (isRefusal(error) && live.result !== undefined) return this.ended(live, live.result, modelId);
      throw error;
    }
  }

  /** What comes of it: its end, unless it moves on or asks before. */
  private async outcome(live: ActiveRun, modelId: string | undefined): Promise<ToolAnswer<SubAgentDetails>> {
    try {
      const result = (await this.runtime.waits.waitFor(this.actor, live, Number.POSITIVE_INFINITY)) as RunResult;
      return result.backgrounded ? this.movedOn(live, modelId) : this.ended(live, result, modelId);
    } catch (error) {
      if (isRefusal(error) && error.code === 'needs_input') return this.asks(live, modelId);
      throw error;
    }
  }

  /** The key of a call, where the host makes one. */
  private keyOf(toolCallId: string | undefined, params: SubAgentParamsType): unknown {
    const { idempotencyKey } = this.options;
    return idempotencyKey === undefined ? undefined : idempotencyKey(toolCallId, params);
  }

  /** What the host hangs on the sub-agent of a call. */
  private metadataOf(toolCallId: string | undefined, params: SubAgentParamsType): Metadata | undefined {
    const { metadata } = this.options;
    return typeof metadata === 'function' ? metadata(toolCallId, params) : metadata;
  }

  /** Where the work of a call comes from, where the host says. */
  private originOf(): Partial<Origin> | undefined {
    const { origin } = this.options;
    return typeof origin === 'function' ? origin() : origin;
  }

  /** The call was made before: nothing was started, and its sub-agent is not this call's to cancel. */
  private async repeated(live: ActiveRun, background: boolean, signal: AbortSignal | undefined): Promise<ToolAnswer<SubAgentDetails>> {
    const view = this.runtime.lookup.snapshot(live.slot, live.generation);
    const modelId = view.modelId ?? undefined;
    if (background) {
      const { taskId, status, label } = view;
      const details = { ...hostIdOf(view), taskId, background: true, status, durationMs: null, turns: null, cost: null };
      const text = `Subagent [${quoted(label, LABEL_CHARS)}] was started before (id: ${idTold(this.runtime, view)}); it is ${status}.`;
      return { text: this.told(text, taskId, status), details: this.withModel(details, modelId) };
    }
    try {
      const result = (await this.runtime.waits.waitFor(this.actor, live, Number.POSITIVE_INFINITY, signal)) as RunResult;
      return result.backgrounded ? this.started(live, modelId) : this.ended(live, result, modelId);
    } catch (error) {
      if (isRefusal(error) && error.code === 'needs_input') return this.asks(live, modelId);
      if (!(isRefusal(error) && error.code === 'aborted')) throw error;
      const status = underWay(view);
      const details = { ...hostIdOf(view), taskId: view.taskId, background: false, status, durationMs: null, turns: null, cost: null };
      const text = `The call was aborted; sub-agent ${idTold(this.runtime, view)}, which was started before, goes on.`;
      return { text: this.told(text, view.taskId, status), details: this.withModel(details, modelId) };
    }
  }

  /** Who could answer, as flags of the core. */
  private get answers(): number {
    const { canAnswer } = this.options;
    if (canAnswer === undefined) return 16;
    return canAnswer ? 0 : 32;
  }

  /** The call is over, the sub-agent is not: it asks, and goes on in the background (M5). */
  private async asks(live: ActiveRun, modelId: string | undefined): Promise<ToolAnswer<SubAgentDetails>> {
    const { slot, generation, taskId } = live;
    const { actor } = this;
    const question = this.runtime.call((core) => core.questionText(slot, generation));
    const goesOn = this.runtime.act((core) => core.moveToBackground(now(), actor.slot, actor.generation, actor.run, slot, generation));
    // It may have ended before this call heard of the question.
    if (!goesOn) return this.outcome(live, modelId);
    this.letGoOfCall(live);
    const asked =
      question === undefined
        ? `Subagent [${quoted(live.brief().label, LABEL_CHARS)}] (id: ${this.runtime.call((core) => core.toldId(slot, generation))}) asked, and has been answered meanwhile.`
        : `${question}\n${howToAnswer(this.others.answer)}`;
    const said = `${asked} It goes on in the background; I'll notify you when it completes.`;
    const text = this.isJson ? reportText({ ...reportOfNone(taskId, 'running', null), output: said }) : said;
    const details = { taskId, background: true, status: 'running', durationMs: null, turns: null, cost: null };
    return { text, details: this.withModel(details, modelId) };
  }

  /** The call is answered before the end: its signal is not the sub-agent's any more (X3). */
  private movedOn(live: ActiveRun, modelId: string | undefined): ToolAnswer<SubAgentDetails> {
    this.letGoOfCall(live);
    return this.started(live, modelId);
  }

  private letGoOfCall(live: ActiveRun): void {
    live.unfollow?.();
    live.unfollow = undefined;
  }

  /** Why the host's own `canSpawn` refuses, if it does. */
  private hostLimit(): { why: string; full?: Full } | undefined {
    const { canSpawn, getConcurrencyInfo } = this.runtime.functions;
    if (canSpawn === undefined) return undefined;
    try {
      if (canSpawn() === true) return undefined;
      const info = getConcurrencyInfo?.();
      const full = info === undefined ? 'the limit of sub-agents is reached' : `${info.active} of ${info.limit} sub-agents are running`;
      const why = `${full}. Wait until one ends, or do the work yourself.`;
      return { why, full: { active: info?.active, limit: info?.limit } };
    } catch (error) {
      return { why: `the host could not say whether a sub-agent may start: ${quoted(messageOf(error), ERROR_CHARS)}.` };
    }
  }

  private refused(why: string, error?: SubAgentError, full = fullBy(error)): ToolAnswer<SubAgentDetails> {
    const usual = `No sub-agent was started: ${why}`;
    const { texts } = this;
    const text =
      full === undefined
        ? said(this.runtime, 'refused', texts?.refused, { reason: why, text: usual })
        : said(this.runtime, 'limitReached', texts?.limitReached, { ...full, text: usual });
    const details = this.detailsOfNone(error);
    const { taskId, status } = details;
    return { text: this.told(text, taskId || null, status, text), details };
  }

  private detailsOfNone(error?: SubAgentError): SubAgentDetails {
    const forgotten = error?.code === 'idempotency_forgotten';
    const taskId = forgotten ? (error.details.taskId as string) : '';
    const status = forgotten ? 'forgotten' : 'refused';
    return this.withModel({ taskId, background: false, status, durationMs: null, turns: null, cost: null });
  }

  /** The program's own words, which are for text alone. */
  private get texts(): SubAgentTexts | undefined {
    return this.isJson ? undefined : this.options.texts;
  }

  private get isJson(): boolean {
    return this.options.format === 'json';
  }

  /** What there is to tell beside results. */
  private told(text: string, taskId: string | null, status: string, error: string | null = null): string {
    return this.isJson ? reportText(reportOfNone(taskId, status, error)) : text;
  }

  /** A policy answered in the place of a sub-agent. */
  private reported(report: string): ToolAnswer<SubAgentDetails> {
    const details = this.detailsOfNone();
    const isBare = this.isJson && readReport(report) === undefined;
    return { text: isBare ? reportText({ ...reportOfNone(null, 'refused', null), output: report }) : report, details };
  }

  private started(live: ActiveRun, modelId: string | undefined): ToolAnswer<SubAgentDetails> {
    const { taskId, hostTaskId, slot, generation } = live;
    const { collect } = this.others;
    const id = this.runtime.call((core) => core.toldId(slot, generation));
    const view = live.snapshot();
    const { label } = view;
    const status = underWay(view);
    const usual = `${startedText({ label, taskId: id })}${collect === undefined ? '' : ` ${collect} gets its result.`}`;
    const own = said(this.runtime, 'started', this.texts?.started, { id, taskId, hostTaskId, label, text: usual });
    const text = this.told(own, taskId, status);
    const details: SubAgentDetails = { taskId, background: true, status, durationMs: null, turns: null, cost: null };
    if (hostTaskId !== undefined) details.hostTaskId = hostTaskId;
    return { text, details: this.withModel(details, modelId) };
  }

  private ended(live: ActiveRun, result: RunResult, modelId?: string): ToolAnswer<SubAgentDetails> {
    const { status, hostStatus } = result;
    const { turns, costUsd: cost, durationMs } = result.figures;
    const { rest } = this.others;
    const isCut = rest !== undefined && !this.isJson && this.runtime.write(result.output) > limitOf(this.runtime, 'inlineBytes');
    const usual = isCut ? `${result.text}\n${rest} shows what was left out.` : result.text;
    const details: SubAgentDetails = { taskId: live.taskId, background: live.background, status, durationMs, turns, cost };
    if (result.hostTaskId !== undefined) details.hostTaskId = result.hostTaskId;
    if (hostStatus !== undefined) details.hostStatus = hostStatus;
    if (result.artifacts.length > 0) details.artifacts = result.artifacts;
    const name = status === 'completed' ? 'completed' : 'failed';
    const own = this.texts?.[name];
    const text = own === undefined ? usual : said(this.runtime, name, own, this.factsOf(live, result, details, usual));
    return { text, details: this.withModel(details, modelId) };
  }

  /** The model that a sub-agent was given, or has from its parent. */
  private modelOf({ slot, generation }: ActiveRun): string | undefined {
    return this.runtime.isClosed ? undefined : this.runtime.call((core) => core.modelId(slot, generation));
  }

  /** What the program's own text for an end is given. */
  private factsOf(live: ActiveRun, result: RunResult, { turns, cost, durationMs }: SubAgentDetails, text: string): EndedFacts {
    const { taskId, slot, generation } = live;
    const { hostTaskId, status, stopReason, output } = result;
    const id = this.runtime.call((core) => core.toldId(slot, generation));
    const label = labelOf(live);
    // The first line has the facts; what follows is marked as the sub-agent's.
    const at = text.indexOf('\n');
    const fenced = at < 0 ? '' : text.slice(at + 1);
    return { id, taskId, hostTaskId, label, status, stopReason, turns, cost, durationMs, output, fenced, text };
  }

  private withModel(details: SubAgentDetails, given?: string): SubAgentDetails {
    try {
      const modelId: unknown = given ?? this.runtime.functions.getModelId?.();
      return typeof modelId === 'string' ? { ...details, modelId } : details;
    } catch {
      return details;
    }
  }
}

/** Whether a signal has fired by now. */
function hasFired(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** The status of one whose call is answered before its end. */
function underWay({ status }: Pick<TaskSnapshot, 'status'>): TaskStatus {
  return status === 'pending' ? 'pending' : 'running';
}

/** Whether it is a refusal, and the manager itself goes on. */
function isRefusal(error: unknown): error is SubAgentError {
  return isOurs(error) && error.code !== 'disposed' && error.code !== 'internal';
}

/** A reason of the host's may end as a sentence does. */
function sentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}

/** The label of one that may be forgotten by now: then it is empty. */
function labelOf(live: ActiveRun): string {
  try {
    return live.brief().label;
  } catch (error) {
    if (isRefusal(error)) return '';
    throw error;
  }
}

/** How many run, of how many. */
type Full = Pick<LimitFacts, 'active' | 'limit'>;

/** The limit that refused, where it was one that is met when others end. */
function fullBy(error: SubAgentError | undefined): Full | undefined {
  if (error === undefined || !FULL.has(error.code)) return undefined;
  const { active, limit } = error.details;
  return { active, limit };
}

const FULL = new Set<SubAgentErrorCode>(['concurrency_limit', 'queue_full', 'children_limit', 'tasks_limit', 'abandoned_limit']);

/** What a model can do about a refusal. */
function adviceOn(code: SubAgentErrorCode): string {
  if (['concurrency_limit', 'queue_full', 'children_limit'].includes(code)) return ' Wait until one ends, or do the work yourself.';
  return ['budget_exhausted', 'depth_limit', 'draining', 'abandoned_limit', 'tasks_limit'].includes(code) ? ' Do the work yourself.' : '';
}

/** The host's own id in what an answer gives the program. */
function hostIdOf({ hostTaskId }: TaskSnapshot): { hostTaskId?: string } {
  return hostTaskId === null ? {} : { hostTaskId };
}
