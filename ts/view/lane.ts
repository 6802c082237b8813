// A lane of the timeline: the phases of one node, and marks for its events. Owns how its events become segments and
// marks.

import type { SubAgentEvent } from '../generated/facts.js';
import type { ParkReason, StopReason, TaskStatus, WaitingFor } from '../generated/names.js';
import type { Naming } from './names.js';
import type { NodeView } from './record.js';
import { saidBy } from './transcript.js';

/** A stretch of time in which a run was in one state. */
export interface LaneSegment {
  /** Its phase: `stopping` from the request to stop; `lingering` if only its host function still runs. */
  readonly state: 'queued' | 'running' | 'parked' | 'stopping' | 'lingering';
  /** The run's number. */
  readonly run: number;
  /** When it began, in epoch milliseconds. */
  readonly from: number;
  /** When it ended; null until then. */
  readonly to: number | null;
  /** The reason of its wait, its park or its stop; null if that is unknown. */
  readonly why: WaitingFor | ParkReason | StopReason | 'slot' | null;
}

/** An event at one instant. */
export interface LaneMark {
  /**
   * Its kind: a message, turn, report, start of a tool, question, answer, policy, notice, spawn, end, or request to stop.
   */
  readonly kind: 'message' | 'turn' | 'report' | 'tool' | 'question' | 'answer' | 'policy' | 'notice' | 'spawn' | 'end' | 'cancel';
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** The number of its event. */
  readonly seq: number;
  /** The run's number; 0 if there is none. */
  readonly run: number;
  /** Its text, never cut: a tool's name, a message; empty if there is none. */
  readonly text: string;
  /** For an end: its status and its reason. */
  readonly end?: {
    /** How the run, an attempt at it, or the sub-agent ended. */
    readonly status: TaskStatus;
    /** Why it ended. */
    readonly stopReason: StopReason;
  };
  /** For a tool: when it ended; null until then. */
  readonly to?: number | null;
}

/** One node's lane. */
export interface LaneView {
  /** Its stretches of time, oldest first; they don't overlap. */
  readonly segments: readonly LaneSegment[];
  /** Its marks, oldest first. */
  readonly marks: readonly LaneMark[];
}

/** A lane under construction: takes events in their order. Segments and marks that were shown never change. */
export class Lane {
  readonly #segments: LaneSegment[] = [];
  readonly #marks: LaneMark[] = [];
  /** The places of open tools among the marks. */
  #tools: number[] = [];
  #isOpen = false;
  readonly #isOf: (event: Naming) => boolean;

  /**
   * @param isOf whether an event is about the node itself
   * @param node the node before the first retained event, if it was there: its last run is known from that
   */
  constructor(isOf: (event: Naming) => boolean, node?: NodeView) {
    this.#isOf = isOf;
    if (node === undefined) return;
    const { run, runs, startedAt, endedAt, clock, clockSince } = node;
    if (startedAt !== null) this.#go({ run: runs, at: startedAt } as SubAgentEvent, 'running');
    if (run === null) this.#stop({ at: endedAt } as SubAgentEvent);
    else if (clock !== 'working') this.#go({ run: runs, at: clockSince } as SubAgentEvent, clock as 'queued' | 'parked', run.parks[0]);
  }

  view(): LaneView {
    return { segments: this.#segments.slice(), marks: this.#marks.slice() };
  }

  #go(event: SubAgentEvent, state: LaneSegment['state'], why: LaneSegment['why'] = null, run = runIn(event)): void {
    // A run that takes its slot up again, or waits, is stopping all the same.
    if (this.#open?.state === 'stopping' && (state === 'running' || state === 'parked')) return;
    this.#stop(event);
    this.#segments.push({ state, run, from: event.at, to: null, why });
    this.#isOpen = true;
  }

  get #open(): LaneSegment | undefined {
    return this.#isOpen ? this.#segments.at(-1) : undefined;
  }

