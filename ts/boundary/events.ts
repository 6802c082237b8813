// Events: the core's facts as objects. Owns their numbers, and the ids that they name tasks by.

import { FactBytes } from '../base/fact-bytes.js';
import { FACT_READERS } from '../generated/fact-readers.js';
import type { SubAgentEvent as AnyEvent, SeededEvent } from '../generated/facts.js';
import type { Core } from './core.js';
import type { Facts } from './journal.js';
import type { Scratch } from './scratch.js';

/** What reading events needs of its manager. */
export interface EventParts extends Core {
  readonly lookup: { eventId(slot: number, generation: number): string | null };
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

  /** @param seq how many facts came before, the seed not counted */
  constructor(runtime: EventParts, scratch: Scratch, seq: number) {
    this.runtime = runtime;
    this.seq = seq;
    this.bytes = new FactBytes(
      () => scratch.memoryView(),
      (slot, generation) => this.idOf(slot, generation),
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
    return id;
  }
}
