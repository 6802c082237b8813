// The run that a worker's host function gets: the job has its input, and the lead answers the rest. Owns the difference from a
// local run: every operation returns a promise.

import type { Handle } from '../api/handle.js';
import type { Inbox } from '../api/inbox.js';
import type { Run } from '../api/run.js';
import { SubAgentError } from '../base/error-class.js';
import { keyWithin } from '../base/idempotency-key.js';
import { type Json, MAX_METADATA_CHARS, readJson } from '../base/metadata.js';
import { optionsOf, readArgument } from '../options/arguments.js';
import type { SpawnOptions } from '../options/generated/spawn.js';
import type { AskAnswer, RateLimitReport, RunLimits, RunRemaining, RunReport, TurnPermit } from '../reading/exchange.js';
import type { RunResult } from '../reading/run-result.js';
import { REPORT_FORM, readRateLimit, readReport } from '../reading/usage-report.js';
import type { WaitOptions } from '../snapshots/types.js';
import type { AgentTool, ToolCallOptions } from '../tools/object.js';
import type { SubAgentToolOptions } from '../tools/tool-options.js';
import type { ToolsOptions } from '../tools/tool-set.js';
import { countReport, type Reported } from './attempt-usage.js';
import { PLAIN, type ToolDescription, type ToolSet, WAITING } from './calls.js';
import type { Line } from './line.js';
import { passedOn, type RunBrief, type SENT_FIELDS, type Turn } from './wire.js';

type Soon<T> = T extends (...args: infer Args) => infer R ? (...args: Args) => Promise<Awaited<R>> : never;

/** A sub-agent that a run in a worker spawned. */
export interface WorkerHandle {
  /** The sub-agent's id. */
  readonly taskId: string;
  /** The sub-agent's name for display. */
  readonly label: string;
  /**
   * Waits for its run, as `Handle.wait` does. If another process has taken the lead since, the result has the fields of the
   * sub-agent's snapshot.
   */
  wait(
    options?: Pick<WaitOptions, 'timeoutMs' | 'signal'>,
  ): Promise<Pick<RunResult, 'status' | 'stopReason' | 'output' | 'partial' | 'error' | 'run'>>;
  /** Sends it a message, as `Handle.send` does. */
  send: Soon<Handle['send']>;
  /** Cancels it, as `Handle.cancel` does. */
  cancel: Soon<Handle['cancel']>;
}

/** A tool for a model; the lead carries out its calls. */
export type WorkerTool = Pick<AgentTool, 'name' | 'label' | 'description' | 'execute'> & {
  /** Its parameters: JSON Schema. */
  readonly parameters: object;
  /** The same as `parameters`. */
  readonly inputSchema: object;
};

/** Tools by name; iterated, they are a list. */
export type WorkerTools = { readonly [name: string]: WorkerTool } & Iterable<WorkerTool>;

type SentField = (typeof SENT_FIELDS)[number];
type CalledName = (typeof PLAIN)[number] | (typeof WAITING)[number];

/**
 * A run in a worker. It has the members of `Run`. Values that are known at the start can be read at once. The lead carries out
 * each operation, which returns a promise. With `await`, one host function serves both. If an operation of `Run` throws, the
 * promise rejects. It has no `ended`, `countTokens` or `drive`: only the lead's program drives tasks.
 */
