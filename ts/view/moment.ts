// Everything that is known at one moment, and how it is written. Owns that a moment which was kept never changes: what
// is written after it is written into copies.

import type { TaskStatus } from '../generated/names.js';
import { UNCAPPED, ZERO } from './amounts.js';
import type { Names } from './names.js';
import type { NodeView, NoticeView, RunView } from './record.js';
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
  /** Counts what came into the tree and what left it: as long as it is the same, so are the nodes and who stands below whom. */
  structure: number;
}

/** A moment that was kept. */
export interface Kept extends Readonly<Facts> {
  readonly nodes: Frozen;
  readonly notices: Frozen;
  /** The indexes of nodes that may need a person. */
  readonly needy: Frozen;
}

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

const NOTHING = Object.freeze({}) as Readonly<Record<string, never>>;
export const NO_LIST: readonly never[] = Object.freeze([]);
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
  /** Its own, so that it is written like the node. */
  run: Writable<RunView> | null = null;
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
  /** How many nodes stand below it, forgotten ones that a notice still tells of included. */
  below = 0;
  /** It stands among those that may need a person. */
  isNeedy = false;

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
    structure: 0,
    nodes: nodes.freeze(0),
    notices: EMPTY,
    needy: EMPTY,
  };
}

/** A moment that is being written; it begins as one that was kept. */
export class Moment implements Facts {
  declare seq: number;
  declare at: number;
  declare counts: Writable<Facts['counts']>;
  declare active: number;
  declare parked: number;
  declare queued: number;
  declare abandoned: number;
  declare runsEnded: number;
  declare limits: Facts['limits'];
  declare cooldowns: Facts['cooldowns'];
  declare drain: DrainView | null;
  declare reopened: number;
  declare structure: number;
  readonly names: Names;
  readonly nodes: Table;
  readonly notices: Table;
  readonly needy: Table;
  #epoch = newEpoch();

  constructor({ nodes, notices, needy, ...facts }: Kept, names: Names) {
    Object.assign(this, facts, { counts: { ...facts.counts } });
    this.names = names;
    this.nodes = new Table(nodes, this.#epoch);
    this.notices = new Table(notices, this.#epoch);
    this.needy = new Table(needy, this.#epoch);
  }

  /** Keeps this moment. What is written from now on is written into copies. */
  keep(): Kept {
    this.#epoch = newEpoch();
    const { names: _, nodes, notices, needy, ...facts } = this;
    const frozen = { nodes: nodes.freeze(this.#epoch), notices: notices.freeze(this.#epoch), needy: needy.freeze(this.#epoch) };
    return { ...facts, ...frozen, counts: { ...facts.counts } };
  }

  /** A node to be read. */
  read(index: number): NodeRecord | undefined {
    return this.nodes.get<NodeRecord>(index);
  }

  /** A node to be written. */
  write(index: number): NodeRecord {
    const known = this.nodes.get<NodeRecord>(index);
    if (known !== undefined && known.epoch === this.#epoch) return known;
    const record = known === undefined ? new NodeRecord(this.#epoch, index) : { ...known };
    if (record.run !== null) record.run = { ...record.run };
    record.epoch = this.#epoch;
    this.nodes.set(index, record);
    return record;
  }

  /** Puts a new node into the tree. */
  add(parent: number): NodeRecord {
    const node = this.write(this.nodes.length);
    node.parent = parent;
    this.write(parent).below += 1;
    this.structure += 1;
    return node;
  }

  /** Takes a node out of the tree: it is gone as soon as nothing is below it and no notice tells of it. */
  forget(node: NodeRecord): void {
    node.forgotten = true;
    this.structure += 1;
    this.drop(node);
  }

  /** Lets go of a node that was forgotten, and of those above it that waited for this. */
  drop(node: NodeRecord): void {
    for (let at = node; at.forgotten && at.below === 0 && at.notices.length === 0; ) {
      this.nodes.set(at.index, undefined);
      if (at.isNeedy) this.needy.set(at.index, undefined);
      at = this.write(at.parent);
      at.below -= 1;
    }
  }

  /** Whether a node may need a person is looked at again. */
  look(node: NodeRecord): void {
    const isNeedy =
      !node.forgotten &&
      (node.question !== null ||
        node.clock === 'queued' ||
        node.notices.length > 0 ||
        node.lingering.length > 0 ||
        ((node.status === 'failed' || node.status === 'timed_out') && !node.collected) ||
        (node.run !== null && node.run.parks.length > 0));
    if (isNeedy === node.isNeedy) return;
    node.isNeedy = isNeedy;
    this.needy.set(node.index, isNeedy ? node.index : undefined);
  }

  notice(index: number): NoticeView | undefined {
    return entryOf<NoticeView>(this.notices, index);
  }
}
