// Lists of events that are read only where they are visible. Owns the search: each event is checked once, in parts, so
// that the page responds during a search of a million.

import type { SubAgentEvent, View } from 'subagents/view';

/** Events in their order, read on request. */
export interface EventRows {
  readonly length: number;
  at(place: number): SubAgentEvent | undefined;
}

/** Events checked between two looks at the clock. */
const STEP = 512;
const SLICE_MS = 10;

/** All events up to a number. */
export function rowsUpTo(view: View, seq: number): EventRows {
  return { length: view.countUpTo(seq), at: (place) => view.eventAt(place) };
}

export class Sifted {
  /** The numbers of fitting events. */
  readonly #found: number[] = [];
  readonly #fits: (event: SubAgentEvent) => boolean;
  /** The number of the last checked event. */
  #looked = 0;

  constructor(fits: (event: SubAgentEvent) => boolean) {
    this.#fits = fits;
  }

  /** Checks more events. Returns whether all have been checked. */
  look(view: View): boolean {
    const until = performance.now() + SLICE_MS;
    for (let place = view.countUpTo(this.#looked); place < view.size; place += 1) {
      const event = view.eventAt(place) as SubAgentEvent;
      if (this.#fits(event)) this.#found.push(event.seq);
      this.#looked = event.seq;
      if (place % STEP === 0 && performance.now() > until) return false;
    }
    return true;
  }

  /** The fitting events up to a number, of those checked so far. */
  upTo(view: View, seq: number): EventRows {
    let low = 0;
    let high = this.#found.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#found[middle] as number) <= seq) low = middle + 1;
      else high = middle;
    }
    return { length: low, at: (place) => view.event(this.#found[place] ?? 0) };
  }
}
