// A fake model: ADK's own base class of a model.

import { BaseLlm, type BaseLlmConnection, type LlmRequest, type LlmResponse } from '@google/adk';
import { callId, type Think } from './framework.js';

export class FakeModel extends BaseLlm {
  readonly #think: Think;

  constructor(think: Think) {
    super({ model: 'fake' });
    this.#think = think;
  }

  async *generateContentAsync(request: LlmRequest, isStream?: boolean, signal?: AbortSignal): AsyncGenerator<LlmResponse, void> {
    const tools = Object.keys(request.toolsDict);
    const {
      text,
      calls = [],
      tokens = 0,
      cached = 0,
      beside,
    } = await this.#think({ seen: JSON.stringify(request.contents), tools, signal });
    const parts = [
      ...(text === undefined ? [] : [{ text }]),
      ...calls.map(({ name, args }) => ({ functionCall: { id: callId(), name, args } })),
    ];
    if (isStream && text !== undefined) yield { content: { role: 'model', parts: [{ text }] }, partial: true };
    const promptTokenCount = tokens + cached;
    const usageMetadata = { promptTokenCount, cachedContentTokenCount: cached, totalTokenCount: promptTokenCount };
    yield { content: { role: 'model', parts }, usageMetadata, ...beside };
  }

  connect(): Promise<BaseLlmConnection> {
    throw new Error('there is no live connection here');
  }
}
