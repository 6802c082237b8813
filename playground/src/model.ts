// The models of the playground, each a function from messages and tools to an answer: the built-in one, which is the
// example's; any endpoint that speaks OpenAI's protocol; a GGUF file of the person's. Owns how messages are handed to each.

import type { LanguageModelV3CallOptions, LanguageModelV3FunctionTool, LanguageModelV3Prompt } from '@ai-sdk/provider';
import { decide } from '../../examples/ask/src/model/decide.js';
import type { Message, Model, ToolSpec } from '../../examples/coding/src/model.js';
import { scripted } from './script.js';

export { endpoint } from '../../examples/coding/src/endpoint.js';
export type { Model } from '../../examples/coding/src/model.js';

/** Tokens as the manager counts them where nothing else does. */
export const tokensIn = (...values: readonly unknown[]): number => Math.ceil(new TextEncoder().encode(JSON.stringify(values)).length / 4);

/**
 * The built-in model: extracts and ranks sentences, the same for the same messages; no language model, and no network.
 * What the scenarios act out, such as a team's lead, is written down in `script.ts`.
 */
export function builtIn(paceMs: () => number): Model {
  return async (messages, tools, signal) => {
    await pause(paceMs(), signal);
    const options = asCall(messages, tools);
    const step = scripted(messages, tools) ?? decide(options);
    const turn = messages.filter(({ role }) => role === 'assistant').length + 1;
    const calls = step.calls.map((call, at) => ({
      id: `call_${turn}_${at + 1}`,
      name: call.name,
      args: call.args,
    }));
    return { text: step.text, calls, tokens: tokensIn(messages, tools, step) };
  };
}

/** A GGUF file, in this page: llama.cpp as WebAssembly, which is loaded when the first file is chosen. */
export async function ggufModel(file: File, onProgress: (text: string) => void): Promise<Model> {
  if ((await file.slice(0, 4).text()) !== 'GGUF') throw new Error('it is no GGUF file');
  onProgress('Loading llama.cpp …');
  const { Wllama } = await import('@wllama/wllama');
  const wllama = new Wllama({ default: new URL('wllama.wasm', document.baseURI).href });
  onProgress(`Loading ${file.name} …`);
  await wllama.loadModel([file], { n_ctx: 4_096 });
  // One answer at a time: the model has one context.
  let last: Promise<unknown> = Promise.resolve();
  return (messages, tools, signal) => {
    const answer = last.then(async () => {
      signal.throwIfAborted();
      const known = messages.map(({ role, content }) => ({ role: role === 'tool' ? ('user' as const) : role, content }));
      const made = await wllama.createChatCompletion({ messages: known, max_tokens: 200, abortSignal: signal });
      const text = made.choices[0]?.message.content ?? '';
      return { text, calls: [], tokens: made.usage?.total_tokens ?? tokensIn(messages, tools, text) };
    });
    last = answer.catch(() => undefined);
    return answer;
  };
}

export function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms);
    function done(): void {
      signal.removeEventListener('abort', stop);
      resolve();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal.reason);
    }
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** The messages as the example's model reads them: those of the AI SDK. */
function asCall(messages: readonly Message[], tools: readonly ToolSpec[]): LanguageModelV3CallOptions {
  const names = new Map<string, string>();
  const prompt = messages.map((message) => asSent(message, names));
  const offered = tools.map(
    ({ name, description, parameters }): LanguageModelV3FunctionTool => ({ type: 'function', name, description, inputSchema: parameters }),
  );
  return { prompt, tools: offered };
}

/** `names`: of tools, by the ids of their calls. */
function asSent(message: Message, names: Map<string, string>): LanguageModelV3Prompt[number] {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.content };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.content }] };
    case 'assistant':
      for (const { id, name } of message.calls) names.set(id, name);
      return {
        role: 'assistant',
        content: [
          { type: 'text', text: message.content },
          ...message.calls.map(({ id, name, args }) => ({ type: 'tool-call' as const, toolCallId: id, toolName: name, input: args })),
        ],
      };
    case 'tool':
      return {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: message.id,
            toolName: names.get(message.id) ?? '',
            output: { type: 'text', value: message.content },
          },
        ],
      };
  }
}
