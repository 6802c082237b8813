// The manual style: tasks that the program drives itself, with prompts to give to a model of its own.
// Owns the objects of that style; the core keeps the tasks and the tokens.

import { now } from '../base/clock.js';
import { invalid, SubAgentError } from '../base/errors.js';
import type { Metadata } from '../base/metadata.js';
import { instantOf } from '../boundary/core.js';
import { type Key, PROGRAM } from '../boundary/key.js';
import type { Returned } from '../boundary/scratch.js';
import type { Parts } from '../commands/parts.js';
import { spawn } from '../commands/spawning.js';
import { RETURNED_CANCELLED, RETURNED_COMPLETED, RETURNED_FAILED } from '../generated/codes.js';
import { knownOptions, readArgument, saidTwice, textOf } from '../options/arguments.js';
import { readSpawn, textIn } from '../options/spawn-options.js';
import { count, string, strings } from '../options/values.js';
import { readArtifacts } from '../reading/artifacts.js';
import { endedAs } from '../reading/returned.js';
import { reading } from '../reading/usage.js';
import type { TaskSnapshot } from '../snapshots/types.js';
import { LastSeen, type SubAgentTask, taskObject } from './manual-task.js';

/** Options of a manual task. */
export interface CreateTaskOptions<Fields = Metadata> {
  /** What the task is to reach; must not be empty. */
  goal: string;
  /** Context that goes beside the goal. @default '' */
  contextHint?: string | undefined;
  /** Turns that it may take. Default: the manager's `maxTurns` where it was given, else 10. */
  maxTurns?: number | undefined;
  /** The same as `maxTurns`. */
  maxSteps?: number | undefined;
  /** Fields of the program's own, which come back in its snapshots; see `SpawnOptions`. Default: null. */
  metadata?: Fields | undefined;
  /** Tokens to set aside for it; it may get less, or none from an empty pool. Default: `taskBudget.tokens`, else 10,000. */
  tokenBudget?: number | undefined;
  /** An id of your own for it; see `SpawnOptions`. Default: an id that the manager makes. */
  taskId?: string | undefined;
}

/** What a manual task used and made. A wrong amount (negative, not a number) throws `invalid_argument`, and the task goes on. */
export interface CompletionOptions {
  /** What it made beside its result; JSON values. Default: nothing. */
  artifacts?: readonly Record<string, unknown>[] | undefined;
  /** Tokens that it used. @default 0 */
  tokensUsed?: number | undefined;
  /** Turns that it took. @default 0 */
  stepsTaken?: number | undefined;
  /** What it cost, in US dollars. Default: unknown. */
  costUsd?: number | undefined;
  /** How long it took, in milliseconds. Default, and in place of a wrong value: as measured. */
  durationMs?: number | undefined;
}

/** How a manual task ended. */
export interface SubAgentResult {
  /** The task's id. */
  taskId: string;
  /** Whether it was marked as completed. */
  success: boolean;
  /** The result as `parseSummary` cuts it; of a task that failed its error, cut alike. */
  summary: string;
  /** What it made beside its result. */
  artifacts: readonly Record<string, unknown>[];
  /** Tokens that it used. */
  tokensUsed: number;
  /** Turns that it took. */
  stepsTaken: number;
  /** How long it took, in milliseconds. */
  durationMs: number;
}

/** A task by its id or itself. */
export type ManualTaskRef = string | { readonly taskId: string };

function given(call: string, options: CompletionOptions): CompletionOptions {
  const what = `the options of ${call}`;
  return readArgument(what, () => {
    const { artifacts, tokensUsed, stepsTaken, costUsd, durationMs } = knownOptions(call, options, [
      'artifacts',
      'tokensUsed',
      'stepsTaken',
      'costUsd',
      'durationMs',
    ]);
    return { artifacts, tokensUsed, stepsTaken, costUsd, durationMs } as CompletionOptions;
  });
}

