// The result of a run for its waiting callers. Owns its shape.

import { dimensionsOf } from '../base/fact-fields.js';
import type { Receipt } from '../base/receipt.js';
import type { EndRow } from '../boundary/generated/ended.js';
import type { Returned } from '../boundary/scratch.js';
import { type Dimension, STOP_REASONS, type StopReason, TASK_STATUSES, type TaskStatus } from '../generated/names.js';
import type { ResultDetails } from '../generated/result-details.js';
import { NO_KINDS } from '../generated/tokens.js';
import type { RunUsage, TaskSnapshot } from '../snapshots/types.js';
import type { LeftView } from '../view/generated/left.js';
import { endText, startedText } from './end-text.js';
import { type Figures, figuresOf } from './figures.js';
import { type ReportedAgent, reportOfResult, reportText } from './json-report.js';
import type { Reading } from './lookup.js';

/** The parts of the run that its result reads. */
export interface EndedRun {
  readonly runtime: Reading;
  readonly index: number;
  readonly generation: number;
  readonly run: number;
  readonly taskId: string;
  readonly hostTaskId: string | undefined;
  readonly format: 'text' | 'json';
  /** Its state for policies, if one was asked. */
  readonly agent: ReportedAgent | undefined;
}

// Shared by nearly all results, so that they cost nothing; frozen, so that no user changes them for others.
const NO_DIMENSIONS = Object.freeze([]) as unknown as Dimension[];
const NO_RECEIPTS: readonly Receipt[] = Object.freeze([]);
const NO_ARTIFACTS: readonly Record<string, unknown>[] = Object.freeze([]);

function dimensions(bits: number): Dimension[] {
  return (bits & 7) === 0 ? NO_DIMENSIONS : dimensionsOf(bits);
}

/**
 * How a run ended: a plain object. A run that failed is a result like any other: waiting never rejects for it.
 */
export interface RunResult<Value = unknown> extends ResultDetails<Value> {
  /** The sub-agent's id. */
  readonly taskId: string;
  /** Whether it completed. */
  readonly success: boolean;
  /**
   * Whether the run continues in the background: `moveToBackground` was called during this wait.
   *
   * `output` reports that, `stopReason` means nothing yet, and the end comes as a notice.
   */
  readonly backgrounded: boolean;
  /** The number of the run in the sub-agent's life, from 1; 0 if it has had none. */
  readonly run: number;
  /**
   * `completed`, `failed`, `timed_out`, `cancelled`, `interrupted`, or `closed` if a close stopped it.
   *
   * For a sub-agent that has had no run, it is the current status.
   */
  readonly status: TaskStatus;
  /**
   * Why it ended. Ignore it if `run` is 0 and `status` is `idle`: nothing has ended yet.
   *
   * It is then `finished`, or `closed` for a sub-agent that was closed and resumed.
   */
  readonly stopReason: StopReason;
  /** Its output: a sub-agent's text, not the user's. Show a model `handle.resultText()` instead. */
  readonly output: string;
  /** The output is unfinished: the run was stopped or broke off. */
  readonly partial: boolean;
  /** The output was cut at `maxResultBytes`. */
  readonly truncated: boolean;
  /**
   * The value that the host function threw, if it threw. Copies and JSON have only `error`.
   *
   * As with an `Error`, it is not enumerable, because it may be anything.
   */
  readonly cause?: unknown;
  /** The host's own id for it; undefined if it gave none. */
  readonly hostTaskId: string | undefined;
  /** Its host function had not returned when it ended. */
  readonly hostStillRunning: boolean;
  /**
   * The usage of this run alone; `manager.budget(taskId)` includes its sub-agents and earlier runs.
   *
   * The attempts of `retry` before it are earlier runs.
   */
  readonly usage: RunUsage;
  /** How long it took, in milliseconds: by the host's measure, if it gave one. */
  readonly durationMs: number;
  /** Whether its host function was called at all. */
  readonly started: boolean;
  /** The option that raises the limit at which it ended, such as `maxTurns`; null if it met none. */
  readonly raisedBy: string | null;
}

