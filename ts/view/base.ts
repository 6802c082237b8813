// A base: a manager's state when a view begins, from its own snapshots. Owns how snapshots become the moment from which
// a fold continues. Data that snapshots lack (the text of a steer, an inbox of a sub-agent) is unknown until an event
// has it. A run parked for sub-agents counts as parked for its open foreground ones.

import { receiptsJson } from '../base/receipt.js';
import type { EventAmounts, EventKinds, EventSpec } from '../generated/facts.js';
import type { Limits } from '../generated/limits.js';
import { SPEC_FIELDS } from '../generated/names.js';
import { NO_KINDS } from '../generated/tokens.js';
import type { Notice } from '../snapshots/notices.js';
import type {
  BudgetAccount,
  ConcurrencyInfo,
  ListOptions,
  ManagerCosts,
  ManagerStats,
  TaskList,
  TaskSnapshot,
} from '../snapshots/types.js';
import { amountsOf, capOf, kindsOf, minus, plus, plusKinds, ZERO } from './amounts.js';
import { LEFT_SAME } from './generated/left.js';
import { countWorking } from './ledger.js';
import { beginning, costsIn, Moment } from './moment.js';
import type { Names } from './names.js';
import type { NodeRecord, Writable } from './node-record.js';
import type { RunView } from './record.js';
import { NEW_RUN } from './runs.js';

/** The source of a base: a manager, or its view from `readJournal`. */
export interface Inspected {
  /** The keys of the sessions that are open. Default: none. */
  readonly sessionKeys?: readonly string[];
  /** The limits in force. */
  readonly limits: Required<Limits>;
  /** The notices for the manager's own main agent. */
  readonly inbox: {
    /** Returns the notices that are not acknowledged, and changes nothing. */
    peek(): Notice[];
  };
  /** Lists the sub-agents, parents before their children. */
  list(options?: ListOptions): TaskList;
  /** Returns the number of events that the base replaces, and of ended runs. */
  stats(): ManagerStats;
  /** Returns the use of the slots. */
  getConcurrencyInfo(): ConcurrencyInfo;
  /** The spending by model and by agent. Default: unknown. */
  costs?(): ManagerCosts;
  /** Returns the ledger of the whole manager. */
  budget(): BudgetAccount;
  /** Returns the session of a key, for its ledger and its notices; called for each of `sessionKeys`. */
  session?(key: string): { readonly budget?: unknown; readonly inbox: { peek(): Notice[] } };
  /** The manager's `restored`: the sessions that it has not opened are part of the base. Default: none. */
  readonly restored?:
    | {
        /** Each with its ledger and its notices. */
        readonly sessions: readonly { readonly key: string; readonly budget: BudgetAccount; readonly notices: readonly Notice[] }[];
      }
    | undefined;
}

/** A manager's state at one moment, as JSON. */
export interface ViewBase {
  /** The number of the last event before it. */
  readonly seq: number;
  /** Its time, in epoch milliseconds. */
  readonly at: number;
  /** Every sub-agent, parents first. */
  readonly tasks: readonly TaskSnapshot[];
  /** Every session that is open. */
  readonly sessions: readonly { readonly key: string; readonly budget: BudgetAccount | null }[];
  /** The ledger of the whole manager. */
  readonly budget: BudgetAccount;
  /** The limits in force. */
  readonly limits: Readonly<Record<string, number>>;
  /** The use of the slots. */
  readonly slots: Pick<ConcurrencyInfo, 'active' | 'queued' | 'parked' | 'abandoned'>;
  /** Runs that have ended since the beginning. */
  readonly runsEnded: number;
  /** The spending by model, by agent and by main agents; absent if it is unknown. */
  readonly costs?: Pick<ManagerCosts, 'byModel' | 'byAgent' | 'mainAgents'> | undefined;
  /** Notices of main agents that are not acknowledged. */
  readonly notices: readonly Pick<Notice, (typeof OF_NOTICE)[number]>[];
}

/**
 * The current base of a manager. Subscribe to its events before this call: an event that comes twice counts once. The base
 * lacks the caps of a closed session whose work still returns: less may be `available` to that work than shown.
 */
