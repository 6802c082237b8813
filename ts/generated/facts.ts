// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Metadata } from '../base/metadata.js';
import type { Delivery, MessagePlace, OnParentEnd, ParkReason, PolicyAnswerName, PolicyPoint, StopReason, TaskStatus, WaitingFor } from './names.js';

/** What every event has. */
export interface EventBase {
  /** Counts up by one, from 1. */
  seq: number;
  /** When it happened, in epoch milliseconds. */
  at: number;
}

/** What every event has that is about a sub-agent, or about a session or the manager itself. The first three are null where it is about no sub-agent, all four where that was forgotten before the event could be handed on. */
export interface TaskEventBase extends EventBase {
  /** The sub-agent's label. */
  label: string | null;
  /** Its parent's id; null where the program started it. */
  parentId: string | null;
  /** Its metadata. */
  metadata: Metadata | null;
  /** The key of the session that it belongs to, or that the event is about; null for the manager's own. */
  sessionKey: string | null;
}

/** An amount of each thing that a budget bounds. */
export interface EventAmounts {
  tokens: number;
  costUsd: number;
  turns: number;
}

/** The notice that the end of a background run makes. */
export interface EventNewNotice {
  to: string | null;
  reroutedFrom: string | null;
  acked: boolean;
  awaited: boolean;
}

/** The place of a task's first run in the queue. */
export interface EventFirst {
  rank: number;
  round: number;
  waitingFor: WaitingFor | null;
}

/** The idempotency key that a task was spawned with. */
export interface EventKeyUse {
  key: string;
  digest: number;
  until: number;
  work: number;
}

/** Tokens by kind; null if a kind was never reported. */
export interface EventKinds {
  inputTokens: number | null;
  outputTokens: number | null;
  cacheReadTokens: number | null;
  cacheWriteTokens: number | null;
  cacheWrite1hTokens: number | null;
  reasoningTokens: number | null;
  estimated: boolean;
}

/** A part of one run's budget that another run of a task below borrows. */
export interface EventLoan {
  lender: string | null;
  run: number;
  amount: EventAmounts;
}

/** What a run borrows, and what it gives back. */
export interface EventLoans {
  lent: EventLoan[];
  returned: EventLoan[];
}

/** What a key allows a minute. */
export interface EventKeyRate {
  key: string;
  requestsPerMinute: number | null;
  tokensPerMinute: number | null;
}

/** What a model takes, in US dollars a million tokens. */
export interface EventModelPrice {
  model: string;
  input: number;
  output: number;
  cacheRead: number | null;
  cacheWrite: number | null;
  cacheWrite1h: number | null;
}

/** How runs that ended badly are tried again. */
export interface EventRetry {
  max: number;
  backoffMs: number;
  on: StopReason[];
}

/** What a sub-agent was given beside its text: the options of its spawn, completed by its definition. */
export interface EventSpec {
  label: string | null;
  nickname: string | null;
  contextHint: string | null;
  tools: string[] | null;
  systemPrompt: string | null;
  profile: string | null;
  modelId: string | null;
  agent: string | null;
  maxTurns: number | null;
  timeoutMs: number | null;
  idleTimeoutMs: number | null;
  turnEstimate: number | null;
  priority: number | null;
  rateLimitKey: string | null;
  disallowedTools: string[] | null;
  originChannel: string | null;
  originChatId: string | null;
  json: boolean;
  onParentEnd: OnParentEnd | null;
  metadata: Metadata | null;
  retry: EventRetry | null;
  turnEstimateUsd: number | null;
  prices: EventModelPrice[] | null;
  taskId: string | null;
  driven: boolean;
  effort: string | null;
  mustHave: string | null;
  maxSpawns: number | null;
}

/** The manager got the randomness that its ids and fences are made with. */
export interface SeededEvent extends EventBase {
  type: 'seeded';
  /** The first half. */
  high: number;
  /** The second half. */
  low: number;
}

