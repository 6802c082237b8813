// The types of the results of the user's host functions.

import type { Receipt } from '../base/receipt.js';
import type { TokenKinds } from '../generated/tokens.js';

export type { TokenKinds } from '../generated/tokens.js';
export type * from './generated/gate.js';

/**
 * The usage of a run. An omitted amount is unknown: it counts as zero, and is marked. The usual names of providers and
 * frameworks are read as well (`prompt_tokens`, `cache_read_input_tokens` …). Any other name is ignored, and reported to
 * `onError` once.
 */
export interface HostUsage extends TokenKinds {
  /** Number of its turns. */
  turns?: number | undefined;
  /** US dollars, in place of those that `prices` booked. Default: by `prices`, if they have the model. */
  costUsd?: number | undefined;
  /** The same as `costUsd`, which overrides it. */
  cost?: number | undefined;
  /** Tokens, input and output together. Default: the sum of the kinds, if any is given. */
  tokens?: number | undefined;
  /** The id of the used model. Default: the run's. */
  modelId?: string | undefined;
  /** Whether some of this is an estimate. The usage of the run then stays marked as one. @default false */
  estimated?: boolean | undefined;
  /** Milliseconds. Default: as measured. */
  durationMs?: number | undefined;
}

/** The result of `spawnSubAgent`. */
export interface HostResult {
  /** The host's own id, shown as `hostTaskId`. */
  taskId?: string | undefined;
  /**
   * The output of the sub-agent; white space alone counts as empty.
   *
   * If it is empty and a `schema` asked for a `value`, it is that value as JSON.
   */
  output: string;
  /** The value that the spawn's `schema` asked for; read only if there is a schema. */
  value?: unknown;
  /**
   * How it ended, in one of the words below.
   *
   * These words have a meaning, in any case, with `-`, `_`, a space or nothing between their parts:
   *
   * - `completed`, `success`, `succeeded`, `ok`, `done`, `finished`, `stop`, `end_turn`
   * - `failed`, `failure`, `error`, `errored`
   * - `incomplete`, `length`, `max_tokens`, `content_filter`, `refusal`: it failed, and its output is `partial`
   * - `cancelled`, `canceled`, `aborted`, `interrupted`
   * - `timed_out`, `timeout`
   *
   * Any other word counts as completed, or as failed if there is an `error`. The manager calls `onError` once for it. A word
   * other than `completed` becomes `hostStatus`. @default 'completed', or 'failed' if there is an `error`
   */
  status?: string | undefined;
  /** What went wrong: a text, or the error itself, whose message is taken. */
  error?: string | Error | undefined;
  /** The run's own total, without that of its sub-agents. */
  usage?: HostUsage | undefined;
  /** Its products besides the output; JSON values. */
  artifacts?: readonly Record<string, unknown>[] | undefined;
  /**
   * The effects of its tool calls, in order, from the agent's protocol and not from its words.
   *
   * The last 500 are retained, and 1,000 characters of a path or a command.
   */
  receipts?: readonly Receipt[] | undefined;
}

/** The result of `spawnBackgroundSubAgent`. */
export interface BackgroundStart {
  /** The host's own id, shown as `hostTaskId`, under which `reportSettled` finds it. */
  taskId: string;
}
