// Events: the core's facts as objects. Owns the decoding of their stored form, by the generated shapes.

import { type SubAgentEvent as AnyEvent, FACT_SHAPES, type SeededEvent, SPEC_SHAPE } from './generated/facts.js';
import { ON_PARENT_END, PARK_REASONS, POLICY_ANSWERS, POLICY_POINTS, STOP_REASONS, TASK_STATUSES } from './generated/names.js';
import type { Runtime } from './runtime.js';

/** Something that happened in a manager. Its seed is not among them: ids are made with it. */
export type SubAgentEvent = Exclude<AnyEvent, SeededEvent>;
/** Gets every event, after what it is about has been carried out. */
export type Listener = (event: SubAgentEvent) => void;

type FieldReader = (reader: EventReader) => unknown;

/** How each kind of field is read; worked out once, not for every event. */
function fieldReader(kind: string): FieldReader {
  if (kind.endsWith('?')) {
    const inner = fieldReader(kind.slice(0, -1));
    return (reader) => (reader.byte() === 0 ? null : inner(reader));
  }
  if (kind.endsWith('[]')) {
    const inner = fieldReader(kind.slice(0, -2));
    return (reader) => {
      const list: unknown[] = [];
      for (let left = reader.number(); left > 0; left -= 1) list.push(inner(reader));
      return list;
    };
  }
  switch (kind) {
    case 'number':
      return (reader) => reader.number();
    case 'signed':
      return (reader) => {
        const zigzag = reader.number();
        return zigzag % 2 === 0 ? zigzag / 2 : -(zigzag + 1) / 2;
      };
    case 'boolean':
      return (reader) => reader.byte() === 1;
    case 'text':
      return (reader) => reader.text();
    case 'task':
      return (reader) => reader.task();
    case 'wait':
      return (reader) => reader.number() + reader.number() * 4_294_967_296;
    case 'amounts':
      return (reader) => ({ tokens: reader.number(), costUsd: reader.number() / 1e9, turns: reader.number() });
    case 'Status':
      return (reader) => TASK_STATUSES[reader.byte()];
    case 'StopReason':
      return (reader) => STOP_REASONS[reader.byte()];
    case 'OnParentEnd':
      return (reader) => ON_PARENT_END[reader.byte()];
    case 'Parked':
      return (reader) => PARK_REASONS[reader.byte()];
    case 'Point':
      return (reader) => POLICY_POINTS[reader.byte()];
    case 'Answer':
      return (reader) => POLICY_ANSWERS[reader.byte()];
    case 'Spec': {
      const fields = SPEC_SHAPE.map(([name, inner]) => [name, fieldReader(inner)] as const);
      return (reader) => Object.fromEntries(fields.map(([name, read]) => [name, read(reader)]));
    }
    default:
      throw new Error(`a field of an unknown kind: ${kind}`);
  }
}

interface Shape {
  type: string;
  names: readonly string[];
  fields: readonly FieldReader[];
}

/** By number; made when somebody listens for the first time. */
let shapes: (Shape | undefined)[] | undefined;

function shapesByNumber(): (Shape | undefined)[] {
  if (shapes !== undefined) return shapes;
  shapes = [];
  for (const { number, type, fields } of FACT_SHAPES) {
    shapes[number] = { type, names: fields.map(([name]) => name), fields: fields.map(([, kind]) => fieldReader(kind)) };
  }
  return shapes;
}

export class EventReader {
  private bytes = new Uint8Array(0);
  private at = 0;
  private seq: number;
  private readonly shapes = shapesByNumber();
  private readonly decoder = new TextDecoder();
  private readonly runtime: Runtime;
  private readonly ids = new Map<number, { generation: number; id: string | null }>();

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
      const shape = this.shapes[this.byte()];
      if (shape === undefined) throw new Error('a fact of an unknown kind');
      this.seq += 1;
      const event: Record<string, unknown> = { type: shape.type, seq: this.seq, at };
      const { names, fields } = shape;
      for (let index = 0; index < fields.length; index += 1) event[names[index] as string] = (fields[index] as FieldReader)(this);
      if (shape.type !== 'seeded') events.push(event as unknown as SubAgentEvent);
    }
    return events;
  }

  /** @internal */
  byte(): number {
    const byte = this.bytes[this.at];
    if (byte === undefined) throw new Error('a fact was cut off');
    this.at += 1;
    return byte;
  }

  /** LEB128. What is uncapped is the largest number there is, and reads as `Infinity`. */
  number(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value >= 2 ** 64 - 2048 ? Number.POSITIVE_INFINITY : value;
      scale *= 128;
    }
  }

  text(): string {
    const length = this.number();
    this.at += length;
    return this.decoder.decode(this.bytes.subarray(this.at - length, this.at));
  }

  /** The id of a task; null for the program and for sessions. */
  task(): string | null {
    const slot = this.number();
    const generation = this.number();
    if (slot <= 1) return null;
    const known = this.ids.get(slot);
    if (known?.generation === generation) return known.id;
    const id = this.runtime.lookup.isSession(slot, generation) ? null : this.runtime.lookup.taskId(slot, generation);
    this.ids.set(slot, { generation, id });
    return id;
  }
}
