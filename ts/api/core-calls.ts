// Calls of a manager's core. Owns that an exception of the core ends only the managers of its instance. Owns when effects run:
// at once, after the journal has persisted the facts, or after several calls.

import type { SubAgentCore } from '../../pkg/subagents.js';
import { now } from '../base/clock.js';
import { isSubAgentError, SubAgentError, type SubAgentErrorCode, withModelText } from '../base/errors.js';
import { CommandBytes } from '../boundary/command-bytes.js';
import type { Core } from '../boundary/core.js';
import { type Command, type Reply, readReply, writeCommand } from '../boundary/generated/commands.js';
import { enter, leave } from '../boundary/imports.js';
import type { Journal } from '../boundary/journal.js';
import type { Actor } from '../boundary/key.js';
import type { HostOutput, HostOutputLengths, Scratch } from '../boundary/scratch.js';
import type { ViewBytes } from '../boundary/view-bytes.js';

/** The error of every call after `dispose`. */
export function disposed(): SubAgentError {
  return new SubAgentError('disposed', 'the manager has been disposed');
}

export abstract class CoreCalls implements Core {
  abstract readonly core: SubAgentCore;
  abstract readonly scratch: Scratch;
  protected abstract readonly views: ViewBytes;
  abstract readonly hosts: { keepAwake(): void };
  /** The journal of the facts, if the manager has a store. */
  journal: Journal | undefined = undefined;
  ahead = 0;
  /** Why the manager has ended; undefined until then. */
  protected closed: SubAgentError | undefined = undefined;
  private readonly commands = new CommandBytes();

  abstract poison(trap: unknown): SubAgentError;
  abstract report(error: unknown): void;
  abstract notify<What>(listener: (what: What) => unknown, what?: What): void;

  /** Refuses every use after `dispose` or a failure. */
  check(): void {
    if (this.closed === undefined) return;
    // A new error for each call: its stack shows the late call, not `dispose`.
    throw this.isDisposed ? disposed() : this.closed;
  }

  get isClosed(): boolean {
    return this.closed !== undefined;
  }

  get isDisposed(): boolean {
    return this.closed?.code === 'disposed';
  }

  /** Calls the core, which decides and answers. Effects run only in `dispatch`. An exception is a failure of the core. */
  call<T>(body: (core: SubAgentCore) => T): T {
    this.check();
    const outer = enter(this);
    try {
      return body(this.core);
    } catch (error) {
      throw this.poison(error);
    } finally {
      leave(outer);
    }
  }

  /**
   * Carries out the effects of the calls so far, once the caller has saved their answers: settles promises, then calls host
   * functions, then listeners. A nested call does nothing: the outer one carries out all effects. Throws nothing: if the core
   * fails, `poison` rejects all pending promises.
   */
  dispatch(): void {
    if (this.closed !== undefined) return;
    if (this.journal?.isSync === true) this.journal.dispatch();
    else if (!this.isPutOff(() => this.dispatch())) {
      const outer = enter(this);
      try {
        this.core.dispatch();
      } catch (error) {
        this.poison(error);
      } finally {
        leave(outer);
      }
    }
    this.hosts.keepAwake();
  }

  /** Calls the core and carries out the effects, if the caller need not save the answer first. */
  mutate<T>(body: (core: SubAgentCore) => T): T {
    const answer = this.call(body);
    this.dispatch();
    this.expectSound();
    return answer;
  }

  /** Like `mutate`, for a call that the core may refuse; a refusal throws. */
  mutateOrThrow(body: (core: SubAgentCore) => boolean): void {
    if (!this.call(body)) throw this.refusal();
    this.dispatch();
    this.expectSound();
  }

  /** Throws if the core has failed. If a function that it called disposed the manager, that is no failure. */
  expectSound(): void {
    if (this.closed !== undefined && !this.isDisposed) throw this.closed;
  }

  /** Calls the core for a timer or a signal. If the core fails, pending promises reject; there is no caller to throw at. */
  unasked<T>(body: (core: SubAgentCore) => T): T | undefined {
    if (this.closed !== undefined) return undefined;
    const outer = enter(this);
    try {
      return body(this.core);
    } catch (error) {
      this.poison(error);
      return undefined;
    } finally {
      leave(outer);
    }
  }