function artifactsOf({ artifacts }: CompletionOptions): string | undefined {
  if (artifacts === undefined) return undefined;
  const read = readArtifacts('`artifacts`', artifacts, (sentence, name) => {
    throw new SubAgentError('invalid_argument', sentence, { argument: name.replaceAll('`', '') });
  });
  return read.artifactsJson ?? '[]';
}

/** Stands for the snapshot of a task that was forgotten when it ended: its state before, with what was reported of its end. */
function told(
  before: TaskSnapshot,
  { how, output, error, artifacts = [], tokens, turns, durationMs }: Returned,
  endedAt: number,
): TaskSnapshot {
  const measured = before.startedAt === null ? 0 : Math.max(0, endedAt - before.startedAt);
  return {
    ...before,
    status: how === RETURNED_COMPLETED ? 'completed' : how === RETURNED_FAILED ? 'failed' : 'cancelled',
    endedAt,
    output,
    error: error ?? null,
    artifacts: [...artifacts],
    usage: { ...before.usage, tokens: Math.max(0, tokens), turns: Math.max(0, turns) },
    durationMs: durationMs >= 0 ? durationMs : measured,
  };
}

export type { SubAgentTask } from './manual-task.js';

/** From so many open tasks on, they are looked through only when as many again have come. */
const MANY = 1_000;

export class ManualTasks {
  private readonly runtime: Parts;
  /** Tasks that were made here and have not ended here: one that ends may be forgotten in the same step. */
  private readonly open = new Map<string, LastSeen>();
  private sweepAt = MANY;

  constructor(runtime: Parts) {
    this.runtime = runtime;
  }

  create(options: CreateTaskOptions<object>): SubAgentTask {
    try {
      return this.made(options);
    } catch (error) {
      this.runtime.refusals.tell('spawn', PROGRAM, () => textIn(options), error);
      throw error;
    }
  }

