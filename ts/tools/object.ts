// A tool as a framework sees it: one object that can be called in every convention. Owns these conventions and how
// progress is passed on; knows nothing of a tool's function.

import type { Core } from '../boundary/core.js';
import { ownOf, readArgument, signalOf } from '../options/arguments.js';
import type { TokenKinds } from '../options/host-result.js';
import { type Field, ignoredOf, parsedArguments, withIgnored } from './fields.js';
import type { Operation } from './generated/tools.js';

/** An action of a sub-agent while its caller waits for it. */
export interface ToolProgress {
  /** The sub-agent's id. */
  taskId: string;
  /** The sub-agent's name for display. */
  label: string;
  /** Its current turn; 0 before its first. */
  turn: number;
  /** Its last report; empty if there is none. It is a sub-agent's text, not the user's. */
  message: string;
  /** All of these in one line. */
  text: string;
}

/** A question of a sub-agent that a call waits for. */
export interface SubAgentQuestion {
  /** The id of the sub-agent that asks. */
  taskId: string;
  /** Its name for display. */
  label: string;
  /** Its question. It is a sub-agent's text, not the user's. */
  question: string;
  /** Fires when the answer is no longer wanted. */
  signal: AbortSignal;
}

/** Options that frameworks hand to `execute` besides the arguments. */
export interface ToolCallOptions {
  /** Ends the call: a foreground sub-agent that it waits for is cancelled when it fires. */
  signal?: AbortSignal | undefined;
  /** The same, under the name that the AI SDK and Mastra use. */
  abortSignal?: AbortSignal | undefined;
  /** The id of the call, as the model or the framework made it. */
  toolCallId?: string | undefined;
  /** Gets the progress of a sub-agent while the call waits for it. */
  onUpdate?: ((progress: ToolProgress) => unknown) | undefined;
  /**
   * Whether something notifies the model when background work ends. If not, no answer promises that. False over MCP.
   * @default true
   */
  notifies?: boolean | undefined;
  /**
   * Answers a question of a sub-agent that the call waits for, in place of the model.
   *
   * If it gives undefined or rejects, the model answers.
   */
  onQuestion?: ((asked: SubAgentQuestion) => Promise<string | undefined>) | undefined;
  /** Gets the details of the call when it ends, like `details` of pi's calls. */
  onDetails?: ((details: unknown) => void) | undefined;
  /** LangGraph's function for progress. */
  writer?: unknown;
  /** Mastra's function for progress. */
  outputWriter?: unknown;
}

/** The result of a tool called pi's way. */
export interface ToolContent<Details = unknown> {
  /** The text for the model. */
  content: { type: 'text'; text: string }[];
  /** The details of the call, for the program. */
  details: Details;
  /** The call's tokens and dollars, including its sub-agents, in pi's form; absent if one is unknown. */
  usage?: PiUsage;
}

/** pi's `Usage`: its input excludes tokens read from or written to the cache. An unreported kind of tokens is 0. */
export interface PiUsage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  cacheWrite1h?: number;
  reasoning?: number;
  totalTokens: number;
  cost: { input: number; output: number; cacheRead: number; cacheWrite: number; total: number };
}

/** A JSON Schema that is a Standard Schema too; the `~standard` part can't be enumerated. */
export interface ToolSchema<Params = Record<string, unknown>> {
  readonly type: 'object';
  /** A JSON Schema for each parameter. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Names of the required parameters. */
  readonly required: readonly string[];
  /** The same as a Standard Schema. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'subagents';
    /** Checks arguments. */
    readonly validate: (value: unknown) => { value: Params } | { issues: readonly { message: string }[] };
    /** Returns the JSON Schema, as Standard JSON Schema requires. */
    readonly jsonSchema: {
      /** The schema of the model's arguments. */
      readonly input: () => Record<string, unknown>;
      /** The schema of the checked arguments: the same. */
      readonly output: () => Record<string, unknown>;
    };
    /** For the compiler alone. */
    readonly types?: {
      /** The arguments. */
      readonly input: Params;
      /** The arguments. */
      readonly output: Params;
    };
  };
}

/** A tool for a model, as frameworks take it. */
export interface AgentTool<Params = Record<string, unknown>, Details = unknown> {
  /** Its operation, under whatever name. It can't be enumerated. */
  readonly operation: Operation | 'ask';
  /** The name by which the model calls it. */
  readonly name: string;
  /** Its name for display. */
  readonly label: string;
  /** Its description, for the model. */
  readonly description: string;
  /** Its parameters: JSON Schema, and a Standard Schema. */
  readonly parameters: ToolSchema<Params>;
  /** The same as `parameters`. */
  readonly inputSchema: ToolSchema<Params>;
  /** Called pi's way, with the call's id first, it resolves to content and details. */
  execute(
    toolCallId: string,
    args: unknown,
    signal?: AbortSignal,
    onUpdate?: (partial: ToolContent<Details>) => void,
  ): Promise<ToolContent<Details>>;
  /**
   * Called with the arguments, it resolves to text; it never rejects for a mistake of the model. The promise can also be
   * iterated, as the AI SDK does: lines of progress, then the same text.
   */
  execute(args: unknown, options?: ToolCallOptions): Promise<string> & AsyncIterable<string>;
}

