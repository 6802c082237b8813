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

/** The row at an address. It is there until the core is called again, or its call ends that shows the row. */
export class EndRow {
  private readonly scratch: Scratch;
  private readonly at: number;
  private readonly flags: number;

  constructor(scratch: Scratch, address: number) {
    this.scratch = scratch;
    this.at = address / 8;
    this.flags = this.whole(END_ROW_FLAGS) >>> 0;
  }

  get index(): number {
    return this.whole(END_ROW_INDEX) >>> 0;
  }

  get generation(): number {
    return this.whole(END_ROW_GENERATION) >>> 0;
  }

  get run(): number {
    return this.whole(END_ROW_RUN) >>> 0;
  }

  get status(): TaskStatus {
    return TASK_STATUSES[this.whole(END_ROW_STATUS)] ?? 'failed';
  }

  get stopReason(): StopReason {
    return STOP_REASONS[this.whole(END_ROW_REASON)] ?? 'host_failed';
  }

  get partial(): boolean {
    return (this.flags & END_PARTIAL) !== 0;
  }

  get truncated(): boolean {
    return (this.flags & END_CUT) !== 0;
  }

  /** Its host function had not returned. */
  get hostStillRunning(): boolean {
    return (this.flags & END_HOST_OPEN) !== 0;
  }

  get started(): boolean {
    return (this.flags & END_NEVER_STARTED) === 0;
  }

  /** The policy that ended it left it no value, whatever the host function returned. */
  get withoutValue(): boolean {
    return (this.flags & END_WITHOUT_VALUE) !== 0;
  }

  /** The same of artifacts. */
  get withoutArtifacts(): boolean {
    return (this.flags & END_WITHOUT_ARTIFACTS) !== 0;
  }

  get tokens(): number {
    return this.whole(END_ROW_TOKENS);
  }

  get nanos(): number {
    return this.whole(END_ROW_NANOS);
  }

  get turns(): number {
    return this.whole(END_ROW_TURNS);
  }

  /** Bits of what was not reported: tokens, dollars, turns. */
  get unknown(): number {
    return this.flags >>> END_UNKNOWN_AT;
  }

  /** The same of what was invalid. */
  get invalid(): number {
    return this.flags >>> END_INVALID_AT;
  }

  /** The tokens by kind; undefined where none was reported. */
  get kinds(): RunTokens | undefined {
    const at = this.whole(END_ROW_KINDS_AT);
    return at === 0 ? undefined : tokensAt(this.scratch.numbersView(), at / 8);
  }

  get durationMs(): number {
    return this.whole(END_ROW_DURATION_MS);
  }

  /** Undefined where what the host function returned stands as it is. */
  get output(): string | undefined {
    return (this.flags & END_HAS_TEXT) === 0 ? undefined : this.text(END_ROW_OUTPUT_AT, END_ROW_OUTPUT_LENGTH);
  }

  get raisedBy(): string | null {
    return this.whole(END_ROW_OPTION_LENGTH) === 0 ? null : this.text(END_ROW_OPTION_AT, END_ROW_OPTION_LENGTH);
  }

  private text(at: number, length: number): string {
    return this.scratch.read(this.whole(at), this.whole(length));
  }

  /** A number in the form that takes no memory of its own in JavaScript, where it fits into that. */
  private whole(place: number): number {
    // The view is another one once the memory has grown, as it may between two readings.
    const number = this.scratch.numbersView()[this.at + place] as number;
    const small = number | 0;
    return small === number ? small : number;
  }
}
