// The fold: what each event changes. One arm an event, and no decision: it says again, in plain TypeScript, what
// `src/state/apply.rs` says of the facts, as far as a reader can see it. An event about what is not known changes nothing
// but the number of the last event, so that a list which begins in the middle can be read.

import type { EventAmounts, EventLoan, EventLoans, SubAgentEvent } from '../generated/facts.js';
import type { ParkReason, TaskStatus } from '../generated/names.js';
import { capOf, isSame, isZero, least, minus, plus, ZERO } from './amounts.js';
import { type Moment, NOT_AHEAD, type NodeRecord } from './moment.js';
import type { Names } from './names.js';
import type { NodeView, NoticeView, RunView } from './record.js';

/** As many messages that no run got are kept when a run is queued. */
const KEPT_UNDELIVERED = 100;
const PARK_ORDER: readonly ParkReason[] = ['children', 'input', 'approval', 'cooldown', 'reentry'];
const NO_LIST: readonly never[] = Object.freeze([]);
/** The number of a run of before, whose host function is still running, in a base that doesn't say which it is. */
export const NOT_SAID = 0;

export const NEW_RUN: RunView = {
  number: 0,
  phase: 'queued',
  slot: 'none',
  overLimit: false,
  parks: NO_LIST,
  waitsFor: NO_LIST,
  returned: false,
  turnWaiting: false,
  held: ZERO,
  whole: false,
  besideTurn: null,
  usage: ZERO,
  maxTurns: 0,
  timeoutMs: 0,
  idleTimeoutMs: 0,
  message: null,
  attempt: 0,
  tools: NO_LIST,
  told: null,
  stop: null,
  until: null,
};

export class Fold {
  readonly moment: Moment;
  private readonly names: Names;

  constructor(moment: Moment, names: Names) {
    this.moment = moment;
    this.names = names;
  }

  /** Takes an event that follows on those before. */
  apply(event: SubAgentEvent): void {
    const { moment } = this;
    moment.seq = event.seq;
    moment.at = event.at;
    switch (event.type) {
      case 'seeded':
      case 'admission_set':
      case 'task_cap_set':
      case 'retry_set':
      case 'pool_set':
      case 'tools_blocked':
      case 'key_dropped':
      case 'call_counted':
      case 'question_told':
        return;
      case 'definitions_known':
        this.awaitWhatIsMissing(event);
        return;
      case 'limit_set':
        moment.limits = { ...moment.limits, [event.limit]: event.value ?? Infinity };
        return;
      case 'cooldown_set':
        moment.cooldowns = { ...moment.cooldowns, [event.key]: event.until };
        return;
      case 'cooldown_over': {
        const { [event.key]: _, ...left } = moment.cooldowns;
        moment.cooldowns = left;
        return;
      }
      case 'drain_started': {
        const { drain } = moment;
        moment.drain =
          drain === null || drain.over ? { until: event.until, overran: false, over: false } : { ...drain, until: event.until };
        return;
      }
      case 'drain_overran':
        if (moment.drain !== null) moment.drain = { ...moment.drain, overran: true };
        return;
      case 'drain_ended':
        if (moment.drain !== null) moment.drain = { ...moment.drain, over: true };
        return;
      case 'reopened':
        moment.drain = null;
        moment.reopened += 1;
        this.awaitNoNotices();
        return;
      case 'session_opened':
        this.opened(event.name);
        return;
      case 'ends_collected':
        for (const id of event.tasks) this.collect(id);
        return;
      case 'task_admitted':
        this.admitted(event);
        return;
      default:
        this.about(event);
    }
  }