export interface WorkerRun
  extends Readonly<Pick<Run, SentField>>,
    Readonly<Pick<Run, 'signal' | 'session' | 'schema'>>,
    Pick<Run, 'beforeTurn' | 'ask' | 'steers' | 'idempotencyKey' | 'checkpoint' | 'save'>,
    Omit<{ [K in CalledName]: Soon<Run[K]> }, 'report' | 'reportRateLimit' | 'checkpoint' | 'save'> {
  /** The remaining amounts at the last turn; at first, the limits. */
  readonly remaining: Omit<RunRemaining, 'shared'>;
  /** Reports as `Run.report` does. It goes with the next call, at the latest after 20 ms. */
  report(report: RunReport): void;
  /** Reports as `Run.reportRateLimit` does. */
  reportRateLimit(limit: RateLimitReport): void;
  /**
   * Spawns a sub-agent, as `Run.spawn` does; another worker carries it out. Without an `idempotencyKey`, it gets one, so that a
   * repeated request spawns once.
   */
  spawn(given: SpawnOptions | string): Promise<WorkerHandle>;
  /** The notices for this run, as `Run.inbox`. */
  readonly inbox: {
    /** Resolves to all notices that are not acknowledged, oldest first, and changes nothing; as `Inbox.peek`. */
    peek: Soon<Inbox['peek']>;
    /** Takes the notices that wait, oldest first, until their lease ends; as `Inbox.lease`. */
    lease: Soon<Inbox['lease']>;
    /** Acknowledges a notice. Resolves to false if it was acknowledged before or isn't one of these; as `Inbox.ack`. */
    ack: Soon<Inbox['ack']>;
  };
  /** Makes the tools of `Run.createTools`. Options that are functions can't be given. */
  createTools(options?: ToolsOptions): Promise<WorkerTools>;
  /** Makes the tool of `Run.createSubAgentTool`. Options that are functions can't be given. */
  createSubAgentTool(options?: SubAgentToolOptions): Promise<WorkerTool>;
}

/** The parts of an attempt that its run needs. */
export interface WorkerRunParts {
  readonly line: Line;
  /** Its reports. */
  readonly reported: Reported;
  /** Made when it is first read. */
  readonly controller: AbortController;
  /** The run waits, perhaps for work that needs a place in this very process. */
  parked<T>(wait: Promise<T>): Promise<T>;
}

/** Makes the run of an attempt. `later`: newer data of the lead that the job doesn't have. */
export function workerRun(brief: RunBrief, params: object, parts: WorkerRunParts, later: object = {}): WorkerRun {
  return Object.assign(new RemoteRun(parts), FEW, { prompt: (params as { instructions?: string }).instructions ?? '' }, brief, {
    limits: finite(brief.limits),
    ...later,
  }) as unknown as WorkerRun;
}

/** Texts with more characters than this fit no letter. The lead checks the maximum of a checkpoint. */
const MOST_SENT = 16 << 20;

/** The values of fields that a job leaves out. */
const FEW = { contextHint: '', label: '', profile: '', disallowedTools: [] as string[] };

/** Restores infinite limits, which are null in JSON. */
function finite(limits: RunBrief['limits']): RunLimits {
  const made = { ...limits } as Record<string, number | null>;
  for (const name of Object.keys(made)) made[name] ??= Number.POSITIVE_INFINITY;
  return made as unknown as RunLimits;
}

/** If a promise that is not awaited rejects, it must not end the process, which has other runs. */
function own<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}

class RemoteRun {
  declare taskId: string;
  declare run: number;
  declare work: string | undefined;
  declare limits: RunLimits;
  declare checkpointed: Json | undefined;
  declare saved: Json | undefined;
  static {
    const methods = RemoteRun.prototype as unknown as Record<string, (this: RemoteRun, ...args: unknown[]) => unknown>;
    for (const name of PLAIN) {
      methods[name] ??= function (this: RemoteRun, ...args) {
        return this.#call(name, ...args);
      };
    }
    for (const name of WAITING) {
      methods[name] = function (this: RemoteRun, first, options) {
        return this.#waitFor(name, first, options as object | undefined);
      };
    }
    for (const name of ['checkpoint', 'save', 'beforeTurn', 'ask', 'steers', 'spawn', 'createTools', 'createSubAgentTool']) {
      const method = methods[name] as (this: RemoteRun, ...args: unknown[]) => Promise<unknown>;
      methods[name] = function (this: RemoteRun, ...args) {
        return own(method.apply(this, args));
      };
    }
  }

