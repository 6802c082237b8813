// Made by `cargo xtask generate` from the tables in src/; do not edit.

import {
  END_ROW_INDEX,
  END_ROW_GENERATION,
  END_ROW_RUN,
  END_ROW_STATUS,
  END_ROW_REASON,
  END_ROW_FLAGS,
  END_ROW_TOKENS,
  END_ROW_NANOS,
  END_ROW_TURNS,
  END_ROW_DURATION_MS,
  END_ROW_KINDS_AT,
  END_ROW_OUTPUT_AT,
  END_ROW_OUTPUT_LENGTH,
  END_ROW_OPTION_AT,
  END_ROW_OPTION_LENGTH,
  END_PARTIAL,
  END_HOST_OPEN,
  END_CUT,
  END_HAS_TEXT,
  END_NEVER_STARTED,
  END_WITHOUT_VALUE,
  END_WITHOUT_ARTIFACTS,
  END_UNKNOWN_AT,
  END_INVALID_AT,
} from '../../generated/codes.js';
import type { EventKinds } from '../../generated/facts.js';
import { STOP_REASONS, type StopReason, TASK_STATUSES, type TaskStatus } from '../../generated/names.js';
import { tokensAt } from '../../generated/tokens.js';
import type { Scratch } from '../scratch.js';

/** How a run ended, as far as the core knows it. */
export interface EndRow {
  /** The place of its task. */
  readonly index: number;
  /** The generation of its task. */
  readonly generation: number;
  /** The number of the run. */
  readonly run: number;
  /** The number of its status. */
  readonly status: TaskStatus;
  /** The number of its stop reason. */
  readonly reason: StopReason;
  /** Spent tokens. */
  readonly tokens: number;
  /** Nano-dollars. */
  readonly nanos: number;
  /** Turns. */
  readonly turns: number;
  /** How long it took, in milliseconds. */
  readonly durationMs: number;
  /**
   * The place of its tokens by kind, in the users' order; 0 if none was reported. An unreported kind is
   * `READING_MISSING`.
   */
  readonly kinds: EventKinds | undefined;
  /** The place of its output. */
  readonly output: string;
  /** The place of the name of the option that raises the limit which ended it. */
  readonly option: string;
  /** The output is unfinished: the run was stopped or broke off. */
  readonly partial: boolean;
  /** Its host function is still running. */
  readonly hostOpen: boolean;
  /** Its output was cut. */
  readonly cut: boolean;
  /** Its output differs from that of the host function, and comes with the end. */
  readonly hasText: boolean;
  /** It never started. */
  readonly neverStarted: boolean;
  /** The policy that ended it left it no value. */
  readonly withoutValue: boolean;
  /** The policy that ended it left it no artifacts. */
  readonly withoutArtifacts: boolean;
  /** The dimensions that the host did not report. */
  readonly unknown: number;
  /** The dimensions whose report was invalid. */
  readonly invalid: number;
}

/** Reads the row at an address, all of it at once: it is gone once the core is called again. */
export function readEnd(scratch: Scratch, address: number): EndRow {
  const row = scratch.numbersView();
  const at = address / 8;
  const flags = word(row, at + END_ROW_FLAGS);
  return {
    index: word(row, at + END_ROW_INDEX),
    generation: word(row, at + END_ROW_GENERATION),
    run: word(row, at + END_ROW_RUN),
    status: TASK_STATUSES[word(row, at + END_ROW_STATUS)] ?? 'failed',
    reason: STOP_REASONS[word(row, at + END_ROW_REASON)] ?? 'host_failed',
    tokens: amount(row, at + END_ROW_TOKENS),
    nanos: amount(row, at + END_ROW_NANOS),
    turns: amount(row, at + END_ROW_TURNS),
    durationMs: amount(row, at + END_ROW_DURATION_MS),
    kinds: row[at + END_ROW_KINDS_AT] === 0 ? undefined : tokensAt(row, word(row, at + END_ROW_KINDS_AT) / 8),
    output: row[at + END_ROW_OUTPUT_LENGTH] === 0 ? '' : scratch.read(word(row, at + END_ROW_OUTPUT_AT), word(row, at + END_ROW_OUTPUT_LENGTH)),
    option: row[at + END_ROW_OPTION_LENGTH] === 0 ? '' : scratch.read(word(row, at + END_ROW_OPTION_AT), word(row, at + END_ROW_OPTION_LENGTH)),
    partial: (flags & END_PARTIAL) !== 0,
    hostOpen: (flags & END_HOST_OPEN) !== 0,
    cut: (flags & END_CUT) !== 0,
    hasText: (flags & END_HAS_TEXT) !== 0,
    neverStarted: (flags & END_NEVER_STARTED) !== 0,
    withoutValue: (flags & END_WITHOUT_VALUE) !== 0,
    withoutArtifacts: (flags & END_WITHOUT_ARTIFACTS) !== 0,
    unknown: flags >>> END_UNKNOWN_AT,
    invalid: flags >>> END_INVALID_AT,
  };
}

function word(row: Float64Array, at: number): number {
  return (row[at] as number) >>> 0;
}

/** An amount in the form that takes no memory of its own in JavaScript, where it fits into that. */
function amount(row: Float64Array, at: number): number {
  const number = row[at] as number;
  const small = number | 0;
  return small === number ? small : number;
}
