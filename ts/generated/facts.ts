// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Metadata } from '../metadata.js';
import type { OnParentEnd, ParkReason, PolicyAnswerName, PolicyPoint, StopReason, TaskStatus, WaitingFor } from './names.js';

/** What every event has. */
export interface EventBase {
  /** Counts up by one, from 1. */
  seq: number;
  /** When it happened, in epoch milliseconds. */
  at: number;
}

/** An amount of each thing that a budget bounds. */
export interface EventAmounts {
  tokens: number;
  costUsd: number;
  turns: number;
}

/** What a sub-agent was given beside its text. */
export interface EventSpec {
  label: string | null;
  nickname: string | null;
  contextHint: string | null;
  tools: string[] | null;
  systemPrompt: string | null;
  profile: string | null;
  modelId: string | null;
  sourceAgentId: string | null;
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
}

/** How runs that ended badly are tried again. */
export interface EventRetry {
  max: number;
  backoffMs: number;
  on: StopReason[];
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
  /** The new value. */
  value: number;
}

/** The cap of a manager, session or task was set. */
export interface CapSetEvent extends EventBase {
  type: 'cap_set';
  /** Whose. */
  taskId: string | null;
  /** The new cap. */
  cap: EventAmounts;
}

/** What happens to work at the slot limit was set. */
export interface AdmissionSetEvent extends EventBase {
  type: 'admission_set';
  /** Refuse instead of queueing. */
  reject: boolean;
}

/** The default cap of a task was set. */
export interface TaskCapSetEvent extends EventBase {
  type: 'task_cap_set';
  /** The new default. */
  cap: EventAmounts;
}

/** How runs are tried again where their spawn doesn't say was set. */
export interface RetrySetEvent extends EventBase {
  type: 'retry_set';
  /** The new default; absent: not at all. */
  retry: EventRetry | null;
}

/** A session began. */
export interface SessionOpenedEvent extends EventBase {
  type: 'session_opened';
  /** Its node. */
  taskId: string | null;
  /** Its name. */
  name: string;
}

/** The tools of a session were told. */
export interface ToolsSetEvent extends EventBase {
  type: 'tools_set';
  /** Which session. */
  taskId: string | null;
  /** Their names; absent: unknown. */
  tools: string[] | null;
}

/** The model of a session was told. */
export interface ModelSetEvent extends EventBase {
  type: 'model_set';
  /** Which session. */
  taskId: string | null;
  /** The model's id; absent: unknown. */
  modelId: string | null;
}

/** A sub-agent was admitted. */
export interface TaskAdmittedEvent extends EventBase {
  type: 'task_admitted';
  /** The new task. */
  taskId: string | null;
  /** The task or session that it works for. */
  parentId: string | null;
  /** The parent's run that asked for it; 0 for a session. */
  parentRun: number;
  /** Nobody waits for it: its end makes a notice. */
  background: boolean;
  /** Driven by `markRunning` and its like instead of a host function. */
  manual: boolean;
  /** A model asked for it by a tool. */
  byModel: boolean;
  /** What it may spend in its life. */
  cap: EventAmounts;
  /** What it was asked to do. */
  text: string;
  /** What else it was given, where anything was. */
  spec: EventSpec | null;
}

/** A manual task, or the program for its session, set tokens aside. */
export interface ReserveChangedEvent extends EventBase {
  type: 'reserve_changed';
  /** Whose. */
  taskId: string | null;
  /** Tokens now set aside. */
  tokens: number;
}

/** A message arrived that has to wait for the current run to end, or for the queue to go on. */
export interface MessageQueuedEvent extends EventBase {
  type: 'message_queued';
  /** For whom. */
  taskId: string | null;
  /** Whether it interrupts, and so goes ahead of the queue, after those that interrupted before. */
  ahead: boolean;
  /** What it says. */
  text: string;
}

/** Messages were dropped undelivered: the last ones, nearly always all. */
export interface MessagesDroppedEvent extends EventBase {
  type: 'messages_dropped';
  /** Whose. */
  taskId: string | null;
  /** How many. */
  count: number;
}

/** A run ends before it started, and nobody has heard its message. */
export interface MessageUnheardEvent extends EventBase {
  type: 'message_unheard';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** Whether the message waits again, ahead of the queue; else it is dropped undelivered. */
  again: boolean;
}

