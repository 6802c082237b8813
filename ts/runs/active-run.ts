// An active run: its JavaScript objects until its host function has returned. Owns the parts that are made at their
// first use: the signal, and the object that the host gets. Nothing here is public.

import type { AsyncContext } from '../base/context.js';
import { SubAgentError } from '../base/errors.js';
import type { Actor, Key } from '../boundary/key.js';
import type { Returned } from '../boundary/scratch.js';
import type { StopReason } from '../generated/names.js';
import { demanding, type ValueCheck } from '../options/schema/schema.js';
import type { RequestedLimits, SpawnRequest } from '../options/spawn-options.js';
import type { AskAnswer, PreviousError, TurnPermit } from '../reading/exchange.js';
import type { ReportedAgent } from '../reading/json-report.js';
import type { Reading } from '../reading/lookup.js';
import type { RunResult } from '../reading/run-result.js';
import type { TaskSnapshot } from '../snapshots/types.js';
import { allowedParams, givenOf, laterParams } from './host-params.js';
import { markMoved } from './moved-runs.js';
import type { SessionData } from './session-data.js';

/** A tool call that waits for its sub-agent. Its own caller may abort it, and then gets nothing of the end (W5). */
export interface ToolCall {
  /** The core's number of its wait, once it waits. */
  wait: number | undefined;
  isAborted: boolean;
  /** Who called. */
  actor: Actor;
  /** Whether its channel delivers a notice of background work (N6). */
  readonly notifies: boolean;
}

/** A call of this actor that doesn't wait yet. */
export function callOf(actor: Actor, notifies: boolean): ToolCall {
  return { wait: undefined, isAborted: false, actor, notifies };
}

/** The parts of its manager that an open run needs. */
export interface RunParts extends Reading {
  readonly journal: { readonly goesOn: boolean; readonly leavesRuns: boolean; readonly isSync: boolean } | undefined;
  readonly sessionData: SessionData;
  readonly agents: { checkOf(name: string | undefined): ValueCheck | undefined };
  readonly waits: {
    cancel(actor: Actor, task: Key, reason: StopReason): Promise<unknown>;
    abortCall(call: ToolCall, key: Key): Promise<void>;
    leave(active: ActiveRun): void;
  };
  /** Makes the object that the host function gets. */
  makeRun(active: ActiveRun): object;
}

/** The parts of its policies that an open run uses. */
export interface PolicedRun extends ReportedAgent {
  /** Why a policy blocked it, if one did. */
  readonly blockedBecause: string | undefined;
  /** Its run is over or asked to stop: nothing waits for policies any longer. */
  stop(): void;
  /** Its policies' time to answer is over. */
  overdue(): void;
}

/** A turn's expected need, for the core; `NaN` if the host gives no estimate. */
export interface TurnNumbers {
  readonly tokens: number;
  /** In US dollars. */
  readonly cost: number;
  /** Whether the budget of the whole run stays reserved. */
  readonly whole: boolean;
}

export const NO_ESTIMATE: TurnNumbers = { tokens: Number.NaN, cost: Number.NaN, whole: false };

/** A turn that waits for its slot or for budget. */
interface PendingTurn {
  estimate: TurnNumbers;
  resolve: (permit: TurnPermit) => void;
  reject: (error: SubAgentError) => void;
}

/** A question that waits for its answer. */
interface PendingQuestion {
  resolve: (answer: AskAnswer | Promise<AskAnswer>) => void;
  reject: (error: SubAgentError) => void;
}

/** A caller that gets its result, though no wait is left in the core. */
interface Follower {
  resolve: (result: RunResult) => void;
  reject: (error: SubAgentError) => void;
}

/** The program's wait until a run that it takes up has begun. */
interface Begin {
  readonly promise: Promise<ActiveRun>;
  readonly resolve: (active: ActiveRun) => void;
  readonly reject: (error: SubAgentError) => void;
  /** It has begun. */
  isOver: boolean;
}

