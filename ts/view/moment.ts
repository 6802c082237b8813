// Everything that is known at one moment, and how it is written. Owns that a saved moment never changes: later writes
// go into copies (copy on write).

import type { EventAmounts, EventKinds } from '../generated/facts.js';
import type { TaskStatus } from '../generated/names.js';
import type { CostShare } from '../snapshots/types.js';
import { NO_KINDS, UNCAPPED, ZERO } from './amounts.js';
import { Left } from './generated/left.js';
import type { Names } from './names.js';
import type { Costs, NodeView, NoticeView, RunView, Shares, UsedModels } from './record.js';
import { EMPTY, entryOf, type Frozen, newEpoch, Table } from './table.js';

/** How far a drain is; see `drain_started`. */
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
  /** Slots that are taken. */
  active: number;
  /** Runs that gave their slot up while they are parked. */
  parked: number;
  /** Runs that wait to begin, those included that wait for the time of their next attempt. */
  queued: number;
  /** Host functions that were given up and have not returned. */
  abandoned: number;
  /** Runs that have ended since the beginning. */
  runsEnded: number;
  /** What was spent by model and by agent; written in place. */
  costs: Costs;
  /** Limits that were set, by the option's name. */
  limits: Readonly<Record<string, number>>;
  /** Rate limits that cool down, and until when. */
  cooldowns: Readonly<Record<string, number>>;
  /** The open drain, or the last one; null if there was none. */
  drain: DrainView | null;
  /** How often the manager was opened from its facts. */
  reopened: number;
  /** Counts what came into the tree and what left it: as long as it is the same, so are the nodes and who stands below whom. */
  structure: number;
}

/** A moment that was kept. */
export interface SavedMoment extends Readonly<Facts> {
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
export class NodeRecord extends Left implements Writable<NodeView> {
  declare epoch: number;
  declare index: number;
  declare kind: NodeView['kind'];
  declare id: string | null;
  declare parent: number;
  declare parentId: string | null;
  declare sessionKey: string | null;
  declare depth: number;
  declare label: string;
  declare metadata: NodeView['metadata'];
  declare instructions: string;
  declare spec: NodeView['spec'];
  declare background: boolean;
  declare byModel: boolean;
  declare status: TaskStatus;
  declare stopReason: NodeView['stopReason'];
  declare cancelling: boolean;
  declare closing: boolean;
  declare forgotten: boolean;
  /** A copy that is this record's own, so that it may be written wherever the record may. */
  declare run: Writable<RunView> | null;
  declare lingering: NodeView['lingering'];
  declare runs: number;
  declare queuedFor: NodeView['queuedFor'];
  declare turn: number;
  declare cap: EventAmounts;
  declare spent: EventAmounts;
  declare reserved: EventAmounts;
  declare usage: EventAmounts;
  declare kinds: EventKinds;
  /** What its last run has used by model, and those before it whose host function was still running, by their numbers. */
  declare used: Readonly<Record<number, UsedModels | undefined>>;
  declare unknown: NodeView['unknown'];
  declare invalid: NodeView['invalid'];
  declare own: EventAmounts;
  declare contextTokens: number | null;
  declare progress: string | null;
  declare partial: boolean;
  declare truncated: boolean;
  declare lateResult: string | null;
  declare released: boolean;
  declare collected: boolean;
  declare todos: string | null;
  declare checkpoint: string | null;
  declare saved: string | null;
  declare acquired: string | null;
  declare messages: readonly string[];
  declare ahead: NodeView['ahead'];
  declare steers: readonly string[];
  declare again: readonly string[];
  declare queuePaused: boolean;
  declare undelivered: readonly string[];
  declare question: string | null;
  declare questionUntil: number | null;
  declare notices: readonly number[];
  declare createdAt: number | null;
  declare startedAt: number | null;
  declare endedAt: number | null;
  declare updatedAt: number | null;
  declare clock: NodeView['clock'];
  declare clockSince: number;
  declare queuedMs: number;
  declare workingMs: number;
  declare parkedMs: number;
  declare subtreeMs: number;
  declare subtreeWorking: number;
  declare subtreeSince: number;
  /** How many nodes stand below it, forgotten ones with a notice included. */
  declare below: number;
  /** It stands among those that may need a person. */
  declare isNeedy: boolean;
  /** The status under which it counts in `Facts.counts`; null where it counts under none. */
  declare counted: TaskStatus | null;

