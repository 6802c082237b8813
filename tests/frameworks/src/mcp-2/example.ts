import { McpServer } from '@modelcontextprotocol/server';
import type { SubAgentManager } from 'subagents';
import { MCP_INSTRUCTIONS, registerTools } from 'subagents/mcp';

/** An MCP server (v2 of the SDK) that offers our tools; connect it to a transport. */
export function createServer(manager: SubAgentManager) {
  const server = new McpServer({ name: 'subagents', version: '1.0.0' }, { instructions: MCP_INSTRUCTIONS });
  registerTools(server, manager);
  return server;
}
