// The log of a view's events. Owns the interface of a log, and the simplest one: a list.

import type { SubAgentEvent } from '../generated/facts.js';

/**
 * The log in which a view keeps its events, in their order. A place counts from 0, among the retained events. A packed log
 * makes equal events at each read.
 */
export interface EventLog {
  /** How many events are retained. */
  readonly length: number;
  /** Adds the next event. */
  push(event: SubAgentEvent): unknown;
  /** The event at a place below `length`. */
  read(place: number): SubAgentEvent;
  /** Drops the oldest events: this many, a multiple of 4,096. */
  drop(count: number): void;
}

export class ListLog implements EventLog {
  // No subclass of `Array`: V8 makes its `push` slow.
  readonly #events: SubAgentEvent[] = [];

  get length(): number {
    return this.#events.length;
  }

  push(event: SubAgentEvent): void {
    this.#events.push(event);
  }

  read(place: number): SubAgentEvent {
    return this.#events[place] as SubAgentEvent;
  }

  drop(count: number): void {
    this.#events.splice(0, count);
  }
}