  /** Events about one node that is known. */
  private about(event: Exclude<SubAgentEvent, { type: Handled }>): void {
    const { moment } = this;
    const index = this.names.about(event, moment);
    if (index === undefined || moment.read(index) === undefined) return;
    // A notice may outlive what it tells of.
    if (event.type === 'notice_moved') {
      this.noticeMoved(index, event);
      return;
    }
    const node = moment.write(index);
    if ('run' in event) sayWhich(node, event.run);
    switch (event.type) {
      case 'cap_set':
        node.cap = capOf(event.cap);
        return;
      case 'main_agent_set':
        node.spec = { ...node.spec, tools: event.tools, modelId: event.modelId } as NodeView['spec'];
        return;
      case 'reserve_changed':
        this.hold(index, { ...ZERO, tokens: node.reserve }, { ...ZERO, tokens: event.tokens });
        node.reserve = event.tokens;
        return;
      case 'message_queued':
        node.updatedAt = event.at;
        this.queueMessage(node, event.place, event.text);
        return;
      case 'messages_dropped':
        this.dropMessages(node, event.count);
        return;
      case 'queue_held':
        node.queueHeld = event.held;
        return;
      case 'run_queued':
        this.runQueued(node, event.run, event.message, event.waitingFor);
        return;
      case 'run_raised':
        return;
      case 'run_started':
        this.started(node, event);
        return;
      case 'turn_started':
        this.turnStarted(node, event);
        return;
      case 'turn_delayed':
        this.changeRun(node, event.run, (run) => {
          const { besideTurn } = run;
          const held = besideTurn === null ? run.held : least(run.held, besideTurn);
          this.hold(index, run.held, held);
          return { ...run, held, besideTurn: null, turnWaiting: true };
        });
        this.gaveBack(node, event);
        return;
      case 'run_reported':
        this.reported(node, event);
        return;
      case 'wrap_up_told':
        this.changeRun(node, event.run, (run) => ({ ...run, told: event.reason, until: event.until ?? run.until, turnWaiting: false }));
        return;
      case 'run_parked':
        this.parked(node, event.run, event.why, event.waitsFor);
        return;
      case 'run_unparked':
        this.changeRun(node, event.run, (run) => ({
          ...run,
          parks: run.parks.filter((why) => why !== event.why),
          ...(event.why === 'children' && { waitsFor: NO_LIST }),
        }));
        return;
      case 'run_reentered':
        this.reentered(node, event);
        return;
      case 'stop_requested':
        this.changeRun(node, event.run, (run) => ({
          ...run,
          stop: { reason: event.reason, status: event.status },
          until: event.until ?? Infinity,
          turnWaiting: false,
        }));
        return;
      case 'run_ended':
        this.ended(node, event);
        return;
      case 'run_retried':
        this.retried(node, event);
        return;
      case 'retry_due':
        this.changeRun(node, event.run, (run) => ({ ...run, phase: 'queued', until: null }));
        return;
      case 'checkpoint_saved':
        node.checkpoint = event.data;
        return;
      case 'host_returned':
        this.hostReturned(node, event);
        return;
      case 'host_abandoned':
        this.settle(node, event.run, { usage: event.usage, held: ZERO, whole: false, loans: null });
        this.changeRun(node, event.run, (run) => {
          this.giveUpSlot(run);
          moment.abandoned += 1;
          return { ...run, slot: 'none', phase: 'abandoned' };
        });
        return;
      case 'run_elsewhere':
        node.hostTaskId = event.hostTaskId ?? node.hostTaskId;
        return;
      case 'run_returned':
        this.returned(node, event);
        return;
      case 'cancel_requested':
        if (!event.interrupt) node.cancelling = true;
        if (event.close) node.closing = true;
        return;
      case 'cancel_settled':
        node.cancelling = false;
        node.closing = false;
        return;
      case 'task_ended':
        node.stopReason = event.reason;
        if (node.runs === 0 && (node.status === 'idle' || node.status === 'pending')) node.endedAt = event.at;
        this.setStatus(node, event.status);
        return;
      case 'task_resumed':
        this.setStatus(node, 'idle');
        return;
      case 'task_forgotten':
        moment.counts[node.status] -= 1;
        node.forgotten = true;
        return;
      case 'task_backgrounded':
        node.background = true;
        return;
      case 'question_asked':
        node.question = event.question;
        node.questionUntil = event.until;
        node.updatedAt = event.at;
        return;
      case 'question_closed':
        closeQuestion(node, event.at);
        return;
      case 'policy_answered':
        if (event.until !== null)
          this.changeRun(node, event.run, (run) => ({ ...run, told: event.reason, until: event.until, turnWaiting: false }));
        return;
      case 'todos_reported':
        node.todos = event.todos;
        return;
      case 'tool_began':
        this.changeRun(node, event.run, (run) => ({ ...run, tools: [...run.tools, event.tool] }));
        return;
      case 'tool_ended':
        if (event.steers > 0) node.steers = NO_LIST;
        this.changeRun(node, event.run, (run) => (run.tools.length === 0 ? run : { ...run, tools: run.tools.slice(0, -1) }));
        return;
      case 'main_ended':
        node.turn = 0;
        return;
      case 'result_released':
        Object.assign(node, { output: '', artifacts: null, value: null, lateResult: null, progress: null, released: true });
        node.updatedAt = event.at;
        return;
      case 'session_registered':
        node.queuedFor = null;
        return;
      case 'session_closed':
        node.status = 'closed';
        return;
      case 'session_freed':
        node.forgotten = true;
        return;
      default:
        event satisfies never;
    }
  }

