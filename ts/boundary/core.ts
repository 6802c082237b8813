// What every part of a manager may ask of the core. Owns the type, and the core's time: `ts/api/core-calls.ts` makes
// the calls, so that a failure ends this manager alone.

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
  /** Calls the core, which decides and answers; nothing follows from that before `dispatch`. */
  call<T>(body: (core: SubAgentCore) => T): T;
  /** Carries out the effects of the calls so far, once their caller has saved their answers. */
  dispatch(): void;
  /** Calls the core and carries out the effects, if the caller need not save the answer first. */
  mutate<T>(body: (core: SubAgentCore) => T): T;
  /** The same for what the core may refuse, which throws. */
  mutateOrThrow(body: (core: SubAgentCore) => boolean): void;
  /** Throws if the core has failed. */
  expectSound(): void;
  /** Calls the core for a timer or a signal: those who wait get a failure, and nothing is thrown. */
  unasked<T>(body: (core: SubAgentCore) => T): T | undefined;
  /** Work that continues by itself once a promise of the host has settled. */
  alone(work: Promise<void>): void;
  /** Why the core refused the last call, as an error. */
  refusal(): SubAgentError;
  /** Queries the core, and throws if it refuses. A query has no effects. */
  ask(body: (core: SubAgentCore) => boolean): void;
  /** Gives the core a command, which decides and answers; throws if it refuses. Nothing follows from it before `dispatch`. */
  command(actor: Actor, command: Command): Reply;
  /** The same; undefined if it refuses. */
  commandIf(actor: Actor, command: Command): Reply | undefined;
  /** Gives the core a command, and carries out what follows; throws if it refuses. */
  perform(actor: Actor, command: Command): Reply;
  /** The same; undefined if it refuses. */
  performIf(actor: Actor, command: Command): Reply | undefined;
  /** Reads a view that the core shows at the address that it returns; throws if it refuses. */
  view<View>(show: (core: SubAgentCore) => number, read: (from: ViewBytes) => View): View;
  /** The same; undefined if it refuses. */
  viewIf<View>(show: (core: SubAgentCore) => number, read: (from: ViewBytes) => View): View | undefined;
  /** Makes several calls count as one: their effects run after the last one. */
  batch<T>(body: () => T): T;
  /**
   * The caller's answer or error. Every public promise goes through here: with a journal, it may have to wait until all earlier
   * decisions are persisted (J1).
   */
  answer<T>(answer: T | Promise<T>): Promise<T>;
  /**
   * Calls a function of the program once the journal has persisted all decisions so far; at once if there is nothing to
   * persist.
   */
  oncePersisted(body: () => void): void;
  /**
   * Whether `body` has to wait because another process may have taken the store. If so, it is called once the store is known to
   * be this one's (J4).
   */
  isPutOff(body: () => void): boolean;
  /** Leaves a text where the core finds it and returns its length in bytes. */
  write(text: string): number;
  /** Leaves there what a run left, and returns its lengths, which hold until the next. */
  writeLeft(left: HostOutput): HostOutputLengths;
  /** Passes an error of user code to `onError`, else to the runtime's own log. */
  report(error: unknown): void;
  /** Calls a listener of the user's with `what`; an error that it throws is reported. */
  notify<What>(listener: (what: What) => unknown, what?: What): void;
  /** After a failure inside the core: this manager is over. */
  poison(trap: unknown): SubAgentError;
}

/** This moment as events state it: epoch milliseconds, never before one that was stated. */
export function instantOf({ ahead }: Pick<Core, 'ahead'>): number {
  return Math.floor(now()) + ahead;
}

/** The number of the wait that a reply has opened; `WAIT_NOTHING_OPEN` if there was nothing to wait for. */
export function waitOf(reply: Reply | undefined): number {
  if (reply?.type !== 'waiting' && reply?.type !== 'closing') return WAIT_NOTHING_OPEN;
  return reply.wait === undefined ? WAIT_NOTHING_OPEN : packed(reply.wait);
}
