// An agent as policies see it: a run of a sub-agent, or the main agent of a session. Owns the context of a policy, the texts
// for the model, and that no wait for a policy outlasts the run. The core counts, and decides the effect of an answer.

import { Alarm } from '../base/alarm.js';
import { now } from '../base/clock.js';
import type { Reply } from '../boundary/generated/commands.js';
import type { Actor } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import { optional } from '../boundary/view-bytes.js';
import type { PolicyAnswerName, PolicyPoint, StopReason } from '../generated/names.js';
import { firstChars, parseTodos, type Todo } from '../options/todos.js';
import type { Policing } from '../reading/generated/policing.js';
import { readPolicing } from '../reading/generated/policing-readers.js';
import { type AgentReport, reportOf } from '../reading/json-report.js';
import type { Reading } from '../reading/lookup.js';
import type { PolicyContext } from './policy.js';

/** How many of the last messages are retained, and how many characters of each. */
const MESSAGES = 10;
const MESSAGE_CHARS = 500;

/** Fields of the context at a single point. */
export interface Extra {
  task?: string | undefined;
  params?: unknown;
  tool?: string;
  args?: unknown;
  result?: unknown;
  output?: string;
  reason?: 'timeout' | 'idle_timeout';
}

/** A wait for the policies of one list, one after the other. */
export interface PolicyWait {
  /** The promise's outcome, unless the run stops or the policy's time runs out first. */
  until(promise: Promise<unknown>): Promise<Outcome>;
  /** Ends the wait: no policy of the list is awaited any longer. */
  over(): void;
}

/** An awaited policy. */
interface Pending {
  /** Whether the core bounds its time. */
  readonly isTimed: boolean;
  /** Whether the time that the core watches includes it. */
  isWatched: boolean;
  end(outcome: Outcome): void;
}

export class Agent {
  readonly runtime: Reading;
  readonly actor: Actor;
  /** Its last messages, oldest first. */
  readonly messages: string[] = [];
  /** The reason of the policy that blocked it, if any. */
  blockedBecause: string | undefined = undefined;
  /** The report of a policy that finished it, or was asked on its timeout. */
  report: string | undefined = undefined;
  /** Whether a turn is being requested. */
  asksForTurn = false;
  /** Number of tools in use. */
  tools = 0;
  /** Delivers steers to its host function, if that waits for them. */
  deliver: ((texts: string[]) => void) | undefined = undefined;
  private readonly readPrompt: () => string;
  private injected: string[] = [];
  private waiting = 0;
  /** Created for the first awaited policy: most runs await none. */
  private pending: Set<Pending> | undefined = undefined;
  /** Whether the core watches the time of policies. */
  private isWatched = false;
  private stopped = false;

  constructor(runtime: Reading, actor: Actor, prompt: () => string) {
    this.runtime = runtime;
    this.actor = actor;
    this.readPrompt = prompt;
  }

  /** Whether its run was asked to stop, or has ended. */
  get isStopped(): boolean {
    return this.stopped;
  }

  get isMain(): boolean {
    return this.actor.run === 0;
  }

  get prompt(): string {
    return this.readPrompt();
  }

  // ─── its messages and texts ─────────────────────────────────────────────────────────────────────

  say(message: string): void {
    this.messages.push(firstChars(message, MESSAGE_CHARS));
    if (this.messages.length > MESSAGES) this.messages.shift();
  }

  /** Saves a text for the next turn. */
  inject(text: string): void {
    this.injected.push(text);
  }

  get hasInjected(): boolean {
    return this.injected.length > 0;
  }

  /** Takes the texts for the turn that begins. */
  takeInjected(): string[] {
    const texts = this.injected;
    this.injected = [];
    return texts;
  }

  // ─── a policy's context ─────────────────────────────────────────────────────────────────────────

  context(policy: string, extra: Extra): PolicyContext & Extra {
    return Object.assign(new Context(this, policy), extra);
  }

  policing(): Policing | undefined {
    const { index, generation } = this.actor;
    return this.runtime.view((core) => core.policing(index, generation), optional(readPolicing));
  }

  /** Has the core count a call; undefined if the run has ended. */
  count(policy: string, limit: number, openTodosOnly: boolean): Reply | undefined {
    return this.runtime.performIf(this.actor, { type: 'count', policy, limit, todos: openTodosOnly });
  }

  // ─── a policy's answer ──────────────────────────────────────────────────────────────────────────

  /** Passes the answer to the core; `false` if the run has already ended. */
  rule(point: PolicyPoint, verdict: Verdict): boolean {
    if (this.runtime.isClosed || verdict === UNANSWERED) return false;
    const { answer, policy, text, reason } = verdict;
    // A policy that blocks a tool blocks only that call, not the agent.
    if (answer === 'block' && !point.endsWith('_tool')) this.blockedBecause ??= text;
    if (answer === 'finish') this.report = text;
    return this.runtime.performIf(this.actor, { type: 'rule', ruling: { point, answer, reason, policy, text } }) !== undefined;
  }

  // ─── waiting for a policy ───────────────────────────────────────────────────────────────────────

  /**
   * Waits for the policies of one list at a point. A run gives up its slot from the first one that takes its time until `over`.
   */
  wait(point: PolicyPoint): PolicyWait {
    // At a timeout, nothing waits for policies.
    if (point === 'on_timeout') return { until: (promise) => this.until(promise, false), over: () => undefined };
    return this.isMain ? this.waitAsMain() : this.waitAsRun(point);
  }

