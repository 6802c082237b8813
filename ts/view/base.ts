// A base: what a manager was when a view came to it, taken from what it says of itself. Owns the way from snapshots to
// the moment that a fold goes on from. What snapshots don't say (the text of a steer, what a run waits for, an inbox of a
// sub-agent) is not known until an event says it.

import type { EventAmounts } from '../generated/facts.js';
import type { Limits } from '../generated/limits.js';
import type { Notice } from '../views/notices.js';
import type { BudgetAccount, ConcurrencyInfo, ListOptions, ManagerStats, TaskList, TaskSnapshot } from '../views/snapshots.js';
import { capOf, minus, plus, ZERO } from './amounts.js';
import { NEW_RUN, NOT_SAID } from './fold.js';
import { beginning, Moment, type NodeRecord } from './moment.js';
import type { Names } from './names.js';
import type { RunView } from './record.js';

/** What a base is taken of: a manager, or the view of one that `readJournal` gives. */
export interface Inspected {
  /** How many events there have been: the base stands for those. */
  readonly eventCount: number;
  /** The keys of the sessions that are open. Default: none, as of a journal that is only read. */
  readonly sessionKeys?: readonly string[];
  /** The limits in force. */
  readonly limits: Required<Limits>;
  /** The notices for the manager's own main agent. */
  readonly inbox: {
    /** Gives the notices that are not acknowledged, and changes nothing. */
    peek(): Notice[];
  };
  /** Lists the sub-agents, parents before their children. */
  list(options?: ListOptions): TaskList;
  /** Counts what has been so far, the runs that have ended among it. */
  stats(): ManagerStats;
  /** Says how full the manager is. */
  getConcurrencyInfo(): ConcurrencyInfo;
  /** Gives the ledger of the whole manager. */
  budget(): BudgetAccount;
  /** Gives the session of a key, for its ledger and its notices; asked for each of `sessionKeys`. */
  session?(key: string): { readonly budget?: unknown; readonly inbox: { peek(): Notice[] } };
}

/** What a manager was at one moment, as JSON. */
export interface ViewBase {
  /** The number of the last event before it. */
  readonly seq: number;
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** Every sub-agent, parents first. */
  readonly tasks: readonly TaskSnapshot[];
  /** Every session that is open. */
  readonly sessions: readonly { readonly key: string; readonly budget: BudgetAccount | null }[];
  /** The ledger of the whole manager. */
  readonly budget: BudgetAccount;
  /** The limits in force. */
  readonly limits: Readonly<Record<string, number>>;
  /** How full it is. */
  readonly slots: Pick<ConcurrencyInfo, 'active' | 'queued' | 'parked' | 'abandoned'>;
  /** Runs that have ended since the beginning. */
  readonly runsEnded: number;
  /** Notices of main agents that are not acknowledged. */
  readonly notices: readonly Pick<
    Notice,
    | 'taskId'
    | 'run'
    | 'label'
    | 'sessionKey'
    | 'reroutedFrom'
    | 'delivery'
    | 'attempt'
    | 'leasedUntil'
    | 'status'
    | 'stopReason'
    | 'endedAt'
  >[];
}

/** The base of a manager as it stands. Listen to its events before: one that is told twice counts once. */
export function baseOf(manager: Inspected, at: number = Date.now()): ViewBase {
  const { eventCount: seq, sessionKeys = [] } = manager;
  const sessions = sessionKeys.flatMap((key) => {
    const session = manager.session?.(key);
    if (session === undefined) return [];
    const budget = (manager.budget as (target: unknown) => BudgetAccount)(session);
    return [{ key, budget, notices: session.inbox.peek() }];
  });
  const { active, queued, parked, abandoned } = manager.getConcurrencyInfo();
  return {
    seq,
    at,
    tasks: allTasks(manager),
    sessions: sessions.map(({ key, budget }) => ({ key, budget })),
    budget: manager.budget(),
    limits: manager.limits as Readonly<Record<string, number>>,
    slots: { active, queued, parked, abandoned },
    runsEnded: manager.stats().runsEnded,
    notices: [...manager.inbox.peek(), ...sessions.flatMap(({ notices }) => notices)].map(
      ({ taskId, run, label, sessionKey, reroutedFrom, delivery, attempt, leasedUntil, status, stopReason, endedAt }) => ({
        taskId,
        run,
        label,
        sessionKey,
        reroutedFrom,
        delivery,
        attempt,
        leasedUntil,
        status,
        stopReason,
        endedAt,
      }),
    ),
  };
}

