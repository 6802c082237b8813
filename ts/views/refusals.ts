// What tells of a request that was refused: it changed nothing, so no event does. Owns the shape.

import type { SubAgentErrorCode } from '../generated/errors.js';

/** A request that was refused. It changed nothing, so it is no event, and no store keeps it. */
export interface Refusal {
  /** The number of the last event when it was refused; 0 before the first. */
  readonly seq: number;
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** What was asked for. */
  readonly operation: 'spawn' | 'send';
  /** The error's code, from a closed list. */
  readonly code: SubAgentErrorCode;
  /** Why, in words: the error's message. */
  readonly message: string;
  /** The sub-agent that asked; null where that was the program or a session. */
  readonly by: string | null;
  /** The key of the session that asked, or that the sub-agent belongs to; null for the manager's own. */
  readonly sessionKey: string | null;
  /** Whom it was about: a spawn's label or the beginning of its text, else the id of a sub-agent; null where nothing says it. */
  readonly label: string | null;
}
