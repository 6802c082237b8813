// The manager, as the program uses it. Owns the operations that only the program has: events, budgets, draining,
// disposing.

import { type Instance, instantiate } from '../../pkg/subagents.js';
import { now } from '../base/clock.js';
import { instanceOf } from '../base/compile.js';
import { invalid } from '../base/errors.js';
import type { Json, JsonLike } from '../base/metadata.js';
import { showBy } from '../base/shown.js';
import { EventReader, type Listener } from '../boundary/events.js';
import type { Missing } from '../boundary/generated/lookups.js';
import { DEFAULT_SESSION, PROGRAM } from '../boundary/key.js';
import type { RefusalListener } from '../boundary/refusals.js';
import { asked } from '../commands/lifecycle.js';
import type { Parts } from '../commands/parts.js';
import { estimateOf, type PlannedSpawns } from '../commands/planning.js';
import type { Limits } from '../generated/limits.js';
import type { OnParentEnd } from '../generated/names.js';
import type { AgentDefinition } from '../options/agents.js';
import { given, graceOf, knownOptions, readArgument } from '../options/arguments.js';
import { type LiveLimits, limitsOf, readLimits } from '../options/bounds.js';
import type { SpawnOptions, SubAgentParamsType } from '../options/generated/spawn.js';
import type { HostResult, SpawnGate } from '../options/host-result.js';
import type { Prices } from '../options/prices.js';
import type { Profile } from '../options/profiles.js';
import type { Rates } from '../options/rates.js';
import type { RetryOptions } from '../options/retry.js';
import type { StoreOptions } from '../options/store.js';
import { type Budget, duration, readBudget, type Sometimes } from '../options/values.js';
import type { MainLimits, PolicySets } from '../policies/policy.js';
import type { Wake } from '../runs/wakes.js';
import { readBudgetAccount } from '../snapshots/generated/task-readers.js';
import { readManagerCosts, readManagerCounts } from '../snapshots/generated/totals-readers.js';
import type { BudgetAccount, DrainResult, ManagerCosts, ManagerStats, PlanEstimate, TaskSnapshot } from '../snapshots/types.js';
import type { SpawnBackgroundSubAgent, SpawnSubAgent } from './host-functions.js';
import { MainAgent } from './main-agent.js';
import { openRuntime } from './open-runtime.js';
import { openManager, takeOpening } from './open-store.js';
import { makeRun } from './run.js';
import { partsOf, type TaskRef } from './scope.js';
import type { Session, SessionOptions } from './session.js';
import { expectKey, type RestoredSession, Sessions } from './sessions.js';

/** Whether `console.log` shows a manager by its figures. */
let isShown = false;

