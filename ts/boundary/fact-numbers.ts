// The form of facts for listeners in this process: a number for each field, and texts apart, as `src/base/event_buffer.rs` and
// `src/shown.rs` write them. Owns the position in the core's memory.

import { FactFields, type Subjects } from '../base/fact-fields.js';
import { madeId } from '../base/task-id.js';
import type { Scratch } from './scratch.js';

/** Takes the place of a fact's number: the place, id, label and session key of a new sub-agent follow. */
export const NEW_TASK = 255;

export class FactNumbers extends FactFields {
  /** Views of the whole memory; both are detached, and so empty, once it has grown. */
  private numbers = new Float64Array(0);
  private bytes = new Uint8Array(0);
  private at = 0;
  private end = 0;
  private textAt = 0;
  labelFrom = 0;
  labelLength = 0;
  private readonly scratch: Scratch;

  constructor(subjects: Subjects, scratch: Scratch) {
    super(subjects);
    this.scratch = scratch;
  }

  /** Starts with the `length` numbers at `at`, and with their texts at `texts`. */
  begin(at: number, length: number, texts: number): void {
    this.refresh();
    this.at = at / 8;
    this.end = this.at + length;
    this.textAt = texts;
  }

  get isOver(): boolean {
    return this.at >= this.end;
  }

  // Each of these is short and calls none of the others, so that all are inlined into the readers of facts.
  number(): number {
    return this.numbers[this.at++] as number;
  }

  byte(): number {
    return (this.numbers[this.at++] as number) | 0;
  }

  signed(): number {
    return this.numbers[this.at++] as number;
  }

  override flag(): boolean {
    return this.numbers[this.at++] === 1;
  }

  override name<T>(names: readonly T[]): T {
    return names[(this.numbers[this.at++] as number) | 0] as T;
  }

  text(): string {
    const length = this.number();
    const from = this.textAt;
    this.textAt += length;
    return length === 0 ? '' : this.decoder.decode(this.bytes.subarray(from, this.textAt));
  }

  /** Reads the place and length of the label in the text of the sub-agent that is admitted next. */
  label(): void {
    this.labelFrom = this.number();
    this.labelLength = this.number();
  }

  protected skipText(): void {
    this.textAt += this.number();
  }

  protected refresh(): void {
    if (this.numbers.length > 0) return;
    this.bytes = this.scratch.memoryView();
    this.numbers = this.scratch.numbersView();
  }

  newId(): string {
    return madeId(this.byte(), this.byte(), this.byte(), this.byte());
  }
}
