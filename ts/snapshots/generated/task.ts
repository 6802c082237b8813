// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Metadata } from '../../base/metadata.js';
import type { Receipt, StoredMustHave } from '../../base/receipt.js';
import type { OnParentEnd, ParkReason, StopReason, TaskStatus, WaitingFor } from '../../generated/names.js';

/** The spending of a run. */
export interface RunUsage {
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars. */
  costUsd: number;
  /** Turns that it took. */
  turns: number;
  /** All tokens that the model read, cached ones included. Null, like every kind, if not reported. */
  inputTokens: number | null;
  /** All tokens that the model wrote, reasoning included. */
  outputTokens: number | null;
  /** The part of `inputTokens` that was read from the provider's cache. */
  cacheReadTokens: number | null;
  /** The part of `inputTokens` that was written to the provider's cache. */
  cacheWriteTokens: number | null;
  /** The part of `cacheWriteTokens` that the cache keeps for an hour, which costs more. */
  cacheWrite1hTokens: number | null;
  /** The part of `outputTokens` that the model wrote to reason. */
  reasoningTokens: number | null;
  /** Whether the host marked some of this as an estimate. */
  estimated: boolean;
  /** Dimensions that the host did not report. */
  unknown: ('tokens' | 'costUsd' | 'turns')[];
  /** Dimensions whose report was invalid: their reservation is booked. */
  invalid: ('tokens' | 'costUsd' | 'turns')[];
}

/** The reservation of a run. */
export interface RunReservation {
  /** Tokens, input and output together. */
  tokens: number;
  /** US dollars. */
  costUsd: number;
  /** Turns. */
  turns: number;
}

/** A run that has ended, and whose host function has not returned. */
export interface LingeringRun {
  /** Its number. */
  run: number;
  /** Its host function was abandoned: it no longer holds a slot or budget. */
  abandoned: boolean;
  /** It had a slot at its end, and holds it until its host function returns or is abandoned. */
  holdsSlot: boolean;
  /** Its spending so far. */
  usage: RunUsage;
  /** Its reservation, until its host function returns or is abandoned. */
  reserved: RunReservation;
}

/** One dimension of a budget. */
export interface BudgetDimension {
  /** The cap; `Infinity` if there is none. */
  cap: number;
  /** Its spending, with that of its sub-agents. */
  spent: number;
  /** The reservation for work in flight. */
  reserved: number;
  /** The rest that may be spent, within the caps above it too. */
  available: number;
  /** By how much the spent and reserved budget exceeds the cap: the manager books every report. */
  overspent: number;
}

/** A budget: its cap, its spending, and its reservations. */
export interface BudgetAccount {
  /** In tokens. */
  tokens: BudgetDimension;
  /** In US dollars. */
  costUsd: BudgetDimension;
  /** In turns. */
  turns: BudgetDimension;
}