/** Options of a manager. */
export interface SubAgentManagerOptions extends Sometimes<Limits> {
  /** Runs a model. Not needed if the program drives every sub-agent itself (`drive: 'program'`). */
  spawnSubAgent?: SpawnSubAgent | undefined;
  /**
   * Starts a sub-agent elsewhere and resolves to its id; used for `background: true`.
   *
   * The run ends by `reportSettled`, by cancel or by its deadline.
   */
  spawnBackgroundSubAgent?: SpawnBackgroundSubAgent | undefined;
  /**
   * Acquires an external resource for a sub-agent, such as a folder. The result is `run.acquired`.
   *
   * It is called before the first run, and resolves to JSON within the bounds of metadata. If it throws, the run ends
   * `host_threw`. With a store, it is called again for the same sub-agent if the process was lost before it resolved.
   */
  acquire?: ((task: TaskSnapshot) => JsonLike | undefined | Promise<JsonLike | undefined>) | undefined;
  /**
   * Releases the data of `acquire`, once the sub-agent is gone and its host functions have returned.
   *
   * A sub-agent is gone if it was closed, forgotten or evicted; without a store also after `[Symbol.asyncDispose]()`. `data` is
   * undefined if `acquire` did not resolve to data. It may be called again after a crash. Its errors go to `onError`.
   */
  release?: ((taskId: string, data: Json | undefined) => unknown) | undefined;
  /** The host's own limit: the tool calls it before each spawn and refuses unless it returns `true`. */
  canSpawn?: (() => boolean) | undefined;
  /** The numbers for the text of a refusal by `canSpawn`. */
  getConcurrencyInfo?: (() => { active: number; limit: number }) | undefined;
  /**
   * The host's gate, called before each spawn, synchronously. A gate that throws, or returns a promise or no boolean,
   * refuses.
   */
  checkConsumerSpawn?: ((params: SubAgentParamsType & SpawnOptions) => SpawnGate) | undefined;
  /** Model id that sub-agents inherit if neither they nor anything above them names one. */
  modelId?: string | undefined;
  /** The same as a function, called each time the id is needed. */
  getModelId?: (() => string) | undefined;
  /** Budget of all sub-agents together. Default: no cap */
  budget?: Budget | undefined;
  /** Budget of one sub-agent for its life. A spawn may set its own. Default: no cap */
  taskBudget?: Budget | undefined;
  /**
   * Prices of models, in US dollars per million tokens: `{ 'model*': { input: 3, output: 15, cacheRead: 0.3 } }`. Default:
   * none.
   *
   * They give the dollars of a report or result that has the kinds of its tokens and no `costUsd`.
   */
  prices?: Prices | undefined;
  /**
   * Requests and tokens per minute that providers allow, by `rateLimitKey`: `{ 'openai*': { requestsPerMinute: 500 } }`.
   * Default: none.
   *
   * A turn beyond these parks, and a start stays queued, both with the reason `rate`.
   */
  rates?: Rates | undefined;
  /** How runs that ended badly are retried; `false`: not at all. A spawn may set its own. @default false */
  retry?: RetryOptions | false | undefined;
  /**
   * What happens to a background sub-agent when the run that spawned it ends well.
   *
   * `adopt`: it continues. `wait`: that run ends only after it. `cancel`: it is cancelled. A spawn may set its own.
   * @default 'adopt'
   */
  onParentEnd?: OnParentEnd | undefined;
  /** What happens to work at the slot limit. @default 'queue' */
  onLimit?: 'queue' | 'reject' | undefined;
  /** Kinds of sub-agents, by name: `spawn({ agent })` and the tool's `agent` take one. */
  agents?: Readonly<Record<string, AgentDefinition>> | undefined;
  /** Functions that make a system prompt, by name, besides `minimal`: `spawn({ profile })` takes one. */
  profiles?: Readonly<Record<string, Profile>> | undefined;
  /** Counts the tokens of a text. Default: UTF-8 bytes divided by 4. */
  countTokens?: ((text: string) => number) | undefined;
  /** Names of the main agent's tools. Default: unknown; only tools that are always blocked are filtered out. */
  tools?: readonly string[] | undefined;
  /** Policies, asked in their order: for sub-agents, and for main agents. Default: none */
  policies?: PolicySets | undefined;
  /** Limits of a main agent's turns, context and time, restarted after each of its answers. Default: none */
  mainLimits?: MainLimits | undefined;
  /**
   * Gets errors that listeners and policies throw. Default: `reportError` in a page or a worker, else the console.
   *
   * They end nothing, and a policy's gate stays closed. It also gets errors with these codes:
   *
   * - `abandoned_limit`: `maxAbandoned` is reached, and nothing starts.
   * - `no_price`, once per model: `prices` has none for a used model.
   * - `cost_unknown`, once: a run under a cap in dollars has completed, and its cost is unknown.
   * - `stalled`: nothing has moved for `stallMs`, while runs with queued sub-agents below them hold every slot.
   */
  onError?: ((error: unknown) => void) | undefined;
  /**
   * Whether waits outside of `run` park the run whose host function makes them. Default: true from Node 24 on.
   *
   * These are waits by the manager, a session, a handle or their tools, in a host function or a policy. The calls of `run`
   * always park it. This takes an `AsyncLocalStorage`, which is nearly free from Node 24 on. In older Node it doubles the time
   * of each `await` of the process.
   */
  asyncContext?: boolean | undefined;
  /**
   * Called when notices wait for a main agent, once per batch and never within another call.
   *
   * It serves the manager's own main agent (`session` is then the manager), and each session without an `onWake`.
   */
  onWake?: ((session: SubAgentManager | Session, wake: Wake) => unknown) | undefined;
}

