// The operations that the program, sessions and runs share: spawn, wait, cancel, look. Owns their names. The actor that is
// passed to the core decides what each may do.

import { now } from '../base/clock.js';
import { detached, invalid } from '../base/errors.js';
import type { JsonOf, Metadata } from '../base/metadata.js';
import type { WaitedFor } from '../boundary/generated/commands.js';
import { type Actor, DEFAULT_SESSION, type Key, PROGRAM } from '../boundary/key.js';
import { many, readKey } from '../boundary/view-bytes.js';
import { expectDriven } from '../commands/driving.js';
import { asked, cancel, close, resume, type StopOptions } from '../commands/lifecycle.js';
import type { Parts } from '../commands/parts.js';
import { lastRunOf, requested, spawn } from '../commands/spawning.js';
import { interrupt, noMessage, send, targetOf } from '../commands/talk.js';
import { DEFAULT_WAIT_MS } from '../generated/limits.js';
import { idsOf, knownOptions, readArgument, signalOf, type TaskRef } from '../options/arguments.js';
import type { SpawnOptions, SubAgentParamsType } from '../options/generated/spawn.js';
import type { SpawnGate } from '../options/host-result.js';
import type { ResultSchema, ValueOf } from '../options/schema/schema.js';
import { duration } from '../options/values.js';
import type { MessageReceipt, SendOptions } from '../reading/exchange.js';
import type { CancelledSnapshot, ClosedSnapshot, HandleSnapshot } from '../reading/handle-snapshot.js';
import { listed, listingOf } from '../reading/listing.js';
import { type PageOptions, type ResultPage, readPage } from '../reading/pages.js';
import type { ConcurrencyInfo, ListOptions, TaskList, TaskSnapshot, WaitOptions, WaitResult } from '../snapshots/types.js';
import { createTool, type SubAgentTool } from '../tools/tool.js';
import type { SubAgentToolOptions } from '../tools/tool-options.js';
import { type AgentTools, createTools, type ToolsOptions } from '../tools/tool-set.js';
import { DrivenHandle } from './driven-handle.js';
import { Handle } from './handle.js';
import { Inbox } from './inbox.js';

export type { TaskRef } from '../options/arguments.js';

/**
 * Reads the private fields of a scope, which no program can reach. Set by the first scope: with a static block, bundlers would
 * include the class in programs that don't use it.
 */
let insides: { runtimeOf(scope: Scope): Parts; actorOf(scope: Scope): Actor } | undefined;

/** The parts of a scope's manager. Each method asks for them first: throws if it was called without its scope. */
export function partsOf(scope: Scope, way = 'manager.spawn'): Parts {
  try {
    return (insides as NonNullable<typeof insides>).runtimeOf(scope);
  } catch {
    throw detached(way);
  }
}

/** The actor in whose name a scope acts. */
export function actorOf(scope: Scope): Actor {
  return (insides as NonNullable<typeof insides>).actorOf(scope);
}

/** Options of `forget`. */
export interface ForgetOptions {
  /** Releases only the last result, with its artifacts. @default false */
  resultOnly?: boolean | undefined;
}

/**
 * The base of a manager, a session and a run: spawns sub-agents, and sees and steers those below. The manager reaches every
 * sub-agent, a session or run those below itself. A target is an id, a nickname, or a handle.
 */
export abstract class Scope<DrivenRun = unknown> {
  // Private: printing or stringifying a scope must not show all that is behind it, texts and circles included.
  readonly #runtime: Parts;
  readonly #actor: Actor;
  #inbox: Inbox | undefined;

