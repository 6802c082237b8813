// How a run ended, as those who waited for it get it. Owns the shape.

import { dimensionsOf } from '../base/fact-fields.js';
import type { Receipt } from '../base/receipt.js';
import type { Ended } from '../boundary/ended.js';
import type { Returned } from '../boundary/scratch.js';
import type { RunTokens } from '../boundary/tokens.js';
import { END_INVALID_AT, END_UNKNOWN_AT } from '../generated/codes.js';
import { type Dimension, STOP_REASONS, type StopReason, TASK_STATUSES, type TaskStatus } from '../generated/names.js';
import type { RunUsage, TaskSnapshot } from '../snapshots/types.js';
import { endText } from './end-text.js';
import { type Figures, figuresOf } from './figures.js';
import { type ReportedAgent, reportOfResult, reportText } from './json-report.js';
import type { Reading } from './lookup.js';
import { startedText } from './started-text.js';

/** The run whose result it is, as far as the result asks it. */
export interface EndedRun {
  readonly runtime: Reading;
  readonly index: number;
  readonly generation: number;
  readonly run: number;
  readonly taskId: string;
  readonly hostTaskId: string | undefined;
  readonly format: 'text' | 'json';
  /** What its policies know of it, where one was asked. */
  readonly agent: ReportedAgent | undefined;
}

// Shared by nearly all results, so that they cost nothing; frozen, so that no user changes them for others.
const NO_DIMENSIONS = Object.freeze([]) as unknown as Dimension[];
const NO_KINDS: RunTokens = Object.freeze({
  inputTokens: null,
  outputTokens: null,
  cacheReadTokens: null,
  cacheWriteTokens: null,
  cacheWrite1hTokens: null,
  reasoningTokens: null,
  estimated: false,
});
const NO_RECEIPTS: readonly Receipt[] = Object.freeze([]);
const NO_ARTIFACTS: readonly Record<string, unknown>[] = Object.freeze([]);

function dimensions(bits: number): Dimension[] {
  return (bits & 7) === 0 ? NO_DIMENSIONS : dimensionsOf(bits);
}

/**
 * How a run ended: a plain object. A run that failed is a result like any other: waiting never rejects for it.
 */
export interface RunResult<Value = unknown> {
  /** The sub-agent's id. */
  readonly taskId: string;
  /** Whether it completed. */
  readonly success: boolean;
  /**
   * Whether the run goes on in the background: `moveToBackground` was called while this was waited for. `output` says
   * so, `stopReason` means nothing yet, and the end comes as a notice.
   */
  readonly backgrounded: boolean;
  /** The number of the run in the sub-agent's life, from 1; 0 where it has had none. */
  readonly run: number;
  /**
   * `completed`, `failed`, `timed_out`, `cancelled`, `interrupted`, or `closed` where a close stopped it; how the
   * sub-agent stands where it has had no run.
   */
  readonly status: TaskStatus;
  /**
   * Why it ended. Where `run` is 0 and the status `idle`, nothing has ended, and this means nothing: it is `finished`, or
   * `closed` for a sub-agent that was closed and resumed.
   */
  readonly stopReason: StopReason;
  /** What it produced: a sub-agent's text, not the user's. Show a model `handle.resultText()` instead. */
  readonly output: string;
  /** The output is what had been done when it was stopped. */
  readonly partial: boolean;
  /** The output was cut at `maxResultBytes`. */
  readonly truncated: boolean;
  /** What went wrong; undefined where nothing did. */
  readonly error: string | undefined;
  /**
   * What the host function threw; left out if it threw nothing. As with an `Error`, it is not enumerable: it may be anything, so
   * copies and JSON have `error` alone.
   */
  readonly cause?: unknown;
  /** The host's own word for how it ended; undefined where it gave none of its own. */
  readonly hostStatus: string | undefined;
  /** The host's own id of it; undefined where it gave none. */
  readonly hostTaskId: string | undefined;
  /** Its host function had not returned when it ended. */
  readonly hostStillRunning: boolean;
  /** What it made beside its output. */
  readonly artifacts: readonly Record<string, unknown>[];
  /** What its tool calls did, in order, as its agent's protocol says it; empty if its host function returned none. */
  readonly receipts: readonly Receipt[];
  /** What the `schema` of its spawn asked for; undefined where there is none, or the run did not complete. */
  readonly value: Value | undefined;
  /** What it spent, without what its sub-agents spent. */
  readonly usage: RunUsage;
  /** How long it took, in milliseconds: the host's measure where it gave one. */
  readonly durationMs: number;
  /** Whether its host function was called at all. */
  readonly started: boolean;
  /** The option that raises the limit at which it ended, such as `maxTurns` or `budget.tokens`; null where it ended at none. */
  readonly raisedBy: string | null;
}

