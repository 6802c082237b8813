// The stored form of facts, read field by field: LEB128 numbers and length-prefixed UTF-8, as `src/base/codec.rs` writes
// them. Owns the place that is read next; which fields there are is generated from the core's table.

import type { EventAmounts, TaskEventBase } from '../generated/facts.js';

/** By what a sub-agent is known beside its id. */
export type EventAbout = Readonly<Pick<TaskEventBase, 'label' | 'parentId' | 'metadata' | 'sessionKey'>>;
/** The program, and a sub-agent of which nothing is left. */
export const UNKNOWN: EventAbout = { label: null, parentId: null, metadata: null, sessionKey: null };

/** By their bits, the lowest first. */
const DIMENSIONS = ['tokens', 'costUsd', 'turns'] as const;
const NO_BYTES = new Uint8Array(0);
/** What is uncapped is the largest number there is. */
const UNCAPPED = 2 ** 64 - 2048;

export class FactBytes {
  private bytes = NO_BYTES;
  private at = 0;
  private end = 0;
  private readonly decoder = new TextDecoder();
  private readonly memory: () => Uint8Array<ArrayBuffer>;
  private readonly idOf: (slot: number, generation: number) => string | null;
  private readonly aboutOf: (slot: number, generation: number) => EventAbout;
  /** The task that was read last. */
  private slot = 0;
  private generation = 0;
  /** The slot of the task that was admitted last. */
  admittedSlot = 0;

  /**
   * @param memory the bytes that the core shows; anew, since they move when its memory grows
   * @param idOf the id of the task at a place; `null` for a session. May let the core's memory grow.
   * @param aboutOf by what that task is known beside its id. May let the core's memory grow.
   */
  constructor(
    memory: () => Uint8Array<ArrayBuffer>,
    idOf: (slot: number, generation: number) => string | null,
    aboutOf: (slot: number, generation: number) => EventAbout = () => UNKNOWN,
  ) {
    this.memory = memory;
    this.idOf = idOf;
    this.aboutOf = aboutOf;
  }

  /** Begins with the bytes from `at` on: of the memory, or of a copy. */
  begin(at: number, length: number, copy?: Uint8Array<ArrayBuffer>): void {
    this.bytes = copy ?? this.memory();
    this.at = at;
    this.end = at + length;
  }

  /** The place that is read next. */
  get position(): number {
    return this.at;
  }

  get isOver(): boolean {
    if (this.at < this.end) return false;
    this.bytes = NO_BYTES;
    return true;
  }

  byte(): number {
    if (this.at >= this.end) throw new Error('a fact was cut off');
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

  flag(): boolean {
    return this.byte() === 1;
  }

  text(): string {
    const length = this.number();
    const from = this.at;
    this.at += length;
    if (this.at > this.end) throw new Error('a fact was cut off');
    return length === 0 ? '' : this.decoder.decode(this.bytes.subarray(from, this.at));
  }

  /** What is kept as JSON. */
  json<T>(): T {
    return JSON.parse(this.text()) as T;
  }

  /** The id of a task; null for the program and for sessions. */
  task(): string | null {
    const slot = this.number();
    const generation = this.number();
    this.slot = slot;
    this.generation = generation;
    if (slot <= 1) return null;
    const id = this.idOf(slot, generation);
    this.refresh();
    return id;
  }

  /** The id of a task that is new. */
  newTask(): string | null {
    const id = this.task();
    this.admittedSlot = this.slot;
    return id;
  }

  /** The core was asked something, and its memory may have grown, and moved. */
  refresh(): void {
    if (this.bytes.length === 0) this.bytes = this.memory();
  }

  /** By what the task is known that was read last. */
  get about(): EventAbout {
    if (this.slot <= 1) return UNKNOWN;
    const about = this.aboutOf(this.slot, this.generation);
    this.refresh();
    return about;
  }

  /** Money, kept in billionths of a dollar. */
  dollars(): number {
    return this.number() / 1e9;
  }

  amounts(): EventAmounts {
    return { tokens: this.number(), costUsd: this.dollars(), turns: this.number() };
  }

  /** Dimensions of a budget, a bit each. */
  dimensions(): ('tokens' | 'costUsd' | 'turns')[] {
    const bits = this.byte();
    return bits === 0 ? [] : DIMENSIONS.filter((_, at) => (bits & (1 << at)) !== 0);
  }

  /** One of the names that the core knows by number. */
  name<T>(names: readonly T[]): T {
    return names[this.byte()] as T;
  }

  list<T>(entry: () => T): T[] {
    const list: T[] = [];
    for (let left = this.number(); left > 0; left -= 1) list.push(entry());
    return list;
  }
}