  /**
   * Work that continues by itself after a promise of the host has settled. Reports its errors, except that of the manager's
   * end: pending promises have rejected with it.
   */
  alone(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (error !== this.closed && !(this.isDisposed && isSubAgentError(error, 'disposed'))) this.report(error);
    });
  }

  /** The core's last refusal, as an error. Carries out the other effects of the refused call. */
  refusal(): SubAgentError {
    const { code, message, modelText, details } = this.call((core) => core.refusal()) as {
      code: SubAgentErrorCode;
      message: string;
      modelText: string;
      details: Record<string, unknown>;
    };
    this.dispatch();
    return withModelText(new SubAgentError(code, message, details), modelText);
  }

  /** Queries the core, and throws if it refuses. A query has no effects. */
  ask(body: (core: SubAgentCore) => boolean): void {
    if (!this.call(body)) throw this.refusal();
  }

  /** Gives the core a command; throws if the core refuses it. Effects run only in `dispatch`. */
  command(actor: Actor, command: Command): Reply {
    const reply = this.commandIf(actor, command);
    if (reply === undefined) throw this.refusal();
    return reply;
  }

  /** Like `command`, but returns undefined if the core refuses. */
  commandIf({ index, generation, run }: Actor, command: Command): Reply | undefined {
    const { commands, scratch } = this;
    writeCommand(commands.begin(), command);
    return this.viewIf((core) => core.command(now(), index, generation, run, scratch.writeBytes(commands.written())), readReply);
  }

  /** Gives the core a command and carries out its effects; throws if the core refuses it. */
  perform(actor: Actor, command: Command): Reply {
    const reply = this.command(actor, command);
    this.dispatch();
    this.expectSound();
    return reply;
  }

  /** Like `perform`, but returns undefined if the core refuses. */
  performIf(actor: Actor, command: Command): Reply | undefined {
    const reply = this.commandIf(actor, command);
    this.dispatch();
    this.expectSound();
    return reply;
  }

  /** Reads the view at the address that `show` returns; throws if the core refuses. */
  view<View>(show: (core: SubAgentCore) => number, read: (from: ViewBytes) => View): View {
    const at = this.call(show);
    if (at === 0) throw this.refusal();
    return this.views.readAt(at, read);
  }

  /** Like `view`, but returns undefined if the core refuses. */
  viewIf<View>(show: (core: SubAgentCore) => number, read: (from: ViewBytes) => View): View | undefined {
    const at = this.call(show);
    return at === 0 ? undefined : this.views.readAt(at, read);
  }

  /** Makes several calls look like one: nothing settles, and no host function or listener is called, before all are made. */
  batch<T>(body: () => T): T {
    if (this.journal?.isSync === true) return this.journal.batch(body);
    const isBuffered = this.call((core) => core.bufferEffects());
    try {
      return body();
    } finally {
      const dispatchAll = (): void => {
        this.unasked((core) => core.dispatchBuffered());
        this.hosts.keepAwake();
      };
      if (isBuffered && !this.isPutOff(dispatchAll)) {
        this.call((core) => core.dispatchBuffered());
        this.hosts.keepAwake();
      }
    }
  }

  /** See `Journal.answer`. */
  answer<T>(answer: T | Promise<T>): Promise<T> {
    return this.journal === undefined ? Promise.resolve(answer) : this.journal.answer(answer);
  }

  oncePersisted(body: () => void): void {
    if (this.journal?.isSync === true) this.alone(this.journal.answer(undefined).then(body));
    else if (!this.isPutOff(body)) body();
  }

  /** See `Journal.isPutOff`; false without a journal. */
  isPutOff(body: () => void): boolean {
    return this.journal?.isPutOff(body) === true;
  }

  /** Writes a text into the scratch, where the core reads it. Returns its length in bytes. */
  write(text: string): number {
    try {
      return this.scratch.write(text);
    } catch (error) {
      throw this.poison(error);
    }
  }

  /** Writes a host's output into the scratch. Returns its lengths, valid until the next call. */
  writeLeft(left: HostOutput): HostOutputLengths {
    try {
      return this.scratch.writeLeft(left);
    } catch (error) {
      throw this.poison(error);
    }
  }
}
