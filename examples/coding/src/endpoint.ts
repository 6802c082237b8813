// Any OpenAI-compatible endpoint as a model: one request a turn, no framework.
import type { Message, Model, ToolSpec } from './model.js';

const MAX_ERROR_LENGTH = 300;

interface Completion {
  choices?: { message: { content?: string | null; tool_calls?: { id: string; function: { name: string; arguments: string } }[] } }[];
  usage?: { total_tokens?: number };
}

export function endpoint(baseUrl: string, model: string, apiKey: string | undefined): Model {
  const url = `${baseUrl.replace(/\/+$/u, '')}/chat/completions`;
  return async (messages, tools, signal) => {
    const body = { model, messages: messages.map(asSent), ...(tools.length > 0 && { tools: tools.map(toolAsSent) }) };
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify(body),
      signal,
    }).catch((error: Error) => {
      signal.throwIfAborted();
      throw new Error(`${new URL(url).host}: ${(error.cause as Error | undefined)?.message ?? error.message}`);
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${new URL(url).host} (HTTP ${response.status}): ${hidden(text, apiKey)}`);
    const { choices, usage } = JSON.parse(text) as Completion;
    const said = choices?.[0]?.message;
    return {
      text: said?.content ?? '',
      calls: (said?.tool_calls ?? []).map((call) => ({ id: call.id, name: call.function.name, args: read(call.function.arguments) })),
      tokens: usage?.total_tokens ?? Math.ceil((JSON.stringify(body).length + text.length) / 4),
    };
  };
}

function asSent(message: Message): object {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.id, content: message.content };
  if (message.role !== 'assistant' || message.calls.length === 0) return { role: message.role, content: message.content };
  const calls = message.calls.map(({ id, name, args }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } }));
  return { role: 'assistant', content: message.content, tool_calls: calls };
}

function toolAsSent({ name, description, parameters }: ToolSpec): object {
  return { type: 'function', function: { name, description, parameters } };
}

/** A model may write anything; the tool then says what it misses. */
function read(text: string): Record<string, unknown> {
  try {
    const args: unknown = JSON.parse(text);
    return typeof args === 'object' && args !== null ? { ...args } : {};
  } catch {
    return {};
  }
}

/** What an endpoint says of itself, on one line and without the key. */
function hidden(text: string, apiKey: string | undefined): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ');
  return (apiKey === undefined ? line : line.replaceAll(apiKey, '(key)')).slice(0, MAX_ERROR_LENGTH);
}