  /**
   * A node as it begins, or a copy of one. Each field is named: for an object of so many fields a spread takes ten times as
   * long, and a copy is made of each node that changed since the last frame.
   */
  constructor(epoch: number, index: number, from: Partial<NodeRecord>) {
    super(from);
    this.epoch = epoch;
    this.index = index;
    this.kind = from.kind ?? 'task';
    this.id = from.id ?? null;
    this.parent = from.parent ?? -1;
    this.parentId = from.parentId ?? null;
    this.sessionKey = from.sessionKey ?? null;
    this.depth = from.depth ?? 0;
    this.label = from.label ?? '';
    this.metadata = from.metadata ?? null;
    this.instructions = from.instructions ?? '';
    this.spec = from.spec ?? null;
    this.background = from.background ?? false;
    this.byModel = from.byModel ?? false;
    this.status = from.status ?? 'idle';
    this.stopReason = from.stopReason ?? null;
    this.cancelling = from.cancelling ?? false;
    this.closing = from.closing ?? false;
    this.forgotten = from.forgotten ?? false;
    this.run = from.run ?? null;
    this.lingering = from.lingering ?? NO_LIST;
    this.runs = from.runs ?? 0;
    this.queuedFor = from.queuedFor ?? null;
    this.turn = from.turn ?? 0;
    this.cap = from.cap ?? UNCAPPED;
    this.spent = from.spent ?? ZERO;
    this.reserved = from.reserved ?? ZERO;
    this.usage = from.usage ?? ZERO;
    this.kinds = from.kinds ?? NO_KINDS;
    this.used = from.used ?? NOTHING;
    this.unknown = from.unknown ?? NO_LIST;
    this.invalid = from.invalid ?? NO_LIST;
    this.own = from.own ?? ZERO;
    this.contextTokens = from.contextTokens ?? null;
    this.progress = from.progress ?? null;
    this.partial = from.partial ?? false;
    this.truncated = from.truncated ?? false;
    this.lateResult = from.lateResult ?? null;
    this.released = from.released ?? false;
    this.collected = from.collected ?? false;
    this.todos = from.todos ?? null;
    this.checkpoint = from.checkpoint ?? null;
    this.saved = from.saved ?? null;
    this.acquired = from.acquired ?? null;
    this.messages = from.messages ?? NO_LIST;
    this.ahead = from.ahead ?? NOT_AHEAD;
    this.steers = from.steers ?? NO_LIST;
    this.again = from.again ?? NO_LIST;
    this.queuePaused = from.queuePaused ?? false;
    this.undelivered = from.undelivered ?? NO_LIST;
    this.question = from.question ?? null;
    this.questionUntil = from.questionUntil ?? null;
    this.notices = from.notices ?? NO_LIST;
    this.createdAt = from.createdAt ?? null;
    this.startedAt = from.startedAt ?? null;
    this.endedAt = from.endedAt ?? null;
    this.updatedAt = from.updatedAt ?? null;
    this.clock = from.clock ?? null;
    this.clockSince = from.clockSince ?? 0;
    this.queuedMs = from.queuedMs ?? 0;
    this.workingMs = from.workingMs ?? 0;
    this.parkedMs = from.parkedMs ?? 0;
    this.subtreeMs = from.subtreeMs ?? 0;
    this.subtreeWorking = from.subtreeWorking ?? 0;
    this.subtreeSince = from.subtreeSince ?? 0;
    this.below = from.below ?? 0;
    this.isNeedy = from.isNeedy ?? false;
    this.counted = from.counted ?? null;
  }
}

/** A node as it begins. Others are copies of it: that is faster where what is copied always has one shape. */
const FRESH = new NodeRecord(0, 0, {});

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

/** Costs that can be written: of costs, or of what a manager says of them. */
export function costsIn(costs?: { readonly [K in keyof Costs]: { values(): Iterable<CostShare> } }): Costs {
  const of = (key: keyof Costs): Shares => new Map(Array.from(costs?.[key].values() ?? [], (share) => [share.name, { ...share }]));
  return { byModel: of('byModel'), byAgent: of('byAgent'), mainAgents: of('mainAgents') };
}

/** A manager of which nothing is known yet. */
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

  /** Keeps this moment. What is written from now on is written into copies. */
  keep(): SavedMoment {
    for (const node of this.#written) if (this.read(node.index) === node) this.#look(node);
    this.#written = [];
    this.#epoch = newEpoch();
    const { names: _, nodes, notices, needy, ...facts } = this;
    const frozen = { nodes: nodes.freeze(this.#epoch), notices: notices.freeze(this.#epoch), needy: needy.freeze(this.#epoch) };
    return { ...facts, ...frozen, counts: { ...facts.counts }, costs: costsIn(facts.costs) };
  }

  /** A node to be read, where it is known. */
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

  /** Takes a node out of the tree: it is gone as soon as nothing is below it and no notice is about it. */
  forget(node: NodeRecord): void {
    this.structure += 1;
    if (isFree(node)) this.#remove(node);
    else Object.assign(this.write(node.index), { forgotten: true, lingering: NO_LIST });
  }

  /** Lets go of a node that was forgotten, and of those above it that waited for this. */
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

  /** Looks again under which status a node counts, and at whether it may need a person. */
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

/** Nothing needs a node once it is forgotten. */
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
