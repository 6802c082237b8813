// A node of a view, in its writable form. Owns its fields and their first values.

import type { EventAmounts, EventKinds } from '../generated/facts.js';
import type { TaskStatus } from '../generated/names.js';
import { NO_KINDS } from '../generated/tokens.js';
import { UNCAPPED, ZERO } from './amounts.js';
import { Left } from './generated/left.js';
import type { NodeView, RunView, UsedModels } from './record.js';

export type Writable<T> = { -readonly [K in keyof T]: T[K] };

export const NOTHING = Object.freeze({}) as Readonly<Record<string, never>>;
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
  /** Usage by model of its last run, and of those before it whose host function was still running, by their numbers. */
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
  /** How many nodes are below it, including forgotten ones with a notice. */
  declare below: number;
  /** It is among the nodes that may need a person. */
  declare isNeedy: boolean;
  /** The status under which it counts in `Facts.counts`; null if it counts under none. */
  declare counted: TaskStatus | null;

  /**
   * A new node, or a copy of one. Each field is named: with this many fields, a spread takes ten times as long. Each node that
   * changed since the last frame is copied.
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

/** A new node. Others are copies of it: copies of one shape are faster. */
export const FRESH = new NodeRecord(0, 0, {});
