// A second opinion: what a view makes of a manager's events alone, held against what the manager says of itself; and one
// that came in the middle of it. Both in every status, budget, slot and inbox.

import type { CostShare, ManagerCosts, Session, SubAgentEvent, SubAgentManager, TaskSnapshot } from '../../dist/index.js';
import { baseOf, type Frame, type NodeView, View } from '../../dist/view/index.js';

type Fault = (text: string) => void;

export class SecondOpinion {
  /** Of all that happened, and of what happened since some moment. */
  readonly view = new View();
  readonly late = new View();
  readonly #fault: Fault;
  /** What was seen at some events, as text, to be seen again. */
  readonly #seen = new Map<number, string>();

  constructor(fault: Fault) {
    this.#fault = fault;
  }

  begin(manager: SubAgentManager): void {
    this.view.begin(baseOf(manager));
    this.late.begin(baseOf(manager));
  }

  take(event: SubAgentEvent): void {
    this.view.add(event);
    this.late.add(event);
  }

  /**
   * Has the other view begin in the middle, where no run is parked for several reasons at once, of which snapshots say one, and
   * nothing of a session that is closed is left, whose caps nothing says any more.
   */
  comeLate(manager: SubAgentManager): void {
    const open = new Set<string | null>([null, ...manager.sessionKeys]);
    const isSaid = ({ run, sessionKey }: NodeView): boolean => (run === null || run.parks.length < 2) && open.has(sessionKey);
    if (this.view.now.tasks().every(isSaid)) this.late.begin(baseOf(manager));
  }

  look(manager: SubAgentManager, sessions: readonly Session[]): void {
    const { now } = this.view;
    this.#seen.set(now.seq, textOf(now));
    for (const [name, frame] of [
      ['the view', now],
      ['the view that came late', this.late.now],
    ] as const) {
      const differing = differences(frame, manager, sessions, frame === now);
      if (differing.length > 0) this.#fault(`${name} says at ${frame.seq}: ${differing.slice(0, 4).join('; ')}`);
    }
  }

  /** Goes back to each moment that was looked at. */
  lookBack(): void {
    for (const [seq, text] of this.#seen) {
      const again = textOf(this.view.at(seq));
      if (again !== text) this.#fault(`at ${seq} the view shows something else when it goes back:\n${again}\n${text}`);
    }
  }
}

/** All that a frame shows. */
export function textOf(frame: Frame): string {
  const { counts, slots, runsEnded, costs, drain, cooldowns, limits } = frame;
  const nodes = [...frame.tree()].map((node) => ({
    ...node,
    epoch: 0,
    times: frame.times(node),
    obstacle: frame.obstacle(node)?.for,
  }));
  return JSON.stringify({
    counts,
    slots,
    runsEnded,
    costs,
    drain,
    cooldowns,
    limits,
    nodes,
    manager: { ...frame.manager, epoch: 0 },
    inbox: frame.inbox(),
    attention: frame.attention().length,
  });
}

/** Of shares that cost the same, any may come first. */
function inOrder({ byModel, byAgent, mainAgents, ...all }: ManagerCosts): unknown {
  const sorted = (shares: readonly CostShare[]): unknown => shares.map((share) => JSON.stringify(Object.entries(share).sort())).sort();
  return { all: [all.costUsd, all.tokens, all.turns], byModel: sorted(byModel), byAgent: sorted(byAgent), mainAgents: sorted(mainAgents) };
}

