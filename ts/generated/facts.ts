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

/** The manager got the random seed of its ids and fences. */
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
  /** The new value; US dollars are in billionths. */
  value: number;
}

/** The defaults of new work were set: all of them. */
export interface DefaultsSetEvent extends EventBase {
  type: 'defaults_set';
  /** The cap of a task without one of its own. */
  taskCap: EventAmounts;
  /** How runs are retried if their spawn doesn't set it; absent: not at all. */
  retry: EventRetry | null;
  /** Whether work at the slot limit is refused instead of queued. */
  reject: boolean;
  /** What happens to background work when its parent's run ends well, if its spawn doesn't set it. */
  onParentEnd: OnParentEnd | null;
}

/** The prices of models were set: all of them. */
export interface PricesSetEvent extends EventBase {
  type: 'prices_set';
  /** The prices, in US dollars a million tokens. */
  prices: EventModelPrice[];
}

/** The rates of keys, in requests and tokens per minute, were set: all of them. */
export interface RatesSetEvent extends EventBase {
  type: 'rates_set';
  /** The rates. */
  rates: EventKeyRate[];
}

/** A provider reported the remaining rate of a key. */
export interface RateLeftEvent extends EventBase {
  type: 'rate_left';
  /** The `rateLimitKey`. */
  key: string;
  /** Requests; absent if not reported. */
  requests: number | null;
  /** Tokens; absent if not reported. */
  tokens: number | null;
}

/** A rate limit cools down: work with its key waits. */
export interface CooldownSetEvent extends EventBase {
  type: 'cooldown_set';
  /** The `rateLimitKey`; empty for work without one. */
  key: string;
  /** When it ends. */
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
  /** When it cancels the remaining work. */
  until: number;
  /** Whether queued work that no run waits for is left to the next process that opens the store. */
  leavesQueued: boolean;
}

/** A drain's time ran out; the remaining work is cancelled. */
export interface DrainOverranEvent extends EventBase {
  type: 'drain_overran';
}

/** A drain has nothing left to wait for. */
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

/** The manager was opened from its facts: the host functions and waits of the earlier process are lost, and so is a drain. Notices for those waits become pending. */
export interface ReopenedEvent extends EventBase {
  type: 'reopened';
  /** The salt in the ids of all work from this opening; below 2^53. */
  salt: number;
}

/** The process that reopened the manager gave its definitions. Work that needs others waits. Work of each session with a key waits until the process registers the session. */
export interface DefinitionsKnownEvent extends EventBase {
  type: 'definitions_known';
  /** Names of agents. */
  agents: string[];
  /** Names of profiles. */
  profiles: string[];
}

/** The process stood still, stopped or asleep. Deadlines, questions, silences and leases move by that time. */
export interface StoodStillEvent extends EventBase {
  type: 'stood_still';
  /** The duration in milliseconds. */
  ms: number;
}

