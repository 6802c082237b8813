// A handle: what `spawn` returns. It holds only the id of a task, and queries the core for everything.

import { detached, expectMade } from '../base/error-class.js';
import { SubAgentError } from '../base/errors.js';
import { showBy } from '../base/shown.js';
import type { Actor } from '../boundary/key.js';
import { readTexts } from '../boundary/view-bytes.js';
import { asked, cancel, close, resume, type StopOptions } from '../commands/lifecycle.js';
import type { Parts } from '../commands/parts.js';
import { interrupt, send } from '../commands/talk.js';
import { TASK_STATUSES, type TaskStatus } from '../generated/names.js';
import { knownOptions, readArgument, signalOf } from '../options/arguments.js';
import { duration } from '../options/values.js';
import type { MessageReceipt, SendOptions } from '../reading/exchange.js';
import { type CancelledSnapshot, type ClosedSnapshot, type HandleSnapshot, handleSnapshot } from '../reading/handle-snapshot.js';
import { type PageOptions, type ResultPage, readPage } from '../reading/pages.js';
import { type RunResult, resultText } from '../reading/run-result.js';
import type { ActiveRun } from '../runs/active-run.js';
import { notEnded } from '../runs/waits.js';
import type { WaitOptions } from '../snapshots/types.js';

/** The private fields that special handles read. */
let insides: ((handle: Handle) => { runtime: Parts; actor: Actor; active: ActiveRun }) | undefined;

/** The parts of a handle's manager, its actor, and the run of its spawn. Throws if a method was called without its handle. */
export function insideOf(handle: Handle): { runtime: Parts; actor: Actor; active: ActiveRun } {
  try {
    return (insides as NonNullable<typeof insides>)(handle);
  } catch {
    throw detached('handle.wait');
  }
}

/** Whether `console.log` shows a handle by its sub-agent. */
let isShown = false;

/** The spawner's handle of a sub-agent. */
export class Handle<Value = unknown> {
  readonly #runtime: Parts;
  readonly #active: ActiveRun;
  readonly #actor: Actor;

