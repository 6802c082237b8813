// Made by `cargo xtask generate` from the tables in src/; do not edit.

import { STOP_REASONS, TARGET_STATES, type StopReason } from '../../generated/names.js';
import type { Key } from '../key.js';
import type { ViewBytes } from '../view-bytes.js';
import type { WaitedFor } from './commands.js';

/** A run ended badly and is tried again under the next number. */
export interface RunRetriedEffect {
  type: 'run_retried';
  /** Whose. */
  task: Key;
  /** Which run ended. */
  run: number;
  /** Why. */
  reason: StopReason;
}

/** A wait for a list of targets is over. */
export interface WaitOverEffect {
  type: 'wait_over';
  /** Which. */
  wait: Key;
  /** Whether its time ran out. */
  timedOut: boolean;
  /** The state of each of its targets, in their order. */
  targets: readonly WaitedFor[];
}

/** A question is over. */
export interface AskDoneEffect {
  type: 'ask_done';
  /** Whose. */
  task: Key;
  /** Which run. */
  run: number;
  /** The answer, if there was one. */
  answer?: string | undefined;
  /** Whether its time ran out. */
  timedOut: boolean;
}

/** The time of a run is over: policies are asked. */
export interface TimedOutEffect {
  type: 'timed_out';
  /** Whose. */
  task: Key;
  /** Which run. */
  run: number;
  /** Its time, or its silence. */
  reason: StopReason;
}

/** A policy took too long to answer. */
export interface ApprovalOverEffect {
  type: 'approval_over';
  /** About whom. */
  task: Key;
  /** About which run. */
  run: number;
}

/** Notify an idle session that notices wait for it. */
export interface WakeEffect {
  type: 'wake';
  /** Which. */
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
