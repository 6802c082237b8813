// The manual style: tasks that the program drives itself, one call for each step of their lives. Owns the names of these
// operations and the tokens that are set aside by hand; what a task is belongs to `ts/api/manual.ts`.

import { now } from '../base/clock.js';
import type { JsonOf, Metadata } from '../base/metadata.js';
import type { Actor } from '../boundary/key.js';
import type { Parts } from '../commands/parts.js';
import type { TaskStatus } from '../generated/names.js';
import { given } from '../options/arguments.js';
import { amount, count } from '../options/values.js';
import { ALL, listed } from '../reading/listing.js';
import type { ManagerStats, TaskSnapshot } from '../snapshots/types.js';
import { MainAgent } from './main-agent.js';
import {
  type CompletionOptions,
  type CreateTaskOptions,
  type ManualTaskRef,
  ManualTasks,
  type SubAgentResult,
  type SubAgentTask,
} from './manual.js';
import { actorOf, partsOf } from './scope.js';

/** What a manager has for tasks that the program drives itself, beside the operations of a main agent. */
export abstract class ManualStyle extends MainAgent {
  readonly #manual: ManualTasks;

  /** @internal */
  constructor(runtime: Parts, actor: Actor) {
    super(runtime, actor);
    this.#manual = new ManualTasks(runtime);
  }

  /** How many sub-agents are in which status, and what was spent. The statuses sum to the total. */
  abstract stats(): ManagerStats;

  /**
   * Makes a task that the program drives itself; its tokens are set aside until it ends. Throws `invalid_argument` for
   * an empty goal.
   */
  createTask<Fields extends object = Metadata>(options: CreateTaskOptions<Fields & JsonOf<Fields>>): SubAgentTask {
    return this.#manual.create(options);
  }

  /** The first prompt for a manual task: goal, context, what it is part of, tools, limits. */
  buildSubAgentPrompt(task: ManualTaskRef, availableTools?: readonly string[], parentGoal?: string): string {
    return this.#manual.prompt(task, availableTools, parentGoal);
  }

  /** A prompt for a summary of an output in `maxSummaryTokens`; it has at most 20,000 characters of the output. */
  buildSummaryPrompt(task: ManualTaskRef, fullOutput: string): string {
    return this.#manual.summaryPrompt(task, fullOutput);
  }

  /** Trims a summary that a model returned, and cuts it at `maxSummaryTokens` x 4 characters. */
  parseSummary(answer: string): string {
    return this.#manual.parseSummary(answer);
  }

  /**
   * Gives a manual task a slot: it is `running` then. Throws `concurrency_limit` where no slot is free, `wrong_status`
   * where it runs or has ended, `wrong_style` for a sub-agent that `spawn` made.
   */
  markRunning(task: ManualTaskRef): void {
    this.#manual.markRunning(task);
  }

  /** Ends a manual task that has reached its goal, and gives its result. Throws `wrong_status` where it has ended. */
  markCompleted(task: ManualTaskRef, result: string, options?: CompletionOptions): SubAgentResult {
    return this.#manual.markCompleted(task, result, options);
  }

  /** Ends a manual task that has failed, and gives its result. Throws `wrong_status` where it has ended. */
  markFailed(task: ManualTaskRef, error: string, options?: CompletionOptions): SubAgentResult {
    return this.#manual.markFailed(task, error, options);
  }

  /** Cancels a manual task. Throws `wrong_status` where it has ended. */
  cancelTask(task: ManualTaskRef): void {
    this.#manual.cancel(task);
  }

  /** Sets tokens aside from the pool; returns how many, which may be fewer than asked for, or 0 from an empty pool. */
  allocateBudget(tokens: number): number {
    const wanted = count('`tokens`', given('`tokens`', tokens)) as number;
    const granted = partsOf(this).call((core) => core.allocate(now(), wanted));
    if (granted < 0) throw partsOf(this).refusal();
    partsOf(this).carryOut();
    return granted;
  }

  /** Gives back tokens that `allocateBudget` set aside. Throws `not_allocated` where they are more than that. */
  releaseBudget(tokens: number): void {
    // The 0 that an empty pool gave may be given back, too.
    const returned = tokens === 0 ? 0 : (amount('`tokens`', given('`tokens`', tokens)) as number);
    partsOf(this).order((core) => core.release(now(), returned));
  }

  /** A manual task as it stands. Throws `unknown_task` or `forgotten` where it isn't there. */
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
    return { totalTasks: stats.total, ...stats, tokensRemaining: partsOf(this).call((core) => core.poolLeft()), canSpawn: this.canSpawn() };
  }

  /**
   * Whether a sub-agent spawned now would start at once, and budget remains. A manager without a host function is one
   * of the manual style: then something has to be left of its pool too. `spawn` may still queue where this says no.
   */
  override canSpawn(): boolean {
    const { spawnSubAgent, spawnBackgroundSubAgent } = partsOf(this).functions;
    const manual = spawnSubAgent === undefined && spawnBackgroundSubAgent === undefined;
    return super.canSpawn() && (!manual || partsOf(this).call((core) => core.poolLeft()) > 0);
  }

  #all(status?: TaskStatus[]): TaskSnapshot[] {
    return listed(partsOf(this), actorOf(this), { offset: 0, limit: ALL, ...(status && { status }) }).items;
  }
}
