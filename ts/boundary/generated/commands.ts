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
  /** Which policy. */
  policy: string;
  /** What it said: a text for the model, a reason, a report. */
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

/** Registers a session again that was there before a restart: its work goes on. */
export interface RegisterSessionCommand {
  type: 'register_session';
  /** Which. */
  session: Key;
}

/** Sets the tools of a session. */
export interface SetToolsCommand {
  type: 'set_tools';
  /** Which session. */
  session: Key;
  /** Their names; absent if they aren't known. */
  tools?: readonly string[] | undefined;
}

/** Sets the model of a session; its sub-agents inherit it. */
export interface SetModelCommand {
  type: 'set_model';
  /** Which session. */
  session: Key;
  /** The model's id. */
  modelId?: string | undefined;
}

/** Sets the cap of a session. */
export interface SetSessionBudgetCommand {
  type: 'set_session_budget';
  /** Which session. */
  session: Key;
  /** Its cap. */
  cap: Amounts;
}

/** Cancels what is under a session, and frees it. */
export interface CloseSessionCommand {
  type: 'close_session';
  /** Which. */
  session: Key;
  /** Why. */
  reason: StopReason;
  /** How long its runs have to return, in milliseconds. Default: `graceMs`. */
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
  /** To whom. */
  task: Key;
  /** When it is delivered. */
  mode: MessageMode;
  /** What. */
  text: string;
}

/** Stops the run of a task; the task lives on, and its queue waits for the next send. */
export interface InterruptCommand {
  type: 'interrupt';
  /** Whose. */
  task: Key;
  /** How long it has to return, in milliseconds. Default: `graceMs`. */
  graceMs?: number | undefined;
}

/** A run asks its requester, and waits for the answer. */
export interface AskCommand {
  type: 'ask';
  /** What. */
  question: string;
  /** For how many milliseconds at most. Default: `askTimeoutMs`. */
  timeoutMs?: number | undefined;
}

/** Waits for the current runs of tasks. */
export interface WaitCommand {
  type: 'wait';
  /** Which; ids that aren't there are left out by the caller. */
  targets: readonly Key[];
  /** Whether for all of them. */
  all: boolean;
  /** Whether until none of them has a message left to run. */
  idle: boolean;
  /** For how many milliseconds at most; 0 looks once. Absent for no deadline. */
  timeoutMs?: number | undefined;
}

/**
 * A run waits for its next notice, with whatever could make one: it gives up its slot. Its wait reports nothing.
 */
export interface AwaitNoticeCommand {
  type: 'await_notice';
}

/** Lets a foreground task go on in the background, and answers the waits for it. */
export interface MoveToBackgroundCommand {
  type: 'move_to_background';
  /** Which. */
  task: Key;
}

/** The program takes up the queued run of a task that it drives. */
export interface TakeRunCommand {
  type: 'take_run';
  /** Whose. */
  task: Key;
}

/** A wait of the program or of a session was opened in the context of a run, which gives its slot up for it. */
export interface WaitsWithinCommand {
  type: 'waits_within';
  /** Which wait. */
  wait: Key;
  /** Whose context. */
  task: Key;
  /** Which run's. */
  run: number;
}

/** Ends a wait; it touches no sub-agent. */
export interface EndWaitCommand {
  type: 'end_wait';
  /** Which. */
  wait: Key;
}

/**
 * Cancels a task because a tool's call that waits for it was aborted by its own caller: its end has no reader then.
 */
export interface AbortCallCommand {
  type: 'abort_call';
  /** Which. */
  task: Key;
  /** The call's wait, where it is open. */
  wait?: Key | undefined;
  /** Whether the session that called reads its inbox. */
  reads: boolean;
}

/** Cancels a task and all under it. */
export interface CancelCommand {
  type: 'cancel';
  /** Which; a session or the root for all under it. */
  task: Key;
  /** Why. */
  reason: StopReason;
  /** How long its runs have to return, in milliseconds. Default: `graceMs`. */
  graceMs?: number | undefined;
}

