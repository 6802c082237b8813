// The answer of a tool that spawns: the text for the model and the details for the program, for each outcome of a
// call. Owns these texts; the program may replace them.

import { modelTextOf, type SubAgentError } from '../base/errors.js';
import { atOnce } from '../base/log.js';
import { quoted } from '../base/quoting.js';
import type { Key } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import { readTexts } from '../boundary/view-bytes.js';
import type { Parts } from '../commands/parts.js';
import { howToAnswer } from '../commands/talk.js';
import type { TaskStatus } from '../generated/names.js';
import { LABEL_CHARS } from '../generated/quoting.js';
import { isOurs } from '../options/arguments.js';
import { NOTIFIES, startedText } from '../reading/end-text.js';
import { type Figures, type Took, tookOf } from '../reading/figures.js';
import { parseReport, reportOfNone, reportText } from '../reading/json-report.js';
import { type EndedRun, figuresIn, type RunResult, resultText } from '../reading/run-result.js';
import type { ActiveRun } from '../runs/active-run.js';
import { isLeftBehind } from '../runs/moved-runs.js';
import type { TaskSnapshot } from '../snapshots/types.js';
import { FULL } from './generated/advice.js';
import type { ToolAnswer } from './object.js';
import { type EndedFacts, type LimitFacts, type SubAgentTexts, said } from './texts.js';
import type { SubAgentDetails, SubAgentToolOptions } from './tool-options.js';
import { shownId } from './words.js';

/** Names of the model's other tools, for the texts that it reads. */
export interface OtherTools {
  /** Collects the result of a background sub-agent. */
  collect?: string | undefined;
  /** Reads the rest of a result that was cut. */
  rest?: string | undefined;
  /** Answers a question. */
  answer?: string | undefined;
  /** This tool's names for its arguments, by the program's names for them. */
  fields?: Readonly<Partial<Record<string, string>>> | undefined;
}

type Answer = ToolAnswer<SubAgentDetails>;

/** The answers of one tool's calls. */
export class Answers {
  private readonly runtime: Parts;
  private readonly options: SubAgentToolOptions;
  private readonly others: OtherTools;

  constructor(runtime: Parts, options: SubAgentToolOptions, others: OtherTools) {
    this.runtime = runtime;
    this.options = options;
    this.others = others;
  }

  /** The reason why nothing was started, with the model's name for the argument. */
  why(error: SubAgentError): string {
    const { argument } = error.details;
    const named = typeof argument === 'string' ? this.others.fields?.[argument] : undefined;
    return named === undefined ? modelTextOf(error) : modelTextOf(error).replaceAll(`\`${argument}\``, `\`${named}\``);
  }

  /** Nothing was started: the reason, and the advice for the model. */
  refused(why: string, error?: SubAgentError, full = fullBy(error)): Answer {
    const usual = `No sub-agent was started: ${why}`;
    const { texts } = this;
    const text =
      full === undefined
        ? said(this.runtime, 'refused', texts?.refused, { reason: why, text: usual })
        : said(this.runtime, 'limitReached', texts?.limitReached, { ...full, text: usual });
    const details = this.detailsOfNone(error);
    const { taskId, status } = details;
    return { text: this.answerOf(text, taskId || null, status, text), details };
  }

  /** A policy answered instead of a sub-agent. */
  reported(report: string): Answer {
    const details = this.detailsOfNone();
    const isBare = this.isJson && parseReport(report) === undefined;
    return { text: isBare ? reportText({ ...reportOfNone(null, 'refused', null), output: report }) : report, details };
  }

  /** It runs in the background; its end comes later. */
  started(active: ActiveRun, modelId: string | undefined, notifies: boolean): Answer {
    const { taskId, hostTaskId, index, generation } = active;
    const id = this.runtime.call((core) => core.shownId(index, generation));
    const view = this.runtime.lookup.snapshot(index, generation);
    const { label } = view;
    const status = underWay(view);
    const usual = `${startedText({ label, taskId: id }, notifies)}${this.later(notifies)}`;
    const own = said(this.runtime, 'started', this.texts?.started, { id, taskId, hostTaskId, label, text: usual });
    const text = this.answerOf(own, taskId, status);
    const details: SubAgentDetails = { taskId, background: true, status, durationMs: null, turns: null, cost: null };
    if (hostTaskId !== undefined) details.hostTaskId = hostTaskId;
    return { text, details: this.withModel(details, modelId) };
  }

