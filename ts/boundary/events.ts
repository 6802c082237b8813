// Events: the core's facts as objects. Owns their numbers, and the ids that they name tasks by.

import { type EventAbout, FactBytes, UNKNOWN } from '../base/fact-bytes.js';
import { FACT_READERS } from '../generated/fact-readers.js';
import type { SubAgentEvent as AnyEvent, SeededEvent, TaskAdmittedEvent } from '../generated/facts.js';
import type { Core } from './core.js';
import type { Facts } from './journal.js';
import type { Scratch } from './scratch.js';

/** What reading events needs of its manager. */
export interface EventParts extends Core {
  readonly lookup: {
    eventId(slot: number, generation: number): string | null;
    about(slot: number, generation: number): EventAbout | undefined;
    label(slot: number, generation: number): string | null;
    sessionKey(slot: number, generation: number): string | null;
  };
}

/** Something that happened in a manager. Its seed is not among them: ids are made with it. */
export type SubAgentEvent = Exclude<AnyEvent, SeededEvent>;
/** Gets every event, after what it is about has been carried out. */
export type Listener = (event: SubAgentEvent) => void;

export class EventReader {
  private seq: number;
  private readonly bytes: FactBytes;
  private readonly runtime: EventParts;
  /** By slot: the generation whose id is known, and the id. */
  private readonly generations: number[] = [];
  private readonly ids: (string | null)[] = [];
  /** By slot as well: by what it is known, once that was asked for. */
  private readonly abouts: (EventAbout | undefined)[] = [];

  /** @param seq how many facts came before, the seed not counted */
  constructor(runtime: EventParts, scratch: Scratch, seq: number) {
    this.runtime = runtime;
    this.seq = seq;
    this.bytes = new FactBytes(
      () => scratch.memoryView(),
      (slot, generation) => this.idOf(slot, generation),
      (slot, generation) => this.aboutOf(slot, generation),
    );
  }

  /** Facts that were kept. */
  readKept({ bytes, before }: Facts): SubAgentEvent[] {
    this.seq = before;
    return this.read(0, bytes.length, bytes);
  }

  /** The facts that the core shows at an address, or those of a copy. */
  read(at: number, length: number, copy?: Uint8Array<ArrayBuffer>): SubAgentEvent[] {
    const { bytes } = this;
    const events: SubAgentEvent[] = [];
    for (bytes.begin(at, length, copy); !bytes.isOver; ) {
      const at = bytes.number();
      const read = FACT_READERS[bytes.byte()];
      if (read === undefined) throw new Error('a fact of an unknown kind');
      const event = read(bytes, this.seq + 1, at);
      if (event.type === 'seeded') continue;
      if (event.type === 'task_admitted') this.learn(event);
      // What is not told has no number: a gap would look like an event that was lost.
      this.seq += 1;
      events.push(event);
    }
    return events;
  }

  private idOf(slot: number, generation: number): string | null {
    if (this.generations[slot] === generation) return this.ids[slot] as string | null;
    const id = this.runtime.lookup.eventId(slot, generation);
    this.generations[slot] = generation;
    this.ids[slot] = id;
    this.abouts[slot] = undefined;
    return id;
  }

  /** A new sub-agent says itself by what it is known. */
  private learn(event: TaskAdmittedEvent): void {
    const slot = this.bytes.admittedSlot;
    // What a new task names last is its parent.
    const { sessionKey } = this.bytes.about;
    // Where it was given no label, the core has one made of its text.
    const label = event.spec?.label ?? this.runtime.lookup.label(slot, this.generations[slot] as number);
    this.bytes.refresh();
    const metadata = event.spec?.metadata ?? null;
    Object.assign(event, { label, metadata, sessionKey });
    this.abouts[slot] = { label, parentId: event.parentId, metadata, sessionKey };
  }

  private aboutOf(slot: number, generation: number): EventAbout {
    const known = this.abouts[slot] ?? this.lookUp(slot, generation);
    this.abouts[slot] = known;
    return known;
  }

  private lookUp(slot: number, generation: number): EventAbout {
    const { lookup } = this.runtime;
    if (this.ids[slot] === null) return { ...UNKNOWN, sessionKey: lookup.sessionKey(slot, generation) };
    return lookup.about(slot, generation) ?? UNKNOWN;
  }
}