export function baseOf(manager: Inspected, at: number = Date.now()): ViewBase {
  const { events: seq, runsEnded } = manager.stats();
  const { sessionKeys = [] } = manager;
  const notices = manager.inbox.peek();
  const sessions = sessionKeys.flatMap((key) => {
    const session = manager.session?.(key);
    if (session === undefined) return [];
    notices.push(...session.inbox.peek());
    return [{ key, budget: (manager.budget as (target: unknown) => BudgetAccount)(session) }];
  });
  for (const { key, budget, notices: kept } of manager.restored?.sessions ?? []) {
    notices.push(...kept);
    sessions.push({ key, budget });
  }
  const { active, queued, parked, abandoned } = manager.getConcurrencyInfo();
  return {
    seq,
    at,
    tasks: manager.list().items,
    sessions,
    budget: manager.budget(),
    limits: manager.limits as Readonly<Record<string, number>>,
    slots: { active, queued, parked, abandoned },
    runsEnded,
    costs: manager.costs?.(),
    notices: notices.map(noticeOf),
  };
}

/** The fields of a notice in a base. */
const OF_NOTICE = [
  'taskId',
  'run',
  'label',
  'sessionKey',
  'reroutedFrom',
  'delivery',
  'attempt',
  'leasedUntil',
  'status',
  'stopReason',
  'endedAt',
] as const satisfies (keyof Notice)[];

const noticeOf = (notice: Notice): Pick<Notice, (typeof OF_NOTICE)[number]> =>
  Object.fromEntries(OF_NOTICE.map((field) => [field, notice[field]])) as never;

/** The moment of a base. */
export function momentOf(base: ViewBase, names: Names): Moment {
  const moment = new Moment(beginning(), names);
  const { seq, at, slots, runsEnded, costs, limits } = base;
  Object.assign(moment, slots, { seq, at, runsEnded, costs: costsIn(costs), limits });
  setAccount(moment.write(0), base.budget);
  for (const { key, budget } of [...base.sessions, ...base.tasks.map((task) => ({ key: task.sessionKey, budget: null }))]) {
    if (key === null || names.session(key, moment) !== undefined) continue;
    const node = moment.addSession(key);
    if (budget !== null) setAccount(node, budget);
  }
  // The usage of main agents is known by session.
  for (const share of moment.costs.mainAgents.values()) {
    const index = names.about({ sessionKey: share.name }, moment);
    if (index !== undefined) Object.assign(moment.write(index), usedBy(share));
  }
  for (const task of base.tasks) {
    addTask(moment, names, task);
    if (task.waitingFor === 'session') moment.write(names.about({ sessionKey: task.sessionKey }, moment) as number).queuedFor = 'session';
  }
  // Sub-agents have the kinds of their last runs only, and forgotten ones have none.
  moment.write(0).kinds = [...moment.costs.byModel.values()].reduce<EventKinds>(plusKinds, NO_KINDS);
  const holds = ownHolds(moment);
  for (const task of base.tasks) {
    const node = moment.write(names.task(task.taskId, moment) as number);
    setRun(node, task, holds[node.index] ?? ZERO, moment.write(node.parent).run);
  }
  for (const { leasedUntil: until, ...notice } of base.notices) {
    const index = moment.notices.length;
    moment.notices.set(index, { index, ...notice, to: null, until });
    const node = names.task(notice.taskId, moment);
    if (node !== undefined) moment.write(node).notices = [...moment.write(node).notices, index];
  }
  return moment;
}

/** Fields that a snapshot and a node share by name. */
const SAME = [
  ...LEFT_SAME,
  'parentId',
  'sessionKey',
  'depth',
  'label',
  'metadata',
  'instructions',
  'background',
  'status',
  'stopReason',
  'contextTokens',
  'progress',
  'partial',
  'truncated',
  'lateResult',
  'released',
  'undelivered',
  'question',
  'createdAt',
  'startedAt',
  'endedAt',
  'updatedAt',
] as const satisfies (keyof NodeRecord & keyof TaskSnapshot)[];

function addTask(moment: Moment, names: Names, task: TaskSnapshot): void {
  const { parentId, sessionKey } = task;
  const node = moment.add(names.about({ taskId: parentId, sessionKey }, moment) ?? 0);
  names.addTask(task.taskId, node.index);
  for (const field of SAME) (node as Record<typeof field, unknown>)[field] = task[field];
  Object.assign(node, {
    id: task.taskId,
    spec: specOf(task),
    cancelling: task.cancelRequested,
    runs: task.run,
    turn: task.turns,
    ...usedBy(task.usage),
    unknown: task.usage.unknown,
    invalid: task.usage.invalid,
    artifacts: task.artifacts.length === 0 ? null : JSON.stringify(task.artifacts),
    receipts: task.receipts.length === 0 ? null : receiptsJson(task.receipts),
    value: jsonOf(task.value),
    messages: task.queuedPreview,
    durationMs: task.endedAt === null ? null : task.durationMs,
    ...clockOf(task),
  } satisfies Partial<NodeRecord>);
  setAccount(node, task.budget);
  // Only its last run's time is known.
  node.workingMs = node.durationMs ?? 0;
  const working = Number(node.clock === 'working');
  countWorking(moment, node.index, node.workingMs, working, working * node.clockSince);
}