/** The manager's page is bounded, so that they are asked for page by page. */
const PAGE = 1_000;

function allTasks(manager: Inspected): TaskSnapshot[] {
  const tasks: TaskSnapshot[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: TaskList = manager.list({ page: { offset, limit: PAGE } });
    tasks.push(...page.items);
    offset = page.nextOffset;
  }
  return tasks;
}

/** The moment that a base stands for. */
export function momentOf(base: ViewBase, names: Names): Moment {
  const moment = new Moment(beginning());
  moment.seq = base.seq;
  moment.at = base.at;
  Object.assign(moment, base.slots);
  moment.runsEnded = base.runsEnded;
  moment.limits = base.limits;
  setAccount(moment.write(0), base.budget);
  const sessions = new Set([...base.sessions.map(({ key }) => key), ...base.tasks.flatMap(({ sessionKey }) => sessionKey ?? [])]);
  for (const key of sessions) {
    const node = moment.write(moment.nodes.length);
    Object.assign(node, { kind: 'session', parent: 0, sessionKey: key, label: key });
    const budget = base.sessions.find((session) => session.key === key)?.budget ?? null;
    if (budget !== null) setAccount(node, budget);
    names.addSession(key, node.index);
  }
  for (const task of base.tasks) {
    addTask(moment, names, task);
    const session = task.waitingFor === 'session' ? names.about({ taskId: null, sessionKey: task.sessionKey }, moment) : undefined;
    if (session !== undefined) moment.write(session).queuedFor = 'session';
  }
  const [holds, spending] = [ownOf(moment, 'held'), ownOf(moment, 'spent')];
  for (const task of base.tasks) {
    const index = names.task(task.taskId) as number;
    setRun(moment.write(index), task, { held: holds[index] as EventAmounts, spent: spending[index] as EventAmounts });
  }
  for (const { leasedUntil: until, stopReason: reason, ...notice } of base.notices) {
    const index = moment.notices.length;
    moment.notices.set(index, { index, ...notice, to: null, until, reason });
    const node = names.task(notice.taskId);
    if (node !== undefined) moment.write(node).notices = [...moment.write(node).notices, index];
  }
  return moment;
}

function addTask(moment: Moment, names: Names, task: TaskSnapshot): void {
  const node = moment.write(moment.nodes.length);
  names.addTask(task.taskId, node.index);
  const { parentId, sessionKey, status } = task;
  const { clockSince, clock } = clockOf(task);
  Object.assign(node, {
    id: task.taskId,
    parent: names.about({ taskId: parentId, sessionKey }, moment) ?? 0,
    parentId,
    sessionKey,
    depth: task.depth,
    label: task.label,
    metadata: task.metadata,
    instructions: task.instructions,
    spec: specOf(task),
    background: task.background,
    manual: task.manual,
    status,
    stopReason: task.stopReason,
    cancelling: task.cancelRequested,
    runs: task.run,
    turn: task.turns,
    usage: amountsOf(task.usage),
    own: amountsOf(task.usage),
    unknown: task.usage.unknown,
    invalid: task.usage.invalid,
    contextTokens: task.contextTokens,
    progress: task.progress,
    output: task.output,
    partial: task.partial,
    truncated: task.truncated,
    error: task.error,
    hostStatus: task.hostStatus,
    hostTaskId: task.hostTaskId,
    artifacts: task.artifacts.length === 0 ? null : JSON.stringify(task.artifacts),
    value: task.value === null ? null : JSON.stringify(task.value),
    lateResult: task.lateResult,
    released: task.released,
    messages: task.queuedPreview,
    undelivered: task.undelivered,
    question: task.question,
    createdAt: task.createdAt,
    startedAt: task.startedAt,
    endedAt: task.endedAt,
    updatedAt: task.updatedAt,
    durationMs: task.endedAt === null ? null : task.durationMs,
    clock,
    clockSince,
  } satisfies Partial<NodeRecord>);
  setAccount(node, task.budget);
  moment.counts[status] += 1;
  for (
    let at: NodeRecord | undefined = node;
    clock === 'working' && at !== undefined;
    at = at.parent < 0 ? undefined : moment.write(at.parent)
  ) {
    at.subtreeWorking += 1;
    at.subtreeSince += clockSince;
  }
}

