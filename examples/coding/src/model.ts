// What a model is to this example: a function from messages and tools to an answer.

export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  /** JSON Schema. */
  readonly parameters: object;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly args: Record<string, unknown>;
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly calls: readonly ToolCall[] }
  | { readonly role: 'tool'; readonly id: string; readonly content: string };

export interface Answer {
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly tokens: number;
}

export type Model = (messages: readonly Message[], tools: readonly ToolSpec[], signal: AbortSignal) => Promise<Answer>;
