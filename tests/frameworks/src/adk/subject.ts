import { BaseLlm, type BaseLlmConnection, InMemoryRunner, type LlmRequest, type LlmResponse } from '@google/adk';
import type { SubAgentManager } from 'subagents';
import { createLead } from './example.js';
import { callId, type Framework, type Think } from './framework.js';

/** A fake model: ADK's own base class of a model. */
class FakeModel extends BaseLlm {
  readonly #think: Think;

  constructor(think: Think) {
    super({ model: 'fake' });
    this.#think = think;
  }

  async *generateContentAsync(request: LlmRequest, _stream?: boolean, signal?: AbortSignal): AsyncGenerator<LlmResponse, void> {
    const tools = Object.keys(request.toolsDict);
    const { text, calls = [], tokens = 0 } = await this.#think({ seen: JSON.stringify(request.contents), tools, signal });
    const parts = [
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ name, args }) => ({ functionCall: { id: callId(), name, args } })),
    ];
    yield { content: { role: 'model', parts }, usageMetadata: { totalTokenCount: tokens } };
  }

  connect(): Promise<BaseLlmConnection> {
    throw new Error('there is no live connection here');
  }
}

export const frameworks: Framework[] = [
  {
    name: 'ADK 2.0',
    sequential: true,
    noProgress: 'a tool has no way to tell',
    async lead({ tools, think, prompt, signal }) {
      const agent = createLead(new FakeModel(think), { createTools: () => tools } as unknown as SubAgentManager);
      const runner = new InMemoryRunner({ agent, appName: 'test' });
      const session = await runner.sessionService.createSession({ appName: 'test', userId: 'user' });
      let text = '';
      const newMessage = { role: 'user', parts: [{ text: prompt }] };
      const given = { userId: 'user', sessionId: session.id, newMessage, ...(signal && { abortSignal: signal }) };
      for await (const event of runner.runAsync(given)) text = (event.content?.parts ?? []).map((part) => part.text ?? '').join('') || text;
      return text;
    },
  },
];
