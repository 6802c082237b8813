// One run of a framework's agent under a manager. Owns the protocol with `run`: permission for each model call, the allowed
// tools, injected texts, usage and text as they arrive. Owns also the messages saved for the next run, and the result. Knows no
// framework.

import type { Run } from '../api/run.js';
import type { SubAgentParamsType } from '../options/generated/spawn.js';
import type { HostResult, HostUsage, TokenKinds } from '../options/host-result.js';
import type { JsonSchema } from '../options/schema/json-schema.js';
import type { RunReport } from '../reading/exchange.js';
import { type Finish, isBlank, resultOf } from './finish.js';
import { ALWAYS_BLOCKED, OPERATOR_TOOLS, SPAWN_TOOLS } from './generated/tool-names.js';
import type { ModelUsage } from './model-usage.js';
import { rateLimitOf } from './rate-limit.js';
import { jsonSchemaOf, type ToJsonSchema } from './structured.js';

/** Options that all helpers share. */
export interface AgentHostOptions {
  /** The cost of a model call, in US dollars. Default: unknown. */
  costUsd?: ((usage: ModelUsage) => number) | undefined;
  /** The text that the model is shown on its last turn. */
  lastTurn?: string | undefined;
  /**
   * Makes JSON Schema of a run's `schema`. Default: as Standard JSON Schema, which zod has since 4.2.
   *
   * It is for libraries whose schemas can't make it themselves.
   */
  jsonSchema?: ToJsonSchema | undefined;
}

/** The names of these options. */
export const HOST_OPTIONS = ['costUsd', 'lastTurn', 'jsonSchema'] as const satisfies (keyof AgentHostOptions)[];

/** An agent's last turn: its text, how it ended, and the value that the run's schema asks for. */
export interface Answer {
  /** The text of the last turn alone; empty if it has none. */
  readonly text: string;
  readonly value?: unknown;
  /** How the turn ended. Default: as it should. */
  readonly finish?: Finish | undefined;
  /** Whether a tool ended the agent: the turn then needs no text. */
  readonly byTool?: boolean | undefined;
}

/** Shown to a model whose turns, time or budget run out. */
const LAST_TURN = 'This is your last turn: call no more tools and answer now with what you have.';
/** A tool's name from a model, without characters that no tool's name has. */
const plain = (name: string): string => name.replace(/[^\p{L}\p{N}_.:/-]+/gu, '?').slice(0, 80);
/** The manager's usual estimate. If the last turn used more, the next one is expected to use as much. */
const USUAL_TURN = 2_000;
const KEPT = 'subagents:messages';

/** The manager permitted no further model call. */
export class TurnRefused extends Error {
  declare readonly name: 'TurnRefused';

  constructor(message: string) {
    super(message);
    // If a program has frozen `Error.prototype`, an assignment can't set an error's own name.
    Object.defineProperty(this, 'name', { value: 'TurnRefused', configurable: true, writable: true });
  }
}

/** A text from neither the model nor a tool, and the number of messages before it. */
interface Injected {
  at: number;
  text: string;
  /** Whether it is for its turn alone. */
  once: boolean;
}

export class Turns {
  readonly run: Run;
  private readonly options: AgentHostOptions;
  private readonly injected: Injected[] = [];
  /** Texts from policies for the model besides a tool's result: they come with the next turn. */
  private readonly pending: string[] = [];
  private seen = 0;
  private tokens = 0;
  private tokensKnown = false;
  private cost: number | undefined;
  /** The sum of each reported kind. */
  private readonly kinds: TokenKinds = {};
  private turns = 0;
  private lastTokens = 0;
  private lastText = '';
  /** Why no further turn was permitted. */
  private refused: string | undefined;
  /** Whether the current turn is the last. */
  private wrapUp = false;
  /** Whether the current turn may call the model often: its usage is then no size of a context. */
  private isWhole = false;
  private tools: readonly string[] | 'unknown' | undefined;
  /** Errors whose rate limit was reported. */
  private readonly reported = new WeakSet<object>();

  constructor(run: Run, options: AgentHostOptions) {
    this.run = run;
    this.options = options;
  }

