// A manager's feed for outside inspectors: its last events, and the readers that wait for the next. Owns how many
// events it retains, and that a slow reader costs the manager nothing.

import { randomUUID } from 'node:crypto';
import type { Refusal, SubAgentManager } from 'subagents';
import { baseOf, type InspectorBatch, type SubAgentEvent, type ViewBase } from 'subagents/view';

/** Maximum number of events in a batch. */
const BATCH = 2_000;
const MAX_REFUSALS = 10_000;

export class Feed {
  /** Distinguishes this manager's events from those of another manager that may be served here the next time. */
  readonly id = randomUUID();
  readonly #manager: SubAgentManager;
  readonly #maxEvents: number;
  readonly #stops: (() => void)[];
  readonly #waiting = new Set<() => void>();
  /** The state before the first received event. */
  readonly #base: ViewBase | undefined;
  #events: SubAgentEvent[] = [];
  #refusals: Refusal[] = [];
  /** The number of refusals before the retained ones. */
  #refusalsBefore = 0;
  #isOver = false;

  constructor(manager: SubAgentManager, maxEvents: number) {
    this.#manager = manager;
    this.#maxEvents = maxEvents;
    this.#base = manager.stats().events === 0 ? undefined : baseOf(manager);
    this.#stops = [
      manager.subscribe((event) => this.#receive(event)),
      manager.onRefused((refusal) => {
        this.#refusals.push(refusal);
        if (this.#refusals.length > 2 * MAX_REFUSALS) {
          this.#refusalsBefore += this.#refusals.length - MAX_REFUSALS;
          this.#refusals = this.#refusals.slice(-MAX_REFUSALS);
        }
        this.#wake();
      }),
    ];
  }

  get first(): number {
    return this.#events[0]?.seq ?? this.last + 1;
  }

  /** The number from which a reader gets everything: the state before the first event comes as a base. */
  get beginning(): number {
    return this.#base === undefined && this.first === 1 ? 1 : this.first - 1;
  }

  get last(): number {
    return this.#events.at(-1)?.seq ?? this.#base?.seq ?? 0;
  }

  /** Events from a number on, and refusals from the moment before it on, then new ones. Ends with the feed, or with the signal. */
  async *from(seq: number, signal?: AbortSignal): AsyncGenerator<InspectorBatch> {
    let next = Math.max(1, seq);
    const hasGap = next < this.first;
    // A reader has the refusals before the event that it got last. It may lack later ones at that moment.
    const skipped = hasGap ? 0 : this.#refusals.findIndex((refusal) => refusal.seq >= next - 1);
    let sent = this.#refusalsBefore + (skipped < 0 ? this.#refusals.length : skipped);
    if (hasGap) {
      const isBegun = this.#base !== undefined && this.first === this.#base.seq + 1;
      const base = isBegun || this.#events.length === 0 ? (this.#base ?? baseOf(this.#manager)) : baseOf(this.#manager);
      next = base.seq + 1;
      if (this.#base !== undefined || this.first > 1) yield { base, events: [] };
    }
    while (!this.#isOver && !signal?.aborted) {
      // The reader was too slow: its next events are gone.
      if (next < this.first) throw new Error('this reader is too slow: the events that it has to get next are gone');
      const events = this.#events.slice(next - this.first, next - this.first + BATCH);
      const refusals = this.#refusals.slice(Math.max(0, sent - this.#refusalsBefore));
      sent = this.#refusalsBefore + this.#refusals.length;
      if (events.length > 0 || refusals.length > 0) {
        next = (events.at(-1)?.seq ?? next - 1) + 1;
        yield { events, ...(refusals.length > 0 && { refusals }) };
      } else await this.#next(signal);
    }
  }

  close(): void {
    this.#isOver = true;
    for (const stop of this.#stops) stop();
    this.#wake();
  }

  #receive(event: SubAgentEvent): void {
    // Decisions at the opening of a manager with a store arrive as events although the base has them.
    if (event.seq <= (this.#base?.seq ?? 0)) return;
    this.#events.push(event);
    if (this.#events.length >= 2 * this.#maxEvents) this.#events = this.#events.slice(-this.#maxEvents);
    this.#wake();
  }

  #wake(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const wake of waiting) wake();
  }

  #next(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const go = (): void => {
        this.#waiting.delete(go);
        signal?.removeEventListener('abort', go);
        resolve();
      };
      this.#waiting.add(go);
      signal?.addEventListener('abort', go, { once: true });
    });
  }
}
