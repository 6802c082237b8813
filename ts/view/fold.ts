// The fold. Owns what each event changes: one arm for each, and no decision. It says again, in plain TypeScript, what
// `src/state/apply.rs` says of the facts, as far as a reader can see it. An event about what is not known changes
// nothing but the number of the last event, so that a list which begins in the middle can be read.

import type { SubAgentEvent } from '../generated/facts.js';
import { capOf, isZero, least, plus, plusKinds, ZERO } from './amounts.js';
import { forgetMain, tokensUsed } from './costs.js';
import { book, changeRun, giveUpSlot, setClock, setReserved, setStatus } from './ledger.js';
import { type Moment, NO_LIST, type NodeRecord, runOf } from './moment.js';
import type { Naming } from './names.js';
import { awaitNoNotices, collect, noticeMoved } from './notices.js';
import type { NodeView } from './record.js';
import { attemptDue, endRun, park, queueFor, queueRun, retryRun, unpark } from './runs.js';
import { eachEntry } from './table.js';
import { closeQuestion, deliverSteers, dropMessages, endTalk, queueMessage, steerAgain } from './talk.js';

/** Takes an event that follows on those before. */
export function apply(moment: Moment, event: SubAgentEvent): void {
  moment.seq = event.seq;
  moment.at = event.at;
  switch (event.type) {
    case 'definitions_known':
      awaitWhatIsMissing(moment, event);
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
    case 'stood_still':
      stoodStill(moment, event.ms);
      return;
    case 'drain_started':
      moment.drain = { ...(moment.drain?.over === false ? moment.drain : { overran: false, over: false }), until: event.until };
      return;
    case 'drain_overran':
    case 'drain_ended':
      if (moment.drain !== null) moment.drain = { ...moment.drain, [event.type === 'drain_ended' ? 'over' : 'overran']: true };
      return;
    case 'reopened':
      moment.drain = null;
      moment.reopened += 1;
      awaitNoNotices(moment);
      return;
    case 'session_opened':
      moment.addSession(event.name).createdAt = event.at;
      return;
    case 'ends_collected':
      for (const id of event.tasks) collect(moment, id);
      return;
    case 'task_admitted':
      admitted(moment, event);
      return;
    default: {
      const index = moment.names.about(event as Naming, moment);
      if (index === undefined || moment.read(index) === undefined) return;
      const node = moment.write(index);
      change(moment, node, event);
      moment.look(node);
    }
  }
}

