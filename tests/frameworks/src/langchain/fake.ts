// A fake model: LangChain's own base class of a model.

import type { BaseChatModelCallOptions } from '@langchain/core/language_models/chat_models';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { callId, type Think } from './framework.js';

export class FakeModel extends BaseChatModel {
  readonly #think: Think;
  readonly #tools: string[];
  readonly #format: unknown;

  constructor(think: Think, tools: string[] = [], format?: unknown) {
    super({ maxRetries: 0 });
    this.#think = think;
    this.#tools = tools;
    this.#format = format;
  }

  _llmType(): string {
    return 'fake';
  }

  override bindTools(tools: { name?: string; function?: { name: string; parameters?: unknown } }[]): never {
    return new FakeModel(
      this.#think,
      tools.map(({ name, function: own }) => name ?? own?.name ?? ''),
      // A value is asked for as the arguments of a tool.
      tools.map(({ function: own }) => own?.parameters),
    ) as never;
  }

  async _generate(messages: BaseMessage[], { signal }: BaseChatModelCallOptions): Promise<ChatResult> {
    const {
      text = '',
      calls = [],
      tokens = 0,
      beside,
    } = await this.#think({
      seen: JSON.stringify(messages.map((message) => ({ type: message.getType(), content: message.content }))),
      tools: this.#tools,
      format: this.#format,
      signal,
    });
    const message = new AIMessage({
      content: text,
      tool_calls: calls.map(({ name, args }) => ({ name, args, id: callId(), type: 'tool_call' })),
      ...beside,
    });
    // With `exactOptionalPropertyTypes` LangChain's own type of this is undefined.
    Object.assign(message, { usage_metadata: { input_tokens: tokens, output_tokens: 0, total_tokens: tokens } });
    return { generations: [{ text, message }] };
  }
}