  /** The schema of the run's `value`, as JSON Schema; undefined if there is none. */
  get schema(): JsonSchema | undefined {
    return jsonSchemaOf(this.run, this.options.jsonSchema);
  }

  /** Reports a failed call. If the provider limits the rate, all work with the same key waits for it (X1). */
  failed(error: unknown): void {
    const limit = rateLimitOf(error);
    if (limit === undefined || this.reported.has(limit.error)) return;
    this.reported.add(limit.error);
    try {
      this.run.reportRateLimit({ retryAfterMs: limit.retryAfterMs });
    } catch {
      // The run has already ended: the provider's error is the one to throw.
    }
  }

  /**
   * Asks permission to call the model, or for a whole turn of an agent that calls it by itself. Throws `TurnRefused` if it is
   * refused.
   */
  async begin(messages: number, whole = false): Promise<{ wrapUp: boolean; inject: string[] }> {
    if (this.run.signal.aborted) throw this.refuse('cancelled');
    const estimate = this.lastTokens > USUAL_TURN ? { tokens: this.lastTokens } : undefined;
    const permit = await this.run.beforeTurn(whole ? { whole } : estimate);
    if (!permit.go) throw this.refuse(permit.reason);
    this.turns += 1;
    this.isWhole = whole;
    this.wrapUp = permit.wrapUp === true;
    const inject = [...this.pending.splice(0), ...(permit.inject ?? [])];
    for (const text of inject) this.injected.push({ at: messages, text, once: false });
    if (this.wrapUp && !inject.includes(this.lastTurn)) this.injected.push({ at: messages, text: this.lastTurn, once: true });
    return { wrapUp: this.wrapUp, inject };
  }

  /** The text for a model that has to answer now. */
  get lastTurn(): string {
    return this.options.lastTurn ?? LAST_TURN;
  }

  private refuse(reason: string): TurnRefused {
    this.refused = reason;
    return new TurnRefused(`no further turn: ${reason}`);
  }

  /** Whether a turn was refused: frameworks that can only ask synchronously then have to stop. */
  get isRefused(): boolean {
    return this.refused !== undefined;
  }

  /** `messages` with the injected texts, each at its place, made with `make`. */
  with<M>(messages: readonly M[], make: (text: string) => M): M[] {
    return spliced(messages, this.injected, make);
  }

  /** The texts that were injected since the last call, for frameworks that put them into their own list. */
  fresh(): string[] {
    const texts = this.injected.slice(this.seen).map(({ text }) => text);
    this.seen = this.injected.length;
    return texts;
  }

  /** Forgets the injected texts: the framework's loop delivers them another way. */
  dropInjected(): void {
    this.injected.length = 0;
  }

  /** Books a finished model call. `ownCostUsd`: its cost by the framework. `estimated`: its usage was not reported (B15). */
  end(usage: ModelUsage | undefined, text: string, ownCostUsd?: number, estimated = false): void {
    const total = usage && (usage.totalTokens ?? sum(usage.inputTokens, usage.outputTokens));
    let costUsd: number | undefined;
    try {
      costUsd = (usage && this.options.costUsd?.(usage)) ?? (ownCostUsd || undefined);
    } finally {
      // A `costUsd` that throws ends the run; the usage of the call is still booked.
      this.book(usage, total, costUsd, text, estimated);
    }
  }

  private book(
    usage: ModelUsage | undefined,
    total: number | undefined,
    costUsd: number | undefined,
    text: string,
    estimated: boolean,
  ): void {
    if (total !== undefined) {
      this.tokens += total;
      this.tokensKnown = true;
      this.lastTokens = total;
    }
    if (costUsd !== undefined) this.cost = (this.cost ?? 0) + costUsd;
    const isSaid = !isBlank(text);
    if (isSaid) this.lastText = text;
    if (usage === undefined && costUsd === undefined && !isSaid) return;
    const { totalTokens: _, modelId, ...kinds } = usage ?? {};
    const report: RunReport = kinds;
    for (const [name, amount] of Object.entries(kinds) as [keyof TokenKinds, number][]) this.kinds[name] = (this.kinds[name] ?? 0) + amount;
    if (total !== undefined) report.tokens = total;
    if (modelId !== undefined) report.modelId = modelId;
    if (estimated) report.estimated = true;
    if (kinds.inputTokens !== undefined && !this.isWhole) report.contextTokens = kinds.inputTokens + (kinds.outputTokens ?? 0);
    if (costUsd !== undefined) report.costUsd = costUsd;
    if (isSaid) report.message = text;
    if (total !== undefined || costUsd !== undefined || isSaid) this.run.report(report);
  }