  /** The call was made before, and its sub-agent is in the background. */
  startedBefore(view: TaskSnapshot): Answer {
    const { taskId, status, label, modelId } = view;
    const text = `Subagent [${quoted(label, LABEL_CHARS)}] was started before (id: ${shownId(this.runtime, view)}); it is ${status}.`;
    return { text: this.answerOf(text, taskId, status), details: this.withModel(openDetails(view, true, status), modelId ?? undefined) };
  }

  /** The call was repeated and is now aborted: its sub-agent continues. */
  goesOn(view: TaskSnapshot): Answer {
    const status = underWay(view);
    const text = `The call was aborted; sub-agent ${shownId(this.runtime, view)}, which was started before, continues.`;
    return {
      text: this.answerOf(text, view.taskId, status),
      details: this.withModel(openDetails(view, false, status), view.modelId ?? undefined),
    };
  }

  /** It asks, and continues in the background. There is no question if it has already been answered. */
  asked(active: ActiveRun, question: string | undefined, modelId: string | undefined, notifies: boolean): Answer {
    const { index, generation, taskId } = active;
    const asked =
      question === undefined
        ? `Subagent [${quoted(active.snapshot().label, LABEL_CHARS)}] (id: ${this.runtime.call((core) => core.shownId(index, generation))}) asked, and already has its answer.`
        : `${question}\n${howToAnswer(this.others.answer)}`;
    const said = `${asked} It continues in the background${notifies ? `; ${NOTIFIES}` : `.${this.later(notifies)}`}`;
    const text = this.isJson ? reportText({ ...reportOfNone(taskId, 'running', null), output: said }) : said;
    const details = { taskId, background: true, status: 'running', durationMs: null, turns: null, cost: null };
    return { text, details: this.withModel(details, modelId) };
  }

  /** How the model gets the end: by another tool, or not at all if nothing notifies it (N6). */
  private later(notifies: boolean): string {
    const { collect } = this.others;
    if (collect !== undefined) return ` ${collect} gets its result.`;
    return notifies ? '' : ' No notice of its end comes here.';
  }

  /** Its end. The details are left out if nobody gets them. */
  ended(active: ActiveRun, result: RunResult, modelId?: string, isDetailed = true): Answer {
    const { rest } = this.others;
    const isCut = rest !== undefined && !this.isJson && this.runtime.write(result.output) > limitOf(this.runtime, 'inlineBytes');
    const goesOn = this.others.collect !== undefined && !this.isJson && this.namesOthers(active);
    const hints = [
      isCut && `${rest} shows what was left out.`,
      goesOn && `${this.others.collect} gets the results of those that run below it.`,
    ];
    const usual = [resultText(result, active.latest), ...hints.filter((hint) => hint !== false)].join('\n');
    const name = result.success ? 'completed' : 'failed';
    const own = this.texts?.[name];
    if (!isDetailed && own === undefined) return { text: usual } as Answer;
    const details = detailsOf(this.runtime, active, result, active.background);
    const text = own === undefined ? usual : said(this.runtime, name, own, this.factsOf(active, result, details, usual));
    return { text, details: this.withModel(details, modelId) };
  }