  #stop({ at: to }: SubAgentEvent): void {
    const open = this.#open;
    if (open !== undefined) this.#segments[this.#segments.length - 1] = { ...open, to };
    this.#isOpen = false;
  }

  #mark(event: SubAgentEvent, kind: LaneMark['kind'], text: string, more?: Partial<LaneMark>): void {
    this.#marks.push({ kind, at: event.at, seq: event.seq, run: runIn(event), text, ...more });
  }

  #endTool(tool: number | undefined, { at: to }: SubAgentEvent): void {
    if (tool !== undefined) this.#marks[tool] = { ...(this.#marks[tool] as LaneMark), to };
  }

  #endTools(event: SubAgentEvent): void {
    for (const tool of this.#tools) this.#endTool(tool, event);
    this.#tools = [];
  }

  add(event: SubAgentEvent): void {
    if ('taskId' in event && !this.#isOf(event)) {
      if (event.type === 'task_admitted') this.#mark(event, 'spawn', event.label ?? event.text, { run: event.parentRun });
      else if (event.type === 'run_ended' || event.type === 'notice_moved') this.#mark(event, 'notice', event.label ?? '', { run: 0 });
      return;
    }
    const [kind, text] = saidBy(event);
    if (MARKED.has(kind) && (text !== null || kind === 'answer')) this.#mark(event, kind as LaneMark['kind'], text ?? '');
    switch (event.type) {
      case 'task_admitted':
        if (event.first !== null) this.#go(event, 'queued', event.first.waitingFor, 1);
        break;
      case 'run_queued':
        this.#go(event, 'queued', event.waitingFor);
        break;
      case 'run_started':
      case 'run_reentered':
        this.#go(event, 'running');
        break;
      case 'run_parked':
        this.#go(event, 'parked', event.why);
        break;
      case 'run_returned':
        this.#go(event, 'parked', 'children');
        break;
      case 'run_unparked':
      case 'question_closed':
        // It waits for its slot, or stays parked for another reason.
        if (this.#open?.state === 'parked' && this.#open.why === (event.type === 'run_unparked' ? event.why : 'input'))
          this.#go(event, 'parked', event.parks ?? 'slot');
        break;
      case 'question_asked':
        this.#go(event, 'parked', 'input');
        break;
      case 'turn_delayed':
        if (event.parks !== null) this.#go(event, 'parked', event.parks);
        break;
      case 'stop_requested':
        this.#go(event, 'stopping', event.stopReason);
        this.#mark(event, 'cancel', event.stopReason);
        break;
      case 'run_retried':
        this.#mark(event, 'end', event.error ?? '', { end: { status: 'failed', stopReason: event.stopReason } });
        this.#go(event, 'queued', 'retry', event.run + 1);
        this.#endTools(event);
        break;
      case 'run_ended':
      case 'task_ended': {
        const { status, stopReason } = event;
        const isOfRun = event.type === 'run_ended';
        this.#mark(event, 'end', (isOfRun ? event.error : null) ?? '', { end: { status, stopReason } });
        if (!isOfRun) break;
        if (event.hostOpen) this.#go(event, 'lingering', stopReason);
        else this.#stop(event);
        this.#endTools(event);
        break;
      }
      case 'host_returned':
      case 'host_abandoned':
        if (this.#open?.state === 'lingering' && this.#open.run === event.run) this.#stop(event);
        break;
      case 'turn_started':
        this.#endTools(event);
        break;
      case 'tool_began':
        this.#tools.push(this.#marks.length);
        this.#mark(event, 'tool', event.tool, { to: null });
        break;
      case 'tool_ended':
        this.#endTool(this.#tools.pop(), event);
        break;
      case 'policy_answered':
        this.#mark(event, 'policy', `${event.policy}: ${event.answer}`);
        break;
      case 'notice_moved':
        this.#mark(event, 'notice', event.delivery);
        break;
      default:
    }
  }
}

/** The kinds of transcript entries that are marks unchanged. */
const MARKED: ReadonlySet<string> = new Set(['message', 'turn', 'report', 'question', 'answer'] satisfies LaneMark['kind'][]);

const runIn = (event: SubAgentEvent): number => ('run' in event ? event.run : 0);
