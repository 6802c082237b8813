// The runs of a node: queued, parked, ended, retried. Owns how the start and the end of a run change its node.

import type { SubAgentEvent } from '../generated/facts.js';
import type { ParkReason } from '../generated/names.js';
import { NO_KINDS } from '../generated/tokens.js';
import { ZERO } from './amounts.js';
import { noteRun } from './costs.js';
import { book, changeRun, giveUpSlot, setClock, setStatus } from './ledger.js';
import { type Moment, runOf } from './moment.js';
import { NO_LIST, type NodeRecord } from './node-record.js';
import { makeNotice } from './notices.js';
import type { NodeView, RunView } from './record.js';
import { endTalk, messageUndelivered, takeMessage } from './talk.js';

/** How many undelivered messages are retained when a run is queued. */
const KEPT_UNDELIVERED = 100;
const PARK_ORDER: readonly ParkReason[] = ['children', 'input', 'approval', 'cooldown', 'reentry', 'rate'];

export const NEW_RUN: RunView = {
  number: 0,
  phase: 'queued',
  slot: 'none',
  overLimit: false,
  parks: NO_LIST,
  waitsFor: NO_LIST,
  returned: false,
  turnWaiting: false,
  reserved: ZERO,
  whole: false,
  besideTurn: null,
  usage: ZERO,
  maxTurns: 0,
  timeoutMs: 0,
  idleTimeoutMs: 0,
  message: null,
  attempt: 0,
  tools: NO_LIST,
  wrapUpReason: null,
  stop: null,
  until: null,
};

export function queueRun(
  moment: Moment,
  node: NodeRecord,
  number: number,
  message: string | null,
  why: NodeView['queuedFor'],
  again = false,
): void {
  if (message !== null && !again) takeMessage(node);
  if (node.undelivered.length > KEPT_UNDELIVERED) node.undelivered = node.undelivered.slice(-KEPT_UNDELIVERED);
  begin(moment, node, { ...NEW_RUN, number, message }, why);
}

export function retryRun(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_retried' }>): void {
  endTalk(node, event.at);
  book(moment, node, event.run, event.usage, ZERO, event.loans);
  const run = runOf(node, event.run);
  if (run === undefined) return;
  giveUpSlot(moment, run);
  moment.runsEnded += 1;
  noteRun(moment, node, event.run);
  const { message } = run;
  const { attempt, until } = event;
  begin(moment, node, { ...NEW_RUN, number: event.run + 1, message, phase: 'backoff', attempt, until }, 'retry');
}

/** The time of an attempt has come. */
export function attemptDue(node: NodeRecord, why: NodeView['queuedFor']): void {
  changeRun(node, node.runs, { phase: 'queued', until: null });
  queueFor(node, why);
}

/** Clears the data of the last run: a new one follows. */
function begin(moment: Moment, node: NodeRecord, run: RunView, why: NodeView['queuedFor']): void {
  moment.queued += 1;
  node.run = run;
  queueFor(node, why);
  node.runs = run.number;
  // Runs that are over are no longer listed separately.
  if (node.runs > 1) node.used = Object.fromEntries(node.lingering.map(({ number }) => [number, node.used[number]]));
  node.usage = ZERO;
  node.kinds = NO_KINDS;
  node.unknown = NO_LIST;
  node.invalid = NO_LIST;
  node.turn = 0;
  node.startedAt = null;
  node.collected = false;
  node.progress = null;
  node.contextTokens = null;
  node.todos = null;
  node.checkpoint = null;
  setStatus(moment, node, 'pending');
  setClock(moment, node, 'queued');
}

/** Records the reason why a run waits. */
export function queueFor(node: NodeRecord, why: NodeView['queuedFor']): void {
  // A missing definition stays missing while the process lasts.
  if (node.queuedFor !== 'definition') node.queuedFor = why;
}

export function park(moment: Moment, node: NodeRecord, number: number, why: ParkReason, waitsFor: readonly (string | null)[]): void {
  const run = runOf(node, number);
  if (run !== undefined) {
    if (run.slot === 'taken') {
      moment.active -= 1;
      moment.parked += 1;
      run.slot = 'parked';
    }
    const { parks } = run;
    run.parks = PARK_ORDER.filter((each) => each === why || ((why === 'reentry' || each !== 'reentry') && parks.includes(each)));
    if (why === 'children') run.waitsFor = waitsFor.filter((id) => id !== null);
  }
  setClock(moment, node, 'parked');
}

/** The reason of a park is over; `next` is the new reason. */
export function unpark(moment: Moment, node: NodeRecord, number: number, why: ParkReason, next: ParkReason | null): void {
  const run = runOf(node, number);
  if (run !== undefined) {
    run.parks = run.parks.filter((each) => each !== why);
    if (why === 'children') run.waitsFor = NO_LIST;
  }
  if (next !== null) park(moment, node, number, next, NO_LIST);
}

export function endRun(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_ended' }>): void {
  const run = runOf(node, event.run);
  endTalk(node, event.at);
  if (event.messageRequeued !== null && run !== undefined)
    messageUndelivered(node, run.message ?? node.instructions, event.messageRequeued);
  if (!event.hostOpen) book(moment, node, event.run, event.usage, ZERO, event.loans);
  const last = node.run;
  if (last?.number === event.run) {
    if (last.phase === 'queued' || last.phase === 'backoff') moment.queued -= 1;
    else {
      moment.runsEnded += 1;
      noteRun(moment, node, event.run);
    }
    node.run = null;
    if (!event.hostOpen) giveUpSlot(moment, last);
    else {
      if (last.slot === 'parked') moment.parked -= 1;
      const slot = last.slot === 'parked' ? 'none' : last.slot;
      node.lingering = [{ ...last, phase: 'lingering', slot, parks: NO_LIST, until: event.abandonAt ?? Infinity }, ...node.lingering];
    }
  }
  node.unknown = event.unknown;
  node.invalid = event.invalid;
  node.stopReason = event.stopReason;
  node.partial = event.partial;
  node.truncated = event.cut;
  node.collected = event.collected;
  node.endedAt = event.at;
  const { hostTaskId } = node;
  node.leave(event);
  node.hostTaskId ??= hostTaskId;
  node.released = false;
  node.checkpoint = null;
  setStatus(moment, node, event.status);
  setClock(moment, node, null);
  makeNotice(moment, node, event);
}