/** A limit was set; it binds new work only. */
export interface LimitSetEvent extends EventBase {
  type: 'limit_set';
  /** The option's name. */
  limit: string;
  /** The new value; of one in US dollars in billionths of a dollar. */
  value: number;
}

/** What holds for new work was set: all of it, as it is from now on. */
export interface DefaultsSetEvent extends EventBase {
  type: 'defaults_set';
  /** The cap of a task that is given none of its own. */
  taskCap: EventAmounts;
  /** How runs are tried again if their spawn doesn't say; absent: not at all. */
  retry: EventRetry | null;
  /** Whether work at the slot limit is refused instead of queued. */
  reject: boolean;
  /** What becomes of background work, whose spawn doesn't say, when the run that it works for ends well. */
  onParentEnd: OnParentEnd | null;
}

/** What models cost was set: all of it, as it is from now on. */
export interface PricesSetEvent extends EventBase {
  type: 'prices_set';
  /** The prices, in US dollars a million tokens. */
  prices: EventModelPrice[];
}

/** How many requests and tokens a minute keys allow was set: all of it, as it is from now on. */
export interface RatesSetEvent extends EventBase {
  type: 'rates_set';
  /** The rates. */
  rates: EventKeyRate[];
}

/** A provider said what it has left for a key. */
export interface RateLeftEvent extends EventBase {
  type: 'rate_left';
  /** The `rateLimitKey`. */
  key: string;
  /** Requests; absent if it didn't say. */
  requests: number | null;
  /** Tokens; absent if it didn't say. */
  tokens: number | null;
}

/** A rate limit cools down: work with its key waits. */
export interface CooldownSetEvent extends EventBase {
  type: 'cooldown_set';
  /** The `rateLimitKey`; empty for work that was given none. */
  key: string;
  /** When it is over. */
  until: number;
}

/** A cooldown is over. */
export interface CooldownOverEvent extends EventBase {
  type: 'cooldown_over';
  /** The `rateLimitKey`. */
  key: string;
}

/** A drain began. */
export interface DrainStartedEvent extends EventBase {
  type: 'drain_started';
  /** When it cancels what still runs. */
  until: number;
  /** Whether queued work that no run waits for is left to the process that opens the store next. */
  leavesQueued: boolean;
}

/** The time of a drain ran out; what still runs is cancelled. */
export interface DrainOverranEvent extends EventBase {
  type: 'drain_overran';
}

/** Nothing is left for a drain to wait for. */
export interface DrainEndedEvent extends EventBase {
  type: 'drain_ended';
  /** Whether its time ran out. */
  timedOut: boolean;
}

/** The tools that no sub-agent gets were set. */
export interface ToolsBlockedEvent extends EventBase {
  type: 'tools_blocked';
  /** Their names. */
  tools: string[];
}

/** The manager was opened from its facts: the host functions and waits of the earlier process are lost, and so is a drain. Notices that a wait was to hand over wait to be handed out. */
export interface ReopenedEvent extends EventBase {
  type: 'reopened';
  /** The salt in the ids of all work that this opening accepts; below 2^53. */
  salt: number;
}

/** The process that opened the manager again gave its definitions. Work that needs others waits, and that of each session with a key waits until the process has registered it. */
export interface DefinitionsKnownEvent extends EventBase {
  type: 'definitions_known';
  /** Names of agents. */
  agents: string[];
  /** Names of profiles. */
  profiles: string[];
}

/** The process stood still, stopped or asleep: deadlines, questions, silences and the leases of notices are later by as long. */
export interface StoodStillEvent extends EventBase {
  type: 'stood_still';
  /** For how many milliseconds. */
  ms: number;
}

/** The cap of a manager, session or task was set. */
export interface CapSetEvent extends TaskEventBase {
  type: 'cap_set';
  /** The sub-agent. */
  taskId: string | null;
  /** The new cap. */
  cap: EventAmounts;
}

/** A session began. */
export interface SessionOpenedEvent extends TaskEventBase {
  type: 'session_opened';
  /** The id of its main agent. */
  taskId: string | null;
  /** Its name. */
  name: string;
}

