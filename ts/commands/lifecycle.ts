// Cancelling, closing, reopening, closing sessions. Owns how the options are read and the values of the promises; the core does
// the rest.

import { SubAgentError } from '../base/errors.js';
import { waitOf } from '../boundary/core.js';
import type { ClosingReply } from '../boundary/generated/commands.js';
import { type Actor, type Key, PROGRAM } from '../boundary/key.js';
import type { TaskStatus } from '../generated/names.js';
import { grace, knownOptions, readArgument, signalOf } from '../options/arguments.js';
import { claimedEnds } from '../reading/claimed-ends.js';
import { type CancelledSnapshot, type ClosedSnapshot, type HandleSnapshot, handleSnapshot } from '../reading/handle-snapshot.js';
import { STOPPING } from '../runs/waits.js';
import type { Parts } from './parts.js';

/** Options of `cancel` and `close`. */
export interface StopOptions {
  /** Milliseconds that its runs have to return; 0 for none. Default: the manager's `graceMs`. */
  graceMs?: number | undefined;
  /** Ends only the wait when it fires: the promise rejects with code `aborted`. */
  signal?: AbortSignal | undefined;
}

/** Cancels a task and all below it. Returns its snapshot afterwards, with its real end, even if another end came first. */
export function cancel(runtime: Parts, actor: Actor, place: Key, options?: StopOptions): Promise<CancelledSnapshot> {
  const { graceMs, signal } = stopOptions('cancel', options);
  const snapshot = snapshotBefore(runtime, actor, place);
  return runtime.waits.cancel(actor, place, 'cancelled', graceMs, signal).then(({ acked }) => ({ ...snapshot('cancelled'), acked }));
}

/** Closes a task and all below it. Returns its snapshot afterwards. */
export function close(runtime: Parts, actor: Actor, place: Key, options?: StopOptions): Promise<ClosedSnapshot> {
  const { graceMs, signal } = stopOptions('close', options);
  const snapshot = snapshotBefore(runtime, actor, place);
  const reply = runtime.command(actor, { type: 'close', task: place, graceMs }) as ClosingReply;
  const acked = claimedEnds(runtime);
  const settled = runtime.waits.opened(waitOf(reply), signal, STOPPING);
  return settled.then(() => ({ ...snapshot('closed'), previousStatus: reply.previous, acked }));
}

/** Reopens a closed task, and nothing below it; a task that isn't closed stays as it is. */
export function resume(runtime: Parts, actor: Actor, place: Key): HandleSnapshot {
  runtime.perform(actor, { type: 'resume', task: place });
  return handleSnapshot(runtime, actor, place);
}

/** Closes a session: `byWish`, or because its signal fired. Resolves when nothing in it runs. */
export function closeSession(runtime: Parts, session: Actor, byWish: boolean, graceMs: number | undefined): Promise<void> {
  const reason = byWish ? 'closed' : 'signal_aborted';
  const reply = runtime.commandIf(PROGRAM, { type: 'close_session', session, reason, graceMs });
  if (reply !== undefined) return runtime.waits.opened(waitOf(reply)).then(() => undefined);
  const refusal = runtime.refusal();
  // It was closed before, and all below it is gone.
  if (refusal.code === 'forgotten') return Promise.resolve();
  throw refusal;
}

function stopOptions(call: string, options: StopOptions = {}): { graceMs: number | undefined; signal: AbortSignal | undefined } {
  const what = `the options of ${call}`;
  return readArgument(what, () => {
    const { graceMs, signal } = knownOptions(call, options, ['graceMs', 'signal']);
    return { graceMs: grace(graceMs), signal: signalOf('`signal`', signal) };
  });
}

/**
 * Remembers a task that is about to be stopped, for its snapshot afterwards. If retention or its session removed the task in
 * the same step, the snapshot shows the result of its run.
 */
function snapshotBefore(runtime: Parts, actor: Actor, place: Key): (otherwise: TaskStatus) => HandleSnapshot {
  const before = handleSnapshot(runtime, actor, place);
  const active = runtime.runs.activeOf(place.index, place.generation);
  return (otherwise) => {
    try {
      return handleSnapshot(runtime, actor, place);
    } catch (error) {
      if (!(error instanceof SubAgentError && error.code === 'forgotten')) throw error;
      const { status = otherwise, stopReason = before.stopReason, output = before.output } = active?.result ?? {};
      return { ...before, status, stopReason, output, parked: null, closed: status === 'closed' };
    }
  };
}

/** Makes a promise whose rejection needs no handler, because the request was accepted. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

/**
 * Makes a promise of a call that refuses by throwing. If the call was accepted, its rejection needs no handler; a refusal does.
 */
export function asked<T>(runtime: Parts, body: () => Promise<T> | T): Promise<T> {
  const { isDisposed } = runtime;
  try {
    // Checked here: further down, the ten lines of a stack would end before the caller.
    runtime.check();
    return quiet(runtime.answer(body()));
  } catch (error) {
    const refused = runtime.answer<never>(Promise.reject(error));
    // A listener that got the refusal may have disposed the manager during this call.
    return runtime.isDisposed && !isDisposed ? quiet(refused) : refused;
  }
}

/** Refuses a session whose signal has fired already. */
export function expectLive(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) {
    throw new SubAgentError('aborted', 'the signal of the session has fired already', {}, { cause: signal.reason });
  }
}
