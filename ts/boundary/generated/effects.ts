// Made by `cargo xtask generate` from the tables in src/; do not edit.

import { STOP_REASONS, TARGET_STATES, type StopReason } from '../../generated/names.js';
import type { Key } from '../key.js';
import type { ViewBytes } from '../view-bytes.js';
import type { WaitedFor } from './commands.js';

/** A run ended badly and is retried under the next number. */
export interface RunRetriedEffect {
  type: 'run_retried';
  /** The task. */
  task: Key;
  /** The number of the ended run. */
  run: number;
  /** Its stop reason. */
  reason: StopReason;
}

/** A wait for a list of targets is over. */
export interface WaitOverEffect {
  type: 'wait_over';
  /** The wait. */
  wait: Key;
  /** Whether its time ran out. */
  timedOut: boolean;
  /** The state of each target, in their order. */
  targets: readonly WaitedFor[];
}

/** A question is over. */
export interface AskDoneEffect {
  type: 'ask_done';
  /** The task. */
  task: Key;
  /** The run's number. */
  run: number;
  /** The answer, if any. */
  answer?: string | undefined;
  /** Whether its time ran out. */
  timedOut: boolean;
}

/** A run's time is over: ask the policies. */
export interface TimedOutEffect {
  type: 'timed_out';
  /** The task. */
  task: Key;
  /** The run's number. */
  run: number;
  /** `timeout` or `idle_timeout`. */
  reason: StopReason;
}

/** A policy took too long to answer. */
export interface ApprovalOverEffect {
  type: 'approval_over';
  /** The task. */
  task: Key;
  /** The run's number. */
  run: number;
}

/** Notify an idle session of waiting notices. */
export interface WakeEffect {
  type: 'wake';
  /** The session. */
  session: Key;
}

/** What the host has to do or to know. */
export type Effect = RunRetriedEffect | WaitOverEffect | AskDoneEffect | TimedOutEffect | ApprovalOverEffect | WakeEffect;

/** Reads an effect. */
export function readEffect(from: ViewBytes): Effect {
  switch (from.byte()) {
    case 0:
      return { type: 'run_retried', task: from.key(), run: from.number(), reason: from.name(STOP_REASONS) };
    case 1:
      return { type: 'wait_over', wait: from.key(), timedOut: from.flag(), targets: from.list(() => ({ state: from.name(TARGET_STATES), question: from.flag() ? from.text() : undefined })) };
    case 2:
      return { type: 'ask_done', task: from.key(), run: from.number(), answer: from.flag() ? from.text() : undefined, timedOut: from.flag() };
    case 3:
      return { type: 'timed_out', task: from.key(), run: from.number(), reason: from.name(STOP_REASONS) };
    case 4:
      return { type: 'approval_over', task: from.key(), run: from.number() };
    case 5:
      return { type: 'wake', session: from.key() };
    default:
      throw new Error('an effect of an unknown kind');
  }
}