/** Where a frame differs from the manager. @param isWhole it has had all events: what a snapshot doesn't say is known too */
export function differences(frame: Frame, manager: SubAgentManager, sessions: readonly Session[], isWhole: boolean): string[] {
  const found: string[] = [];
  const same = (what: string, got: unknown, wanted: unknown): void => {
    const [one, other] = [JSON.stringify(got), JSON.stringify(wanted)];
    if (one !== other) found.push(`${what}: ${one}, the manager says ${other}`);
  };
  const { items } = manager.list();
  const stats = manager.stats();
  const { counts } = frame;
  for (const status of ['pending', 'running', 'idle', 'completed', 'failed', 'cancelled', 'interrupted', 'closed'] as const)
    same(status, counts[status], stats[status]);
  same('timed_out', counts.timed_out, stats.timedOut);
  same('runsEnded', frame.runsEnded, stats.runsEnded);
  const { active, queued, parked, abandoned, limit } = manager.getConcurrencyInfo();
  same('slots', frame.slots, { active, limit, queued, parked, abandoned });
  same('the ledger', frame.ledger(), manager.budget());
  // Which model a run named last that is under way is not in a snapshot.
  if (isWhole) same('the costs', inOrder(frame.costs), inOrder(manager.costs()));
  same(
    'tasks',
    frame
      .tasks()
      .map(({ id }) => id)
      .sort(),
    items.map(({ taskId }) => taskId).sort(),
  );
  for (const task of items) {
    const node = frame.task(task.taskId);
    if (node === undefined) continue;
    same(`${node.label}`, ofNode(frame, node, isWhole), ofTask(task, isWhole));
    same(`${node.label}'s ledger`, frame.ledger(node.index), task.budget);
  }
  // A key that was freed by a close may be that of another session since: the one that was opened last counts.
  const byKey = new Map(sessions.map((session) => [session.key, session]));
  for (const scope of [manager, ...byKey.values()]) {
    const key = 'key' in scope ? scope.key : null;
    if (key !== null && !manager.sessionKeys.includes(key)) continue;
    const notices = frame.inbox(key === null ? null : { sessionKey: key });
    const reported = scope.inbox.peek();
    const ofNotice = (each: { taskId: string; run: number; delivery: string; attempt: number }): string =>
      [each.taskId, each.run, each.delivery, each.attempt].join(' ');
    if (isWhole) same(`the inbox of ${key}`, notices.map(ofNotice).sort(), reported.map(ofNotice).sort());
    if (key !== null) same(`the ledger of ${key}`, frame.ledger({ sessionKey: key }), manager.budget(scope as Session));
  }
  return found;
}

function ofNode(frame: Frame, node: NodeView, isWhole: boolean): unknown {
  const { run } = node;
  const isOpen = run?.phase === 'open';
  return {
    status: node.status,
    sessionKey: node.sessionKey,
    parentId: node.parentId,
    depth: node.depth,
    run: node.runs,
    parked: isOpen ? (run.parks[0] ?? null) : null,
    stopReason: node.run === null && node.status !== 'idle' && node.status !== 'pending' ? node.stopReason : null,
    usage: [node.usage.tokens, node.usage.costUsd, node.usage.turns],
    output: node.output,
    artifacts: node.artifacts === null ? [] : JSON.parse(node.artifacts),
    receipts: node.receipts === null ? [] : JSON.parse(node.receipts),
    value: node.value === null ? null : JSON.parse(node.value),
    error: node.error,
    partial: node.partial,
    truncated: node.truncated,
    background: node.background,
    question: node.question,
    startedAt: node.startedAt,
    endedAt: node.endedAt,
    lateResult: node.lateResult,
    lingering: node.lingering.map(({ number, phase, usage, reserved }) => [number, phase === 'abandoned', usage.tokens, reserved.tokens]),
    progress: node.progress,
    contextTokens: node.contextTokens,
    hostTaskId: node.hostTaskId,
    ...(isWhole && {
      hostStillRunning: node.lingering.length > 0,
      undelivered: node.undelivered,
      queueSize: node.messages.length + node.steers.length,
      queuedPreview: node.messages.slice(0, 3).map((text) => text.slice(0, 100)),
      obstacle: passing(frame.obstacle(node)?.kind === 'waiting' ? (frame.obstacle(node)?.for ?? null) : null),
    }),
  };
}

function ofTask(task: TaskSnapshot, isWhole: boolean): unknown {
  const isEnded = task.status !== 'running' && task.status !== 'pending' && task.status !== 'idle';
  return {
    status: task.status,
    sessionKey: task.sessionKey,
    parentId: task.parentId,
    depth: task.depth,
    run: task.run,
    parked: task.parked,
    stopReason: isEnded ? task.stopReason : null,
    usage: [task.usage.tokens, task.usage.costUsd, task.usage.turns],
    output: task.output,
    artifacts: task.artifacts,
    receipts: task.receipts,
    value: task.value,
    error: task.error,
    partial: task.partial,
    truncated: task.truncated,
    background: task.background,
    question: task.question,
    startedAt: task.startedAt,
    endedAt: task.endedAt,
    lateResult: task.lateResult,
    lingering: task.lingering.map(({ run, abandoned, usage, reserved }) => [run, abandoned, usage.tokens, reserved.tokens]),
    progress: task.progress,
    contextTokens: task.contextTokens,
    hostTaskId: task.hostTaskId,
    ...(isWhole && {
      hostStillRunning: task.hostStillRunning,
      undelivered: task.undelivered,
      queueSize: task.queueSize,
      queuedPreview: task.queuedPreview,
      obstacle: passing(task.waitingFor),
    }),
  };
}

/** These three change by themselves, without an event; a view shows them as they were when the run was queued. */
function passing(why: string | null): string | null {
  return why === 'slot' || why === 'budget' || why === 'stagger' || why === 'cooldown' ? 'slot' : why;
}
