// The calls of the core that every part of a manager may make. Owns the type, and the core's time. `ts/api/core-calls.ts` makes
// the calls, so that a failure ends only the managers of one instance.

import type { SubAgentCore } from '../../pkg/subagents.js';
import { now } from '../base/clock.js';
import type { SubAgentError } from '../base/errors.js';
import { WAIT_NOTHING_OPEN } from '../generated/codes.js';
import type { Command, Reply } from './generated/commands.js';
import { type Actor, packed } from './key.js';
import type { HostOutput, HostOutputLengths } from './scratch.js';
import type { ViewBytes } from './view-bytes.js';

export interface Core {
  readonly core: SubAgentCore;
  readonly isClosed: boolean;
  readonly isDisposed: boolean;
  /** How far the core's time is ahead of the clock, in milliseconds: an earlier process may have had a later time (T3). */
  readonly ahead: number;
  /** Refuses every use after `dispose` or a failure. */
  check(): void;
  /** Calls the core, which decides and answers. Effects run only in `dispatch`. */
  call<T>(body: (core: SubAgentCore) => T): T;
  /** Carries out the effects of the calls so far, once their caller has saved their answers. */
  dispatch(): void;
  /** Calls the core and carries out the effects, if the caller need not save the answer first. */
  mutate<T>(body: (core: SubAgentCore) => T): T;
  /** Like `mutate`, for a call that the core may refuse; a refusal throws. */
  mutateOrThrow(body: (core: SubAgentCore) => boolean): void;
  /** Throws if the core has failed. */
  expectSound(): void;
  /** Calls the core for a timer or a signal. If the core fails, pending promises reject, and nothing is thrown. */
  unasked<T>(body: (core: SubAgentCore) => T): T | undefined;
  /** Work that continues by itself after a promise of the host has settled. */
  alone(work: Promise<void>): void;
  /** The core's last refusal, as an error. */
  refusal(): SubAgentError;
  /** Queries the core, and throws if it refuses. A query has no effects. */
  ask(body: (core: SubAgentCore) => boolean): void;
  /** Gives the core a command; throws if the core refuses it. Effects run only in `dispatch`. */
  command(actor: Actor, command: Command): Reply;
  /** Like `command`, but returns undefined if the core refuses. */
  commandIf(actor: Actor, command: Command): Reply | undefined;
  /** Gives the core a command and carries out its effects; throws if the core refuses it. */
  perform(actor: Actor, command: Command): Reply;
  /** Like `perform`, but returns undefined if the core refuses. */
  performIf(actor: Actor, command: Command): Reply | undefined;
  /** Reads the view at the address that `show` returns; throws if the core refuses. */
  view<View>(show: (core: SubAgentCore) => number, read: (from: ViewBytes) => View): View;
  /** Like `view`, but returns undefined if the core refuses. */
  viewIf<View>(show: (core: SubAgentCore) => number, read: (from: ViewBytes) => View): View | undefined;
  /** Makes several calls count as one: their effects run after the last one. */
  batch<T>(body: () => T): T;
  /**
   * The caller's answer or error. Every public promise goes through here: with a journal, it may have to wait until the store
   * has persisted all earlier decisions (J1).
   */
  answer<T>(answer: T | Promise<T>): Promise<T>;
  /**
   * Calls a function of the program once the journal has persisted all decisions so far; at once if there is nothing to
   * persist.
   */
  oncePersisted(body: () => void): void;
  /**
   * Whether `body` has to wait because another process may have taken the store. If so, it is called once this process is known
   * to own the store (J4).
   */
  isPutOff(body: () => void): boolean;
  /** Writes a text into the scratch, where the core reads it. Returns its length in bytes. */
  write(text: string): number;
  /** Writes a host's output into the scratch. Returns its lengths, valid until the next call. */
  writeLeft(left: HostOutput): HostOutputLengths;
  /** Passes an error of user code to `onError`, else to the runtime's own log. */
  report(error: unknown): void;
  /** Calls a user's listener with `what`. Reports an error that it throws or rejects with. */
  notify<What>(listener: (what: What) => unknown, what?: What): void;
  /** Ends all managers of the instance after a failure inside the core. */
  poison(trap: unknown): SubAgentError;
}

/** The current time for events: epoch milliseconds, never before that of an earlier event. */
export function instantOf({ ahead }: Pick<Core, 'ahead'>): number {
  return Math.floor(now()) + ahead;
}

/** The number of the wait that a reply has opened; `WAIT_NOTHING_OPEN` if there was nothing to wait for. */
export function waitOf(reply: Reply | undefined): number {
  if (reply?.type !== 'waiting' && reply?.type !== 'closing') return WAIT_NOTHING_OPEN;
  return reply.wait === undefined ? WAIT_NOTHING_OPEN : packed(reply.wait);
}
