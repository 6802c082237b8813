// The listeners to refused requests, which change nothing, so that no fact records them. Owns the list, and which
// errors are refusals.

import { bound } from '../base/context.js';
import { SubAgentError } from '../base/errors.js';
import { headOf } from '../base/text.js';
import type { SubAgentErrorCode } from '../generated/errors.js';
import { type Core, instantOf } from './core.js';
import type { Actor } from './key.js';

/** A request that was refused. It changed nothing, so it is no event, and no store keeps it. */
export interface Refusal {
  /** The number of the last event when it was refused; 0 before the first. */
  readonly seq: number;
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** The refused request. */
  readonly operation: 'spawn' | 'send';
  /** The error's code, from a closed list. */
  readonly code: SubAgentErrorCode;
  /** Why, in words: the error's message. */
  readonly message: string;
  /** The sub-agent that made it; null for the program or a session. */
  readonly by: string | null;
  /** The key of the session that asked, or that the sub-agent belongs to; null for the manager's own. */
  readonly sessionKey: string | null;
  /** The sub-agent that it was about: its label, the beginning of its text, or an id; null if unknown. */
  readonly label: string | null;
}

/** Gets every spawn and every message that is refused. */
export type RefusalListener = (refusal: Refusal) => void;

/** What reporting refusals needs of its manager. */
interface RefusalParts extends Core {
  readonly lookup: {
    taskId(index: number, generation: number): string;
    sessionKey(index: number, generation: number): string | null;
  };
}

/** So many bytes of a text say which sub-agent a request was about. */
const LABEL_BYTES = 200;
/** Errors which say that the manager is over refuse no request. */
const NO_REFUSALS: readonly string[] = ['disposed', 'internal', 'store_failed'];

export class Refusals {
  private readonly listeners = new Set<{ readonly listener: RefusalListener }>();
  /** One error may come by several places that report. */
  private readonly reported = new WeakSet<SubAgentError>();
  private readonly runtime: RefusalParts;

  constructor(runtime: RefusalParts) {
    this.runtime = runtime;
  }

  listen(listener: RefusalListener): () => void {
    const entry = { listener: bound(listener) };
    this.listeners.add(entry);
    return () => {
      this.listeners.delete(entry);
    };
  }

  /** Reports a request that was refused, once. `about` reads which sub-agent it was about, if that takes reading. */
  report(operation: Refusal['operation'], actor: Actor, about: string | null | (() => string | null), error: unknown): void {
    const { runtime } = this;
    if (this.listeners.size === 0 || runtime.isClosed || !(error instanceof SubAgentError) || NO_REFUSALS.includes(error.code)) return;
    if (this.reported.has(error)) return;
    this.reported.add(error);
    const label = typeof about === 'function' ? about() : about;
    const { index, generation, run } = actor;
    const refusal: Refusal = {
      seq: runtime.call((core) => core.factCount()),
      at: instantOf(runtime),
      operation,
      code: error.code,
      message: error.message,
      by: run === 0 ? null : runtime.lookup.taskId(index, generation),
      sessionKey: runtime.lookup.sessionKey(index, generation),
      label: label === null ? null : headOf(label, LABEL_BYTES),
    };
    for (const { listener } of this.listeners) runtime.notify(listener, refusal);
  }

  clear(): void {
    this.listeners.clear();
  }
}