/** Closes a task and all under it. */
export interface CloseCommand {
  type: 'close';
  /** Which. */
  task: Key;
  /** How long its runs have to return, in milliseconds. Default: `graceMs`. */
  graceMs?: number | undefined;
}

/** Reopens a closed task. */
export interface ResumeCommand {
  type: 'resume';
  /** Which. */
  task: Key;
}

/** Forgets an ended task and all under it. */
export interface ForgetCommand {
  type: 'forget';
  /** Which. */
  task: Key;
}

/** Lets go of the result of an ended task. */
export interface ReleaseResultCommand {
  type: 'release_result';
  /** Whose. */
  task: Key;
}

/** Raises a cap. */
export interface AddBudgetCommand {
  type: 'add_budget';
  /** Whose; the root for the manager's. */
  task: Key;
  /** By how much. */
  amount: Amounts;
}

/** The host has reported to the main agent of a session that notices wait for it. */
export interface WokenCommand {
  type: 'woken';
  /** Which session. */
  session: Key;
}

/** The host that carried the run on is lost, and another one goes on with it. */
export interface ReplaceHostCommand {
  type: 'replace_host';
  /** It goes on from the last checkpoint. */
  resumes: boolean;
}

/**
 * Whether the host function of a run that has begun is called by now: a policy may be asked before that takes its
 * time.
 */
export interface NoteHostCommand {
  type: 'note_host';
  /** Whose run. */
  task: Key;
  /** Which run. */
  run: number;
  /** Whether it is called. */
  called: boolean;
}

/** The host runs it somewhere else and will report its end by `HostReturned`. */
export interface StartedElsewhereCommand {
  type: 'started_elsewhere';
  /** Whose. */
  task: Key;
  /** Which run. */
  run: number;
}

/** The host says by which id it knows a run that it runs somewhere else. */
export interface NameElsewhereCommand {
  type: 'name_elsewhere';
  /** Whose. */
  task: Key;
  /** Which run. */
  run: number;
  /** The host's own id. */
  hostTaskId: string;
}

/** A run met a rate limit, or its provider said what is left. */
export interface ReportRateLimitCommand {
  type: 'report_rate_limit';
  /** How many milliseconds to wait. */
  retryAfterMs: number;
  /** Requests that are left. */
  remainingRequests?: number | undefined;
  /** Tokens that are left. */
  remainingTokens?: number | undefined;
}

/** A run saves how far its work is. */
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

/** The host is about to acquire what a task needs, or has. */
export interface AcquireCommand {
  type: 'acquire';
  /** Whose. */
  task: Key;
  /** What was acquired, as JSON; absent if it is about to be. */
  data?: string | undefined;
}

/** The host has released what a task had acquired. */
export interface ReleasedCommand {
  type: 'released';
  /** The number of the release. */
  serial: number;
}

/** Reports a to-do list. */
export interface TodosCommand {
  type: 'todos';
  /** How many are open. */
  open: number;
  /** The list, as JSON. */
  todos: string;
}

/** A policy answered something else than "continue". */
export interface RuleCommand {
  type: 'rule';
  /** Its answer. */
  ruling: Ruling;
}

/** A policy takes its time. */
export interface AwaitApprovalCommand {
  type: 'await_approval';
}

/** The policy has answered. */
export interface ApprovedCommand {
  type: 'approved';
  /** The run's host function has not been called yet. */
  starting: boolean;
}

/** A policy counts a call. */
export interface CountCommand {
  type: 'count';
  /** Which policy. */
  policy: string;
  /** How often it may count. */
  limit: number;
  /** Only where to-dos are open. */
  todos: boolean;
}

/** A tool is about to be used. */
export interface BeginToolCommand {
  type: 'begin_tool';
  /** Its name. */
  name: string;
}

/** A tool was used, or the host asks what steers the run. */
export interface EndToolCommand {
  type: 'end_tool';
  /** The host has its agent read messages within the turn. */
  listens: boolean;
}

