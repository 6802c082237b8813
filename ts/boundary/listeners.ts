// The listeners to events. Owns the list; the core makes facts for it only while it isn't empty.

import { type AsyncContext, present } from '../base/context.js';
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
  /** Its listener is called in the context of the subscription. */
  readonly context: AsyncContext | undefined;
  /** How many events there had been when it was made; before the manager starts, when it was opened. */
  readonly since: number;
  /** It may be over while events of a batch are still to come. */
  isOver: boolean;
}

/** Makes the reader of the facts after `since`; handed in, since programs that subscribe to nothing need none of its code. */
type MakeReader = (runtime: EventParts, scratch: Scratch, since: number) => EventReader;

export class Listeners {
  /** A new list after every change: a list that is being gone through stays as it was. */
  private listeners: readonly Entry[] = [];
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
    const since = this.runtime.journal?.factsBefore ?? this.runtime.call((core) => core.factCount());
    if (this.listeners.length === 0) {
      this.runtime.journal?.gather(false);
      this.reader = makeReader(this.runtime, this.scratch, since);
      this.runtime.runs.keepOutputs(this.runtime.journal === undefined);
      this.runtime.call((core) => core.listen(true));
    }
    const entry: Entry = { listener, context: present(), since, isOver: false };
    this.listeners = [...this.listeners, entry];
    return () => {
      entry.isOver = true;
      this.listeners = this.listeners.filter((other) => other !== entry);
      if (this.listeners.length === 0 && !this.runtime.isClosed) {
        this.reader = undefined;
        this.runtime.runs.keepOutputs(false);
        if (this.runtime.journal === undefined) this.runtime.call((core) => core.listen(false));
        else this.runtime.journal.gather(true);
      }
    };
  }

  /**
   * The facts of a batch, for all listeners. A listener that throws doesn't affect the others. With a journal, facts are bytes
   * in their stored form; else numbers and their texts.
   */
  facts(at: number, length: number, texts: number): void {
    const { journal } = this.runtime;
    // All are read before the first is handed on: a listener may call back, and then the numbers are gone.
    if (journal === undefined) this.hand(this.reader?.read(at, length, texts));
    else if (length === 0) journal.scheduleWrite();
    else {
      const facts = journal.take(at, length);
      if (!journal.isSync) this.notify(facts);
    }
  }

  /** Facts that the journal has taken. */
  notify(facts: Facts): void {
    this.hand(this.reader?.readKept(facts));
  }

  private hand(events: readonly SubAgentEvent[] = []): void {
    const [first, second] = this.listeners;
    if (first === undefined) return;
    // Nearly always there is one, whose context is entered once for all events.
    if (second === undefined) within(first, () => this.notifyAll(first, events));
    else for (const event of events) this.notifyEach(event);
  }

  private notifyAll(entry: Entry, events: readonly SubAgentEvent[]): void {
    for (const event of events) this.notifyOne(entry, event);
  }

  /** Each gets an event before any gets the next one. */
  private notifyEach(event: SubAgentEvent): void {
    for (const entry of this.listeners) within(entry, () => this.notifyOne(entry, event));
  }

  private notifyOne(entry: Entry, event: SubAgentEvent): void {
    if (!entry.isOver && event.seq > entry.since) this.runtime.notify(entry.listener, event);
  }

  clear(): void {
    for (const entry of this.listeners) entry.isOver = true;
    this.listeners = [];
    // The reader may be in the middle of a batch, and refers to the memory.
    this.reader = undefined;
  }
}

function within({ context }: Entry, body: () => void): void {
  if (context === undefined) body();
  else context.runInAsyncScope(body);
}
