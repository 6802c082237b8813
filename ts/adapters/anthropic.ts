// Anthropic's SDK: our tools for its tool runner. Imports nothing of it at run time.

import { type AnyTools, plainSchema, toolsOf } from './any-tool.js';

/** A tool as `client.beta.messages.toolRunner` takes it; the same as its own `betaTool()` makes. */
export interface AnthropicTool {
  type: 'custom';
  /** The name by which the model calls it. */
  name: string;
  /** The description that the model reads. */
  description: string;
  /** What it takes: JSON Schema. */
  input_schema: { type: 'object'; [keyword: string]: unknown };
  /** Does it; resolves to what the model reads. */
  run(args: unknown, context?: { toolUse?: { id: string }; signal?: AbortSignal | null | undefined }): Promise<string>;
  /** Passes the arguments on as they are: the tool checks them itself, so that a mistake comes back as text. */
  parse(content: unknown): unknown;
}

/** Our tools as the tool runner takes them: `toolRunner({ tools: anthropicTools(manager.createTools()), … })`. */
export function anthropicTools(tools: AnyTools): AnthropicTool[] {
  return toolsOf('anthropicTools', tools).map((tool) => ({
    type: 'custom',
    name: tool.name,
    description: tool.description,
    input_schema: plainSchema(tool) as AnthropicTool['input_schema'],
    run: (args, context) => tool.execute(args, { signal: context?.signal ?? undefined, toolCallId: context?.toolUse?.id }),
    // The tool checks its arguments itself, so that a mistake comes back as text.
    parse: (content) => content,
  }));
}

export type { AnyTool, AnyTools } from './any-tool.js';
export { type TurnResult, turnResult } from './finish.js';