/** The program said which tools or which model a session's main agent has. */
export interface MainAgentSetEvent extends TaskEventBase {
  type: 'main_agent_set';
  /** The session. */
  taskId: string | null;
  /** The names of its tools; absent: unknown. */
  tools: string[] | null;
  /** The model's id; absent: unknown. */
  modelId: string | null;
}

/** A sub-agent was admitted, and its first run is queued if it has a text. */
export interface TaskAdmittedEvent extends TaskEventBase {
  type: 'task_admitted';
  /** The new task. */
  taskId: string | null;
  /** The task or session that it works for. */
  parentId: string | null;
  /** The parent's run that asked for it; 0 for a session. */
  parentRun: number;
  /** It runs in the background: its end makes a notice. */
  background: boolean;
  /** A model asked for it by a tool. */
  byModel: boolean;
  /** Its cap for its whole life. */
  cap: EventAmounts;
  /** Its task, in words. */
  text: string;
  /** What else the spawn gave, if anything. */
  spec: EventSpec | null;
  /** The agent that asked for it has no tool to answer it with: its questions stay without an answer. */
  unanswerable: boolean;
  /** The place of its first run in the queue; absent if it has none yet. */
  first: EventFirst | null;
  /** The idempotency key that names it from now on. */
  once: EventKeyUse | null;
}

/** `acquire` is about to be called for a sub-agent, or has returned. */
export interface ResourceAcquiredEvent extends TaskEventBase {
  type: 'resource_acquired';
  /** The sub-agent. */
  taskId: string | null;
  /** Its result, as JSON; absent if it is about to be called. */
  data: string | null;
}

/** `release` was called for what a closed or forgotten sub-agent had acquired. */
export interface ResourceReleasedEvent extends EventBase {
  type: 'resource_released';
  /** Which release. */
  serial: number;
  /** The id of the sub-agent. */
  owner: string;
}

/** A cancel of the task has begun, or another one joined it: nothing below it starts. If `interrupt` is true, an interrupt of it stopped runs whose ends need no notice; nothing else is cancelled. */
export interface CancelRequestedEvent extends TaskEventBase {
  type: 'cancel_requested';
  /** The sub-agent. */
  taskId: string | null;
  /** Who asked for it. */
  by: string | null;
  /** Whether what is under it ends closed. */
  close: boolean;
  /** Whether only its run is stopped, with the foreground work of that run: the task lives on. */
  interrupt: boolean;
  /** Those whose ends need no notice, since the agents that would get it have ordered these ends. */
  claimed: (string | null)[];
  /** If the caller aborted its call of a tool: whether it reads its inbox. The end is still undelivered. */
  callerReads: boolean | null;
}

/** The cancel of the task is over. */
export interface CancelSettledEvent extends TaskEventBase {
  type: 'cancel_settled';
  /** The sub-agent. */
  taskId: string | null;
}

/** A task ended without a run, or was closed that had ended before. */
export interface TaskEndedEvent extends TaskEventBase {
  type: 'task_ended';
  /** The sub-agent. */
  taskId: string | null;
  /** How. */
  status: TaskStatus;
  /** Why. */
  stopReason: StopReason;
}

/** A closed task was reopened. */
export interface TaskResumedEvent extends TaskEventBase {
  type: 'task_resumed';
  /** The sub-agent. */
  taskId: string | null;
}

/** The ends of the last runs of tasks were collected. */
export interface EndsCollectedEvent extends EventBase {
  type: 'ends_collected';
  /** Whose. */
  tasks: (string | null)[];
}

/** A task was forgotten; its spending stays with its parent. */
export interface TaskForgottenEvent extends TaskEventBase {
  type: 'task_forgotten';
  /** The sub-agent. */
  taskId: string | null;
}

/** An idempotency key is remembered no longer. */
export interface KeyDroppedEvent extends EventBase {
  type: 'key_dropped';
  /** The task or session that had used it. */
  scope: string | null;
  /** The key. */
  key: string;
}

