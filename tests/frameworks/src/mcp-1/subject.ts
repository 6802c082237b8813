import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import * as schemas from '@modelcontextprotocol/sdk/types.js';
import { SubAgentManager } from 'subagents';
import { registerTools } from 'subagents/mcp';
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
      async 'a call that asks for a task gets one under the id of the sub-agent'() {
        const manager = new SubAgentManager({ spawnSubAgent: async ({ instructions }) => ({ output: `did ${instructions}` }) });
        const server = new Server({ name: 'test', version: '1.0.0' });
        registerTools(server, manager, schemas);
        const client = new Client({ name: 'test', version: '1.0.0' });
        const [near, far] = InMemoryTransport.createLinkedPair();
        await Promise.all([server.connect(far), client.connect(near)]);
        const params = { name: 'spawn_agent', arguments: { instructions: 'x' }, task: { ttl: 60_000 } };
        const { task } = await client.request({ method: 'tools/call', params }, schemas.CreateTaskResultSchema);
        assert.equal(task.taskId, manager.list().items[0]?.taskId);
        const { taskId } = task;
        const result = await client.request({ method: 'tasks/result', params: { taskId } }, schemas.CallToolResultSchema);
        assert.match(JSON.stringify(result.content), /did x/);
        const ended = await client.request({ method: 'tasks/get', params: { taskId } }, schemas.GetTaskResultSchema);
        assert.equal(ended.status, 'completed');
        const waited = await client.callTool({ name: 'wait_agents', arguments: {} });
        assert.match(JSON.stringify(waited.content), /None of your sub-agents is running/);
        await client.close();
        manager.dispose();
      },
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
