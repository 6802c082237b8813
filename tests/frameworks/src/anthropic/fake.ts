// A fake model: the SDK's own client, with an API of ours behind it.

import Anthropic from '@anthropic-ai/sdk';
import { callId, type Think } from './framework.js';

/** The SDK against an API of our own. */
export function fakeClient(think: Think): Anthropic {
  // Since 1.12 the runner sends what is new; the API keeps the thread.
  const thread: unknown[] = [];
  let names: string[] = [];
  const fetch = async (_: unknown, init?: RequestInit): Promise<Response> => {
    const { messages, tools } = JSON.parse(String(init?.body)) as { messages: unknown[]; tools?: { name: string }[] };
    thread.push(...messages);
    names = tools?.map(({ name }) => name) ?? names;
    const said = await think({ seen: JSON.stringify(thread), tools: names, signal: init?.signal ?? undefined });
    // What the API answers in place of a message.
    if (said instanceof Response) return said;
    const { text, calls = [], tokens = 0, cached = 0, finish } = said;
    const content = [
      ...(text === undefined ? [] : [{ type: 'text', text }]),
      ...calls.map(({ name, args }) => ({ type: 'tool_use', id: callId(), name, input: args })),
    ];
    thread.push({ role: 'assistant', content });
    const stop = finish ?? (calls.length > 0 ? 'tool_use' : 'end_turn');
    const usage = { input_tokens: tokens, output_tokens: 0, cache_read_input_tokens: cached };
    const message = {
      id: 'msg',
      type: 'message',
      role: 'assistant',
      model: 'fake',
      content,
      stop_reason: stop,
      stop_sequence: null,
      usage,
    };
    return new Response(JSON.stringify(message), { headers: { 'content-type': 'application/json' } });
  };
  return new Anthropic({ apiKey: 'none', fetch: fetch as never, maxRetries: 0 });
}