/** One call of a tool, whatever framework it came from. */
export interface ToolCallContext {
  signal: AbortSignal | undefined;
  toolCallId: string | undefined;
  /** Something notifies the model of ends of background work. */
  notifies: boolean;
  /** Its caller gets the answer's details, which may be left out otherwise. */
  isDetailed: boolean;
  /** Undefined if no listener could be given. */
  progress: ((make: () => ToolProgress) => unknown) | undefined;
  /** Answers in place of the model. */
  onQuestion?: ToolCallOptions['onQuestion'];
}

/** A tool's answer: the text for the model, the details for the host. */
export interface ToolAnswer<Details> {
  text: string;
  details: Details;
}

/** A tool's function and description. */
export interface ToolBody<Params, Details> {
  operation: Operation | 'ask';
  name: string;
  label: string;
  description: string;
  /** Plain JSON Schema. */
  schema: object;
  /** The parameters of the schema. */
  fields: readonly Field[];
  /** The arguments, or their mistakes. Must not throw. */
  check(args: unknown): { params: Params } | { mistakes: string[] };
  call(args: unknown, context: ToolCallContext): Promise<ToolAnswer<Details>>;
  /** The details of a progress, for pi. */
  detailsOf(progress: ToolProgress): Details;
}

/** Makes the object. Its answer goes to a model: it must be persisted first (J1), and names ignored arguments (D6). */
export function toolObject<Params, Details>(
  runtime: Pick<Core, 'answer' | 'notify'>,
  given: ToolBody<Params, Details>,
): AgentTool<Params, Details> {
  const call = async (args: unknown, context: ToolCallContext): Promise<ToolAnswer<Details>> => {
    // Before the call, which may change the arguments.
    const ignored = ignoredOf(args, given.fields);
    const { text, details } = await given.call(args, context);
    return { text: ignored === '' ? text : withIgnored(text, ignored), details };
  };
  const body = { ...given, call: (args: unknown, context: ToolCallContext) => runtime.answer(call(args, context)) };
  const parameters = withStandard({ ...body.schema }, (args) => body.check(args));
  const { name, label, description } = body;
  const tool = {
    name,
    label,
    description,
    parameters,
    inputSchema: parameters,
    execute(...given: unknown[]): never {
      const answer = given.length > 1 && isCallId(given[0]) ? calledByPi(body, given) : called(runtime, body, given);
      return answer as never;
    },
  };
  // Frameworks pass on enumerable fields.
  return Object.defineProperty(tool as unknown as AgentTool<Params, Details>, 'operation', { value: body.operation });
}