/** Its clock. A base doesn't have the time since which a sub-agent is parked or queued: its last change replaces it. */
function clockOf({ status, parked, startedAt, endedAt, updatedAt }: TaskSnapshot): Pick<NodeRecord, 'clock' | 'clockSince'> {
  const [clock, since] =
    status === 'running'
      ? parked === null
        ? (['working', startedAt] as const)
        : (['parked', updatedAt] as const)
      : status === 'pending'
        ? (['queued', updatedAt] as const)
        : [null, endedAt];
  return { clock, clockSince: since ?? 0 };
}

/**
 * Each node's own reservation, without those below it, by index. A session has only its sub-agents' reservations: if its ledger
 * isn't known, the sum of theirs replaces it.
 */
function ownHolds(moment: Moment): EventAmounts[] {
  const below: EventAmounts[] = [];
  const own: EventAmounts[] = [];
  // From the back, so that all below a node have been seen when its turn comes.
  for (let index = moment.nodes.length - 1; index >= 0; index -= 1) {
    const node = moment.write(index);
    const sum = below[index] ?? ZERO;
    const isSession = node.kind === 'session';
    // Still the initial value: its ledger is unknown.
    if (isSession && node.reserved === ZERO) node.reserved = sum;
    own[index] = minus(node.reserved, sum);
    if (index > 0) below[node.parent] = plus(below[node.parent] ?? ZERO, isSession ? sum : node.reserved);
  }
  return own;
}

/** @param above the run of its parent, which is parked for it while it works in the foreground */
function setRun(node: NodeRecord, task: TaskSnapshot, own: EventAmounts, above: Writable<RunView> | null): void {
  const { status, parked, waitingFor, run: number, lingering } = task;
  node.lingering = lingering.map(({ run, abandoned, holdsSlot, usage, reserved }) => ({
    ...NEW_RUN,
    number: run,
    phase: abandoned ? 'abandoned' : 'lingering',
    slot: holdsSlot ? 'taken' : 'none',
    usage: amountsOf(usage),
    reserved: amountsOf(reserved),
  }));
  const reserved = lingering.reduce((left, run) => minus(left, run.reserved), own);
  if (status === 'running' || status === 'pending') {
    const message = number > 1 ? task.lastInput : null;
    const last = { ...NEW_RUN, number, message, usage: node.usage, reserved, whole: node.turn === 0 };
    if (status === 'pending') {
      node.run = { ...last, phase: waitingFor === 'retry' ? 'backoff' : 'queued' };
      node.queuedFor = waitingFor;
    } else node.run = { ...last, phase: 'open', slot: parked === null ? 'taken' : 'parked', parks: parked === null ? [] : [parked] };
    if (above?.parks.includes('children') && !task.background) above.waitsFor = [...above.waitsFor, task.taskId];
  }
}

function setAccount(node: NodeRecord, { tokens, costUsd, turns }: BudgetAccount): void {
  const of = (key: 'cap' | 'spent' | 'reserved'): EventAmounts => ({ tokens: tokens[key], costUsd: costUsd[key], turns: turns[key] });
  node.cap = capOf(of('cap'));
  node.spent = of('spent');
  node.reserved = of('reserved');
}

function usedBy(used: EventAmounts & EventKinds): Pick<NodeRecord, 'usage' | 'own' | 'kinds'> {
  const usage = amountsOf(used);
  return { usage, own: usage, kinds: kindsOf(used) };
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** The spawn options that a snapshot has. */
function specOf(task: TaskSnapshot): EventSpec {
  const given = task as Partial<Record<keyof EventSpec, unknown>>;
  const spec = Object.fromEntries(SPEC_FIELDS.map((field) => [field, given[field] ?? null]));
  return { ...spec, mustHave: jsonOf(task.mustHave), json: task.format === 'json', contextHint: task.contextHint || null } as EventSpec;
}
