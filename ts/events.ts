// Events: the core's facts as objects. Owns the decoding of their stored form, by the generated shapes.

import { type SubAgentEvent as AnyEvent, FACT_SHAPES, type SeededEvent, SPEC_SHAPE } from './generated/facts.js';
import { PARK_REASONS, STOP_REASONS, TASK_STATUSES } from './generated/names.js';
import type { Runtime } from './runtime.js';

/** Something that happened in a manager. Its seed is not among them: ids are made with it. */
export type SubAgentEvent = Exclude<AnyEvent, SeededEvent>;
/** Gets every event, after what it is about has been carried out. */
export type Listener = (event: SubAgentEvent) => void;

const SHAPES = new Map<number, (typeof FACT_SHAPES)[number]>(FACT_SHAPES.map((shape) => [shape.number, shape]));
const decoder = new TextDecoder();

export class EventReader {
  private bytes = new Uint8Array(0);
  private at = 0;
  private seq: number;
  private readonly runtime: Runtime;
  private readonly ids = new Map<number, { generation: number; id: string }>();

  /** @param seq how many facts came before */
  constructor(runtime: Runtime, seq: number) {
    this.runtime = runtime;
    this.seq = seq;
  }

  read(bytes: Uint8Array<ArrayBuffer>): SubAgentEvent[] {
    this.bytes = bytes;
    this.at = 0;
    const events: SubAgentEvent[] = [];
    while (this.at < bytes.length) {
      const at = this.number();
      const shape = SHAPES.get(this.byte());
      if (shape === undefined) throw new Error('a fact of an unknown kind');
      this.seq += 1;
      const event: Record<string, unknown> = { type: shape.type, seq: this.seq, at };
      for (const [name, kind] of shape.fields) event[name] = this.field(kind);
      if (shape.type !== 'seeded') events.push(event as unknown as SubAgentEvent);
    }
    return events;
  }

  private field(kind: string): unknown {
    if (kind.endsWith('?')) return this.byte() === 0 ? null : this.field(kind.slice(0, -1));
    if (kind.endsWith('[]')) {
      const list: unknown[] = [];
      for (let left = this.number(); left > 0; left -= 1) list.push(this.field(kind.slice(0, -2)));
      return list;
    }
    switch (kind) {
      case 'number':
        return this.number();
      case 'signed': {
        const zigzag = this.number();
        return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      }
      case 'boolean':
        return this.byte() === 1;
      case 'text':
        return this.text();
      case 'task':
        return this.task();
      case 'amounts':
        return { tokens: this.number(), costUsd: this.number() / 1e9, turns: this.number() };
      case 'Status':
        return TASK_STATUSES[this.byte()];
      case 'StopReason':
        return STOP_REASONS[this.byte()];
      case 'Parked':
        return PARK_REASONS[this.byte()];
      case 'Spec':
        return Object.fromEntries(SPEC_SHAPE.map(([name, inner]) => [name, this.field(inner)]));
      default:
        throw new Error(`a field of an unknown kind: ${kind}`);
    }
  }

  private byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new Error('a fact was cut off');
    this.at += 1;
    return byte;
  }

  /** LEB128. What is uncapped is the largest number there is, and reads as `Infinity`. */
  private number(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value >= 2 ** 64 - 2048 ? Number.POSITIVE_INFINITY : value;
      scale *= 128;
    }
  }

  private text(): string {
    const length = this.number();
    this.at += length;
    return decoder.decode(this.bytes.subarray(this.at - length, this.at));
  }

  /** The id of a task; null for the program and for sessions. */
  private task(): string | null {
    const slot = this.number();
    const generation = this.number();
    if (slot <= 1) return null;
    const known = this.ids.get(slot);
    if (known?.generation === generation) return known.id;
    const id = this.runtime.taskId(slot, generation);
    this.ids.set(slot, { generation, id });
    return id;
  }
}