  private opened(key: string): void {
    const { moment } = this;
    const node = moment.write(moment.nodes.length);
    Object.assign(node, { kind: 'session', parent: 0, sessionKey: key, label: key, createdAt: moment.at });
    this.names.addSession(key, node.index);
  }

  private admitted(event: Extract<SubAgentEvent, { type: 'task_admitted' }>): void {
    const { moment } = this;
    if (event.taskId === null) return;
    const above = this.names.about({ taskId: event.parentId, sessionKey: event.sessionKey ?? null }, moment) ?? 0;
    const node = moment.write(moment.nodes.length);
    this.names.addTask(event.taskId, node.index);
    node.id = event.taskId;
    node.parent = above;
    node.parentId = event.parentId;
    node.sessionKey = event.sessionKey ?? null;
    node.depth = (moment.read(above)?.depth ?? 0) + 1;
    node.label = event.label ?? event.spec?.label ?? event.text;
    node.metadata = event.metadata;
    node.instructions = event.text;
    node.spec = event.spec;
    node.background = event.background;
    node.manual = event.manual;
    node.byModel = event.byModel;
    node.cap = capOf(event.cap);
    node.createdAt = event.at;
    node.updatedAt = event.at;
    node.status = event.manual ? 'pending' : 'idle';
    moment.counts[node.status] += 1;
    if (event.first !== null) this.runQueued(node, 1, null, event.first.waitingFor);
  }

  private runQueued(node: NodeRecord, number: number, message: string | null, waitingFor: NodeView['queuedFor']): void {
    this.moment.queued += 1;
    node.run = { ...NEW_RUN, number, message };
    this.waitFor(node, waitingFor);
    node.undelivered = node.undelivered.slice(-KEPT_UNDELIVERED);
    if (message !== null && node.messages.length > 0) {
      node.messages = node.messages.slice(1);
      const { interrupting, missed } = node.ahead;
      node.ahead = interrupting > 0 ? { interrupting: interrupting - 1, missed } : { interrupting, missed: Math.max(0, missed - 1) };
    }
    this.beginAnew(node, number);
    this.setStatus(node, 'pending');
    this.setClock(node, 'queued');
  }

  /** A definition that is missing is missing for as long as the process lasts. */
  private waitFor(node: NodeRecord, why: NodeView['queuedFor']): void {
    if (node.queuedFor !== 'definition') node.queuedFor = why;
  }

  /** A process that went on has these definitions: work of others waits, and that of each session until it is registered. */
  private awaitWhatIsMissing({ agents, profiles }: Extract<SubAgentEvent, { type: 'definitions_known' }>): void {
    const { moment } = this;
    for (let index = 1; index < moment.nodes.length; index += 1) {
      const node = moment.read(index);
      if (node === undefined || node.forgotten || node.status === 'closed') continue;
      const { sourceAgentId = null, profile = null } = node.spec ?? {};
      const isMissing = (sourceAgentId !== null && !agents.includes(sourceAgentId)) || (profile !== null && !profiles.includes(profile));
      if (node.kind === 'session') moment.write(index).queuedFor = 'session';
      else if (isMissing || node.queuedFor === 'definition') moment.write(index).queuedFor = isMissing ? 'definition' : null;
    }
  }

  /** A run is ahead of which nothing is known yet. */
  private beginAnew(node: NodeRecord, number: number): void {
    node.runs = number;
    node.usage = ZERO;
    node.unknown = NO_LIST;
    node.invalid = NO_LIST;
    node.turn = 0;
    node.startedAt = null;
    node.collected = false;
    node.progress = null;
    node.contextTokens = null;
    node.todos = null;
    node.checkpoint = null;
  }

