// Events that were exported into a file, which may grow: no line is read twice. Owns how an unfinished line is
// recognised.

import { open } from 'node:fs/promises';
import type { Refusal } from 'subagents';
import type { SubAgentEvent, ViewBase } from 'subagents/view';
import type { Damage } from '../src/contents.js';
import { isListed, LineReader } from '../src/lines.js';
import type { Growing } from './growing-store.js';

const NEW_LINE = 0x0a;
const FIRST_BYTES = 64;

/** A line that is not of a journal. */
export class DamagedLine extends Error {
  readonly damage: Damage;

  constructor(damage: Damage) {
    super(damage.message);
    this.damage = damage;
  }
}

export class GrowingLines implements Growing {
  readonly refusals: Refusal[] = [];
  cut = 0;
  readonly #path: string;
  #reader = new LineReader();
  /** The byte at which the next read begins. */
  #at = 0;
  /** Whether the last line that was read had no end yet. */
  #isOpen = false;
  #isList = false;
  #last = 0;

  constructor(path: string) {
    this.#path = path;
  }

  get base(): ViewBase | undefined {
    return this.#reader.base;
  }

  async *next(): AsyncGenerator<SubAgentEvent> {
    const size = await this.#read();
    const { events, refusals } = this.#reader.taken();
    this.refusals.push(...refusals);
    for (const event of events) {
      // A list is written again as a whole when it grows.
      if (this.#isList && event.seq <= this.#last) continue;
      this.#last = event.seq;
      yield event;
    }
    if (size < this.#at) throw new DamagedLine(this.#shorter());
    if (this.#reader.damage !== undefined) throw new DamagedLine(this.#reader.damage);
  }

  async close(): Promise<void> {}

  /** Reads the bytes after the last read; returns the size of the file. */
  async #read(): Promise<number> {
    // The file may come back: only a caller that asks again can decide.
    await using file = await open(this.#path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (file === null) return this.#at;
    const { size } = await file.stat();
    if (this.#isList && size !== this.#at) {
      this.#reader = new LineReader();
      this.refusals.length = 0;
      this.#at = 0;
    }
    if (size <= this.#at) return size;
    const room = Buffer.alloc(size - this.#at);
    const { bytesRead } = await file.read(room, 0, room.length, this.#at);
    const bytes = room.subarray(0, bytesRead);
    if (this.#at === 0) this.#isList = isListed(bytes.toString('latin1', 0, FIRST_BYTES));
    if (!this.#isList) this.#lines(bytes);
    else {
      this.#at = bytes.length;
      this.#reader.list(bytes.toString('utf8'));
    }
    return size;
  }

  #lines(bytes: Buffer): void {
    this.cut = 0;
    for (let from = 0; from < bytes.length; ) {
      const end = bytes.indexOf(NEW_LINE, from);
      const text = bytes.toString('utf8', from, end === -1 ? bytes.length : end);
      // A line that is being written has no end, but the last line of a file may have none either.
      if (end === -1 && !isWhole(text)) {
        this.cut = text.trim() === '' ? 0 : bytes.length - from;
        return;
      }
      const isEnd = this.#isOpen && text.trim() === '';
      this.#isOpen = end === -1;
      const next = end === -1 ? bytes.length : end + 1;
      this.#at += next - from;
      from = next;
      if (!isEnd && !this.#reader.line(text)) return;
    }
  }

  #shorter(): Damage {
    return { message: 'the file is shorter than it was', code: 'events_damaged', lastSeq: this.#last };
  }
}

function isWhole(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}
