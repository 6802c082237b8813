// The state of the manager, a session, a sub-agent and an open notice at one moment. Owns the types that readers of a frame
// get; only the fold writes them, and never after a frame shows them.

import type { Metadata } from '../base/metadata.js';
import type { EventAmounts, EventKinds, EventSpec } from '../generated/facts.js';
import type { Delivery, Dimension, ParkReason, StopReason, TaskStatus, WaitingFor } from '../generated/names.js';
import type { CostShare } from '../snapshots/types.js';
import type { LeftView } from './generated/left.js';

/** The phase of a run. In `lingering` and `abandoned`, the run has ended but its host function still runs. */
export type RunPhase = 'queued' | 'backoff' | 'open' | 'lingering' | 'abandoned';

/** A run that is queued, open, or over while its host function is still running. */
export interface RunView {
  /** Its number in the sub-agent's life, from 1. */
  readonly number: number;
  /** Its phase. */
  readonly phase: RunPhase;
  /** Whether it has a slot, released it while it is parked, or has none. */
  readonly slot: 'taken' | 'parked' | 'none';
  /** It re-entered although no slot was free. */
  readonly overLimit: boolean;
  /** Why it is parked: the first reason is shown. */
  readonly parks: readonly ParkReason[];
  /** The sub-agents that it waited for when it parked. */
  readonly waitsFor: readonly string[];
  /** Its host function has returned; it waits for sub-agents before it ends. */
  readonly returned: boolean;
  /** `beforeTurn` waits for a slot or for budget. */
  readonly turnWaiting: boolean;
  /** Its reservation. */
  readonly reserved: EventAmounts;
  /** Whether that is for the whole run. */
  readonly whole: boolean;
  /** Its reservation without the turn that its re-entry reserved, until that turn begins; else null. */
  readonly besideTurn: EventAmounts | null;
  /** Its usage so far. */
  readonly usage: EventAmounts;
  /** Maximum turns; 0 before it started. */
  readonly maxTurns: number;
  /** Its soft deadline in milliseconds of running; 0 before it started. */
  readonly timeoutMs: number;
  /** The longest silence, in milliseconds; 0 before it started. */
  readonly idleTimeoutMs: number;
  /** The message that it answers; null for the text of the spawn. */
  readonly message: string | null;
  /** The number of earlier attempts at its message. */
  readonly attempt: number;
  /** Names of tools that it uses right now. */
  readonly tools: readonly string[];
  /** Why it must wrap up; null if it needn't. */
  readonly wrapUpReason: StopReason | null;
  /** Why it must stop, and how that will be recorded; null if it needn't. */
  readonly stop: { readonly reason: StopReason; readonly status: TaskStatus } | null;
  /** When its grace ends, its host function is abandoned, or it is retried; else null. */
  readonly until: number | null;
}

/**
 * The manager, a session or a sub-agent at one moment. Instants are epoch milliseconds; unknown values are null. Amounts of
 * money are the manager's, to the nano-dollar.
 */
export interface NodeView extends LeftView {
  /** Its place in the order of appearance: 0 is the manager. */
  readonly index: number;
  /** Its kind. */
  readonly kind: 'manager' | 'session' | 'task';
  /** The sub-agent's id; null for the manager and for sessions. */
  readonly id: string | null;
  /** The `index` of the node above: a sub-agent, a session, or the manager; -1 for the manager. */
  readonly parent: number;
  /** The id of the sub-agent that it works for; null if that is the program or a session. */
  readonly parentId: string | null;
  /** The key of the session that it is or belongs to; null for the manager's own. */
  readonly sessionKey: string | null;
  /** Its depth; 1 below a main agent. */
  readonly depth: number;
  /** A name for display. */
  readonly label: string;
  /** Its metadata. */
  readonly metadata: Metadata | null;
  /** Its task, in words. */
  readonly instructions: string;
  /** Its other options; for a session, its main agent's tools and model. */
  readonly spec: EventSpec | null;
  /** Its end makes a notice. */
  readonly background: boolean;
  /** A model asked for it. */
  readonly byModel: boolean;

  /** Its status. */
  readonly status: TaskStatus;
  /** Why its last run ended, or why it was ended since; null before that. */
  readonly stopReason: StopReason | null;
  /** It is being cancelled. */
  readonly cancelling: boolean;
  /** It is being closed. */
  readonly closing: boolean;
  /** It has been forgotten, and is known only by a notice about it or by something below it. */
  readonly forgotten: boolean;
  /** Its queued or open run; null if there is none. */
  readonly run: RunView | null;
  /** Ended runs whose host function has not returned, the last one first. */
  readonly lingering: readonly RunView[];
  /** The number of its last run; 0 before the first. */
  readonly runs: number;
  /** The reason why its run was queued; `Frame.obstacle` has the reason at a moment. */
  readonly queuedFor: WaitingFor | null;
  /** The current turn of its last run or, for a session, of its main agent. */
  readonly turn: number;

