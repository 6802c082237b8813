import { createSdkMcpServer, type Options } from '@anthropic-ai/claude-agent-sdk';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Run, Session, SubAgentManager } from 'subagents';
import { claudeServer, claudeToolNames } from 'subagents/claude';

/** Options for `query({ prompt, options })`: Claude delegates to sub-agents of this manager, session or run. */
export function optionsFor(agent: SubAgentManager | Session | Run) {
  const tools = agent.createTools();
  const server = claudeServer(createSdkMcpServer({ name: 'subagents' }), tools, { ListToolsRequestSchema, CallToolRequestSchema });
  return { mcpServers: { subagents: server }, allowedTools: claudeToolNames('subagents', tools) } satisfies Options;
}
