// Events: the core's facts as objects. Owns their numbers, and the names of sub-agents in them.

import { FactBytes } from '../base/fact-bytes.js';
import type { FactFields, Subject, Subjects } from '../base/fact-fields.js';
import { FACT_READERS, SEEDED, TASK_ADMITTED } from '../generated/fact-readers.js';
import type { SubAgentEvent as AnyEvent, SeededEvent, SessionOpenedEvent, TaskAdmittedEvent } from '../generated/facts.js';
import { FORM } from '../generated/form.js';
import type { Core } from './core.js';
import { FactNumbers, NEW_TASK } from './fact-numbers.js';
import type { Facts } from './journal.js';
import type { Scratch } from './scratch.js';

/** The parts of the manager that reading events needs. */
export interface EventParts extends Core {
  readonly lookup: {
    eventId(index: number, generation: number): string | null;
    about(index: number, generation: number): Omit<Subject, 'taskId'> | undefined;
    sessionKey(index: number, generation: number): string | null;
    readonly sessions: ReadonlyMap<number, { readonly generation: number; readonly key: string }>;
  };
  /** Texts that JavaScript already has: they need not be decoded again. */
  readonly runs: {
    textOf(index: number, generation: number): string | undefined;
    outputOf(index: number, generation: number, run: number): string | undefined;
  };
}

/** Something that happened in a manager. Its seed is excluded: ids are made with it. */
export type SubAgentEvent = Exclude<AnyEvent, SeededEvent>;
/**
 * Gets every event after its effects ran. All listeners get the same object and must not change it. Freezing it would double
 * its cost.
 */
export type Listener = (event: Readonly<SubAgentEvent>) => void;

/** The longest text that a part of it may retain in memory. */
const SHORT = 1_000;

/** The sub-agent or session at a place, as an event last named it. */
class NamedSubject implements Subject {
  label: Subject['label'] = null;
  parentId: Subject['parentId'] = null;
  metadata: Subject['metadata'] = null;
  sessionKey: Subject['sessionKey'] = null;
  readonly generation: number;
  taskId: string | null;
  /** Whether more than its id is known: an event was about it. */
  isWhole = false;

  constructor(generation: number, taskId: string | null) {
    this.generation = generation;
    this.taskId = taskId;
  }
}

export class EventReader implements Subjects {
  private seq: number;
  private readonly runtime: EventParts;
  private readonly numbers: FactNumbers;
  /** By index. */
  private readonly known: (NamedSubject | undefined)[] = [];
  /** The introduced sub-agent, whose admission comes next. */
  private introduced: NamedSubject | undefined = undefined;

  /** @param seq how many facts came before, without the seed */
  constructor(runtime: EventParts, scratch: Scratch, seq: number) {
    this.runtime = runtime;
    this.seq = seq;
    this.numbers = new FactNumbers(this, scratch);
    // Events that a store takes are read later: the core may have freed their session, and used its index again.
    for (const [index, { generation, key }] of runtime.lookup.sessions) this.nameSession(index, generation, key);
  }

  /** Reads facts that the journal has taken. */
  readKept({ bytes, before }: Facts): SubAgentEvent[] {
    this.seq = before;
    return this.readStored(bytes);
  }

  /** Reads facts in this stored form. */
  readStored(bytes: Uint8Array<ArrayBuffer>, form: number = FORM): SubAgentEvent[] {
    return this.readAll(new FactBytes(bytes, this, form));
  }

  /** Reads this many numbers that the core shows at an address, and their texts at another one. */
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
        this.introduce(this.numbers);
        continue;
      }
      const read = FACT_READERS[kind];
      if (read === undefined) throw new Error('a fact of an unknown kind');
      const event = read(from, this.seq + 1, at);
      // A fact that isn't shown has no number: a gap would look like a lost event.
      if (kind === SEEDED) continue;
      if (kind === TASK_ADMITTED) this.learn(event as TaskAdmittedEvent, from);
      else if (event.type === 'session_opened') this.open(event, from);
      this.seq += 1;
      events.push(event as SubAgentEvent);
    }
    return events;
  }

  idOf(index: number, generation: number): string | null {
    return this.at(index, generation).taskId;
  }

  subjectOf(index: number, generation: number): Subject {
    const known = this.at(index, generation);
    if (!known.isWhole) this.lookUp(known, index);
    return known;
  }

  textOf(index: number, generation: number): string | undefined {
    return this.runtime.runs.textOf(index, generation);
  }

  outputOf(index: number, generation: number, run: number): string | undefined {
    return this.runtime.runs.outputOf(index, generation, run);
  }

  /** Reads a new sub-agent, before its admission is shown. */
  private introduce(from: FactNumbers): void {
    const index = from.number();
    const known = new NamedSubject(from.number(), from.newId());
    from.label();
    known.sessionKey = from.flag() ? from.text() : null;
    this.known[index] = known;
    this.introduced = known;
  }

  /** Takes the names of a new sub-agent from the event of its admission. */
  private learn(event: TaskAdmittedEvent, from: FactFields): void {
    const { spec, text } = event;
    const { admittedIndex: index, admittedGeneration: generation, otherIndex: above } = from;
    const known = this.introduced ?? this.at(index, generation);
    if (this.introduced === undefined) {
      // If the spawn gave no label, the core has made one of the text.
      known.label = spec?.label ?? this.runtime.lookup.about(index, generation)?.label ?? null;
      known.sessionKey = above <= 1 ? null : this.subjectOf(above, from.otherGeneration).sessionKey;
    } else {
      known.label = spec?.label ?? (text === '' ? (spec?.nickname ?? '') : partOf(text, this.numbers.labelFrom, this.numbers.labelLength));
      this.introduced = undefined;
    }
    // The core names a new sub-agent by the id that it made, even if the spawn gave one.
    if (spec?.taskId != null) known.taskId = event.taskId = spec.taskId;
    known.parentId = event.parentId;
    known.metadata = spec?.metadata ?? null;
    known.isWhole = true;
    event.label = known.label;
    event.metadata = known.metadata;
    event.sessionKey = known.sessionKey;
  }

  /** Takes the key of a new session from the event of its opening. */
  private open(event: SessionOpenedEvent, { index, generation }: FactFields): void {
    this.nameSession(index, generation, event.name);
    event.taskId = null;
    event.sessionKey = event.name;
  }

  private nameSession(index: number, generation: number, key: string): void {
    const known = new NamedSubject(generation, null);
    known.sessionKey = key;
    known.isWhole = true;
    this.known[index] = known;
  }

  private at(index: number, generation: number): NamedSubject {
    const known = this.known[index];
    if (known !== undefined && known.generation === generation) return known;
    const made = new NamedSubject(generation, this.runtime.lookup.eventId(index, generation));
    this.known[index] = made;
    return made;
  }

  private lookUp(known: NamedSubject, index: number): void {
    const { lookup } = this.runtime;
    if (known.taskId === null) known.sessionKey = lookup.sessionKey(index, known.generation);
    else Object.assign(known, lookup.about(index, known.generation));
    known.isWhole = true;
  }
}

/** A part of a text retains the whole text in memory, so a part of a long one is copied. */
function partOf(text: string, from: number, length: number): string {
  const part = text.slice(from, from + length);
  return text.length <= SHORT ? part : (JSON.parse(JSON.stringify(part)) as string);
}