  /** Whether the run may have this tool at all (P2). */
  has(name: string): boolean {
    this.tools ??= this.run.tools ?? 'unknown';
    if (this.tools !== 'unknown') return this.tools.includes(name);
    if (ALWAYS_BLOCKED.includes(name)) return false;
    if (!SPAWN_TOOLS.includes(name) && !OPERATOR_TOOLS.includes(name)) return true;
    return this.run.depth < this.run.limits.maxDepth;
  }

  /** Why a tool may not be called now, as a text for the model; undefined if it may. */
  refusal(name: string): string | undefined {
    if (!this.has(name)) return `The tool ${plain(name)} is not among the tools of this sub-agent.`;
    if (this.run.signal.aborted) return `The tool ${plain(name)} was not called: this sub-agent has been stopped.`;
    if (this.wrapUp) return `The tool ${plain(name)} was not called: this is the last turn. Answer now.`;
    return undefined;
  }

  /**
   * Calls a tool if the manager and its policies allow it. Otherwise their answer is a text for the model, which `instead` may
   * mark.
   */
  async use(name: string, args: unknown, call: () => unknown, instead: (text: string) => unknown = (text) => text): Promise<unknown> {
    const refused = await this.beforeTool(name, args);
    if (refused !== undefined) return instead(refused);
    const result = await lastOf(call());
    const withheld = await this.afterTool(name, result);
    return withheld === undefined ? result : instead(withheld);
  }

  /** Why a tool may not be called; undefined if it may. */
  async beforeTool(name: string, args: unknown): Promise<string | undefined> {
    const refused = this.refusal(name);
    if (refused !== undefined) return refused;
    const permit = await this.run.beforeTool(name, args);
    if (!permit.allowed) return permit.reason;
    this.pending.push(...(permit.inject ?? []));
    return undefined;
  }

  /** The text that the model sees instead of a tool's result; undefined if it sees the result. */
  async afterTool(name: string, result: unknown): Promise<string | undefined> {
    const verdict = await this.run.afterTool(name, result);
    this.pending.push(...(verdict.inject ?? []));
    return verdict.withheld ? verdict.reason : undefined;
  }

  /** Shows the model this text with its next turn. */
  show(text: string): void {
    this.pending.push(text);
  }

  /** Whether texts wait for the next turn, such as steers, and a turn is left for them. */
  async hasSteers(): Promise<boolean> {
    if (!this.hasTurnLeft) return false;
    this.pending.push(...(await this.run.steers()));
    return this.pending.length > 0;
  }

  /** Whether a further turn may begin. */
  get hasTurnLeft(): boolean {
    const { tokens, costUsd, turns } = this.run.remaining;
    return !this.wrapUp && Math.min(tokens, costUsd, turns) > 0;
  }

  /** The sub-agent's messages of earlier runs. */
  earlier<M>(): M[] {
    return [...((this.run.session.get(KEPT) as M[] | undefined) ?? [])];
  }

  /** Saves its messages for the next run; with `make`, also the injected texts. */
  keep<M>(messages: readonly M[], make?: (text: string) => M): void {
    const lasting = this.injected.filter(({ once }) => !once);
    this.run.session.set(KEPT, make === undefined ? [...messages] : spliced(messages, lasting, make));
    // From now on, the saved messages have them.
    this.injected.length = 0;
    this.seen = 0;
  }

  /** The host function's result. */
  private result(text: string | undefined): HostResult {
    const said = text === undefined || text === '' ? this.lastText : text;
    const usage: HostUsage = { turns: this.turns, ...this.kinds };
    if (this.tokensKnown) usage.tokens = this.tokens;
    if (this.cost !== undefined) usage.cost = this.cost;
    if (this.run.signal.aborted) return { status: 'cancelled', output: said, usage };
    if (this.refused !== undefined) return { status: 'failed', output: said || `Stopped: ${this.refused}.`, usage };
    return { status: 'completed', output: said, usage };
  }

