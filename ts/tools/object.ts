// What a tool is to a framework: one object that takes every way of being called. Owns the conventions of
// calling; knows nothing of what a tool does.

import type { Core } from '../boundary/core.js';
import { propertyOf, readArgument, signalOf } from '../options/arguments.js';
import { parsed } from './fields.js';
import type { ToolProgress } from './progress.js';
import { News, Updates } from './updates.js';

/** What frameworks hand to `execute` beside the arguments. */
export interface ToolCallOptions {
  /** Ends the call: a foreground sub-agent that it waits for is cancelled when it fires. */
  signal?: AbortSignal | undefined;
  /** The same, under the name that the AI SDK and Mastra use. */
  abortSignal?: AbortSignal | undefined;
  /** The id of the call, as the model or the framework made it. */
  toolCallId?: string | undefined;
  /** Gets what a sub-agent does while the call waits for it. */
  onUpdate?: ((progress: ToolProgress) => unknown) | undefined;
  /** LangGraph's function for progress. */
  writer?: unknown;
  /** Mastra's function for progress. */
  outputWriter?: unknown;
}

/** What a tool resolves to where it is called pi's way. */
export interface ToolContent<Details = unknown> {
  /** What the model reads. */
  content: { type: 'text'; text: string }[];
  /** What is known of the call, for the program. */
  details: Details;
}

