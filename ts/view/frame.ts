// A frame: everything at one moment. Owns the queries of readers: the tree, the ledger, the inbox, who needs
// attention. A frame never changes.

import type { EventAmounts } from '../generated/facts.js';
import type { Dimension, ParkReason, TaskStatus, WaitingFor } from '../generated/names.js';
import type { BudgetAccount, BudgetDimension, ManagerCosts } from '../snapshots/types.js';
import { least, minus, plus, UNCAPPED, ZERO } from './amounts.js';
import { costsOf } from './costs.js';
import type { DrainView, SavedMoment } from './moment.js';
import type { Names } from './names.js';
import type { NodeView, NoticeView } from './record.js';
import { eachEntry, entryOf } from './table.js';

/** Which node: its `index`, the id of a sub-agent, or the key of a session. Without one: the manager. */
export type NodeRef = number | { readonly taskId: string } | { readonly sessionKey: string } | null;

/** The time of a node, in milliseconds. */
export interface NodeTimes {
  /** Waiting to begin. */
  readonly queued: number;
  /** Its own runs running with a slot. */
  readonly working: number;
  /** Its own runs parked. */
  readonly parked: number;
  /** The work of it and all nodes below it, each counted separately. */
  readonly subtree: number;
}

/** Why a sub-agent needs a person, the most urgent first. */
export type AttentionReason = 'question' | 'approval' | 'notice_undelivered' | 'host_abandoned' | 'failed' | 'budget' | 'waits_long';

/** A sub-agent that needs a person. */
export interface Attention {
  /** The sub-agent. */
  readonly node: NodeView;
  /** Why it needs one; the most urgent reason if there are several. */
  readonly reason: AttentionReason;
  /** Since when, in epoch milliseconds. */
  readonly since: number;
}

/** The obstacle of a sub-agent: the reason why its run has not begun, or is parked. */
export type Obstacle =
  | { readonly kind: 'waiting'; readonly for: WaitingFor }
  | { readonly kind: 'parked'; readonly for: ParkReason | 'slot'; readonly tasks: readonly NodeView[] };

/** A run queued for this long needs a look. */
const LONG_MS = 60_000;
const URGENCY: readonly AttentionReason[] = [
  'question',
  'approval',
  'notice_undelivered',
  'host_abandoned',
  'failed',
  'budget',
  'waits_long',
];

/** The indexes of each node's children, by age. Computed once for each structure of the tree. */
export interface Siblings {
  structure?: number;
  below?: Map<number, number[]>;
}

/**
 * Everything at one moment: the tree of sub-agents, the ledger, the inbox, and who needs a person. `View.now` and `View.at`
 * make it, and it never changes, whatever happens afterwards.
 */
export class Frame {
  /** The number of its last event; 0 before the first. */
  readonly seq: number;
  /** The time of that event, in epoch milliseconds; 0 before the first. */
  readonly at: number;
  readonly #kept: SavedMoment;
  readonly #names: Names;
  readonly #siblings: Siblings;

  /** @internal */
  constructor(kept: SavedMoment, names: Names, siblings: Siblings) {
    this.seq = kept.seq;
    this.at = kept.at;
    this.#kept = kept;
    this.#names = names;
    this.#siblings = siblings;
  }

  /** The manager: its ledger is that of everything. */
  get manager(): NodeView {
    return this.node(0) as NodeView;
  }

  /** The number of sub-agents by status; forgotten ones don't count. */
  get counts(): Readonly<Record<TaskStatus, number>> {
    return this.#kept.counts;
  }

  /** The use of the manager's slots. `limit` is null if no event has given it. */
  get slots(): {
    /** Runs that hold a slot. */
    active: number;
    /** The number of slots: `maxConcurrent`. */
    limit: number | null;
    /** Runs that wait to begin. */
    queued: number;
    /** Runs that released their slot while they wait. */
    parked: number;
    /** Abandoned host functions that have not returned. */
    abandoned: number;
  } {
    const { active, queued, parked, abandoned, limits } = this.#kept;
    return { active, limit: limits.maxConcurrent ?? null, queued, parked, abandoned };
  }

  /** Limits that were set, by the option's name; missing ones have the package's defaults. */
  get limits(): Readonly<Record<string, number>> {
    return this.#kept.limits;
  }

  /** Rate limits in cooldown: the end of each, by its key. */
  get cooldowns(): Readonly<Record<string, number>> {
    return this.#kept.cooldowns;
  }

  /** The open drain, or the last one; null if there was none. */
  get drain(): DrainView | null {
    return this.#kept.drain;
  }