/** The result of an ended task was released; the task is still there. */
export interface ResultReleasedEvent extends TaskEventBase {
  type: 'result_released';
  /** The sub-agent. */
  taskId: string | null;
}

/** A foreground task continues in the background: its end makes a notice. */
export interface TaskBackgroundedEvent extends TaskEventBase {
  type: 'task_backgrounded';
  /** The sub-agent. */
  taskId: string | null;
}

/** A session was closed; it stays until the host functions under it have returned. */
export interface SessionClosedEvent extends TaskEventBase {
  type: 'session_closed';
  /** The id of its main agent. */
  taskId: string | null;
}

/** A closed session was dropped. */
export interface SessionFreedEvent extends TaskEventBase {
  type: 'session_freed';
  /** The id of its main agent. */
  taskId: string | null;
}

/** A session that was there before is registered again: its work continues. */
export interface SessionRegisteredEvent extends TaskEventBase {
  type: 'session_registered';
  /** The id of its main agent. */
  taskId: string | null;
}

/** A message arrived that has to wait: for the current run's end, its next turn or tool boundary, or the queue. */
export interface MessageQueuedEvent extends TaskEventBase {
  type: 'message_queued';
  /** The sub-agent. */
  taskId: string | null;
  /** Which of its runs is the last one. */
  run: number;
  /** The place in which it waits. */
  place: MessagePlace;
  /** What it says. */
  text: string;
}

/** The next attempt will read again what steered the one before, and what came too late for it. */
export interface SteersAgainEvent extends TaskEventBase {
  type: 'steers_again';
  /** The sub-agent. */
  taskId: string | null;
  /** Which of its runs will read them. */
  run: number;
  /** The messages that the last attempt had read after its checkpoint, if the next one continues from it; oldest first. */
  texts: string[];
  /** How many messages it had not read. They went ahead of the queue when it ended. */
  missed: number;
}

/** Messages were dropped undelivered: the last ones, nearly always all. Messages that were to steer the run went ahead of the queue before. */
export interface MessagesDroppedEvent extends TaskEventBase {
  type: 'messages_dropped';
  /** The sub-agent. */
  taskId: string | null;
  /** How many. */
  count: number;
}

/** The messages of a task wait for the next send, or continue. */
export interface QueuePausedEvent extends TaskEventBase {
  type: 'queue_paused';
  /** The sub-agent. */
  taskId: string | null;
  /** Whether they wait. */
  paused: boolean;
}

/** A run asked the agent that gave it its task, and is parked for `input` until that has answered. */
export interface QuestionAskedEvent extends TaskEventBase {
  type: 'question_asked';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its question. */
  question: string;
  /** When it continues without an answer. */
  until: number | null;
  /** Whether the run that spawned the task was waiting for it, and so has read the question. */
  delivered: boolean;
}

/** A question was answered, or stays without an answer: the run is parked for it no longer. If no question is open, the run asked what an earlier attempt had asked, and got the answer that was given then. */
export interface QuestionClosedEvent extends TaskEventBase {
  type: 'question_closed';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The answer; absent if there was none. */
  answer: string | null;
  /** Whether its time ran out. */
  timedOut: boolean;
  /** Parked for instead: `reentry` (a slot) or `cooldown`. Absent if another reason remains, or it has a slot. */
  parks: ParkReason | null;
}

/** The parent's run wanted to wait for a task that asks, and has read its question. */
export interface QuestionDeliveredEvent extends TaskEventBase {
  type: 'question_delivered';
  /** Whose question. */
  taskId: string | null;
  /** Which run asks. */
  run: number;
}

/** The delivery of a notice changed: it was handed out, returned, was acknowledged, became undelivered, or a wait will hand it over. Or its receiver was woken for it, it has another receiver now, or another actor has read the same end. */
export interface NoticeMovedEvent extends TaskEventBase {
  type: 'notice_moved';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
  /** How far its delivery is now. */
  delivery: Delivery;
  /** The session or task in whose inbox it is now: another one if its first receiver no longer runs. */
  to: string | null;
  /** How often it has been handed out, or its receiver was woken without taking it. */
  attempt: number;
  /** Leased: when it returns; absent if a turn has it. Pending: how long only the woken receiver may take it. */
  until: number | null;
  /** Other sessions or tasks above that got the end by a wait. If there are any, nothing else changed. */
  deliveredTo: (string | null)[];
}

