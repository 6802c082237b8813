// Who listens to events. Owns the list; the core makes facts for it only while it isn't empty.

import { bound } from '../base/context.js';
import type { EventParts, EventReader, Listener, SubAgentEvent } from './events.js';
import type { Facts, Journal } from './journal.js';
import type { Scratch } from './scratch.js';

/** What listening needs of its manager. */
interface ListenerParts extends EventParts {
  readonly journal: Journal | undefined;
  readonly runs: EventParts['runs'] & { keepOutputs(on: boolean): void };
}

/** A subscription: each counts for itself, also of the same function. */
interface Entry {
  readonly listener: Listener;
  /** How many events there had been when it was made. */
  readonly since: number;
}

/** Makes what reads the facts after so many; handed in, since those who subscribe to nothing need none of its code. */
type MakeReader = (runtime: EventParts, scratch: Scratch, since: number) => EventReader;

export class Listeners {
  private readonly listeners = new Set<Entry>();
  private reader: EventReader | undefined = undefined;
  private readonly runtime: ListenerParts;
  private readonly scratch: Scratch;

  constructor(runtime: ListenerParts, scratch: Scratch) {
    this.runtime = runtime;
    this.scratch = scratch;
  }

  get listening(): boolean {
    return this.reader !== undefined;
  }

  subscribe(listener: Listener, makeReader: MakeReader): () => void {
    this.runtime.check();
    const since = this.runtime.call((core) => core.factCount());
    if (this.listeners.size === 0) {
      this.runtime.journal?.gather(false);
      this.reader = makeReader(this.runtime, this.scratch, since);
      this.runtime.runs.keepOutputs(this.runtime.journal === undefined);
      this.runtime.call((core) => core.listen(true));
    }
    const entry: Entry = { listener: bound(listener), since };
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
      if (this.listeners.size === 0 && !this.runtime.isClosed) {
        this.reader = undefined;
        this.runtime.runs.keepOutputs(false);
        if (this.runtime.journal === undefined) this.runtime.call((core) => core.listen(false));
        else this.runtime.journal.gather(true);
      }
    };
  }

  /**
   * Facts of a batch, for all listeners; one that throws harms none of the others. With a journal they are so many bytes, to
   * be stored as they are; else so many numbers, and what texts are among them.
   */
  facts(at: number, length: number, texts: number): void {
    const { journal } = this.runtime;
    // All are read before the first is handed on: a listener may call back, and then the numbers are gone.
    if (journal === undefined) this.hand(this.reader?.read(at, length, texts));
    else if (length === 0) journal.expect();
    else {
      const facts = journal.take(this.scratch.copy(at, length));
      if (!journal.isSync) this.tell(facts);
    }
  }

  /** Facts that the journal has taken. */
  tell(facts: Facts): void {
    this.hand(this.reader?.readKept(facts));
  }

  private hand(events: readonly SubAgentEvent[] = []): void {
    for (const event of events) {
      for (const { listener, since } of this.listeners) {
        if (event.seq > since) this.runtime.tell(listener, event);
      }
    }
  }

  clear(): void {
    this.listeners.clear();
    // It may be in the middle of a batch, and knows the memory.
    this.reader = undefined;
  }
}
