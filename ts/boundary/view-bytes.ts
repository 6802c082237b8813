// Views as bytes: the forms of stored facts, with those of `src/base/view.rs`. Owns the read position in the core's memory: all
// is read before the core is called again.

import { FactBytes } from '../base/fact-bytes.js';
import { madeId } from '../base/task-id.js';
import { WAITING_FOR, type WaitingFor } from '../generated/names.js';
import type { Key } from './key.js';
import type { Scratch } from './scratch.js';

const NOTHING = new Uint8Array(0);
const FLOAT = new Float64Array(1);
const FLOAT_BYTES = new Uint8Array(FLOAT.buffer);
/** A text shorter than this is made without a decoder, whose call takes longer. */
const SHORT = 8;
/** A list of this many texts takes longer to decode than to compare. */
const LONG_LIST = 8;
/** The length of most ids. */
const ID = 36;

/** Reads a list of texts. */
export const readTexts = (from: ViewBytes): string[] => from.texts();

/** Reads a key. */
export const readKey = (from: ViewBytes): Key => from.key();

/** Reads a list. */
export function many<View>(read: (from: ViewBytes) => View): (from: ViewBytes) => View[] {
  return (from) => from.list(() => read(from));
}

/** Reads a view that may be absent, after a 1 or a 0. */
export function optional<View>(read: (from: ViewBytes) => View): (from: ViewBytes) => View | undefined {
  return (from) => (from.flag() ? read(from) : undefined);
}

export class ViewBytes extends FactBytes {
  private readonly scratch: Scratch;
  /** The last long list of texts that was read: its bytes, and its texts. */
  private lastList = NOTHING;
  private lastTexts: readonly string[] = [];
  private lastTools: readonly string[] = [];

  constructor(scratch: Scratch) {
    super(NOTHING);
    this.scratch = scratch;
  }

  /** Reads a view that the core shows at an address. */
  readAt<View>(address: number, read: (from: ViewBytes) => View): View {
    this.bytes = this.scratch.memoryView();
    this.at = address;
    try {
      return read(this);
    } finally {
      // Otherwise the whole memory would be retained.
      this.bytes = NOTHING;
    }
  }

  /** Bits, in this many bytes, the lowest first. */
  bits(bytes: number): number {
    let bits = 0;
    for (let shift = 0; shift < 8 * bytes; shift += 8) bits |= this.byte() << shift;
    return bits;
  }

  /** Twice the number if it is whole; else 3 for `Infinity`, or 1 and eight bytes. */
  float(): number {
    const first = this.number();
    // A shift keeps a small number unboxed.
    if (first < 0x8000_0000 && (first & 1) === 0) return first >> 1;
    if (first % 2 === 0) return first / 2;
    if (first === 3) return Number.POSITIVE_INFINITY;
    FLOAT_BYTES.set(this.bytes.subarray(this.at, this.at + 8));
    this.at += 8;
    return FLOAT[0] as number;
  }

  /** Epoch milliseconds, in eight bytes. */
  time(): number {
    const { bytes, at } = this;
    this.at += 8;
    return (word(bytes, at) >>> 0) + (word(bytes, at + 4) >>> 0) * 2 ** 32;
  }

  override text(): string {
    const from = this.pass();
    const { bytes, at } = this;
    if (from === at) return '';
    if (at - from < SHORT) {
      let text = '';
      for (let next = from; next < at; next += 1) {
        const byte = bytes[next] as number;
        if (byte >= 0x80) return this.decoder.decode(bytes.subarray(from, at));
        text += String.fromCharCode(byte);
      }
      return text;
    }
    return this.decoder.decode(bytes.subarray(from, at));
  }

  /** A text; after a 1, it is the known one. */
  textUnless(known: string): string {
    return this.flag() ? known : this.text();
  }

  /** A list of texts, owned by the caller. Most sub-agents have the tools of the previous one, and decoding is expensive. */
  texts(): string[] {
    const from = this.at;
    if (this.isLastList()) return this.lastTexts.slice();
    const texts = this.list(() => this.text());
    if (texts.length >= LONG_LIST) {
      this.lastList = this.bytes.slice(from, this.at);
      this.lastTexts = texts.slice();
    }
    return texts;
  }

  /** The names of a task's tools, in one list for all tasks that share it: each start asks for them. */
  tools(): readonly string[] {
    if (!this.flag()) this.lastTools = this.list(() => this.text());
    return this.lastTools;
  }

  /** Whether the last long list follows again, byte for byte; skips it then. */
  private isLastList(): boolean {
    const { bytes, at, lastList } = this;
    for (let next = 0; next < lastList.length; next += 1) if (bytes[at + next] !== lastList[next]) return false;
    this.at += lastList.length;
    return lastList.length > 0;
  }

  /**
   * The id of a task as its lookup shows it: after a 0, the four numbers that make it; else the caller's text. Each result has
   * an id, and making it here takes half as long as reading its text.
   */
  idInBytes(): string {
    const from = this.pass();
    const { bytes, at } = this;
    if (at > from) return this.decoder.decode(bytes.subarray(from, at));
    this.at += 16;
    return madeId(word(bytes, at), word(bytes, at + 4), word(bytes, at + 8), word(bytes, at + 12));
  }

  /** The id of a task: nearly always `ID` letters of one byte each. */
  id(): string {
    const from = this.pass();
    const { bytes: b, at } = this;
    if (at - from !== ID) return this.decoder.decode(b.subarray(from, at));
    // biome-ignore format: one call
    return String.fromCharCode(b[from] as number, b[from + 1] as number, b[from + 2] as number, b[from + 3] as number, b[from + 4] as number, b[from + 5] as number, b[from + 6] as number, b[from + 7] as number, b[from + 8] as number, b[from + 9] as number, b[from + 10] as number, b[from + 11] as number, b[from + 12] as number, b[from + 13] as number, b[from + 14] as number, b[from + 15] as number, b[from + 16] as number, b[from + 17] as number, b[from + 18] as number, b[from + 19] as number, b[from + 20] as number, b[from + 21] as number, b[from + 22] as number, b[from + 23] as number, b[from + 24] as number, b[from + 25] as number, b[from + 26] as number, b[from + 27] as number, b[from + 28] as number, b[from + 29] as number, b[from + 30] as number, b[from + 31] as number, b[from + 32] as number, b[from + 33] as number, b[from + 34] as number, b[from + 35] as number);
  }

  key(): Key {
    return { index: this.number(), generation: this.number() };
  }

  /** How many wait for each reason, in the order of the reasons' numbers. */
  waiting(): Record<WaitingFor, number> {
    return Object.fromEntries(WAITING_FOR.map((name) => [name, this.number()])) as Record<WaitingFor, number>;
  }
}

/** Four bytes, the lowest first. */
function word(bytes: Uint8Array, at: number): number {
  return (bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24);
}
