// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Metadata } from '../../base/metadata.js';
import type { Receipt } from '../../base/receipt.js';
import type { StopReason, TaskStatus } from '../../generated/names.js';
import type { RunUsage } from './task.js';

/** The origin of work, so that its result finds the way back. */
export interface Origin {
  /** The channel by which the work came; must contain no colon. @default 'cli' */
  channel: string;
  /** The conversation on that channel. @default 'direct' */
  chatId: string;
}

/** The spending of a sub-agent, in all its runs, and of all below it. */
export interface SpentInAll {
  /** Tokens; null if none of them reported any. */
  tokens: number | null;
  /** US dollars; null if none of them reported any. */
  costUsd: number | null;
  /** Whether some of it is an estimate, according to a host. */
  estimated: boolean;
}

/** The record of one end of a background run. It is delivered until it is acknowledged, under one id. */
export interface Notice {
  /** `del_` and 48 hex digits: the same at each delivery. */
  deliveryId: string;
  /** The sub-agent's id. */
  taskId: string;
  /** The number of the run in the sub-agent's life, from 1. */
  run: number;
  /** The sub-agent's name for display. */
  label: string;
  /** The sub-agent's nickname; null if it has none. */
  nickname: string | null;
  /** The instructions of the sub-agent's spawn. */
  instructions: string;
  /** The metadata that the program gave at its spawn; null if it gave none. */
  metadata: Metadata | null;
  /** How the run ended. */
  status: TaskStatus;
  /** Why the run ended. */
  stopReason: StopReason;
  /** Its whole output. It is a sub-agent's text: show a model `text` instead. */
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
  /** The run's spending, without that of its sub-agents. */
  usage: RunUsage;
  /** The spending of the sub-agent and its subtree, if more than the run's; null also if another run has begun. */
  spentInAll: SpentInAll | null;
  /** How long the run took, in milliseconds. */
  durationMs: number;
  /** When the run ended, in epoch milliseconds. */
  endedAt: number;
  /** The origin that the spawn gave, or the nearest spawn above. */
  origin: Origin;
  /** The key of the session that the work belongs to; null for the manager's own. */
  sessionKey: string | null;
  /** The sub-agent that had requested the work; null if it still worked. */
  reroutedFrom: string | null;
  /**
   * Its delivery state: an open wait delivers an `awaited` notice; an `undelivered` one returned `maxDeliveries`
   * times.
   */
  delivery: 'pending' | 'awaited' | 'leased' | 'undelivered';
  /** The number of its deliveries, including wake-ups without effect. */
  attempt: number;
  /** When its lease ends unless it is acknowledged, in epoch milliseconds; null if it isn't leased for a time. */
  leasedUntil: number | null;
  /** For a model: who ended how, the task, the output (cut to `inlineBytes`, marked as not the user's), the usage. */
  text: string;
}