/** A later run, or an attempt whose time has come waits for its slot. */
export interface RunQueuedEvent extends TaskEventBase {
  type: 'run_queued';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its place by priority and age: lower comes first. */
  rank: number;
  /** Its place between parents of the same rank: lower comes first. */
  round: number;
  /** The message that it answers; absent for the first text and for an attempt at the same message. */
  message: string | null;
  /** What it waits for; absent if it starts at once. An attempt that is due always has one. */
  waitingFor: WaitingFor | null;
  /** It is another attempt at the message of a run that ended badly: its spawn was repeated with `retryEnded`. */
  again: boolean;
}

/** The program took up the queued run of a task that it drives: from now on the run waits for its slot. */
export interface RunTakenEvent extends TaskEventBase {
  type: 'run_taken';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
}

/** A queued run comes forward, because a run of higher priority waits for it. */
export interface RunRaisedEvent extends TaskEventBase {
  type: 'run_raised';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its place by priority and age from now on: lower comes first. */
  rank: number;
}

/** A run got its slot and its host function is called. */
export interface RunStartedEvent extends TaskEventBase {
  type: 'run_started';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Turns that it may take. */
  maxTurns: number;
  /** Its soft deadline, in milliseconds of running. */
  timeoutMs: number;
  /** How long it may be silent, in milliseconds. */
  idleTimeoutMs: number;
  /** Its reservation: its budget for the whole run, if anything caps it. */
  reserved: EventAmounts;
  /** The amounts that it borrows, and those that it returns, if any. */
  loans: EventLoans | null;
}

/** A run must wrap up. */
export interface WrapUpRequestedEvent extends TaskEventBase {
  type: 'wrap_up_requested';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Why. */
  stopReason: StopReason;
  /** When it must stop. */
  until: number | null;
}

/** A run can't continue for now and gave its slot up, if it had one. If a question, a delayed turn or a return is the reason, the event of that says it instead. */
export interface RunParkedEvent extends TaskEventBase {
  type: 'run_parked';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Why. */
  why: ParkReason;
  /** The sub-agents that it waits for, if any. It may begin to wait for others while parked. */
  waitsFor: (string | null)[];
}

/** The reason for which a run was parked is over. */
export interface RunUnparkedEvent extends TaskEventBase {
  type: 'run_unparked';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The reason that is over. */
  why: ParkReason;
  /** Parked for instead: `reentry` (a slot), `cooldown` or `rate`. Absent if another reason remains, or it has a slot. */
  parks: ParkReason | null;
}

/** A run that was parked has a slot again. */
export interface RunReenteredEvent extends TaskEventBase {
  type: 'run_reentered';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Whether that put the manager over its limit. */
  overLimit: boolean;
  /** Its reservation from now on, if its next turn is reserved. */
  reserved: EventAmounts | null;
  /** The amounts that it borrows for that, and those that it returns, if any. */
  loans: EventLoans | null;
}

/** A run must stop. */
export interface StopRequestedEvent extends TaskEventBase {
  type: 'stop_requested';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Why. */
  stopReason: StopReason;
  /** How it will be recorded. */
  status: TaskStatus;
  /** When it ends even if its host function hasn't returned. */
  until: number;
}

