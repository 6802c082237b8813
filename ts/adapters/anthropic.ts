// Anthropic's SDK: our tools for its tool runner. Imports nothing from it at run time.

import { type AnyTools, plainSchema, toolsOf } from './any-tool.js';

/** A tool for `client.beta.messages.toolRunner`, like those that its own `betaTool()` makes. */
export interface AnthropicTool {
  type: 'custom';
  /** The name by which the model calls it. */
  name: string;
  /** The description that the model reads. */
  description: string;
  /** Its parameters: JSON Schema. */
  input_schema: { type: 'object'; [keyword: string]: unknown };
  /** Runs it; resolves to the text for the model. */
  run(args: unknown, context?: { toolUse?: { id: string }; signal?: AbortSignal | null | undefined }): Promise<string>;
  /** Passes the arguments on as they are: the tool checks them itself, and returns a mistake as text. */
  parse(content: unknown): unknown;
}

/** Converts our tools for the tool runner: `toolRunner({ tools: anthropicTools(manager.createTools()), … })`. */
export function anthropicTools(tools: AnyTools): AnthropicTool[] {
  return toolsOf('anthropicTools', tools).map((tool) => ({
    type: 'custom',
    name: tool.name,
    description: tool.description,
    input_schema: plainSchema(tool) as AnthropicTool['input_schema'],
    run: (args, context) => tool.execute(args, { signal: context?.signal ?? undefined, toolCallId: context?.toolUse?.id }),
    // The tool checks its arguments itself, and returns a mistake as text.
    parse: (content) => content,
  }));
}

export type { AnyTool, AnyTools } from './any-tool.js';
export { type TurnResult, turnResult } from './finish.js';
