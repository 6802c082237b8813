// The types of host.js for users of this folder alone; see the package for everything else. Owns the members of a run there,
// written by hand, since this folder imports nothing else; `tests/types/bare.ts` compares it with the package's own types.

import type { Instance, SubAgentCore } from './subagents.js';

/** One manager's side of the boundary. */
export interface Runtime {
  /** The wasm object. */
  readonly core: SubAgentCore;
  /** Releases it; nothing works after that. */
  dispose(): void;
}

/** The answer of `beforeTurn`. */
export type TurnPermit =
  | {
      go: true;
      /** The turn's number in the run, from 1. */
      turn: number;
      /** Texts to put into the conversation before this turn, in order. */
      inject?: string[];
      /** This turn is the last one: ask the model to sum up. */
      wrapUp?: true;
      /** Why it is the last one. */
      reason?: string;
      /** Tokens reserved for a last turn. */
      tokens?: number;
      /** US dollars reserved for a last turn. */
      costUsd?: number;
    }
  | {
      go: false;
      /** Why the run has to end, or has ended. */
      reason: string;
      /** The message of the policy or limit that ends it. */
      message?: string;
    };

/** A report of a run in progress: deltas since the last report. */
export interface RunReport {
  /** Tokens, input and output together. Default: the sum of the two below, if one of them is given. */
  tokens?: number;
  /** Tokens that the model read. */
  inputTokens?: number;
  /** Tokens that the model wrote. */
  outputTokens?: number;
  /** US dollars. */
  costUsd?: number;
  /** The current size of the context, in tokens. */
  contextTokens?: number;
  /** The current activity of the run. */
  message?: string;
  /** Its current to-do list. */
  todos?: readonly { content: string; status?: string }[];
}

/** The second argument of `spawnSubAgent`, after the parameters. */
export interface Run {
  /** The sub-agent's id. */
  readonly taskId: string;
  /** The number of the run in the sub-agent's life, from 1. */
  readonly run: number;
  /** The work: the instructions, or the message that this run answers. */
  readonly prompt: string;
  /** Fires when the run has to stop. */
  readonly signal: AbortSignal;
  /** Asks for leave to call the model again. `tokens` and `costUsd`: its expected need. `whole`: keeps the budget of the whole run. */
  beforeTurn(options?: { tokens?: number; costUsd?: number; whole?: boolean }): Promise<TurnPermit>;
  /** Reports usage since the last report, and progress. */
  report(report: RunReport): void;
}

/** Opens a manager in a fresh instance, with the options of a `SubAgentManager`. */
export function open(instance: Instance, options: Readonly<Record<string, unknown>>): Runtime;