  private waitAsMain(): PolicyWait {
    let overdue = (): void => undefined;
    const alarm = new Alarm(() => overdue());
    // The caller awaits the answer, so the process lives until its time is over.
    alarm.keepAlive(true);
    return {
      until: (promise) => {
        const approvalTimeoutMs = this.runtime.isClosed ? 0 : limitOf(this.runtime, 'approvalTimeoutMs');
        if (approvalTimeoutMs !== Number.POSITIVE_INFINITY) alarm.set(now() + approvalTimeoutMs);
        return this.until(promise, false, ({ end }) => {
          overdue = () => end('overdue');
        });
      },
      over: () => alarm.stop(),
    };
  }

  /** The core watches the time of a run's policies: one time for all that are pending when it begins. */
  private waitAsRun(point: PolicyPoint): PolicyWait {
    this.waiting += 1;
    return {
      until: (promise) =>
        this.until(promise, true, () => {
          if (!this.isWatched) this.watch();
        }),
      over: () => {
        this.waiting -= 1;
        if (this.waiting > 0) return;
        this.isWatched = false;
        // For a start, `Gates` asks whether it may continue.
        if (!this.runtime.isClosed && point !== 'before_start') this.runtime.performIf(this.actor, { type: 'approved', starting: false });
      },
    };
  }

  /** Has the core watch the time of the policies that are pending now. */
  private watch(): void {
    this.isWatched = true;
    for (const pending of this.pending ?? []) pending.isWatched = pending.isTimed;
    if (!this.runtime.isClosed) this.runtime.performIf(this.actor, { type: 'await_approval' });
  }

  /** The promise's outcome, unless the run stops or the time for answers runs out first. */
  private until(promise: Promise<unknown>, isTimed: boolean, begun?: (pending: Pending) => void): Promise<Outcome> {
    this.pending ??= new Set();
    const { pending } = this;
    return new Promise((resolve) => {
      const one: Pending = {
        isTimed,
        isWatched: false,
        end(outcome) {
          pending.delete(one);
          resolve(outcome);
        },
      };
      pending.add(one);
      promise.then(
        (value) => one.end({ value }),
        (error: unknown) => {
          // No caller waits for it; its failure is still reported.
          if (pending.has(one)) one.end({ error });
          else this.runtime.alone(Promise.reject(error));
        },
      );
      if (this.stopped) one.end('stopped');
      else begun?.(one);
    });
  }

  /** Ends all waits for policies: the run was asked to stop, or has ended. */
  stop(): void {
    this.stopped = true;
    this.deliver?.([]);
    for (const one of [...(this.pending ?? [])]) one.end('stopped');
  }

  /** The time that the core watches is over. Policies that were asked since it began get another one. */
  overdue(): void {
    this.isWatched = false;
    const pending = [...(this.pending ?? [])];
    for (const one of pending) if (one.isWatched) one.end('overdue');
    if (pending.some(({ isTimed, isWatched }) => isTimed && !isWatched)) this.watch();
  }
}

class Context implements PolicyContext {
  readonly #agent: Agent;
  readonly #policy: string;
  #read: Policing | undefined;

  constructor(agent: Agent, policy: string) {
    this.#agent = agent;
    this.#policy = policy;
  }

  get #policing(): Policing | undefined {
    this.#read ??= this.#agent.policing();
    return this.#read;
  }

  get agent(): 'main' | 'sub' {
    return this.#agent.isMain ? 'main' : 'sub';
  }

  get taskId(): string | null {
    const { index, generation } = this.#agent.actor;
    return this.#agent.isMain ? null : this.#agent.runtime.lookup.taskId(index, generation);
  }

  get run(): number {
    return this.#agent.actor.run;
  }

  get prompt(): string {
    return this.#agent.prompt;
  }

  get turns(): number {
    return this.#policing?.turns ?? 0;
  }

  get contextTokens(): number | undefined {
    return this.#policing?.contextTokens ?? undefined;
  }

  get todos(): readonly Todo[] {
    return parseTodos(this.#policing?.todos ?? '');
  }

  get openTodos(): number {
    return this.#policing?.openTodos ?? 0;
  }

  get recentMessages(): readonly string[] {
    return [...this.#agent.messages];
  }

  count(limit: number, options: { openTodosOnly?: boolean | undefined } = {}): 'counted' | 'exhausted' | 'nothing_to_count' {
    const reply = this.#agent.count(this.#policy, limit, options.openTodosOnly === true);
    if (reply?.type !== 'counted') return 'exhausted';
    return reply.count > 0 ? 'counted' : 'nothing_to_count';
  }

  report(status: string, reason: string): AgentReport {
    return reportOf(this.#agent, status, reason);
  }
}

/** The answer of a list, if it isn't "continue". */
export interface Verdict {
  readonly answer: PolicyAnswerName;
  readonly policy: string;
  readonly text: string;
  readonly reason: StopReason;
}

/** The answer of a gate if its run was asked to stop before all policies had answered: the gate stays closed (P1). */
export const UNANSWERED: Verdict = {
  answer: 'block',
  policy: '',
  text: 'the run had to stop before its policies had answered',
  reason: 'policy',
};

/** The outcome of a policy's promise. */
export type Outcome = { value: unknown } | { error: unknown } | 'stopped' | 'overdue';