/** A sub-agent at one moment. Instants are epoch milliseconds, or null. */
export interface TaskSnapshot {
  /** The sub-agent's id: the `taskId` of its spawn, else `sub_` and 32 hex digits. */
  taskId: string;
  /** The sub-agent that spawned it; null if the program or a session did. */
  parentId: string | null;
  /** The key of the session that it belongs to; null for the manager's own. */
  sessionKey: string | null;
  /** A name for display: the label of its spawn, else the beginning of its text. */
  label: string;
  /** The nickname of its spawn; null if it has none. */
  nickname: string | null;
  /** Its status. */
  status: TaskStatus;
  /** Why it is running without a slot; null if it has one, or is not running. */
  parked: ParkReason | null;
  /** Its reason to wait if its work has not begun, else null; of several reasons, the first of `WAITING_FOR`. */
  waitingFor: WaitingFor | null;
  /** A cancel of it is in progress. */
  cancelRequested: boolean;
  /** Why its last run ended; null before an end. */
  stopReason: StopReason | null;
  /** The option that raises the limit at which its last run ended, such as `maxTurns`; else null. */
  raisedBy: string | null;
  /** It runs in the background: its end makes a notice. */
  background: boolean;
  /** Its depth; 1 below the main agent. */
  depth: number;
  /** The number of its last run; 0 if there was none. */
  run: number;
  /** Turns of its last run. */
  turns: number;
  /** The text of its spawn; empty if it was spawned without one. */
  instructions: string;
  /** The context that was given besides the text; empty if there was none. */
  contextHint: string;
  /** The output of its last run: a sub-agent's text, not the user's. */
  output: string;
  /** The output is unfinished: the run was stopped or broke off. */
  partial: boolean;
  /** The output was cut at `maxResultBytes`. */
  truncated: boolean;
  /** The run's error; null if there was none. */
  error: string | null;
  /** The host's own word for how the run ended; null if it gave none. */
  hostStatus: string | null;
  /** The artifacts that the run made besides its output. */
  artifacts: Record<string, unknown>[];
  /** The value for the spawn's `schema`; null if it has none, or the run did not complete. */
  value: unknown;
  /** The effects of the run's tool calls, in order, as its agent's protocol reports them. */
  receipts: Receipt[];
  /** The host's own id for it; null if the host gave none. */
  hostTaskId: string | null;
  /** The host function of an ended run has not returned. */
  hostStillRunning: boolean;
  /** Its runs that have ended and whose host function has not returned, the last one first. */
  lingering: LingeringRun[];
  /** The late output, from its host function or `reportSettled` after the end; null if none came. */
  lateResult: string | null;
  /** Its last progress message; null if it sent none. */
  progress: string | null;
  /** The size of its context as last reported, in tokens; null if it was not reported. */
  contextTokens: number | null;
  /** Names of the tools that it may use; null if neither its parent nor its spawn named any. */
  tools: string[] | null;
  /** The system prompt of its spawn, or of its definition; null if its profile makes one. */
  systemPrompt: string | null;
  /** The profile that makes its system prompt if none was given. */
  profile: string;
  /** The model's id; null if none is known. */
  modelId: string | null;
  /** The effort of its model; null if neither its spawn nor its definition sets it. */
  effort: string | null;
  /** The name of the definition that it was spawned from; null if there was none. */
  agent: string | null;
  /** The metadata that the program gave at its spawn; null if it gave none. */
  metadata: Metadata | null;
  /** Commands that its agent must have run after its last change of a file; null if its spawn requires none. */
  mustHave: StoredMustHave[] | null;
  /** The rate limit that it shares with others; null if its spawn named none. */
  rateLimitKey: string | null;
  /** Tools that its definition forbids; null if it forbids none. */
  disallowedTools: string[] | null;
  /** Its last result was released, and `output` is empty. */
  released: boolean;
  /** The format of its result's text. */
  format: 'text' | 'json';
  /** The report of a policy that finished its last run, or ran on its timeout; null if there is none. */
  report: string | null;
  /** Turns that each of its runs may take; `Infinity` if there is no limit. */
  maxTurns: number;
  /** The number of messages that wait for it. */
  queueSize: number;
  /** Its open question: a message to it is the answer. Null if it asks none. */
  question: string | null;
  /** Messages and texts that reached no run, oldest first: all since its last run, up to 100 from before. */
  undelivered: string[];
  /** The beginnings of the first three messages that wait for it, 100 characters each. */
  queuedPreview: string[];
  /** The last text for it, including waiting messages; null if there was none. */
  lastInput: string | null;
  /** The last output of any of its runs; null if none had one. */
  lastOutput: string | null;
  /** What happens to it when the run that spawned it ends well. */
  onParentEnd: OnParentEnd;
  /** When it was spawned. */
  createdAt: number | null;
  /** When its last run started; null before that. */
  startedAt: number | null;
  /** When its last run ended; null before that. */
  endedAt: number | null;
  /** When it last changed. */
  updatedAt: number | null;
  /** How long the last run took so far, in milliseconds, by the host's measure if given; null before its start. */
  durationMs: number | null;
  /** The spending of the last run, without that of its sub-agents; `budget` includes that. */
  usage: RunUsage;
  /** The cap, the spending and the reservations of it and its sub-agents, over its life. */
  budget: BudgetAccount;
}