  /** @internal */
  protected constructor(runtime: Parts, actor: Actor) {
    this.#runtime = runtime;
    this.#actor = actor;
    insides ??= { runtimeOf: (scope) => scope.#runtime, actorOf: (scope) => scope.#actor };
  }

  /**
   * Spawns a sub-agent, by its options or its instructions alone. It starts at once if a slot and its budget are free.
   * Otherwise it is queued.
   *
   * If it starts, its host function has been called when this returns. Within a listener, a policy, or the part of a host
   * function before its first `await`, it is called soon after.
   *
   * Throws a `SubAgentError` if the spawn is refused; nothing has changed then. `invalid_argument`: a wrong option. A limit:
   * `depth_limit`, `children_limit`, `queue_full`, `tasks_limit`, … `budget_exhausted`. `spawn_denied`, `policy_blocked`: the
   * program's own gates. `aborted`: its signal has fired.
   *
   * An `idempotencyKey` that was used before returns the first sub-agent. If that one was forgotten, the spawn throws
   * `idempotency_forgotten`, with `{ taskId, status: 'forgotten', lastStatus }` in its details.
   */
  spawn<const Schema extends ResultSchema, Fields extends object = Metadata>(
    options: SpawnOptions<Fields & JsonOf<Fields>> & { schema: Schema; drive: 'program' },
  ): DrivenHandle<ValueOf<Schema>, DrivenRun>;
  spawn<const Schema extends ResultSchema, Fields extends object = Metadata>(
    options: SpawnOptions<Fields & JsonOf<Fields>> & { schema: Schema },
  ): Handle<ValueOf<Schema>>;
  spawn<Fields extends object = Metadata>(
    options: SpawnOptions<Fields & JsonOf<Fields>> & { drive: 'program' },
  ): DrivenHandle<unknown, DrivenRun>;
  spawn<Fields extends object = Metadata>(options: SpawnOptions<Fields & JsonOf<Fields>> | string): Handle;
  spawn(given: SpawnOptions | string, ...more: unknown[]): Handle {
    if (more.length > 0) throw invalid('`spawn`', 'called with one argument, such as `spawn({ instructions, background })`', more[0]);
    const options = typeof given === 'string' ? { instructions: given } : given;
    const runtime = partsOf(this);
    const request = requested(runtime, this.#actor, options);
    const active = spawn(runtime, this.#actor, request, options);
    return request.staged?.driven === true ? new DrivenHandle(active, this.#actor) : new Handle(active, this.#actor);
  }

  /**
   * The handle of a sub-agent that was spawned with `drive: 'program'`, such as one of an earlier process. `list()` shows the
   * waiting ones with `waitingFor: 'program'`. Throws `wrong_style` for any other sub-agent, and the errors of `get`.
   */
  drive(target: TaskRef): DrivenHandle<unknown, DrivenRun> {
    const runtime = partsOf(this);
    const task = runtime.lookup.resolve(this.#actor, target);
    expectDriven(runtime, task, 'be driven by the program');
    return new DrivenHandle(lastRunOf(runtime, task), this.#actor);
  }

  /**
   * Sends a message to a sub-agent. If the sub-agent has asked a question, the message is the answer.
   *
   * Otherwise `mode` decides which run reads it:
   *
   * - `queue`: the next one.
   * - `steer`: the open run, at its next turn. If that takes no further turn, the message goes ahead of the queue. A further
   *   attempt reads it again.
   * - `interrupt`: the next one, for which the open run is stopped at once. The message goes ahead of the queue.
   *
   * Throws `wrong_status` for a closed sub-agent, `messages_limit` if `maxMessages` wait, and `unknown_task` without a target
   * if no child takes messages.
   */
  send(target: TaskRef | undefined, message: string, options?: SendOptions): MessageReceipt {
    const runtime = partsOf(this);
    return send(runtime, this.#actor, this.#addressee(target, message), message, options);
  }

  /**
   * Stops a sub-agent's run with its foreground sub-agents, and pauses its messages until the next `send`.
   *
   * The sub-agent stays open, and its background sub-agents continue. Resolves when the stopped runs have ended. The default
   * target is the open child that changed last.
   */
  interrupt(target?: TaskRef, options?: { graceMs?: number | undefined }): Promise<void> {
    return asked(partsOf(this), () => interrupt(this.#runtime, this.#actor, this.#target(target, 'interrupt'), options));
  }

  #addressee(target: TaskRef | undefined, message: unknown): Key {
    try {
      // In a call with a single text, the message is missing: the text is no unknown target.
      if (typeof message !== 'string') throw noMessage('send(id, ', message);
      return this.#target(target);
    } catch (error) {
      this.#runtime.refusals.report('send', this.#actor, typeof target === 'string' ? target : null, error);
      throw error;
    }
  }

  #target(target: TaskRef | undefined, purpose = 'speak to'): Key {
    return targetOf(this.#runtime, this.#actor, target, purpose);
  }

  /**
   * Waits for one sub-agent or several, for at most `timeoutMs` (30 s).
   *
   * If the time runs out, the promise still resolves, and `timedOut` is true. With `timeoutMs: 0` it checks once.
   *
   * Without targets, it waits for all own sub-agents that run or whose ends were not collected yet. A manager's own are those
   * of its default session. This includes background work below ended sub-agents: its notices come here.
   *
   * A sub-agent that asks ends the wait: `needsInput` has its question, and it continues when it gets a message. Ends in
   * `completed` are collected: they make no notices. Rejects with `unknown_task` or `forgotten` for a missing id, and with
   * `aborted` if `signal` fires.
   */
  wait(targets?: TaskRef | readonly TaskRef[], options: WaitOptions = {}): Promise<WaitResult> {
    return partsOf(this).answer(this.#wait(targets, options));
  }

  async #wait(targets: TaskRef | readonly TaskRef[] | undefined, options: WaitOptions): Promise<WaitResult> {
    const { mode, idle, timeoutMs, signal } = readArgument('the options of wait', () => waitOptions(options));
    const ids = targets === undefined ? undefined : idsOf('`targets`', targets);
    const found = ids === undefined ? this.#own() : ids.map((id) => this.#runtime.lookup.resolve(this.#actor, id));
    this.#runtime.readers.waits();
    const { waitSnapshots } = this.#runtime;
    const taken = waitSnapshots.takeAll(found);
    try {
      const read = (timedOut: boolean, targets: readonly WaitedFor[]): WaitResult =>
        waitSnapshots.resultOf(taken, targets, { idle, ids, timedOut });
      return await this.#runtime.waits.waitMany(this.#actor, found, { all: mode === 'all', idle, timeoutMs }, read, signal);
    } finally {
      waitSnapshots.release(taken);
    }
  }

  /** Own sub-agents that still work, or whose ends were not collected yet. */
  #own(): Key[] {
    const { index, generation, run } = this.#actor;
    return this.#runtime.view((core) => core.ownToWaitFor(index, generation, run), many(readKey));
  }

  /**
   * Cancels a sub-agent and all below it. Resolves to its snapshot when nothing runs there.
   *
   * Afterwards only the program, session or run that cancelled it, or one above that, can send it messages.
   *
   * @param target default, also for an explicit `undefined`: the open child that changed last
   * @param options how long host functions have to return, and a signal that ends the wait
   */
  cancel(target?: TaskRef, options?: StopOptions): Promise<CancelledSnapshot> {
    return asked(partsOf(this), () => {
      const place = this.#target(target, 'cancel');
      return cancel(this.#runtime, this.#actor, place, options);
    });
  }

  /**
   * Closes a sub-agent and all below it: cancels what runs, and takes no further messages.
   *
   * Resolves to its snapshot, with the status that it had before, when nothing runs there. Closing twice is no error.
   */
  close(target: TaskRef, options?: StopOptions): Promise<ClosedSnapshot> {
    return asked(partsOf(this), () => close(this.#runtime, this.#actor, this.#runtime.lookup.resolve(this.#actor, target), options));
  }

  /**
   * Reopens a closed sub-agent, which is then `idle`. Nothing below it is reopened, and its spending stays.
   *
   * A sub-agent that isn't closed stays as it is. Only the program, session or run that closed it, or one above that, can
   * reopen it. It is refused if a spawn in its place would be.
   */
  resume(target: TaskRef): Promise<HandleSnapshot> {
    return asked(partsOf(this), () => resume(this.#runtime, this.#actor, this.#runtime.lookup.resolve(this.#actor, target)));
  }

  /**
   * Moves foreground work to the background, with its slot, budget and deadlines. Resolves to its snapshot.
   *
   * A call that waits for it returns at once, with the message that it has started. A notice reports its end. Rejects with
   * `wrong_status` if it has no run and wasn't in the background.
   */
  moveToBackground(target: TaskRef): Promise<TaskSnapshot> {
    return asked(partsOf(this), () => {
      const task = this.#runtime.lookup.resolve(this.#actor, target);
      this.#runtime.perform(this.#actor, { type: 'move_to_background', task });
      return this.#runtime.lookup.snapshot(task.index, task.generation);
    });
  }

  /** The notices of ends of background runs, for this main agent or run. */
  get inbox(): Inbox {
    this.#inbox ??= new Inbox(this.#runtime, this.#actor);
    return this.#inbox;
  }

  /**
   * A snapshot of a sub-agent.
   *
   * Throws `unknown_task` or `forgotten` if it isn't there, and `not_reachable` if it isn't below this session or run.
   */
  get(target: TaskRef): TaskSnapshot {
    return partsOf(this).lookup.snapshotOf(this.#actor, target);
  }

  /**
   * The sub-agents below, closed ones included: parents before their children, in order of age.
   *
   * With `page`, one page of them, with `total` and `nextOffset`.
   */
  list(options: ListOptions = {}): TaskList {
    return listed(partsOf(this), this.#actor, listingOf(this.#runtime, this.#actor, options));
  }

  /**
   * Forgets an ended sub-agent and all below it: its id answers `forgotten` from then on.
   *
   * Their spending stays booked. Its own notice goes with it, acknowledged or not; notices that wait below it go to the next
   * inbox above.
   *
   * With `resultOnly`, it releases only the sub-agent's last result, with its artifacts. The rest of the sub-agent stays
   * readable.
   *
   * Throws `wrong_status` while one of them runs, or has a host function that has not returned. After `abandonMs`, it may be
   * forgotten in any case; until then `details.retryAfterMs` has the remaining milliseconds. Afterwards it no longer counts for
   * `maxAbandoned`, and the result of its host function is ignored.
   */
  forget(target: TaskRef, options: ForgetOptions = {}): void {
    const isResult = resultOnly(options);
    const runtime = partsOf(this);
    const task = runtime.lookup.resolve(this.#actor, target);
    runtime.perform(this.#actor, { type: isResult ? 'release_result' : 'forget', task });
  }

  /**
   * Reads the last result of a sub-agent, a page at a time. No run is repeated for it.
   *
   * A sub-agent without a result has an empty page. Throws `released` if the result was released.
   */
  readResult(target: TaskRef, options?: PageOptions): ResultPage {
    return readPage(partsOf(this), this.#actor, this.#runtime.lookup.resolve(this.#actor, target), options);
  }

  /** Whether a sub-agent spawned now would start at once, with budget left. If false, `spawn` may still queue one. */
  canSpawn(): boolean {
    const runtime = partsOf(this);
    const { index, generation, run } = this.#actor;
    return runtime.call((core) => core.canSpawn(index, generation, run, now()));
  }

  /**
   * Asks the manager's `checkConsumerSpawn`; without a gate everything is allowed.
   *
   * A gate that throws, or returns a promise or no boolean, refuses.
   */
  checkConsumerSpawn(params: Pick<SubAgentParamsType, 'instructions'> & SpawnOptions): SpawnGate {
    return partsOf(this).call((core) => core.checkConsumerSpawn(params));
  }

  /**
   * How full the manager is: slots taken and their limit, queued work, parked runs, host functions that were given up.
   */
  getConcurrencyInfo(): ConcurrencyInfo {
    return partsOf(this).call((core) => core.getConcurrencyInfo(now()));
  }

  /** Makes the `SubAgent` tool for a model, which spawns below this manager, session or run. */
  createSubAgentTool(options?: SubAgentToolOptions): SubAgentTool {
    return createTool(partsOf(this), this.#actor === PROGRAM ? PROGRAM : this.#actor, options);
  }

  /**
   * Makes the tools for a model, which act below this manager, session or run. They spawn, wait, send, interrupt, cancel,
   * close, resume, list and read results. In a run, `ask` adds one to ask its parent. The result is an object by name, as the
   * AI SDK and Mastra take it; iterated, it is a list of tools.
   */
  createTools(options?: ToolsOptions): AgentTools {
    const runtime = partsOf(this);
    if (this.#actor !== PROGRAM) return createTools(runtime, this, this.#actor, options);
    // A model acts as a session, never as the program (A1).
    const session = DEFAULT_SESSION;
    return createTools(runtime, new DefaultSession(runtime, session), session, options);
  }
}

/** The default session, for its tools. */
class DefaultSession extends Scope {
  constructor(runtime: Parts, actor: Actor) {
    super(runtime, actor);
  }
}

function resultOnly(options: ForgetOptions): boolean {
  const { resultOnly = false } = knownOptions('forget', options, ['resultOnly']);
  if (typeof resultOnly !== 'boolean') throw invalid('`resultOnly`', 'true or false', resultOnly);
  return resultOnly;
}

interface Waiting {
  mode: 'all' | 'any';
  idle: boolean;
  timeoutMs: number;
  signal: AbortSignal | undefined;
}

function waitOptions(options: WaitOptions): Waiting {
  const { mode = 'all', until = 'ended', timeoutMs, signal } = knownOptions('wait', options, ['timeoutMs', 'mode', 'until', 'signal']);
  if (mode !== 'all' && mode !== 'any') throw invalid('`mode`', "'all' or 'any'", mode);
  if (until !== 'ended' && until !== 'idle') throw invalid('`until`', "'ended' or 'idle'", until);
  return {
    mode,
    idle: until === 'idle',
    timeoutMs: duration('`timeoutMs`', timeoutMs, true) ?? DEFAULT_WAIT_MS,
    signal: signalOf('`signal`', signal),
  };
}
