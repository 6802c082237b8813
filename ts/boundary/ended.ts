// How the core tells the end of a run: as a row of numbers in its memory, which `tell_end` in src/wasm/host.rs writes. Owns
// how that row is read.

import {
  END_CUT,
  END_HAS_TEXT,
  END_HOST_OPEN,
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

/** The end of a run, as the core knows it. */
export interface Ended {
  index: number;
  generation: number;
  run: number;
  status: TaskStatus;
  stopReason: StopReason;
  partial: boolean;
  truncated: boolean;
  /** Its host function had not returned. */
  hostStillRunning: boolean;
  started: boolean;
  tokens: number;
  nanos: number;
  turns: number;
  /** The tokens by kind; undefined where none was reported. */
  kinds: RunTokens | undefined;
  /** The flags from `END_UNKNOWN_AT` on: bits of what was not reported, then those of what was invalid: tokens, dollars, turns. */
  doubts: number;
  durationMs: number;
  /** Undefined where what the host function returned stands as it is. */
  output: string | undefined;
  raisedBy: string | null;
  /** The policy that ended it left it no value, whatever the host function returned. */
  withoutValue: boolean;
  /** The same of artifacts. */
  withoutArtifacts: boolean;
}

/** Reads the row at an address, and its texts. */
export function readEnded(scratch: Scratch, address: number): Ended {
  const row = scratch.numbersView();
  const at = address / 8;
  const flags = unsigned(row[at + END_ROW_FLAGS]);
  const optionLength = unsigned(row[at + END_ROW_OPTION_LENGTH]);
  return {
    index: unsigned(row[at + END_ROW_INDEX]),
    generation: unsigned(row[at + END_ROW_GENERATION]),
    run: unsigned(row[at + END_ROW_RUN]),
    status: TASK_STATUSES[unsigned(row[at + END_ROW_STATUS])] ?? 'failed',
    stopReason: STOP_REASONS[unsigned(row[at + END_ROW_REASON])] ?? 'host_failed',
    partial: (flags & END_PARTIAL) !== 0,
    hostStillRunning: (flags & END_HOST_OPEN) !== 0,
    truncated: (flags & END_CUT) !== 0,
    started: (flags & END_NEVER_STARTED) === 0,
    doubts: flags >>> END_UNKNOWN_AT,
    tokens: whole(row[at + END_ROW_TOKENS]),
    nanos: whole(row[at + END_ROW_NANOS]),
    turns: whole(row[at + END_ROW_TURNS]),
    durationMs: whole(row[at + END_ROW_DURATION_MS]),
    kinds: row[at + END_ROW_KINDS_AT] === 0 ? undefined : tokensAt(row, (row[at + END_ROW_KINDS_AT] as number) / 8),
    output:
      (flags & END_HAS_TEXT) === 0 ? undefined : scratch.read(whole(row[at + END_ROW_OUTPUT_AT]), whole(row[at + END_ROW_OUTPUT_LENGTH])),
    raisedBy: optionLength === 0 ? null : scratch.read(whole(row[at + END_ROW_OPTION_AT]), optionLength),
    withoutValue: (flags & END_WITHOUT_VALUE) !== 0,
    withoutArtifacts: (flags & END_WITHOUT_ARTIFACTS) !== 0,
  };
}

/** A number of a row that the core has in 32 bits. */
function unsigned(number: number | undefined): number {
  return (number as number) >>> 0;
}

/** A number of a row in the form that takes no memory of its own in JavaScript, where it fits into that. */
function whole(number: number | undefined): number {
  const small = (number as number) | 0;
  return small === number ? small : (number as number);
}
