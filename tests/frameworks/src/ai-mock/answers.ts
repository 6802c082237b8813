// What the AI SDK's own mock models answer: those of versions 6 and 7, and of Mastra, which takes them too.

import { convertArrayToReadableStream, mockId } from 'ai/test';
import { callId, type Said, type Think } from './framework.js';

/** What a mock model is called with, in the parts that matter here. */
interface Options {
  prompt: unknown;
  tools?: readonly { name: string }[] | undefined;
  responseFormat?: unknown;
  abortSignal?: AbortSignal | undefined;
}

async function say(think: Think, { prompt, tools, responseFormat, abortSignal }: Options): Promise<Said> {
  const names = (tools ?? []).map(({ name }) => name);
  return think({ seen: JSON.stringify(prompt), tools: names, format: responseFormat, signal: abortSignal });
}

function contentOf({ text, calls = [] }: Said) {
  return [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ name, args, written = JSON.stringify(args) }) => ({
      type: 'tool-call' as const,
      toolCallId: callId(),
      toolName: name,
      input: written,
    })),
  ];
}

function endOf({ calls, finish, raw, tokens = 0 }: Said) {
  return {
    finishReason: { unified: (finish ?? (calls === undefined ? 'stop' : 'tool-calls')) as 'stop', raw },
    usage: {
      inputTokens: { total: tokens, noCache: tokens, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 0, text: 0, reasoning: undefined },
    },
  };
}

/** The functions of a mock model of either version. */
export function answers(think: Think) {
  return {
    doGenerate: async (options: Options) => {
      const said = await say(think, options);
      return { content: contentOf(said), ...endOf(said), warnings: [] };
    },
    doStream: async (options: Options) => {
      const said = await say(think, options);
      const id = mockId()();
      const text =
        said.text === undefined
          ? []
          : [
              { type: 'text-start', id },
              { type: 'text-delta', id, delta: said.text },
              { type: 'text-end', id },
            ];
      const calls = contentOf({ ...said, text: undefined } as never);
      return {
        stream: convertArrayToReadableStream([
          { type: 'stream-start', warnings: [] },
          ...text,
          ...calls,
          { type: 'finish', ...endOf(said) },
        ] as never[]),
      };
    },
  };
}
