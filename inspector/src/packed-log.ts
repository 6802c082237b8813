// The log of the page's view, packed: a million events as objects would take half a gigabyte. Owns their form: the bytes of
// each event's values, by a shape that lists its fields, and all texts of a chunk in one string. Each read makes an equal
// event.

import type { EventLog, SubAgentEvent } from 'subagents/view';

const BITS = 10;
/** Events in a chunk. */
const CHUNK = 1 << BITS;
/** Events of further shapes, such as metadata with new keys each time, are stored as objects. */
const MAX_SHAPES = 2_048;
/** Longer texts are stored separately: they would make a chunk's string too long. */
const LONG_TEXT = 4_096;
/** Texts up to this length are looked up in their chunk before they are added to it again. */
const SHORT_TEXT = 64;

/** The fields of an object in their order and, for an event, its type. */
interface Shape {
  readonly index: number;
  readonly type: string | undefined;
  readonly fields: readonly string[];
  /** For each field, the last shape of the object in it. */
  readonly below: (Shape | undefined)[];
}

// The first byte of a value is its kind; from `SMALL` on, it is a whole number.
const NULL = 0;
const UNDEFINED = 1;
const TRUE = 2;
const FALSE = 3;
const WHOLE = 4;
const REAL = 5;
const TEXT = 6;
const LIST = 7;
const SHAPED = 8;
const KEPT = 9;
const SMALL = 10;

class Chunk {
  bytes = new Uint8Array(1 << 16);
  size = 0;
  length = 0;
  readonly starts = new Uint32Array(CHUNK);
  text = '';
  /** The end of each text. */
  ends: number[] | Uint32Array = [];
  readonly kept: unknown[] = [];
  known: Map<string, number> | undefined = new Map();
}

const DOUBLE = new Float64Array(1);
const DOUBLE_BYTES = new Uint8Array(DOUBLE.buffer);

export class PackedLog implements EventLog {
  #chunks: Chunk[] = [];
  #shapes: Shape[] = [];
  readonly #byFields = new Map<string, Shape>();
  readonly #byType = new Map<string, Shape>();
  /** The reading position. */
  #at = 0;
  length = 0;

  push(event: SubAgentEvent): void {
    let chunk = this.#chunks[this.length >>> BITS];
    if (chunk === undefined) {
      chunk = new Chunk();
      this.#chunks.push(chunk);
    }
    const at = chunk.length;
    chunk.starts[at] = chunk.size;
    chunk.length += 1;
    this.length += 1;
    const shape = this.#shapeOf(event, this.#byType.get(event.type), event.type);
    if (shape === undefined) this.#keep(chunk, event);
    else {
      this.#byType.set(event.type, shape);
      this.#putFields(chunk, event, shape);
    }
    if (chunk.length === CHUNK) seal(chunk);
  }

  read(position: number): SubAgentEvent {
    const chunk = this.#chunks[position >>> BITS] as Chunk;
    this.#at = chunk.starts[position & (CHUNK - 1)] as number;
    return this.#value(chunk) as SubAgentEvent;
  }

  drop(count: number): void {
    this.#chunks.splice(0, count / CHUNK);
    this.length -= count;
  }

  #shapeOf(value: object, guess: Shape | undefined, type?: string): Shape | undefined {
    if (guess !== undefined && guess.type === type) {
      const { fields } = guess;
      let at = 0;
      for (const field in value) if (fields[at++] !== field) at = -1;
      if (at === fields.length) return guess;
    }
    const fields = Object.keys(value);
    const name = JSON.stringify([type, fields]);
    let shape = this.#byFields.get(name);
    // In a new object, `__proto__` would set the prototype.
    if (shape !== undefined || this.#shapes.length === MAX_SHAPES || fields.includes('__proto__')) return shape;
    shape = { index: this.#shapes.length, type, fields, below: [] };
    this.#shapes.push(shape);
    this.#byFields.set(name, shape);
    return shape;
  }

  #putFields(chunk: Chunk, value: object, shape: Shape): void {
    byte(chunk, SHAPED);
    whole(chunk, shape.index);
    const { fields, type } = shape;
    for (let at = 0; at < fields.length; at += 1) {
      const field = fields[at] as string;
      if (type === undefined || field !== 'type') this.#put(chunk, (value as Record<string, unknown>)[field], shape, at);
    }
  }

