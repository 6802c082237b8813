// How a run ended, as whoever waited for it gets it. Owns the shape.

import type { StopReason, TaskStatus } from './generated/names.js';
import type { Live } from './live.js';
import type { Returned } from './result.js';
import type { RunUsage, TaskSnapshot } from './types.js';

type Dimension = 'tokens' | 'costUsd' | 'turns';

// Shared by nearly all results, so that they cost nothing; frozen, so that no user changes them for others.
const NO_DIMENSIONS = Object.freeze([]) as unknown as Dimension[];
const NO_ARTIFACTS: readonly Record<string, unknown>[] = Object.freeze([]);

function dimensions(bits: number): Dimension[] {
  if ((bits & 7) === 0) return NO_DIMENSIONS;
  const names: Dimension[] = [];
  if ((bits & 1) !== 0) names.push('tokens');
  if ((bits & 2) !== 0) names.push('costUsd');
  if ((bits & 4) !== 0) names.push('turns');
  return names;
}

/** How a run ended. A run that failed is a result like any other: waiting never rejects for it. */
export class RunResult {
  readonly run: number;
  /** `completed`, `failed`, `timed_out`, `cancelled` or `interrupted`. */
  readonly status: TaskStatus;
  /** Why it ended. */
  readonly stopReason: StopReason;
  /** What it produced. */
  readonly output: string;
  /** The output is what had been done when it was stopped. */
  readonly partial: boolean;
  /** The output was cut at `maxResultBytes`. */
  readonly truncated: boolean;
  /** What went wrong. */
  readonly error: string | undefined;
  /** What the host function threw. */
  readonly cause: unknown;
  /** The host's own word for how it ended. */
  readonly hostStatus: string | undefined;
  /** The host's own id. */
  readonly hostTaskId: string | undefined;
  /** Its host function had not returned when it ended. */
  readonly hostStillRunning: boolean;
  /** What it made beside its output. */
  readonly artifacts: readonly Record<string, unknown>[];
  /** What it spent; its sub-agents' not included. */
  readonly usage: RunUsage;
  /** Milliseconds: the host's measure where it gave one. */
  readonly durationMs: number;
  /** Whether its host function was called at all. */
  readonly started: boolean;
  #live: Live | string;

  constructor(
    live: Live | string,
    status: TaskStatus,
    stopReason: StopReason,
    output: string,
    returned: Returned | undefined,
    tokens: number,
    nanos: number,
    turns: number,
    doubts: number,
    durationMs: number,
    partial: boolean,
    truncated: boolean,
    hostStillRunning: boolean,
    started: boolean,
  ) {
    this.#live = live;
    this.run = typeof live === 'string' ? 0 : live.run;
    this.status = status;
    this.stopReason = stopReason;
    this.output = output;
    this.partial = partial;
    this.truncated = truncated;
    this.error = returned?.error;
    this.cause = returned?.cause;
    this.hostStatus = returned?.hostStatus;
    this.hostTaskId = returned?.hostTaskId;
    this.hostStillRunning = hostStillRunning;
    this.artifacts = returned?.artifacts ?? NO_ARTIFACTS;
    this.usage = { tokens, costUsd: nanos / 1e9, turns, unknown: dimensions(doubts), invalid: dimensions(doubts >>> 8) };
    this.durationMs = durationMs;
    this.started = started;
  }

  /** The sub-agent's id. */
  get taskId(): string {
    if (typeof this.#live !== 'string') this.#live = this.#live.taskId;
    return this.#live;
  }

  /** Whether it completed. */
  get success(): boolean {
    return this.status === 'completed';
  }

  toJSON(): Record<string, unknown> {
    const { cause: _, ...fields } = this;
    return { taskId: this.taskId, success: this.success, ...fields };
  }

  /** The result of a task's last run, from its snapshot. */
  static of(view: TaskSnapshot): RunResult {
    const returned = {
      error: view.error ?? undefined,
      hostStatus: view.hostStatus ?? undefined,
      hostTaskId: view.hostTaskId ?? undefined,
      artifacts: view.artifacts,
    } as unknown as Returned;
    const result = new RunResult(
      view.taskId,
      view.status,
      view.stopReason ?? 'finished',
      view.output,
      returned,
      view.usage.tokens,
      view.usage.costUsd * 1e9,
      view.usage.turns,
      0,
      view.durationMs ?? 0,
      view.partial,
      view.truncated,
      view.hostStillRunning,
      view.startedAt !== null,
    );
    return Object.assign(result, { run: view.run, usage: view.usage });
  }
}