  /** @internal */
  constructor(active: ActiveRun, actor: Actor) {
    expectMade(active, 'a handle', '`manager.spawn(…)` gives one');
    // The object is always a whole manager; runs declare only the parts that they use.
    this.#runtime = active.runtime as Parts;
    this.#active = active;
    this.#actor = actor;
    insides ??= (handle) => ({ runtime: handle.#runtime, actor: handle.#actor, active: handle.#active });
    if (!isShown)
      isShown = showBy(
        Handle<unknown>,
        ({ taskId }) => ({ taskId }),
        ({ label, status }) => ({ label, status }),
      );
  }

  /** The sub-agent's id: the `taskId` of its spawn, else `sub_` and 32 hex digits. */
  get taskId(): string {
    return this.#active.taskId;
  }

  /** The label of its spawn, else the beginning of its text. Throws `forgotten` if it was forgotten. */
  get label(): string {
    return this.#runtime.lookup.snapshot(this.#active.index, this.#active.generation).label;
  }

  /** The sub-agent's status. Throws `forgotten` if it was forgotten. */
  get status(): TaskStatus {
    const { index, generation } = this.#active;
    const status = this.#runtime.call((core) => core.status(index, generation));
    const name = TASK_STATUSES[status];
    if (name === undefined) throw new SubAgentError('forgotten', 'this sub-agent has been forgotten');
    return name;
  }

  /**
   * Waits for the open run, or the last one, and returns its result. It also resolves for a failed run. Without `timeoutMs` it
   * waits for ever; with one, it rejects with `aborted` when the time is up. If the sub-agent asks a question, it rejects with
   * `needs_input`: `send` the answer and wait again. If the sub-agent was forgotten, it rejects with `forgotten`. The end of a
   * wait affects no sub-agent.
   */
  wait(options?: Pick<WaitOptions, 'timeoutMs' | 'signal'>): Promise<RunResult<Value>> {
    try {
      return this.#wait(options);
    } catch (error) {
      return insideOf(this).runtime.answer(Promise.reject(error));
    }
  }

  #wait(options: Pick<WaitOptions, 'timeoutMs' | 'signal'> | undefined): Promise<RunResult<Value>> {
    this.#runtime.readers.waits();
    if (options === undefined)
      return this.#runtime.waits.waitFor(this.#actor, this.#active, Number.POSITIVE_INFINITY) as Promise<RunResult<Value>>;
    const { timeoutMs, signal } = readArgument('the options of wait', () => {
      const { timeoutMs, signal } = knownOptions('wait', options, ['timeoutMs', 'signal']);
      return { timeoutMs: duration('`timeoutMs`', timeoutMs, true) ?? Number.POSITIVE_INFINITY, signal: signalOf('`signal`', signal) };
    });
    const outcome = this.#runtime.waits.waitFor(this.#actor, this.#active, timeoutMs, signal).then((result) => {
      if (result !== undefined) return result as RunResult<Value>;
      throw notEnded(timeoutMs);
    });
    return this.#runtime.answer(outcome);
  }

  /**
   * Sends the sub-agent a message. If the sub-agent has asked a question, the message is the answer. Otherwise `mode` decides
   * which run reads it: the next one (`queue`), or the open one at its next turn (`steer`). With `interrupt`, the open run is
   * stopped and the next one reads it.
   */
  send(message: string, options?: SendOptions): MessageReceipt {
    const { runtime, actor, active } = insideOf(this);
    return send(runtime, actor, active, message, options);
  }

  /**
   * Stops the sub-agent's run and the foreground sub-agents of that run, and pauses its messages until the next send. The
   * sub-agent stays open, and its background sub-agents continue. Resolves when the stopped runs have ended.
   */
  interrupt(options?: { graceMs?: number | undefined }): Promise<void> {
    const { runtime, actor, active } = insideOf(this);
    return asked(runtime, () => interrupt(runtime, actor, active, options));
  }

  /**
   * Cancels the sub-agent and all below it. Resolves to its snapshot when nothing runs there.
   */
  cancel(options?: StopOptions): Promise<CancelledSnapshot> {
    const { runtime, actor, active } = insideOf(this);
    return asked(runtime, () => cancel(runtime, actor, active, options));
  }

  /**
   * Closes the sub-agent and all below it. Resolves to its snapshot, with the status that it had before, when nothing runs
   * there.
   */
  close(options?: StopOptions): Promise<ClosedSnapshot> {
    const { runtime, actor, active } = insideOf(this);
    return asked(runtime, () => close(runtime, actor, active, options));
  }

  /** Reopens the sub-agent if it is closed. It is then `idle`; nothing below it is reopened. */
  resume(): Promise<HandleSnapshot> {
    const { runtime, actor, active } = insideOf(this);
    return asked(runtime, () => resume(runtime, actor, active));
  }

  /** Reads the sub-agent's last result, a page at a time. Throws `released` if the result was released. */
  readResult(options?: PageOptions): ResultPage {
    const { runtime, actor, active } = insideOf(this);
    return readPage(runtime, actor, active, options);
  }

  /**
   * The last result as text for a model: a line of facts, then the output, fenced and cut to `inlineBytes`. With
   * `format: 'json'` at the spawn it is the JSON report, an `AgentReport`. Throws `wrong_status` while the sub-agent is queued
   * or running: `wait()` first. Throws `forgotten` if the sub-agent was forgotten before anything waited for it.
   */
  resultText(): string {
    const { runtime, active } = insideOf(this);
    const { index, generation, latest } = active;
    const status = TASK_STATUSES[runtime.call((core) => core.status(index, generation))];
    if (status === 'running' || status === 'pending')
      throw new SubAgentError('wrong_status', `this sub-agent is ${status}, and has no result yet: \`await handle.wait()\` first`, {
        status,
        action: 'read',
      });
    return resultText(runtime.waits.pastResult(active), latest);
  }

  /** The messages that wait for the sub-agent, first in, first out, without those that steer its run. */
  get queue(): string[] {
    const { index, generation } = this.#active;
    return this.#runtime.view((core) => core.queue(index, generation), readTexts);
  }

  /** The sub-agent's id, for `JSON.stringify`; `snapshot` returns all of its state. */
  toJSON(): { taskId: string } {
    return { taskId: insideOf(this).active.taskId };
  }

  /** The sub-agent's current state, safe for JSON: times are ISO 8601 texts, and null means no limit. */
  snapshot(): HandleSnapshot {
    const { runtime, actor, active } = insideOf(this);
    return handleSnapshot(runtime, actor, active);
  }
}