/** An event about one node that is known. */
function change(moment: Moment, node: NodeRecord, event: Exclude<SubAgentEvent, { type: Handled }>): void {
  switch (event.type) {
    case 'cap_set':
      node.cap = capOf(event.cap);
      return;
    case 'main_agent_set':
      node.spec = { ...node.spec, tools: event.tools, modelId: event.modelId } as NodeView['spec'];
      return;
    case 'message_queued':
      node.updatedAt = event.at;
      queueMessage(node, event.place, event.text);
      return;
    case 'steers_again':
      steerAgain(node, event.texts, event.missed);
      return;
    case 'messages_dropped':
      dropMessages(node, event.count);
      return;
    case 'queue_paused':
      node.queuePaused = event.paused;
      return;
    case 'run_queued':
      if (node.run?.number === event.run) attemptDue(node, event.waitingFor);
      else queueRun(moment, node, event.run, event.message, event.waitingFor, event.again);
      return;
    case 'run_started':
      started(moment, node, event);
      return;
    case 'turn_started':
      turnStarted(moment, node, event);
      return;
    case 'turn_delayed':
      turnDelayed(moment, node, event);
      return;
    case 'run_reported':
      // The main agent of a session has no run.
      if (event.run === 0 || runOf(node, event.run) !== undefined) book(moment, node, event.run, event);
      if (node.runs === event.run && node.lingering.some(({ number }) => number === event.run)) reportedLate(node, event);
      if (event.contextTokens === null && event.message === null) return;
      node.updatedAt = event.at;
      node.contextTokens = event.contextTokens ?? node.contextTokens;
      node.progress = event.message ?? node.progress;
      return;
    case 'tokens_used':
      tokensUsed(moment, node, event);
      if (node.runs === event.run && node.index > 0) node.kinds = plusKinds(node.kinds, event.kinds);
      moment.write(0).kinds = plusKinds(moment.write(0).kinds, event.kinds);
      return;
    case 'wrap_up_requested':
    case 'policy_answered': {
      const until = event.until ?? runOf(node, event.run)?.until ?? null;
      if (event.type === 'wrap_up_requested' || event.until !== null)
        changeRun(node, event.run, { wrapUpReason: event.stopReason, until, turnWaiting: false });
      return;
    }
    case 'run_parked':
      park(moment, node, event.run, event.why, event.waitsFor);
      return;
    case 'run_unparked':
      unpark(moment, node, event.run, event.why, event.parks);
      return;
    case 'run_reentered':
      reentered(moment, node, event);
      return;
    case 'stop_requested': {
      const { stopReason: reason, status } = event;
      changeRun(node, event.run, { stop: { reason, status }, until: event.until ?? Infinity, turnWaiting: false });
      return;
    }
    case 'run_ended':
      endRun(moment, node, event);
      return;
    case 'run_retried':
      retryRun(moment, node, event);
      return;
    case 'checkpoint_saved':
      node.checkpoint = event.data;
      return;
    case 'data_saved':
      node.saved = event.data;
      return;
    case 'resource_acquired':
      node.acquired = event.data;
      return;
    case 'host_returned':
      hostReturned(moment, node, event);
      return;
    case 'host_abandoned': {
      const run = runOf(node, event.run);
      if (run !== undefined) {
        giveUpSlot(moment, run);
        moment.abandoned += 1;
      }
      book(
        moment,
        node,
        event.run,
        { usage: event.usage, reserved: ZERO, loans: null },
        { whole: false, slot: 'none', phase: 'abandoned' },
      );
      return;
    }
    case 'run_elsewhere':
      node.hostTaskId = event.hostTaskId ?? node.hostTaskId;
      return;
    case 'run_returned':
      endTalk(node, event.at);
      node.unknown = event.unknown;
      node.invalid = event.invalid;
      book(
        moment,
        node,
        event.run,
        { usage: event.usage, reserved: ZERO, loans: event.loans },
        { whole: false, parks: NO_LIST, returned: true, turnWaiting: false },
      );
      park(moment, node, event.run, 'children', NO_LIST);
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
      node.stopReason = event.stopReason;
      if (node.runs === 0 && (node.status === 'idle' || node.status === 'pending')) node.endedAt = event.at;
      setStatus(moment, node, event.status);
      return;
    case 'task_resumed':
      setStatus(moment, node, 'idle');
      return;
    case 'task_forgotten':
    case 'session_freed':
      if (node.kind === 'task') moment.counts[node.status] -= 1;
      // Host functions that were given up go with it.
      moment.abandoned -= node.lingering.length;
      node.lingering = [];
      moment.forget(node);
      return;
    case 'task_backgrounded':
      node.background = true;
      return;
    case 'question_asked':
      node.question = event.question;
      node.questionUntil = event.until;
      node.updatedAt = event.at;
      park(moment, node, event.run, 'input', NO_LIST);
      return;
    case 'question_closed':
      closeQuestion(node, event.at);
      unpark(moment, node, event.run, 'input', event.parks);
      return;
    case 'todos_reported':
      node.todos = event.todos;
      return;
    case 'tool_began':
      changeRun(node, event.run, { tools: [...(runOf(node, event.run)?.tools ?? []), event.tool] });
      return;
    case 'tool_ended':
      if (event.steers > 0) deliverSteers(node);
      changeRun(node, event.run, { tools: runOf(node, event.run)?.tools.slice(0, -1) ?? NO_LIST });
      return;
    case 'main_ended':
      node.turn = 0;
      return;
    case 'notice_moved':
      noticeMoved(moment, node, event);
      return;
    case 'result_released':
      Object.assign(node, { output: '', artifacts: null, value: null, receipts: null, lateResult: null, progress: null, released: true });
      node.updatedAt = event.at;
      return;
    case 'session_registered':
    case 'run_taken':
      queueFor(node, null);
      return;
    case 'session_closed':
      node.status = 'closed';
      forgetMain(moment, node);
      return;
    default:
      event satisfies { type: Unseen };
  }
}

