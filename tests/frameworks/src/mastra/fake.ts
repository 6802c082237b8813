// The AI SDK's own fake model, which Mastra takes.

import { convertArrayToReadableStream, MockLanguageModelV4, mockId } from 'ai/test';
import { callId, type Said, type Think } from './framework.js';

export const NAME = 'Mastra 1.71';

type Options = Parameters<MockLanguageModelV4['doGenerate']>[0];
type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

async function say(think: Think, { prompt, tools, abortSignal }: Options): Promise<Said> {
  return think({ seen: JSON.stringify(prompt), tools: (tools ?? []).map(({ name }) => name), signal: abortSignal });
}

function contentOf({ text, calls = [] }: Said): Generated['content'] {
  return [
    ...(text === undefined ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ name, args }) => ({ type: 'tool-call' as const, toolCallId: callId(), toolName: name, input: JSON.stringify(args) })),
  ];
}

function endOf({ calls, tokens = 0 }: Said): Pick<Generated, 'finishReason' | 'usage'> {
  return {
    finishReason: { unified: calls === undefined ? 'stop' : 'tool-calls', raw: undefined },
    usage: {
      inputTokens: { total: tokens, noCache: tokens, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 0, text: 0, reasoning: undefined },
    },
  };
}

export function fakeModel(think: Think): MockLanguageModelV4 {
  return new MockLanguageModelV4({
    doGenerate: async (options) => {
      const said = await say(think, options);
      return { content: contentOf(said), ...endOf(said), warnings: [] };
    },
    doStream: async (options) => {
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
  });
}
