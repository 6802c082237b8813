// A main agent whose tools come from an MCP server: a loop over the SDK's own client.

import assert from 'node:assert/strict';
import { SubAgentManager } from 'subagents';
import type { LeadOptions } from './framework.js';

export interface ClientLike {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(name: string, args: Record<string, unknown>, options: CallOptions): Promise<{ content: { text?: string }[]; isError?: boolean }>;
}

export interface CallOptions {
  onprogress: (progress: { message?: string | undefined }) => void;
  resetTimeoutOnProgress: true;
  signal?: AbortSignal;
}

export async function runClient(client: ClientLike, { think, prompt, signal, onProgress }: LeadOptions): Promise<string> {
  const { tools } = await client.listTools();
  const seen: unknown[] = [prompt];
  for (;;) {
    const { text = '', calls = [] } = await think({ seen: JSON.stringify(seen), tools: tools.map(({ name }) => name), signal });
    if (calls.length === 0) return text;
    const options: CallOptions = {
      onprogress: (progress) => onProgress(JSON.stringify(progress)),
      resetTimeoutOnProgress: true,
      ...(signal && { signal }),
    };
    const results = await Promise.all(calls.map(({ name, args }) => client.callTool(name, args, options)));
    seen.push(
      calls,
      results.map(({ content }) => content.map((part) => part.text ?? '').join('')),
    );
  }
}

/** What a client of either version reads of a call: the same text, and the same \`isError\`. */
export async function checkErrors(connect: (manager: SubAgentManager) => Promise<ClientLike & { close(): Promise<void> }>): Promise<void> {
  const manager = new SubAgentManager({ maxConcurrent: 1, onLimit: 'reject', spawnSubAgent: async () => ({ output: 'DONE' }) });
  const client = await connect(manager);
  const call = async (args: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool('spawn_agent', args, {
      onprogress: () => undefined,
      resetTimeoutOnProgress: true,
    });
    return { isError, text: content.map(({ text }) => text).join('') };
  };
  const good = await call({ instructions: 'x' });
  assert.equal(good.isError, false);
  assert.match(good.text, /DONE/);
  for (const args of [{}, { instruction: 'x' }, { instructions: 7 }, { instructions: 'x', max_turns: -1 }]) {
    const wrong = await call(args);
    assert.equal(wrong.isError, true, JSON.stringify(args));
    // The tool's own words, as they are without MCP.
    const own = await manager.createTools().spawn_agent?.execute(args as never);
    assert.equal(wrong.text, own);
  }
  const { tools } = (await client.listTools()) as { tools: { name: string; inputSchema?: { properties?: object; required?: string[] } }[] };
  const schema = tools.find(({ name }) => name === 'spawn_agent')?.inputSchema;
  assert.deepEqual(schema?.required, ['instructions']);
  assert.ok(schema?.properties !== undefined && 'max_turns' in schema.properties);
  manager.dispose();
  assert.equal((await call({ instructions: 'x' })).isError, true, 'a call that fails');
  await client.close();
}