/** Options of `SubAgentManager.open`: those of a manager, and where and how its journal is stored. */
export interface OpenOptions extends SubAgentManagerOptions, StoreOptions {}

/**
 * Manages the sub-agents of an agent: who may run, when, and with which budget. It handles cancel, timeout and failure, and
 * delivers results. It never calls a model: `spawnSubAgent` does.
 */
export class SubAgentManager extends MainAgent {
  readonly #sessions: Sessions;

  /**
   * The compiled module; each entry file overrides this.
   *
   * @internal
   */
  static module(): object {
    throw new Error('import the package by its name, not one of its parts');
  }

  /**
   * A wasm instance for the core of a new manager.
   *
   * @internal
   */
  static instance(): Instance {
    // biome-ignore lint/complexity/noThisInStatic: each entry has a class of its own
    return instanceOf(() => instantiate(this.module(), this.random()));
  }

  /**
   * A function that fills bytes with randomness for ids, if an entry has a cheaper source than `crypto`.
   *
   * @internal
   */
  static random(): ((bytes: Uint8Array) => void) | undefined {
    return undefined;
  }

  /**
   * Opens a manager with a store: it writes every decision there, and continues where the last manager with that store ended.
   * Host functions are called in a later task, so the program can register sessions first. A listener that subscribes before
   * that task gets the events of the opening, such as the end of a lost run. Rejects with `store_locked`, `store_damaged`,
   * `store_version` or `store_failed`, and with the errors of the constructor.
   */
  static open<M extends SubAgentManager>(this: { new (options?: SubAgentManagerOptions): M }, options: OpenOptions): Promise<M> {
    // biome-ignore lint/complexity/noThisInStatic: each entry has a class of its own
    return openManager(this as unknown as typeof SubAgentManager, options) as Promise<never>;
  }

  /**
   * Makes a manager, with a core of its own. Throws `invalid_argument` for an unknown option or an impossible value, and
   * `instance_limit` if the runtime allows no further core.
   */
  constructor(options: SubAgentManagerOptions = {}) {
    const opening = takeOpening();
    const runtime: Parts = openRuntime(new.target.instance(), options as Readonly<Record<string, unknown>>, makeRun, opening);
    super(runtime, PROGRAM);
    if (!isShown)
      isShown = showBy(
        SubAgentManager,
        () => ({}),
        (manager) => ({ ...manager.stats(), sessions: manager.sessionKeys.length }),
      );
    this.#sessions = new Sessions(runtime);
    const { onWake } = runtime.functions;
    if (onWake === undefined) return;
    runtime.readers.reads(PROGRAM);
    runtime.wakes.register(DEFAULT_SESSION, this, onWake);
  }

  /**
   * Calls `listener` for every later event, once the step that made it is complete. Returns a function that unsubscribes. If
   * called after `await SubAgentManager.open(…)`, before anything else is awaited, it gets every event since the opening. These
   * include runs that the opening ended or restarted, but nothing that earlier processes did. All listeners get the same
   * object, and must not change it. docs/reference/events.md lists all events.
   */
  subscribe(listener: Listener): () => void {
    if (typeof listener !== 'function')
      throw invalid('a listener', 'a function, the first argument, which gets every event: `event.type` says which', listener);
    return partsOf(this).listeners.subscribe(listener, (runtime, scratch, since) => new EventReader(runtime, scratch, since));
  }