  /** The host function's result after the last turn: text of an earlier turn is no result (L3). */
  private answered({ text, value, finish = {}, byTool = false }: Answer): HostResult {
    const result = this.result(text);
    if (this.run.signal.aborted) return result;
    const hasValue = value !== undefined && (typeof value !== 'string' || !isBlank(value));
    const ended = resultOf(text, finish, hasValue || byTool);
    if (ended.error !== undefined) return { ...result, ...ended, output: ended.output || this.lastText };
    result.output = ended.output;
    if (ended.status !== undefined) result.status = ended.status;
    if (value !== undefined) result.value = value;
    return result;
  }

  /** The prompt of the run. At the beginning of a conversation, its context hint follows (A2). */
  private prompt(): string {
    const { prompt, contextHint, previousError } = this.run;
    const asked = contextHint === '' || this.earlier().length > 0 ? prompt : `${prompt}\n\n## Context\n${contextHint}`;
    // A model can correct a wrong value; about other errors it can do nothing.
    if (previousError?.reason !== 'invalid_result' || previousError.error === null) return asked;
    return `${asked}\n\nYour last answer was refused: ${previousError.error}`;
  }

  /**
   * Runs the agent on a prompt, and again if a policy forces another turn. `body` continues from `earlier()` and ends with
   * `keep()`. A stop by the manager is a result; other errors are thrown.
   */
  async conduct(body: (prompts: readonly string[]) => Promise<Answer | undefined>): Promise<HostResult> {
    try {
      let prompts: readonly string[] = [this.prompt()];
      for (;;) {
        const answer = (await body(prompts)) ?? { text: '' };
        const { text } = answer;
        if (this.isRefused || this.run.signal.aborted) return this.result(text);
        const permit = await this.run.beforeEnd(text);
        // An output that a policy refused is not returned as a value either.
        if (permit.end && permit.reason !== undefined) return this.result(permit.output);
        if (permit.end) return this.answered({ ...answer, text: permit.output || text });
        if (this.wrapUp) return this.answered(answer);
        prompts = permit.inject;
      }
    } catch (error) {
      if (this.refused !== undefined || this.run.signal.aborted) return this.result(undefined);
      this.failed(error);
      if (this.lastText === '') throw error;
      // The earlier text is the partial output (L3).
      return { ...this.result(undefined), status: 'incomplete', error: error as Error };
    }
  }
}

/** The error of a framework's agent that stopped to ask a person: a sub-agent has no person to ask there. */
export function unapproved(what: string): Error {
  return new Error(`${what} waits for an approval of the framework's own, which a sub-agent can't get; a policy's beforeTool can ask`);
}

/** The final value of a tool: a promise of it, or the last yielded value. */
async function lastOf(given: unknown): Promise<unknown> {
  const result = given as AsyncIterable<unknown> & { then?: unknown };
  if (typeof result !== 'object' || result === null || typeof result.then === 'function' || !(Symbol.asyncIterator in result)) return given;
  let last: unknown;
  for await (const value of result) last = value;
  return last;
}

/** The parameters of the host function besides the run. */
export type AgentParams = SubAgentParamsType;

/** Joins the framework agent's own instructions with the manager's for this sub-agent. */
export function joined(own: string | undefined, given: string | undefined): string | undefined {
  return own === undefined || own === '' ? given : given === undefined ? own : `${own}\n\n${given}`;
}

function spliced<M>(messages: readonly M[], injected: readonly Injected[], make: (text: string) => M): M[] {
  if (injected.length === 0) return [...messages];
  const all: M[] = [];
  for (let index = 0; index <= messages.length; index += 1) {
    for (const { at, text } of injected) {
      if (Math.min(at, messages.length) === index) all.push(make(text));
    }
    if (index < messages.length) all.push(messages[index] as M);
  }
  return all;
}

/** The sum of two figures that may be unknown. */
function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}
