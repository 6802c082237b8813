// The manager, as the program uses it. Owns the public operations that only the program has: events,
// budgets, the manual style, draining, disposing.

import { instantiate } from '../pkg/subagents.js';
import { graceOf, idOf, nameOf, noOtherOptions, optionsOf, readArgument, signalOf } from './arguments.js';
import { type LiveLimits, limitsOf, readLimits } from './bounds.js';
import { now } from './clock.js';
import { invalid, messageOf, SubAgentError } from './errors.js';
import type { Listener } from './events.js';
import type { Limits } from './generated/limits.js';
import type { TaskStatus } from './generated/names.js';
import type { Journal } from './journal.js';
import type { Key } from './key.js';
import { PROGRAM } from './key.js';
import { asked, expectLive, quiet } from './lifecycle.js';
import { ALL, listed } from './listing.js';
import { MainAgent } from './main-agent.js';
import {
  type CompletionOptions,
  type CreateTaskOptions,
  type ManualTaskRef,
  ManualTasks,
  type SubAgentResult,
  type SubAgentTask,
} from './manual.js';
import type { CancelReceipt } from './notices.js';
import { mainLimitsOf, open } from './open.js';
import type { Budget, HostResult, SubAgentManagerOptions } from './options.js';
import type { PolicyList } from './policies/list.js';
import { withPreset } from './presets.js';
import type { Runtime } from './runtime.js';
import type { TaskRef } from './scope.js';
import { Session, type SessionOptions } from './session.js';
import type { BudgetAccount, DrainResult, ManagerStats, TaskSnapshot } from './snapshots.js';
import { amount, count, duration, readBudget, string, strings } from './spawn-options.js';
import { createTool, type SubAgentTool, type SubAgentToolOptions } from './tool.js';
import type { WakeListener } from './wakes.js';

function newInstance(module: object): ReturnType<typeof instantiate> {
  try {
    return instantiate(module);
  } catch (error) {
    // By name: a sandbox may throw the error of another realm.
    if ((error as Error).name !== 'RangeError') throw error;
    throw new SubAgentError(
      'instance_limit',
      `this runtime allows no further manager (${messageOf(error)}): dispose some, or let many agents share one by \`manager.session(key)\``,
      {},
      { cause: error },
    );
  }
}

/**
 * Manages the sub-agents of an agent: who may run, when, with which budget; what happens on cancel,
 * timeout and failure; who is told about the result. It never calls a model: `spawnSubAgent` does.
 */
export class SubAgentManager extends MainAgent {
  readonly #manual: ManualTasks;
  readonly #sessions = new Map<string, Session>();
  /** Sessions that are being closed: their keys are free, and a second close joins the first. */
  readonly #closing = new Map<string, Session>();

  /**
   * The compiled module: each entry file says where it comes from.
   *
   * @internal
   */
  static module(): object {
    throw new Error('import the package by its name, not one of its parts');
  }

  /**
   * What keeps the facts of the manager that is made next, and where it goes on from; nothing, until there is a store.
   *
   * @internal
   */
  static journal(): Journal | undefined {
    return undefined;
  }

  constructor(options: SubAgentManagerOptions = {}) {
    const runtime: Runtime = open(
      newInstance(new.target.module()),
      readArgument('the options of a manager', () => withPreset(options)),
      new.target.journal(),
    );
    super(runtime, PROGRAM);
    this.#manual = new ManualTasks(runtime);
    const { onWake } = runtime.functions;
    if (onWake !== undefined) runtime.wakes.register(runtime.core.defaultSession(), this, onWake);
  }

  /**
   * The tool of a manager that nobody else has: see `sub-agent-tool.ts`.
   *
   * @internal
   */
  createLoneTool(options: SubAgentToolOptions): SubAgentTool {
    return createTool(this.runtime, this.actor, options, true);
  }

  /** Calls `listener` for every event from now on; returns the function that ends it. */
  subscribe(listener: Listener): () => void {
    if (typeof listener !== 'function') throw invalid('a listener', 'a function', listener);
    return this.runtime.listeners.subscribe(listener);
  }

