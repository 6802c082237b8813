// A session: one of several main agents that share a manager, its limits and its budget. Owns nothing but
// the name; what a session reaches is its own sub-agents.

import type { Actor, Runtime } from './runtime.js';
import { Scope } from './scope.js';

/** Options of a session. */
export interface SessionOptions {
  /** Names of the tools that its agent has. Default: unknown. */
  tools?: readonly string[];
}

/** One main agent's side of a manager. */
export class Session extends Scope {
  /** The key that it was opened with. */
  readonly key: string;

  /** @internal */
  constructor(runtime: Runtime, actor: Actor, key: string) {
    super(runtime, actor);
    this.key = key;
  }
}
