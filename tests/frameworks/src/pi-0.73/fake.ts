// pi's own fake provider.

import type { StreamFn } from '@mariozechner/pi-agent-core';
import { fauxAssistantMessage, fauxText, fauxToolCall, type Model, registerFauxProvider, streamSimple } from '@mariozechner/pi-ai';
import { callId, type Think } from './framework.js';

let providers = 0;

export function fakeModel(think: Think): { model: Model<string>; streamFn: StreamFn } {
  providers += 1;
  const faux = registerFauxProvider({ api: `faux-${providers}`, provider: `faux-${providers}` });
  let used = 0;
  const step = async (context: { messages: unknown; tools?: { name: string }[] }, options: { signal?: AbortSignal } | undefined) => {
    faux.appendResponses([step as never]);
    used = 0;
    const {
      text,
      calls = [],
      tokens = 0,
      finish = calls.length > 0 ? 'toolUse' : 'stop',
      beside,
    } = await think({
      seen: JSON.stringify(context.messages),
      tools: (context.tools ?? []).map(({ name }) => name),
      signal: options?.signal,
    });
    const blocks = [
      ...(text === undefined ? [] : [fauxText(text)]),
      ...calls.map(({ name, args }) => fauxToolCall(name, args as never, { id: callId() })),
    ];
    used = tokens;
    return Object.assign(fauxAssistantMessage(blocks, { stopReason: finish as 'stop' }), beside);
  };
  faux.setResponses([step as never]);
  return { model: faux.getModel(), streamFn: reporting(streamSimple as never, () => used) as never };
}

interface Message {
  usage: object;
}
interface Stream extends AsyncIterable<{ message?: Message }> {
  result(): Promise<Message>;
}

/** The fake provider makes up its usage; here it is what the test says. */
function reporting(stream: (...args: unknown[]) => Stream, used: () => number): (...args: unknown[]) => Stream {
  const reported = (message: Message): Message =>
    Object.assign(message, { usage: { ...message.usage, input: used(), output: 0, totalTokens: used() } });
  return (...args) => {
    const inner = stream(...args);
    return {
      async *[Symbol.asyncIterator]() {
        for await (const event of inner) {
          if (event.message !== undefined) reported(event.message);
          yield event;
        }
      },
      result: async () => reported(await inner.result()),
    };
  };
}
