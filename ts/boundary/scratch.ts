// The scratch: text on its way into the core, as UTF-8 in the linear memory. Owns the one view of it and when that
// must be renewed.

import type { Instance, SubAgentCore } from '../../pkg/subagents.js';
import { NO_TEXT } from '../generated/codes.js';
import type { ReturnedValues } from '../generated/result-details.js';
import type { ReportedTokens } from '../generated/tokens.js';
import { type BesideTexts, besideOutput } from './generated/run-output.js';

/** The texts that a run returned: its output, and the texts that came with it. */
export type HostOutput = { output: string } & Partial<BesideTexts>;

/** The bytes of the scratch that these texts take. */
export interface HostOutputLengths {
  output: number;
  /** Bytes of the texts that came with it; 0 if there are none. */
  beside: number;
}

export class Scratch {
  private view: Uint8Array = new Uint8Array(0);
  /** Detached, and so empty, once the memory has grown. */
  private whole: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** The same memory as floats, detached with it. */
  private numbers = new Float64Array(0);
  private readonly encoder = new TextEncoder();
  // The decoder keeps a byte order mark at the beginning of a text.
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** One object for all ends: each is read before the next is written. */
  private readonly lengths: HostOutputLengths = { output: 0, beside: 0 };
  private core: SubAgentCore;
  private memory: Instance['memory'];

  constructor(core: SubAgentCore, memory: Instance['memory']) {
    this.core = core;
    this.memory = memory;
  }

  /** Writes a text into the scratch from `start`. Returns its length in bytes. */
  write(text: string, start = 0): number {
    // UTF-8 takes at most three bytes for each of JavaScript's units. A view is detached, and reads as
    // empty, once the memory has grown.
    const most = start + text.length * 3;
    if (this.view.length < most || this.view.length === 0) this.grow(most);
    return this.encoder.encodeInto(text, start === 0 ? this.view : this.view.subarray(start)).written;
  }

  /** Writes the results of a run; nearly always that is only the output. The returned lengths are valid until the next call. */
  writeLeft(left: HostOutput): HostOutputLengths {
    const { lengths } = this;
    const texts = besideOutput(left);
    if (texts !== undefined) this.makeRoom(left.output, texts);
    lengths.output = this.write(left.output);
    lengths.beside = texts === undefined ? 0 : this.writeBeside(texts, lengths.output);
    return lengths;
  }

  /** Growing moves the scratch, so this makes room for all texts before the first one is written. */
  private makeRoom(output: string, texts: readonly (string | undefined)[]): void {
    const most = texts.reduce((sum, text) => sum + 4 + 3 * (text?.length ?? 0), 3 * output.length);
    if (this.view.length < most) this.grow(most);
  }

  /** Writes texts from `start`, each after its length in four bytes. Returns the number of bytes that they take. */
  private writeBeside(texts: readonly (string | undefined)[], start: number): number {
    let at = start;
    for (const text of texts) {
      const length = text === undefined ? NO_TEXT : this.write(text, at + 4);
      for (let byte = 0; byte < 4; byte += 1) this.view[at + byte] = length >>> (8 * byte);
      at += 4 + Math.max(0, length);
    }
    return at - start;
  }

  /** Writes bytes into the scratch. Returns their number. */
  writeBytes(bytes: Uint8Array): number {
    if (this.view.length < bytes.length || this.view.length === 0) this.grow(bytes.length);
    this.view.set(bytes);
    return bytes.length;
  }

  /** The core has released the scratch: the next text makes a new one. */
  renew(): void {
    this.view = new Uint8Array(0);
  }

  /** Reads a text that the core shows at an address. */
  read(at: number, length: number): string {
    return length === 0 ? '' : this.decoder.decode(new Uint8Array(this.memory.buffer, at, length));
  }

  /** All memory of the core. Get this view again after any call of the core. */
  memoryView(): Uint8Array<ArrayBuffer> {
    if (this.whole.length === 0) this.whole = new Uint8Array(this.memory.buffer as ArrayBuffer);
    return this.whole;
  }

  /** The same memory, as floats. */
  numbersView(): Float64Array<ArrayBuffer> {
    if (this.numbers.length === 0) this.numbers = new Float64Array(this.memory.buffer as ArrayBuffer);
    return this.numbers;
  }

  /** Copies bytes of the core, after `room` free ones. */
  copyBehind(room: number, at: number, length: number): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(room + length);
    copy.set(new Uint8Array(this.memory.buffer, at, length), room);
    return copy;
  }

  /** The size of linear memory, in bytes. */
  get memoryBytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** Releases the memory at the manager's end, even if other objects of the manager are still referenced. */
  free(): void {
    this.view = new Uint8Array(0);
    this.whole = new Uint8Array(0);
    this.numbers = new Float64Array(0);
    this.core = undefined as never;
    this.memory = { buffer: new ArrayBuffer(0) };
  }

  private grow(bytes: number): void {
    const room = Math.max(bytes, 4096);
    // Makes the room first: that may grow the memory, which replaces the buffer.
    const at = this.core.scratch(room);
    this.view = new Uint8Array(this.memory.buffer, at, room);
  }
}

/** A host function's result, as it was read. A value is unchanged; after its check, there is also its JSON. */
export interface Returned extends BesideTexts, ReturnedValues {
  /** One of `RETURNED_…` in `ts/generated/codes.ts`. */
  how: number;
  output: string;
  cause: unknown;
  tokens: number;
  cost: number;
  turns: number;
  durationMs: number;
  /** The kinds of its tokens, if it reports them. */
  byKind: ReportedTokens | undefined;
}
