// Everything that is known at one moment, and how it is written. Owns that a moment which was kept never changes: what
// is written after it is written into copies.

import type { TaskStatus } from '../generated/names.js';
import { UNCAPPED, ZERO } from './amounts.js';
import type { NodeView, NoticeView } from './record.js';
import { EMPTY, entryOf, type Frozen, newEpoch, Table } from './table.js';

/** What a drain is at; see `drain_started`. */
export interface DrainView {
  /** When it cancels what still runs. */
  readonly until: number;
  /** Whether its time ran out. */
  readonly overran: boolean;
  /** Whether it has ended. */
  readonly over: boolean;
}

/** What is known beside nodes and notices. Replaced, never changed, where it is an object. */
export interface Facts {
  /** The number of the last event that is in it; 0 before the first. */
  seq: number;
  /** When that happened, in epoch milliseconds. */
  at: number;
  /** How many sub-agents are in which status; forgotten ones don't count. */
  counts: Readonly<Record<TaskStatus, number>>;
  /** Slots that are held. */
  active: number;
  /** Runs that gave their slot up while they are parked. */
  parked: number;
  /** Runs that wait to begin, those included that wait for the time of their next attempt. */
  queued: number;
  /** Host functions that were given up and have not returned. */
  abandoned: number;
  /** Runs that have ended since the beginning. */
  runsEnded: number;
  /** Limits that were set, by the option's name. */
  limits: Readonly<Record<string, number>>;
  /** Rate limits that cool down, and until when. */
  cooldowns: Readonly<Record<string, number>>;
  /** The drain under way, or the last one; null where there was none. */
  drain: DrainView | null;
  /** How often the manager was opened from its facts. */
  reopened: number;
}

/** A moment that was kept. */
export interface Kept extends Readonly<Facts> {
  readonly nodes: Frozen;
  readonly notices: Frozen;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

const NOTHING = Object.freeze({}) as Readonly<Record<string, never>>;
const NO_LIST: readonly never[] = Object.freeze([]);
export const NOT_AHEAD = Object.freeze({ interrupting: 0, missed: 0 });

/** A node that can be written: by the moment whose epoch it has. */
export class NodeRecord implements Writable<NodeView> {
  epoch: number;
  index: number;
  kind: NodeView['kind'] = 'task';
  id: string | null = null;
  parent = -1;
  parentId: string | null = null;
  sessionKey: string | null = null;
  depth = 0;
  label = '';
  metadata: NodeView['metadata'] = null;
  instructions = '';
  spec: NodeView['spec'] = null;
  background = false;
  manual = false;
  byModel = false;
  status: TaskStatus = 'idle';
  stopReason: NodeView['stopReason'] = null;
  cancelling = false;
  closing = false;
  forgotten = false;
  run: NodeView['run'] = null;
  lingering: NodeView['lingering'] = NO_LIST;
  runs = 0;
  queuedFor: NodeView['queuedFor'] = null;
  turn = 0;
  cap = UNCAPPED;
  spent = ZERO;
  held = ZERO;
  usage = ZERO;
  unknown: NodeView['unknown'] = NO_LIST;
  invalid: NodeView['invalid'] = NO_LIST;
  own = ZERO;
  reserve = 0;
  contextTokens: number | null = null;
  progress: string | null = null;
  output = '';
  partial = false;
  truncated = false;
  error: string | null = null;
  hostStatus: string | null = null;
  hostTaskId: string | null = null;
  artifacts: string | null = null;
  value: string | null = null;
  lateResult: string | null = null;
  released = false;
  collected = false;
  todos: string | null = null;
  checkpoint: string | null = null;
  messages: readonly string[] = NO_LIST;
  ahead: NodeView['ahead'] = NOT_AHEAD;
  steers: readonly string[] = NO_LIST;
  queueHeld = false;
  undelivered: readonly string[] = NO_LIST;
  question: string | null = null;
  questionUntil: number | null = null;
  notices: readonly number[] = NO_LIST;
  createdAt: number | null = null;
  startedAt: number | null = null;
  endedAt: number | null = null;
  updatedAt: number | null = null;
  durationMs: number | null = null;
  clock: NodeView['clock'] = null;
  clockSince = 0;
  queuedMs = 0;
  workingMs = 0;
  parkedMs = 0;
  subtreeMs = 0;
  subtreeWorking = 0;
  subtreeSince = 0;

  constructor(epoch: number, index: number) {
    this.epoch = epoch;
    this.index = index;
  }
}

/** No sub-agent in any status. */
const NONE: Facts['counts'] = Object.freeze({
  pending: 0,
  running: 0,
  idle: 0,
  completed: 0,
  failed: 0,
  timed_out: 0,
  cancelled: 0,
  interrupted: 0,
  closed: 0,
});

/** A manager of which nothing is known yet. */
export function beginning(): Kept {
  const manager = new NodeRecord(0, 0);
  manager.kind = 'manager';
  const nodes = new Table(EMPTY, 0);
  nodes.set(0, manager);
  return {
    seq: 0,
    at: 0,
    counts: NONE,
    active: 0,
    parked: 0,
    queued: 0,
    abandoned: 0,
    runsEnded: 0,
    limits: NOTHING,
    cooldowns: NOTHING,
    drain: null,
    reopened: 0,
    nodes: nodes.freeze(0),
    notices: EMPTY,
  };
}

/** A moment that is being written; it begins as one that was kept. */
export class Moment implements Facts {
  seq: number;
  at: number;
  counts: Writable<Facts['counts']>;
  active: number;
  parked: number;
  queued: number;
  abandoned: number;
  runsEnded: number;
  limits: Facts['limits'];
  cooldowns: Facts['cooldowns'];
  drain: DrainView | null;
  reopened: number;
  readonly nodes: Table;
  readonly notices: Table;
  private epoch = newEpoch();

  constructor(from: Kept) {
    ({
      seq: this.seq,
      at: this.at,
      active: this.active,
      parked: this.parked,
      queued: this.queued,
      abandoned: this.abandoned,
      runsEnded: this.runsEnded,
      limits: this.limits,
      cooldowns: this.cooldowns,
      drain: this.drain,
      reopened: this.reopened,
    } = from);
    this.counts = { ...from.counts };
    this.nodes = new Table(from.nodes, this.epoch);
    this.notices = new Table(from.notices, this.epoch);
  }

  /** Keeps this moment. What is written from now on is written into copies. */
  keep(): Kept {
    this.epoch = newEpoch();
    const { seq, at, active, parked, queued, abandoned, runsEnded, limits, cooldowns, drain, reopened } = this;
    return {
      seq,
      at,
      counts: { ...this.counts },
      active,
      parked,
      queued,
      abandoned,
      runsEnded,
      limits,
      cooldowns,
      drain,
      reopened,
      nodes: this.nodes.freeze(this.epoch),
      notices: this.notices.freeze(this.epoch),
    };
  }

  /** A node to be read. */
  read(index: number): NodeRecord | undefined {
    return this.nodes.get<NodeRecord>(index);
  }

  /** A node to be written. */
  write(index: number): NodeRecord {
    const known = this.nodes.get<NodeRecord>(index);
    if (known !== undefined && known.epoch === this.epoch) return known;
    const record = new NodeRecord(this.epoch, index);
    if (known !== undefined) Object.assign(record, known, { epoch: this.epoch });
    this.nodes.set(index, record);
    return record;
  }

  notice(index: number): NoticeView | undefined {
    return entryOf<NoticeView>(this.notices, index);
  }
}
