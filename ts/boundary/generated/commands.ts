// Made by `cargo xtask generate` from the tables in src/; do not edit.

import { POLICY_ANSWERS, MESSAGE_MODES, POLICY_POINTS, MESSAGE_RECEIPTS, TASK_STATUSES, STOP_REASONS, TARGET_STATES, type PolicyAnswerName, type MessageMode, type PolicyPoint, type Receipt, type TaskStatus, type StopReason, type TargetState } from '../../generated/names.js';
import type { Amounts, CommandBytes } from '../command-bytes.js';
import type { Key } from '../key.js';
import type { ViewBytes } from '../view-bytes.js';

/** What bounds the main agent's turn. */
export interface Bounds {
  /** Turns. */
  turns: number;
  /** The size of its context in tokens. */
  contextTokens: number;
  /** Milliseconds from its first turn. */
  ms: number;
}

/** A policy's answer. */
export interface Ruling {
  /** The point at which it was asked. */
  point: PolicyPoint;
  /** Its answer. */
  answer: PolicyAnswerName;
  /** Why the run ends, if it does. */
  reason: StopReason;
  /** The policy's name. */
  policy: string;
  /** Its text: for the model, a reason, or a report. */
  text: string;
}

/** What a wait says of one of its targets. */
export interface WaitedFor {
  /** Its status. */
  state: TargetState;
  /** Its question, if it asks one. */
  question?: string | undefined;
}

/** Opens a session, or finds it open. */
export interface OpenSessionCommand {
  type: 'open_session';
  /** Its key. */
  key: string;
}

/** Registers a session from before a restart again: its work continues. */
export interface RegisterSessionCommand {
  type: 'register_session';
  /** The session. */
  session: Key;
}

/** Sets the tools of a session. */
export interface SetToolsCommand {
  type: 'set_tools';
  /** The session. */
  session: Key;
  /** Their names; absent if they aren't known. */
  tools?: readonly string[] | undefined;
}

/** Sets the model of a session; its sub-agents inherit it. */
export interface SetModelCommand {
  type: 'set_model';
  /** The session. */
  session: Key;
  /** The model's id. */
  modelId?: string | undefined;
}

/** Sets the cap of a session. */
export interface SetSessionBudgetCommand {
  type: 'set_session_budget';
  /** The session. */
  session: Key;
  /** Its cap. */
  cap: Amounts;
}

/** Cancels all work in a session, and frees it. */
export interface CloseSessionCommand {
  type: 'close_session';
  /** The session. */
  session: Key;
  /** The stop reason. */
  reason: StopReason;
  /** How long its runs may take to return, in milliseconds. Default: `graceMs`. */
  graceMs?: number | undefined;
}

/** Sets the tools that no sub-agent gets. */
export interface BlockToolsCommand {
  type: 'block_tools';
  /** Their names. */
  tools: readonly string[];
}

/** Sends a message. */
export interface SendCommand {
  type: 'send';
  /** The receiver. */
  task: Key;
  /** When it is delivered. */
  mode: MessageMode;
  /** The message. */
  text: string;
}

/** Stops the run of a task; the task lives on, and its queue waits for the next send. */
export interface InterruptCommand {
  type: 'interrupt';
  /** The task. */
  task: Key;
  /** How long it may take to return, in milliseconds. Default: `graceMs`. */
  graceMs?: number | undefined;
}

/** A run asks its requester, and waits for the answer. */
export interface AskCommand {
  type: 'ask';
  /** The question. */
  question: string;
  /** The maximum wait in milliseconds. Default: `askTimeoutMs`. */
  timeoutMs?: number | undefined;
}

/** Waits for the current runs of tasks. */
export interface WaitCommand {
  type: 'wait';
  /** The tasks; the caller leaves out unknown ids. */
  targets: readonly Key[];
  /** Whether to wait for all targets. */
  all: boolean;
  /** Whether to wait until no target has a message left to run. */
  idle: boolean;
  /** The maximum wait in milliseconds; 0 looks once. Absent for no deadline. */
  timeoutMs?: number | undefined;
}

/**
 * A run waits for its next notice, without its slot, while work that could make one is open. Its wait reports
 * nothing.
 */
export interface AwaitNoticeCommand {
  type: 'await_notice';
}

