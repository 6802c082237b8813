// Events: the core's facts as objects. Owns their numbers, and by what they name sub-agents.

import { FactBytes } from '../base/fact-bytes.js';
import { type FactFields, type Subject, type Subjects, UNKNOWN } from '../base/fact-fields.js';
import { FACT_READERS } from '../generated/fact-readers.js';
import type { SubAgentEvent as AnyEvent, SeededEvent, TaskAdmittedEvent } from '../generated/facts.js';
import type { Core } from './core.js';
import { FactNumbers, NEW_TASK, type NewTask } from './fact-numbers.js';
import type { Facts } from './journal.js';
import type { Scratch } from './scratch.js';

/** What reading events needs of its manager. */
export interface EventParts extends Core {
  readonly lookup: {
    eventId(slot: number, generation: number): string | null;
    about(slot: number, generation: number): Omit<Subject, 'taskId'> | undefined;
    label(slot: number, generation: number): string | null;
    sessionKey(slot: number, generation: number): string | null;
  };
  /** Texts that are here already: they need not be made of bytes once more. */
  readonly runs: {
    textOf(slot: number, generation: number): string | undefined;
    outputOf(slot: number, generation: number, run: number): string | undefined;
  };
}

/** Something that happened in a manager. Its seed is not among them: ids are made with it. */
export type SubAgentEvent = Exclude<AnyEvent, SeededEvent>;
/** Gets every event, after what it is about has been carried out. */
export type Listener = (event: SubAgentEvent) => void;

/** The longest text that a label may keep in memory. */
const SHORT = 1_000;

/** What was at a place when an event named it last. */
interface Known {
  readonly generation: number;
  readonly taskId: string | null;
  /** Once an event was about it. */
  subject: Subject | undefined;
}

export class EventReader implements Subjects {
  private seq: number;
  private readonly runtime: EventParts;
  private readonly numbers: FactNumbers;
  /** By slot. */
  private readonly known: (Known | undefined)[] = [];
  /** The sub-agent whose admission is told next. */
  private introduced: NewTask | undefined = undefined;

  /** @param seq how many facts came before, the seed not counted */
  constructor(runtime: EventParts, scratch: Scratch, seq: number) {
    this.runtime = runtime;
    this.seq = seq;
    this.numbers = new FactNumbers(this, scratch);
  }

  /** Facts that were kept. */
  readKept({ bytes, before }: Facts): SubAgentEvent[] {
    this.seq = before;
    return this.readStored(bytes);
  }

  /** Facts in their stored form. */
  readStored(bytes: Uint8Array<ArrayBuffer>): SubAgentEvent[] {
    return this.readAll(new FactBytes(bytes, this));
  }

  /** So many numbers that the core shows at an address, and their texts at another one. */
  read(at: number, length: number, texts: number): SubAgentEvent[] {
    this.numbers.begin(at, length, texts);
    return this.readAll(this.numbers);
  }

  private readAll(from: FactFields): SubAgentEvent[] {
    const events: SubAgentEvent[] = [];
    while (!from.isOver) {
      const at = from.number();
      const kind = from.byte();
      if (kind === NEW_TASK) {
        this.introduced = this.numbers.introduction();
        continue;
      }
      const read = FACT_READERS[kind];
      if (read === undefined) throw new Error('a fact of an unknown kind');
      const event = read(from, this.seq + 1, at);
      if (event.type === 'seeded') continue;
      if (event.type === 'task_admitted') this.learn(event, from.admitted);
      // What is not told has no number: a gap would look like an event that was lost.
      this.seq += 1;
      events.push(event);
    }
    return events;
  }

  idOf(slot: number, generation: number): string | null {
    const { introduced } = this;
    if (introduced?.slot === slot && introduced.generation === generation) return introduced.taskId;
    return this.at(slot, generation).taskId;
  }

  subjectOf(slot: number, generation: number): Subject {
    const known = this.at(slot, generation);
    known.subject ??= this.lookUp(slot, generation, known.taskId);
    return known.subject;
  }

  textOf(slot: number, generation: number): string | undefined {
    return this.runtime.runs.textOf(slot, generation);
  }

  outputOf(slot: number, generation: number, run: number): string | undefined {
    return this.runtime.runs.outputOf(slot, generation, run);
  }

  /** A new sub-agent says itself by what it is known. */
  private learn(event: TaskAdmittedEvent, { slot, generation }: { readonly slot: number; readonly generation: number }): void {
    const { introduced } = this;
    const { taskId, parentId, spec } = event;
    event.metadata = spec?.metadata ?? null;
    if (introduced === undefined) {
      // Where it was given no label, the core has one made of its text.
      event.label = spec?.label ?? this.runtime.lookup.label(slot, generation);
      event.sessionKey = this.runtime.lookup.sessionKey(slot, generation);
    } else {
      event.label = spec?.label ?? (event.text === '' ? (spec?.nickname ?? '') : labelOf(event.text, introduced));
      event.sessionKey = introduced.sessionKey;
      this.introduced = undefined;
    }
    const { label, metadata, sessionKey } = event;
    this.known[slot] = { generation, taskId, subject: { taskId, label, parentId, metadata, sessionKey } };
  }

  private at(slot: number, generation: number): Known {
    const known = this.known[slot];
    if (known !== undefined && known.generation === generation) return known;
    const made = { generation, taskId: this.runtime.lookup.eventId(slot, generation), subject: undefined };
    this.known[slot] = made;
    return made;
  }

  private lookUp(slot: number, generation: number, taskId: string | null): Subject {
    const { lookup } = this.runtime;
    if (taskId === null) return { ...UNKNOWN, sessionKey: lookup.sessionKey(slot, generation) };
    return { ...(lookup.about(slot, generation) ?? UNKNOWN), taskId };
  }
}

/** The part of a text that labels it. */
function labelOf(text: string, { labelFrom, labelLength }: NewTask): string {
  const label = text.slice(labelFrom, labelFrom + labelLength);
  // A part keeps the whole in memory: of a long one a copy is made.
  return text.length <= SHORT ? label : (JSON.parse(JSON.stringify(label)) as string);
}
