// The listeners to refused requests. These change nothing, so no fact records them. Owns the list, and which errors are
// refusals.

import { bound } from '../base/context.js';
import { SubAgentError } from '../base/errors.js';
import { headOf } from '../base/text.js';
import type { SubAgentErrorCode } from '../generated/errors.js';
import { type Core, instantOf } from './core.js';
import type { Actor } from './key.js';

/** A refused request. It changed nothing, so it is neither an event nor stored. */
export interface Refusal {
  /** The number of the last event when it was refused; 0 before the first. */
  readonly seq: number;
  /** When, in epoch milliseconds. */
  readonly at: number;
  /** The refused request. */
  readonly operation: 'spawn' | 'send';
  /** The error's code, from a closed list. */
  readonly code: SubAgentErrorCode;
  /** The error's message. */
  readonly message: string;
  /** The sub-agent that made it; null for the program or a session. */
  readonly by: string | null;
  /** The key of the session that asked, or that the sub-agent belongs to; null for the manager's own. */
  readonly sessionKey: string | null;
  /** The sub-agent that it was about: its label, the beginning of its text, or an id; null if unknown. */
  readonly label: string | null;
}

/** Gets every refused spawn and message. */
export type RefusalListener = (refusal: Refusal) => void;

/** The parts of the manager that reporting refusals needs. */
interface RefusalParts extends Core {
  readonly lookup: {
    taskId(index: number, generation: number): string;
    sessionKey(index: number, generation: number): string | null;
  };
}

/** Maximum bytes of the label of a refusal. */
const LABEL_BYTES = 200;
/** Errors of a manager that is over refuse no request. */
const NO_REFUSALS: readonly string[] = ['disposed', 'internal', 'store_failed'];

export class Refusals {
  private readonly listeners = new Set<{ readonly listener: RefusalListener }>();
  /** One error may pass several places that report. */
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

  /** Reports a refused request, once. `about`: the sub-agent that it was about, or a function that reads it. */
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