/** A run ended. Its question stays without an answer, and messages that were to steer it go ahead of the queue. */
export interface RunEndedEvent extends TaskEventBase {
  type: 'run_ended';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** How. */
  status: TaskStatus;
  /** Why. */
  stopReason: StopReason;
  /** Whether the output is what had been done when it was stopped. */
  partial: boolean;
  /** Whether its host function is still running. */
  hostOpen: boolean;
  /** Whether the output was cut at `maxResultBytes`. */
  cut: boolean;
  /** Whether a wait has returned it already. */
  collected: boolean;
  /** Its total usage. */
  usage: EventAmounts;
  /** Dimensions of that which the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions of that whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** The amounts that it borrowed for that, and those that return, if any. */
  loans: EventLoans | null;
  /** Its output. */
  output: string;
  /** The run's error; null if there was none. */
  error: string | null;
  /** The host's own word for how the run ended; null if it gave none of its own. */
  hostStatus: string | null;
  /** What the run made besides its output. It is JSON. */
  artifacts: string | null;
  /** What the spawn's `schema` asked for; null if there is none, or the run did not complete. It is JSON. */
  value: string | null;
  /** What the run's tool calls did, in order, as its agent's protocol says it. It is JSON. */
  receipts: string | null;
  /** The host's own id of the sub-agent; null if the host gave none. */
  hostTaskId: string | null;
  /** How long the run took by the host's measure, in milliseconds. */
  durationMs: number | null;
  /** When its host function is given up, if it still runs and is given up at all; absent otherwise. */
  abandonAt: number | null;
  /** If the run never started: whether its message returns to the queue, or is dropped undelivered. Absent otherwise. */
  messageRequeued: boolean | null;
  /** The notice that it makes, if it was a background run. */
  notice: EventNewNotice | null;
}

/** A run ended badly and is tried again under the next number. Waits for it continue. */
export interface RunRetriedEvent extends TaskEventBase {
  type: 'run_retried';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** How many attempts there have been. */
  attempt: number;
  /** Why it ended. */
  stopReason: StopReason;
  /** What went wrong. */
  error: string | null;
  /** The host's own word for how it ended. */
  hostStatus: string | null;
  /** Its total usage. */
  usage: EventAmounts;
  /** Dimensions of that which the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions of that whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** The amounts that it borrowed for that, and those that return, if any. */
  loans: EventLoans | null;
  /** When it is tried again. */
  until: number;
}

/** A run saved how far its work is. If its process is lost, it may continue from there. */
export interface CheckpointSavedEvent extends TaskEventBase {
  type: 'checkpoint_saved';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** How far, as JSON. */
  data: string;
}

/** A run saved data for the later runs of its sub-agent. */
export interface DataSavedEvent extends TaskEventBase {
  type: 'data_saved';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The data, as JSON. */
  data: string;
}

/** The host function of an ended run returned, or the run was reported once more. */
export interface HostReturnedEvent extends TaskEventBase {
  type: 'host_returned';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its total usage; absent if its task has run again, so that it is unknown. */
  usage: EventAmounts | null;
  /** Dimensions of that which the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions of that whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** The amounts that it borrowed for that, and those that return, if any. */
  loans: EventLoans | null;
  /** Its late output. */
  lateResult: string | null;
}

/** The host function of an ended run was given up. */
export interface HostAbandonedEvent extends TaskEventBase {
  type: 'host_abandoned';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its total usage: its reservation counts as used. */
  usage: EventAmounts;
}

/** The host carries the run out somewhere else and will report its end. Recorded again if the host gives its own id for such a run. */
export interface RunElsewhereEvent extends TaskEventBase {
  type: 'run_elsewhere';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The host's own id, if it gave one. */
  hostTaskId: string | null;
}

/** A host function returned well; its run ends once the sub-agents that it waits for have settled. */
export interface RunReturnedEvent extends TaskEventBase {
  type: 'run_returned';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its total usage. */
  usage: EventAmounts;
  /** Dimensions of that which the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions of that whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** The amounts that it borrowed for that, and those that return, if any. */
  loans: EventLoans | null;
  /** Its output. */
  output: string;
  /** The run's error; null if there was none. */
  error: string | null;
  /** The host's own word for how the run ended; null if it gave none of its own. */
  hostStatus: string | null;
  /** What the run made besides its output. It is JSON. */
  artifacts: string | null;
  /** What the spawn's `schema` asked for; null if there is none, or the run did not complete. It is JSON. */
  value: string | null;
  /** What the run's tool calls did, in order, as its agent's protocol says it. It is JSON. */
  receipts: string | null;
  /** The host's own id of the sub-agent; null if the host gave none. */
  hostTaskId: string | null;
  /** How long the run took by the host's measure, in milliseconds. */
  durationMs: number | null;
}