  #put(chunk: Chunk, value: unknown, above: Shape | undefined, field: number): void {
    if (value === null) byte(chunk, NULL);
    else if (typeof value === 'number') number(chunk, value);
    else if (typeof value === 'string') this.#putText(chunk, value);
    else if (value === false) byte(chunk, FALSE);
    else if (value === true) byte(chunk, TRUE);
    else if (value === undefined) byte(chunk, UNDEFINED);
    else if (Array.isArray(value)) {
      byte(chunk, LIST);
      whole(chunk, value.length);
      for (const each of value) this.#put(chunk, each, above, field);
    } else {
      const shape = typeof value === 'object' ? this.#shapeOf(value, above?.below[field]) : undefined;
      if (shape === undefined) this.#keep(chunk, value);
      else {
        if (above !== undefined) above.below[field] = shape;
        this.#putFields(chunk, value, shape);
      }
    }
  }

  #putText(chunk: Chunk, text: string): void {
    if (text.length > LONG_TEXT) {
      this.#keep(chunk, text);
      return;
    }
    const ends = chunk.ends as number[];
    const isShort = text.length <= SHORT_TEXT;
    let index = isShort ? chunk.known?.get(text) : undefined;
    if (index === undefined) {
      index = ends.length;
      chunk.text += text;
      ends.push(chunk.text.length);
      if (isShort) chunk.known?.set(text, index);
    }
    byte(chunk, TEXT);
    whole(chunk, index);
  }

  #keep(chunk: Chunk, value: unknown): void {
    byte(chunk, KEPT);
    whole(chunk, chunk.kept.length);
    chunk.kept.push(value);
  }

  /** The value at the reading position. */
  #value(chunk: Chunk): unknown {
    const tag = chunk.bytes[this.#at++] as number;
    switch (tag) {
      case NULL:
        return null;
      case UNDEFINED:
        return undefined;
      case TRUE:
        return true;
      case FALSE:
        return false;
      case WHOLE:
        return this.#whole(chunk);
      case REAL:
        for (let at = 0; at < 8; at += 1) DOUBLE_BYTES[at] = chunk.bytes[this.#at++] as number;
        return DOUBLE[0];
      case TEXT: {
        const index = this.#whole(chunk);
        return chunk.text.slice(index === 0 ? 0 : chunk.ends[index - 1], chunk.ends[index]);
      }
      case LIST: {
        const list: unknown[] = [];
        for (let left = this.#whole(chunk); left > 0; left -= 1) list.push(this.#value(chunk));
        return list;
      }
      case SHAPED: {
        const { type, fields } = this.#shapes[this.#whole(chunk)] as Shape;
        const made: Record<string, unknown> = {};
        for (const field of fields) {
          made[field] = type !== undefined && field === 'type' ? type : this.#value(chunk);
        }
        return made;
      }
      case KEPT:
        return chunk.kept[this.#whole(chunk)];
      default:
        return tag - SMALL;
    }
  }

  #whole({ bytes }: Chunk): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const next = bytes[this.#at++] as number;
      value += (next & 127) * scale;
      if (next < 128) return value;
    }
  }
}

/** Nothing more is added to this chunk. */
function seal(chunk: Chunk): void {
  chunk.bytes = chunk.bytes.slice(0, chunk.size);
  chunk.ends = Uint32Array.from(chunk.ends);
  chunk.known = undefined;
}

function byte(chunk: Chunk, value: number): void {
  if (chunk.size === chunk.bytes.length) {
    const bytes = new Uint8Array(chunk.size * 2);
    bytes.set(chunk.bytes);
    chunk.bytes = bytes;
  }
  chunk.bytes[chunk.size++] = value;
}

function whole(chunk: Chunk, value: number): void {
  let left = value;
  while (left > 127) {
    byte(chunk, (left % 128) | 128);
    left = Math.floor(left / 128);
  }
  byte(chunk, left);
}

function number(chunk: Chunk, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
    if (value < 256 - SMALL) byte(chunk, SMALL + value);
    else {
      byte(chunk, WHOLE);
      whole(chunk, value);
    }
    return;
  }
  DOUBLE[0] = value;
  byte(chunk, REAL);
  for (const each of DOUBLE_BYTES) byte(chunk, each);
}
