// The run, as the host function of a worker gets it: what the job tells is there at once, the rest is asked of the lead.
// Owns what differs from a run at home: every operation of it answers with a promise.

import type { Handle } from '../api/handle.js';
import type { Inbox } from '../api/inbox.js';
import type { Run } from '../api/run.js';
import { SubAgentError } from '../base/errors.js';
import type { Json } from '../base/metadata.js';
import type { SpawnOptions } from '../options/spawn.js';
import type { AskAnswer, RunLimits, RunRemaining, RunReport, TurnPermit } from '../reading/exchange.js';
import type { RunResult } from '../reading/run-result.js';
import type { ToolsOptions } from '../tools/create.js';
import type { AgentTool, ToolCallOptions } from '../tools/object.js';
import type { SubAgentToolOptions } from '../tools/tool-options.js';
import { PLAIN, type ToolSet, type ToolTold, WAITING } from './calls.js';
import type { Line } from './line.js';
import { type Brief, fromWire, TOLD, type Turn } from './wire.js';

type Soon<T> = T extends (...args: infer Args) => infer R ? (...args: Args) => Promise<Awaited<R>> : never;

/** A sub-agent that was spawned by a run in a worker. */
export interface WorkerHandle {
  /** The sub-agent's id. */
  readonly taskId: string;
  /** The sub-agent's name for display. */
  readonly label: string;
  /**
   * Waits for its run, as `Handle.wait` does. Where the process of the lead has changed since, the result has the fields of
   * the sub-agent's snapshot.
   */
  wait(options?: {
    signal?: AbortSignal | undefined;
  }): Promise<Pick<RunResult, 'status' | 'stopReason' | 'output' | 'partial' | 'error' | 'run'>>;
  /** Sends it a message, as `Handle.send` does. */
  send: Soon<Handle['send']>;
  /** Cancels it, as `Handle.cancel` does. */
  cancel: Soon<Handle['cancel']>;
}

/** A tool for a model, whose calls are carried out by the lead. */
export type WorkerTool = Pick<AgentTool, 'name' | 'label' | 'description' | 'execute'> & {
  /** What it takes: JSON Schema. */
  readonly parameters: object;
  /** The same as `parameters`. */
  readonly inputSchema: object;
};

/** Tools by name; iterated, they are a list. */
export type WorkerTools = { readonly [name: string]: WorkerTool } & Iterable<WorkerTool>;

type Told = (typeof TOLD)[number];
type Asked = (typeof PLAIN)[number] | (typeof WAITING)[number];

/**
 * A run in a worker. It has what `Run` has: what is known at the start can be read at once, and each operation is carried
 * out by the lead and answers with a promise. `await` makes one host function serve both.
 */
export interface WorkerRun
  extends Readonly<Pick<Run, Told>>,
    Readonly<Pick<Run, 'signal' | 'session' | 'schema'>>,
    Pick<Run, 'beforeTurn' | 'ask'>,
    Omit<{ [K in Asked]: Soon<Run[K]> }, 'report' | 'reportRateLimit'> {
  /** What was left at the last turn; at first, what its limits allow. */
  readonly remaining: Pick<RunRemaining, 'tokens' | 'costUsd' | 'turns'>;
  /** Reports as `Run.report` does. It goes with the next call, at the latest after 20 ms. */
  report(report: RunReport): void;
  /** Reports as `Run.reportRateLimit` does. */
  reportRateLimit(limit: { retryAfterMs: number }): void;
  /**
   * Spawns a sub-agent, as `Run.spawn` does; another worker carries it out. Without an `idempotencyKey` of its own it
   * has one by which a request that was sent twice spawns once.
   */
  spawn(options: SpawnOptions): Promise<WorkerHandle>;
  /** The notices for this run, as `Run.inbox`. */
  readonly inbox: { [K in 'lease' | 'ack' | 'peek']: Soon<Inbox[K]> };
  /** Makes the tools of `Run.createTools`. Options that are functions can't be given. */
  createTools(options?: ToolsOptions): Promise<WorkerTools>;
  /** Makes the tool of `Run.createSubAgentTool`. Options that are functions can't be given. */
  createSubAgentTool(options?: SubAgentToolOptions): Promise<WorkerTool>;
}

/** What is told of calls that wait for something else than this process. */
export interface WorkerRunParts {
  /** The run waits, perhaps for work that needs a place in this very process. */
  parked<T>(wait: Promise<T>): Promise<T>;
}