/** A turn waits for its slot or for budget that others have reserved, and its run gives its slot up, if it has one. */
export interface TurnDelayedEvent extends TaskEventBase {
  type: 'turn_delayed';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The host's estimate of its tokens, if it gave one; 0 at the start of the run. */
  estimate: number | null;
  /** US dollars that it is expected to cost, if the host said so. */
  estimateUsd: number | null;
  /** What stays reserved for it, if it returns the dollars of the whole run: others may need no more. */
  reserved: EventAmounts | null;
  /** The borrowed amounts that it returns, if any. */
  loans: EventLoans | null;
  /** The first that applies: `cooldown`, `rate`, `slot` or `budget`; absent if it is not known yet. */
  waitingFor: WaitingFor | null;
  /** What the run is now parked for: `cooldown`, `rate`, or `reentry` for a slot. Absent if that stays the same. */
  parks: ParkReason | null;
  /** Whether it asks for the budget of the whole run. */
  whole: boolean;
}

/** A turn began. */
export interface TurnStartedEvent extends TaskEventBase {
  type: 'turn_started';
  /** The sub-agent. */
  taskId: string | null;
  /** Which run; 0 for a main agent. */
  run: number;
  /** The turn's number, from 1. */
  turn: number;
  /** Whether it is the last one, for wrapping up. */
  wrapUp: boolean;
  /** Why it must wrap up with this turn, if that is new. */
  wrapUpReason: StopReason | null;
  /** Whether this is the one wrap-up turn that its task has in its life. */
  spendsWrapUp: boolean;
  /** Its reservation from now on. The turn itself is spent. */
  reserved: EventAmounts;
  /** The amounts that it borrows, and those that it returns, if any. */
  loans: EventLoans | null;
  /** How many messages that steer it it got: all that had arrived. */
  steers: number;
  /** Sub-agents whose question it has read. */
  questions: (string | null)[];
  /** Whether that is reserved for the whole run, until its end or its next turn; otherwise for this turn. */
  whole: boolean;
}

/** A run, or the main agent of a session, reported what it has used, or how it is doing. It is also recorded if the host of a run is lost. What that host had begun and not reported is then booked. If the host is another process, which may still report it, it stays reserved. */
export interface RunReportedEvent extends TaskEventBase {
  type: 'run_reported';
  /** The sub-agent. */
  taskId: string | null;
  /** Which run; 0 for a main agent. */
  run: number;
  /** Its total usage. */
  usage: EventAmounts;
  /** Dimensions that the report named. */
  reported: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** Its reservation from now on. */
  reserved: EventAmounts;
  /** The amounts that it borrows, and those that it returns, if any. */
  loans: EventLoans | null;
  /** The size of its context in tokens, if it said so. */
  contextTokens: number | null;
  /** Its message. */
  message: string | null;
}

/** A run, or the main agent of a session, has used tokens whose kinds it reported. The event after it books them. */
export interface TokensUsedEvent extends TaskEventBase {
  type: 'tokens_used';
  /** The sub-agent. */
  taskId: string | null;
  /** Which run; 0 for a main agent. */
  run: number;
  /** The model; absent if it is unknown. */
  modelId: string | null;
  /** Its further usage, by kind. */
  kinds: EventKinds;
  /** US dollars by prices; absent if the host reports them itself, or there is no price. */
  costUsd: number | null;
  /** Whether there are prices, and none for its model: its cost is unknown. */
  unpriced: boolean;
  /** How many of these tokens don't count against caps: a part of those read from the cache, as `countCacheReads` says. */
  uncounted: number;
}

