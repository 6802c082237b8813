// What a framework under test brings along, and how a fake model gets what to say. Owns the shapes; each
// framework's folder fills them with its real package and its own fake model.

import type { AgentTools, Run, SpawnSubAgent } from 'subagents';

/** What a fake model is given. */
export interface Request {
  /** Everything that it sees, as JSON. */
  seen: string;
  /** Names of its tools. */
  tools: string[];
  /** What its answer is asked to be like, where the framework has a way of its own to say so. */
  format?: unknown;
  /** Fires when its call is aborted. */
  signal: AbortSignal | undefined;
}

/** What a fake model says. */
export interface Said {
  text?: string;
  calls?: { name: string; args: Record<string, unknown> /** What the model wrote in place of the JSON of `args`. */; written?: string }[];
  /** Tokens that it reports. */
  tokens?: number;
  /** Tokens that it read from the provider's cache. */
  cached?: number;
  /** The framework's word for how the turn ended. Default: as it should. */
  finish?: string;
  /** The provider's word for that. */
  raw?: string;
  /** What the framework's message has besides. */
  beside?: Record<string, unknown>;
}

export type Think = (request: Request) => Said | Promise<Said>;

/** A tool as a test says it; each framework makes its own of it. */
export interface PlainTool {
  name: string;
  description: string;
  /** Takes `{ path: string }`. */
  run: (args: { path: string }) => Promise<string>;
}

export interface LeadOptions {
  /** Ours, for the framework's main agent. */
  tools: AgentTools;
  think: Think;
  prompt: string;
  /** The framework's own way of aborting. */
  signal?: AbortSignal;
  /** Gets what the framework passes on of a sub-agent's progress, as JSON. */
  onProgress: (progress: string) => void;
}

export interface HostOptions {
  /** What the model of a run says. */
  think: (run: Run) => Think;
  tools: PlainTool[];
  /** Whether sub-agents may have sub-agents. */
  delegates: boolean;
}

export interface Framework {
  name: string;
  /** Runs the framework's main agent with our tools until it has nothing more to do; gives what it said last. */
  lead?: (options: LeadOptions) => Promise<string>;
  /** It calls one tool after the other: in parallel is only what is in the background. */
  sequential?: true;
  /** What its model may write as the arguments of a call; the framework reads them, not its provider. */
  written?: string[];
  /** Why no progress can be seen, where the framework has no way for it. */
  noProgress?: string;
  /** Runs the framework's agents as sub-agents. */
  host?: (options: HostOptions) => SpawnSubAgent;
  /** Why a message can't be delivered in mid-run. */
  noSteering?: string;
  /** Why its agents can't be asked for a value. */
  noSchema?: string;
  /** What only this framework has, and what must be true of it. */
  own?: Record<string, () => Promise<void>>;
}

/** The JSON Schema of `PlainTool.run`. */
export const PATH_SCHEMA = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
  additionalProperties: false,
} as const;

let calls = 0;
/** An id for a call of a tool. */
export function callId(): string {
  calls += 1;
  return `call_${calls}`;
}

/** Never resolves; rejects as fetch does when the signal fires. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(new DOMException('This operation was aborted', 'AbortError'));
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
  });
}