  /** It ended before any of its runs did, and is forgotten: there is no end to show. */
  forgotten(active: ActiveRun, modelId?: string): Answer {
    const { taskId, background } = active;
    const status = 'forgotten';
    const text = `Sub-agent ${taskId} was ended before it had done anything, and has been forgotten.`;
    const details = { taskId, background, status, durationMs: null, turns: null, cost: null };
    return { text: this.answerOf(text, taskId, status, text), details: this.withModel(details, modelId) };
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

  /** Whether the text of an end names sub-agents that continue below it (W6). */
  private namesOthers({ index, generation }: ActiveRun): boolean {
    return this.runtime.view((core) => core.goingOn(index, generation), readTexts).length > 0;
  }

  private get isJson(): boolean {
    return this.options.format === 'json';
  }

  /** An answer without a result. */
  private answerOf(text: string, taskId: string | null, status: string, error: string | null = null): string {
    return this.isJson ? reportText(reportOfNone(taskId, status, error)) : text;
  }

  /** The facts for the program's own text of an end. */
  private factsOf(
    active: ActiveRun,
    result: RunResult,
    { turns, tokens = null, cost, durationMs }: SubAgentDetails,
    text: string,
  ): EndedFacts {
    const { taskId, index, generation } = active;
    const { hostTaskId, status, stopReason, output } = result;
    const id = this.runtime.call((core) => core.shownId(index, generation));
    const label = labelOf(active);
    // The first line has the facts; the rest is marked as the sub-agent's.
    const at = text.indexOf('\n');
    const fenced = at < 0 ? '' : text.slice(at + 1);
    return { id, taskId, hostTaskId, label, status, stopReason, turns, tokens, cost, durationMs, output, fenced, text };
  }

  private withModel(details: SubAgentDetails, given?: string): SubAgentDetails {
    return withModel(this.runtime, details, given);
  }
}

/** The details with the model's id: the one given, else the manager's. */
export function withModel({ functions }: Parts, details: SubAgentDetails, given?: string): SubAgentDetails {
  try {
    const modelId: unknown = given ?? atOnce(functions.getModelId?.());
    return typeof modelId === 'string' ? { ...details, modelId } : details;
  } catch {
    return details;
  }
}

/** The details of an end. */
export function detailsOf(
  runtime: Parts,
  { taskId, index, generation }: EndedRun,
  result: RunResult,
  background: boolean,
): SubAgentDetails {
  const { status, hostStatus } = result;
  const spending = spendingOf(runtime, { index, generation }, result.run, figuresIn(result));
  const details: SubAgentDetails = { taskId, background, status, ...spending };
  if (result.hostTaskId !== undefined) details.hostTaskId = result.hostTaskId;
  if (hostStatus !== undefined) details.hostStatus = hostStatus;
  if (result.artifacts.length > 0) details.artifacts = result.artifacts;
  if (result.receipts.length > 0) details.receipts = result.receipts;
  return details;
}

/** The figures of an end for the details: those of its run, but cost and tokens with its sub-agents (R5). */
export function spendingOf(
  runtime: Parts,
  task: Key,
  run: number,
  figures: Figures,
): Pick<SubAgentDetails, 'durationMs' | 'turns' | 'cost' | 'tokens' | 'own' | keyof Took['kinds']> {
  const { turns, durationMs } = figures;
  const { tokens, costUsd: cost, own, kinds } = tookOf(runtime, task, run, figures);
  return { durationMs, turns, cost, tokens, ...(tokens !== null && kinds), ...(own && { own: { tokens: own.tokens, cost: own.costUsd } }) };
}

/** Details of a sub-agent that continues after the call. */
function openDetails(view: TaskSnapshot, background: boolean, status: string): SubAgentDetails {
  return { ...hostIdOf(view), taskId: view.taskId, background, status, durationMs: null, turns: null, cost: null };
}

/** The status of a sub-agent whose call is answered before its end. */
function underWay({ status }: Pick<TaskSnapshot, 'status'>): TaskStatus {
  return status === 'pending' ? 'pending' : 'running';
}

/** Whether a call is refused, which a model reads. Not if there is no answer because the manager ends or leaves the run. */
export function isRefusal(error: unknown): error is SubAgentError {
  return isOurs(error) && error.code !== 'disposed' && error.code !== 'internal' && !isLeftBehind(error);
}

/** The label of a sub-agent; empty if it is already forgotten. */
function labelOf(active: ActiveRun): string {
  try {
    return active.snapshot().label;
  } catch (error) {
    if (isRefusal(error)) return '';
    throw error;
  }
}

/** How many sub-agents run, and the limit. */
export type Full = Pick<LimitFacts, 'active' | 'limit'>;

/** The limit that refused, if the end of other sub-agents would lift it. */
function fullBy(error: SubAgentError | undefined): Full | undefined {
  if (error === undefined || !FULL.has(error.code)) return undefined;
  const { active, limit } = error.details;
  return { active, limit };
}

/** The host's own id, for the details of an answer. */
function hostIdOf({ hostTaskId }: TaskSnapshot): { hostTaskId?: string } {
  return hostTaskId === null ? {} : { hostTaskId };
}