/** A policy answered something else than "continue". */
export interface PolicyAnsweredEvent extends TaskEventBase {
  type: 'policy_answered';
  /** About whom; a session for its main agent. */
  taskId: string | null;
  /** Which run; 0 for a main agent. */
  run: number;
  /** The point at which it was asked. */
  point: PolicyPoint;
  /** Its answer. */
  answer: PolicyAnswerName;
  /** Why the run ends, if it does. */
  stopReason: StopReason;
  /** Which policy. */
  policy: string;
  /** What it said: a text for the model, a reason, a report. */
  text: string;
  /** Until when the run has to return, if the answer ends it. */
  until: number | null;
}

/** A policy counted a call. */
export interface CallCountedEvent extends TaskEventBase {
  type: 'call_counted';
  /** The sub-agent. */
  taskId: string | null;
  /** Which run; 0 for a main agent. */
  run: number;
  /** Which policy. */
  policy: string;
}

/** An agent reported its to-dos. */
export interface TodosReportedEvent extends TaskEventBase {
  type: 'todos_reported';
  /** The sub-agent. */
  taskId: string | null;
  /** Which run; 0 for a main agent. */
  run: number;
  /** How many are open. */
  open: number;
  /** The list, as JSON. */
  todos: string;
}

/** A run uses a tool: it may be silent until that is over. */
export interface ToolBeganEvent extends TaskEventBase {
  type: 'tool_began';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The tool's name. */
  tool: string;
}

/** A run has used a tool, or reached the boundary of one and read something. */
export interface ToolEndedEvent extends TaskEventBase {
  type: 'tool_ended';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** How many messages that steer it it got: all that had arrived. */
  steers: number;
  /** Sub-agents whose question it has read. */
  questions: (string | null)[];
}

/** A main agent has answered: its limits begin again. */
export interface MainEndedEvent extends TaskEventBase {
  type: 'main_ended';
  /** Its session. */
  taskId: string | null;
}

/** Something that happened in a manager. */
export type SubAgentEvent =
  | SeededEvent
  | LimitSetEvent
  | DefaultsSetEvent
  | PricesSetEvent
  | RatesSetEvent
  | RateLeftEvent
  | CooldownSetEvent
  | CooldownOverEvent
  | DrainStartedEvent
  | DrainOverranEvent
  | DrainEndedEvent
  | ToolsBlockedEvent
  | ReopenedEvent
  | DefinitionsKnownEvent
  | StoodStillEvent
  | CapSetEvent
  | SessionOpenedEvent
  | MainAgentSetEvent
  | TaskAdmittedEvent
  | ResourceAcquiredEvent
  | ResourceReleasedEvent
  | CancelRequestedEvent
  | CancelSettledEvent
  | TaskEndedEvent
  | TaskResumedEvent
  | EndsCollectedEvent
  | TaskForgottenEvent
  | KeyDroppedEvent
  | ResultReleasedEvent
  | TaskBackgroundedEvent
  | SessionClosedEvent
  | SessionFreedEvent
  | SessionRegisteredEvent
  | MessageQueuedEvent
  | SteersAgainEvent
  | MessagesDroppedEvent
  | QueuePausedEvent
  | QuestionAskedEvent
  | QuestionClosedEvent
  | QuestionDeliveredEvent
  | NoticeMovedEvent
  | RunQueuedEvent
  | RunTakenEvent
  | RunRaisedEvent
  | RunStartedEvent
  | WrapUpRequestedEvent
  | RunParkedEvent
  | RunUnparkedEvent
  | RunReenteredEvent
  | StopRequestedEvent
  | RunEndedEvent
  | RunRetriedEvent
  | CheckpointSavedEvent
  | DataSavedEvent
  | HostReturnedEvent
  | HostAbandonedEvent
  | RunElsewhereEvent
  | RunReturnedEvent
  | TurnDelayedEvent
  | TurnStartedEvent
  | RunReportedEvent
  | TokensUsedEvent
  | PolicyAnsweredEvent
  | CallCountedEvent
  | TodosReportedEvent
  | ToolBeganEvent
  | ToolEndedEvent
  | MainEndedEvent;
