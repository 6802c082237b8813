import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { SubAgentManager } from 'subagents';
import { optionsFor } from './example.js';
import type { Framework } from './framework.js';
import { runClient } from './mcp-client.js';

// The SDK's `query` starts a program that needs an account; what it speaks to the server is MCP, spoken here.
export const frameworks: Framework[] = [
  {
    name: 'Claude Agent SDK 0.3',
    // The protocol takes nothing but an object.
    written: ['{}'],
    async lead(options) {
      const { mcpServers, allowedTools } = optionsFor({ createTools: () => options.tools } as unknown as SubAgentManager);
      if (!allowedTools.includes('mcp__subagents__spawn_agent')) throw new Error(`the names are ${allowedTools}`);
      const client = new Client({ name: 'test', version: '1.0.0' });
      const [near, far] = InMemoryTransport.createLinkedPair();
      await Promise.all([mcpServers.subagents.instance.connect(far), client.connect(near)]);
      try {
        const callTool = async (name: string, args: Record<string, unknown>, more: object) =>
          (await client.callTool({ name, arguments: args }, undefined, more)) as never;
        return await runClient({ listTools: () => client.listTools(), callTool }, options);
      } finally {
        await client.close();
      }
    },
  },
];
