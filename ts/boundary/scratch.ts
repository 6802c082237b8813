// The scratch: text on its way into the core, as UTF-8 in the linear memory. Owns the one view of it and
// when that has to be made anew.

import type { Instance, SubAgentCore } from '../../pkg/subagents.js';
import { NO_TEXT } from '../generated/codes.js';

/** The lengths of the texts of an end, in the order in which they lie in the scratch. */
export interface TextLengths {
  output: number;
  error: number;
  status: number;
  id: number;
  artifacts: number;
  value: number;
}

export class Scratch {
  private view: Uint8Array = new Uint8Array(0);
  /** Detached, and so empty, once the memory has grown. */
  private whole: Uint8Array<ArrayBuffer> = new Uint8Array(0);
  /** The same as floats, detached with it. */
  private numbers = new Float64Array(0);
  private readonly encoder = new TextEncoder();
  // A text keeps the byte order mark that it begins with.
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** One for all ends: each is read before the next is written. */
  private readonly lengths: TextLengths = { output: 0, error: 0, status: 0, id: 0, artifacts: 0, value: 0 };
  private core: SubAgentCore;
  private memory: Instance['memory'];

  constructor(core: SubAgentCore, memory: Instance['memory']) {
    this.core = core;
    this.memory = memory;
  }

  /** Leaves a text in the scratch from `start` and returns its length in bytes. */
  write(text: string, start = 0): number {
    // UTF-8 takes at most three bytes for each of JavaScript's units. A view is detached, and reads as
    // empty, once the memory has grown.
    const most = start + text.length * 3;
    if (this.view.length < most || this.view.length === 0) this.grow(most);
    return this.encoder.encodeInto(text, start === 0 ? this.view : this.view.subarray(start)).written;
  }

  /** Leaves several texts, one after the other, and returns their lengths in bytes; `NO_TEXT` for one that is undefined. */
  writeAll(texts: readonly (string | undefined)[]): number[] {
    const most = 3 * texts.reduce((sum, text) => sum + lengthOf(text), 0);
    // Growing moves the scratch, so room for all texts is made before the first one goes in.
    if (this.view.length < most || this.view.length === 0) this.grow(most);
    let at = 0;
    return texts.map((text) => {
      if (text === undefined) return NO_TEXT;
      const length = this.write(text, at);
      at += length;
      return length;
    });
  }

  /** Leaves the texts of an end, one after the other; nearly always there is only the output. What it returns holds until the next. */
  writeEnd(returned: Returned): TextLengths {
    const { output, error, hostStatus, hostTaskId, artifactsJson, valueJson } = returned;
    const units =
      output.length + lengthOf(error) + lengthOf(hostStatus) + lengthOf(hostTaskId) + lengthOf(artifactsJson) + lengthOf(valueJson);
    // Growing moves the scratch, so room for all texts is made before the first one goes in.
    if (this.view.length < units * 3 || this.view.length === 0) this.grow(units * 3);
    const { lengths } = this;
    let at = this.write(output);
    lengths.output = at;
    lengths.error = lengths.status = lengths.id = lengths.artifacts = lengths.value = NO_TEXT;
    if (error !== undefined) at += lengths.error = this.write(error, at);
    if (hostStatus !== undefined) at += lengths.status = this.write(hostStatus, at);
    if (hostTaskId !== undefined) at += lengths.id = this.write(hostTaskId, at);
    if (artifactsJson !== undefined) at += lengths.artifacts = this.write(artifactsJson, at);
    if (valueJson !== undefined) lengths.value = this.write(valueJson, at);
    return lengths;
  }

  /** Leaves bytes in the scratch and returns how many they are. */
  writeBytes(bytes: Uint8Array): number {
    if (this.view.length < bytes.length || this.view.length === 0) this.grow(bytes.length);
    this.view.set(bytes);
    return bytes.length;
  }

  /** The core has let the scratch go: the next text makes a new one. */
  renew(): void {
    this.view = new Uint8Array(0);
  }

  /** Text that the core shows at an address. */
  read(at: number, length: number): string {
    return length === 0 ? '' : this.decoder.decode(new Uint8Array(this.memory.buffer, at, length));
  }

  /** All that the core shows; a view to be asked for anew after any call of the core. */
  memoryView(): Uint8Array<ArrayBuffer> {
    if (this.whole.length === 0) this.whole = new Uint8Array(this.memory.buffer as ArrayBuffer);
    return this.whole;
  }

  /** The same, as floats. */
  numbersView(): Float64Array<ArrayBuffer> {
    if (this.numbers.length === 0) this.numbers = new Float64Array(this.memory.buffer as ArrayBuffer);
    return this.numbers;
  }

  /** A copy of bytes that the core shows, behind so many free ones. */
  copyBehind(room: number, at: number, length: number): Uint8Array<ArrayBuffer> {
    const copy = new Uint8Array(room + length);
    copy.set(new Uint8Array(this.memory.buffer, at, length), room);
    return copy;
  }

  /** Bytes of linear memory. */
  get memoryBytes(): number {
    return this.memory.buffer.byteLength;
  }

  /** The manager is over: the memory goes, even while other objects of the manager are still held. */
  letGo(): void {
    this.view = new Uint8Array(0);
    this.whole = new Uint8Array(0);
    this.numbers = new Float64Array(0);
    this.core = undefined as never;
    this.memory = { buffer: new ArrayBuffer(0) };
  }

  private grow(bytes: number): void {
    const room = Math.max(bytes, 4096);
    // First the room: making it may grow the memory, and then the buffer is another one.
    const at = this.core.scratch(room);
    this.view = new Uint8Array(this.memory.buffer, at, room);
  }
}

function lengthOf(text: string | undefined): number {
  return text === undefined ? 0 : text.length;
}

export interface Returned {
  /** One of `RETURNED_…` in `ts/generated/codes.ts`. */
  how: number;
  output: string;
  error: string | undefined;
  cause: unknown;
  hostStatus: string | undefined;
  hostTaskId: string | undefined;
  artifacts: readonly Record<string, unknown>[] | undefined;
  artifactsJson: string | undefined;
  /** As it came; what it is once it was checked. */
  value: unknown;
  /** Set where it was checked. */
  valueJson: string | undefined;
  tokens: number;
  cost: number;
  turns: number;
  durationMs: number;
}
