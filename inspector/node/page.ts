// The page that the inspector's server serves: the element, bound to the server that it came from.

import type { CommandAnswer, InspectorBatch, InspectorSource, SourceInfo } from 'subagents/view';

/** A manager behind a server that `serveInspector` started. */
function serverSource(address: string, token: string): InspectorSource {
  const headers = { Authorization: `Bearer ${token}` };
  const ask = async <T>(path: string, init: RequestInit = {}): Promise<T> => {
    const response = await fetch(new URL(path, address), { ...init, headers: { ...headers, ...init.headers } });
    if (!response.ok)
      throw new Error(
        ((await response.json().catch(() => ({}))) as { message?: string }).message ?? `the server answered ${response.status}`,
      );
    return (await response.json()) as T;
  };
  return {
    info: () => ask<SourceInfo>('api/info'),
    async *events(from, signal): AsyncGenerator<InspectorBatch> {
      const response = await fetch(new URL(`api/events?from=${from}`, address), { headers, signal: signal ?? null });
      if (!response.ok || response.body === null) throw new Error(`the server answered ${response.status}`);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        text += value;
        const messages = text.split('\n\n');
        text = messages.pop() ?? '';
        for (const message of messages) {
          const data = message.slice(message.indexOf('\ndata: ') + 7);
          if (message.startsWith('event: batch\n')) yield JSON.parse(data) as InspectorBatch;
          else if (message.startsWith('event: end\n')) return;
          else if (message.startsWith('event: dropped\n')) throw new Error((JSON.parse(data) as { message: string }).message);
        }
      }
    },
    command: (command) =>
      ask<CommandAnswer>('api/command', {
        method: 'POST',
        body: JSON.stringify(command),
        headers: { 'Content-Type': 'application/json' },
      }).catch(
        (error: unknown) => ({ ok: false, code: 'unreachable', message: error instanceof Error ? error.message : String(error) }) as const,
      ),
  };
}

const address = new URL('./', location.href).href;
const token = new URLSearchParams(location.search).get('token') ?? '';
const inspector = document.querySelector('subagents-inspector') as HTMLElement & { source: InspectorSource };
inspector.source = serverSource(address, token);