function admitted(moment: Moment, event: Extract<SubAgentEvent, { type: 'task_admitted' }>): void {
  const { taskId, parentId, at, spec, text } = event;
  const { names } = moment;
  if (taskId === null) return;
  const sessionKey = event.sessionKey ?? null;
  const above = names.about({ taskId: parentId, sessionKey }, moment) ?? 0;
  const node = moment.add(moment.read(above) === undefined ? 0 : above);
  names.addTask(taskId, node.index);
  node.id = taskId;
  node.parentId = parentId;
  node.sessionKey = sessionKey;
  node.depth = (moment.read(node.parent)?.depth ?? 0) + 1;
  node.label = event.label ?? spec?.label ?? text;
  node.metadata = event.metadata;
  node.instructions = text;
  node.spec = spec;
  node.background = event.background;
  node.byModel = event.byModel;
  node.cap = capOf(event.cap);
  node.createdAt = at;
  node.updatedAt = at;
  node.status = 'idle';
  moment.counts[node.status] += 1;
  if (event.first !== null) queueRun(moment, node, 1, null, event.first.waitingFor);
  moment.look(node);
}

/**
 * A process that went on has these definitions: work that needs others waits, that of each session until it is registered, and
 * that of the program until it takes that up.
 */
function awaitWhatIsMissing(moment: Moment, { agents, profiles }: Extract<SubAgentEvent, { type: 'definitions_known' }>): void {
  eachEntry<NodeRecord>(moment.nodes, ({ index, kind, forgotten, status, spec, queuedFor }) => {
    if (index === 0 || forgotten || status === 'closed') return;
    const { agent = null, profile = null } = spec ?? {};
    const isMissing = (agent !== null && !agents.includes(agent)) || (profile !== null && !profiles.includes(profile));
    if (kind === 'session') moment.write(index).queuedFor = 'session';
    else if (isMissing || queuedFor === 'definition') moment.write(index).queuedFor = isMissing ? 'definition' : null;
    if (!isMissing && spec?.driven) moment.write(index).queuedFor = 'program';
  });
}

function started(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_started' }>): void {
  const run = runOf(node, event.run);
  if (run !== undefined) {
    moment.queued -= 1;
    moment.active += 1;
  }
  const { reserved, loans } = event;
  const change = {
    phase: 'open',
    slot: 'taken',
    maxTurns: event.maxTurns ?? Infinity,
    timeoutMs: event.timeoutMs ?? Infinity,
    idleTimeoutMs: event.idleTimeoutMs ?? Infinity,
  } as const;
  node.startedAt = event.at;
  setStatus(moment, node, 'running');
  setClock(moment, node, 'working');
  if (isZero(reserved)) changeRun(node, event.run, change);
  else book(moment, node, event.run, { usage: ZERO, reserved, loans }, { ...change, whole: true });
}

function turnStarted(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'turn_started' }>): void {
  if (event.run === 0) {
    node.turn = event.turn;
    return;
  }
  if (event.steers > 0) deliverSteers(node);
  const run = runOf(node, event.run);
  if (run !== undefined) {
    const usage = plus(run.usage, { ...ZERO, turns: 1 });
    const change = {
      whole: event.whole,
      wrapUpReason: event.wrapUpReason ?? run.wrapUpReason,
      besideTurn: null,
      turnWaiting: false,
      tools: NO_LIST,
    };
    book(moment, node, event.run, { usage, reserved: event.reserved, loans: event.loans }, change);
    node.turn = event.turn;
  }
  node.updatedAt = event.at;
}