  private started(node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_started' }>): void {
    const { moment } = this;
    this.changeRun(node, event.run, (run) => {
      moment.queued -= 1;
      moment.active += 1;
      return {
        ...run,
        phase: 'open',
        slot: 'held',
        maxTurns: event.maxTurns ?? Infinity,
        timeoutMs: event.timeoutMs ?? Infinity,
        idleTimeoutMs: event.idleTimeoutMs ?? Infinity,
      };
    });
    node.startedAt = event.at;
    this.setStatus(node, 'running');
    this.setClock(node, 'working');
    if (!isZero(event.hold)) this.settle(node, event.run, { usage: ZERO, held: event.hold, whole: true, loans: event.loans });
  }

  private turnStarted(node: NodeRecord, event: Extract<SubAgentEvent, { type: 'turn_started' }>): void {
    if (event.run === 0) {
      node.turn = event.turn;
      return;
    }
    if (event.steers > 0) node.steers = NO_LIST;
    const run = runOf(node, event.run);
    if (run !== undefined) {
      const usage = plus(run.usage, { ...ZERO, turns: 1 });
      this.settle(node, event.run, { usage, held: event.hold, whole: false, loans: event.loans });
      this.changeRun(node, event.run, (it) => ({
        ...it,
        told: event.told ?? it.told,
        besideTurn: null,
        turnWaiting: false,
        tools: NO_LIST,
      }));
      node.turn = event.turn;
    }
    node.updatedAt = event.at;
  }

  private reported(node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_reported' }>): void {
    const run = runOf(node, event.run);
    if (run !== undefined) this.settle(node, event.run, { usage: event.usage, held: event.hold, whole: run.whole, loans: event.loans });
    if (event.contextTokens === null && event.message === null) return;
    node.updatedAt = event.at;
    node.contextTokens = event.contextTokens ?? node.contextTokens;
    node.progress = event.message ?? node.progress;
  }

  private parked(node: NodeRecord, number: number, why: ParkReason, waitsFor: readonly (string | null)[]): void {
    const { moment } = this;
    this.changeRun(node, number, (run) => {
      if (run.slot === 'held') {
        moment.active -= 1;
        moment.parked += 1;
      }
      const others = run.parks.filter((each) => each !== why && (why === 'reentry' || each !== 'reentry'));
      return {
        ...run,
        slot: run.slot === 'held' ? 'parked' : run.slot,
        parks: PARK_ORDER.filter((each) => each === why || others.includes(each)),
        waitsFor: why === 'children' ? waitsFor.filter((id) => id !== null) : run.waitsFor,
      };
    });
    this.setClock(node, 'parked');
  }

  private reentered(node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_reentered' }>): void {
    const { moment } = this;
    const before = runOf(node, event.run);
    if (event.setsAside && before !== undefined) {
      const besideTurn = before.whole ? ZERO : before.held;
      this.settle(node, event.run, { usage: before.usage, held: event.hold, whole: false, loans: event.loans });
      this.changeRun(node, event.run, (run) => ({ ...run, besideTurn }));
    }
    this.changeRun(node, event.run, (run) => {
      moment.parked -= 1;
      moment.active += 1;
      const parks = run.parks.filter((why) => why !== 'reentry');
      return { ...run, slot: 'held', overLimit: event.overLimit, parks, turnWaiting: false };
    });
    this.setClock(node, 'working');
  }

