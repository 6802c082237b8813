// A fake model: OpenAI Agents' own interface of a model.

import { type AgentOutputItem, type Model, type ModelRequest, type ModelResponse, type StreamEvent, Usage } from '@openai/agents';
import { callId, type Think } from './framework.js';

export class FakeModel implements Model {
  readonly #think: Think;

  constructor(think: Think) {
    this.#think = think;
  }

  async getResponse({ input, tools, outputType, signal }: ModelRequest): Promise<ModelResponse> {
    const {
      text,
      calls = [],
      tokens = 0,
      beside,
    } = await this.#think({ seen: JSON.stringify(input), tools: tools.map(({ name }) => name), format: outputType, signal });
    const output: AgentOutputItem[] = [];
    if (text !== undefined)
      output.push({ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] });
    for (const { name, args, written = JSON.stringify(args) } of calls) {
      output.push({ type: 'function_call', callId: callId(), name, arguments: written, status: 'completed' });
    }
    return { usage: new Usage({ inputTokens: tokens, outputTokens: 0, totalTokens: tokens, requests: 1 }), output, ...beside };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const { usage, output } = await this.getResponse(request);
    for (const { content = [] } of output as { content?: { text?: string }[] }[]) {
      for (const { text } of content) if (text !== undefined) yield { type: 'output_text_delta', delta: text };
    }
    yield { type: 'response_done', response: { id: callId(), usage, output: output as never } };
  }
}
