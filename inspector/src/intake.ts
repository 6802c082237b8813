// Batches of events that wait until the page has time for them. Owns that no batch, however long, blocks the page, and
// that nothing is folded within its sender's call.

import type { InspectorBatch, Refusal, View } from 'subagents/view';

/** The longest time for which events may keep the page busy. The rest of a frame is for drawing and for the reader. */
const SLICE_MS = 6;
/** While a journal is read, or the page is in the background, there is less to draw. */
const LOADING_SLICE_MS = 24;
/** Events folded between two looks at the clock. */
const STEP = 256;
/** A source waits while this many events are not folded yet. */
const ROOM = 40_000;

export class Intake {
  readonly #view: View;
  readonly #onTaken: (batch: InspectorBatch) => void;
  #batches: InspectorBatch[] = [];
  /** How many events of the first batch have been taken. */
  #taken = 0;
  #waiting = 0;
  #woken: (() => void)[] = [];
  /** Refusals that a new connection may repeat. */
  #had: Refusal[] = [];

  /** @param onTaken is called when all of a batch has been taken */
  constructor(view: View, onTaken: (batch: InspectorBatch) => void) {
    this.#view = view;
    this.#onTaken = onTaken;
  }

  /** A connection begins with the event of a number. It may repeat refusals of the moment before it. */
  connect(from: number): void {
    const waiting = this.#batches.flatMap(({ refusals = [] }) => refusals);
    this.#had = [...this.#view.refusals(), ...waiting].filter(({ seq }) => seq >= from - 1);
  }

  /** Queues a batch. Resolves when there is capacity for another one. */
  async put(batch: InspectorBatch): Promise<void> {
    // A view that begins again has no refusals.
    if (batch.base !== undefined) this.#had = [];
    const refusals = batch.refusals?.filter((refusal) => !this.#isHad(refusal));
    this.#batches.push(refusals === undefined ? batch : { ...batch, refusals });
    this.#waiting += batch.events.length;
    while (this.#waiting > ROOM) await new Promise<void>((resolve) => this.#woken.push(resolve));
  }

  /** Resolves when no batch waits any longer. */
  async done(): Promise<void> {
    while (this.#batches.length > 0) await new Promise<void>((resolve) => this.#woken.push(resolve));
  }

  get isEmpty(): boolean {
    return this.#batches.length === 0;
  }

  /** The number of the last received event, folded or not. */
  get last(): number {
    return this.#batches.findLast(({ events }) => events.length > 0)?.events.at(-1)?.seq ?? this.#view.last;
  }

  #isHad(refusal: Refusal): boolean {
    const [had] = this.#had;
    if (had === undefined || JSON.stringify(had) !== JSON.stringify(refusal)) return false;
    this.#had.shift();
    return true;
  }

  /** Folds waiting batches while there is time. @param isLoading there is more to fold than to draw */
  take(isLoading: boolean): void {
    const until = performance.now() + (isLoading ? LOADING_SLICE_MS : SLICE_MS);
    do {
      const [batch] = this.#batches;
      if (batch === undefined) break;
      const { base, events, refusals } = batch;
      if (this.#taken === 0 && base !== undefined) this.#view.begin(base);
      const end = Math.min(events.length, this.#taken + STEP);
      this.#view.add(this.#taken === 0 && end === events.length ? events : events.slice(this.#taken, end));
      this.#waiting -= end - this.#taken;
      this.#taken = end;
      if (end < events.length) continue;
      if (refusals !== undefined && refusals.length > 0) this.#view.refuse(refusals);
      this.#batches.shift();
      this.#taken = 0;
      this.#onTaken(batch);
    } while (performance.now() < until);
    const woken = this.#woken;
    this.#woken = [];
    for (const wake of woken) wake();
  }
}