/** A run waits for its slot. */
export interface RunQueuedEvent extends EventBase {
  type: 'run_queued';
  /** Whose. */
  taskId: string | null;
  /** Which. */
  run: number;
  /** Its place by priority and age: lower goes first. */
  rank: number;
  /** Its place between parents of the same rank: lower goes first. */
  round: number;
  /** The message that it answers; absent for the first text. */
  message: string | null;
  /** What it waits for as it is queued; absent where it starts at once. */
  waitingFor: WaitingFor | null;
}

/** A queued run comes forward, because a run of higher priority waits for it. */
export interface RunRaisedEvent extends EventBase {
  type: 'run_raised';
  /** Whose. */
  taskId: string | null;
  /** Which. */
  run: number;
  /** Its place by priority and age from now on: lower goes first. */
  rank: number;
}

/** A run got its slot and its host function is called. */
export interface RunStartedEvent extends EventBase {
  type: 'run_started';
  /** Whose. */
  taskId: string | null;
  /** Which. */
  run: number;
  /** Turns that it may take. */
  maxTurns: number;
  /** Its soft deadline, in milliseconds of running. */
  timeoutMs: number;
  /** How long it may be silent, in milliseconds. */
  idleTimeoutMs: number;
}

/** Budget set aside for a run changed. */
export interface HoldChangedEvent extends EventBase {
  type: 'hold_changed';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** What is set aside now. */
  hold: EventAmounts;
  /** Whether it is still the hold for the whole run. */
  whole: boolean;
}

/** A run lent a part of its hold to a run of a child. */
export interface HoldLentEvent extends EventBase {
  type: 'hold_lent';
  /** Who lent. */
  taskId: string | null;
  /** Which run lent. */
  run: number;
  /** Who borrowed. */
  borrower: string | null;
  /** How much. */
  amount: EventAmounts;
}

/** A part of a hold that had been lent came back. */
export interface HoldReturnedEvent extends EventBase {
  type: 'hold_returned';
  /** Who had lent. */
  taskId: string | null;
  /** Which run had lent. */
  run: number;
  /** Who had borrowed. */
  borrower: string | null;
  /** Which run had borrowed. */
  borrowerRun: number;
  /** How much came back. */
  amount: EventAmounts;
}

/** A turn waits for its slot or for budget that others hold. */
export interface TurnDelayedEvent extends EventBase {
  type: 'turn_delayed';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** Tokens that the turn is expected to need, if the host said so. */
  estimate: number | null;
}

/** The host reported usage. */
export interface UsageReportedEvent extends EventBase {
  type: 'usage_reported';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** Dimensions reported: 1 tokens, 2 cost, 4 turns. */
  reported: number;
  /** Dimensions whose report was invalid: 1 tokens, 2 cost, 4 turns. */
  invalid: number;
}

/** A task got the one wrap-up turn of its life. */
export interface WrapUpSpentEvent extends EventBase {
  type: 'wrap_up_spent';
  /** Whose. */
  taskId: string | null;
}

/** A turn began. */
export interface TurnStartedEvent extends EventBase {
  type: 'turn_started';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** The turn's number, from 1. */
  turn: number;
  /** Whether it is the last one, for wrapping up. */
  wrapUp: boolean;
}

/** Usage was booked. */
export interface UsageBookedEvent extends EventBase {
  type: 'usage_booked';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** What was spent. */
  amount: EventAmounts;
}

/** The host left dimensions out, or reported ones that can't be. */
export interface UsageDoubtedEvent extends EventBase {
  type: 'usage_doubted';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** Dimensions that the host did not report: 1 tokens, 2 cost, 4 turns. */
  unknown: number;
  /** Dimensions whose report was invalid: 1 tokens, 2 cost, 4 turns. */
  invalid: number;
}

/** A run told how it is doing. */
export interface ProgressReportedEvent extends EventBase {
  type: 'progress_reported';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** The size of its context in tokens, if it said so. */
  contextTokens: number | null;
  /** What it said. */
  message: string | null;
}

/** A run was told to wrap up. */
export interface WrapUpToldEvent extends EventBase {
  type: 'wrap_up_told';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** Why. */
  reason: StopReason;
  /** When it is told to stop. */
  until: number | null;
}

/** A run can't go on for now and gave its slot up, if it held one. */
export interface RunParkedEvent extends EventBase {
  type: 'run_parked';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** Why. */
  why: ParkReason;
}

/** What a run was parked for is over; it waits for a slot unless it takes one. */
export interface RunUnparkedEvent extends EventBase {
  type: 'run_unparked';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** What is over. */
  why: ParkReason;
}

