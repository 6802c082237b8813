// How the core shows the end of a run: as a row of numbers in its memory, which `deliver_end` in src/wasm/host.rs writes. Owns
// how that row is read.

import {
  END_CUT,
  END_HAS_TEXT,
  END_HOST_OPEN,
  END_INVALID_AT,
  END_NEVER_STARTED,
  END_PARTIAL,
  END_ROW_DURATION_MS,
  END_ROW_FLAGS,
  END_ROW_GENERATION,
  END_ROW_INDEX,
  END_ROW_KINDS_AT,
  END_ROW_NANOS,
  END_ROW_OPTION_AT,
  END_ROW_OPTION_LENGTH,
  END_ROW_OUTPUT_AT,
  END_ROW_OUTPUT_LENGTH,
  END_ROW_REASON,
  END_ROW_RUN,
  END_ROW_STATUS,
  END_ROW_TOKENS,
  END_ROW_TURNS,
  END_UNKNOWN_AT,
  END_WITHOUT_ARTIFACTS,
  END_WITHOUT_VALUE,
} from '../generated/codes.js';
import { STOP_REASONS, type StopReason, TASK_STATUSES, type TaskStatus } from '../generated/names.js';
import type { Scratch } from './scratch.js';
import { type RunTokens, tokensAt } from './tokens.js';

/** How a run ended, as far as the core knows it. */
export interface EndRow {
  readonly index: number;
  readonly generation: number;
  readonly run: number;
  readonly status: TaskStatus;
  readonly stopReason: StopReason;
  readonly partial: boolean;
  readonly truncated: boolean;
  /** Its host function had not returned. */
  readonly hostStillRunning: boolean;
  readonly started: boolean;
  /** The policy that ended it left it no value, whatever the host function returned. */
  readonly withoutValue: boolean;
  /** The same of artifacts. */
  readonly withoutArtifacts: boolean;
  readonly tokens: number;
  readonly nanos: number;
  readonly turns: number;
  /** Bits of what was not reported: tokens, dollars, turns. */
  readonly unknown: number;
  /** The same of what was invalid. */
  readonly invalid: number;
  /** The tokens by kind; undefined where none was reported. */
  readonly kinds: RunTokens | undefined;
  readonly durationMs: number;
  /** Undefined where what the host function returned stands as it is. */
  readonly output: string | undefined;
  readonly raisedBy: string | null;
}

/** Reads the row at an address, all of it at once: it is gone once the core is called again. */
export function readEnd(scratch: Scratch, address: number): EndRow {
  const row = scratch.numbersView();
  const at = address / 8;
  const flags = whole(row, at + END_ROW_FLAGS);
  const kindsAt = whole(row, at + END_ROW_KINDS_AT);
  const text = (from: number, length: number): string => scratch.read(whole(row, at + from), whole(row, at + length));
  return {
    index: whole(row, at + END_ROW_INDEX),
    generation: whole(row, at + END_ROW_GENERATION),
    run: whole(row, at + END_ROW_RUN),
    status: TASK_STATUSES[whole(row, at + END_ROW_STATUS)] ?? 'failed',
    stopReason: STOP_REASONS[whole(row, at + END_ROW_REASON)] ?? 'host_failed',
    partial: (flags & END_PARTIAL) !== 0,
    truncated: (flags & END_CUT) !== 0,
    hostStillRunning: (flags & END_HOST_OPEN) !== 0,
    started: (flags & END_NEVER_STARTED) === 0,
    withoutValue: (flags & END_WITHOUT_VALUE) !== 0,
    withoutArtifacts: (flags & END_WITHOUT_ARTIFACTS) !== 0,
    tokens: whole(row, at + END_ROW_TOKENS),
    nanos: whole(row, at + END_ROW_NANOS),
    turns: whole(row, at + END_ROW_TURNS),
    unknown: flags >>> END_UNKNOWN_AT,
    invalid: flags >>> END_INVALID_AT,
    kinds: kindsAt === 0 ? undefined : tokensAt(row, kindsAt / 8),
    durationMs: whole(row, at + END_ROW_DURATION_MS),
    output: (flags & END_HAS_TEXT) === 0 ? undefined : text(END_ROW_OUTPUT_AT, END_ROW_OUTPUT_LENGTH),
    raisedBy: row[at + END_ROW_OPTION_LENGTH] === 0 ? null : text(END_ROW_OPTION_AT, END_ROW_OPTION_LENGTH),
  };
}

/** A number in the form that takes no memory of its own in JavaScript, where it fits into that. */
function whole(row: Float64Array, at: number): number {
  const number = row[at] as number;
  const small = number | 0;
  return small === number ? small : number;
}
