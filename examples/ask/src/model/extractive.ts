// The built-in model: the AI SDK's LanguageModelV3 around `decide`. It is not a language model and says so in its name:
// it extracts and ranks sentences. Deterministic, offline; it sees nothing but the call's own messages and tools.

import { setTimeout as sleep } from 'node:timers/promises';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
  LanguageModelV3Usage,
} from '@ai-sdk/provider';

import { decide } from './decide.js';
import { transcriptOf } from './transcript.js';

export const EXTRACTIVE_MODEL_ID = 'extractive-ranker';

export class ExtractiveRanker implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider = 'built-in';
  readonly modelId = EXTRACTIVE_MODEL_ID;
  readonly supportedUrls = {};

  /** `paceMs`: pause before each answer, so that a person can watch; default none. */
  constructor(private readonly paceMs = 0) {}

  async doGenerate(options: LanguageModelV3CallOptions): Promise<LanguageModelV3GenerateResult> {
    options.abortSignal?.throwIfAborted();
    if (this.paceMs > 0) {
      await sleep(this.paceMs, undefined, options.abortSignal ? { signal: options.abortSignal } : {});
    }
    const transcript = transcriptOf(options);
    const step = decide(transcript);
    const turn = options.prompt.filter((message) => message.role === 'assistant').length + 1;
    const content: LanguageModelV3Content[] = [
      { type: 'text', text: step.text },
      ...step.calls.map((call, at) => ({
        type: 'tool-call' as const,
        toolCallId: `call_${turn}_${at + 1}`,
        toolName: transcript.tools.get(call.role)?.name ?? call.role,
        input: JSON.stringify(call.args),
      })),
    ];
    const unified = step.calls.length > 0 ? 'tool-calls' : 'stop';
    return {
      content,
      finishReason: { unified, raw: unified },
      usage: usageOf(tokensIn(options.prompt, options.tools ?? []), tokensIn(content)),
      warnings: [],
    };
  }

  async doStream(options: LanguageModelV3CallOptions): Promise<LanguageModelV3StreamResult> {
    const { content, finishReason, usage, warnings } = await this.doGenerate(options);
    const parts: LanguageModelV3StreamPart[] = [{ type: 'stream-start', warnings }];
    for (const part of content) {
      if (part.type === 'text') {
        parts.push({ type: 'text-start', id: 'text' });
        parts.push(...part.text.split(/(?<=\s)/u).map((delta) => ({ type: 'text-delta' as const, id: 'text', delta })));
        parts.push({ type: 'text-end', id: 'text' });
      } else if (part.type === 'tool-call') {
        parts.push({ type: 'tool-input-start', id: part.toolCallId, toolName: part.toolName });
        parts.push({ type: 'tool-input-delta', id: part.toolCallId, delta: part.input });
        parts.push({ type: 'tool-input-end', id: part.toolCallId });
        parts.push(part);
      }
    }
    parts.push({ type: 'finish', finishReason, usage });
    return { stream: ReadableStream.from(parts) };
  }
}

/** Tokens as the manager counts them where no endpoint does: UTF-8 bytes ÷ 4. */
export function tokensIn(...values: readonly unknown[]): number {
  const bytes = values.reduce<number>(
    (sum, value) => sum + Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value ?? '')),
    0,
  );
  return Math.ceil(bytes / 4);
}

function usageOf(input: number, output: number): LanguageModelV3Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}