/** A promise and its resolver. */
interface PromiseWithResolvers {
  promise: Promise<void>;
  resolve: () => void;
}

/** An action of a run: it began a turn, or it reported. */
export interface RunNews {
  turn?: number;
  message?: string;
}

export class ActiveRun {
  /**
   * Detaches runs from `Object.prototype`: few runs have every field, and a property that other code leaves on that prototype
   * must not be read as one. The code that makes runs calls this. With a static block, bundlers would include the class and its
   * imports in programs that don't use it.
   */
  static standAlone(): void {
    Object.setPrototypeOf(ActiveRun.prototype, null);
  }

  index = 0;
  generation = 0;
  run = 0;
  /** Its host function was called, and its run continues; `hostIsOver` once that function is. */
  hostOpen = false;
  hostIsOver = false;
  /** Whether its tools are known; set by the core at its start. */
  knowsTools = false;
  /** The text that it answers, known from its start. */
  text: string | undefined;
  /** Read from the core if it was not spawned here. */
  private isBackground: boolean | undefined;
  /** How its result is shown; read from the core if it was not spawned here. */
  private shownAs: 'text' | 'json' | undefined;
  /** See `InContext`. */
  context: AsyncContext | undefined = undefined;
  result: RunResult | undefined = undefined;
  returned: Returned | undefined = undefined;
  turn: PendingTurn | undefined = undefined;
  /** Its state for policies, made when one is asked. */
  agent: PolicedRun | undefined = undefined;
  /** Known from its spawn; for later runs, retained with the task. */
  private ownCheck: ValueCheck | undefined;
  private given: object | undefined;
  private readonly asked: RequestedLimits | undefined;
  private isAllowed = false;
  private handed: object | undefined = undefined;
  private controller: AbortController | undefined = undefined;
  private id: string | undefined = undefined;
  private view: TaskSnapshot | undefined = undefined;
  readonly runtime: RunParts;
  // Fields of few runs are declared here and made when they are set, so that the other runs cost less.
  declare hostTaskId: string | undefined;
  /** The result of the previous attempt (X5). */
  declare before: Returned | undefined;
  /** The end of that attempt, as the host gets it. */
  declare previousError: PreviousError | undefined;
  /** The next attempt at its message, if it is retried (X5). */
  declare successor: ActiveRun | undefined;
  declare unfollow: (() => void) | undefined;
  /** The call of a tool that it was spawned for. */
  declare call: ToolCall | undefined;
  /** Its signal fired before the core had admitted it. */
  declare abortedEarly: true | undefined;
  /** Its unanswered question. */
  declare asking: PendingQuestion | undefined;
  /** Callers that get its end, besides the waiting ones. */
  declare followers: Follower[] | undefined;
  /** Functions that are called once its host function is over and the core knows it, or the manager is over. */
  declare onHostOver: (() => void)[] | undefined;
  /** A remote host's report on the lost attempt before this: the host's id and the result. */
  declare reported: { readonly hostTaskId: string | null; readonly result: unknown } | undefined;
  /** The check of its remote host's result, while it runs. */
  declare checking: Promise<void> | undefined;
  /** Resolves when its remote host has given it an id, or it has ended. */
  declare named: PromiseWithResolvers | undefined;
  /** A policy is asked, or was, before its host function is called. */
  declare isAsked: true | undefined;
  /** Calls its host function, once it may start. */
  declare starting: (() => void) | undefined;
  /** Called at its turns and reports, for a tool call that waits for it. Must not throw. */
  declare watch: ((active: ActiveRun, news: RunNews) => void) | undefined;
  declare private aborted: StopReason | undefined;
  declare private shared: readonly string[] | undefined;
  declare private own: string[] | undefined;
  /** The program has taken it up. */
  declare begun: Begin | undefined;
  /** Its spawn had an `idempotencyKey` or a `taskId`, so the core has to give the prefix of its actions' keys. */
  declare private isKeyed: true | undefined;
  declare private stopping: ((reason: StopReason) => void) | undefined;
  /** The prefix of its actions' keys, if its id and its number don't give it. */
  declare private workKey: string | undefined;
  /** Its host function's system prompt, once it was read. */
  declare systemPrompt: string | undefined;