  private ended(node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_ended' }>): void {
    const { moment } = this;
    const run = runOf(node, event.run);
    this.endTalk(node);
    if (event.unheard !== null && run !== undefined) unheard(node, run.message ?? node.instructions, event.unheard);
    if (!event.hostOpen) this.settle(node, event.run, { usage: event.usage, held: ZERO, whole: false, loans: event.loans });
    const last = runOf(node, event.run);
    if (last !== undefined && last === node.run) {
      if (last.phase === 'queued' || last.phase === 'backoff') moment.queued -= 1;
      else moment.runsEnded += 1;
      node.run = null;
      if (event.hostOpen) {
        if (last.slot === 'parked') moment.parked -= 1;
        const slot = last.slot === 'parked' ? 'none' : last.slot;
        node.lingering = [{ ...last, phase: 'lingering', slot, parks: NO_LIST, until: event.abandonAt ?? Infinity }, ...node.lingering];
      } else this.giveUpSlot(last);
    }
    node.unknown = event.unknown;
    node.invalid = event.invalid;
    node.stopReason = event.reason;
    node.partial = event.partial;
    node.truncated = event.cut;
    node.collected = event.collected;
    node.endedAt = event.at;
    node.output = event.output;
    node.error = event.error;
    node.hostStatus = event.hostStatus;
    node.hostTaskId = event.hostTaskId ?? node.hostTaskId;
    node.artifacts = event.artifacts;
    node.value = event.value;
    node.durationMs = event.durationMs;
    node.released = false;
    node.checkpoint = null;
    this.setStatus(node, event.status);
    this.setClock(node, null);
    const { notice } = event;
    if (notice?.acked === true) node.collected = true;
    else if (notice !== null && node.id !== null) {
      const index = moment.notices.length;
      const made: NoticeView = {
        index,
        taskId: node.id,
        run: event.run,
        label: node.label,
        to: notice.to,
        sessionKey: node.sessionKey,
        reroutedFrom: notice.reroutedFrom,
        delivery: notice.awaited ? 'awaited' : 'pending',
        attempt: 0,
        until: null,
        status: event.status,
        reason: event.reason,
        endedAt: event.at,
      };
      moment.notices.set(index, made);
      node.notices = [...node.notices, index];
    }
  }

  private retried(node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_retried' }>): void {
    const { moment } = this;
    this.endTalk(node);
    this.settle(node, event.run, { usage: event.usage, held: ZERO, whole: false, loans: event.loans });
    const run = runOf(node, event.run);
    if (run === undefined) return;
    this.giveUpSlot(run);
    moment.queued += 1;
    moment.runsEnded += 1;
    const { message } = run;
    const number = event.run + 1;
    node.run = { ...NEW_RUN, number, message, phase: 'backoff', attempt: event.attempt, until: event.until };
    this.beginAnew(node, number);
    this.waitFor(node, 'retry');
    this.setStatus(node, 'pending');
    this.setClock(node, 'queued');
  }

  private hostReturned(node: NodeRecord, event: Extract<SubAgentEvent, { type: 'host_returned' }>): void {
    if (event.usage !== null) this.settle(node, event.run, { usage: event.usage, held: ZERO, whole: false, loans: event.loans });
    if (node.runs === event.run) {
      node.unknown = event.unknown;
      node.invalid = event.invalid;
    }
    const run = node.lingering.find(({ number }) => number === event.run);
    if (run !== undefined) {
      node.lingering = node.lingering.filter((each) => each !== run);
      this.giveUpSlot(run);
      if (run.phase === 'abandoned') this.moment.abandoned -= 1;
    }
    node.lateResult = event.lateResult ?? node.lateResult;
  }

  private returned(node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_returned' }>): void {
    this.endTalk(node);
    this.settle(node, event.run, { usage: event.usage, held: ZERO, whole: false, loans: event.loans });
    node.unknown = event.unknown;
    node.invalid = event.invalid;
    this.changeRun(node, event.run, (run) => ({ ...run, parks: NO_LIST, returned: true, turnWaiting: false }));
    this.parked(node, event.run, 'children', NO_LIST);
  }

  private collect(id: string | null): void {
    const index = this.names.task(id);
    if (index !== undefined && this.moment.read(index) !== undefined) this.moment.write(index).collected = true;
  }

  // Money: see `src/state/holds.rs` for the order.

  private settle(node: NodeRecord, number: number, settled: Settled): void {
    const { usage, held, whole, loans } = settled;
    if (loans !== null) for (const loan of loans.lent) this.lend(loan, minus);
    const run = runOf(node, number);
    const booked = run?.usage ?? (node.runs === number ? node.usage : undefined);
    if (booked !== undefined) {
      const amount = minus(usage, booked);
      if (!isZero(amount)) {
        this.spend(node.index, amount);
        node.own = plus(node.own, amount);
        if (node.runs === number) node.usage = plus(node.usage, amount);
        node.updatedAt = this.moment.at;
      }
    }
    if (run !== undefined) {
      this.hold(node.index, run.held, held);
      const most = booked === undefined ? usage : plus(booked, minus(usage, booked));
      this.changeRun(node, number, (it) => ({ ...it, held, whole, usage: most }));
    }
    if (loans !== null) for (const loan of loans.returned) this.lend(loan, plus);
  }