/** A main agent asks for leave to call its model once more. */
export interface BeginMainTurnCommand {
  type: 'begin_main_turn';
  /** Within what. */
  bounds: Bounds;
}

/** A main agent has answered. */
export interface EndMainCommand {
  type: 'end_main';
}

/** What a manager is asked to do. The receiver knows who speaks. */
export type Command = OpenSessionCommand | RegisterSessionCommand | SetToolsCommand | SetModelCommand | SetSessionBudgetCommand | CloseSessionCommand | BlockToolsCommand | SendCommand | InterruptCommand | AskCommand | WaitCommand | AwaitNoticeCommand | MoveToBackgroundCommand | TakeRunCommand | WaitsWithinCommand | EndWaitCommand | AbortCallCommand | CancelCommand | CloseCommand | ResumeCommand | ForgetCommand | ReleaseResultCommand | AddBudgetCommand | WokenCommand | ReplaceHostCommand | NoteHostCommand | StartedElsewhereCommand | NameElsewhereCommand | ReportRateLimitCommand | CheckpointCommand | SaveCommand | AcquireCommand | ReleasedCommand | TodosCommand | RuleCommand | AwaitApprovalCommand | ApprovedCommand | CountCommand | BeginToolCommand | EndToolCommand | BeginMainTurnCommand | EndMainCommand;

/** Done; there is nothing to say. */
export interface DoneReply {
  type: 'done';
}

/** A session or task is there. */
export interface NodeReply {
  type: 'node';
  /** Which. */
  key: Key;
}

/** A message was taken. */
export interface SentReply {
  type: 'sent';
  /** What became of it. */
  receipt: Receipt;
}

/** The answer comes with [`Effect::AskDone`](crate::model::effect::Effect::AskDone). */
export interface AskedReply {
  type: 'asked';
}

/** No answer will come. */
export interface UnansweredReply {
  type: 'unanswered';
  /** The run was asked to stop; else its requester has no tool to answer with. */
  stopped: boolean;
}

/** There is nothing to wait for: one of the targets waits for an answer itself. */
export interface NeedsInputReply {
  type: 'needs_input';
}

/** The wait was to look once, and what it was for has not come. */
export interface NotYetReply {
  type: 'not_yet';
}

/** The turn may be made. */
export interface GoReply {
  type: 'go';
  /** Its number, from 1. */
  turn: number;
  /** Whether it is the last one, and why. */
  wrapUp?: StopReason | undefined;
  /** What goes into the conversation before it. */
  inject: readonly string[];
}

/**
 * The turn may be made later; [`Effect::TurnReady`](crate::model::effect::Effect::TurnReady) says when to ask
 * again.
 */
export interface LaterReply {
  type: 'later';
}

/** No turn any more. */
export interface StopReply {
  type: 'stop';
  /** Why. */
  reason: StopReason;
}

/** The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone). */
export interface WaitingReply {
  type: 'waiting';
  /** Which wait. */
  wait: Key;
}

/** A call was counted. */
export interface CountedReply {
  type: 'counted';
  /** Which one it was; 0 where there was nothing to count. */
  count: number;
  /** How many there may be. */
  limit: number;
}

/** No call more may be counted. */
export interface ExhaustedReply {
  type: 'exhausted';
}

/** The texts that steer the run. */
export interface SteeredReply {
  type: 'steered';
  /** In order. */
  texts: readonly string[];
}

/** A close was taken. */
export interface ClosingReply {
  type: 'closing';
  /** Where the task stood. */
  previous: TaskStatus;
  /**
   * The answer comes with [`Effect::WaitDone`](crate::model::effect::Effect::WaitDone); `None` where it is closed by
   * now.
   */
  wait?: Key | undefined;
}

/** A wait for a list of targets was over at once, or one to be ended was over already. */
export interface WaitOverReply {
  type: 'wait_over';
  /** Whether it was to look once, and what it was for has not come. */
  timedOut: boolean;
  /** Where each of its targets stands, in their order; none for one to be ended. */
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