  /** `request`: its spawn request, if it is spawned here. */
  constructor(
    runtime: RunParts,
    params: object | undefined,
    request?: Pick<SpawnRequest, 'asked' | 'text' | 'background' | 'staged' | 'schema'>,
  ) {
    this.runtime = runtime;
    this.given = params;
    this.asked = request?.asked;
    this.text = request?.text;
    if (request?.staged?.idempotencyKey !== undefined || request?.staged?.taskId !== undefined) this.isKeyed = true;
    this.isBackground = request?.background;
    this.shownAs = request === undefined ? undefined : request.staged?.json === true ? 'json' : 'text';
    this.ownCheck = request?.schema;
  }

  get format(): 'text' | 'json' {
    this.shownAs ??= this.snapshot().format;
    return this.shownAs;
  }

  get background(): boolean {
    this.isBackground ??= this.snapshot().background;
    return this.isBackground;
  }

  /** The check of its result's value, if there is one. */
  get check(): ValueCheck | undefined {
    const { journal, sessionData, agents } = this.runtime;
    const known = this.ownCheck ?? sessionData.checkOf(this.index, this.generation);
    // A schema belongs to the process that got it: after a restart, the definition's schema counts.
    if (known !== undefined || journal?.goesOn !== true) return known;
    const { agent, mustHave } = this.snapshot();
    const defined = agents.checkOf(agent ?? undefined);
    return mustHave === null ? defined : demanding(defined, mustHave);
  }

  /** The prefix of its actions' keys: the same in each attempt at its message. */
  get work(): string {
    return this.workKey ?? `${this.taskId}-1`;
  }

  /** Reads the prefix from the core, which knows it only while the run is open. */
  readWork(): void {
    if (this.run === 1 && this.isKeyed === undefined && this.runtime.journal?.goesOn !== true) return;
    this.workKey = this.runtime.call((core) => core.workKey(this.index, this.generation, this.run));
  }

  get taskId(): string {
    this.id ??= this.runtime.lookup.taskId(this.index, this.generation);
    return this.id;
  }

  /** The last attempt at its message so far. */
  get latest(): ActiveRun {
    let active: ActiveRun = this;
    while (active.successor !== undefined) active = active.successor;
    return active;
  }

  /**
   * Makes the next attempt at its message, of `next` if callers have it already. Callers that wait for this one's end get the
   * next one's instead.
   */
  nextAttempt(reason: StopReason, next = new ActiveRun(this.runtime, undefined)): ActiveRun {
    next.given = this.given;
    next.index = this.index;
    next.generation = this.generation;
    next.run = this.run + 1;
    next.text = this.text;
    next.isBackground = this.isBackground;
    next.shownAs = this.shownAs;
    next.ownCheck = this.ownCheck;
    next.watch = this.watch;
    [next.context, this.context] = [this.context, undefined];
    next.before = this.returned;
    if (this.reported !== undefined) next.reported = this.reported;
    next.previousError = { reason, error: this.returned?.error ?? null };
    for (const follower of this.followers ?? []) next.follow(follower);
    this.followers = undefined;
    [next.unfollow, this.unfollow] = [this.unfollow, undefined];
    this.named?.resolve();
    this.successor = next;
    return next;
  }

  /** Lets the program, which drives its task, wait until it has begun (X6). */
  expectBegin(): Promise<ActiveRun> {
    let settle: Omit<Begin, 'promise' | 'isOver'> | undefined;
    const promise = new Promise<ActiveRun>((resolve, reject) => {
      settle = { resolve, reject };
    });
    this.begun = { promise, isOver: false, ...(settle as Omit<Begin, 'promise' | 'isOver'>) };
    return promise;
  }