  /** A run whose first turn has to wait gives dollars back that were set aside for all of it. */
  private gaveBack(node: NodeRecord, { run, hold, loans }: Extract<SubAgentEvent, { type: 'turn_delayed' }>): void {
    const before = runOf(node, run);
    if (before !== undefined && hold !== null) this.settle(node, run, { usage: before.usage, held: hold, whole: true, loans });
  }

  /** A lender's hold becomes less by what it lends, more by what comes back. */
  private lend({ lender, run, amount }: EventLoan, change: (one: EventAmounts, other: EventAmounts) => EventAmounts): void {
    const index = this.names.task(lender);
    if (index === undefined || this.moment.read(index) === undefined) return;
    const node = this.moment.write(index);
    this.changeRun(node, run, (it) => {
      const held = change(it.held, amount);
      this.hold(index, it.held, held);
      return { ...it, held };
    });
  }

  private spend(index: number, amount: EventAmounts): void {
    for (let at = index; at >= 0; ) {
      const node = this.moment.write(at);
      node.spent = plus(node.spent, amount);
      at = node.parent;
    }
  }

  private hold(index: number, before: EventAmounts, after: EventAmounts): void {
    if (isSame(before, after)) return;
    for (let at = index; at >= 0; ) {
      const node = this.moment.write(at);
      node.held = plus(minus(node.held, before), after);
      at = node.parent;
    }
  }

  // Runs, slots, time.

  private changeRun(node: NodeRecord, number: number, change: (run: RunView) => RunView): void {
    if (node.run?.number === number) node.run = change(node.run);
    else if (node.lingering.length > 0) node.lingering = node.lingering.map((run) => (run.number === number ? change(run) : run));
  }

  private giveUpSlot({ slot }: RunView): void {
    if (slot === 'held') this.moment.active -= 1;
    else if (slot === 'parked') this.moment.parked -= 1;
  }

  private setStatus(node: NodeRecord, status: TaskStatus): void {
    const { counts, at } = this.moment;
    counts[node.status] -= 1;
    counts[status] += 1;
    node.status = status;
    node.updatedAt = at;
  }

  private setClock(node: NodeRecord, clock: NodeView['clock']): void {
    if (clock === node.clock) return;
    const { at } = this.moment;
    const passed = at - node.clockSince;
    if (node.clock === 'queued') node.queuedMs += passed;
    else if (node.clock === 'parked') node.parkedMs += passed;
    else if (node.clock === 'working') {
      node.workingMs += passed;
      this.countWorking(node.index, passed, -1, -node.clockSince);
    }
    if (clock === 'working') this.countWorking(node.index, 0, 1, at);
    node.clock = clock;
    node.clockSince = at;
  }

  private countWorking(index: number, ms: number, one: number, since: number): void {
    for (let at = index; at >= 0; ) {
      const node = this.moment.write(at);
      node.subtreeMs += ms;
      node.subtreeWorking += one;
      node.subtreeSince += since;
      at = node.parent;
    }
  }

  // Messages: see `src/state/talk.rs` for the order.

  private queueMessage(node: NodeRecord, place: 'queue' | 'steer' | 'missed' | 'interrupt', text: string): void {
    const { interrupting, missed } = node.ahead;
    if (place === 'queue') node.messages = [...node.messages, text];
    else if (place === 'steer') node.steers = [...node.steers, text];
    else if (place === 'missed') {
      node.messages = insertAt(node.messages, interrupting + missed, text);
      node.ahead = { interrupting, missed: missed + 1 };
    } else {
      node.messages = insertAt(node.messages, interrupting, text);
      node.ahead = { interrupting: interrupting + 1, missed };
    }
  }

  private dropMessages(node: NodeRecord, count: number): void {
    missSteers(node);
    const left = Math.max(0, node.messages.length - count);
    node.undelivered = [...node.undelivered, ...node.messages.slice(left)];
    node.messages = node.messages.slice(0, left);
    const interrupting = Math.min(node.ahead.interrupting, left);
    node.ahead = left === 0 ? NOT_AHEAD : { interrupting, missed: Math.min(node.ahead.missed, left - interrupting) };
    node.queueHeld = node.queueHeld && left > 0;
  }