/** Whether the first argument is a call's id. Arguments may come as JSON, which no id looks like. */
function isCallId(first: unknown): boolean {
  return typeof first === 'string' && !/^\s*[{["]/.test(first);
}

async function calledByPi<Params, Details>(body: ToolBody<Params, Details>, given: unknown[]): Promise<ToolContent<Details>> {
  const [toolCallId, args, signal, onUpdate] = given as [string, unknown, unknown, unknown];
  const progress =
    typeof onUpdate !== 'function'
      ? undefined
      : (make: () => ToolProgress): unknown => {
          const update = make();
          const partial = { content: [{ type: 'text' as const, text: update.text }], details: body.detailsOf(update) };
          return (onUpdate as (partial: ToolContent<Details>) => unknown)(partial);
        };
  const { text, details } = await body.call(args, { signal: signalFrom(signal), toolCallId, notifies: true, isDetailed: true, progress });
  const usage = usageIn(details as (TokenKinds & { tokens?: unknown; cost?: unknown }) | undefined);
  return { content: [{ type: 'text', text }], details, ...(usage && { usage }) };
}

function usageIn(details: (TokenKinds & { tokens?: unknown; cost?: unknown }) | undefined): PiUsage | undefined {
  const { tokens, cost, inputTokens = 0, outputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, ...more } = details ?? {};
  if (typeof tokens !== 'number' || typeof cost !== 'number') return undefined;
  const input = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const { cacheWrite1hTokens: cacheWrite1h, reasoningTokens: reasoning } = more;
  const parts = { ...(cacheWrite1h && { cacheWrite1h }), ...(reasoning && { reasoning }) };
  const kinds = { input, output: outputTokens, cacheRead: cacheReadTokens, cacheWrite: cacheWriteTokens, ...parts };
  return { ...kinds, totalTokens: tokens, cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost } };
}

function called<Params, Details>(runtime: Pick<Core, 'notify'>, body: ToolBody<Params, Details>, given: unknown[]): Promise<string> {
  const updates = new Updates();
  const answer = (async () => {
    const [args, options] = given;
    const { signal, abortSignal, toolCallId, onUpdate, notifies, onQuestion, onDetails, writer, outputWriter } = readArgument(
      'the options of the call',
      () => {
        // Frameworks pass in many other options.
        const given = Object(options) as ToolCallOptions;
        return {
          signal: ownOf(given, 'signal', given.signal),
          abortSignal: ownOf(given, 'abortSignal', given.abortSignal),
          toolCallId: ownOf(given, 'toolCallId', given.toolCallId),
          onUpdate: ownOf(given, 'onUpdate', given.onUpdate),
          notifies: ownOf(given, 'notifies', given.notifies),
          onQuestion: ownOf(given, 'onQuestion', given.onQuestion),
          onDetails: ownOf(given, 'onDetails', given.onDetails),
          writer: ownOf(given, 'writer', given.writer),
          outputWriter: ownOf(given, 'outputWriter', given.outputWriter),
        };
      },
    );
    const sink = typeof onUpdate === 'function' ? onUpdate : sinkOf(writer, outputWriter, toolCallId);
    const progress = (make: () => ToolProgress): unknown => {
      updates.push(make);
      return sink?.(make());
    };
    const context = {
      signal: signalFrom(signal ?? abortSignal),
      toolCallId: typeof toolCallId === 'string' ? toolCallId : undefined,
      notifies: notifies !== false,
      isDetailed: typeof onDetails === 'function',
      progress,
      onQuestion: typeof onQuestion === 'function' ? (onQuestion as ToolCallContext['onQuestion']) : undefined,
    };
    const { text, details } = await body.call(args, context);
    if (typeof onDetails === 'function') runtime.notify(() => onDetails(details));
    return text;
  })();
  // Not enumerable: a caller that awaits sees a promise and nothing else.
  return Object.defineProperty(answer, Symbol.asyncIterator, { value: () => updates.until(answer) });
}

function signalFrom(signal: unknown): AbortSignal | undefined {
  return signalOf('`signal`', signal ?? undefined);
}

/** The channel of a framework for progress outside a call. */
function sinkOf(writer: unknown, outputWriter: unknown, toolCallId: unknown): ((progress: ToolProgress) => unknown) | undefined {
  if (typeof writer === 'function') return (progress) => writer({ type: 'subagent-progress', toolCallId, ...progress });
  if (typeof outputWriter !== 'function') return undefined;
  return (progress) => {
    // A stream that is no longer read refuses writes, which is harmless.
    Promise.resolve(outputWriter({ type: 'data-subagent-progress', data: { toolCallId, ...progress } })).catch(() => undefined);
  };
}

/**
 * Progress for callers that iterate the answer. It is sent in a later task, so that calls which end at once show none. Only the
 * newest is retained, since each replaces the one before. Its text is made when it is read.
 */
class Updates {
  private newest: (() => ToolProgress) | undefined = undefined;
  private count = 0;
  /** How many updates may be read so far. */
  private due = 0;
  private isRead = false;
  private timer: ReturnType<typeof setTimeout> | undefined = undefined;
  private waiting: (() => void)[] = [];

  push(make: () => ToolProgress): void {
    this.newest = make;
    this.count += 1;
    if (this.isRead) this.arm();
  }

  private arm(): void {
    this.timer ??= setTimeout(() => {
      this.timer = undefined;
      this.due = this.count;
      this.wake();
    }, 0);
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }

  async *until(answer: Promise<string>): AsyncGenerator<string, void, undefined> {
    this.isRead = true;
    if (this.count > this.due) this.arm();
    let over = false;
    let seen = 0;
    const end = (): void => {
      over = true;
      clearTimeout(this.timer);
      this.wake();
    };
    answer.then(end, end);
    for (;;) {
      if (this.newest !== undefined && this.due > seen) {
        seen = this.due;
        yield this.newest().text;
      } else if (over) break;
      else
        await new Promise<void>((resolve) => {
          this.waiting.push(resolve);
        });
    }
    yield await answer;
  }
}

function withStandard<Params>(schema: object, check: (args: unknown) => { params: Params } | { mistakes: string[] }): ToolSchema<Params> {
  const plain = (): Record<string, unknown> => JSON.parse(JSON.stringify(schema)) as Record<string, unknown>;
  return Object.defineProperty(schema, '~standard', {
    enumerable: false,
    value: {
      version: 1,
      vendor: 'subagents',
      validate(value: unknown) {
        const checked = check(value);
        // The model's own names: validated arguments are checked again when they arrive.
        return 'params' in checked
          ? { value: parsedArguments(value) as Params }
          : { issues: checked.mistakes.map((message) => ({ message })) };
      },
      jsonSchema: { input: plain, output: plain },
    },
  }) as ToolSchema<Params>;
}