  /** Whether the program carries out the runs of its task. */
  get isDriven(): boolean {
    return givenOf(this)?.driven === true;
  }

  /** Adds a caller that gets its end. */
  follow(follower: Follower): void {
    this.followers ??= [];
    this.followers.push(follower);
  }

  /** Lets callers wait for its host's id. */
  expectName(): void {
    let resolve = (): void => undefined;
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    this.named = { promise, resolve };
  }

  /** Takes the function that starts it, for one call. */
  takeStart(): (() => void) | undefined {
    const { starting } = this;
    if (starting !== undefined) this.starting = undefined;
    return starting;
  }

  /**
   * The parameters of the host function: those of the spawn, cut to the sub-agent's limits. A later run has its message in
   * place of the text.
   */
  params(): object {
    if (!this.isAllowed) this.allow();
    return this.given as object;
  }

  private allow(): void {
    if (this.given === undefined) this.given = laterParams(this);
    else if (this.knowsTools || this.asked !== undefined) this.given = allowedParams(this, this.given, this.asked);
    this.isAllowed = true;
  }

  /** The object that its host function gets, made when it is first asked for. */
  handedRun(): object {
    this.handed ??= this.runtime.makeRun(this);
    return this.handed;
  }

  /** The text that this run answers. */
  prompt(): string {
    return this.text ?? this.runtime.call((core) => core.message(this.index));
  }

  /** A snapshot of its task, made at the first call. Later, only values from the spawn are sure to be current. */
  snapshot(): TaskSnapshot {
    this.view ??= this.runtime.lookup.snapshot(this.index, this.generation);
    return this.view;
  }

  /** The same; undefined if the task is forgotten. */
  snapshotIf(): TaskSnapshot | undefined {
    this.view ??= this.runtime.lookup.snapshotIf(this.index, this.generation);
    return this.view;
  }

  /** Names of the tools that it may use, if they are known, in a shared list. */
  sharedTools(): readonly string[] | undefined {
    if (this.knowsTools) this.shared ??= this.runtime.lookup.tools(this.index, this.generation);
    return this.shared;
  }

  /** The same in a list of its own. */
  get tools(): string[] | undefined {
    this.own ??= this.sharedTools()?.slice();
    return this.own;
  }

  /** Made when first read: a fresh one costs more than the rest of a run. */
  get signal(): AbortSignal {
    if (this.controller === undefined) {
      this.controller = new AbortController();
      if (this.aborted !== undefined) this.controller.abort(this.abortError(this.aborted));
    }
    return this.controller.signal;
  }

  /** Whether it was asked to stop. */
  get isAborted(): boolean {
    return this.aborted !== undefined;
  }

  abort(reason: StopReason): void {
    this.aborted = reason;
    this.controller?.abort(this.abortError(reason));
    this.stopping?.(reason);
  }

  /** Calls `stop` when the run has to stop; at once if it already has to. `stop` must not throw. */
  whenAborted(stop: (reason: StopReason) => void): void {
    if (this.aborted !== undefined) stop(this.aborted);
    else this.stopping = stop;
  }

  /**
   * It has ended, and its host function is over. It drops the objects of its caller and its host, even if it is still
   * referenced.
   */
  release(): void {
    this.context = undefined;
    this.given = undefined;
    this.controller = undefined;
    this.handed = undefined;
    if (this.stopping !== undefined) this.stopping = undefined;
  }

  private abortError(reason: StopReason): SubAgentError {
    const error = new SubAgentError('aborted', `the sub-agent had to stop: ${reason}`, { reason });
    if (this.isLeft) markMoved(error, this.runtime);
    return error;
  }

  /** Whether a drain has stopped it and leaves it to the next process. */
  get isLeft(): boolean {
    return this.aborted === 'drained' && this.runtime.journal?.leavesRuns === true;
  }
}
