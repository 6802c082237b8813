// A session: one of several main agents that share a manager, its limits and its budget. Owns its key; its scope is
// its own sub-agents.

import { expectMade } from '../base/error-class.js';
import { showBy } from '../base/shown.js';
import type { Actor } from '../boundary/key.js';
import { asked, type StopOptions } from '../commands/lifecycle.js';
import type { Parts } from '../commands/parts.js';
import type { TaskRef } from '../options/arguments.js';
import type { Budget } from '../options/values.js';
import type { MainLimits, Policy } from '../policies/policy.js';
import type { ClosedSnapshot } from '../reading/handle-snapshot.js';
import type { Wake } from '../runs/wakes.js';
import { MainAgent } from './main-agent.js';
import { partsOf } from './scope.js';

/** Options of a session. They apply only at its opening. */
export interface SessionOptions {
  /** Names of its agent's tools. Default: unknown. */
  tools?: readonly string[] | undefined;
  /** The model's id that its sub-agents inherit. Default: the manager's. */
  modelId?: string | undefined;
  /** Budget of its sub-agents together, within the manager's. Default: no own cap. */
  budget?: Budget | undefined;
  /**
   * Called once per batch, when notices wait for this session. Default: the manager's `onWake`.
   *
   * If the session is idle and takes none within `leaseMs`, it is called again, up to `maxDeliveries` times.
   */
  onWake?: ((session: Session, wake: Wake) => unknown) | undefined;
  /** Policies of its main agent, in place of the manager's `policies.main`. */
  policies?: readonly Policy[] | undefined;
  /** Limits of its main agent. Default for each: the manager's in `mainLimits`. */
  limits?: MainLimits | undefined;
  /** Closes the session when it fires; its runs end with `signal_aborted`. */
  signal?: AbortSignal | undefined;
}

/** Closes a session; `byWish` if a caller asked for it, not its signal. */
export type CloseSession = (byWish: boolean, graceMs?: number) => Promise<void>;

/** Whether `console.log` shows a session by its key. */
let isShown = false;

/**
 * One main agent of a manager. It spawns, waits and lists within its own sub-agents. It has its own inbox and budget, and
 * shares slots with all others.
 */
export class Session extends MainAgent {
  /** The key that it was opened with. */
  readonly key: string;
  readonly #close: CloseSession;

  /** @internal */
  constructor(runtime: Parts, actor: Actor, key: string, close: CloseSession) {
    expectMade(runtime, 'a session', '`manager.session(key)` gives one');
    super(runtime, actor);
    this.key = key;
    this.#close = close;
    if (!isShown)
      isShown = showBy(
        Session,
        ({ key }) => ({ key }),
        (session) => ({ tasks: session.list({ page: { limit: 1 } }).total }),
      );
  }

  /**
   * Without a target, it closes the session: it cancels all its sub-agents and refuses its calls from now on (`actor_ended`).
   * It forgets the session once the host functions have returned. Resolves when none of its sub-agents runs; closing twice is
   * no error. Its key then opens a new session.
   */
  override close(): Promise<void>;
  /** Closes one of its sub-agents, as the manager's `close` does. */
  override close(target: TaskRef, options?: StopOptions): Promise<ClosedSnapshot>;
  override close(...given: [target?: TaskRef, options?: StopOptions]): Promise<never> {
    // If a target is missing by mistake, the session must not end.
    const closed: Promise<unknown> =
      given.length === 0 ? asked(partsOf(this), () => this.#close(true)) : super.close(given[0] as TaskRef, given[1]);
    return closed as Promise<never>;
  }
}
