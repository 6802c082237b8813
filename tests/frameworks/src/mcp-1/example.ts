import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { SubAgentManager } from 'subagents';
import { MCP_INSTRUCTIONS, registerTools } from 'subagents/mcp';

/** An MCP server (v1 of the SDK) that offers our tools; connect it to a transport. */
export function createServer(manager: SubAgentManager) {
  const server = new Server({ name: 'subagents', version: '1.0.0' }, { instructions: MCP_INSTRUCTIONS });
  registerTools(server, manager, { ListToolsRequestSchema, CallToolRequestSchema });
  return server;
}
