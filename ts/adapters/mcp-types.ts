// The types of the MCP SDKs, v1 and v2, that are used, and the reading of a request of either.

/** The schemas of v1's requests, from `@modelcontextprotocol/sdk/types.js`. */
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
  /** The text for the model. */
  content: { type: 'text'; text: string }[];
  /** Whether the call failed, or the model should correct or know something. */
  isError?: boolean;
  [key: string]: unknown;
}

/** The part of a v1 server that is used: the low-level `Server`, or `McpServer.server`. */
export interface McpV1Server {
  /** Answers requests of one kind with a function. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of requests are those of the SDK
  setRequestHandler(schema: any, handler: (request: any, extra: any) => any): void;
  /** Declares what the server offers to clients. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of capabilities are those of the SDK
  registerCapabilities(capabilities: any): void;
}

/** The part of a v2 `McpServer` that is used. */
export interface McpV2Server {
  /** The low-level server. */
  readonly server: {
    /** Answers requests of one method with a function. */
    // biome-ignore lint/suspicious/noExplicitAny: the types of requests are those of the SDK
    setRequestHandler(method: any, ...handler: any[]): void;
    /** Declares what the server offers to clients. */
    // biome-ignore lint/suspicious/noExplicitAny: the types of capabilities are those of the SDK
    registerCapabilities(capabilities: any): void;
  };
  /** Offers one tool; it distinguishes v2 from v1. */
  // biome-ignore lint/suspicious/noExplicitAny: the types of tools are those of the SDK
  registerTool(name: string, config: any, handler: any): unknown;
}

/** The low-level server of either version, with members that only some have. */
export interface LowServer extends McpV1Server {
  getClientVersion?(): { name?: string } | undefined;
  getClientCapabilities?(): Capabilities | undefined;
  elicitInput?(params: object, options: object): Promise<Elicited>;
  onclose?: (() => void) | undefined;
}

/** The capabilities of a client that matter here. */
interface Capabilities {
  readonly elicitation?: { readonly form?: unknown } | undefined;
  readonly extensions?: object | undefined;
}

/** A person's answer. */
export interface Elicited {
  action: string;
  content?: Record<string, unknown> | undefined;
}

/** The progress notification for a client whose call continues. */
export interface ProgressNotification {
  method: 'notifications/progress';
  params: { progressToken: string | number; progress: number; message?: string };
}

/** The data of a call, in either version. */
export interface McpRequest {
  readonly name: string;
  readonly args: unknown;
  readonly signal: AbortSignal;
  /** The protocol's generation by which the client wants a task, if it does. */
  readonly task: 'older' | 'newer' | undefined;
  readonly progressToken: string | number | undefined;
  readonly notify: (notification: ProgressNotification) => Promise<void>;
  /** Asks the person at the client; undefined if the client can't. */
  readonly elicit: Elicit | undefined;
  /** Since 2026-07-28: the client asks its person between two requests, and calls again with the answers. */
  readonly asksBetween: boolean;
  /** The answers, by the request. */
  readonly responses: Record<string, unknown> | undefined;
}

/** Asks the person at a client. */
export type Elicit = (params: object, options: object) => Promise<Elicited>;

/** The context of a request, in either version. */
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
    id?: string | number;
    signal: AbortSignal;
    _meta?: { progressToken?: string | number };
    notify: (notification: ProgressNotification) => Promise<void>;
    elicitInput?: (params: object, options: object) => Promise<Elicited>;
    envelope?: Record<string, unknown>;
    inputResponses?: Record<string, unknown>;
  };
}

/** The protocol's own names in the envelope of a request, since 2026-07-28. */
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
/** The extension of 2026-07-28. */
export const TASKS = 'io.modelcontextprotocol/tasks';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

/** Fires if the request is given up, or its client over HTTP is gone before it has the answer. */
export function signalIn(given: unknown): AbortSignal {
  const { mcpReq, signal, http } = given as Context;
  const own = (mcpReq?.signal ?? signal) as AbortSignal;
  const connection = http?.req?.signal;
  return connection === undefined ? own : AbortSignal.any([own, connection]);
}

/** The owner of the token in a request over HTTP. Each request may have its own server, since there is no session. */
export function principalOf(given: unknown): string | undefined {
  const { http, authInfo, sessionId } = given as Context;
  const id = (http?.authInfo ?? authInfo)?.clientId;
  return sessionId === undefined && typeof id === 'string' ? id : undefined;
}

/** Calls `lost` if the client of a request over HTTP is gone before it has the answer. */
export function whenLost(given: unknown, lost: () => void): void {
  (given as Context).http?.req?.signal.addEventListener('abort', lost, { once: true });
}

/** Whether a request is of 2026-07-28 or later. */
export function isNewer(given: unknown): boolean {
  return (given as Context | undefined)?.mcpReq?.envelope !== undefined;
}

/** The capabilities of a request's client: since 2026-07-28 each request has them. */
function capabilitiesOf(server: LowServer, given: unknown): Capabilities {
  const { envelope } = (given as Context | undefined)?.mcpReq ?? {};
  const known = envelope === undefined ? server.getClientCapabilities?.() : (envelope[CLIENT_CAPABILITIES] ?? envelope.clientCapabilities);
  return (known ?? {}) as Capabilities;
}

/** Whether the client can put a form to its person; a client that names no kinds can. */
function takesForms({ elicitation }: Capabilities): boolean {
  return elicitation !== undefined && (elicitation.form !== undefined || Object.keys(elicitation).length === 0);
}

/** The client's name for itself. */
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
  const capabilities = capabilitiesOf(server, given);
  const takesTasks = isNewer(given) && TASKS in Object(capabilities.extensions);
  return {
    name: params.name,
    args: params.arguments ?? {},
    signal: signalIn(given),
    task: params.task !== undefined ? 'older' : takesTasks ? 'newer' : undefined,
    progressToken: (mcpReq ?? context)._meta?.progressToken,
    notify: (mcpReq?.notify ?? context.sendNotification) as McpRequest['notify'],
    elicit: elicitIn(server, given),
    asksBetween: asksBetween(server, given),
    responses: mcpReq?.inputResponses,
  };
}

/** Whether the client of a request since 2026-07-28 can put a question, returned as an answer, to its person. */
export function asksBetween(server: LowServer, given: unknown): boolean {
  return isNewer(given) && takesForms(capabilitiesOf(server, given));
}

/** The function that asks the client's person within a request; undefined if the client can't, and since 2026-07-28. */
export function elicitIn(server: LowServer, given: unknown): Elicit | undefined {
  const { mcpReq, requestId } = given as Context;
  if (isNewer(given) || !takesForms(capabilitiesOf(server, given))) return undefined;
  const ask = mcpReq?.elicitInput?.bind(mcpReq) ?? server.elicitInput?.bind(server);
  // On the stream of this request: over HTTP a client need not listen to another.
  return ask && ((asked, options) => ask(asked, { ...options, relatedRequestId: mcpReq?.id ?? requestId }));
}
