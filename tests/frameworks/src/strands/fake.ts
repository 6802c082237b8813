// A fake model: Strands' own base class of a model.

import { type Message, Model, type ModelStreamEvent, type StreamOptions } from '@strands-agents/sdk';
import { callId, type Think } from './framework.js';

export class FakeModel extends Model {
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
    const {
      text,
      calls = [],
      tokens = 0,
      cached = 0,
      finish = calls.length > 0 ? 'toolUse' : 'endTurn',
    } = await this.#think({ seen: JSON.stringify(messages), tools, signal: undefined });
    yield { type: 'modelMessageStartEvent', role: 'assistant' } as ModelStreamEvent;
    if (text !== undefined) {
      yield { type: 'modelContentBlockStartEvent' } as ModelStreamEvent;
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'textDelta', text } } as ModelStreamEvent;
      yield { type: 'modelContentBlockStopEvent' } as ModelStreamEvent;
    }
    for (const { name, args, written = JSON.stringify(args) } of calls) {
      yield { type: 'modelContentBlockStartEvent', start: { type: 'toolUseStart', name, toolUseId: callId() } } as ModelStreamEvent;
      yield { type: 'modelContentBlockDeltaEvent', delta: { type: 'toolUseInputDelta', input: written } } as ModelStreamEvent;
      yield { type: 'modelContentBlockStopEvent' } as ModelStreamEvent;
    }
    yield { type: 'modelMessageStopEvent', stopReason: finish } as ModelStreamEvent;
    const inputTokens = tokens + cached;
    // As its model of OpenAI says it: the cache is within the input, as the total shows.
    const usage = { inputTokens, outputTokens: 0, totalTokens: inputTokens, cacheReadInputTokens: cached };
    yield { type: 'modelMetadataEvent', usage } as ModelStreamEvent;
  }
}