  /** A run is over: its question stays without an answer, and what was to steer it goes ahead of the queue. */
  private endTalk(node: NodeRecord): void {
    if (node.question !== null) closeQuestion(node, this.moment.at);
    missSteers(node);
  }

  // Notices.

  private noticeMoved(index: number, event: Extract<SubAgentEvent, { type: 'notice_moved' }>): void {
    const { moment } = this;
    const node = moment.write(index);
    const at = node.notices.find((each) => moment.notice(each)?.run === event.run);
    const notice = at === undefined ? undefined : moment.notice(at);
    if (at === undefined || notice === undefined) return;
    if (event.delivery === 'acked') {
      moment.notices.set(at, undefined);
      node.notices = node.notices.filter((each) => each !== at);
      if (node.runs === event.run && node.run === null) node.collected = true;
      return;
    }
    const { delivery, to, attempt, until } = event;
    const reroutedFrom = to === notice.to ? notice.reroutedFrom : (notice.reroutedFrom ?? notice.to);
    moment.notices.set(at, { ...notice, delivery, to, attempt, until, reroutedFrom });
    if (node.runs === event.run && node.run === null) node.collected = delivery === 'leased' || delivery === 'awaited';
  }

  private awaitNoNotices(): void {
    const { moment } = this;
    for (let at = 0; at < moment.notices.length; at += 1) {
      const notice = moment.notice(at);
      if (notice?.delivery !== 'awaited') continue;
      moment.notices.set(at, { ...notice, delivery: 'pending' });
      const index = this.names.task(notice.taskId);
      const node = index === undefined ? undefined : moment.read(index);
      if (node !== undefined && node.runs === notice.run && node.run === null) moment.write(node.index).collected = false;
    }
  }
}

/** Events that are about no node, or make one. */
type Handled =
  | 'seeded'
  | 'admission_set'
  | 'task_cap_set'
  | 'retry_set'
  | 'pool_set'
  | 'tools_blocked'
  | 'key_dropped'
  | 'call_counted'
  | 'question_told'
  | 'definitions_known'
  | 'limit_set'
  | 'cooldown_set'
  | 'cooldown_over'
  | 'drain_started'
  | 'drain_overran'
  | 'drain_ended'
  | 'reopened'
  | 'session_opened'
  | 'ends_collected'
  | 'task_admitted';

/** What an event says of a run's money. */
interface Settled {
  /** What the run has used in all. */
  readonly usage: EventAmounts;
  /** What is set aside for it from then on, and whether that is for the whole run. */
  readonly held: EventAmounts;
  readonly whole: boolean;
  readonly loans: EventLoans | null;
}

/** A run by number: the queued or open one, or one whose host function is still running. */
function runOf(node: NodeRecord, number: number): RunView | undefined {
  return node.run?.number === number ? node.run : node.lingering.find((run) => run.number === number);
}

/** An event about a run of before says which one it is that a base has told of. */
function sayWhich(node: NodeRecord, number: number): void {
  if (number === NOT_SAID || number >= node.runs || node.lingering.every((run) => run.number !== NOT_SAID)) return;
  node.lingering = node.lingering.map((run) => (run.number === NOT_SAID ? { ...run, number } : run));
}

function closeQuestion(node: NodeRecord, at: number): void {
  node.question = null;
  node.questionUntil = null;
  node.updatedAt = at;
}

function missSteers(node: NodeRecord): void {
  for (const text of node.steers) {
    const { interrupting, missed } = node.ahead;
    node.messages = insertAt(node.messages, interrupting + missed, text);
    node.ahead = { interrupting, missed: missed + 1 };
  }
  if (node.steers.length > 0) node.steers = NO_LIST;
}

/** A queued run ended, so its message was not heard: it waits again, or will never be delivered. */
function unheard(node: NodeRecord, text: string, again: boolean): void {
  const { interrupting, missed } = node.ahead;
  if (!again) {
    node.undelivered = [...node.undelivered, text];
    return;
  }
  node.messages = insertAt(node.messages, interrupting, text);
  node.ahead = { interrupting, missed: missed + 1 };
}

function insertAt(list: readonly string[], at: number, text: string): readonly string[] {
  return [...list.slice(0, at), text, ...list.slice(at)];
}
