// The fold. Owns the change that each event makes: one arm for each, and no decision; `run-events.ts` has those of runs
// and turns. It does in TypeScript the work of `src/state/apply.rs`, for everything that a reader can see. An event
// about an unknown node changes only the number of the last event, so a list may begin in the middle.

import type { SubAgentEvent } from '../generated/facts.js';
import { capOf } from './amounts.js';
import { forgetMain } from './costs.js';
import { RELEASED } from './generated/left.js';
import { changeRun, setStatus } from './ledger.js';
import type { Moment } from './moment.js';
import type { Naming } from './names.js';
import { NO_LIST, type NodeRecord } from './node-record.js';
import { awaitNoNotices, collect, noticeMoved } from './notices.js';
import type { NodeView } from './record.js';
import { runChanged } from './run-events.js';
import { park, queueFor, queueRun, unpark } from './runs.js';
import { eachEntry } from './table.js';
import { closeQuestion, dropMessages, queueMessage, steerAgain } from './talk.js';

/**
 * Applies the next event.
 *
 * @param index the node that it is about
 */
export function apply(moment: Moment, event: SubAgentEvent, index = moment.names.about(event as Naming, moment)): void {
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
      const node = moment.read(index);
      if (node === undefined) return;
      if (event.type === 'task_forgotten' || event.type === 'session_freed') forget(moment, node);
      else change(moment, moment.write(node.index), event);
    }
  }
}

/** An event about one known node: its state, or its messages. */
function change(moment: Moment, node: NodeRecord, event: Exclude<SubAgentEvent, { type: Handled }>): void {
  switch (event.type) {
    case 'cap_set':
      node.cap = capOf(event.cap);
      return;
    case 'main_agent_set':
      node.spec = { ...node.spec, tools: event.tools, modelId: event.modelId } as NodeView['spec'];
      return;
    case 'resource_acquired':
      node.acquired = event.data;
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
    case 'task_backgrounded':
      node.background = true;
      return;
    case 'result_released':
      Object.assign(node, RELEASED, { lateResult: null, progress: null, released: true });
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
    case 'notice_moved':
      noticeMoved(moment, node, event);
      return;
    default:
      runChanged(moment, node, event);
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
  if (event.first !== null) queueRun(moment, node, 1, null, event.first.waitingFor);
}

function forget(moment: Moment, node: NodeRecord): void {
  // Its abandoned host functions no longer count.
  moment.abandoned -= node.lingering.length;
  moment.forget(node);
}

/**
 * A process continues with these definitions. Work that needs others waits. Work of a session waits until the session is
 * registered, and driven work until the program takes it up.
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

/**
 * The process stood still: deadlines move by that time. Only the next attempt of a run doesn't, since it goes by real time
 * (T4).
 */
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
  | 'task_admitted'
  | 'task_forgotten'
  | 'session_freed';
