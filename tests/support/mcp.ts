// A server of MCP as far as the adapter needs one, v1's low-level one, and what a client of it does.

import { type McpOptions, type McpToolResult, registerTools } from '../../dist/adapters/mcp.js';

export interface FakeClient {
  /** What the client calls itself. */
  name?: string;
  /** Answers for its person. */
  elicit?: (params: { message: string }, options: { signal: AbortSignal }) => Promise<{ action: string; content?: object }>;
  signal?: AbortSignal;
  progressToken?: number;
  notify?: (notification: { params: { progress: number; progressToken: number; message?: string } }) => Promise<void>;
}

export interface ListedTool {
  name: string;
  description: string;
  inputSchema: { properties: Record<string, { description?: string }> };
  annotations?: Record<string, unknown>;
}

/** @returns what clients do: list the tools, call one. */
export function served(from: Parameters<typeof registerTools>[1], options?: McpOptions, client: FakeClient = {}) {
  const handlers = new Map<unknown, (request: unknown, extra: unknown) => unknown>();
  const server = {
    setRequestHandler: (schema: unknown, handler: never) => handlers.set(schema, handler),
    registerCapabilities: () => undefined,
    getClientVersion: () => (client.name === undefined ? undefined : { name: client.name, version: '1' }),
    getClientCapabilities: () => ({ ...(client.elicit && { elicitation: {} }) }),
    elicitInput: client.elicit,
    onclose: undefined as (() => void) | undefined,
  };
  registerTools(server, from, { ListToolsRequestSchema: 'list', CallToolRequestSchema: 'call' }, options);
  const extra = (): object => ({
    signal: client.signal ?? new AbortController().signal,
    ...(client.progressToken !== undefined && { _meta: { progressToken: client.progressToken } }),
    sendNotification: client.notify ?? (async () => undefined),
  });
  return {
    server,
    list: async (): Promise<readonly ListedTool[]> => {
      const { tools } = Object(await handlers.get('list')?.({}, extra())) as { tools: ListedTool[] };
      return tools;
    },
    call: async (name: string, args: object = {}): Promise<{ text: string; isError: boolean; result: McpToolResult }> => {
      const result = (await handlers.get('call')?.({ params: { name, arguments: args } }, extra())) as McpToolResult;
      return { text: result.content.map(({ text }) => text).join(''), isError: result.isError === true, result };
    },
  };
}
