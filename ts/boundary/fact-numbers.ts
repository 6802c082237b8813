// The form in which listeners in this process get facts: a number for each field, texts beside them, as `src/base/event_buffer.rs` and
// `src/shown.rs` write them. Owns the place that is read next, in the core's memory.

import { FactFields, type Subjects } from '../base/fact-fields.js';
import type { Scratch } from './scratch.js';

/** In the place of a fact's number: what follows is by what a new sub-agent is known. */
export const NEW_TASK = 255;

export class FactNumbers extends FactFields {
  /** All of the memory; both are detached, and so empty, once it has grown. */
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

  /** Begins with the number at this address, of so many, and with the text at that one. */
  begin(at: number, length: number, texts: number): void {
    this.refresh();
    this.at = at / 8;
    this.end = this.at + length;
    this.textAt = texts;
  }

  get isOver(): boolean {
    return this.at >= this.end;
  }

  // Each of these is short, and calls none of the others: then all are compiled into what reads a fact.
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

  /** Where the label begins in the text of the sub-agent that is admitted next, and how long it is. */
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

  /** The id that four numbers make, of eight digits each. */
  newId(): string {
    // Of every number the digits in the odd places and those in the even ones, four at once.
    const a = this.byte();
    const a1 = digits(a >>> 4);
    const a2 = digits(a);
    const b = this.byte();
    const b1 = digits(b >>> 4);
    const b2 = digits(b);
    const c = this.byte();
    const c1 = digits(c >>> 4);
    const c2 = digits(c);
    const d = this.byte();
    const d1 = digits(d >>> 4);
    const d2 = digits(d);
    // biome-ignore format: a line for each number
    return String.fromCharCode(
      115, 117, 98, 95,
      a1 >>> 24, a2 >>> 24, (a1 >>> 16) & 255, (a2 >>> 16) & 255, (a1 >>> 8) & 255, (a2 >>> 8) & 255, a1 & 255, a2 & 255,
      b1 >>> 24, b2 >>> 24, (b1 >>> 16) & 255, (b2 >>> 16) & 255, (b1 >>> 8) & 255, (b2 >>> 8) & 255, b1 & 255, b2 & 255,
      c1 >>> 24, c2 >>> 24, (c1 >>> 16) & 255, (c2 >>> 16) & 255, (c1 >>> 8) & 255, (c2 >>> 8) & 255, c1 & 255, c2 & 255,
      d1 >>> 24, d2 >>> 24, (d1 >>> 16) & 255, (d2 >>> 16) & 255, (d1 >>> 8) & 255, (d2 >>> 8) & 255, d1 & 255, d2 & 255,
    );
  }
}

/** The codes of four hexadecimal digits, which stand in the lower halves of the bytes: letters stand 39 places behind the digits. */
function digits(bits: number): number {
  const values = bits & 0x0f0f0f0f;
  return values + 0x30303030 + (((values + 0x06060606) >>> 4) & 0x01010101) * 39;
}
