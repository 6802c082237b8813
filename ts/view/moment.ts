// The state at one moment, and how it is written. Owns that a saved moment never changes: later writes go into copies
// (copy on write).

import type { TaskStatus } from '../generated/names.js';
import type { CostShare } from '../snapshots/types.js';
import type { Names } from './names.js';
import { FRESH, NO_LIST, NOTHING, NodeRecord, type Writable } from './node-record.js';
import type { Costs, NoticeView, RunView, Shares } from './record.js';
import { EMPTY, entryOf, type Frozen, newEpoch, Table } from './table.js';

/** The state of a drain; see `drain_started`. */
export interface DrainView {
  /** When it cancels the runs that remain. */
  readonly until: number;
  /** Whether its time ran out. */
  readonly overran: boolean;
  /** Whether it has ended. */
  readonly over: boolean;
}

/** The state besides nodes and notices. Objects in it are replaced, never changed. */
export interface Facts {
  /** The number of its last event; 0 before the first. */
  seq: number;
  /** The time of that event, in epoch milliseconds. */
  at: number;
  /** The number of sub-agents by status; forgotten ones don't count. */
  counts: Readonly<Record<TaskStatus, number>>;
  /** Slots in use. */
  active: number;
  /** Parked runs that released their slot. */
  parked: number;
  /** Runs that wait to begin, including those that wait for the time of their next attempt. */
  queued: number;
  /** Abandoned host functions that have not returned. */
  abandoned: number;
  /** Runs that have ended since the beginning. */
  runsEnded: number;
  /** The spending by model and by agent; written in place. */
  costs: Costs;
  /** Limits that were set, by the option's name. */
  limits: Readonly<Record<string, number>>;
  /** Rate limits in cooldown: the end of each, by its key. */
  cooldowns: Readonly<Record<string, number>>;
  /** The open drain, or the last one; null if there was none. */
  drain: DrainView | null;
  /** How often the manager was opened from its facts. */
  reopened: number;
  /** Changes when a node enters or leaves the tree. While it is the same, so are the nodes and their parents. */
  structure: number;
}

/** A saved moment. */
export interface SavedMoment extends Readonly<Facts> {
  readonly nodes: Frozen;
  readonly notices: Frozen;
  /** The indexes of nodes that may need a person. */
  readonly needy: Frozen;
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

/** Writable costs: a copy of costs, or of a manager's. */
export function costsIn(costs?: { readonly [K in keyof Costs]: { values(): Iterable<CostShare> } }): Costs {
  const of = (key: keyof Costs): Shares => new Map(Array.from(costs?.[key].values() ?? [], (share) => [share.name, { ...share }]));
  return { byModel: of('byModel'), byAgent: of('byAgent'), mainAgents: of('mainAgents') };
}

/** A manager before its first event. */
export function beginning(): SavedMoment {
  const manager = new NodeRecord(0, 0, FRESH);
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
    costs: costsIn(),
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

/** A moment that is being written; it begins as a saved one. */
export class Moment implements Facts {
  declare seq: number;
  declare at: number;
  declare counts: Writable<Facts['counts']>;
  declare active: number;
  declare parked: number;
  declare queued: number;
  declare abandoned: number;
  declare runsEnded: number;
  declare costs: Costs;
  declare limits: Facts['limits'];
  declare cooldowns: Facts['cooldowns'];
  declare drain: DrainView | null;
  declare reopened: number;
  declare structure: number;
  declare readonly names: Names;
  declare readonly nodes: Table;
  declare readonly notices: Table;
  declare readonly needy: Table;
  #epoch = newEpoch();
  /** Nodes that were made or copied in this epoch. */
  #written: NodeRecord[] = [];

  constructor({ nodes, notices, needy, ...facts }: SavedMoment, names: Names) {
    Object.assign(this, facts, { counts: { ...facts.counts }, costs: costsIn(facts.costs) });
    this.names = names;
    this.nodes = new Table(nodes, this.#epoch);
    this.notices = new Table(notices, this.#epoch);
    this.needy = new Table(needy, this.#epoch);
  }

  /** Saves this moment. Later writes go into copies. */
  keep(): SavedMoment {
    for (const node of this.#written) if (this.read(node.index) === node) this.#look(node);
    this.#written = [];
    this.#epoch = newEpoch();
    const { names: _, nodes, notices, needy, ...facts } = this;
    const frozen = { nodes: nodes.freeze(this.#epoch), notices: notices.freeze(this.#epoch), needy: needy.freeze(this.#epoch) };
    return { ...facts, ...frozen, counts: { ...facts.counts }, costs: costsIn(facts.costs) };
  }

  /** A node to read, if it is known. */
  read(index = -1): NodeRecord | undefined {
    return this.nodes.get<NodeRecord>(index);
  }

  /** A node to be written. */
  write(index: number): NodeRecord {
    const known = this.nodes.get<NodeRecord>(index);
    if (known !== undefined && known.epoch === this.#epoch) return known;
    const record = new NodeRecord(this.#epoch, index, known ?? FRESH);
    if (record.run !== null) record.run = { ...record.run };
    this.nodes.set(index, record);
    this.#written.push(record);
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

  /** Puts a session into the tree. */
  addSession(key: string): NodeRecord {
    const node = Object.assign(this.add(0), { kind: 'session', sessionKey: key, label: key } as const);
    this.names.addSession(key, node.index);
    return node;
  }

  /** Removes a node from the tree: it is gone as soon as nothing is below it and no notice is about it. */
  forget(node: NodeRecord): void {
    this.structure += 1;
    if (isFree(node)) this.#remove(node);
    else Object.assign(this.write(node.index), { forgotten: true, lingering: NO_LIST });
  }

  /** Drops a forgotten node that nothing needs, and those above it that waited for this. */
  drop(node: NodeRecord): void {
    if (node.forgotten && isFree(node)) this.#remove(node);
  }

  #remove(node: NodeRecord): void {
    let at = node;
    do {
      this.nodes.set(at.index, undefined);
      if (at.isNeedy) this.needy.set(at.index, undefined);
      this.#count(at.counted, -1);
      at = this.write(at.parent);
      at.below -= 1;
    } while (at.forgotten && isFree(at));
  }

  #count(status: TaskStatus | null, by: number): void {
    if (status !== null) this.counts[status] += by;
  }

  /** Updates the status under which a node counts, and whether it may need a person. */
  #look(node: NodeRecord): void {
    this.#count(node.counted, -1);
    node.counted = node.kind === 'task' && !node.forgotten ? node.status : null;
    this.#count(node.counted, 1);
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

/** Whether nothing needs a node once it is forgotten. */
const isFree = ({ below, notices }: NodeRecord): boolean => below === 0 && notices.length === 0;

/** A run by number, to be written: the queued or open one, or a copy of one whose host function is still running. */
export function runOf(node: NodeRecord, number: number): Writable<RunView> | undefined {
  if (node.run?.number === number) return node.run;
  const at = node.lingering.findIndex((each) => each.number === number);
  if (at < 0) return undefined;
  const run = { ...(node.lingering[at] as RunView) };
  node.lingering = node.lingering.with(at, run);
  return run;
}