/** Moves a foreground task to the background, and answers the waits for it. */
export interface MoveToBackgroundCommand {
  type: 'move_to_background';
  /** The task. */
  task: Key;
}

/** The program takes up the queued run of a task that it drives. */
export interface TakeRunCommand {
  type: 'take_run';
  /** The task. */
  task: Key;
}

/** A wait of the program or of a session was opened in the context of a run, which gives up its slot for it. */
export interface WaitsWithinCommand {
  type: 'waits_within';
  /** The wait. */
  wait: Key;
  /** The task of that run. */
  task: Key;
  /** The run's number. */
  run: number;
}

/** Ends a wait, without an effect on sub-agents. */
export interface EndWaitCommand {
  type: 'end_wait';
  /** The wait. */
  wait: Key;
}

/** Cancels a task because the caller of a tool aborted the call that waits for it: its end then has no reader. */
export interface AbortCallCommand {
  type: 'abort_call';
  /** The task. */
  task: Key;
  /** The call's wait, if it is open. */
  wait?: Key | undefined;
  /** Whether the calling session reads its inbox. */
  reads: boolean;
}

/** Cancels a task and all under it. */
export interface CancelCommand {
  type: 'cancel';
  /** The task; a session or the root for all below it. */
  task: Key;
  /** The stop reason. */
  reason: StopReason;
  /** How long its runs may take to return, in milliseconds. Default: `graceMs`. */
  graceMs?: number | undefined;
}

/** Closes a task and all under it. */
export interface CloseCommand {
  type: 'close';
  /** The task. */
  task: Key;
  /** How long its runs may take to return, in milliseconds. Default: `graceMs`. */
  graceMs?: number | undefined;
}

/** Reopens a closed task. */
export interface ResumeCommand {
  type: 'resume';
  /** The task. */
  task: Key;
}

/** Forgets an ended task and all under it. */
export interface ForgetCommand {
  type: 'forget';
  /** The task. */
  task: Key;
}

/** Drops the result of an ended task. */
export interface ReleaseResultCommand {
  type: 'release_result';
  /** The task. */
  task: Key;
}

/** Raises a cap. */
export interface AddBudgetCommand {
  type: 'add_budget';
  /** The owner; the root for the manager's cap. */
  task: Key;
  /** The added amount. */
  amount: Amounts;
}

/** The host has notified a session's main agent of waiting notices. */
export interface WokenCommand {
  type: 'woken';
  /** The session. */
  session: Key;
}

/** The run's host is lost, and another one continues the run. */
export interface ReplaceHostCommand {
  type: 'replace_host';
  /** Whether it continues from the last checkpoint. */
  resumes: boolean;
}

/** Notes whether a started run's host function has been called: a policy may take time before that. */
export interface NoteHostCommand {
  type: 'note_host';
  /** The task. */
  task: Key;
  /** The run's number. */
  run: number;
  /** Whether it has been called. */
  called: boolean;
}

/** The host runs it elsewhere and will report its end by `HostReturned`. */
export interface StartedElsewhereCommand {
  type: 'started_elsewhere';
  /** The task. */
  task: Key;
  /** The run's number. */
  run: number;
}

/** The host gives its own id of a run that it runs elsewhere. */
export interface NameElsewhereCommand {
  type: 'name_elsewhere';
  /** The task. */
  task: Key;
  /** The run's number. */
  run: number;
  /** The host's own id. */
  hostTaskId: string;
}

/** A run met a rate limit, or its provider reported the remaining rate. */
export interface ReportRateLimitCommand {
  type: 'report_rate_limit';
  /** The milliseconds to wait. */
  retryAfterMs: number;
  /** Remaining requests. */
  remainingRequests?: number | undefined;
  /** Remaining tokens. */
  remainingTokens?: number | undefined;
}

/** A run saves its progress. */
export interface CheckpointCommand {
  type: 'checkpoint';
  /** The data, as JSON. */
  data: string;
}

/** A run saves data for the later runs of its task. */
export interface SaveCommand {
  type: 'save';
  /** The data, as JSON. */
  data: string;
}

