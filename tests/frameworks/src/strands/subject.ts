import { type Message, Model, type ModelStreamEvent, type StreamOptions } from '@strands-agents/sdk';
import type { SubAgentManager } from 'subagents';
import { createLead } from './example.js';
import { callId, type Framework, type Think } from './framework.js';

/** A fake model: Strands' own base class of a model. */
class FakeModel extends Model {
  readonly #think: Think;

  constructor(think: Think) {
    super();
    this.#think = think;
  }

  updateConfig(): void {}

  getConfig() {
    return { modelId: 'fake' };
  }

  async *stream(messages: Message[], options?: StreamOptions): AsyncIterable<ModelStreamEvent> {
    const tools = (options?.toolSpecs ?? []).map(({ name }) => name);
    const { text, calls = [], tokens = 0 } = await this.#think({ seen: JSON.stringify(messages), tools, signal: undefined });
    yield { type: 'modelMessageStartEvent', role: 'assistant' } as ModelStreamEvent;
    if (text !== undefined) {
      yield { type: 'modelContentBlockStartEvent' } as ModelStreamEvent;
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } } as ModelStreamEvent;
      yield { type: 'modelContentBlockStopEvent' } as ModelStreamEvent;
    }
    for (const { name, args } of calls) {
      yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: callId() } } as ModelStreamEvent;
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: JSON.stringify(args) } } as ModelStreamEvent;
      yield { type: 'modelContentBlockStopEvent' } as ModelStreamEvent;
    }
    yield { type: 'modelMessageStopEvent', stopReason: calls.length > 0 ? 'toolUse' : 'endTurn' } as ModelStreamEvent;
    yield { type: 'modelMetadataEvent', usage: { inputTokens: tokens, outputTokens: 0, totalTokens: tokens } } as ModelStreamEvent;
  }
}

export const frameworks: Framework[] = [
  {
    name: 'Strands 1.19',
    async lead({ tools, think, prompt, signal, onProgress }) {
      const agent = createLead(new FakeModel(think), { createTools: () => tools } as unknown as SubAgentManager);
      const stream = agent.stream(prompt, { ...(signal && { cancelSignal: signal }) });
      for (;;) {
        const { value, done } = await stream.next();
        if (done === true) return value.lastMessage.content.map((block) => ('text' in block ? String(block.text) : '')).join('');
        if (JSON.stringify(value).includes('toolStreamEvent')) onProgress(JSON.stringify(value));
      }
    },
  },
];
