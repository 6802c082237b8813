// The stored form of facts: LEB128 numbers and length-prefixed UTF-8, as `src/base/codec.rs` writes them. Owns the
// position in the bytes.

import { FORM } from '../generated/form.js';
import { FactFields, type Subjects, UNKNOWN } from './fact-fields.js';

/** The largest number means no cap. */
const UNCAPPED = 2 ** 64 - 2048;

const NOT_KNOWN: Subjects = { idOf: () => null, subjectOf: () => UNKNOWN };

export class FactBytes extends FactFields {
  protected bytes: Uint8Array<ArrayBuffer>;
  private readonly form: number;
  protected at = 0;

  /** Starts at the first of these bytes, a copy in this form. Without `subjects`, all tasks are null. */
  constructor(bytes: Uint8Array<ArrayBuffer>, subjects: Subjects = NOT_KNOWN, form: number = FORM) {
    super(subjects);
    this.bytes = bytes;
    this.form = form;
  }

  /** The position that is read next. */
  get position(): number {
    return this.at;
  }

  override hasSince(form: number): boolean {
    return this.form >= form;
  }

  get isOver(): boolean {
    return this.at >= this.bytes.length;
  }

  byte(): number {
    if (this.at >= this.bytes.length) throw new Error('a fact was cut off');
    return this.bytes[this.at++] as number;
  }

  number(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    let value = first - 0x80;
    let scale = 0x80;
    for (;;) {
      const byte = this.byte();
      if (byte < 0x80) {
        value += byte * scale;
        return value >= UNCAPPED ? Number.POSITIVE_INFINITY : value;
      }
      value += (byte - 0x80) * scale;
      scale *= 0x80;
    }
  }

  /** Zigzag. */
  signed(): number {
    const zigzag = this.number();
    return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
  }

  text(): string {
    const from = this.pass();
    return from === this.at ? '' : this.decoder.decode(this.bytes.subarray(from, this.at));
  }

  protected skipText(): void {
    this.pass();
  }

  /** A copy doesn't move. */
  protected refresh(): void {}

  /** Skips a text, and returns where it begins. */
  protected pass(): number {
    const length = this.number();
    const from = this.at;
    this.at += length;
    if (this.at > this.bytes.length) throw new Error('a fact was cut off');
    return from;
  }
}