/** The host is about to acquire a task's resources, or has acquired them. */
export interface AcquireCommand {
  type: 'acquire';
  /** The task. */
  task: Key;
  /** The resources, as JSON; absent before `acquire` is called. */
  data?: string | undefined;
}

/** The host has released a task's resources. */
export interface ReleasedCommand {
  type: 'released';
  /** The number of the release. */
  serial: number;
}

/** Reports a to-do list. */
export interface TodosCommand {
  type: 'todos';
  /** The number of open to-dos. */
  open: number;
  /** The list, as JSON. */
  todos: string;
}

/** A policy gave an answer other than "continue". */
export interface RuleCommand {
  type: 'rule';
  /** Its answer. */
  ruling: Ruling;
}

/** A policy needs time to answer. */
export interface AwaitApprovalCommand {
  type: 'await_approval';
}

/** The policy has answered. */
export interface ApprovedCommand {
  type: 'approved';
  /** Whether the run's host function has not been called yet. */
  starting: boolean;
}

/** A policy counts a call. */
export interface CountCommand {
  type: 'count';
  /** The policy's name. */
  policy: string;
  /** The maximum count. */
  limit: number;
  /** Whether it counts only if to-dos are open. */
  todos: boolean;
}

/** A tool is about to be used. */
export interface BeginToolCommand {
  type: 'begin_tool';
  /** Its name. */
  name: string;
}

/** A tool was used, or the host requests steering messages. */
export interface EndToolCommand {
  type: 'end_tool';
  /** Whether its agent reads messages within the turn. */
  listens: boolean;
}

/** Requests permission for a main agent's next turn. */
export interface BeginMainTurnCommand {
  type: 'begin_main_turn';
  /** Its limits. */
  bounds: Bounds;
}

/** A main agent has answered. */
export interface EndMainCommand {
  type: 'end_main';
}

/** What a manager is asked to do. The receiver knows who speaks. */
export type Command = OpenSessionCommand | RegisterSessionCommand | SetToolsCommand | SetModelCommand | SetSessionBudgetCommand | CloseSessionCommand | BlockToolsCommand | SendCommand | InterruptCommand | AskCommand | WaitCommand | AwaitNoticeCommand | MoveToBackgroundCommand | TakeRunCommand | WaitsWithinCommand | EndWaitCommand | AbortCallCommand | CancelCommand | CloseCommand | ResumeCommand | ForgetCommand | ReleaseResultCommand | AddBudgetCommand | WokenCommand | ReplaceHostCommand | NoteHostCommand | StartedElsewhereCommand | NameElsewhereCommand | ReportRateLimitCommand | CheckpointCommand | SaveCommand | AcquireCommand | ReleasedCommand | TodosCommand | RuleCommand | AwaitApprovalCommand | ApprovedCommand | CountCommand | BeginToolCommand | EndToolCommand | BeginMainTurnCommand | EndMainCommand;

/** Done. */
export interface DoneReply {
  type: 'done';
}

/** The new session or task, or the one that was already there. */
export interface NodeReply {
  type: 'node';
  /** Its key. */
  key: Key;
}

/** A message was accepted. */
export interface SentReply {
  type: 'sent';
  /** The receipt. */
  receipt: Receipt;
}

/** The answer comes with [`Effect::AskDone`](crate::model::effect::Effect::AskDone). */
export interface AskedReply {
  type: 'asked';
}

/** No answer will come. */
export interface UnansweredReply {
  type: 'unanswered';
  /** Whether the run was asked to stop; else its requester has no tool to answer with. */
  stopped: boolean;
}

/** The wait is refused: a target asks a question and waits for the answer. */
export interface NeedsInputReply {
  type: 'needs_input';
}

/** The wait looked once, and its condition was not met. */
export interface NotYetReply {
  type: 'not_yet';
}

/** The turn may begin. */
export interface GoReply {
  type: 'go';
  /** Its number, from 1. */
  turn: number;
  /** Why it is the last turn; absent if it isn't. */
  wrapUp?: StopReason | undefined;
  /** Texts for the conversation before it. */
  inject: readonly string[];
}

/**
 * The turn may begin later; [`Effect::TurnReady`](crate::model::effect::Effect::TurnReady) says when to ask again.
 */
export interface LaterReply {
  type: 'later';
}

