// The sessions of a manager, by key. Owns which are open, which are closing although their keys are free, and which session a
// target means.

import { invalid, SubAgentError } from '../base/errors.js';
import type { Core } from '../boundary/core.js';
import type { Missing } from '../boundary/generated/lookups.js';
import { type Actor, type Key, PROGRAM, ROOT } from '../boundary/key.js';
import { many, readKey } from '../boundary/view-bytes.js';
import { deniedInVain } from '../commands/denials.js';
import { asked, closeSession, expectLive } from '../commands/lifecycle.js';
import type { Parts } from '../commands/parts.js';
import { knownOptions, nameOf, optionsOf, propertyOf, readArgument, signalOf } from '../options/arguments.js';
import { BOUNDS } from '../options/bounds.js';
import { type Budget, readBudget, string, strings } from '../options/values.js';
import type { PolicyList } from '../policies/list.js';
import type { WakeListener } from '../runs/wakes.js';
import { readBudgetAccount } from '../snapshots/generated/task-readers.js';
import type { Notice } from '../snapshots/notices.js';
import type { BudgetAccount } from '../snapshots/types.js';
import { Inbox } from './inbox.js';
import { mainLimitsOf } from './open-runtime.js';
import { actorOf, type TaskRef } from './scope.js';
import { type CloseSession, Session, type SessionOptions } from './session.js';

/** A session that is open in the store, but not opened by this process. */
export interface RestoredSession {
  /** Its key: `manager.session(key)` opens it. */
  readonly key: string;
  /** Its ledger. */
  readonly budget: BudgetAccount;
  /** The unacknowledged notices for its main agent. */
  readonly notices: readonly Notice[];
}

/** Whether a target is a session, possibly of another copy of the package. */
function isSession(target: unknown): boolean {
  if (target instanceof Session) return true;
  if (typeof target !== 'object' || target === null || propertyOf(target, 'taskId') !== undefined) return false;
  return typeof propertyOf(target, 'key') === 'string';
}

export class Sessions {
  readonly #runtime: Parts;
  readonly #open = new Map<string, Session>();
  readonly #closes = new Map<string, CloseSession>();
  /** The closes in progress: a second close joins the first. */
  readonly #closing = new Map<string, CloseSession>();

  constructor(runtime: Parts) {
    this.#runtime = runtime;
  }

