// The listeners to events. Owns the list; the core makes facts for it only while it isn't empty.

import { type AsyncContext, present } from '../base/context.js';
import type { EventParts, EventReader, Listener, SubAgentEvent } from './events.js';
import type { Facts, Journal } from './journal.js';
import type { Scratch } from './scratch.js';

/** The parts of the manager that listening needs. */
interface ListenerParts extends EventParts {
  readonly journal: Journal | undefined;
  readonly runs: EventParts['runs'] & { keepOutputs(on: boolean): void };
}

/** A subscription: each counts for itself, even with the same function. */
interface Entry {
  readonly listener: Listener;
  /** The context of the subscription, in which the listener is called. */
  readonly context: AsyncContext | undefined;
  /** How many events came before the subscription; before the manager starts, how many came before its opening. */
  readonly since: number;
  /** Whether it has ended: events of a batch may still come. */
  isOver: boolean;
}

/** Makes the reader of the facts after `since`. Passed in, so that programs without subscriptions need none of its code. */
type MakeReader = (runtime: EventParts, scratch: Scratch, since: number) => EventReader;

export class Listeners {
  /** Replaced at every change: a list that is being iterated stays unchanged. */
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
   * Publishes the facts of a batch to all listeners. A listener that throws doesn't affect the others. With a journal, facts
   * are bytes in their stored form; else numbers and their texts.
   */
  facts(at: number, length: number, texts: number): void {
    const { journal } = this.runtime;
    // Reads all events before the first is passed on: a listener may call back, and then the numbers are gone.
    if (journal === undefined) this.hand(this.reader?.read(at, length, texts));
    else if (length === 0) journal.scheduleWrite();
    else {
      const facts = journal.take(at, length);
      if (!journal.isSync) this.notify(facts);
    }
  }

  /** Publishes facts that the journal has taken. */
  notify(facts: Facts): void {
    this.hand(this.reader?.readKept(facts));
  }

  private hand(events: readonly SubAgentEvent[] = []): void {
    const [first, second] = this.listeners;
    if (first === undefined) return;
    // Nearly always there is one listener, whose context is entered once for all events.
    if (second === undefined) within(first, () => this.notifyAll(first, events));
    else for (const event of events) this.notifyEach(event);
  }

  private notifyAll(entry: Entry, events: readonly SubAgentEvent[]): void {
    for (const event of events) this.notifyOne(entry, event);
  }

  /** Each listener gets an event before any gets the next one. */
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