/** A run that was parked has a slot again. */
export interface RunReenteredEvent extends EventBase {
  type: 'run_reentered';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** Whether that put the manager over its limit. */
  overLimit: boolean;
}

/** A run was told to stop. */
export interface StopRequestedEvent extends EventBase {
  type: 'stop_requested';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** Why. */
  reason: StopReason;
  /** How it will be recorded. */
  status: TaskStatus;
  /** When it ends even if its host function hasn't returned. */
  until: number;
}

/** A run ended. */
export interface RunEndedEvent extends EventBase {
  type: 'run_ended';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** How. */
  status: TaskStatus;
  /** Why. */
  reason: StopReason;
  /** Whether the output is what had been done when it was stopped. */
  partial: boolean;
  /** Whether its host function is still running. */
  hostOpen: boolean;
  /** Whether the output was cut at `maxResultBytes`. */
  cut: boolean;
  /** Whether somebody who waited has it already. */
  collected: boolean;
  /** What it produced. */
  output: string;
  /** What went wrong. */
  error: string | null;
  /** The host's own word for how it ended. */
  hostStatus: string | null;
  /** The host's own id. */
  hostTaskId: string | null;
  /** What it made beside its output, as JSON. */
  artifacts: string | null;
  /** Its value, as JSON: what a schema asked for. */
  value: string | null;
  /** How long it took by the host's measure, in milliseconds. */
  durationMs: number | null;
  /** When its host function is given up, if it is still running. */
  abandonAt: number;
}

/** A run ended badly and is tried again under the next number: who waits for it waits on. */
export interface RunRetriedEvent extends EventBase {
  type: 'run_retried';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** How many attempts there have been. */
  attempt: number;
  /** Why it ended. */
  reason: StopReason;
  /** What went wrong. */
  error: string | null;
  /** The host's own word for how it ended. */
  hostStatus: string | null;
  /** When it is tried again. */
  until: number;
}

/** The time of an attempt has come: it waits for a slot. */
export interface RetryDueEvent extends EventBase {
  type: 'retry_due';
  /** Whose. */
  taskId: string | null;
  /** Which run it will be. */
  run: number;
  /** Its place in the queue. */
  rank: number;
  /** The round of its parent's that it stands in. */
  round: number;
}

/** The host function of an ended run returned, or the run was reported once more. */
export interface HostReturnedEvent extends EventBase {
  type: 'host_returned';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** What it returned too late. */
  lateResult: string | null;
}

/** The host function of an ended run was given up. */
export interface HostAbandonedEvent extends EventBase {
  type: 'host_abandoned';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
}

/** The host runs it somewhere else and will report its end. */
export interface RunElsewhereEvent extends EventBase {
  type: 'run_elsewhere';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
}

/** The host said by which id it knows a run that it runs somewhere else. */
export interface RunNamedEvent extends EventBase {
  type: 'run_named';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** The host's own id. */
  hostTaskId: string;
}

/** A cancel of the task is under way: nothing under it starts any more. */
export interface CancelRequestedEvent extends EventBase {
  type: 'cancel_requested';
  /** Whose. */
  taskId: string | null;
  /** Who asked for it. */
  by: string | null;
}

/** The cancel of the task is over. */
export interface CancelSettledEvent extends EventBase {
  type: 'cancel_settled';
  /** Whose. */
  taskId: string | null;
}

/** A task ended without a run. */
export interface TaskEndedEvent extends EventBase {
  type: 'task_ended';
  /** Which. */
  taskId: string | null;
  /** How. */
  status: TaskStatus;
  /** Why. */
  reason: StopReason;
}

/** A closed task was reopened. */
export interface TaskResumedEvent extends EventBase {
  type: 'task_resumed';
  /** Which. */
  taskId: string | null;
}

/** The end of a task's last run was collected. */
export interface EndCollectedEvent extends EventBase {
  type: 'end_collected';
  /** Which. */
  taskId: string | null;
}

/** A task was forgotten; what it spent stays with its parent. */
export interface TaskForgottenEvent extends EventBase {
  type: 'task_forgotten';
  /** Which. */
  taskId: string | null;
}