/** The result of an ended run, from the core's view of its end and the host's return value. */
export function resultOf(source: EndedRun, row: EndRow, returned: Returned | undefined): RunResult {
  const { status, kinds = NO_KINDS } = row;
  const result: RunResult = {
    taskId: source.taskId,
    success: status === 'completed',
    backgrounded: false,
    run: source.run,
    status,
    stopReason: row.reason,
    output: row.hasText ? row.output : (returned?.output ?? ''),
    partial: row.partial,
    truncated: row.cut,
    error: returned?.error,
    hostStatus: returned?.hostStatus,
    hostTaskId: returned?.hostTaskId ?? source.hostTaskId,
    hostStillRunning: row.hostOpen,
    artifacts: returned?.artifacts ?? NO_ARTIFACTS,
    receipts: returned?.receipts ?? NO_RECEIPTS,
    value: returned?.valueJson === undefined ? undefined : returned.value,
    usage: {
      tokens: row.tokens,
      costUsd: row.nanos / 1e9,
      turns: row.turns,
      // By name: a spread took a twentieth of a plain cycle.
      inputTokens: kinds.inputTokens,
      outputTokens: kinds.outputTokens,
      cacheReadTokens: kinds.cacheReadTokens,
      cacheWriteTokens: kinds.cacheWriteTokens,
      cacheWrite1hTokens: kinds.cacheWrite1hTokens,
      reasoningTokens: kinds.reasoningTokens,
      estimated: kinds.estimated,
      unknown: dimensions(row.unknown),
      invalid: dimensions(row.invalid),
    },
    durationMs: row.durationMs,
    started: !row.neverStarted,
    raisedBy: row.option || null,
  };
  const cause = returned?.cause;
  return cause === undefined ? result : Object.defineProperty(result, 'cause', { value: cause });
}

/** The result for callers that waited for a run which continues in the background; undefined if it doesn't. */
export function movedToBackground(source: EndedRun): RunResult | undefined {
  const { runtime, index, generation } = source;
  if (!runtime.call((core) => core.isOpen(index, generation, source.run))) return undefined;
  const view = runtime.lookup.snapshot(index, generation);
  return view.background && !view.cancelRequested ? resultFrom({ ...view, output: startedText(view) }, source) : undefined;
}

/** The result of a task's last run, from its snapshot. */
export function resultFrom(view: TaskSnapshot, { runtime, index, generation, taskId, hostTaskId }: EndedRun): RunResult {
  // It may have been closed and reopened since the run ended.
  const end = runtime.call((core) => core.lastEnd(index));
  const status = TASK_STATUSES[end % 256] as TaskStatus;
  return {
    taskId,
    success: status === 'completed',
    backgrounded: status === 'running' || status === 'pending',
    run: view.run,
    status,
    stopReason: STOP_REASONS[end >>> 8] as StopReason,
    output: view.output,
    partial: view.partial,
    truncated: view.truncated,
    error: view.error ?? undefined,
    hostStatus: view.hostStatus ?? undefined,
    hostTaskId: view.hostTaskId ?? hostTaskId,
    hostStillRunning: view.hostStillRunning,
    artifacts: view.artifacts,
    receipts: view.receipts,
    value: view.value ?? undefined,
    usage: view.usage,
    durationMs: view.durationMs ?? 0,
    started: view.startedAt !== null,
    raisedBy: runtime.call((core) => core.raisedBy(index, generation)) ?? null,
  } satisfies RunResult & Record<keyof LeftView, unknown>;
}

/** A result's figures, null if none was reported. */
export function figuresIn({ usage, started, durationMs }: RunResult): Figures {
  return figuresOf(usage, started, durationMs);
}

/** A result as a model reads it: a line and the fenced output, or the JSON report if `format` is 'json'. */
export function resultText(result: RunResult, source: EndedRun, format = source.format): string {
  const { runtime, agent } = source;
  const { run, status, stopReason, output, error, hostStatus, receipts } = result;
  const figures = figuresIn(result);
  if (format === 'json') return reportText(reportOfResult({ ...result, figures }, source.run === run ? agent : undefined, runtime, source));
  return endText(runtime, source, run, { status, stopReason, output, error, hostStatus, receipts, figures });
}
