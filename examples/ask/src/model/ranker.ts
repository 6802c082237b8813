// The built-in model: the AI SDK's LanguageModelV3 around `decide`. It is not a language model and says so in its name:
// it extracts and ranks sentences. Deterministic, offline; it sees nothing but the call's own messages and tools.
import { setTimeout as sleep } from 'node:timers/promises';
import { type LanguageModelV3, type LanguageModelV3Content, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { decide } from './decide.js';

export class ExtractiveRanker implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider = 'built-in';
  readonly modelId = 'extractive-ranker';
  readonly supportedUrls = {};

  /** `paceMs`: pause before each answer, so that a person can watch; default none. */
  constructor(private readonly paceMs = 0) {}

  readonly doGenerate: LanguageModelV3['doGenerate'] = async (options) => {
    options.abortSignal?.throwIfAborted();
    if (this.paceMs > 0) await sleep(this.paceMs, undefined, options.abortSignal ? { signal: options.abortSignal } : {});
    const { text, calls } = decide(options);
    const turn = options.prompt.filter((message) => message.role === 'assistant').length + 1;
    const content: LanguageModelV3Content[] = [
      { type: 'text', text },
      ...calls.map(({ name, args }, at) => ({
        type: 'tool-call' as const,
        toolCallId: `call_${turn}_${at + 1}`,
        toolName: name,
        input: JSON.stringify(args),
      })),
    ];
    const unified = calls.length > 0 ? 'tool-calls' : 'stop';
    const usage = usageOf(tokensIn(options.prompt, options.tools ?? []), tokensIn(content));
    return { content, finishReason: { unified, raw: unified }, usage, warnings: [] };
  };

  doStream(): never {
    throw new UnsupportedFunctionalityError({ functionality: 'streaming' });
  }
}

/** Tokens as the manager counts them where no endpoint does: UTF-8 bytes ÷ 4. */
export function tokensIn(...values: readonly unknown[]): number {
  const bytes = values.map((value) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value ?? '')));
  return Math.ceil(bytes.reduce((sum, each) => sum + each, 0) / 4);
}

/** What a call used, as the AI SDK has it. */
export function usageOf(input: number, output: number) {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}
