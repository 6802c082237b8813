// The manager, as the program uses it. Owns the public operations that only the program has: events,
// budgets, the manual style, draining, disposing.

import { instantiate } from '../pkg/subagents.js';
import { graceOf, idOf, optionsOf, readArgument } from './arguments.js';
import { now } from './clock.js';
import { messageOf, SubAgentError } from './errors.js';
import type { Listener } from './events.js';
import {
  type CompletionOptions,
  type CreateTaskOptions,
  type ManualTaskRef,
  ManualTasks,
  type SubAgentResult,
  type SubAgentTask,
} from './manual.js';
import { open } from './open.js';
import { PROGRAM, type Runtime } from './runtime.js';
import { Scope, type TaskRef } from './scope.js';
import { Session, type SessionOptions } from './session.js';
import { amount, count, duration, readBudget, strings } from './spawn-options.js';
import type {
  Budget,
  DrainResult,
  HostResult,
  ListOptions,
  ManagerStats,
  SubAgentManagerOptions,
  TaskSnapshot,
  TaskStatus,
} from './types.js';
import { wasmModule } from './wasm-module.js';

function newInstance(): ReturnType<typeof instantiate> {
  try {
    return instantiate(wasmModule());
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SubAgentError(
      'instance_limit',
      `this runtime allows no further instance (${messageOf(error)}); many agents can share one manager`,
      {},
      { cause: error },
    );
  }
}

/**
 * Manages the sub-agents of an agent: who may run, when, with which budget; what happens on cancel,
 * timeout and failure; who is told about the result. It never calls a model: `spawnSubAgent` does.
 */
export class SubAgentManager extends Scope {
  readonly #manual: ManualTasks;
  readonly #sessions = new Map<string, Session>();

  constructor(options: SubAgentManagerOptions = {}) {
    const runtime: Runtime = open(newInstance(), options as Readonly<Record<string, unknown>>);
    super(runtime, PROGRAM);
    this.#manual = new ManualTasks(runtime);
  }

  /** Calls `listener` for every event from now on; returns the function that ends it. */
  subscribe(listener: Listener): () => void {
    if (typeof listener !== 'function') throw new SubAgentError('invalid_argument', 'a listener must be a function');
    return this.runtime.subscribe(listener);
  }

  /** Statistics; the statuses sum to the total. */
  stats(): ManagerStats {
    return this.runtime.call((core) => core.stats()) as ManagerStats;
  }

  /**
   * The session with this key, opened at its first use: for programs that serve several main agents. It
   * spawns, waits and lists within its own sub-agents and shares slots and budget with the others.
   */
  session(key: string, options: SessionOptions = {}): Session {
    if (typeof key !== 'string' || key === '')
      throw new SubAgentError('invalid_argument', 'a session key must be a text that is not empty');
    this.runtime.check();
    const tools = readArgument('the options of a session', () => toolsOf(options));
    const known = this.#sessions.get(key);
    if (known !== undefined) return known;
    const actor = this.runtime.openSession(key);
    if (tools !== undefined) this.runtime.ask((core) => core.setTools(now(), actor.slot, tools));
    const session = new Session(this.runtime, actor, key);
    this.#sessions.set(key, session);
    return session;
  }

  /** Raises the cap of the whole manager, or of one sub-agent. */
  addBudget(budget: Budget, target?: TaskRef): void {
    const { tokens = Number.NaN, costUsd = Number.NaN, turns = Number.NaN } = readArgument('`budget`', () => readBudget('budget', budget));
    const { slot, generation } = target === undefined ? PROGRAM : this.runtime.resolve(idOf(target));
    this.runtime.ask((core) => core.addBudget(now(), slot, generation, tokens, costUsd, turns));
  }

  /** Cancels every sub-agent; resolves when none runs any more. */
  async cancelAll(options?: { graceMs?: number }): Promise<void> {
    await this.runtime.cancel(PROGRAM, 0, 0, 'cancelled', graceOf(options));
  }

  /**
   * Takes no new work, lets running work end, and cancels what still runs after `timeoutMs`. Queued work
   * that nobody running waits for is cancelled at once.
   */
  async drain(options: { timeoutMs?: number } = {}): Promise<DrainResult> {
    const timeoutMs =
      readArgument('the options of drain', () => duration('`timeoutMs`', optionsOf('the options of drain', options).timeoutMs)) ??
      Number.POSITIVE_INFINITY;
    this.runtime.call((core) => core.startDrain(now(), timeoutMs));
    try {
      return await this.runtime.call((core) => core.drain(now(), timeoutMs));
    } catch (error) {
      this.runtime.check();
      throw error;
    }
  }

  /**
   * Takes the result of a background sub-agent that `spawnBackgroundSubAgent` started, by our id or the
   * host's own. One that was cancelled or ran out of time meanwhile keeps it as its late result.
   */
  reportSettled(id: string, result: HostResult): void {
    this.runtime.reportSettled(id, result);
  }

  /** Bytes of linear memory that the core has taken. */
  memoryBytes(): number {
    return this.runtime.memoryBytes();
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
    const wanted = count('`tokens`', tokens) ?? 0;
    const granted = this.runtime.call((core) => core.allocate(now(), wanted));
    if (granted < 0) throw this.runtime.refusal();
    return granted;
  }

  /** Gives back tokens that `allocateBudget` set aside; more than that is an error. */
  releaseBudget(tokens: number): void {
    const given = amount('`tokens`', tokens) ?? 0;
    this.runtime.ask((core) => core.release(now(), given));
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

  /** The statistics under their names in the manual style. */
  getStats(): ManagerStats & { totalTasks: number } {
    const stats = this.stats();
    return { totalTasks: stats.total, ...stats };
  }

  #all(status?: TaskStatus[]): TaskSnapshot[] {
    const filter: ListOptions['filter'] = status === undefined ? {} : { status };
    return this.list({ filter, page: { limit: 0xffff_ffff } }).items;
  }
}

function toolsOf(options: SessionOptions): string[] | undefined {
  const { tools, ...unknown } = optionsOf('the options of a session', options);
  const [stranger] = Object.keys(unknown);
  if (stranger !== undefined)
    throw new SubAgentError('invalid_argument', `a session has no option \`${stranger}\``, { argument: stranger });
  return strings('`tools`', tools);
}
