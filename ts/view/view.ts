// A view: the events of a manager, and every moment of it. Owns which moments are kept, so that any other one is a few
// thousand events away from one that is.

import type { Refusal } from '../boundary/refusals.js';
import type { SubAgentEvent } from '../generated/facts.js';
import { momentOf, type ViewBase } from './base.js';
import { Fold } from './fold.js';
import { Frame, type NodeRef } from './frame.js';
import { type LaneView, laneOf } from './lane.js';
import { beginning, type Kept, Moment } from './moment.js';
import { Names } from './names.js';
import { type TranscriptEntry, transcriptOf } from './transcript.js';

/** Between two moments that are kept lie so many events. */
const KEYFRAME = 4_096;

/** Options of a view. */
export interface ViewOptions {
  /**
   * How many events are kept at most, at least 8,192: what happened before the oldest of them can't be gone back to.
   * `Infinity` keeps all. @default 1,000,000
   */
  maxEvents?: number | undefined;
}

/** So many refusals are kept. */
const MAX_REFUSALS = 10_000;

/**
 * A manager at any moment, worked out from its events: give it events by `add`, and read `now`, or the frame `at` the
 * number of an event. It needs no manager, and runs in any process.
 */
export class View {
  #names = new Names();
  #children: (number[] | undefined)[] = [];
  /** Positions of the events that concern a node, by its index. */
  #concerning: (number[] | undefined)[] = [];
  #keyframes: { readonly kept: Kept; readonly position: number }[] = [];
  #fold: Fold;
  readonly #maxEvents: number;
  readonly #listeners = new Set<() => void>();
  #events: SubAgentEvent[] = [];
  /** Positions count on where old events are let go of. */
  #dropped = 0;
  #refusals: Refusal[] = [];
  #newest: Frame | undefined;
  #told = false;

  /** Makes a view that knows no event. @param options how many events it keeps */
  constructor(options: ViewOptions = {}) {
    this.#maxEvents = Math.max(2 * KEYFRAME, options.maxEvents ?? 1_000_000);
    const kept = beginning();
    this.#fold = new Fold(new Moment(kept), this.#names);
    this.#keyframes.push({ kept, position: 0 });
  }