  private made(options: CreateTaskOptions<object>): SubAgentTask {
    const { goal, contextHint, maxTurns, maxSteps, metadata, tokenBudget, taskId } = knownOptions('createTask', options, [
      'goal',
      'contextHint',
      'maxTurns',
      'maxSteps',
      'metadata',
      'tokenBudget',
      'taskId',
    ]);
    if (typeof goal !== 'string') throw invalid('`goal`', 'a text', goal);
    if (goal.trim() === '') throw invalid('`goal`', 'a text that is not empty', goal);
    if (maxTurns !== undefined && maxSteps !== undefined) throw saidTwice('`maxTurns` and `maxSteps`', 'maxSteps');
    const turns = count('`maxSteps`', maxSteps) ?? maxTurns;
    const given = { instructions: goal, contextHint, maxTurns: turns, metadata, taskId };
    const request = readSpawn(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
    request.manual = true;
    request.tokens = count('`tokenBudget`', tokenBudget) ?? Number.NaN;
    const active = spawn(this.runtime, PROGRAM, request, options);
    const seen = new LastSeen(this.runtime, active, this.runtime.lookup.snapshot(active.index, active.generation));
    this.keep(active.taskId, seen);
    return taskObject(seen);
  }

  /** Keeps an open task, and lets go of those that are gone without having ended here. */
  private keep(taskId: string, seen: LastSeen): void {
    if (this.open.size >= this.sweepAt) {
      for (const [id, other] of this.open) if (!other.isKept) this.open.delete(id);
      this.sweepAt = Math.max(MANY, this.open.size * 2);
    }
    this.open.set(taskId, seen);
  }

  private objectOf(place: Key, view: TaskSnapshot): SubAgentTask {
    return taskObject(this.open.get(view.taskId) ?? new LastSeen(this.runtime, place, view));
  }

  prompt(task: ManualTaskRef, availableTools: readonly string[] = [], parentGoal = ''): string {
    const { index } = this.runtime.lookup.resolve(PROGRAM, task);
    const tools = strings('`availableTools`', availableTools) ?? [];
    const goal = string('`parentGoal`', parentGoal) ?? '';
    return this.runtime.call((core) => core.subAgentPrompt(index, tools, goal)) as string;
  }

  summaryPrompt(task: ManualTaskRef, fullOutput: string): string {
    const { index } = this.runtime.lookup.resolve(PROGRAM, task);
    const output = textOf('`fullOutput`', fullOutput);
    return this.runtime.call((core) => core.summaryPrompt(index, output));
  }

  parseSummary(answer: string): string {
    const summary = textOf('`answer`', answer);
    return this.runtime.call((core) => core.parseSummary(summary));
  }

  markRunning(task: ManualTaskRef): void {
    const { index, generation } = this.runtime.lookup.resolve(PROGRAM, task);
    this.runtime.order((core) => core.markRunning(now(), index, generation));
  }

  markCompleted(task: ManualTaskRef, result: string, options: CompletionOptions = {}): SubAgentResult {
    textOf('`result`', result);
    const { tokensUsed = 0, stepsTaken = 0, ...others } = given('markCompleted', options);
    return this.end(task, RETURNED_COMPLETED, result, undefined, { ...others, tokensUsed, stepsTaken });
  }

  markFailed(task: ManualTaskRef, error: string, options: CompletionOptions = {}): SubAgentResult {
    textOf('`error`', error);
    return this.end(task, RETURNED_FAILED, '', error, given('markFailed', options));
  }

  cancel(task: ManualTaskRef): void {
    this.end(task, RETURNED_CANCELLED, '', undefined, {});
  }

  private end(task: ManualTaskRef, how: number, output: string, error: string | undefined, options: CompletionOptions): SubAgentResult {
    const { index, generation } = this.runtime.lookup.resolve(PROGRAM, task);
    const { artifacts, tokensUsed, stepsTaken, costUsd, durationMs } = options;
    const artifactsJson = artifactsOf(options);
    for (const [name, value] of Object.entries({ tokensUsed, stepsTaken, costUsd })) {
      if (value !== undefined && !(typeof value === 'number' && value >= 0 && Number.isFinite(value)))
        throw invalid(`\`${name}\``, 'a number of at least 0', value);
    }
    const used = { tokens: reading(tokensUsed), cost: reading(costUsd), turns: reading(stepsTaken), durationMs: reading(durationMs) };
    const returned = endedAs(how, { output, error, artifacts, artifactsJson, ...used });
    const before = this.runtime.lookup.snapshot(index, generation);
    this.runtime.hosts.endManual(index, generation, returned);
    const view = this.ended(index, generation) ?? told(before, returned, instantOf(this.runtime));
    const seen = this.open.get(view.taskId);
    if (seen !== undefined) seen.view = view;
    this.open.delete(view.taskId);
    return this.resultOf(view);
  }

  /** How a task stands that has just ended; undefined where nothing is retained, and it is forgotten by now. */
  private ended(index: number, generation: number): TaskSnapshot | undefined {
    if (this.runtime.call((core) => core.status(index, generation)) < 0) return undefined;
    return this.runtime.lookup.snapshot(index, generation);
  }

  private resultOf(view: TaskSnapshot): SubAgentResult {
    return {
      taskId: view.taskId,
      success: view.status === 'completed',
      summary: this.parseSummary(view.status === 'completed' ? view.output : (view.error ?? '')),
      artifacts: view.artifacts,
      tokensUsed: view.usage.tokens,
      stepsTaken: view.usage.turns,
      durationMs: view.durationMs ?? 0,
    };
  }

  get(task: ManualTaskRef): SubAgentTask {
    const place = this.runtime.lookup.resolve(PROGRAM, task);
    return this.objectOf(place, this.runtime.lookup.snapshot(place.index, place.generation));
  }

  tasks(views: TaskSnapshot[]): SubAgentTask[] {
    return views.map((view) => this.objectOf(this.runtime.lookup.resolve(PROGRAM, view.taskId), view));
  }

  results(views: TaskSnapshot[]): SubAgentResult[] {
    return views.map((view) => this.resultOf(view));
  }
}