/** Makes the run of an attempt. */
export function workerRun(brief: Brief, line: Line, signal: AbortSignal, parts: WorkerRunParts): WorkerRun {
  const told = fromWire(brief) as Brief;
  const run: Record<string, unknown> = {};
  for (const name of TOLD) run[name] = told[name];
  run.schema = brief.schema;
  run.signal = signal;
  run.session = new Map<string, unknown>();
  const { tokens, costUsd, turns } = told.limits as RunLimits;
  run.remaining = { tokens, costUsd, turns };
  const ask = (name: string, ...args: unknown[]): Promise<unknown> => line.call(name, args);
  /** A call whose options may have a signal, which stays here. */
  const wait = (name: string, first: unknown, options: { signal?: AbortSignal | undefined } = {}): Promise<unknown> => {
    const { signal: own, ...rest } = options;
    return parts.parked(line.call(name, [first, rest], own));
  };
  for (const name of PLAIN) run[name] = (...args: unknown[]) => ask(name, ...args);
  for (const name of WAITING) run[name] = (first: unknown, options?: object) => wait(name, first, options);
  run.report = (report: RunReport) => line.tell('report', [report]);
  run.reportRateLimit = (limit: unknown) => line.tell('reportRateLimit', [limit]);
  run.checkpoint = async (data: Json) => {
    await ask('checkpoint', data);
    run.checkpointed = data;
  };
  run.beforeTurn = async (options?: object): Promise<TurnPermit> => {
    try {
      const { permit, remaining } = (await parts.parked(ask('beforeTurn', options))) as Turn;
      if (remaining !== undefined) run.remaining = remaining;
      return permit as TurnPermit;
    } catch (error) {
      if (line.over === undefined) throw error;
      return { go: false, reason: signal.aborted ? 'host_lost' : 'actor_ended' };
    }
  };
  run.ask = async (question: string, options?: object): Promise<AskAnswer> => {
    try {
      return (await parts.parked(ask('ask', question, options))) as AskAnswer;
    } catch (error) {
      if (line.over === undefined) throw error;
      return { answered: false, reason: 'stopped' };
    }
  };
  run.spawn = async (options: SpawnOptions): Promise<WorkerHandle> => {
    const { taskId, label } = (await ask('spawn', options)) as { taskId: string; label: string };
    return {
      taskId,
      label,
      wait: (given) => parts.parked(line.call('result', [taskId], given?.signal)) as never,
      send: (...given) => ask('send', taskId, ...given) as never,
      cancel: (...given) => wait('cancel', taskId, ...given) as never,
    };
  };
  run.inbox = {
    lease: (options: unknown) => ask('inbox.lease', options),
    ack: (id: unknown) => ask('inbox.ack', id),
    peek: () => ask('inbox.peek'),
  };
  const toolOf = (set: ToolSet, { name, label, description, schema }: ToolTold): WorkerTool => ({
    name,
    label,
    description,
    parameters: schema,
    inputSchema: schema,
    execute: ((...given: unknown[]) => {
      const isPi = given.length > 1 && typeof given[0] === 'string';
      const [id, args, abort] = isPi ? given : callOf(given);
      const call = line.call('execute', [set, name, id, args], abort as AbortSignal | undefined);
      const content = parts.parked(call) as Promise<{ content: { text: string }[] }>;
      return isPi ? content : content.then((told) => told.content.map(({ text }) => text).join('\n'));
    }) as never,
  });
  const tools = async (make: ToolSet['make'], options: object | undefined): Promise<WorkerTool[]> => {
    const set: ToolSet = { make, ...(options !== undefined && { options: sendable(options) }) };
    return ((await ask('tools', set)) as ToolTold[]).map((tool) => toolOf(set, tool));
  };
  run.createTools = async (options?: ToolsOptions): Promise<WorkerTools> => {
    const list = await tools('createTools', options);
    const made = Object.fromEntries(list.map((tool) => [tool.name, tool]));
    return Object.defineProperty(made, Symbol.iterator, { value: () => list[Symbol.iterator]() }) as never;
  };
  run.createSubAgentTool = async (options?: SubAgentToolOptions) => (await tools('createSubAgentTool', options))[0];
  return run as unknown as WorkerRun;
}

/** A call of a tool with its arguments first: its id, them, and its signal. */
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
