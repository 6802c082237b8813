// A part of a growing list of events, found once: each event is looked at when it comes, not again with every picture.

import type { SubAgentEvent } from 'subagents/view';

export class Sifted {
  private readonly found: SubAgentEvent[] = [];
  private readonly fits: (event: SubAgentEvent) => boolean;
  private looked = 0;

  constructor(fits: (event: SubAgentEvent) => boolean) {
    this.fits = fits;
  }

  /** Those that fit, of the events up to a number. */
  upTo(events: readonly SubAgentEvent[], seq: number): readonly SubAgentEvent[] {
    for (; this.looked < events.length; this.looked += 1) {
      const event = events[this.looked];
      if (event !== undefined && this.fits(event)) this.found.push(event);
    }
    const end = countUpTo(this.found, seq);
    return end === this.found.length ? this.found.slice() : this.found.slice(0, end);
  }
}

/** How many of these events have at most this number; they are in its order. */
export function countUpTo(events: readonly SubAgentEvent[], seq: number): number {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.seq ?? 0) <= seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
