// The types of host.js for those who use this folder alone; see the package for everything else.

import type { Instance, SubAgentCore } from './subagents.js';

/** One manager's side of the boundary. */
export interface Runtime {
  /** The wasm object. */
  readonly core: SubAgentCore;
  /** Lets go of it; nothing works after that. */
  dispose(): void;
}

/** What `spawnSubAgent` gets beside the parameters. */
export interface Run {
  /** The sub-agent's id. */
  readonly taskId: string;
  /** The number of the run in the sub-agent's life, from 1. */
  readonly run: number;
  /** What to work on: the instructions, or the message that this run answers. */
  readonly prompt: string;
  /** Fires when the run has to stop. */
  readonly signal: AbortSignal;
  /** Asks for leave to call the model once more. `tokens`: what that is expected to need. */
  beforeTurn(options?: { tokens?: number }): Promise<{ go: boolean; turn?: number; reason?: string }>;
  /** Reports what was used since the last report: tokens, US dollars, a text of how it goes. */
  report(report: { tokens?: number; costUsd?: number; contextTokens?: number; message?: string }): void;
}

/** Opens a manager in a fresh instance, with the options of a `SubAgentManager`. */
export function open(instance: Instance, options: Readonly<Record<string, unknown>>): Runtime;