/** What it is at; since when is not known of one that is parked or queued, so that is taken to be its last change. */
function clockOf(task: TaskSnapshot): Pick<NodeRecord, 'clock' | 'clockSince'> {
  if (task.status === 'pending') return { clock: task.manual ? null : 'queued', clockSince: task.updatedAt ?? 0 };
  if (task.status !== 'running') return { clock: null, clockSince: task.endedAt ?? 0 };
  return task.parked === null
    ? { clock: 'working', clockSince: task.startedAt ?? 0 }
    : { clock: 'parked', clockSince: task.updatedAt ?? 0 };
}

/** What each node holds, or has spent, that those below it haven't, by its index. */
function ownOf(moment: Moment, what: 'held' | 'spent'): EventAmounts[] {
  const nodes = Array.from({ length: moment.nodes.length }, (_, index) => moment.read(index) as NodeRecord);
  const below = nodes.map(() => ZERO);
  for (const { parent, [what]: amount } of nodes) if (parent >= 0) below[parent] = plus(below[parent] as EventAmounts, amount);
  return nodes.map(({ [what]: amount }, index) => minus(amount, below[index] as EventAmounts));
}

function setRun(node: NodeRecord, task: TaskSnapshot, { held, spent }: { held: EventAmounts; spent: EventAmounts }): void {
  const { status, manual, parked, waitingFor, hostStillRunning, run: number } = task;
  if (status === 'pending' && manual) {
    node.reserve = held.tokens;
    return;
  }
  const isOpen = status === 'running';
  // The last run has not begun: a host function that is still running is that of one before, and so is all that is held.
  const isOfEarlier = hostStillRunning && (isOpen || (number > 1 && task.startedAt === null));
  const last: RunView = {
    ...NEW_RUN,
    number,
    message: number > 1 ? task.lastInput : null,
    usage: node.usage,
    held: isOfEarlier && !isOpen ? ZERO : held,
    whole: node.turn === 0,
  };
  if (status === 'pending') {
    node.run = { ...last, phase: waitingFor === 'retry' ? 'backoff' : 'queued' };
    node.queuedFor = waitingFor;
  } else if (isOpen) {
    const parks = parked === null ? [] : [parked];
    node.run = { ...last, phase: 'open', slot: parked === null ? 'held' : 'parked', parks };
  }
  if (!hostStillRunning) return;
  if (!isOfEarlier) {
    node.lingering = [{ ...last, phase: 'lingering', slot: 'held' }];
    return;
  }
  // Which of several it is, the next event about it says; what all of them have used is taken to be its own. One that
  // another run has begun beside was given up, and holds nothing (L6).
  const earlier: RunView = { ...NEW_RUN, number: number === 2 ? 1 : NOT_SAID, usage: minus(spent, node.usage) };
  node.lingering = [isOpen ? { ...earlier, phase: 'abandoned' } : { ...earlier, held, phase: 'lingering', slot: 'held' }];
}

function setAccount(node: NodeRecord, { tokens, costUsd, turns }: BudgetAccount): void {
  node.cap = capOf({ tokens: tokens.cap, costUsd: costUsd.cap, turns: turns.cap });
  node.spent = { tokens: tokens.spent, costUsd: costUsd.spent, turns: turns.spent };
  node.held = { tokens: tokens.held, costUsd: costUsd.held, turns: turns.held };
}

function amountsOf({ tokens, costUsd, turns }: EventAmounts): EventAmounts {
  return { ...ZERO, tokens, costUsd, turns };
}

function specOf(task: TaskSnapshot): NodeRecord['spec'] {
  const { nickname, contextHint, tools, systemPrompt, profile, modelId, sourceAgentId, rateLimitKey, disallowedTools, onParentEnd } = task;
  return {
    label: task.label,
    nickname,
    contextHint: contextHint === '' ? null : contextHint,
    tools,
    systemPrompt,
    profile,
    modelId,
    sourceAgentId,
    maxTurns: task.maxTurns,
    timeoutMs: null,
    idleTimeoutMs: null,
    turnEstimate: null,
    turnEstimateUsd: null,
    priority: null,
    rateLimitKey,
    disallowedTools,
    originChannel: null,
    originChatId: null,
    json: task.format === 'json',
    onParentEnd,
    metadata: task.metadata,
    retry: null,
  };
}