  /** Runs that have ended since the beginning. */
  get runsEnded(): number {
    return this.#kept.runsEnded;
  }

  /** The spending by model and by agent, as in `manager.costs()`: each list adds up to the manager's ledger. */
  get costs(): ManagerCosts {
    return costsOf(this.#kept, this.manager);
  }

  /** A node; undefined if there is none yet. */
  node(ref: NodeRef): NodeView | undefined {
    const index = this.#indexOf(ref);
    return index === undefined ? undefined : entryOf<NodeView>(this.#kept.nodes, index);
  }

  /** The sub-agent of an id; undefined if there is none, or if it was forgotten and nothing refers to it. */
  task(id: string): NodeView | undefined {
    return this.node({ taskId: id });
  }

  /** The nodes below another one, by age; below the manager, sessions and its own sub-agents. */
  children(ref: NodeRef = null): NodeView[] {
    const index = this.#indexOf(ref);
    const siblings = this.#siblings;
    if (siblings.structure !== this.#kept.structure) {
      const below = new Map<number, number[]>();
      this.#each(({ parent, index: child }) => {
        const known = below.get(parent);
        if (known === undefined) below.set(parent, [child]);
        else known.push(child);
      });
      Object.assign(siblings, { structure: this.#kept.structure, below });
    }
    return (siblings.below?.get(index as number) ?? []).map((child) => this.node(child) as NodeView);
  }

  /** A number that two frames share only if they have the same sub-agents and sessions in the same places. */
  get structure(): number {
    return this.#kept.structure;
  }

  /** Every sub-agent, by age: parents come before their children. */
  tasks(): NodeView[] {
    return this.#nodes('task');
  }

  /** Every session with a key, by age. */
  sessions(): NodeView[] {
    return this.#nodes('session');
  }

  /** The tree below a node, depth first: parents before their children, siblings by age. */
  *tree(ref: NodeRef = null): Generator<NodeView> {
    for (const child of this.children(ref)) {
      yield child;
      yield* this.tree(child.index);
    }
  }

  /** The number of all nodes so far, including forgotten ones, the sessions and the manager. */
  get size(): number {
    return this.#kept.nodes.length;
  }

  /** The caps, spending and reservations of a node, including all below it. */
  ledger(ref: NodeRef = null): BudgetAccount {
    const node = this.node(ref);
    if (node === undefined) return accountOf(UNCAPPED, UNCAPPED, ZERO, ZERO);
    let available = UNCAPPED;
    // Amounts that runs above it would lend count as free, from their node upwards.
    let freed = ZERO;
    for (let at: NodeView | undefined = node; at !== undefined; at = at.parent < 0 ? undefined : this.node(at.parent)) {
      if (at !== node && at.run?.phase === 'open' && at.run.whole) freed = plus(freed, at.run.reserved);
      available = least(available, minus(minus(at.cap, at.spent), minus(at.reserved, freed)));
    }
    return accountOf(node.cap, available, node.spent, node.reserved);
  }

  /**
   * The spending of a node with all below it or, with `'own'`, without them. Null instead of 0 means unknown: the host of a run
   * reported no such figure.
   */
  spent(node: NodeView, dimension: Dimension, of: 'spent' | 'own' = 'spent'): number | null {
    const amount = node[of][dimension];
    if (amount > 0) return amount;
    if (node.unknown.includes(dimension)) return null;
    if (of === 'spent') for (const below of this.tree(node.index)) if (below.unknown.includes(dimension)) return null;
    return amount;
  }

  /** A node's use of time, up to an instant. Default: the frame's. */
  times(node: NodeView, at: number = this.at): NodeTimes {
    const passed = Math.max(0, at - node.clockSince);
    const of = (clock: NodeView['clock'], before: number): number => before + (node.clock === clock ? passed : 0);
    return {
      queued: of('queued', node.queuedMs),
      working: of('working', node.workingMs),
      parked: of('parked', node.parkedMs),
      subtree: node.subtreeMs + Math.max(0, node.subtreeWorking * at - node.subtreeSince),
    };
  }

  /**
   * A sub-agent's obstacle; null if there is none. A queued run's reason changes without an event, so it is computed from this
   * moment. If the moment shows none, it is the reason why the run was queued.
   */
  obstacle(node: NodeView): Obstacle | null {
    const { run } = node;
    if (run === null) return node.queuePaused && node.messages.length > 0 ? { kind: 'waiting', for: this.#waitingFor(node) } : null;
    if (run.phase === 'queued' || run.phase === 'backoff') return { kind: 'waiting', for: this.#waitingFor(node) };
    if (run.phase !== 'open' || run.slot === 'taken') return null;
    const tasks = run.waitsFor.flatMap((id) => this.task(id) ?? []).filter((task) => task.run !== null);
    return { kind: 'parked', for: run.parks[0] ?? 'slot', tasks };
  }

  #waitingFor(node: NodeView): WaitingFor {
    const { abandoned, limits, cooldowns } = this.#kept;
    if (abandoned >= (limits.maxAbandoned ?? 16)) return 'abandoned';
    if (node.run === null) return 'held';
    if (node.run.phase === 'backoff') return 'retry';
    if (node.lingering[0]?.phase === 'lingering') return 'host';
    // A session's own node has this reason until the session is registered again.
    if (node.sessionKey !== null && this.node({ sessionKey: node.sessionKey })?.queuedFor === 'session') return 'session';
    const { queuedFor } = node;
    if (queuedFor === 'definition' || queuedFor === 'program') return queuedFor;
    if ((cooldowns[node.spec?.rateLimitKey ?? ''] ?? 0) > this.at) return 'cooldown';
    return queuedFor === 'budget' || queuedFor === 'stagger' || queuedFor === 'rate' ? queuedFor : 'slot';
  }

  /** Notices that are not acknowledged, oldest first: all, or those in the inbox of a node. */
  inbox(ref?: NodeRef): NoticeView[] {
    const found: NoticeView[] = [];
    const owner = ref === undefined ? undefined : this.node(ref);
    eachEntry<NoticeView>(this.#kept.notices, (notice) => {
      const isIts =
        ref === undefined ||
        (owner !== undefined &&
          (owner.id === null ? notice.to === null && notice.sessionKey === owner.sessionKey : notice.to === owner.id));
      if (isIts) found.push(notice);
    });
    return found;
  }

  /** Sub-agents that need a person, the most urgent first. */
  attention(at: number = this.at): Attention[] {
    const found: Attention[] = [];
    eachEntry<number>(this.#kept.needy, (index) => {
      const node = this.node(index) as NodeView;
      const reason = URGENCY[this.#urgency(node, at)];
      if (reason !== undefined)
        found.push({ node, reason, since: node.run === null ? (node.endedAt ?? node.clockSince) : node.clockSince });
    });
    const rank = ({ reason }: Attention): number => URGENCY.indexOf(reason);
    return found.sort((one, other) => rank(one) - rank(other) || one.since - other.since);
  }

  /** The place in `URGENCY` of the first reason for which it needs a person; -1 if there is none. */
  #urgency(node: NodeView, at: number): number {
    const { run, status } = node;
    const isQueued = node.clock === 'queued' && run !== null;
    return [
      node.question !== null,
      run?.parks.includes('approval'),
      node.notices.some((index) => entryOf<NoticeView>(this.#kept.notices, index)?.delivery === 'undelivered'),
      node.lingering.some(({ phase }) => phase === 'abandoned'),
      (status === 'failed' || status === 'timed_out') && !node.collected,
      isQueued && this.#waitingFor(node) === 'budget',
      isQueued && at - node.clockSince >= LONG_MS,
    ].indexOf(true);
  }

  #indexOf(ref: NodeRef): number | undefined {
    if (ref === null) return 0;
    if (typeof ref === 'number') return ref;
    const index = 'taskId' in ref ? this.#names.task(ref.taskId, this.#kept) : this.#names.session(ref.sessionKey, this.#kept);
    return index !== undefined && index < this.#kept.nodes.length ? index : undefined;
  }

  #nodes(kind: NodeView['kind']): NodeView[] {
    const found: NodeView[] = [];
    this.#each((node) => {
      if (node.kind === kind) found.push(node);
    });
    return found;
  }

  #each(visit: (node: NodeView) => void): void {
    eachEntry<NodeView>(this.#kept.nodes, (node) => {
      if (!node.forgotten) visit(node);
    });
  }
}

function accountOf(cap: EventAmounts, available: EventAmounts, spent: EventAmounts, reserved: EventAmounts): BudgetAccount {
  const over = minus(plus(spent, reserved), cap);
  const of = (key: keyof EventAmounts): BudgetDimension => ({
    cap: cap[key],
    spent: spent[key],
    reserved: reserved[key],
    available: available[key],
    overspent: cap[key] === Infinity ? 0 : over[key],
  });
  return { tokens: of('tokens'), costUsd: of('costUsd'), turns: of('turns') };
}