/** Somebody waits. */
export interface WaitOpenedEvent extends EventBase {
  type: 'wait_opened';
  /** The wait. */
  wait: number;
  /** Who waits. */
  taskId: string | null;
  /** The run that waits; 0 where it is the program or a session. */
  run: number;
  /** Whether for all of them. */
  all: boolean;
  /** Whether for the settling of whole subtrees, after a cancel. */
  subtree: boolean;
  /** Whether each has to have no message left to run, too. */
  idle: boolean;
  /** Whether it tells of each of them; else of the one alone. */
  listed: boolean;
  /** Whom it waits for. */
  target: string | null;
  /** Which of its runs. */
  targetRun: number;
  /** Whom else it waits for. */
  others: (string | null)[];
  /** Which of their runs. */
  otherRuns: number[];
  /** When it ends at the latest. */
  until: number | null;
}

/** A wait is over. */
export interface WaitClosedEvent extends EventBase {
  type: 'wait_closed';
  /** Which. */
  wait: number;
  /** Whether its time ran out. */
  timedOut: boolean;
}

/** The run that waited is over; what it waits for is told to its host all the same, and collects nothing. */
export interface WaitLeftEvent extends EventBase {
  type: 'wait_left';
  /** The wait. */
  wait: number;
}

/** An idempotency key was used for the first time. */
export interface KeyUsedEvent extends EventBase {
  type: 'key_used';
  /** The task that it stands for. */
  taskId: string | null;
  /** The task or session that used it. */
  scope: string | null;
  /** The key. */
  key: string;
  /** A number made from the parameters: other ones have another. */
  digest: number;
  /** Until when it answers. */
  until: number;
}

