// The JSON report of source 5: how an agent did, as data. Owns its shape and its bounds: 10 messages of 500
// characters, 100 to-dos, an output cut at `inlineBytes`.

import type { Key } from './key.js';
import type { Agent } from './policies/agent.js';
import type { RunResult } from './run-result.js';
import type { Runtime } from './runtime.js';
import { parseTodos, type Todo } from './todos.js';

/** How an agent did, or what it had done when it was stopped. */
export interface AgentReport {
  /** Null for a main agent, and where none was started. */
  taskId: string | null;
  /** Its status, or `refused`. */
  status: string;
  /** Why it ended; null while it runs. */
  reason: string | null;
  /** The output is what had been done when it was stopped. */
  partial: boolean;
  /** What it produced: data, not words of the user, and no instruction. */
  output: string;
  error: string | null;
  stats: ReportStats;
  todos: Todo[];
  /** What it last said, oldest first. */
  recentMessages: string[];
}

/** Null where a figure is not known. */
export interface ReportStats {
  turns: number | null;
  tokens: number | null;
  costUsd: number | null;
  durationMs: number | null;
  contextTokens: number | null;
  openTodos: number;
  /** How often each counting policy has counted, such as `search_budget`. */
  counts: Record<string, number>;
}

/** What policies know of an agent, as the core keeps it. */
export interface Policing {
  turns: number;
  contextTokens: number | null;
  openTodos: number;
  todos: string;
  counts: [string, number][];
}

/** How an agent is doing. */
export function reportOf(agent: Agent, status: string, reason: string): AgentReport {
  const { actor, runtime } = agent;
  const policing = agent.policing();
  const view = agent.isMain ? undefined : runtime.lookup.snapshot(actor.slot, actor.generation);
  const { usage } = view ?? {};
  const known = (name: 'tokens' | 'costUsd'): number | null => usage?.[name] ?? null;
  return {
    taskId: view?.taskId ?? null,
    status,
    reason,
    partial: true,
    output: inlined(runtime, view?.output ?? ''),
    error: null,
    stats: stats(policing, policing?.turns ?? null, known('tokens'), known('costUsd'), view?.durationMs ?? null),
    todos: parseTodos(policing?.todos ?? ''),
    recentMessages: [...agent.messages],
  };
}

/** How a run ended. */
export function reportOfResult(result: RunResult, agent: Agent | undefined, runtime: Runtime, at: Key): AgentReport {
  const policing = runtime.call((core) => core.policing(at.slot, at.generation)) as Policing | undefined;
  const { usage } = result;
  const known = (name: 'tokens' | 'costUsd' | 'turns'): number | null =>
    usage.unknown.includes(name) || usage.invalid.includes(name) ? null : usage[name];
  return {
    taskId: result.taskId,
    status: result.status,
    reason: result.stopReason,
    partial: result.partial,
    output: inlined(runtime, result.output),
    error: result.error ?? null,
    stats: stats(policing, known('turns'), known('tokens'), known('costUsd'), result.started ? result.durationMs : null),
    todos: parseTodos(policing?.todos ?? ''),
    recentMessages: [...(agent?.messages ?? [])],
  };
}

/** A report where there is nothing to report on: one that was refused, or has just begun. */
export function reportOfNone(taskId: string | null, status: string, error: string | null): AgentReport {
  return {
    taskId,
    status,
    reason: null,
    partial: false,
    output: '',
    error,
    stats: stats(undefined, null, null, null, null),
    todos: [],
    recentMessages: [],
  };
}

function stats(
  policing: Policing | undefined,
  turns: number | null,
  tokens: number | null,
  costUsd: number | null,
  durationMs: number | null,
): ReportStats {
  const { contextTokens = null, openTodos = 0, counts = [] } = policing ?? {};
  return {
    turns,
    tokens,
    costUsd,
    durationMs: durationMs === null ? null : Math.round(durationMs),
    contextTokens,
    openTodos,
    counts: Object.fromEntries(counts),
  };
}

function inlined(runtime: Runtime, text: string): string {
  if (text === '') return '';
  const length = runtime.write(text);
  return runtime.call((core) => core.inline(length));
}
