// A view: the events of a manager, and every moment of it. Owns which moments are saved: any other is a few thousand events
// away from one. Owns which events are dropped once there are too many.

import type { Refusal } from '../boundary/refusals.js';
import type { SubAgentEvent } from '../generated/facts.js';
import { momentOf, type ViewBase } from './base.js';
import { Concerns } from './concerns.js';
import { apply } from './fold.js';
import { Frame, type NodeRef, type Siblings } from './frame.js';
import { Lane, type LaneView } from './lane.js';
import { type EventLog, ListLog } from './log.js';
import { beginning, Moment, type SavedMoment } from './moment.js';
import { Names, type Naming } from './names.js';
import { type TranscriptEntry, transcriptOf } from './transcript.js';

/** The number of events between two saved moments. */
const KEYFRAME = 4_096;

/** Options of a view. */
export interface ViewOptions {
  /**
   * Maximum number of retained events, at least 8,192; `Infinity` keeps all.
   *
   * No frame shows a moment before the oldest of them. @default 1,000,000
   */
  maxEvents?: number | undefined;
  /**
   * Makes the log that stores the events; called again by `begin`.
   *
   * A list of a million events as objects takes half a gigabyte: a log that packs them takes less. @default a list
   */
  log?: (() => EventLog) | undefined;
}

/** A saved moment, and how many events of the log it includes. */
interface Keyframe {
  readonly kept: SavedMoment;
  readonly position: number;
}

/** At least this many refusals are retained, and at most twice as many. */
const MAX_REFUSALS = 10_000;
/** How many nodes' lanes are retained to continue them. */
const MAX_LANES = 256;

/**
 * A manager at any moment, computed from its events. Give it events by `add`, and read `now`, or the frame `at` the number of
 * an event. It needs no manager, and runs in any process.
 */
export class View {
  #names!: Names;
  #concerns!: Concerns;
  readonly #makeLog: () => EventLog;
  #log!: EventLog;
  #keyframes!: Keyframe[];
  #moment!: Moment;
  /** The past moment visited last: the next one is often a few events after it. */
  #visited: { readonly moment: Moment; position: number } | undefined;
  readonly #maxEvents: number;
  readonly #listeners = new Set<() => void>();
  #siblings!: Siblings;
  #lanes!: Map<number, { readonly lane: Lane; position: number }>;
  #refusals!: Refusal[];
  #newest: Frame | undefined;
  #isScheduled = false;

  /** Makes a view that knows no event. @param options how many events it keeps, and in which log */
  constructor(options: ViewOptions = {}) {
    this.#maxEvents = Math.max(2 * KEYFRAME, options.maxEvents ?? 1_000_000);
    this.#makeLog = options.log ?? (() => new ListLog());
    this.#start((names) => new Moment(beginning(), names));
  }

  /**
   * Begins again with the state of a manager whose earlier events are gone; see `baseOf`. Drops the earlier contents of the
   * view. Throws a `TypeError` for a value that is no base.
   */
  begin(base: ViewBase): void {
    if (!(base as Partial<ViewBase> | undefined)?.tasks) throw new TypeError('this is no base: call `view.begin(baseOf(manager))`');
    this.#start((names) => momentOf(base, names));
    this.#changed();
  }

