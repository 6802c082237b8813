// The Claude Agent SDK: our tools as one of its MCP servers. Owns which parts of its server are used, and how the model calls
// the tools; `mcp.ts` registers them. Imports nothing from it at run time.

import { type AnyTools, toolsOf } from './any-tool.js';
import { type McpOptions, type McpV1Schemas, type McpV1Server, registerTools } from './mcp.js';
import { expectPart } from './mistake.js';

/** The part of `createSdkMcpServer`'s result that is used here. */
interface SdkServer {
  instance: { server: McpV1Server };
}

/**
 * Offers our tools on a server of `createSdkMcpServer({ name })` without tools of its own, and returns it:
 * `query({ options: { mcpServers: { subagents: claudeServer(createSdkMcpServer({ name: 'subagents' }), tools, schemas) } } })`.
 * The arguments reach our check unchanged, which Zod would prevent.
 *
 * @param server the result of `createSdkMcpServer`
 * @param tools the result of `createTools`, or any list of such tools
 * @param schemas from `@modelcontextprotocol/sdk/types.js`
 * @param options how often clients get the progress of a long call
 */
export function claudeServer<S extends SdkServer>(server: S, tools: AnyTools, schemas: McpV1Schemas, options?: McpOptions): S {
  expectPart('claudeServer', 'server', 'what `createSdkMcpServer` returns', server?.instance?.server, 'setRequestHandler');
  registerTools(server.instance.server, tools, schemas, options);
  return server;
}

/** The names under which the model sees the tools of a server, for `allowedTools`. */
export function claudeToolNames(server: string, tools: AnyTools): string[] {
  return toolsOf('claudeToolNames', tools).map(({ name }) => `mcp__${server}__${name}`);
}

export type { AnyTool, AnyTools } from './any-tool.js';
export { type TurnResult, turnResult } from './finish.js';
export type { McpOptions, McpV1Schemas } from './mcp.js';