/** A run whose turn has to wait parks; before its first one it gives dollars back that were reserved for all of it. */
function turnDelayed(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'turn_delayed' }>): void {
  const run = runOf(node, event.run);
  if (run === undefined) return;
  const { besideTurn } = run;
  const ofTurn = besideTurn === null ? run.reserved : least(run.reserved, besideTurn);
  setReserved(moment, node.index, run.reserved, ofTurn);
  changeRun(node, event.run, { reserved: ofTurn, besideTurn: null, turnWaiting: true });
  const { reserved, loans, parks } = event;
  if (reserved !== null) book(moment, node, event.run, { usage: run.usage, reserved, loans }, { whole: true });
  if (parks !== null) park(moment, node, event.run, parks, NO_LIST);
}

function reentered(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_reentered' }>): void {
  const run = runOf(node, event.run);
  if (run !== undefined) {
    moment.parked -= 1;
    moment.active += 1;
    const parks = run.parks.filter((why) => why !== 'reentry');
    const change = { slot: 'taken', overLimit: event.overLimit, parks, turnWaiting: false } as const;
    const { reserved, loans, whole } = event;
    if (reserved === null) changeRun(node, event.run, change);
    else {
      const besideTurn = whole ? null : run.whole ? ZERO : run.reserved;
      book(moment, node, event.run, { usage: run.usage, reserved, loans }, { ...change, whole, besideTurn });
    }
  }
  setClock(moment, node, 'working');
}

/** A host function that runs on after the end of its run reports: what that leaves doubtful (B7). */
function reportedLate(node: NodeRecord, { run, reported, invalid }: Extract<SubAgentEvent, { type: 'run_reported' }>): void {
  const said = [...reported, ...invalid];
  const lacks = node.used[run]?.unpriced && !invalid.includes('costUsd');
  node.unknown = node.unknown.filter((dimension) => !said.includes(dimension) || (lacks && dimension === 'costUsd'));
  node.invalid = [...node.invalid.filter((dimension) => !said.includes(dimension)), ...invalid];
}

function hostReturned(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'host_returned' }>): void {
  const { usage, loans } = event;
  if (usage !== null) book(moment, node, event.run, { usage, reserved: ZERO, loans }, { whole: false });
  if (node.runs === event.run) {
    node.unknown = event.unknown;
    node.invalid = event.invalid;
  }
  const run = node.lingering.find(({ number }) => number === event.run);
  if (run !== undefined) {
    node.lingering = node.lingering.filter((each) => each !== run);
    giveUpSlot(moment, run);
    if (run.phase === 'abandoned') moment.abandoned -= 1;
  }
  node.lateResult = event.lateResult ?? node.lateResult;
}

/** The process stood still: what was due comes so much later, but for the next attempt of a run, which goes by real time (T4). */
function stoodStill(moment: Moment, ms: number): void {
  if (moment.drain !== null) moment.drain = { ...moment.drain, until: moment.drain.until + ms };
  for (let index = 0; index < moment.nodes.length; index += 1) {
    const known = moment.read(index);
    if (!known?.run && !known?.lingering.length) continue;
    const node = moment.write(index);
    for (const run of [node.run, ...node.lingering])
      if (run?.until && run.phase !== 'backoff') changeRun(node, run.number, { until: run.until + ms });
    if (node.questionUntil) node.questionUntil += ms;
  }
  for (let index = 0; index < moment.notices.length; index += 1) {
    const notice = moment.notice(index);
    if (notice?.until) moment.notices.set(index, { ...notice, until: notice.until + ms });
  }
}

/** Events that are about no node, or make one. */
type Handled =
  | 'definitions_known'
  | 'limit_set'
  | 'cooldown_set'
  | 'cooldown_over'
  | 'drain_started'
  | 'stood_still'
  | 'drain_overran'
  | 'drain_ended'
  | 'reopened'
  | 'session_opened'
  | 'ends_collected'
  | 'task_admitted';

/** Events that change nothing which a reader sees. */
type Unseen =
  | 'seeded'
  | 'defaults_set'
  | 'tools_blocked'
  | 'key_dropped'
  | 'resource_released'
  | 'call_counted'
  | 'question_delivered'
  | 'run_raised'
  | 'prices_set'
  | 'rates_set'
  | 'rate_left';
