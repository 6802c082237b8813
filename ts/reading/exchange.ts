// Types of a run's exchanges: turns, reports, messages, questions.

import type { StopReason } from '../generated/names.js';
import type { TokenKinds } from '../options/host-result.js';
import type { ReportedTodo } from '../options/todos.js';

export type * from '../snapshots/generated/run.js';

/** The answer of `beforeTurn`. */
export type TurnPermit =
  | {
      go: true;
      /** The turn's number in the run, or since the main agent's last answer, from 1. */
      turn: number;
      /**
       * Texts to put into the conversation before this turn, in order.
       *
       * They are messages that steer the run, questions of its sub-agents, notices of its background ones, and texts of
       * policies.
       */
      inject?: string[];
      /** This turn is the last one: ask the model to sum up. */
      wrapUp?: true;
      /** Why it is the last one. */
      reason?: StopReason;
      /** Tokens reserved for a last turn: less than usual if the budget runs out. */
      tokens?: number;
      /** US dollars reserved for a last turn; 0 if nothing caps them, or no cost of a turn is known. */
      costUsd?: number;
      /** A policy's report on a main agent whose time is over. */
      report?: string;
      message?: undefined;
    }
  | {
      go: false;
      /** Why the run has to end, or has ended. */
      reason: StopReason | 'actor_ended';
      /** The reason, if a policy or a limit of the main agent gives one. */
      message?: string;
      /** The report by which a policy finished it. */
      report?: string;
      turn?: undefined;
      inject?: undefined;
      wrapUp?: undefined;
      tokens?: undefined;
      costUsd?: undefined;
    };

/** What a host expects its next turn to need. An omitted amount is estimated. */
export interface TurnEstimate {
  /** Tokens, input and output together: at least 1. Default: `turnEstimate`, else an estimate from the last turns. */
  tokens?: number | undefined;
  /** US dollars, at least 0. Default: `turnEstimateUsd`, else the cost of the dearest turn so far. */
  costUsd?: number | undefined;
  /**
   * Keeps the budget of the whole run reserved, until its end or its next turn without this.
   *
   * It is for an agent that can't ask before each call of its model. Watch `run.remaining`, and stop the agent at 0.
   * @default false
   */
  whole?: boolean | undefined;
}

/**
 * The report of a run, or of a main agent, while it works: deltas since the last report. The usual names of providers and
 * frameworks are read as well (`prompt_tokens`, `cache_read_input_tokens` …).
 */
export interface RunReport extends TokenKinds {
  /** Tokens, input and output together. Default: the sum of the kinds, if one of them is given. */
  tokens?: number | undefined;
  /** US dollars. Default: the price of the kinds of tokens, if `prices` have the model. */
  costUsd?: number | undefined;
  /** The id of the model that was used. Default: that of the run. */
  modelId?: string | undefined;
  /** Whether some of this is an estimate. The usage of the run then stays marked as one. @default false */
  estimated?: boolean | undefined;
  /** The current size of the context, in tokens. */
  contextTokens?: number | undefined;
  /** What the run is doing; the last message is the partial output if the run is stopped early. */
  message?: string | undefined;
  /** Its current to-do list. */
  todos?: readonly ReportedTodo[] | undefined;
}

/** Which run reads a message: the next one; the open one at its next turn; or the next one, after the open one is stopped. */
export type MessageMode = 'queue' | 'steer' | 'interrupt';

/** Options of `send`. */
export interface SendOptions {
  /** Which run reads the message. @default 'queue' */
  mode?: MessageMode | undefined;
}

/** The outcome of a message so far. Later changes are events; a message that is never delivered is listed as `undelivered`. */
export interface MessageReceipt {
  /**
   * `queued`: it waits. `started`: its run starts. `delivered`: it answered a question.
   *
   * A queued message waits for its run or turn. A run that starts does so as soon as a slot is free, or when the program that
   * drives it calls `start()`.
   */
  receipt: 'queued' | 'started' | 'delivered';
  /** The id of the sub-agent that got it. */
  taskId: string;
}

/** How a question ended. */
export type AskAnswer =
  | { answered: true; answer: string }
  | {
      answered: false;
      /** Why: its time ran out, the run must stop, or its parent has no tool to answer with. */
      reason: 'timeout' | 'stopped' | 'cannot_answer';
    };

/** A run's report of its provider's rate limit. */
export interface RateLimitFields {
  /**
   * Milliseconds until the provider, which refused a call, takes the next one. 0 changes nothing; at most `maxCooldownMs`
   * counts.
   */
  retryAfterMs?: number | undefined;
  /** Remaining requests, as the provider states with each answer. Counts if `rates` have the key. */
  remainingRequests?: number | undefined;
  /** Remaining tokens, as the provider states with each answer. Counts if `rates` have the key. */
  remainingTokens?: number | undefined;
}

/** At least one of these. */
export type RateLimitReport = RateLimitFields & ({ retryAfterMs: number } | { remainingRequests: number } | { remainingTokens: number });