/** No further turn. */
export interface StopReply {
  type: 'stop';
  /** The stop reason. */
  reason: StopReason;
}

/** The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone). */
export interface WaitingReply {
  type: 'waiting';
  /** The wait. */
  wait: Key;
}

/** A call was counted. */
export interface CountedReply {
  type: 'counted';
  /** The number of the call; 0 if there was nothing to count. */
  count: number;
  /** The maximum number. */
  limit: number;
}

/** No further call may be counted. */
export interface ExhaustedReply {
  type: 'exhausted';
}

/** The texts that steer the run. */
export interface SteeredReply {
  type: 'steered';
  /** The texts, in order. */
  texts: readonly string[];
}

/** A close was accepted. */
export interface ClosingReply {
  type: 'closing';
  /** The task's previous status. */
  previous: TaskStatus;
  /**
   * The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone); `None` if it is already
   * closed.
   */
  wait?: Key | undefined;
}

/** A wait for a list of targets ended at once, or the wait to end was already over. */
export interface WaitOverReply {
  type: 'wait_over';
  /** Whether it looked once and its condition was not met. */
  timedOut: boolean;
  /** The state of each target, in their order; empty in the reply to `EndWait`. */
  targets: readonly WaitedFor[];
}

/** What it answers, if it isn't refused. */
export type Reply = DoneReply | NodeReply | SentReply | AskedReply | UnansweredReply | NeedsInputReply | NotYetReply | GoReply | LaterReply | StopReply | WaitingReply | CountedReply | ExhaustedReply | SteeredReply | ClosingReply | WaitOverReply;

