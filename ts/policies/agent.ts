// An agent as policies see it: a run of a sub-agent, or the main agent of a session. Owns what is told to a
// policy, what waits to be shown to the model, and that no one waits for a policy any longer than the run
// lives. What is counted and what follows from an answer is asked of the core.

import { Alarm, now } from '../base/clock.js';
import type { Actor } from '../boundary/key.js';
import { limitOf } from '../boundary/limits.js';
import { POLICY_ANSWERS, POLICY_POINTS, type PolicyPoint, STOP_REASONS } from '../generated/names.js';
import { firstChars, parseTodos, type Todo } from '../options/todos.js';
import type { Policing } from '../reading/generated/policing.js';
import { type AgentReport, reportOf } from '../reading/json-report.js';
import type { Reading } from '../reading/lookup.js';
import type { PolicyContext } from './policy.js';
import type { Outcome, Verdict } from './verdict.js';

/** How many of its last messages are kept, and how many characters of each. */
const MESSAGES = 10;
const MESSAGE_CHARS = 500;

/** What belongs to one point only. */
export interface Extra {
  task?: string | undefined;
  params?: unknown;
  tool?: string;
  args?: unknown;
  result?: unknown;
  output?: string;
  reason?: 'timeout' | 'idle_timeout';
}

export class Agent {
  readonly runtime: Reading;
  readonly actor: Actor;
  /** What it last said, oldest first. */
  readonly messages: string[] = [];
  /** Why a policy blocked it, where one did. */
  blockedBecause: string | undefined = undefined;
  /** The report of a policy that finished it, or was asked on its timeout. */
  report: string | undefined = undefined;
  /** A turn is being asked for. */
  asksForTurn = false;
  private readonly readPrompt: () => string;
  private injected: string[] = [];
  private waiting = 0;
  /** Made for the first that is waited for: most runs wait for none. */
  private pending: Set<(outcome: 'stopped' | 'overdue') => void> | undefined = undefined;
  private stopped = false;

  constructor(runtime: Reading, actor: Actor, prompt: () => string) {
    this.runtime = runtime;
    this.actor = actor;
    this.readPrompt = prompt;
  }

  get isMain(): boolean {
    return this.actor.run === 0;
  }

  get prompt(): string {
    return this.readPrompt();
  }

  // ─── what it says and is shown ──────────────────────────────────────────────────────────────────

  say(message: string): void {
    this.messages.push(firstChars(message, MESSAGE_CHARS));
    if (this.messages.length > MESSAGES) this.messages.shift();
  }

  /** Keeps a text for the next turn. */
  inject(text: string): void {
    this.injected.push(text);
  }

  get hasInjected(): boolean {
    return this.injected.length > 0;
  }

  /** The texts for the turn that begins. */
  takeInjected(): string[] {
    const texts = this.injected;
    this.injected = [];
    return texts;
  }

  // ─── what a policy is told ──────────────────────────────────────────────────────────────────────

  context(policy: string, extra: Extra): PolicyContext & Extra {
    return Object.assign(new Context(this, policy), extra);
  }

  policing(): Policing | undefined {
    const { slot, generation } = this.actor;
    return this.runtime.call((core) => core.policing(slot, generation)) as Policing | undefined;
  }

  count(policy: string, limit: number, openTodosOnly: boolean): number {
    const { slot, generation, run } = this.actor;
    const length = this.runtime.write(policy);
    return this.runtime.act((core) => core.count(now(), slot, generation, run, length, limit, openTodosOnly));
  }

  // ─── what it answers ────────────────────────────────────────────────────────────────────────────

  /** Tells the core; `false` where the run has ended meanwhile. */
  rule(point: PolicyPoint, { answer, policy, text, reason }: Verdict): boolean {
    if (this.runtime.isClosed) return false;
    const { slot, generation, run } = this.actor;
    // Of a tool only the call is blocked.
    if (answer === 'block' && !point.endsWith('_tool')) this.blockedBecause ??= text;
    if (answer === 'finish') this.report = text;
    // Both texts lie one after the other, so they are written as one.
    const policyLength = this.runtime.write(policy);
    const length = this.runtime.write(policy + text) - policyLength;
    const [at, what, why] = [POLICY_POINTS.indexOf(point), POLICY_ANSWERS.indexOf(answer), STOP_REASONS.indexOf(reason)];
    return this.runtime.act((core) => core.rule(now(), slot, generation, run, at, what, why, policyLength, length));
  }

  // ─── waiting for a policy ───────────────────────────────────────────────────────────────────────

  /** A policy takes its time: a run gives its slot up until then. Returns the function that ends that. */
  wait(point: PolicyPoint): () => void {
    // Nothing waits for what is done about a timeout; whether a start may go on is asked by `Gates`.
    if (point === 'on_timeout') return () => undefined;
    const { slot, generation, run } = this.actor;
    const alarm = this.isMain ? new Alarm(() => this.end('overdue')) : undefined;
    this.waiting += 1;
    if (alarm !== undefined) {
      // The core watches the time of a run's policies.
      const approvalTimeoutMs = this.runtime.isClosed ? 0 : limitOf(this.runtime, 'approvalTimeoutMs');
      // The caller awaits the answer, and a policy that never gives one keeps no process alive.
      alarm.keepAlive(true);
      if (approvalTimeoutMs !== Number.POSITIVE_INFINITY) alarm.set(now() + approvalTimeoutMs);
    } else if (this.waiting === 1 && !this.runtime.isClosed) this.runtime.act((core) => core.awaitApproval(now(), slot, generation, run));
    return () => {
      this.waiting -= 1;
      alarm?.stop();
      if (this.waiting > 0 || this.isMain || this.runtime.isClosed || point === 'before_start') return;
      this.runtime.act((core) => core.approved(now(), slot, generation, run, false));
    };
  }

  /** The promise's outcome, unless the run stops or the time for answers runs out before. */
  until(promise: Promise<unknown>): Promise<Outcome> {
    if (this.stopped) return Promise.resolve('stopped');
    this.pending ??= new Set();
    const { pending } = this;
    return new Promise((resolve) => {
      const end = (outcome: Outcome): void => {
        pending.delete(end);
        resolve(outcome);
      };
      pending.add(end);
      promise.then(
        (value) => end({ value }),
        (error: unknown) => end({ error }),
      );
    });
  }

  /** The run was told to stop, or has ended: policies are not waited for any more. */
  stop(): void {
    this.stopped = true;
    this.end('stopped');
  }

  /** The time for answers is over. */
  overdue(): void {
    this.end('overdue');
  }

  private end(outcome: 'stopped' | 'overdue'): void {
    if (this.pending !== undefined) for (const end of [...this.pending]) end(outcome);
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
    const { slot, generation } = this.#agent.actor;
    return this.#agent.isMain ? null : this.#agent.runtime.lookup.taskId(slot, generation);
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
    const count = this.#agent.count(this.#policy, limit, options.openTodosOnly === true);
    if (count > 0) return 'counted';
    return count === 0 ? 'nothing_to_count' : 'exhausted';
  }

  report(status: string, reason: string): AgentReport {
    return reportOf(this.#agent, status, reason);
  }
}
