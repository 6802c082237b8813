// Google's ADK: our tools for its agents, as its `FunctionTool`s. Imports nothing from it at run time.

import { type AnyTools, plainSchema, toolsOf } from './any-tool.js';
import { expectPart } from './mistake.js';

interface Context {
  abortSignal?: AbortSignal | undefined;
  functionCallId?: string | undefined;
}

interface Options {
  name: string;
  description: string;
  // biome-ignore lint/suspicious/noExplicitAny: the type of a schema is that of the framework
  parameters: any;
  // biome-ignore lint/suspicious/noExplicitAny: the type of the context is that of the framework
  execute: (input: any, context?: any) => Promise<string>;
}

/** Converts our tools for ADK: `new LlmAgent({ tools: adkTools(FunctionTool, manager.createTools()) })`. */
export function adkTools<T>(FunctionTool: new (options: Options) => T, tools: AnyTools): T[] {
  expectPart('adkTools', 'FunctionTool', 'the class `FunctionTool` of @google/adk', FunctionTool);
  return toolsOf('adkTools', tools).map(
    (tool) =>
      new FunctionTool({
        name: tool.name,
        description: tool.description,
        parameters: plainSchema(tool),
        execute: (input: unknown, context?: Context) =>
          tool.execute(input, { signal: context?.abortSignal, toolCallId: context?.functionCallId }),
      }),
  );
}

export type { AnyTool, AnyTools } from './any-tool.js';
export { type TurnResult, turnResult } from './finish.js';