/** Writes a command. */
export function writeCommand(to: CommandBytes, command: Command): void {
  switch (command.type) {
    case 'open_session':
      to.byte(0);
      to.text(command.key);
      return;
    case 'register_session':
      to.byte(1);
      to.task(command.session);
      return;
    case 'set_tools':
      to.byte(2);
      to.task(command.session);
      if (to.optional(command.tools)) to.list(command.tools, (entry) => { to.text(entry); });
      return;
    case 'set_model':
      to.byte(3);
      to.task(command.session);
      if (to.optional(command.modelId)) to.text(command.modelId);
      return;
    case 'set_session_budget':
      to.byte(4);
      to.task(command.session);
      to.amounts(command.cap);
      return;
    case 'close_session':
      to.byte(5);
      to.task(command.session);
      to.name(STOP_REASONS, command.reason);
      if (to.optional(command.graceMs)) to.number(command.graceMs);
      return;
    case 'block_tools':
      to.byte(6);
      to.list(command.tools, (entry) => { to.text(entry); });
      return;
    case 'send':
      to.byte(10);
      to.task(command.task);
      to.name(MESSAGE_MODES, command.mode);
      to.text(command.text);
      return;
    case 'interrupt':
      to.byte(11);
      to.task(command.task);
      if (to.optional(command.graceMs)) to.number(command.graceMs);
      return;
    case 'ask':
      to.byte(12);
      to.text(command.question);
      if (to.optional(command.timeoutMs)) to.number(command.timeoutMs);
      return;
    case 'wait':
      to.byte(13);
      to.list(command.targets, (entry) => { to.task(entry); });
      to.boolean(command.all);
      to.boolean(command.idle);
      if (to.optional(command.timeoutMs)) to.number(command.timeoutMs);
      return;
    case 'await_notice':
      to.byte(14);
      return;
    case 'move_to_background':
      to.byte(15);
      to.task(command.task);
      return;
    case 'take_run':
      to.byte(16);
      to.task(command.task);
      return;
    case 'waits_within':
      to.byte(17);
      to.task(command.wait);
      to.task(command.task);
      to.number(command.run);
      return;
    case 'end_wait':
      to.byte(18);
      to.task(command.wait);
      return;
    case 'abort_call':
      to.byte(19);
      to.task(command.task);
      if (to.optional(command.wait)) to.task(command.wait);
      to.boolean(command.reads);
      return;
    case 'cancel':
      to.byte(20);
      to.task(command.task);
      to.name(STOP_REASONS, command.reason);
      if (to.optional(command.graceMs)) to.number(command.graceMs);
      return;
    case 'close':
      to.byte(21);
      to.task(command.task);
      if (to.optional(command.graceMs)) to.number(command.graceMs);
      return;
    case 'resume':
      to.byte(22);
      to.task(command.task);
      return;
    case 'forget':
      to.byte(23);
      to.task(command.task);
      return;
    case 'release_result':
      to.byte(24);
      to.task(command.task);
      return;
    case 'add_budget':
      to.byte(25);
      to.task(command.task);
      to.amounts(command.amount);
      return;
    case 'woken':
      to.byte(30);
      to.task(command.session);
      return;
    case 'replace_host':
      to.byte(40);
      to.boolean(command.resumes);
      return;
    case 'note_host':
      to.byte(41);
      to.task(command.task);
      to.number(command.run);
      to.boolean(command.called);
      return;
    case 'started_elsewhere':
      to.byte(42);
      to.task(command.task);
      to.number(command.run);
      return;
    case 'name_elsewhere':
      to.byte(43);
      to.task(command.task);
      to.number(command.run);
      to.text(command.hostTaskId);
      return;
    case 'report_rate_limit':
      to.byte(44);
      to.number(command.retryAfterMs);
      if (to.optional(command.remainingRequests)) to.number(command.remainingRequests);
      if (to.optional(command.remainingTokens)) to.number(command.remainingTokens);
      return;
    case 'checkpoint':
      to.byte(45);
      to.text(command.data);
      return;
    case 'save':
      to.byte(47);
      to.text(command.data);
      return;
    case 'acquire':
      to.byte(48);
      to.task(command.task);
      if (to.optional(command.data)) to.text(command.data);
      return;
    case 'released':
      to.byte(49);
      to.number(command.serial);
      return;
    case 'todos':
      to.byte(46);
      to.number(command.open);
      to.text(command.todos);
      return;
    case 'rule':
      to.byte(50);
      to.name(POLICY_POINTS, command.ruling.point); to.name(POLICY_ANSWERS, command.ruling.answer); to.name(STOP_REASONS, command.ruling.reason); to.text(command.ruling.policy); to.text(command.ruling.text);
      return;
    case 'await_approval':
      to.byte(51);
      return;
    case 'approved':
      to.byte(52);
      to.boolean(command.starting);
      return;
    case 'count':
      to.byte(53);
      to.text(command.policy);
      to.number(command.limit);
      to.boolean(command.todos);
      return;
    case 'begin_tool':
      to.byte(54);
      to.text(command.name);
      return;
    case 'end_tool':
      to.byte(55);
      to.boolean(command.listens);
      return;
    case 'begin_main_turn':
      to.byte(56);
      to.number(command.bounds.turns); to.number(command.bounds.contextTokens); to.number(command.bounds.ms);
      return;
    case 'end_main':
      to.byte(57);
      return;
  }
}

/** Reads a reply. */
export function readReply(from: ViewBytes): Reply {
  switch (from.byte()) {
    case 0:
      return { type: 'done' };
    case 1:
      return { type: 'node', key: from.key() };
    case 2:
      return { type: 'sent', receipt: from.name(MESSAGE_RECEIPTS) };
    case 3:
      return { type: 'asked' };
    case 4:
      return { type: 'unanswered', stopped: from.flag() };
    case 5:
      return { type: 'needs_input' };
    case 6:
      return { type: 'not_yet' };
    case 7:
      return { type: 'go', turn: from.number(), wrapUp: from.flag() ? from.name(STOP_REASONS) : undefined, inject: from.list(() => from.text()) };
    case 8:
      return { type: 'later' };
    case 9:
      return { type: 'stop', reason: from.name(STOP_REASONS) };
    case 10:
      return { type: 'waiting', wait: from.key() };
    case 15:
      return { type: 'counted', count: from.number(), limit: from.number() };
    case 16:
      return { type: 'exhausted' };
    case 17:
      return { type: 'steered', texts: from.list(() => from.text()) };
    case 18:
      return { type: 'closing', previous: from.name(TASK_STATUSES), wait: from.flag() ? from.key() : undefined };
    case 19:
      return { type: 'wait_over', timedOut: from.flag(), targets: from.list(() => ({ state: from.name(TARGET_STATES), question: from.flag() ? from.text() : undefined })) };
    default:
      throw new Error('a reply of an unknown kind');
  }
}
