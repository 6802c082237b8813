// Strands: our tools for its agents, as its `FunctionTool`s, with progress as their events. Imports nothing from it at run
// time.

import type { ToolProgress } from '../tools/object.js';
import { type AnyTool, type AnyTools, plainSchema, toolsOf } from './any-tool.js';
import { expectPart } from './mistake.js';

interface Context {
  cancelSignal?: AbortSignal;
  toolUse?: { toolUseId: string };
}

interface Config {
  name: string;
  description: string;
  // biome-ignore lint/suspicious/noExplicitAny: the type of a JSON Schema is that of the framework
  inputSchema: any;
  // biome-ignore lint/suspicious/noExplicitAny: the type of the context is that of the framework
  callback: (input: unknown, context: any) => AsyncGenerator<string, string, never>;
}

/** Converts our tools for Strands: `new Agent({ tools: strandsTools(FunctionTool, manager.createTools()) })`. */
export function strandsTools<T>(FunctionTool: new (config: Config) => T, tools: AnyTools): T[] {
  expectPart('strandsTools', 'FunctionTool', 'the class `FunctionTool` of @strands-agents/sdk', FunctionTool);
  return toolsOf('strandsTools', tools).map(
    (tool) =>
      new FunctionTool({
        name: tool.name,
        description: tool.description,
        inputSchema: plainSchema(tool),
        callback: (input, context: Context | undefined) => stream(tool, input, context),
      }),
  );
}

/** The framework takes yielded values as progress, and the returned value as the result. */
async function* stream(tool: AnyTool, input: unknown, context: Context | undefined): AsyncGenerator<string, string, never> {
  let newest: ToolProgress | undefined;
  let wake = (): void => undefined;
  let over = false;
  const onUpdate = (progress: ToolProgress): void => {
    newest = progress;
    wake();
  };
  const answer = tool.execute(input, { signal: context?.cancelSignal, toolCallId: context?.toolUse?.toolUseId, onUpdate });
  const end = (): void => {
    over = true;
    wake();
  };
  answer.then(end, end);
  for (;;) {
    const { text } = newest ?? {};
    newest = undefined;
    if (text !== undefined) yield text;
    else if (over) return answer;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}

export type { AnyTool, AnyTools } from './any-tool.js';
export { type TurnResult, turnResult } from './finish.js';