/** The result of a run that has ended, as the core and its host told it. */
export function resultOf(
  source: EndedRun,
  ended: Omit<Ended, 'index' | 'generation' | 'run' | 'withoutValue' | 'withoutArtifacts'>,
  returned: Returned | undefined,
): RunResult {
  const { tokens, nanos, turns, doubts, kinds } = ended;
  const result: RunResult = {
    taskId: source.taskId,
    success: ended.status === 'completed',
    backgrounded: ended.status === 'running' || ended.status === 'pending',
    run: source.run,
    status: ended.status,
    stopReason: ended.stopReason,
    output: ended.output ?? returned?.output ?? '',
    partial: ended.partial,
    truncated: ended.truncated,
    error: returned?.error,
    hostStatus: returned?.hostStatus,
    hostTaskId: returned?.hostTaskId ?? source.hostTaskId,
    hostStillRunning: ended.hostStillRunning,
    artifacts: returned?.artifacts ?? NO_ARTIFACTS,
    receipts: returned?.receipts ?? NO_RECEIPTS,
    value: returned?.valueJson === undefined ? undefined : returned.value,
    usage: {
      tokens,
      costUsd: nanos / 1e9,
      turns,
      ...(kinds ?? NO_KINDS),
      unknown: dimensions(doubts),
      invalid: dimensions(doubts >>> (END_INVALID_AT - END_UNKNOWN_AT)),
    },
    durationMs: ended.durationMs,
    started: ended.started,
    raisedBy: ended.raisedBy,
  };
  const cause = returned?.cause;
  return cause === undefined ? result : Object.defineProperty(result, 'cause', { value: cause });
}

/** What those who waited for a run get when that goes on in the background; undefined where it doesn't. */
export function movedToBackground(source: EndedRun): RunResult | undefined {
  const { runtime, index, generation } = source;
  if (!runtime.call((core) => core.isOpen(index, generation, source.run))) return undefined;
  const view = runtime.lookup.snapshot(index, generation);
  return view.background && !view.cancelRequested ? resultFrom({ ...view, output: startedText(view) }, source) : undefined;
}

/** The result of a task's last run, from its snapshot. */
export function resultFrom(view: TaskSnapshot, source: EndedRun): RunResult {
  const left = Object.fromEntries(Object.entries(view).map(([name, is]) => [name, is ?? undefined]));
  const returned = { ...left, valueJson: view.value === null ? undefined : '' } as unknown as Returned;
  // It may have been closed, and reopened, since the run ended.
  const { runtime, index, generation } = source;
  const end = runtime.call((core) => core.lastEnd(index));
  const raisedBy = runtime.call((core) => core.raisedBy(index, generation)) ?? null;
  const ended = {
    status: TASK_STATUSES[end % 256] as TaskStatus,
    stopReason: STOP_REASONS[end >>> 8] as StopReason,
    partial: view.partial,
    truncated: view.truncated,
    hostStillRunning: view.hostStillRunning,
    started: view.startedAt !== null,
    tokens: view.usage.tokens,
    nanos: view.usage.costUsd * 1e9,
    turns: view.usage.turns,
    kinds: undefined,
    doubts: 0,
    durationMs: view.durationMs ?? 0,
    output: view.output,
    raisedBy,
  };
  return { ...resultOf(source, ended, returned), run: view.run, usage: view.usage };
}

/** A result's figures, null where none was reported. */
export function figuresIn({ usage, started, durationMs }: RunResult): Figures {
  return figuresOf(usage, started, durationMs);
}

/** A result as a model is told it: a line and the fenced output, or the JSON report where `format` is 'json'. */
export function resultText(result: RunResult, source: EndedRun, format = source.format): string {
  const { runtime, agent } = source;
  const { run, status, stopReason, output, error, hostStatus, receipts } = result;
  const figures = figuresIn(result);
  if (format === 'json') return reportText(reportOfResult({ ...result, figures }, source.run === run ? agent : undefined, runtime, source));
  return endText(runtime, source, run, { status, stopReason, output, error, hostStatus, receipts, figures });
}
