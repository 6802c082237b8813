// The tools and options that adapters take. Owns the shape and the reading of one tool or many; imports only `mistake.ts` at
// run time.

import type { ToolCallOptions } from '../tools/object.js';
import { mistake } from './mistake.js';

/** A tool of ours, or any other of this shape. */
export interface AnyTool {
  /** The name by which the model calls it. */
  readonly name: string;
  /** Its name for display. */
  readonly label?: string;
  /** Its operation, if it is one of ours. */
  readonly operation?: string;
  /** The description that the model reads. */
  readonly description: string;
  /** Its parameters: JSON Schema. */
  readonly parameters: {
    readonly type: 'object';
    /** A JSON Schema for each parameter. */
    readonly properties: Readonly<Record<string, unknown>>;
    /** Names of the required parameters. */
    readonly required: readonly string[];
  };
  /** Runs it; resolves to the text for the model. */
  execute(args: unknown, options?: ToolCallOptions): Promise<string>;
}

/** One tool, the result of `createTools`, or any list. */
export type AnyTools = AnyTool | Iterable<AnyTool>;

/** Reads the tools for a helper, and refuses values that are no tools. */
export function toolsOf(helper: string, tools: AnyTools): AnyTool[] {
  const isList = typeof tools === 'object' && tools !== null && Symbol.iterator in tools;
  const read: AnyTool[] = isList ? [...tools] : [tools as AnyTool];
  const isEach = read.every((tool) => typeof tool?.execute === 'function' && typeof tool.parameters === 'object');
  if (!isEach) throw mistake(`${helper} takes what \`createTools\` returns, a tool, or a list of tools`, { argument: 'tools' });
  return read;
}

/** Plain schemas, as JSON: an agent that is made for each call asks for them each time. */
const plain = new WeakMap<object, string>();

/**
 * The schema without our own parts and without `exclusiveMinimum`, for which Gemini refuses the whole request. The tool itself
 * checks the minimum. A copy that the framework may change.
 */
export function plainSchema({ parameters }: AnyTool): Record<string, unknown> {
  let json = plain.get(parameters);
  if (json === undefined) {
    const { properties, ...schema } = parameters;
    const shown = Object.entries(properties).map(([name, property]) => {
      const { exclusiveMinimum: _, ...rest } = property as Record<string, unknown>;
      return [name, rest];
    });
    json = JSON.stringify({ ...schema, properties: Object.fromEntries(shown) });
    plain.set(parameters, json);
  }
  return JSON.parse(json) as Record<string, unknown>;
}

/**
 * A schema that shows the model the parameters and accepts every argument. A framework's own check would name no mistake or
 * another one; the tool's check names it.
 */
export function lenientSchema(tool: AnyTool): object {
  const input = (): Record<string, unknown> => plainSchema(tool);
  const standard = { version: 1, vendor: 'subagents', validate: (value: unknown) => ({ value }), jsonSchema: { input, output: input } };
  return Object.defineProperty({ type: 'object', properties: {} }, '~standard', { value: standard });
}

/** Refuses unknown options, which would be ignored silently. */
export function expectKnown(helper: string, options: object, known: readonly string[]): void {
  const unknownName = Object.keys(options).find((name) => !known.includes(name));
  if (unknownName !== undefined) {
    throw mistake(`${helper} has no option \`${unknownName}\`; it has ${known.join(', ')}`, { argument: unknownName, known });
  }
}
