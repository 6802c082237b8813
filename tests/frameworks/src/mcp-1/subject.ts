import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { SubAgentManager } from 'subagents';
import { createServer } from './example.js';
import type { Framework } from './framework.js';
import { checkErrors, runClient } from './mcp-client.js';

export const frameworks: Framework[] = [
  {
    name: 'MCP SDK 1.32',
    // The protocol takes nothing but an object.
    written: ['{}'],
    async lead(options) {
      const server = createServer({ createTools: () => options.tools } as unknown as SubAgentManager);
      const client = new Client({ name: 'test', version: '1.0.0' });
      const [near, far] = InMemoryTransport.createLinkedPair();
      await Promise.all([server.connect(far), client.connect(near)]);
      try {
        const callTool = async (name: string, args: Record<string, unknown>, more: object) =>
          (await client.callTool({ name, arguments: args }, undefined, more)) as never;
        return await runClient({ listTools: () => client.listTools(), callTool }, options);
      } finally {
        await client.close();
      }
    },
    own: {
      'a mistaken call and one that fails are errors, in the words of the tool': () =>
        checkErrors(async (manager) => {
          const client = new Client({ name: 'test', version: '1.0.0' });
          const [near, far] = InMemoryTransport.createLinkedPair();
          await Promise.all([createServer(manager).connect(far), client.connect(near)]);
          const callTool = async (name: string, args: Record<string, unknown>, more: object) =>
            (await client.callTool({ name, arguments: args }, undefined, more)) as never;
          return { listTools: () => client.listTools(), callTool, close: () => client.close() };
        }),
    },
  },
];