  readonly #parts: WorkerRunParts;
  /** The number of tool calls under each id: some models give the calls of each answer the same ids. */
  readonly #calls = new Map<string, number>();
  #session: Map<string, unknown> | undefined;
  #remaining: RunRemaining | undefined;

  constructor(parts: WorkerRunParts) {
    this.#parts = parts;
  }

  get signal(): AbortSignal {
    return this.#parts.controller.signal;
  }

  get session(): Map<string, unknown> {
    this.#session ??= new Map();
    return this.#session;
  }

  idempotencyKey(...parts: (string | number)[]): string {
    return keyWithin(this.work ?? `${this.taskId}-${this.run}`, parts);
  }

  get remaining(): WorkerRun['remaining'] {
    if (this.#remaining !== undefined) return this.#remaining;
    const { tokens, costUsd, turns } = this.limits;
    return { tokens, costUsd, turns };
  }

  /** Makes a call that the lead answers at once. */
  #call(name: string, ...args: unknown[]): Promise<unknown> {
    return own(this.#parts.line.call(name, args));
  }

  /** Makes a call that waits. The signal in its options stays here. */
  #waitFor(name: string, first: unknown, options: { signal?: AbortSignal | undefined } = {}): Promise<unknown> {
    const { signal, ...rest } = options;
    return own(this.#parts.parked(this.#parts.line.call(name, [first, rest], signal)));
  }

  /** A wrong report throws here, at the call: the lead would have no caller to throw at. */
  report(report: RunReport): void {
    const given = optionsOf('a report', report, REPORT_FORM);
    countReport(this.#parts.reported, readReport(given));
    const { message, todos, modelId, ...figures } = given;
    // The lead reads the figures again, by name; a wrong one has to arrive as wrong.
    const sent = Object.fromEntries(Object.entries(figures).map(([name, figure]) => [name, sentFigure(figure)]));
    this.#parts.line.send('report', [{ ...sent, message, modelId, todos: todos && passedOn(todos) }]);
  }

  reportRateLimit(limit: RateLimitReport): void {
    this.#parts.line.send('reportRateLimit', [readRateLimit(limit)]);
  }

  async checkpoint(data: Json): Promise<void> {
    readArgument('a checkpoint', () => readJson('data', data, MOST_SENT));
    await this.#call('checkpoint', data);
    this.checkpointed = data;
  }

  async save(data: Json): Promise<void> {
    readArgument('saved data', () => readJson('data', data, MAX_METADATA_CHARS));
    await this.#call('save', data);
    this.saved = data;
  }

  async beforeTurn(options?: object): Promise<TurnPermit> {
    const { line, controller, parked } = this.#parts;
    try {
      const { permit, remaining } = (await parked(line.call('beforeTurn', [options]))) as Turn;
      if (remaining !== undefined) this.#remaining = remaining;
      if ((permit as TurnPermit).go) this.#parts.reported.turns += 1;
      return permit as TurnPermit;
    } catch (error) {
      if (!line.isOver) throw error;
      return { go: false, reason: controller.signal.aborted ? 'host_lost' : 'actor_ended' };
    }
  }

  async ask(question: string, options?: object): Promise<AskAnswer> {
    const { line, parked } = this.#parts;
    try {
      return (await parked(line.call('ask', [question, options]))) as AskAnswer;
    } catch (error) {
      if (!line.isOver) throw error;
      return { answered: false, reason: 'stopped' };
    }
  }

  /** The run works while it listens, so it keeps its place. */
  async steers(options?: object): Promise<string[]> {
    const { line } = this.#parts;
    try {
      return (await line.call('steers', [options])) as string[];
    } catch (error) {
      if (!line.isOver) throw error;
      return [];
    }
  }

  async spawn(given: SpawnOptions | string): Promise<WorkerHandle> {
    const options = typeof given === 'string' ? { instructions: given } : given;
    const { signal, ...rest }: SpawnOptions = options ?? {};
    if (signal?.aborted === true) throw new SubAgentError('aborted', 'the signal of this spawn has fired already, so nothing was started');
    const { taskId, label } = (await this.#call('spawn', rest, signal !== undefined)) as { taskId: string; label: string };
    const { line } = this.#parts;
    const detach = signal && line.sendWhen(signal, 'abort', [taskId]);
    /** As in the lead, a sub-agent spawned without a text follows the signal over its runs. */
    const whenEnded = rest.instructions ? detach : undefined;
    const ends = <T>(ended: Promise<T>): Promise<T> => {
      if (whenEnded !== undefined) ended.then(whenEnded, () => undefined);
      return ended;
    };
    const handle: WorkerHandle = {
      taskId,
      label,
      wait: (given) => ends(this.#waitFor('result', taskId, given)) as never,
      send: (...given) => this.#call('send', taskId, ...given) as never,
      cancel: (...given) => ends(this.#waitFor('cancel', taskId, ...given)) as never,
    };
    // So a call accepts it as a sub-agent, like a handle in the lead.
    return Object.defineProperty(handle, 'toJSON', { value: () => ({ taskId, label }) });
  }

  get inbox(): object {
    return {
      lease: (options: unknown) => this.#call('inbox.lease', options),
      ack: (id: unknown) => this.#call('inbox.ack', id),
      peek: () => this.#call('inbox.peek'),
    };
  }

  async createTools(options?: ToolsOptions): Promise<WorkerTools> {
    const list = await this.#tools('createTools', options);
    const made = Object.fromEntries(list.map((tool) => [tool.name, tool]));
    return Object.defineProperty(made, Symbol.iterator, { value: () => list[Symbol.iterator]() }) as never;
  }

  async createSubAgentTool(options?: SubAgentToolOptions): Promise<WorkerTool> {
    const [tool] = await this.#tools('createSubAgentTool', options);
    return tool as WorkerTool;
  }

  async #tools(make: ToolSet['make'], options: object | undefined): Promise<WorkerTool[]> {
    const set: ToolSet = { make, ...(options !== undefined && { options: sendable(options) }) };
    return ((await this.#call('tools', set)) as ToolDescription[]).map((tool) => this.#tool(set, tool));
  }

  /** The id of a call, the same only if another attempt repeats the call. */
  #numbered(id: string): string {
    const count = (this.#calls.get(id) ?? 0) + 1;
    this.#calls.set(id, count);
    return count === 1 ? id : `${id}#${count}`;
  }

  #tool(set: ToolSet, { name, label, description, schema }: ToolDescription): WorkerTool {
    const { line, parked } = this.#parts;
    const execute = (...given: unknown[]): Promise<unknown> => {
      const isPi = given.length > 1 && typeof given[0] === 'string';
      const [id, args, signal] = isPi ? given : callOf(given);
      const content = own(
        parked(line.call('execute', [set, name, this.#numbered(id as string), args], signal as AbortSignal | undefined, true)),
      );
      return isPi ? content : own(content.then((result) => (result as Content).content.map(({ text }) => text).join('\n')));
    };
    return { name, label, description, parameters: schema, inputSchema: schema, execute: execute as never };
  }
}

interface Content {
  content: { text: string }[];
}

/** Reads a tool call with its arguments first: the id, arguments and signal. */
function callOf([args, options]: unknown[]): [string, unknown, AbortSignal | undefined] {
  const { toolCallId, signal, abortSignal } = (options ?? {}) as ToolCallOptions;
  return [toolCallId ?? `call_${crypto.randomUUID()}`, args, signal ?? abortSignal];
}

function sendable(options: object): object {
  for (const [name, value] of Object.entries(options)) {
    if (typeof value === 'function')
      throw new SubAgentError('invalid_argument', `\`${name}\` is a function, which can't be sent to the lead`, { argument: name });
  }
  return options;
}

function sentFigure(figure: unknown): unknown {
  if (typeof figure === 'object') return figure === null ? undefined : passedOn(figure);
  return typeof figure === 'number' || figure === undefined ? figure : Number.NaN;
}