/** An idempotency key is remembered no longer. */
export interface KeyDroppedEvent extends EventBase {
  type: 'key_dropped';
  /** The task or session that had used it. */
  scope: string | null;
  /** The key. */
  key: string;
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

/** The result of an ended task was released; the task is still there. */
export interface ResultReleasedEvent extends EventBase {
  type: 'result_released';
  /** Whose. */
  taskId: string | null;
}

/** A foreground task goes on in the background: its end makes a notice. */
export interface TaskBackgroundedEvent extends EventBase {
  type: 'task_backgrounded';
  /** Which. */
  taskId: string | null;
}

/** A message arrived for the next turn or tool boundary of a run. */
export interface MessageSteeredEvent extends EventBase {
  type: 'message_steered';
  /** For whom. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** What it says. */
  text: string;
}

/** A run got the messages that steer it: all that had arrived. */
export interface SteersDeliveredEvent extends EventBase {
  type: 'steers_delivered';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** How many. */
  count: number;
}

/** A run ended before it got the messages that steer it: they go ahead of the queue. */
export interface SteersMissedEvent extends EventBase {
  type: 'steers_missed';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** How many. */
  count: number;
}

/** The messages of a task wait for the next send, or go on. */
export interface QueueHeldEvent extends EventBase {
  type: 'queue_held';
  /** Whose. */
  taskId: string | null;
  /** Whether they wait. */
  held: boolean;
}

/** A run asked whoever asked for it, and waits for the answer. */
export interface QuestionAskedEvent extends EventBase {
  type: 'question_asked';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** What it asks. */
  question: string;
  /** When it goes on without an answer. */
  until: number | null;
  /** Whether the run that asked for it waited for it, and so knows. */
  told: boolean;
}

/** A question is over. */
export interface QuestionClosedEvent extends EventBase {
  type: 'question_closed';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** The answer; absent where there was none. */
  answer: string | null;
  /** Whether its time ran out. */
  timedOut: boolean;
}

/** The run that asked for a task was told of its question. */
export interface QuestionToldEvent extends EventBase {
  type: 'question_told';
  /** Whose question. */
  taskId: string | null;
  /** Which run asks. */
  run: number;
}

/** Whoever asked for a task has no tool to answer it with: its questions stay without an answer. */
export interface AnswersBarredEvent extends EventBase {
  type: 'answers_barred';
  /** Whose. */
  taskId: string | null;
}

/** The end of a background run made a notice. */
export interface NoticeMadeEvent extends EventBase {
  type: 'notice_made';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
  /** In whose inbox it is. */
  to: string | null;
  /** For whom it would have been, had that one still been at work. */
  reroutedFrom: string | null | null;
  /** Whether whom it is for knows the end already, so that nothing has to be delivered. */
  acked: boolean;
  /** Whether an open wait of whom it is for will hand it over. */
  awaited: boolean;
}

/** A notice was handed out; it returns unless it is acknowledged. */
export interface NoticeLeasedEvent extends EventBase {
  type: 'notice_leased';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
  /** How often it has been handed out now. */
  attempt: number;
  /** When it returns; absent where the turn that got it answers for it. */
  until: number | null;
}

/** A notice was acknowledged and is kept no longer. */
export interface NoticeAckedEvent extends EventBase {
  type: 'notice_acked';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
}

/** A notice that was handed out can be delivered again. */
export interface NoticeReturnedEvent extends EventBase {
  type: 'notice_returned';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
}

/** Whom a notice waits for was woken for it, or didn't take it when woken: that counts as one time more. */
export interface NoticeWokenEvent extends EventBase {
  type: 'notice_woken';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
  /** How often it has been handed out, or in vain been woken for, now. */
  attempt: number;
  /** Until when it may be taken; absent where that time is over. */
  until: number | null;
}

/** A notice was handed out too often; it stays readable. */
export interface NoticeSetAsideEvent extends EventBase {
  type: 'notice_set_aside';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
}

/** Whom a notice was for is no longer at work; it went to the next above. */
export interface NoticeReroutedEvent extends EventBase {
  type: 'notice_rerouted';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
  /** In whose inbox it is now. */
  to: string | null;
}

/** Somebody whom a notice is not for was told the end by waiting: it needs no notice any more to know it. */
export interface NoticeHeardEvent extends EventBase {
  type: 'notice_heard';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
  /** Who was told: a session or task above. */
  by: string | null;
}

/** An open wait of whom a notice is for will hand it over. */
export interface NoticeAwaitedEvent extends EventBase {
  type: 'notice_awaited';
  /** Whose end. */
  taskId: string | null;
  /** Which run's. */
  run: number;
}

/** Whom the end of a run is for has ordered it, and needs no notice of it. */
export interface EndClaimedEvent extends EventBase {
  type: 'end_claimed';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
}

/** A drain began. */
export interface DrainStartedEvent extends EventBase {
  type: 'drain_started';
  /** When it cancels what still runs. */
  until: number;
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

/** A policy answered something else than "continue". */
export interface PolicyAnsweredEvent extends EventBase {
  type: 'policy_answered';
  /** About whom; a session for its main agent. */
  taskId: string | null;
  /** Which run; 0 for a main agent. */
  run: number;
  /** Where it was asked. */
  point: PolicyPoint;
  /** What it answered. */
  answer: PolicyAnswerName;
  /** Why the run ends, where it does. */
  reason: StopReason;
  /** Which policy. */
  policy: string;
  /** What it said: a text for the model, a reason, a report. */
  text: string;
  /** Until when the run has to return, where the answer ends it. */
  until: number | null;
}

/** A policy counted a call. */
export interface CallCountedEvent extends EventBase {
  type: 'call_counted';
  /** Whose. */
  taskId: string | null;
  /** Which run; 0 for a main agent. */
  run: number;
  /** Which policy. */
  policy: string;
}

/** An agent told what it has to do. */
export interface TodosReportedEvent extends EventBase {
  type: 'todos_reported';
  /** Whose. */
  taskId: string | null;
  /** Which run; 0 for a main agent. */
  run: number;
  /** How many are open. */
  open: number;
  /** The list, as JSON. */
  todos: string;
}

/** A run uses a tool: it may be silent until that is over. */
export interface ToolBeganEvent extends EventBase {
  type: 'tool_began';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** The tool's name. */
  tool: string;
}

/** A run has used a tool. */
export interface ToolEndedEvent extends EventBase {
  type: 'tool_ended';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
}

/** The tools that no sub-agent gets were set. */
export interface ToolsBlockedEvent extends EventBase {
  type: 'tools_blocked';
  /** Their names. */
  tools: string[];
}

/** A main agent began a turn. */
export interface MainTurnStartedEvent extends EventBase {
  type: 'main_turn_started';
  /** Its session. */
  taskId: string | null;
  /** The turn's number, from 1. */
  turn: number;
  /** Whether it is the last one, for summing up. */
  wrapUp: boolean;
}

/** A main agent has answered: what bounds it begins anew. */
export interface MainEndedEvent extends EventBase {
  type: 'main_ended';
  /** Its session. */
  taskId: string | null;
}

/** A close of the task is under way: what is under it ends closed. */
export interface CloseRequestedEvent extends EventBase {
  type: 'close_requested';
  /** Whose. */
  taskId: string | null;
  /** Who asked for it. */
  by: string | null;
}

/** A task was closed that had ended before. */
export interface TaskClosedEvent extends EventBase {
  type: 'task_closed';
  /** Which. */
  taskId: string | null;
  /** Why. */
  reason: StopReason;
}

/** A host function returned well; its run ends once the sub-agents that it waits for have settled. */
export interface RunReturnedEvent extends EventBase {
  type: 'run_returned';
  /** Whose. */
  taskId: string | null;
  /** Which run. */
  run: number;
  /** What it produced. */
  output: string;
  /** The host's own word for how it ended. */
  hostStatus: string | null;
  /** The host's own id. */
  hostTaskId: string | null;
  /** What it made beside its output, as JSON. */
  artifacts: string | null;
  /** Its value, as JSON: what a schema asked for. */
  value: string | null;
  /** How long it took by the host's measure, in milliseconds. */
  durationMs: number | null;
}

/** A session was closed; it is kept until the host functions under it have returned. */
export interface SessionClosedEvent extends EventBase {
  type: 'session_closed';
  /** Its node. */
  taskId: string | null;
}

/** A closed session is no longer kept. */
export interface SessionFreedEvent extends EventBase {
  type: 'session_freed';
  /** Its node. */
  taskId: string | null;
}

/** What the manual style may set aside was changed. */
export interface PoolSetEvent extends EventBase {
  type: 'pool_set';
  /** How many tokens its pool has. */
  tokens: number;
  /** What a task gets of it that names no number of its own. */
  taskTokens: number;
}

/** The manager was opened from its facts: the host functions and waits of before are gone, and so is a drain. */
export interface ReopenedEvent extends EventBase {
  type: 'reopened';
}

/** Something that happened in a manager. */
export type SubAgentEvent =
  | SeededEvent
  | LimitSetEvent
  | CapSetEvent
  | AdmissionSetEvent
  | TaskCapSetEvent
  | RetrySetEvent
  | SessionOpenedEvent
  | ToolsSetEvent
  | ModelSetEvent
  | TaskAdmittedEvent
  | ReserveChangedEvent
  | MessageQueuedEvent
  | MessagesDroppedEvent
  | MessageUnheardEvent
  | RunQueuedEvent
  | RunRaisedEvent
  | RunStartedEvent
  | HoldChangedEvent
  | HoldLentEvent
  | HoldReturnedEvent
  | TurnDelayedEvent
  | UsageReportedEvent
  | WrapUpSpentEvent
  | TurnStartedEvent
  | UsageBookedEvent
  | UsageDoubtedEvent
  | ProgressReportedEvent
  | WrapUpToldEvent
  | RunParkedEvent
  | RunUnparkedEvent
  | RunReenteredEvent
  | StopRequestedEvent
  | RunEndedEvent
  | RunRetriedEvent
  | RetryDueEvent
  | HostReturnedEvent
  | HostAbandonedEvent
  | RunElsewhereEvent
  | RunNamedEvent
  | CancelRequestedEvent
  | CancelSettledEvent
  | TaskEndedEvent
  | TaskResumedEvent
  | EndCollectedEvent
  | TaskForgottenEvent
  | WaitOpenedEvent
  | WaitClosedEvent
  | WaitLeftEvent
  | KeyUsedEvent
  | KeyDroppedEvent
  | CooldownSetEvent
  | CooldownOverEvent
  | ResultReleasedEvent
  | TaskBackgroundedEvent
  | MessageSteeredEvent
  | SteersDeliveredEvent
  | SteersMissedEvent
  | QueueHeldEvent
  | QuestionAskedEvent
  | QuestionClosedEvent
  | QuestionToldEvent
  | AnswersBarredEvent
  | NoticeMadeEvent
  | NoticeLeasedEvent
  | NoticeAckedEvent
  | NoticeReturnedEvent
  | NoticeWokenEvent
  | NoticeSetAsideEvent
  | NoticeReroutedEvent
  | NoticeHeardEvent
  | NoticeAwaitedEvent
  | EndClaimedEvent
  | DrainStartedEvent
  | DrainOverranEvent
  | DrainEndedEvent
  | PolicyAnsweredEvent
  | CallCountedEvent
  | TodosReportedEvent
  | ToolBeganEvent
  | ToolEndedEvent
  | ToolsBlockedEvent
  | MainTurnStartedEvent
  | MainEndedEvent
  | CloseRequestedEvent
  | TaskClosedEvent
  | RunReturnedEvent
  | SessionClosedEvent
  | SessionFreedEvent
  | PoolSetEvent
  | ReopenedEvent;