/** A JSON Schema that is a Standard Schema too; the `~standard` part can't be enumerated. */
export interface ToolSchema<Params = Record<string, unknown>> {
  readonly type: 'object';
  /** A JSON Schema for each parameter. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Names of the parameters that have to be there. */
  readonly required: readonly string[];
  /** The same as a Standard Schema. */
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'subagents';
    /** Checks arguments. */
    readonly validate: (value: unknown) => { value: Params } | { issues: readonly { message: string }[] };
    /** Gives the JSON Schema, as Standard JSON Schema asks. */
    readonly jsonSchema: {
      /** Of the arguments as the model gives them. */
      readonly input: () => Record<string, unknown>;
      /** Of the arguments as they are checked: the same. */
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
  /** The name by which the model calls it. */
  readonly name: string;
  /** Its name for display. */
  readonly label: string;
  /** What the model is told of it. */
  readonly description: string;
  /** What it takes: JSON Schema, and a Standard Schema. */
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
   * Called with the arguments, it resolves to text; it never rejects for what the model did. The promise
   * can also be iterated, as the AI SDK does: lines of progress, then the same text.
   */
  execute(args: unknown, options?: ToolCallOptions): Promise<string>;
}

/** One call of a tool, whatever framework it came from. */
export interface ToolCallContext {
  signal: AbortSignal | undefined;
  toolCallId: string | undefined;
  /** Takes what makes the words, where they are asked for; must not throw. Undefined where no listener could be given. */
  progress: ((make: () => ToolProgress) => void) | undefined;
}

/** What a tool says: to the model, and to the host. */
export interface ToolAnswer<Details> {
  text: string;
  details: Details;
}

/** What a tool does. */
export interface ToolBody<Params, Details> {
  name: string;
  label: string;
  description: string;
  /** Plain JSON Schema. */
  schema: object;
  /** The arguments, or what is wrong with them. Must not throw. */
  check(args: unknown): { params: Params } | { mistakes: string[] };
  call(args: unknown, context: ToolCallContext): Promise<ToolAnswer<Details>>;
  /** What pi gets as details of a progress. */
  detailsOf(progress: ToolProgress): Details;
}

/** What making a tool needs of its manager. */
type ToolParts = Pick<Core, 'answer' | 'tell'>;

/** Makes the object. What it answers goes to a model, which is told nothing before it is kept (J1). */
export function toolObject<Params, Details>(runtime: ToolParts, given: ToolBody<Params, Details>): AgentTool<Params, Details> {
  const { name, label, description } = given;
  const parameters = withStandard({ ...given.schema }, (args) => given.check(args));
  const caller = new Caller(runtime, given);
  return {
    name,
    label,
    description,
    parameters,
    inputSchema: parameters,
    execute(...args: unknown[]): Promise<never> {
      const answer = args.length > 1 && isCallId(args[0]) ? caller.byPi(args) : caller.byOthers(args[0], args[1]);
      return answer as Promise<never>;
    },
  };
}

/** Arguments may come as JSON, which no id of a call looks like. */
function isCallId(first: unknown): boolean {
  return typeof first === 'string' && !/^\s*[{["]/.test(first);
}

/** The calls of one tool, in every way that frameworks make them. */
class Caller<Params, Details> {
  private readonly runtime: ToolParts;
  private readonly body: ToolBody<Params, Details>;
  private readonly news = new News();

  constructor(runtime: ToolParts, body: ToolBody<Params, Details>) {
    this.runtime = runtime;
    this.body = body;
  }

  async byPi([toolCallId, args, signal, onUpdate]: unknown[]): Promise<ToolContent<Details>> {
    const { body } = this;
    const sink = (update: ToolProgress): unknown => {
      const partial = { content: [{ type: 'text' as const, text: update.text }], details: body.detailsOf(update) };
      return (onUpdate as (partial: ToolContent<Details>) => unknown)(partial);
    };
    const progress = typeof onUpdate === 'function' ? this.telling(sink) : undefined;
    const { text, details } = await this.answered(args, { signal: signalFrom(signal), toolCallId: toolCallId as string, progress });
    return { content: [{ type: 'text', text }], details };
  }

  byOthers(args: unknown, options: unknown): Promise<string> {
    const updates = new Updates(this.news);
    let answer: Promise<string>;
    try {
      answer = this.answered(args, this.contextOf(options, updates)).then(({ text }) => {
        updates.end();
        return text;
      });
    } catch (error) {
      answer = Promise.reject(error);
    }
    // Not enumerable: a caller that awaits sees a promise and nothing else.
    return Object.defineProperty(answer, Symbol.asyncIterator, { value: () => updates.read(answer) });
  }

  private answered(args: unknown, context: ToolCallContext): Promise<ToolAnswer<Details>> {
    return this.runtime.answer(this.body.call(args, context));
  }

  private contextOf(options: unknown, updates: Updates): ToolCallContext {
    const { signal, abortSignal, toolCallId, onUpdate, writer, outputWriter } = readArgument('the options of the call', () => {
      // Frameworks hand in much else with these.
      const given = Object(options) as ToolCallOptions;
      return {
        signal: propertyOf(given, 'signal'),
        abortSignal: propertyOf(given, 'abortSignal'),
        toolCallId: propertyOf(given, 'toolCallId'),
        onUpdate: propertyOf(given, 'onUpdate'),
        writer: propertyOf(given, 'writer'),
        outputWriter: propertyOf(given, 'outputWriter'),
      };
    });
    const sink = typeof onUpdate === 'function' ? (onUpdate as Sink) : sinkOf(writer, outputWriter, toolCallId);
    const told = sink && this.telling(sink);
    return {
      signal: signalFrom(signal ?? abortSignal),
      toolCallId: typeof toolCallId === 'string' ? toolCallId : undefined,
      progress(make) {
        updates.push(make);
        told?.(make);
      },
    };
  }

  /** Has a listener told at once; what it throws does no harm. */
  private telling(sink: Sink): NonNullable<ToolCallContext['progress']> {
    return (make) => this.runtime.tell(() => sink(make()));
  }
}

/** A function of the program's or of a framework's that takes progress. */
type Sink = (progress: ToolProgress) => unknown;

function signalFrom(signal: unknown): AbortSignal | undefined {
  return signal === undefined || signal === null ? undefined : signalOf('`signal`', signal);
}

/** Where a framework takes progress that belongs to no call of its own. */
function sinkOf(writer: unknown, outputWriter: unknown, toolCallId: unknown): Sink | undefined {
  if (typeof writer === 'function') return (progress) => writer({ type: 'subagent-progress', toolCallId, ...progress });
  if (typeof outputWriter !== 'function') return undefined;
  return (progress) => {
    // A stream that is not read any more refuses what is written, which does no harm.
    Promise.resolve(outputWriter({ type: 'data-subagent-progress', data: { toolCallId, ...progress } })).catch(() => undefined);
  };
}

function withStandard<Params>(schema: object, check: (args: unknown) => { params: Params } | { mistakes: string[] }): ToolSchema<Params> {
  // Asked for with each call of the model and of the tool, by frameworks that change what they get.
  const json = JSON.stringify(schema);
  const plain = (): Record<string, unknown> => JSON.parse(json) as Record<string, unknown>;
  return Object.defineProperty(schema, '~standard', {
    enumerable: false,
    value: {
      version: 1,
      vendor: 'subagents',
      validate(value: unknown) {
        const checked = check(value);
        // The model's own names: what is validated here is checked once more when it arrives.
        return 'params' in checked ? { value: parsed(value) as Params } : { issues: checked.mistakes.map((message) => ({ message })) };
      },
      jsonSchema: { input: plain, output: plain },
    },
  }) as ToolSchema<Params>;
}
