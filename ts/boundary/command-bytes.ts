// Commands as bytes, in the form of stored facts, as `src/base/codec.rs` reads them. Owns the bytes of one command.

import type { Key } from './key.js';

/** An amount for each dimension of a budget; `Infinity` for no bound. */
export interface Amounts {
  tokens: number;
  costUsd: number;
  turns: number;
}

const NANOS = 1e9;

export class CommandBytes {
  private room = new Uint8Array(256);
  private length = 0;
  private readonly encoder = new TextEncoder();

  /** Begins a new command. */
  begin(): this {
    this.length = 0;
    return this;
  }

  /** The written bytes, which are valid until the next command begins. */
  written(): Uint8Array {
    return this.room.subarray(0, this.length);
  }

  byte(value: number): void {
    this.reserve(1);
    this.room[this.length++] = value;
  }

  boolean(value: boolean): void {
    this.byte(value ? 1 : 0);
  }

  /** Writes whether the value is there; if it is, the caller writes it next. */
  optional<T>(value: T | undefined): value is T {
    this.boolean(value !== undefined);
    return value !== undefined;
  }

  /** Writes the nearest whole number of at least 0. A number too large for an exact count in JavaScript means no bound. */
  number(value: number): void {
    if (Number.isNaN(value)) throw new TypeError('no number for a command');
    let rest = Math.max(0, value < 2 ** 52 ? Math.floor(value + 0.5) : value);
    if (rest > Number.MAX_SAFE_INTEGER) {
      for (let at = 0; at < 9; at += 1) this.byte(0xff);
      this.byte(1);
      return;
    }
    while (rest >= 0x80) {
      this.byte((rest % 0x80) | 0x80);
      rest = Math.floor(rest / 0x80);
    }
    this.byte(rest);
  }

  text(value: string): void {
    const bytes = this.encoder.encode(value);
    this.number(bytes.length);
    this.reserve(bytes.length);
    this.room.set(bytes, this.length);
    this.length += bytes.length;
  }

  task({ index, generation }: Key): void {
    this.number(index);
    this.number(generation);
  }

  amounts({ tokens, costUsd, turns }: Amounts): void {
    this.number(tokens);
    this.number(costUsd * NANOS);
    this.number(turns);
  }

  name<T>(names: readonly T[], value: T): void {
    this.byte(names.indexOf(value));
  }

  list<T>(entries: readonly T[], write: (entry: T) => void): void {
    this.number(entries.length);
    for (const entry of entries) write(entry);
  }

  private reserve(bytes: number): void {
    const needed = this.length + bytes;
    if (needed <= this.room.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.room.length));
    larger.set(this.room);
    this.room = larger;
  }
}
