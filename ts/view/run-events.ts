// Applies the events of a run: its phases, and its turns with their usage. Owns one arm for each; `fold.ts` finds the
// node of an event, and has the other arms.

import type { EventAmounts, SubAgentEvent } from '../generated/facts.js';
import { isZero, least, plus, plusKinds, ZERO } from './amounts.js';
import { tokensUsed } from './costs.js';
import { book, changeRun, giveUpSlot, setClock, setReserved, setStatus } from './ledger.js';
import { type Moment, runOf } from './moment.js';
import { NO_LIST, type NodeRecord } from './node-record.js';
import { attemptDue, endRun, park, queueRun, retryRun, unpark } from './runs.js';
import { deliverSteers, endTalk } from './talk.js';

/** Events of a run or of its turns, and those that change nothing. */
export type RunEvent =
  | TurnEvent
  | Extract<
      SubAgentEvent,
      {
        type:
          | 'run_queued'
          | 'run_started'
          | 'run_parked'
          | 'run_unparked'
          | 'run_reentered'
          | 'stop_requested'
          | 'run_ended'
          | 'run_retried'
          | 'run_returned'
          | 'host_returned'
          | 'host_abandoned'
          | 'run_elsewhere'
          | 'checkpoint_saved'
          | 'data_saved';
      }
    >;

type TurnEvent = Extract<
  SubAgentEvent,
  {
    type:
      | Unseen
      | 'turn_started'
      | 'turn_delayed'
      | 'run_reported'
      | 'tokens_used'
      | 'wrap_up_requested'
      | 'policy_answered'
      | 'todos_reported'
      | 'tool_began'
      | 'tool_ended'
      | 'main_ended';
  }
>;

/** Events without a change that a reader sees. */
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

const ONE_TURN: EventAmounts = { ...ZERO, turns: 1 };

/** The phases of a run, and its host function. */
export function runChanged(moment: Moment, node: NodeRecord, event: RunEvent): void {
  switch (event.type) {
    case 'run_queued':
      if (node.run?.number === event.run) attemptDue(node, event.waitingFor);
      else queueRun(moment, node, event.run, event.message, event.waitingFor, event.again);
      return;
    case 'run_started':
      started(moment, node, event);
      return;
    case 'run_parked':
      park(moment, node, event.run, event.why, event.waitsFor);
      return;
    case 'run_unparked':
      unpark(moment, node, event.run, event.why, event.parks);
      return;
    case 'run_reentered':
      reentered(moment, node, event);
      return;
    case 'stop_requested':
      changeRun(node, event.run, {
        stop: { reason: event.stopReason, status: event.status },
        until: event.until ?? Infinity,
        turnWaiting: false,
      });
      return;
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
    case 'host_returned':
      hostReturned(moment, node, event);
      return;
    case 'host_abandoned': {
      const run = runOf(node, event.run);
      if (run !== undefined) {
        giveUpSlot(moment, run);
        moment.abandoned += 1;
        run.whole = false;
        run.slot = 'none';
        run.phase = 'abandoned';
      }
      book(moment, node, event.run, event.usage, ZERO, null);
      return;
    }
    case 'run_elsewhere':
      node.hostTaskId = event.hostTaskId ?? node.hostTaskId;
      return;
    case 'run_returned':
      endTalk(node, event.at);
      node.unknown = event.unknown;
      node.invalid = event.invalid;
      changeRun(node, event.run, { whole: false, parks: NO_LIST, returned: true, turnWaiting: false });
      book(moment, node, event.run, event.usage, ZERO, event.loans);
      park(moment, node, event.run, 'children', NO_LIST);
      return;
    default:
      turnChanged(moment, node, event);
  }
}