  #start(make: (names: Names) => Moment): void {
    this.#names = new Names();
    this.#concerns = new Concerns();
    this.#log = this.#makeLog();
    this.#moment = make(this.#names);
    this.#keyframes = [{ kept: this.#moment.keep(), position: 0 }];
    this.#siblings = {};
    this.#refusals = [];
    this.#forgetLooks();
  }

  /** The number of the oldest retained event; 0 if there is none. */
  get first(): number {
    return this.eventAt(0)?.seq ?? 0;
  }

  /** The number of the newest event; 0 if there is none. */
  get last(): number {
    return this.#moment.seq;
  }

  /** How many events are retained. */
  get size(): number {
    return this.#log.length;
  }

  /** Adds events in their order. Ignores those that it already has: an event that comes twice counts once. */
  add(events: SubAgentEvent | readonly SubAgentEvent[]): void {
    const before = this.last;
    if (Array.isArray(events)) for (const event of events as readonly SubAgentEvent[]) this.#take(event);
    else this.#take(events as SubAgentEvent);
    if (this.last > before) this.#changed();
  }

  /** Adds refusals. Retains at least the newest 10,000. */
  refuse(refusals: Refusal | readonly Refusal[]): void {
    this.#refusals.push(...(Array.isArray(refusals) ? (refusals as readonly Refusal[]) : [refusals as Refusal]));
    if (this.#refusals.length > MAX_REFUSALS * 2) this.#refusals = this.#refusals.slice(-MAX_REFUSALS);
    this.#changed();
  }

  /** The current frame. */
  get now(): Frame {
    this.#newest ??= this.#frame(this.#moment.keep());
    return this.#newest;
  }

  /** The frame after the event of a number; before the first retained one, and after the last, the nearest frame. */
  at(seq: number): Frame {
    if (seq >= this.last) return this.now;
    const wanted = this.countUpTo(seq);
    const { kept, position } = this.#keyframes.findLast((each) => each.position <= wanted) as Keyframe;
    let visited = this.#visited;
    if (visited === undefined || visited.position > wanted || visited.position < position)
      visited = { moment: new Moment(kept, this.#names), position };
    this.#visited = visited;
    for (; visited.position < wanted; visited.position += 1) apply(visited.moment, this.#log.read(visited.position));
    return this.#frame(visited.moment.keep());
  }

  /** Frames that cost nothing, oldest first: one for every few thousand events. Use them to draw a curve over a long time. */
  keyframes(): Frame[] {
    return this.#keyframes.map(({ kept }) => this.#frame(kept));
  }

  /** The number of the last event that happened at an instant or before; 0 if none did. */
  seqAt(at: number): number {
    return this.eventAt(before(this.#log.length, (each) => this.#log.read(each).at <= at))?.seq ?? 0;
  }

  /** The count of retained events whose number is at most `seq`. */
  countUpTo(seq: number): number {
    // Numbers count up by one, unless the list has gaps.
    const guess = seq - this.first;
    if (this.eventAt(guess)?.seq === seq) return guess + 1;
    return before(this.#log.length, (each) => this.#log.read(each).seq <= seq) + 1;
  }

  /** The retained event at a place, from 0; undefined if there is none. */
  eventAt(place: number): SubAgentEvent | undefined {
    return place >= 0 && place < this.#log.length ? this.#log.read(place) : undefined;
  }

  /** The event of a number; undefined if it isn't retained. It equals the one that was added. */
  event(seq: number): SubAgentEvent | undefined {
    const event = this.eventAt(this.countUpTo(seq) - 1);
    return event?.seq === seq ? event : undefined;
  }

  /** Events from one number to another, both included. */
  events(from = 0, to: number = this.last): SubAgentEvent[] {
    const found: SubAgentEvent[] = [];
    const end = this.countUpTo(to);
    for (let at = this.countUpTo(from - 1); at < end; at += 1) found.push(this.#log.read(at));
    return found;
  }

  /** Events that concern a node, oldest first, up to a number: those about it and its inbox, and its sub-agents' spawns. */
  eventsOf(ref: NodeRef, to: number = this.last): SubAgentEvent[] {
    const index = this.#indexOf(ref);
    return index === undefined ? [] : this.#concerns.of(index, this.countUpTo(to)).map((position) => this.#log.read(position));
  }

  /** Requests that were refused, oldest first, up to the event of a number. */
  refusals(to: number = this.last): readonly Refusal[] {
    return to >= this.last ? this.#refusals : this.#refusals.filter(({ seq }) => seq <= to);
  }

  /** The lane of a node in a timeline, up to the event of a number. */
  lane(ref: NodeRef, to: number = this.last): LaneView {
    const index = this.#indexOf(ref);
    if (index === undefined) return { segments: [], marks: [] };
    const isNow = to >= this.last;
    let known = isNow ? this.#lanes.get(index) : undefined;
    if (known === undefined) {
      known = { lane: new Lane(this.#isOf(index), this.keyframes()[0]?.node(index)), position: 0 };
      if (isNow) this.#lanes.set(index, known);
      if (this.#lanes.size > MAX_LANES) this.#lanes.delete(this.#lanes.keys().next().value as number);
    }
    const end = this.countUpTo(to);
    for (const position of this.#concerns.of(index, end, known.position)) known.lane.add(this.#log.read(position));
    known.position = end;
    return known.lane.view();
  }

  /** The transcript of a node, up to the event of a number. */
  transcript(ref: NodeRef, to: number = this.last): TranscriptEntry[] {
    return transcriptOf(this.eventsOf(ref, to), this.#isOf(this.#indexOf(ref)));
  }

  /**
   * Calls `listener` in a microtask after events or refusals were added: once for all that are added before it. The console
   * shows its errors. Returns a function that unsubscribes.
   */
  onChange(listener: () => void): () => void {
    const entry = (): void => listener();
    this.#listeners.add(entry);
    return () => {
      this.#listeners.delete(entry);
    };
  }

  #take(event: SubAgentEvent): void {
    const moment = this.#moment;
    if (event.seq <= moment.seq) return;
    const made = moment.nodes.length;
    const position = this.#log.length;
    const about = this.#names.about(event as Naming, moment);
    this.#newest = undefined;
    this.#log.push(event);
    apply(moment, event, about);
    if (moment.nodes.length > made) {
      this.#concerns.add(made, position);
      this.#concerns.add(moment.read(made)?.parent, position);
    } else this.#note(event, about, position);
    if (this.#log.length >= this.#maxEvents) this.#dropOldest();
    if (this.#log.length % KEYFRAME === 0) this.#keyframes.push({ kept: moment.keep(), position: this.#log.length });
  }

  #note(event: SubAgentEvent, about: number | undefined, position: number): void {
    this.#concerns.add(about, position);
    const { type } = event;
    const others = type === 'ends_collected' ? event.tasks : type === 'cancel_requested' ? event.claimed : undefined;
    if (others) for (const id of others) this.#concerns.add(this.#names.task(id, this.#moment), position);
    const to = type === 'notice_moved' ? event.to : type === 'run_ended' ? event.notice?.to : undefined;
    if (to) this.#concerns.add(this.#names.task(to, this.#moment), position);
  }

  /** Drops the older half of the events, and the names of nodes that were forgotten before the remaining events. */
  #dropOldest(): void {
    const first = this.#keyframes.findIndex(({ position }) => position >= this.#maxEvents / 2);
    const cut = this.#keyframes[first]?.position ?? 0;
    if (cut === 0) return;
    this.#keyframes = this.#keyframes.slice(first).map(({ kept, position }) => ({ kept, position: position - cut }));
    this.#log.drop(cut);
    this.#concerns.cut(cut);
    const moment = this.#moment;
    this.#names.drop((index) => moment.read(index) === undefined && !this.#concerns.has(index));
    this.#forgetLooks();
  }

  #forgetLooks(): void {
    this.#newest = undefined;
    this.#visited = undefined;
    this.#lanes = new Map();
  }

  #frame(kept: SavedMoment): Frame {
    return new Frame(kept, this.#names, this.#siblings);
  }

  /** The index of a node. Forgotten nodes have one too, while one of their events is retained. */
  #indexOf(ref: NodeRef): number | undefined {
    if (ref === null || typeof ref === 'number') return ref ?? 0;
    return 'taskId' in ref ? this.#names.task(ref.taskId, this.#moment) : this.#names.session(ref.sessionKey, this.#moment);
  }

  /** Whether an event is about a node itself, not about one below it. */
  #isOf(index: number | undefined): (event: Naming) => boolean {
    return ({ taskId }) => this.#names.isTask(taskId, index);
  }

  #changed(): void {
    if (this.#isScheduled || this.#listeners.size === 0) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      for (const listener of this.#listeners) {
        try {
          listener();
        } catch (error) {
          // An error ends no process, and keeps no other listener from its call.
          console.error(error);
        }
      }
    });
  }
}

/** The last fitting place, if all places before it fit; -1 if none does. */
function before(length: number, fits: (place: number) => boolean): number {
  let from = 0;
  let to = length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (fits(middle)) from = middle + 1;
    else to = middle;
  }
  return from - 1;
}