  /**
   * Begins anew with what a manager was when events of before could not be had; see `baseOf`. What this view knew is
   * gone.
   */
  begin(base: ViewBase): void {
    this.#names = new Names();
    const moment = momentOf(base, this.#names);
    this.#fold = new Fold(moment, this.#names);
    this.#events = [];
    this.#dropped = 0;
    this.#concerning = [];
    this.#children = [];
    for (let index = 1; index < moment.nodes.length; index += 1) this.#place(index, moment.read(index)?.parent ?? 0);
    this.#keyframes = [{ kept: moment.keep(), position: 0 }];
    this.#newest = undefined;
    this.#changed();
  }

  /** The number of the oldest event that is kept; 0 where there is none. */
  get first(): number {
    return this.#events[0]?.seq ?? 0;
  }

  /** The number of the newest event; 0 where there is none. */
  get last(): number {
    return this.#fold.moment.seq;
  }

  /** How many events are kept. */
  get size(): number {
    return this.#events.length;
  }

  /** Takes events in their order; those that it has already are passed over, so that what is told twice counts once. */
  add(events: SubAgentEvent | readonly SubAgentEvent[]): void {
    let added = false;
    for (const event of Array.isArray(events) ? (events as readonly SubAgentEvent[]) : [events as SubAgentEvent]) {
      if (event.seq <= this.last) continue;
      this.#take(event);
      added = true;
    }
    if (added) this.#changed();
  }

  /** Takes refusals; of many the newest 10,000 are kept. */
  refuse(refusals: Refusal | readonly Refusal[]): void {
    this.#refusals.push(...(Array.isArray(refusals) ? (refusals as readonly Refusal[]) : [refusals as Refusal]));
    if (this.#refusals.length > MAX_REFUSALS * 2) this.#refusals = this.#refusals.slice(-MAX_REFUSALS);
    this.#changed();
  }

  /** Everything now. */
  get now(): Frame {
    this.#newest ??= this.#frame(this.#fold.moment.keep());
    return this.#newest;
  }

  /** Everything as it was after the event of a number; before the first that is kept, and after the last, the nearest. */
  at(seq: number): Frame {
    if (seq >= this.last) return this.now;
    const position = this.#positionAfter(seq);
    const keyframe = this.#keyframes[lastFitting(this.#keyframes, (each) => each.position <= position)] ?? this.#keyframes[0];
    const { kept, position: from } = keyframe as { kept: Kept; position: number };
    const fold = new Fold(new Moment(kept), this.#names);
    for (let at = from; at < position; at += 1) fold.apply(this.#event(at));
    return this.#frame(fold.moment.keep());
  }

  /** The number of the last event that happened at an instant or before; 0 where none did. */
  seqAt(at: number): number {
    return this.#events[lastFitting(this.#events, (event) => event.at <= at)]?.seq ?? 0;
  }

  /** The event of a number; undefined where it isn't kept. */
  event(seq: number): SubAgentEvent | undefined {
    const event = this.#events[this.#positionAfter(seq) - this.#dropped - 1];
    return event?.seq === seq ? event : undefined;
  }

  /** Events from one number to another, both included. */
  events(from = 0, to: number = this.last): SubAgentEvent[] {
    const start = this.#positionAfter(from - 1) - this.#dropped;
    return this.#events.slice(start, this.#positionAfter(to) - this.#dropped);
  }

  /** Events that concern a node, oldest first, up to a number: what is about it, of its inbox, and its sub-agents' spawns. */
  eventsOf(ref: NodeRef, to: number = this.last): SubAgentEvent[] {
    const index = this.now.node(ref)?.index;
    const positions = index === undefined ? [] : (this.#concerning[index] ?? []);
    const end = this.#positionAfter(to);
    const found: SubAgentEvent[] = [];
    for (const position of positions) {
      if (position >= end) break;
      if (position >= this.#dropped) found.push(this.#event(position));
    }
    return found;
  }

  /** Requests that were refused, oldest first, up to the event of a number. */
  refusals(to: number = this.last): readonly Refusal[] {
    return to >= this.last ? this.#refusals : this.#refusals.filter(({ seq }) => seq <= to);
  }

  /** The lane of a node in a timeline, up to the event of a number. */
  lane(ref: NodeRef, to: number = this.last): LaneView {
    return laneOf(this.eventsOf(ref, to), this.now.node(ref)?.id ?? null);
  }

  /** What was said to and by a node, up to the event of a number. */
  transcript(ref: NodeRef, to: number = this.last): TranscriptEntry[] {
    return transcriptOf(this.eventsOf(ref, to), this.now.node(ref)?.id ?? null);
  }

  /** Calls `listener` after events were added: once for all that are added in the same turn of the event loop. */
  onChange(listener: () => void): () => void {
    const entry = (): void => listener();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  #take(event: SubAgentEvent): void {
    const { moment } = this.#fold;
    const before = moment.nodes.length;
    const position = this.#dropped + this.#events.length;
    this.#events.push(event);
    this.#newest = undefined;
    this.#fold.apply(event);
    if (moment.nodes.length > before) {
      const parent = moment.read(before)?.parent ?? 0;
      this.#place(before, parent);
      this.#concern(before, position);
      this.#concern(parent, position);
    } else this.#note(event, position);
    if (this.#events.length >= this.#maxEvents) this.#letGo();
    const last = this.#keyframes.at(-1)?.position ?? 0;
    if (position + 1 - last >= KEYFRAME) this.#keyframes.push({ kept: moment.keep(), position: position + 1 });
  }

  #place(index: number, parent: number): void {
    const siblings = this.#children[parent];
    if (siblings === undefined) this.#children[parent] = [index];
    else siblings.push(index);
  }

  #note(event: SubAgentEvent, position: number): void {
    const index = this.#names.about(event as { taskId?: string | null; sessionKey?: string | null }, this.#fold.moment);
    if (index !== undefined) this.#concern(index, position);
    const others = 'tasks' in event ? event.tasks : 'claimed' in event ? event.claimed : [];
    for (const id of others) this.#concern(this.#names.task(id), position);
    const to = event.type === 'notice_moved' ? event.to : event.type === 'run_ended' ? event.notice?.to : undefined;
    if (to !== undefined && to !== null) this.#concern(this.#names.task(to), position);
  }

  #concern(index: number | undefined, position: number): void {
    if (index === undefined) return;
    const known = this.#concerning[index];
    if (known === undefined) this.#concerning[index] = [position];
    else if (known.at(-1) !== position) known.push(position);
  }

  /** Lets go of the older half of the events, and of what had been forgotten before those that are left. */
  #letGo(): void {
    const kept = this.#keyframes.findIndex(({ position }) => position - this.#dropped >= this.#maxEvents / 2);
    if (kept <= 0) return;
    this.#keyframes.splice(0, kept);
    const position = this.#keyframes[0]?.position ?? 0;
    this.#events = this.#events.slice(position - this.#dropped);
    this.#dropped = position;
    for (const [index, positions] of this.#concerning.entries()) {
      if (positions !== undefined && (positions[0] ?? 0) < position) this.#concerning[index] = positions.filter((each) => each >= position);
    }
  }

  #frame(kept: Kept): Frame {
    return new Frame(kept, this.#names, this.#children);
  }

  /** How many events, of all there ever were, have at most this number. */
  #positionAfter(seq: number): number {
    const first = this.first;
    // Numbers count up by one, unless the list has gaps.
    const guess = seq - first;
    if (this.#events[guess]?.seq === seq) return this.#dropped + guess + 1;
    return this.#dropped + lastFitting(this.#events, (event) => event.seq <= seq) + 1;
  }

  #event(position: number): SubAgentEvent {
    return this.#events[position - this.#dropped] as SubAgentEvent;
  }

  #changed(): void {
    if (this.#told || this.#listeners.size === 0) return;
    this.#told = true;
    queueMicrotask(() => {
      this.#told = false;
      for (const listener of this.#listeners) listener();
    });
  }
}

/** The place of the last entry that fits, of entries of which the first ones fit; -1 where none does. */
function lastFitting<T>(list: readonly T[], fits: (entry: T) => boolean): number {
  let from = 0;
  let to = list.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (fits(list[middle] as T)) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
