// As much of the SDKs of MCP, v1 and v2, as is needed, and what a request comes with in either. Owns types, and the reading of
// a request.

/** The schemas by which v1 knows its requests, from `@modelcontextprotocol/sdk/types.js`. */
export interface McpV1Schemas {
  /** The schema of requests that list tools. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of Zod are those of the SDK
  ListToolsRequestSchema: any;
  /** The schema of requests that call a tool. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of Zod are those of the SDK
  CallToolRequestSchema: any;
}

/** A tool's answer for MCP. */
export interface McpToolResult {
  /** What the model reads. */
  content: { type: 'text'; text: string }[];
  /** Whether the call failed, or there is something that the model should correct or know. */
  isError?: boolean;
  [key: string]: unknown;
}

/** As much of a v1 server as is needed: the low-level `Server`, or `McpServer.server`. */
export interface McpV1Server {
  /** Has requests of one kind answered by a function. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of requests are those of the SDK
  setRequestHandler(schema: any, handler: (request: any, extra: any) => any): void;
  /** Declares what the server offers to clients. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of capabilities are those of the SDK
  registerCapabilities(capabilities: any): void;
}

/** As much of a v2 `McpServer` as is needed. */
export interface McpV2Server {
  /** The low-level server. */
  readonly server: {
    /** Has requests of one method answered by a function. */
    // biome-ignore lint/suspicious/noExplicitAny: the types of requests are those of the SDK
    setRequestHandler(method: any, ...handler: any[]): void;
    /** Declares what the server offers to clients. */
    // biome-ignore lint/suspicious/noExplicitAny: the types of capabilities are those of the SDK
    registerCapabilities(capabilities: any): void;
  };
  /** Offers one tool; by it v2 is known from v1. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of tools are those of the SDK
  registerTool(name: string, config: any, handler: any): unknown;
}

/** The low-level server of either version, with what only some have. */
export interface LowServer extends McpV1Server {
  getClientVersion?(): { name?: string } | undefined;
  getClientCapabilities?(): { elicitation?: object | undefined } | undefined;
  elicitInput?(params: object, options: object): Promise<Elicited>;
  onclose?: (() => void) | undefined;
}

/** What a person answered. */
export interface Elicited {
  action: string;
  content?: Record<string, unknown> | undefined;
}

/** What notifies a client that its call goes on. */
export interface ProgressNotification {
  method: 'notifications/progress';
  params: { progressToken: string | number; progress: number; message?: string };
}

/** What a call comes with, in either version. */
export interface McpRequest {
  readonly name: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
  /** The client wants a task, by which generation of the protocol. */
  readonly task: 'older' | 'newer' | undefined;
  readonly progressToken: string | number | undefined;
  readonly notify: (notification: ProgressNotification) => Promise<void>;
  /** Asks the person at the client; undefined where the client can't. */
  readonly elicit: ((params: object, options: object) => Promise<Elicited>) | undefined;
}

/** What either version hands over beside a request. */
interface Context {
  // v1
  signal?: AbortSignal;
  sessionId?: string | undefined;
  authInfo?: { clientId?: unknown } | undefined;
  requestId?: string | number;
  _meta?: { progressToken?: string | number };
  sendNotification?: (notification: ProgressNotification) => Promise<void>;
  // v2
  http?: { authInfo?: { clientId?: unknown } | undefined; req?: { signal: AbortSignal } | undefined } | undefined;
  mcpReq?: {
    signal: AbortSignal;
    _meta?: { progressToken?: string | number };
    notify: (notification: ProgressNotification) => Promise<void>;
    elicitInput?: (params: object, options: object) => Promise<Elicited>;
    envelope?: Record<string, unknown>;
  };
}

/** The protocol's own names in the envelope of a request, since 2026-07-28. */
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Fires if the request is given up. */
export function signalIn(given: unknown): AbortSignal {
  const { mcpReq, signal } = given as Context;
  return (mcpReq?.signal ?? signal) as AbortSignal;
}

/** Whose token a request over HTTP carries, where each request may have a server of its own: no session holds them together. */
export function principalOf(given: unknown): string | undefined {
  const { http, authInfo, sessionId } = given as Context;
  const id = (http?.authInfo ?? authInfo)?.clientId;
  return sessionId === undefined && typeof id === 'string' ? id : undefined;
}

/** Calls this if the client of a request over HTTP is gone before it has the answer. */
export function whenLost(given: unknown, lost: () => void): void {
  (given as Context).http?.req?.signal.addEventListener('abort', lost, { once: true });
}

/** Whether a request is of 2026-07-28 or later. */
export function isNewer(given: unknown): boolean {
  return (given as Context | undefined)?.mcpReq?.envelope !== undefined;
}

/** Whether the client of a request takes a task in place of a result. */
function takesTasks(envelope: Record<string, unknown> | undefined): boolean {
  const capabilities = (envelope?.[CLIENT_CAPABILITIES] ?? envelope?.clientCapabilities) as { extensions?: object } | undefined;
  return 'io.modelcontextprotocol/tasks' in Object(capabilities?.extensions);
}

/** What the client calls itself. */
export function clientNameOf(server: LowServer, given: unknown): string | undefined {
  const { envelope } = (given as Context | undefined)?.mcpReq ?? {};
  const info = (envelope?.[CLIENT_INFO] ?? envelope?.clientInfo) as { name?: unknown } | undefined;
  const name = info?.name ?? server.getClientVersion?.()?.name;
  return typeof name === 'string' ? name : undefined;
}

/** Reads a call. */
export function requestOf(
  server: LowServer,
  { params }: { params: { name: string; arguments?: unknown; task?: unknown } },
  given: unknown,
): McpRequest {
  const context = given as Context;
  const { mcpReq } = context;
  const isLegacy = mcpReq?.envelope === undefined;
  const canElicit = isLegacy && server.getClientCapabilities?.()?.elicitation !== undefined;
  const own = mcpReq?.elicitInput?.bind(mcpReq);
  const old = server.elicitInput?.bind(server);
  const related = { relatedRequestId: context.requestId };
  const elicit = own ?? (old && ((asked: object, options: object) => old(asked, { ...options, ...related })));
  return {
    name: params.name,
    args: params.arguments ?? {},
    signal: signalIn(given),
    task: params.task !== undefined ? 'older' : takesTasks(mcpReq?.envelope) ? 'newer' : undefined,
    progressToken: (mcpReq ?? context)._meta?.progressToken,
    notify: (mcpReq?.notify ?? context.sendNotification) as McpRequest['notify'],
    elicit: canElicit ? elicit : undefined,
  };
}
