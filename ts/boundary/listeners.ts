// Who listens to events. Owns the list; the core makes facts for it only while somebody is on it.

import { bound } from '../base/context.js';
import type { EventParts, EventReader, Listener } from './events.js';
import type { Journal } from './journal.js';
import type { Scratch } from './scratch.js';

/** What listening needs of its manager. */
interface ListenerParts extends EventParts {
  readonly journal: Journal | undefined;
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
      this.reader = makeReader(this.runtime, this.scratch, since);
      this.runtime.call((core) => core.listen(true));
    }
    const entry: Entry = { listener: bound(listener), since };
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
      if (this.listeners.size === 0 && !this.runtime.isClosed) {
        this.reader = undefined;
        if (this.runtime.journal === undefined) this.runtime.call((core) => core.listen(false));
      }
    };
  }

  /** Facts of a batch, for whoever listens. A listener that throws harms nobody. */
  facts(at: number, length: number): void {
    const { journal } = this.runtime;
    if (this.reader === undefined && journal === undefined) return;
    journal?.append(this.scratch.copy(at, length));
    if (this.reader === undefined) return;
    // All are read before the first is handed on: a listener may call back, and then the bytes are gone.
    for (const event of this.reader.read(at, length)) {
      for (const { listener, since } of this.listeners) {
        if (event.seq > since) this.runtime.tell(() => listener(event));
      }
    }
  }

  clear(): void {
    this.listeners.clear();
    // It may be in the middle of a batch, and knows the memory.
    this.reader = undefined;
  }
}