/** The cap of a manager, session or task was set. */
export interface CapSetEvent extends TaskEventBase {
  type: 'cap_set';
  /** The manager, session or sub-agent. */
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

/** The program set the tools or the model of a session's main agent. */
export interface MainAgentSetEvent extends TaskEventBase {
  type: 'main_agent_set';
  /** The session. */
  taskId: string | null;
  /** The names of its tools; absent: unknown. */
  tools: string[] | null;
  /** The model's id; absent: unknown. */
  modelId: string | null;
}

/** A sub-agent was admitted. If it has a text, its first run is queued. */
export interface TaskAdmittedEvent extends TaskEventBase {
  type: 'task_admitted';
  /** The new task. */
  taskId: string | null;
  /** The task or session that it works for. */
  parentId: string | null;
  /** The parent's run that spawned it; 0 for a session. */
  parentRun: number;
  /** It runs in the background: its end makes a notice. */
  background: boolean;
  /** A model spawned it by a tool. */
  byModel: boolean;
  /** Its cap for its whole life. */
  cap: EventAmounts;
  /** Its task, in words. */
  text: string;
  /** The spawn's other options, if any. */
  spec: EventSpec | null;
  /** Its requester has no tool to answer with: its questions stay without an answer. */
  unanswerable: boolean;
  /** The place of its first run in the queue; absent if it has none yet. */
  first: EventFirst | null;
  /** Its idempotency key. */
  once: EventKeyUse | null;
}

/** A sub-agent's `acquire` is about to be called, or has returned. */
export interface ResourceAcquiredEvent extends TaskEventBase {
  type: 'resource_acquired';
  /** The sub-agent. */
  taskId: string | null;
  /** Its result, as JSON; absent if it is about to be called. */
  data: string | null;
}

/** `release` was called for the resources of a closed or forgotten sub-agent. */
export interface ResourceReleasedEvent extends EventBase {
  type: 'resource_released';
  /** The number of the release. */
  serial: number;
  /** The id of the sub-agent. */
  owner: string;
}

/** A cancel of the task began, or another joined it: nothing below it starts. If `interrupt` is true, an interrupt stopped runs whose ends need no notice; nothing else is cancelled. */
export interface CancelRequestedEvent extends TaskEventBase {
  type: 'cancel_requested';
  /** The manager, session or sub-agent. */
  taskId: string | null;
  /** The caller: the manager, a session or a sub-agent. */
  by: string | null;
  /** Whether it and all below it end closed. */
  close: boolean;
  /** Whether only its run stops, with that run's foreground work: the task lives on. */
  interrupt: boolean;
  /** Tasks whose ends need no notice, because their receivers ordered these ends. */
  claimed: (string | null)[];
  /** If the caller aborted its call of a tool: whether it reads its inbox. The end is still undelivered. */
  callerReads: boolean | null;
}

/** The cancel of the task is over. */
export interface CancelSettledEvent extends TaskEventBase {
  type: 'cancel_settled';
  /** The manager, session or sub-agent. */
  taskId: string | null;
}

/** A task ended without a run, or was closed that had ended before. */
export interface TaskEndedEvent extends TaskEventBase {
  type: 'task_ended';
  /** The sub-agent. */
  taskId: string | null;
  /** Its status. */
  status: TaskStatus;
  /** Why it ended. */
  stopReason: StopReason;
}

/** A closed task was reopened. */
export interface TaskResumedEvent extends TaskEventBase {
  type: 'task_resumed';
  /** The sub-agent. */
  taskId: string | null;
}

/** The ends of these tasks' last runs were collected. */
export interface EndsCollectedEvent extends EventBase {
  type: 'ends_collected';
  /** The sub-agents. */
  tasks: (string | null)[];
}

/** A task was forgotten; its spending stays with its parent. */
export interface TaskForgottenEvent extends TaskEventBase {
  type: 'task_forgotten';
  /** The sub-agent. */
  taskId: string | null;
}

/** An idempotency key was dropped. */
export interface KeyDroppedEvent extends EventBase {
  type: 'key_dropped';
  /** The task or session in whose scope it was used. */
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

/** A session from before a restart was registered again: its work continues. */
export interface SessionRegisteredEvent extends TaskEventBase {
  type: 'session_registered';
  /** The id of its main agent. */
  taskId: string | null;
}

/** A message arrived and waits: for the current run's end, its next turn or tool boundary, or in the queue. */
export interface MessageQueuedEvent extends TaskEventBase {
  type: 'message_queued';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its last run. */
  run: number;
  /** Its place among the waiting messages. */
  place: MessagePlace;
  /** Its text. */
  text: string;
}

/** The next attempt gets the steering messages of the last attempt, and those that missed it. */
export interface SteersAgainEvent extends TaskEventBase {
  type: 'steers_again';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of the run that gets them. */
  run: number;
  /** The messages that the last attempt read, oldest first; only those after its checkpoint if the next one continues there. */
  texts: string[];
  /** The number of messages that it had not read. They went ahead of the queue at its end. */
  missed: number;
}

/** The last messages, nearly always all, were dropped undelivered. Before that, undelivered steering messages went ahead of the queue. */
export interface MessagesDroppedEvent extends TaskEventBase {
  type: 'messages_dropped';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of dropped messages. */
  count: number;
}

/** A task's messages were paused until the next send, or resumed. */
export interface QueuePausedEvent extends TaskEventBase {
  type: 'queue_paused';
  /** The sub-agent. */
  taskId: string | null;
  /** Whether they are paused. */
  paused: boolean;
}

/** A run asked its requester a question, and is parked for `input` until the answer. */
export interface QuestionAskedEvent extends TaskEventBase {
  type: 'question_asked';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The question. */
  question: string;
  /** When it continues without an answer. */
  until: number | null;
  /** Whether the requester's run was waiting for the task, and so has read the question. */
  delivered: boolean;
}

/** A question was answered, or stays without an answer: the run is no longer parked for it. If no question was open, the run repeated an earlier attempt's question, and got the same answer. */
export interface QuestionClosedEvent extends TaskEventBase {
  type: 'question_closed';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The answer, if any. */
  answer: string | null;
  /** Whether its time ran out. */
  timedOut: boolean;
  /** Parked for instead: `reentry` (a slot) or `cooldown`. Absent if another reason remains, or it has a slot. */
  parks: ParkReason | null;
}

/** The parent's run tried to wait for a task that asks, and so has read its question. */
export interface QuestionDeliveredEvent extends TaskEventBase {
  type: 'question_delivered';
  /** The sub-agent that asks. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
}

/** A notice's delivery changed: it was leased, returned, acknowledged or undelivered, or a wait will deliver it. Or its receiver was woken or replaced, or another actor has read the same end. */
export interface NoticeMovedEvent extends TaskEventBase {
  type: 'notice_moved';
  /** The sub-agent that ended. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The new state of its delivery. */
  delivery: Delivery;
  /** The session or task that owns its inbox: another one if its first receiver no longer runs. */
  to: string | null;
  /** How often it was leased, or its receiver was woken without taking it. */
  attempt: number;
  /** Leased: when it returns; absent if a turn has it. Pending: until when only the woken receiver may take it. */
  until: number | null;
  /** Other sessions or tasks above that got the end by a wait. If any, nothing else changed. */
  deliveredTo: (string | null)[];
}

/** A later run, or an attempt that is due, waits for its slot. */
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
  /** Its message; absent for the first text and for another attempt at the same message. */
  message: string | null;
  /** Why it waits; absent if it starts at once. A due attempt always has a reason. */
  waitingFor: WaitingFor | null;
  /** Its spawn was repeated with `retryEnded`: it is another attempt after a bad end. */
  again: boolean;
}

/** The program took up the queued run of a task that it drives: now the run waits for its slot. */
export interface RunTakenEvent extends TaskEventBase {
  type: 'run_taken';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
}

/** A queued run moves forward, because a run of higher priority waits for it. */
export interface RunRaisedEvent extends TaskEventBase {
  type: 'run_raised';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its new place by priority and age: lower comes first. */
  rank: number;
}

/** A run got its slot and its host function is called. */
export interface RunStartedEvent extends TaskEventBase {
  type: 'run_started';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its maximum of turns. */
  maxTurns: number;
  /** Its soft deadline, in milliseconds of running. */
  timeoutMs: number;
  /** Its maximum silence, in milliseconds. */
  idleTimeoutMs: number;
  /** Its reservation: its budget for the whole run, if anything caps it. */
  reserved: EventAmounts;
  /** The amounts that it borrows and returns, if any. */
  loans: EventLoans | null;
}

/** A run must wrap up. */
export interface WrapUpRequestedEvent extends TaskEventBase {
  type: 'wrap_up_requested';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The reason. */
  stopReason: StopReason;
  /** When it must stop. */
  until: number | null;
}

/** A run can't continue for now and released its slot, if it had one. For a question, a delayed turn or a return, that event replaces this one. */
export interface RunParkedEvent extends TaskEventBase {
  type: 'run_parked';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The reason. */
  why: ParkReason;
  /** The sub-agents that it waits for, if any. While parked, it may start to wait for others. */
  waitsFor: (string | null)[];
}

/** A run's reason to be parked ended. */
export interface RunUnparkedEvent extends TaskEventBase {
  type: 'run_unparked';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The reason that ended. */
  why: ParkReason;
  /** Parked for instead: `reentry` (a slot), `cooldown` or `rate`. Absent if another reason remains, or it has a slot. */
  parks: ParkReason | null;
}

/** A parked run has a slot again. */
export interface RunReenteredEvent extends TaskEventBase {
  type: 'run_reentered';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Whether that exceeded the manager's limit. */
  overLimit: boolean;
  /** Its new reservation, if its next turn is reserved. */
  reserved: EventAmounts | null;
  /** The amounts that it borrows for that and returns, if any. */
  loans: EventLoans | null;
}

/** A run must stop. */
export interface StopRequestedEvent extends TaskEventBase {
  type: 'stop_requested';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The reason. */
  stopReason: StopReason;
  /** The status that its end will have. */
  status: TaskStatus;
  /** When it ends, even if its host function hasn't returned. */
  until: number;
}

/** A run ended. Its open question stays without an answer, and undelivered steering messages go ahead of the queue. */
export interface RunEndedEvent extends TaskEventBase {
  type: 'run_ended';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its status. */
  status: TaskStatus;
  /** Why it ended. */
  stopReason: StopReason;
  /** Whether the output is unfinished: the run was stopped or broke off. */
  partial: boolean;
  /** Whether its host function is still running. */
  hostOpen: boolean;
  /** Whether the output was cut at `maxResultBytes`. */
  cut: boolean;
  /** Whether a wait has already returned it. */
  collected: boolean;
  /** Its total usage. */
  usage: EventAmounts;
  /** Dimensions that the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** The amounts that it borrowed for its usage and returns, if any. */
  loans: EventLoans | null;
  /** Its output. */
  output: string;
  /** The run's error; null if there was none. */
  error: string | null;
  /** The host's own word for how the run ended; null if it gave none. */
  hostStatus: string | null;
  /** The artifacts that the run made besides its output. It is JSON. */
  artifacts: string | null;
  /** The value for the spawn's `schema`; null if it has none, or the run did not complete. It is JSON. */
  value: string | null;
  /** The effects of the run's tool calls, in order, as its agent's protocol reports them. It is JSON. */
  receipts: string | null;
  /** The host's own id of the sub-agent; null if the host gave none. */
  hostTaskId: string | null;
  /** The run's duration as its host measured it, in milliseconds. */
  durationMs: number | null;
  /** When its host function is abandoned; absent if it has returned or is never abandoned. */
  abandonAt: number | null;
  /** If the run never started: whether its message returns to the queue instead of being dropped. Absent otherwise. */
  messageRequeued: boolean | null;
  /** Its notice, if it was a background run. */
  notice: EventNewNotice | null;
}

/** A run ended badly and is retried under the next number. Waits for it continue. */
export interface RunRetriedEvent extends TaskEventBase {
  type: 'run_retried';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The number of attempts so far. */
  attempt: number;
  /** Why it ended. */
  stopReason: StopReason;
  /** Its error. */
  error: string | null;
  /** The host's own word for how it ended. */
  hostStatus: string | null;
  /** Its total usage. */
  usage: EventAmounts;
  /** Dimensions that the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** The amounts that it borrowed for its usage and returns, if any. */
  loans: EventLoans | null;
  /** When it is retried. */
  until: number;
}

/** A run saved its progress. If its process is lost, it may continue from there. */
export interface CheckpointSavedEvent extends TaskEventBase {
  type: 'checkpoint_saved';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The progress, as JSON. */
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
  /** Its total usage; absent, because unknown, if its task has run again. */
  usage: EventAmounts | null;
  /** Dimensions that the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** The amounts that it borrowed for its usage and returns, if any. */
  loans: EventLoans | null;
  /** Its late output. */
  lateResult: string | null;
}

/** The host function of an ended run was abandoned. */
export interface HostAbandonedEvent extends TaskEventBase {
  type: 'host_abandoned';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its total usage: its reservation counts as used. */
  usage: EventAmounts;
}

/** The host carries out the run elsewhere and will report its end. Recorded again if the host gives its own id for the run. */
export interface RunElsewhereEvent extends TaskEventBase {
  type: 'run_elsewhere';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The host's own id, if it gave one. */
  hostTaskId: string | null;
}

/** A host function completed; its run ends once the sub-agents that it waits for have settled. */
export interface RunReturnedEvent extends TaskEventBase {
  type: 'run_returned';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** Its total usage. */
  usage: EventAmounts;
  /** Dimensions that the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** The amounts that it borrowed for its usage and returns, if any. */
  loans: EventLoans | null;
  /** Its output. */
  output: string;
  /** The run's error; null if there was none. */
  error: string | null;
  /** The host's own word for how the run ended; null if it gave none. */
  hostStatus: string | null;
  /** The artifacts that the run made besides its output. It is JSON. */
  artifacts: string | null;
  /** The value for the spawn's `schema`; null if it has none, or the run did not complete. It is JSON. */
  value: string | null;
  /** The effects of the run's tool calls, in order, as its agent's protocol reports them. It is JSON. */
  receipts: string | null;
  /** The host's own id of the sub-agent; null if the host gave none. */
  hostTaskId: string | null;
  /** The run's duration as its host measured it, in milliseconds. */
  durationMs: number | null;
}

/** A turn waits for its slot or for budget that others have reserved. Its run releases its slot, if it has one. */
export interface TurnDelayedEvent extends TaskEventBase {
  type: 'turn_delayed';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The host's estimate of its tokens, if it gave one; 0 at the start of the run. */
  estimate: number | null;
  /** The host's estimate of its cost in US dollars, if it gave one. */
  estimateUsd: number | null;
  /** The rest of its reservation, if it returns the dollars of the whole run: others may need no more. */
  reserved: EventAmounts | null;
  /** The borrowed amounts that it returns, if any. */
  loans: EventLoans | null;
  /** The first that applies: `cooldown`, `rate`, `slot` or `budget`; absent if not known yet. */
  waitingFor: WaitingFor | null;
  /** The new reason to be parked: `cooldown`, `rate`, or `reentry` for a slot. Absent if it stays the same. */
  parks: ParkReason | null;
  /** Whether it needs the budget of the whole run. */
  whole: boolean;
}

/** A turn began. */
export interface TurnStartedEvent extends TaskEventBase {
  type: 'turn_started';
  /** The sub-agent; a session for its main agent. */
  taskId: string | null;
  /** The number of its run; 0 for a main agent. */
  run: number;
  /** The turn's number, from 1. */
  turn: number;
  /** Whether it is the last turn, for wrapping up. */
  wrapUp: boolean;
  /** Why it must wrap up with this turn, if new. */
  wrapUpReason: StopReason | null;
  /** Whether this is the only wrap-up turn in its task's life. */
  spendsWrapUp: boolean;
  /** Its new reservation. The turn itself is spent. */
  reserved: EventAmounts;
  /** The amounts that it borrows and returns, if any. */
  loans: EventLoans | null;
  /** The number of steering messages that it got: all that had arrived. */
  steers: number;
  /** Sub-agents whose questions it has read. */
  questions: (string | null)[];
  /** Whether the reservation is for the whole run, until its end or next turn; otherwise for this turn. */
  whole: boolean;
}

/** A run, or the main agent of a session, reported usage or progress. Also recorded if a run's host is lost: unreported work is then booked. If the host is another process, which may still report it, it stays reserved. */
export interface RunReportedEvent extends TaskEventBase {
  type: 'run_reported';
  /** The sub-agent; a session for its main agent. */
  taskId: string | null;
  /** The number of its run; 0 for a main agent. */
  run: number;
  /** Its total usage. */
  usage: EventAmounts;
  /** Dimensions that the report named. */
  reported: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions whose report was invalid. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
  /** Its new reservation. */
  reserved: EventAmounts;
  /** The amounts that it borrows and returns, if any. */
  loans: EventLoans | null;
  /** The size of its context in tokens, if reported. */
  contextTokens: number | null;
  /** Its progress message, if any. */
  message: string | null;
}

/** A run, or the main agent of a session, reported used tokens by kind. The next event books them. */
export interface TokensUsedEvent extends TaskEventBase {
  type: 'tokens_used';
  /** The sub-agent; a session for its main agent. */
  taskId: string | null;
  /** The number of its run; 0 for a main agent. */
  run: number;
  /** The model; absent if it is unknown. */
  modelId: string | null;
  /** The new usage, by kind. */
  kinds: EventKinds;
  /** US dollars by prices; absent if the host reports them itself, or a price is missing. */
  costUsd: number | null;
  /** Whether there are prices, but none for its model: its cost is unknown. */
  unpriced: boolean;
  /** The tokens that don't count against caps: a part of the cache reads, by `countCacheReads`. */
  uncounted: number;
}

/** A policy gave an answer other than "continue". */
export interface PolicyAnsweredEvent extends TaskEventBase {
  type: 'policy_answered';
  /** The sub-agent; a session for its main agent. */
  taskId: string | null;
  /** The number of its run; 0 for a main agent. */
  run: number;
  /** The point at which it was asked. */
  point: PolicyPoint;
  /** Its answer. */
  answer: PolicyAnswerName;
  /** Why the run ends, if it does. */
  stopReason: StopReason;
  /** The policy's name. */
  policy: string;
  /** Its text: for the model, a reason, or a report. */
  text: string;
  /** When the run must have returned, if the answer ends it. */
  until: number | null;
}

/** A policy counted a call. */
export interface CallCountedEvent extends TaskEventBase {
  type: 'call_counted';
  /** The sub-agent; a session for its main agent. */
  taskId: string | null;
  /** The number of its run; 0 for a main agent. */
  run: number;
  /** The policy's name. */
  policy: string;
}

/** An agent reported its to-dos. */
export interface TodosReportedEvent extends TaskEventBase {
  type: 'todos_reported';
  /** The sub-agent; a session for its main agent. */
  taskId: string | null;
  /** The number of its run; 0 for a main agent. */
  run: number;
  /** The number of open to-dos. */
  open: number;
  /** The list, as JSON. */
  todos: string;
}

/** A run uses a tool: it may be silent until the tool is done. */
export interface ToolBeganEvent extends TaskEventBase {
  type: 'tool_began';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The tool's name. */
  tool: string;
}

/** A run has used a tool, or read messages or questions at a tool boundary. */
export interface ToolEndedEvent extends TaskEventBase {
  type: 'tool_ended';
  /** The sub-agent. */
  taskId: string | null;
  /** The number of its run, from 1. */
  run: number;
  /** The number of steering messages that it got: all that had arrived. */
  steers: number;
  /** Sub-agents whose questions it has read. */
  questions: (string | null)[];
}

/** A main agent has answered: its limits start again. */
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