  get keys(): string[] {
    return [...this.#open.keys()];
  }

  /** The parts that restored work lacks here. The sessions are read on demand: most callers need only the missing names. */
  get restored(): { readonly missing: Readonly<Missing>; readonly sessions: readonly RestoredSession[] } | undefined {
    const { journal } = this.#runtime;
    const unopened = (): RestoredSession[] => this.#unopened();
    return (
      journal && {
        missing: journal.missing,
        get sessions() {
          return unopened();
        },
      }
    );
  }

  /** The store's sessions that this process has not opened. */
  #unopened(): RestoredSession[] {
    const runtime = this.#runtime;
    const found: RestoredSession[] = [];
    for (const { index, generation } of openSessions(runtime)) {
      const key = runtime.lookup.sessionKey(index, generation) as string;
      if (this.#open.has(key)) continue;
      const budget = runtime.view((core) => core.budget(index), readBudgetAccount);
      found.push({ key, budget, notices: new Inbox(runtime, { index, generation, run: 0 }).peek() });
    }
    return found;
  }

  /** The node whose budget a target of the program means: the manager, an open session or a sub-agent. */
  payerOf(target: TaskRef | Session | undefined): Key {
    if (target === undefined) return ROOT;
    if (!readArgument('the target', () => isSession(target))) return this.#runtime.lookup.resolve(PROGRAM, target);
    this.#runtime.check();
    const session = target as Session;
    if (this.#open.get(session.key) === session) return actorOf(session);
    const message = 'this session is not of this manager, or it is closed: take that of `manager.session(key)`, of one copy of the package';
    throw new SubAgentError('invalid_argument', message, { argument: 'target' });
  }

  /** Closes the session with this key, or joins its close; undefined if there is none. */
  close(key: string, graceMs: number | undefined): Promise<void> | undefined {
    return (this.#closes.get(key) ?? this.#closing.get(key))?.(true, graceMs);
  }

  /** The session with this key, opened at its first use. */
  open(key: string, options: SessionOptions): Session {
    expectKey(key, 'session');
    nameOf('`key`', key);
    this.#runtime.check();
    const settings = readArgument('the options of a session', () => sessionOptions(options));
    // Reading the options runs the caller's code, which may have opened this session.
    const policies = this.#runtime.gates.sessionPolicies(settings.policies);
    const known = this.#open.get(key);
    if (known !== undefined) return known;
    expectLive(settings.signal);
    // A listener that gets its opening may ask for it at once.
    return this.#runtime.batch(() => this.#begin(key, policies, settings));
  }

  #begin(key: string, policies: PolicyList, { tools, modelId, budget, onWake, limits, signal }: SessionSettings): Session {
    const actor = this.#runtime.lookup.openSession(key);
    this.#runtime.gates.openSession(actor, policies, limits);
    if (tools !== undefined) {
      this.#runtime.perform(PROGRAM, { type: 'set_tools', session: actor, tools });
      this.#runtime.denials.report(this.#runtime, deniedInVain(this.#runtime, actor.index), 'blockedTools');
    }
    if (modelId !== undefined) this.#runtime.perform(PROGRAM, { type: 'set_model', session: actor, modelId });
    if (budget !== undefined) {
      const { tokens = Number.POSITIVE_INFINITY, costUsd = Number.POSITIVE_INFINITY, turns = Number.POSITIVE_INFINITY } = budget;
      this.#runtime.perform(PROGRAM, { type: 'set_session_budget', session: actor, cap: { tokens, costUsd, turns } });
    }
    // Restored work of this session continues under these settings.
    if (this.#runtime.journal?.goesOn === true) {
      this.#runtime.perform(PROGRAM, { type: 'register_session', session: actor });
    }
    const close = this.#closeOf(key, actor, signal);
    const session = new Session(this.#runtime, actor, key, close);
    this.#closes.set(key, close);
    this.#open.set(key, session);
    const listener = onWake ?? this.#runtime.functions.onWake;
    if (listener !== undefined) this.#runtime.readers.reads(actor);
    this.#runtime.wakes.register(actor, session, listener as WakeListener<never> | undefined);
    return session;
  }

  /** Makes the function that closes a session being opened, for calls and for its signal. */
  #closeOf(key: string, actor: Actor, signal: AbortSignal | undefined): CloseSession {
    const runtime = this.#runtime;
    let unfollow: (() => void) | undefined;
    const close: CloseSession = (byWish, graceMs) => {
      // Whoever learns of it may open the key anew at once.
      return runtime.batch(() => {
        const closed = closeSession(runtime, actor, byWish, graceMs);
        runtime.gates.closeSession(actor);
        if (this.#closes.get(key) === close) {
          this.#open.delete(key);
          this.#closes.delete(key);
        }
        this.#closing.set(key, close);
        const over = (): void => {
          if (this.#closing.get(key) === close) this.#closing.delete(key);
        };
        closed.then(over, over);
        unfollow?.();
        return closed;
      });
    };
    // A close by a signal has no caller who could get a failure of the core. Pending promises have been rejected.
    const fire = (): void => void asked(runtime, () => close(false)).catch(() => undefined);
    unfollow = signal && runtime.signals.follow(signal, fire);
    return close;
  }
}

interface SessionSettings extends Pick<SessionOptions, 'onWake' | 'policies' | 'limits'> {
  tools: string[] | undefined;
  modelId: string | undefined;
  budget: Budget | undefined;
  signal: AbortSignal | undefined;
}

function sessionOptions(options: SessionOptions): SessionSettings {
  const bound = Object.keys(optionsOf('the options of a session', options, 'an object such as { budget: { tokens: 20_000 } }')).find(
    (name) => name !== 'budget' && BOUNDS.includes(name),
  );
  if (bound !== undefined) {
    const where = "the manager has it, for all sessions together; `limits` is for those of the session's main agent";
    throw new SubAgentError('invalid_argument', `a session has no option \`${bound}\`: ${where}`, { argument: bound });
  }
  const { tools, modelId, budget, onWake, policies, limits, signal } = knownOptions('a session', options, [
    'tools',
    'modelId',
    'budget',
    'onWake',
    'policies',
    'limits',
    'signal',
  ]);
  if (onWake !== undefined && typeof onWake !== 'function') throw invalid('`onWake`', 'a function', onWake);
  return {
    tools: strings('`tools`', tools),
    modelId: string('`modelId`', modelId),
    budget: budget === undefined ? undefined : readBudget('budget', budget),
    ...(onWake !== undefined && { onWake }),
    ...(policies !== undefined && { policies }),
    ...(limits !== undefined && { limits: mainLimitsOf('limits', limits) }),
    signal: signalOf('`signal`', signal),
  };
}

/** Checks the key of a session that a call names. */
export function expectKey(key: unknown, call: string): void {
  if (typeof key === 'string' && key !== '') return;
  throw invalid('`key`', `a text that is not empty (the default session has none), such as \`${call}("ada")\``, key);
}

/** The sessions that are open in the core, by age. */
export function openSessions(runtime: Core): Key[] {
  return runtime.view((core) => core.sessions(), many(readKey));
}