  /**
   * Calls `listener` at once for every refused spawn and message, by any actor. Returns a function that unsubscribes. A refusal
   * changes nothing, so it is neither an event nor stored. Wrong arguments of a model, wrong options of the program, undefined
   * agents and messages to unknown sub-agents count too. Requests after the manager's end don't.
   */
  onRefused(listener: RefusalListener): () => void {
    if (typeof listener !== 'function')
      throw invalid('a listener', 'a function, which gets every refusal: `refusal.code` says why', listener);
    partsOf(this).check();
    return partsOf(this).refusals.listen(listener);
  }

  /** The keys of the open sessions. */
  get sessionKeys(): string[] {
    partsOf(this).check();
    return this.#sessions.keys;
  }

  /** Counts of sub-agents by status, and the spending. The counts of the statuses sum to the total. Throws `disposed`. */
  stats(): ManagerStats {
    const parts = partsOf(this);
    const events = parts.call((core) => core.factCount());
    const counts = parts.view((core) => core.stats(now()), readManagerCounts);
    return { ...counts, events, memoryBytes: parts.scratch.memoryBytes };
  }

  /**
   * Spending since the beginning, by model and by agent definition. Each list adds up to the totals of `stats`. Work without a
   * name has the name null: in `byAgent`, that is the spending of main agents and of sub-agents without a definition.
   * `mainAgents` has that of main agents again. Throws `disposed`.
   */
  costs(): ManagerCosts {
    return partsOf(this).view((core) => core.costs(), readManagerCosts);
  }

  /**
   * The expected cost of a plan, before any of it is spawned. It uses `prices` and the past usage of such runs, else the
   * estimate of a turn. A line has the options of a spawn, the number of such spawns, and the turns of each. It counts against
   * no cap. Throws `invalid_argument`, `unknown_agent` or `unknown_profile`, like a spawn, and `disposed`.
   */
  estimate(plan: readonly PlannedSpawns[]): PlanEstimate {
    return estimateOf(partsOf(this), plan);
  }

  /**
   * The session with this key, opened at its first use: for programs that serve several main agents. It spawns, waits and lists
   * within its own sub-agents, and shares slots and budget with the others.
   */
  session(key: string, options: SessionOptions = {}): Session {
    // Throws if the method was called without its manager.
    partsOf(this);
    return this.#sessions.open(key, options);
  }

  /**
   * Closes the session with this key, like `session.close`. Resolves to whether there was one. The manager's own sub-agents
   * have no session with a key: use `cancelAll` or `dispose` for them.
   */
  closeSession(key: string, options?: { graceMs?: number | undefined }): Promise<boolean> {
    return asked(partsOf(this), () => {
      expectKey(key, 'closeSession');
      partsOf(this).check();
      const closing = this.#sessions.close(key, graceOf(options, 'close'));
      return closing === undefined ? false : closing.then(() => true);
    });
  }

  /**
   * Changes limits of a running manager; omitted limits stay. They bind new work: an open run keeps its turns and times, and
   * queued work takes new slots at once. Each change is an event (`limit_set`, `cap_set`, `defaults_set`). Throws
   * `invalid_argument` for an impossible value; then nothing has changed.
   */
  setLimits(limits: LiveLimits): void {
    partsOf(this).check();
    const bounds = readArgument('the limits', () => readLimits(limits));
    partsOf(this).batch(() => bounds.apply(partsOf(this)));
  }

  /** The limits in force; `Infinity` for a lifted limit. */
  get limits(): Required<Limits> {
    return limitsOf(partsOf(this));
  }

