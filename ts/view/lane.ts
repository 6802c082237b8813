// A lane of the timeline: what one node was at from when to when, and what happened to it on the way. Owns the way from
// its events to segments and marks.

import type { SubAgentEvent } from '../generated/facts.js';
import type { ParkReason, StopReason, TaskStatus, WaitingFor } from '../generated/names.js';

/** A stretch of time in which a run was in one state. */
export interface LaneSegment {
  /** What it was at: `stopping` from when it was told to stop; `lingering` where only its host function still runs. */
  readonly state: 'queued' | 'running' | 'parked' | 'stopping' | 'lingering';
  /** Which run. */
  readonly run: number;
  /** When it began, in epoch milliseconds. */
  readonly from: number;
  /** When it ended; null while it goes on. */
  readonly to: number | null;
  /** Why: what it waited for, why it was parked or told to stop; null where nothing says it. */
  readonly why: WaitingFor | ParkReason | StopReason | 'slot' | null;
}

/** What happened at one instant. */
export interface LaneMark {
  /** What: a message to it, a turn, a report, the begin of a tool, a question and its answer, a policy, a notice, a spawn, an end. */
  readonly kind: 'message' | 'turn' | 'report' | 'tool' | 'question' | 'answer' | 'policy' | 'notice' | 'spawn' | 'end' | 'cancel';
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** The number of its event. */
  readonly seq: number;
  /** Which run; 0 where none. */
  readonly run: number;
  /** In words, never cut: a tool's name, a message; empty where there is nothing to say. */
  readonly text: string;
  /** Of an end: how, and why. */
  readonly end?: {
    /** How the run, an attempt at it, or the sub-agent ended. */
    readonly status: TaskStatus;
    /** Why it ended. */
    readonly reason: StopReason;
  };
  /** Of a tool: when it ended; null while it goes on. */
  readonly to?: number | null;
}

/** One node's lane. */
export interface LaneView {
  /** Its stretches of time, oldest first; they don't overlap. */
  readonly segments: readonly LaneSegment[];
  /** What happened to it, oldest first. */
  readonly marks: readonly LaneMark[];
}

type Open = { -readonly [K in keyof LaneSegment]: LaneSegment[K] };
type Mark = { -readonly [K in keyof LaneMark]: LaneMark[K] };

/** The lane of a node, of the events that concern it. @param id its id; null for a session or the manager */
export function laneOf(events: readonly SubAgentEvent[], id: string | null): LaneView {
  const segments: Open[] = [];
  const marks: Mark[] = [];
  /** Tools that have begun and not ended. */
  let tools: Mark[] = [];
  let open: Open | undefined;
  const go = (event: SubAgentEvent, state: Open['state'], run: number, why: Open['why'] = null): void => {
    stop(event);
    open = { state, run, from: event.at, to: null, why };
    segments.push(open);
  };
  const stop = (event: SubAgentEvent): void => {
    if (open !== undefined) open.to = event.at;
    open = undefined;
  };
  const mark = (event: SubAgentEvent, kind: LaneMark['kind'], run: number, text = ''): Mark => {
    const made: Mark = { kind, at: event.at, seq: event.seq, run, text };
    marks.push(made);
    return made;
  };
  for (const event of events) {
    if ('taskId' in event && event.taskId !== id) {
      if (event.type === 'task_admitted') mark(event, 'spawn', event.parentRun, event.label ?? event.text);
      else if (event.type === 'run_ended' || event.type === 'notice_moved') mark(event, 'notice', 0, event.label ?? '');
      continue;
    }
    switch (event.type) {
      case 'task_admitted':
        if (event.first !== null) go(event, 'queued', 1, event.first.waitingFor);
        break;
      case 'run_queued':
        go(event, 'queued', event.run, event.waitingFor);
        if (event.message !== null) mark(event, 'message', event.run, event.message);
        break;
      case 'run_started':
        go(event, 'running', event.run);
        break;
      case 'run_parked':
        go(event, 'parked', event.run, event.why);
        break;
      case 'run_returned':
        go(event, 'parked', event.run, 'children');
        break;
      case 'run_unparked':
        // It waits for its slot, or for what else it is parked for.
        if (open?.state === 'parked' && open.why === event.why) go(event, 'parked', event.run, 'slot');
        break;
      case 'run_reentered':
        go(event, 'running', event.run);
        break;
      case 'stop_requested':
        go(event, 'stopping', event.run, event.reason);
        mark(event, 'cancel', event.run, event.reason);
        break;
      case 'run_retried':
        mark(event, 'end', event.run, event.error ?? '').end = { status: 'failed', reason: event.reason };
        go(event, 'queued', event.run + 1, 'retry');
        break;
      case 'run_ended':
        mark(event, 'end', event.run, event.error ?? '').end = { status: event.status, reason: event.reason };
        if (event.hostOpen) go(event, 'lingering', event.run, event.reason);
        else stop(event);
        for (const tool of tools) tool.to = event.at;
        tools = [];
        break;
      case 'host_returned':
      case 'host_abandoned':
        if (open?.state === 'lingering' && open.run === event.run) stop(event);
        break;
      case 'task_ended':
        mark(event, 'end', 0).end = { status: event.status, reason: event.reason };
        break;
      case 'message_queued':
        mark(event, 'message', event.run, event.text);
        break;
      case 'turn_started':
        mark(event, 'turn', event.run, String(event.turn));
        for (const tool of tools) tool.to = event.at;
        tools = [];
        break;
      case 'run_reported':
        if (event.message !== null) mark(event, 'report', event.run, event.message);
        break;
      case 'tool_began': {
        const tool = mark(event, 'tool', event.run, event.tool);
        tool.to = null;
        tools.push(tool);
        break;
      }
      case 'tool_ended': {
        const tool = tools.pop();
        if (tool !== undefined) tool.to = event.at;
        break;
      }
      case 'question_asked':
        mark(event, 'question', event.run, event.question);
        break;
      case 'question_closed':
        mark(event, 'answer', event.run, event.answer ?? '');
        break;
      case 'policy_answered':
        mark(event, 'policy', event.run, `${event.policy}: ${event.answer}`);
        break;
      case 'notice_moved':
        mark(event, 'notice', event.run, event.delivery);
        break;
      default:
    }
  }
  return { segments, marks };
}