  /** The cap of it and its sub-agents together; `Infinity` if there is none. */
  readonly cap: EventAmounts;
  /** The spending of it and its sub-agents, including forgotten ones. */
  readonly spent: EventAmounts;
  /** The reservations of it and its sub-agents. */
  readonly reserved: EventAmounts;
  /** The spending of its last run, without its sub-agents'. */
  readonly usage: EventAmounts;
  /** The tokens of `usage` by kind, null for a kind that was not reported; for the manager, those of all. */
  readonly kinds: EventKinds;
  /** Dimensions of `usage` that the host did not report. */
  readonly unknown: readonly Dimension[];
  /** Dimensions of `usage` whose report was invalid. */
  readonly invalid: readonly Dimension[];
  /** The spending of all its runs, without its sub-agents'. */
  readonly own: EventAmounts;
  /** The size of its context as last reported. */
  readonly contextTokens: number | null;

  /** Its last reported work. */
  readonly progress: string | null;
  /** The output is unfinished: the run was stopped or broke off. */
  readonly partial: boolean;
  /** The output was cut at `maxResultBytes`. */
  readonly truncated: boolean;
  /** The result that came after the end. */
  readonly lateResult: string | null;
  /** Its last result was released. */
  readonly released: boolean;
  /** The end of its last run has reached its receiver. */
  readonly collected: boolean;
  /** Its to-do list as last reported, as JSON. */
  readonly todos: string | null;
  /** Its last checkpoint, as JSON, if it saved one. */
  readonly checkpoint: string | null;
  /** The data that its runs saved for later ones, as JSON; null if there is none. */
  readonly saved: string | null;
  /** The data from `acquire`, as JSON; null if there is none. */
  readonly acquired: string | null;

  /** Messages that wait, in their order. */
  readonly messages: readonly string[];
  /** How many of these go ahead of the queue because they interrupted, and because they missed their run. */
  readonly ahead: {
    /** How many interrupted: they come first in `messages`. */
    readonly interrupting: number;
    /** How many missed the run that they should have steered: they come next. */
    readonly missed: number;
  };
  /** Messages for its run's next turn or tool boundary. */
  readonly steers: readonly string[];
  /** Messages that steered an earlier attempt. The run reads them again at its first turn or tool boundary. */
  readonly again: readonly string[];
  /** Its messages wait for the next send. */
  readonly queuePaused: boolean;
  /** Messages that no run got, oldest first. */
  readonly undelivered: readonly string[];
  /** The question that it asks; null if it asks none. */
  readonly question: string | null;
  /** When it continues without an answer; null if it doesn't. */
  readonly questionUntil: number | null;
  /** The ends of its background runs that are not acknowledged yet: the `index` of the notice of each, oldest first. */
  readonly notices: readonly number[];

  /** When it was spawned or opened. */
  readonly createdAt: number | null;
  /** When its last run started. */
  readonly startedAt: number | null;
  /** When its last run ended. */
  readonly endedAt: number | null;
  /** When it last changed. */
  readonly updatedAt: number | null;

  /** How it spends its time now; null if it has no run. */
  readonly clock: 'queued' | 'working' | 'parked' | null;
  /** When that began. */
  readonly clockSince: number;
  /** Milliseconds that it was queued, up to `clockSince`. */
  readonly queuedMs: number;
  /** The same for working: running with a slot. */
  readonly workingMs: number;
  /** The same for being parked. */
  readonly parkedMs: number;
  /** Milliseconds that it and all below it have worked, without work in progress. */
  readonly subtreeMs: number;
  /** How many nodes work now: itself and those below it. */
  readonly subtreeWorking: number;
  /** The sum of the instants at which those began. */
  readonly subtreeSince: number;
}

/** A notice that has not been acknowledged. */
export interface NoticeView {
  /** Its place in the order of appearance. */
  readonly index: number;
  /** The sub-agent whose end it reports. */
  readonly taskId: string;
  /** The number of that run. */
  readonly run: number;
  /** The sub-agent's name for display. */
  readonly label: string;
  /** Whose inbox it is in: the id of a sub-agent; null if that is a session's or the manager's. */
  readonly to: string | null;
  /** The session whose inbox that is, or that the sub-agent belongs to; null for the manager's own. */
  readonly sessionKey: string | null;
  /** Its first receiver; null if that hasn't changed. */
  readonly reroutedFrom: string | null;
  /** The state of its delivery. */
  readonly delivery: Exclude<Delivery, 'acked'>;
  /** The number of its leases. */
  readonly attempt: number;
  /** When its lease ends; null if it has no lease that ends by time. */
  readonly until: number | null;
  /** How the run ended. */
  readonly status: TaskStatus;
  /** Why it ended. */
  readonly stopReason: StopReason;
  /** When it ended. */
  readonly endedAt: number;
}

/** The spending under each name, in the order of the first spending. */
export type Shares = Map<string | null, { -readonly [K in keyof CostShare]: CostShare[K] }>;

/** The spending by model, by agent, and by main agents. */
export interface Costs {
  readonly byModel: Shares;
  readonly byAgent: Shares;
  readonly mainAgents: Shares;
}

/** A run's usage by model. */
export interface UsedModels {
  /** Its last model. */
  readonly modelId: string | null;
  /** The cost from prices by model, in US dollars. */
  readonly priced: ReadonlyMap<string | null, number>;
  /** Whether one of its models has no price. */
  readonly unpriced: boolean;
  /** Tokens of its next booking that don't count against caps. */
  readonly uncounted: number;
}
