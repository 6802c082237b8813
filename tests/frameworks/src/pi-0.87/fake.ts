// pi's own fake provider.

import { createFauxCore, fauxAssistantMessage, fauxText, fauxToolCall } from '@earendil-works/pi-ai/providers/faux';
import type { Caller } from './example.js';
import { callId, type Think } from './framework.js';

export function fakeModel(think: Think): Caller {
  const faux = createFauxCore({});
  let used = 0;
  const step = async (context: { messages: unknown }, options: { signal?: AbortSignal } | undefined) => {
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
      tools: toolsIn(context.messages as Entry[]),
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
  return { model: faux.getModel(), streamFn: reporting(faux.streamSimple as never, () => used) as never };
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

interface Entry {
  toolsAdded?: { name: string }[];
  toolsRemoved?: { name: string }[];
}

/** The transcript says which tools there are. */
function toolsIn(messages: Entry[]): string[] {
  const names = new Set<string>();
  for (const { toolsAdded = [], toolsRemoved = [] } of messages) {
    for (const { name } of toolsAdded) names.add(name);
    for (const { name } of toolsRemoved) names.delete(name);
  }
  return [...names];
}
