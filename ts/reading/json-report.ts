// The JSON report of an agent, in Oxide's form. Owns its shape and its bounds: 10 messages of 500 characters, 100
// to-dos, an output cut at `inlineBytes`.

import { jsonForModel } from '../base/quoting.js';
import type { Actor, Key } from '../boundary/key.js';
import { optional, readTexts } from '../boundary/view-bytes.js';
import type { TokenKinds } from '../options/host-result.js';
import { parseTodos, type Todo } from '../options/todos.js';
import { type Figures, figuresOf, type Took, tookOf } from './figures.js';
import type { Policing } from './generated/policing.js';
import { readPolicing } from './generated/policing-readers.js';
import type { Reading } from './lookup.js';

/** The policies' data on a run, for its report. */
export interface ReportedAgent {
  /** Its last messages, oldest first. */
  readonly messages: readonly string[];
  /** The report of a policy that finished it, or was asked on its timeout. */
  readonly report: string | undefined;
}

/** A working agent. */
interface Reported extends ReportedAgent {
  readonly runtime: Reading;
  readonly actor: Actor;
  readonly isMain: boolean;
  policing(): Policing | undefined;
}

/** The end of a run. */
interface ReportedResult {
  readonly taskId: string;
  readonly run: number;
  readonly status: string;
  readonly stopReason: string;
  readonly partial: boolean;
  readonly output: string;
  readonly error: string | undefined;
  readonly figures: Figures;
}

/** The outcome of an agent, or its unfinished work. */
export interface AgentReport {
  /** The sub-agent's id; null for a main agent, or if none was started. */
  taskId: string | null;
  /** The status of the sub-agent; `refused` if none was started. */
  status: string;
  /** Why it ended; null while it runs. */
  reason: string | null;
  /** The output is unfinished: the run was stopped or broke off. */
  partial: boolean;
  /** Its output: data, not words of the user, and no instruction. */
  output: string;
  /** Its error; null if there is none. */
  error: string | null;
  /** Its usage. */
  stats: ReportStats;
  /** Its to-do list as last reported: at most 100. */
  todos: Todo[];
  /** Its last messages, oldest first. */
  recentMessages: string[];
  /** Its own sub-agents that continue in the background, each with its id and label; left out if there are none. */
  goingOn?: string[];
}

/**
 * The usage of an agent, in all its runs and with its sub-agents. An unknown figure is null; unknown kinds of tokens are left
 * out.
 */
export interface ReportStats extends TokenKinds {
  /** Turns of its last run. */
  turns: number | null;
  /** Tokens, input and output together. */
  tokens: number | null;
  /** US dollars. */
  costUsd: number | null;
  /** The usage of its last run itself, if that is less; else left out. */
  own?: {
    /** Its tokens; null if they are not known. */
    tokens: number | null;
    /** Its dollars; null if they are not known. */
    costUsd: number | null;
  };
  /** Milliseconds. */
  durationMs: number | null;
  /** The size of its context as last reported, in tokens. */
  contextTokens: number | null;
  /** The number of its open to-dos. */
  openTodos: number;
  /** The count of each counting policy, such as `search_budget`. */
  counts: Record<string, number>;
}

/** The report of an agent that still works. */
export function reportOf(agent: Reported, status: string, reason: string): AgentReport {
  const { actor, runtime } = agent;
  const policing = agent.policing();
  const view = agent.isMain ? undefined : runtime.lookup.snapshot(actor.index, actor.generation);
  const figures = view === undefined ? NO_FIGURES : figuresOf(view.usage, view.startedAt !== null, view.durationMs);
  const took = view === undefined ? {} : tookOf(runtime, actor, view.run, figures);
  return {
    taskId: view?.taskId ?? null,
    status,
    reason,
    partial: true,
    output: inlined(runtime, view?.output ?? ''),
    error: null,
    stats: stats(policing, { ...figures, ...took, turns: policing?.turns ?? null }),
    todos: parseTodos(policing?.todos ?? ''),
    recentMessages: [...agent.messages],
  };
}

/** The report of a run's end. */
export function reportOfResult(result: ReportedResult, agent: ReportedAgent | undefined, runtime: Reading, at: Key): AgentReport {
  const policing = runtime.view((core) => core.policing(at.index, at.generation), optional(readPolicing));
  const goingOn = runtime.view((core) => core.goingOn(at.index, at.generation), readTexts);
  return {
    taskId: result.taskId,
    status: result.status,
    reason: result.stopReason,
    partial: result.partial,
    output: inlined(runtime, outputOf(result, agent, runtime, at)),
    error: result.error ?? null,
    stats: stats(policing, { ...result.figures, ...tookOf(runtime, at, result.run, result.figures) }),
    todos: parseTodos(policing?.todos ?? ''),
    recentMessages: [...(agent?.messages ?? [])],
    ...(goingOn.length > 0 && { goingOn }),
  };
}

/** A report as a model reads it. */
export function reportText(report: AgentReport): string {
  return jsonForModel(report);
}

/** A report without a result: for a spawn that was refused, or has just begun. */
export function reportOfNone(taskId: string | null, status: string, error: string | null): AgentReport {
  return {
    taskId,
    status,
    reason: null,
    partial: false,
    output: '',
    error,
    stats: stats(undefined, NO_FIGURES),
    todos: [],
    recentMessages: [],
  };
}

const NO_FIGURES: Figures = { tokens: null, costUsd: null, turns: null, durationMs: null };

function stats(policing: Policing | undefined, took: Figures & Partial<Took>): ReportStats {
  const { tokens, costUsd, own, kinds, turns, durationMs } = took;
  const { contextTokens = null, openTodos = 0, counts = [] } = policing ?? {};
  return {
    turns,
    tokens,
    ...kinds,
    costUsd,
    ...(own !== undefined && { own }),
    durationMs: durationMs === null ? null : Math.round(durationMs),
    contextTokens,
    openTodos,
    counts: Object.fromEntries(counts.map(({ name, count }) => [name, count])),
  };
}

/** The output of a run. If a policy's report replaces it, the output in that report: a report never contains a report. */
function outputOf(result: ReportedResult, agent: ReportedAgent | undefined, runtime: Reading, { index, generation }: Key): string {
  const { output } = result;
  const report = output === '' ? null : madeByPolicy(result, agent, runtime, index, generation);
  if (report === null || report !== output) return output;
  const said = parseReport(report);
  return said === undefined ? output : said.output || (said.recentMessages.at(-1) ?? '');
}

/** The report by which a policy ended a run: from the policy if it is known here, else from the core. Null if there is none. */
function madeByPolicy(
  result: ReportedResult,
  agent: ReportedAgent | undefined,
  runtime: Reading,
  index: number,
  generation: number,
): string | null {
  if (agent?.report !== undefined) return agent.report;
  if (runtime.isClosed || runtime.call((core) => core.status(index, generation)) < 0) return null;
  const { run, report } = runtime.lookup.snapshot(index, generation);
  return run === result.run ? report : null;
}

/** A text as a report, if it is one. */
export function parseReport(text: string): AgentReport | undefined {
  if (!text.startsWith('{"taskId":')) return undefined;
  try {
    const { output, recentMessages, stats, status } = JSON.parse(text) as Partial<AgentReport>;
    const isOne = typeof status === 'string' && typeof output === 'string' && typeof stats === 'object' && Array.isArray(recentMessages);
    return isOne ? (JSON.parse(text) as AgentReport) : undefined;
  } catch {
    return undefined;
  }
}

function inlined(runtime: Reading, text: string): string {
  if (text === '') return '';
  const length = runtime.write(text);
  return runtime.call((core) => core.inline(length));
}
