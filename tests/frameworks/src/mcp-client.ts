// A main agent whose tools come from an MCP server: a loop over the SDK's own client.

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
