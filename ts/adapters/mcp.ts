// MCP servers, v1 and v2: our tools for their clients. Owns the progress that keeps a client from running
// out of patience. Imports nothing of the SDKs at run time.

import type { ToolProgress } from '../tools/object.js';
import { type AnyTool, type AnyTools, expectKnown, lenientSchema, plainSchema, toolsOf } from './any-tool.js';
import { expectPart, mistake } from './mistake.js';

/** Options of `registerTools`. */
export interface McpOptions {
  /**
   * A client that asked for progress hears at least so often of a call that takes long, in milliseconds:
   * its timeout, 60 s by default, begins anew where it says `resetTimeoutOnProgress`. Above 0; `Infinity` for never. @default 10,000
   */
  keepAliveMs?: number | undefined;
}

/** The schemas by which v1 knows its requests, from `@modelcontextprotocol/sdk/types.js`. */
export interface McpV1Schemas {
  /** The schema of requests that list tools. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of Zod are those of the SDK
  ListToolsRequestSchema: any;
  /** The schema of requests that call a tool. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of Zod are those of the SDK
  CallToolRequestSchema: any;
}

/** As much of a v1 server as is needed: the low-level `Server`, or `McpServer.server`. */
export interface McpV1Server {
  /** Has requests of one kind answered by a function. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of requests are those of the SDK
  setRequestHandler(schema: any, handler: (request: any, extra: any) => any): void;
  /** Tells clients what the server offers. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of capabilities are those of the SDK
  registerCapabilities(capabilities: any): void;
}

/** As much of a v2 `McpServer` as is needed. */
export interface McpV2Server {
  /** Offers one tool. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of tools are those of the SDK
  registerTool(name: string, config: any, handler: (args: any, context: any) => any): unknown;
}

/** The longest delay that timers take; one with a longer one fires at once. */
const LONGEST_TIMER = 2_147_483_647;

interface Notification {
  method: 'notifications/progress';
  params: { progressToken: string | number; progress: number; message?: string };
}

/** What a request comes with, in either version. */
interface Request {
  signal: AbortSignal;
  progressToken: string | number | undefined;
  notify: (notification: Notification) => Promise<void>;
}

interface Extra {
  signal: AbortSignal;
  _meta?: { progressToken?: string | number };
  sendNotification: (notification: Notification) => Promise<void>;
}

interface Context {
  mcpReq: { signal: AbortSignal; _meta?: { progressToken?: string | number }; notify: (notification: Notification) => Promise<void> };
}

/** A tool's answer for MCP. */
export interface McpToolResult {
  /** What the model reads. */
  content: { type: 'text'; text: string }[];
  /** Whether the call failed. */
  isError?: boolean;
  [key: string]: unknown;
}

/** Offers our tools on a v2 server: `registerTools(new McpServer(…), manager.createTools())`. Before it connects. */
export function registerTools(server: McpV2Server, tools: AnyTools, options?: McpOptions): void;
/**
 * Offers our tools on a v1 server: `registerTools(server, tools, { ListToolsRequestSchema, CallToolRequestSchema })`,
 * the low-level one, or the `server` of an `McpServer` without tools of its own. Before it connects.
 */
export function registerTools(server: McpV1Server, tools: AnyTools, schemas: McpV1Schemas, options?: McpOptions): void;
export function registerTools(server: McpV2Server | McpV1Server, tools: AnyTools, ...rest: unknown[]): void {
  const ours = toolsOf('registerTools', tools);
  if (typeof (server as Partial<McpV2Server> | undefined)?.registerTool === 'function') {
    registerV2(server as McpV2Server, ours, rest[0] as McpOptions | undefined);
    return;
  }
  expectPart('registerTools', 'server', 'a server of the SDK of MCP', server, 'setRequestHandler');
  registerV1(server as McpV1Server, ours, rest[0] as McpV1Schemas, rest[1] as McpOptions | undefined);
}

function registerV2(server: McpV2Server, tools: AnyTool[], options: McpOptions = {}): void {
  expectKnown('registerTools', options, ['keepAliveMs']);
  for (const tool of tools) {
    const config = { description: tool.description, inputSchema: lenientSchema(tool) };
    server.registerTool(tool.name, config, (args: unknown, { mcpReq }: Context) =>
      answer(tool, args ?? {}, { signal: mcpReq.signal, progressToken: mcpReq._meta?.progressToken, notify: mcpReq.notify }, options),
    );
  }
}

function registerV1(server: McpV1Server, tools: AnyTool[], schemas: McpV1Schemas, options: McpOptions = {}): void {
  expectKnown('registerTools', options, ['keepAliveMs']);
  if (schemas?.ListToolsRequestSchema === undefined || schemas.CallToolRequestSchema === undefined) {
    const expected = '{ ListToolsRequestSchema, CallToolRequestSchema } of @modelcontextprotocol/sdk/types.js';
    throw mistake(`registerTools: \`schemas\` must be ${expected}`, { argument: 'schemas', expected });
  }
  server.registerCapabilities({ tools: {} });
  server.setRequestHandler(schemas.ListToolsRequestSchema, () => ({
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description, inputSchema: plainSchema(tool) })),
  }));
  server.setRequestHandler(schemas.CallToolRequestSchema, ({ params }: { params: { name: string; arguments?: unknown } }, extra: Extra) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined)
      return failed(`There is no tool ${JSON.stringify(params.name)}; there are ${tools.map(({ name }) => name).join(', ')}.`);
    const request = { signal: extra.signal, progressToken: extra._meta?.progressToken, notify: extra.sendNotification };
    return answer(tool, params.arguments ?? {}, request, options);
  });
}

async function answer(tool: AnyTool, args: unknown, request: Request, { keepAliveMs = 10_000 }: McpOptions): Promise<McpToolResult> {
  const { signal, progressToken, notify } = request;
  let progress = 0;
  const tell = (message?: string): void => {
    if (progressToken === undefined || signal.aborted) return;
    progress += 1;
    const params = { progressToken, progress, ...(message !== undefined && { message }) };
    // A client that has gone is told nothing; its call ends by its signal.
    (async () => notify({ method: 'notifications/progress', params }))().catch(() => undefined);
  };
  const alive = progressToken === undefined ? undefined : setInterval(tell, Math.min(keepAliveMs, LONGEST_TIMER));
  try {
    // No request is open when background work ends, so nothing could tell the model (N6).
    const onUpdate = ({ text }: ToolProgress): void => tell(text);
    const text = await tool.execute(args, { signal, onUpdate, notifies: false });
    return isMistaken(tool, args) ? failed(text) : { content: [{ type: 'text', text }] };
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'the tool failed');
  } finally {
    clearInterval(alive);
  }
}

/** Whether the tool refuses these arguments: what it answers then is an error of the call in either version. */
function isMistaken({ parameters }: AnyTool, args: unknown): boolean {
  const { '~standard': standard } = parameters as {
    '~standard'?: { validate(args: unknown): { issues?: readonly unknown[] | undefined } };
  };
  return standard?.validate(args).issues !== undefined;
}

function failed(text: string): McpToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

export type { AnyTool, AnyTools } from './any-tool.js';
