// How a run ended, as those who waited for it get it. Owns the shape.

import { dimensionsOf } from '../base/fact-fields.js';
import type { Ended } from '../boundary/ended.js';
import type { Returned } from '../boundary/scratch.js';
import { END_INVALID_AT, END_UNKNOWN_AT } from '../generated/codes.js';
import { type Dimension, STOP_REASONS, type StopReason, TASK_STATUSES, type TaskStatus } from '../generated/names.js';
import type { RunUsage, TaskSnapshot } from '../snapshots/types.js';
import { startedText } from './bus.js';
import { type EndFacts, endText } from './end-text.js';
import { type Figures, figuresOf } from './figures.js';
import { type AgentReport, type ReportedAgent, reportOfResult, reportText } from './json-report.js';
import type { Reading } from './lookup.js';

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
const NO_ARTIFACTS: readonly Record<string, unknown>[] = Object.freeze([]);

function dimensions(bits: number): Dimension[] {
  return (bits & 7) === 0 ? NO_DIMENSIONS : dimensionsOf(bits);
}

/** How a run ended. A run that failed is a result like any other: waiting never rejects for it. */
export class RunResult<Value = unknown> {
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
  /** What it produced: a sub-agent's text, not the user's. Show a model `text` instead. */
  readonly output: string;
  /** The output is what had been done when it was stopped. */
  readonly partial: boolean;
  /** The output was cut at `maxResultBytes`. */
  readonly truncated: boolean;
  /** What went wrong; undefined where nothing did. */
  readonly error: string | undefined;
  /** What the host function threw; undefined where it threw nothing. */
  readonly cause: unknown;
  /** The host's own word for how it ended; undefined where it gave none of its own. */
  readonly hostStatus: string | undefined;
  /** The host's own id of it; undefined where it gave none. */
  readonly hostTaskId: string | undefined;
  /** Its host function had not returned when it ended. */
  readonly hostStillRunning: boolean;
  /** What it made beside its output. */
  readonly artifacts: readonly Record<string, unknown>[];
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
  /** Whose it is. */
  readonly #source: EndedRun;

  /** @internal */
  constructor(
    source: EndedRun,
    ended: Omit<Ended, 'index' | 'generation' | 'run' | 'withoutValue' | 'withoutArtifacts'>,
    returned: Returned | undefined,
  ) {
    this.#source = source;
    this.taskId = source.taskId;
    this.success = ended.status === 'completed';
    this.backgrounded = ended.status === 'running' || ended.status === 'pending';
    this.run = source.run;
    this.status = ended.status;
    this.stopReason = ended.stopReason;
    this.output = ended.output ?? returned?.output ?? '';
    this.partial = ended.partial;
    this.truncated = ended.truncated;
    this.error = returned?.error;
    this.cause = returned?.cause;
    this.hostStatus = returned?.hostStatus;
    this.hostTaskId = returned?.hostTaskId ?? source.hostTaskId;
    this.hostStillRunning = ended.hostStillRunning;
    this.artifacts = returned?.artifacts ?? NO_ARTIFACTS;
    this.value = returned?.valueJson === undefined ? undefined : (returned.value as Value);
    const { tokens, nanos, turns, doubts } = ended;
    this.usage = {
      tokens,
      costUsd: nanos / 1e9,
      turns,
      unknown: dimensions(doubts),
      invalid: dimensions(doubts >>> (END_INVALID_AT - END_UNKNOWN_AT)),
    };
    this.durationMs = ended.durationMs;
    this.started = ended.started;
    this.raisedBy = ended.raisedBy;
  }

  /** The JSON report: status, reason, statistics, to-dos, recent messages, and what was done. */
  get report(): AgentReport {
    const source = this.#source;
    return reportOfResult(this, source.run === this.run ? source.agent : undefined, source.runtime, source);
  }

  /** The result as a model is told it: a line and the fenced output, or the JSON report where `format` is 'json'. */
  get text(): string {
    const source = this.#source;
    if (source.format === 'json') return reportText(this.report);
    return endText(source.runtime, source, this.run, this.#facts);
  }

  get #facts(): EndFacts {
    const { status, stopReason, output, error, hostStatus } = this;
    return { status, stopReason, output, error, hostStatus, figures: this.figures };
  }

  /** Its figures, null where none was reported. @internal */
  get figures(): Figures {
    return figuresOf(this.usage, this.started, this.durationMs);
  }

  /** All of it but `cause`, `report` and `text`, for `JSON.stringify`. */
  toJSON(): Record<string, unknown> {
    const { cause: _, ...fields } = this;
    return fields;
  }

  /** What those who waited for a run get when that goes on in the background; undefined where it doesn't. @internal */
  static movedToBackground(source: EndedRun): RunResult | undefined {
    const { runtime, index, generation } = source;
    if (!runtime.call((core) => core.isOpen(index, generation, source.run))) return undefined;
    const view = runtime.lookup.snapshot(index, generation);
    return view.background && !view.cancelRequested ? RunResult.of({ ...view, output: startedText(view) }, source) : undefined;
  }

  /** The result of a task's last run, from its snapshot. @internal */
  static of(view: TaskSnapshot, source: EndedRun): RunResult {
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
      doubts: 0,
      durationMs: view.durationMs ?? 0,
      output: view.output,
      raisedBy,
    };
    const result = new RunResult(source, ended, returned);
    return Object.assign(result, { run: view.run, usage: view.usage });
  }
}