/** The work of a run or of a main agent: turns, usage, tools, answers of policies. */
function turnChanged(moment: Moment, node: NodeRecord, event: TurnEvent): void {
  switch (event.type) {
    case 'turn_started':
      turnStarted(moment, node, event);
      return;
    case 'turn_delayed':
      turnDelayed(moment, node, event);
      return;
    case 'run_reported':
      // The main agent of a session has no run.
      if (event.run === 0 || runOf(node, event.run) !== undefined) book(moment, node, event.run, event.usage, event.reserved, event.loans);
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
    case 'todos_reported':
      node.todos = event.todos;
      return;
    case 'tool_began':
      changeRun(node, event.run, { tools: [...(runOf(node, event.run)?.tools ?? NO_LIST), event.tool] });
      return;
    case 'tool_ended':
      if (event.steers > 0) deliverSteers(node);
      changeRun(node, event.run, { tools: runOf(node, event.run)?.tools.slice(0, -1) ?? NO_LIST });
      return;
    case 'main_ended':
      node.turn = 0;
      return;
    default:
      event satisfies { type: Unseen };
  }
}

function started(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_started' }>): void {
  const { reserved, loans } = event;
  const run = runOf(node, event.run);
  if (run !== undefined) {
    moment.queued -= 1;
    moment.active += 1;
    run.phase = 'open';
    run.slot = 'taken';
    run.maxTurns = event.maxTurns ?? Infinity;
    run.timeoutMs = event.timeoutMs ?? Infinity;
    run.idleTimeoutMs = event.idleTimeoutMs ?? Infinity;
    run.whole ||= !isZero(reserved);
  }
  node.startedAt = event.at;
  setStatus(moment, node, 'running');
  setClock(moment, node, 'working');
  if (!isZero(reserved)) book(moment, node, event.run, ZERO, reserved, loans);
}

function turnStarted(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'turn_started' }>): void {
  if (event.run === 0) {
    node.turn = event.turn;
    return;
  }
  if (event.steers > 0) deliverSteers(node);
  const run = runOf(node, event.run);
  if (run !== undefined) {
    run.whole = event.whole;
    run.wrapUpReason = event.wrapUpReason ?? run.wrapUpReason;
    run.besideTurn = null;
    run.turnWaiting = false;
    run.tools = NO_LIST;
    const usage = plus(run.usage, ONE_TURN);
    book(moment, node, event.run, usage, event.reserved, event.loans);
    node.turn = event.turn;
  }
  node.updatedAt = event.at;
}

/** A run whose turn has to wait parks. Before its first turn, it returns dollars that were reserved for the whole run. */
function turnDelayed(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'turn_delayed' }>): void {
  const run = runOf(node, event.run);
  if (run === undefined) return;
  const before = run.reserved;
  if (run.besideTurn !== null) run.reserved = least(before, run.besideTurn);
  setReserved(moment, node.index, before, run.reserved);
  run.besideTurn = null;
  run.turnWaiting = true;
  const { reserved, loans, parks } = event;
  if (reserved !== null) {
    run.whole = true;
    book(moment, node, event.run, run.usage, reserved, loans);
  }
  if (parks !== null) park(moment, node, event.run, parks, NO_LIST);
}

/** A host function whose run has ended reports: updates the doubtful dimensions (B7). */
function reportedLate(node: NodeRecord, { run, reported, invalid }: Extract<SubAgentEvent, { type: 'run_reported' }>): void {
  const said = [...reported, ...invalid];
  const lacks = node.used[run]?.unpriced && !invalid.includes('costUsd');
  node.unknown = node.unknown.filter((dimension) => !said.includes(dimension) || (lacks && dimension === 'costUsd'));
  node.invalid = [...node.invalid.filter((dimension) => !said.includes(dimension)), ...invalid];
}

function reentered(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'run_reentered' }>): void {
  const run = runOf(node, event.run);
  if (run !== undefined) {
    moment.parked -= 1;
    moment.active += 1;
    run.slot = 'taken';
    run.overLimit = event.overLimit;
    run.parks = run.parks.filter((why) => why !== 'reentry');
    run.turnWaiting = false;
    if (event.reserved !== null) {
      run.besideTurn = run.whole ? ZERO : run.reserved;
      run.whole = false;
      book(moment, node, event.run, run.usage, event.reserved, event.loans);
    }
  }
  setClock(moment, node, 'working');
}

function hostReturned(moment: Moment, node: NodeRecord, event: Extract<SubAgentEvent, { type: 'host_returned' }>): void {
  const { usage, loans } = event;
  if (usage !== null) {
    changeRun(node, event.run, { whole: false });
    book(moment, node, event.run, usage, ZERO, loans);
  }
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