  /** Raises the cap of the whole manager, of a session, or of one sub-agent. */
  addBudget(budget: Budget, target?: TaskRef | Session): void {
    const { tokens = 0, costUsd = 0, turns = 0 } = readArgument('`budget`', () => readBudget('budget', given('`budget`', budget)));
    partsOf(this).perform(PROGRAM, { type: 'add_budget', task: this.#sessions.payerOf(target), amount: { tokens, costUsd, turns } });
  }

  /** The cap, spending and reservations of the manager, a session or a sub-agent, including all below it. */
  budget(target?: TaskRef | Session): BudgetAccount {
    const runtime = partsOf(this);
    const { index } = this.#sessions.payerOf(target);
    return runtime.view((core) => core.budget(index), readBudgetAccount);
  }

  /**
   * Refuses new work of the program and of sessions (`draining`), and lets running work end. Runs that are still open after
   * `timeoutMs` are cancelled and have `graceMs` to return. Default: no timeout. Until `timeoutMs`, a running sub-agent may
   * spawn others in the foreground; with a store, in the background too. Queued work is cancelled at once, unless a running
   * sub-agent spawned it in the foreground or waits for it. Messages that wait for the end of a run are not delivered. With a
   * store, both are left to the next manager that opens it. A second call joins the first and can only shorten it.
   */
  drain(options: { timeoutMs?: number | undefined } = {}): Promise<DrainResult> {
    return asked(partsOf(this), () => {
      const timeoutMs = readArgument('the options of drain', () => {
        const { timeoutMs } = knownOptions('drain', options, ['timeoutMs']);
        return duration('`timeoutMs`', timeoutMs, true);
      });
      return partsOf(this).waits.drain(timeoutMs ?? Number.POSITIVE_INFINITY);
    });
  }

  /**
   * Takes the result of a background sub-agent that `spawnBackgroundSubAgent` started, by the sub-agent's id or the host's own.
   * If that sub-agent has already ended, even by an earlier report, this is its late result. Throws `unknown_task` if no such
   * sub-agent has this id, and `invalid_argument` for a result that is no object, which ends nothing. With a store,
   * `await manager.flush()` before the producer of the result discards it.
   */
  reportSettled(id: string, result: HostResult): void {
    partsOf(this).check();
    partsOf(this).hosts.elsewhere.report(id, result);
  }

  /**
   * Resolves once the store has persisted all changes so far; at once if the manager has no store. Rejects with `store_failed`
   * if the store could not persist them.
   */
  async flush(): Promise<void> {
    partsOf(this).check();
    await partsOf(this).journal?.flush();
  }

  /**
   * The parts that restored work still lacks in this process; undefined if the manager has no store.
   *
   * `missing`: the sessions, agents and profiles that restored work waits for, by name. `sessions`: those that are open in the
   * store, but not opened by this process.
   */
  get restored(): { readonly missing: Readonly<Missing>; readonly sessions: readonly RestoredSession[] } | undefined {
    return this.#sessions.restored;
  }

  /**
   * Has the store replace its records by a snapshot of the state, as the manager does by itself at `compactBytes`. Resolves
   * once done; at once if the manager has no store. Rejects with the store's error; the store then keeps its records.
   */
  async compact(): Promise<void> {
    partsOf(this).check();
    await partsOf(this).journal?.compact();
  }

  /**
   * Ends the manager: fires the signals of open runs, rejects pending promises with code `disposed`, frees the memory. All
   * later calls throw `disposed`; disposing twice is no error. The store is released once it has everything:
   * `[Symbol.asyncDispose]()` waits for that, and so does `open` with the same store object. Queued work continues when the
   * store is opened again; open runs have then lost their process.
   */
  dispose(): void {
    partsOf(this).dispose();
  }

  /**
   * Disposes the manager, and resolves once its store is released. Rejects with `store_failed` if the store could not persist
   * everything.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    const { journal, resources } = partsOf(this);
    this.dispose();
    await resources.end(journal !== undefined);
    await journal?.closed();
  }

  /** The same as `dispose`, for `using manager = …`. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