  /** Statistics; the statuses sum to the total. */
  stats(): ManagerStats {
    return this.runtime.call((core) => core.stats(now())) as ManagerStats;
  }

  /**
   * The session with this key, opened at its first use: for programs that serve several main agents. It
   * spawns, waits and lists within its own sub-agents and shares slots and budget with the others.
   */
  session(key: string, options: SessionOptions = {}): Session {
    if (typeof key !== 'string' || key === '')
      throw new SubAgentError('invalid_argument', 'a session key must be a text that is not empty', { argument: 'key' });
    nameOf('`key`', key);
    this.runtime.check();
    const settings = readArgument('the options of a session', () => sessionOptions(options));
    // Reading runs code of the caller's, which may have opened it.
    const policies = this.runtime.gates.sessionPolicies(settings.policies);
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    expectLive(settings.signal);
    // Whoever hears that it was opened may ask for it at once.
    return this.runtime.together(() => this.#open(key, policies, settings));
  }

  #open(key: string, policies: PolicyList, { tools, modelId, budget, onWake, limits, signal }: SessionSettings): Session {
    const actor = this.runtime.lookup.openSession(key);
    this.runtime.gates.openSession(actor, policies, limits);
    if (tools !== undefined) this.runtime.ask((core) => core.setTools(now(), actor.slot, tools));
    if (modelId !== undefined) this.runtime.ask((core) => core.setModel(now(), actor.slot, modelId));
    if (budget !== undefined) {
      const { tokens = Number.NaN, costUsd = Number.NaN, turns = Number.NaN } = budget;
      this.runtime.ask((core) => core.setSessionBudget(now(), actor.slot, actor.generation, tokens, costUsd, turns));
    }
    const session: Session = new Session(
      this.runtime,
      actor,
      key,
      (closed) => {
        if (this.#sessions.get(key) === session) this.#sessions.delete(key);
        this.#closing.set(key, session);
        const over = (): void => {
          if (this.#closing.get(key) === session) this.#closing.delete(key);
        };
        closed.then(over, over);
      },
      signal,
    );
    this.#sessions.set(key, session);
    const listener = onWake ?? this.runtime.functions.onWake;
    this.runtime.wakes.register(actor.slot, session, listener as WakeListener<never> | undefined);
    return session;
  }

  /** How many sub-agents are running; those of one session where its key is given. Queued ones don't count. */
  getRunningCount(sessionKey?: string): number {
    if (sessionKey === undefined) return this.stats().running;
    if (typeof sessionKey !== 'string') throw invalid('a session key', 'a text', sessionKey);
    this.runtime.check();
    return this.#sessions.get(sessionKey)?.list({ filter: { status: ['running'] }, page: { limit: 0 } }).total ?? 0;
  }

  /**
   * Closes the session with this key as `session.close` does. Resolves to whether there was one; the manager's own
   * sub-agents have no session with a key, so `cancelAll` or `dispose` is for them.
   */
  closeSession(key: string, options?: { graceMs?: number | undefined }): Promise<boolean> {
    return asked(this.runtime, () => {
      if (typeof key !== 'string' || key === '')
        throw new SubAgentError('invalid_argument', 'a session key must be a text that is not empty; the default session has none', {
          argument: 'key',
        });
      this.runtime.check();
      const session = this.#sessions.get(key) ?? this.#closing.get(key);
      if (session === undefined) return false;
      return quiet(session.closeWithin(options).then(() => true));
    });
  }

  /**
   * Changes limits while the manager is at work, checked as the constructor checks them; what is left out stays as it
   * is. They bind new work: what runs keeps the turns and times that it started with, and more slots start what waits
   * at once. Each change is an event (`limit_set`, `cap_set`, `task_cap_set`, `admission_set`). All or nothing: throws
   * `invalid_argument` for a value that can't be, and then nothing has changed.
   */
  setLimits(limits: LiveLimits): void {
    this.runtime.check();
    const bounds = readArgument('the limits', () => readLimits(limits));
    this.runtime.together(() => bounds.apply(this.runtime));
  }

  /** The limits in force; `Infinity` where one is lifted. */
  get limits(): Required<Limits> {
    return limitsOf(this.runtime);
  }

  /** Raises the cap of the whole manager, of a session, or of one sub-agent. */
  addBudget(budget: Budget, target?: TaskRef | Session): void {
    const {
      tokens = Number.NaN,
      costUsd = Number.NaN,
      turns = Number.NaN,
    } = readArgument('`budget`', () => readBudget('budget', given('`budget`', budget)));
    const { slot, generation } = this.#payer(target);
    this.runtime.ask((core) => core.addBudget(now(), slot, generation, tokens, costUsd, turns));
  }

  /** What the manager, a session or a sub-agent may spend, has spent and has set aside, all below it included. */
  budget(target?: TaskRef | Session): BudgetAccount {
    const { slot } = this.#payer(target);
    return this.runtime.call((core) => core.budget(slot)) as BudgetAccount;
  }

  #payer(target: TaskRef | Session | undefined): Key {
    if (target === undefined) return PROGRAM;
    const isSession = readArgument('the target', () => target instanceof Session);
    if (!isSession) return this.runtime.lookup.resolve(PROGRAM, idOf(target as TaskRef));
    this.runtime.check();
    const session = target as Session;
    if (this.#sessions.get(session.key) !== session) throw new SubAgentError('invalid_argument', 'this session is not of this manager');
    return session.place;
  }

  /** Cancels every sub-agent; resolves when none runs any more. */
  cancelAll(options?: { graceMs?: number | undefined }): Promise<CancelReceipt> {
    return asked(this.runtime, () => quiet(this.runtime.waits.cancel(PROGRAM, 0, 0, 'cancelled', graceOf(options, 'cancelAll'))));
  }

  /**
   * Takes no new work, lets running work end, and cancels what still runs after `timeoutMs`. Queued work
   * that nobody running waits for is cancelled at once; messages that wait for the end of a run are not delivered.
   */
  drain(options: { timeoutMs?: number | undefined } = {}): Promise<DrainResult> {
    return asked(this.runtime, () => {
      const timeoutMs = readArgument('the options of drain', () => {
        const { timeoutMs, ...unknown } = optionsOf('the options of drain', options);
        noOtherOptions('drain', unknown);
        return duration('`timeoutMs`', timeoutMs);
      });
      return quiet(this.runtime.waits.drain(timeoutMs ?? Number.POSITIVE_INFINITY));
    });
  }

  /**
   * Takes the result of a background sub-agent that `spawnBackgroundSubAgent` started, by our id or the
   * host's own. One that has ended before, by an earlier report too, keeps it as its late
   * result.
   */
  reportSettled(id: string, result: HostResult): void {
    this.runtime.check();
    this.runtime.hosts.elsewhere.report(id, result);
  }

  /** Bytes of linear memory that the core has taken; 0 once the manager is over. */
  memoryBytes(): number {
    return this.runtime.scratch.memoryBytes;
  }

  /** Fires the signals of what runs, rejects what is pending with code `disposed`, lets the memory go. */
  dispose(): void {
    this.runtime.dispose();
  }

  [Symbol.dispose](): void {
    this.dispose();
  }

  // ─── the manual style ───────────────────────────────────────────────────────────────────────────

  /** Makes a task that the program drives itself; its tokens are set aside until it ends. */
  createTask(options: CreateTaskOptions): SubAgentTask {
    return this.#manual.create(options);
  }

  /** The first prompt for a manual task: goal, context, what it is part of, tools, limits. */
  buildSubAgentPrompt(task: ManualTaskRef, availableTools?: readonly string[], parentGoal?: string): string {
    return this.#manual.prompt(task, availableTools, parentGoal);
  }

  /** A prompt that has an output summarised in `maxSummaryTokens`; it takes 20,000 characters of it. */
  buildSummaryPrompt(task: ManualTaskRef, fullOutput: string): string {
    return this.#manual.summaryPrompt(task, fullOutput);
  }

  /** A summary as a model returned it, trimmed and cut at `maxSummaryTokens` x 4 characters. */
  parseSummary(answer: string): string {
    return this.#manual.parseSummary(answer);
  }

  /** A manual task takes a slot. Throws `concurrency_limit` where none is free. */
  markRunning(task: ManualTaskRef): void {
    this.#manual.markRunning(task);
  }

  /** A manual task has reached its goal. */
  markCompleted(task: ManualTaskRef, result: string, options?: CompletionOptions): SubAgentResult {
    return this.#manual.markCompleted(task, result, options);
  }

  /** A manual task has failed. */
  markFailed(task: ManualTaskRef, error: string, options?: CompletionOptions): SubAgentResult {
    return this.#manual.markFailed(task, error, options);
  }

  /** Cancels a manual task. Throws `wrong_status` where it has ended. */
  cancelTask(task: ManualTaskRef): void {
    this.#manual.cancel(task);
  }

  /** Sets tokens aside from the pool; returns how many there were. */
  allocateBudget(tokens: number): number {
    const wanted = count('`tokens`', given('`tokens`', tokens)) as number;
    const granted = this.runtime.call((core) => core.allocate(now(), wanted));
    if (granted < 0) throw this.runtime.refusal();
    return granted;
  }

  /** Gives back tokens that `allocateBudget` set aside; more than that is an error. */
  releaseBudget(tokens: number): void {
    // What an empty pool gave may be given back too.
    const returned = tokens === 0 ? 0 : (amount('`tokens`', given('`tokens`', tokens)) as number);
    this.runtime.ask((core) => core.release(now(), returned));
  }

  /** A task as it stands. */
  getTask(task: ManualTaskRef): SubAgentTask {
    return this.#manual.get(task);
  }

  /** All tasks that are running. */
  getRunningTasks(): SubAgentTask[] {
    return this.#manual.tasks(this.#all(['running']));
  }

  /** The results of all tasks that completed. */
  getCompletedResults(): SubAgentResult[] {
    return this.#manual.results(this.#all(['completed']));
  }

  /** All tasks. */
  getAllTasks(): SubAgentTask[] {
    return this.#manual.tasks(this.#all());
  }

  /**
   * The statistics under their names in the manual style. `tokensRemaining` is what `createTask` and `allocateBudget`
   * may still set aside: the pool of 50,000 where the manager has no cap on tokens.
   */
  getStats(): ManagerStats & { totalTasks: number } {
    const stats = this.stats();
    return { totalTasks: stats.total, ...stats, tokensRemaining: this.runtime.call((core) => core.poolLeft()), canSpawn: this.canSpawn() };
  }

  /**
   * Whether a sub-agent spawned now would start at once, and budget remains. A manager without a host function is one
   * of the manual style: then something has to be left of its pool too. `spawn` may still queue where this says no.
   */
  override canSpawn(): boolean {
    const { spawnSubAgent, spawnBackgroundSubAgent } = this.runtime.functions;
    const manual = spawnSubAgent === undefined && spawnBackgroundSubAgent === undefined;
    return super.canSpawn() && (!manual || this.runtime.call((core) => core.poolLeft()) > 0);
  }

  #all(status?: TaskStatus[]): TaskSnapshot[] {
    return listed(this.runtime, this.actor, { offset: 0, limit: ALL, ...(status && { status }) }).items;
  }
}

/** What a call can't do without. */
function given<T>(what: string, value: T): T {
  if (value === undefined) throw invalid(what, 'given', value);
  return value;
}

interface SessionSettings extends Pick<SessionOptions, 'onWake' | 'policies' | 'limits'> {
  tools: string[] | undefined;
  modelId: string | undefined;
  budget: Budget | undefined;
  signal: AbortSignal | undefined;
}

function sessionOptions(options: SessionOptions): SessionSettings {
  const { tools, modelId, budget, onWake, policies, limits, signal, ...unknown } = optionsOf('the options of a session', options);
  noOtherOptions('a session', unknown);
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
