// What an agent says that it used, as deltas. Owns the baseline of a conversation, without which figures of all of it would be
// booked again with each turn.

import { type ModelUsage, usageOf } from '../model-usage.js';
import type { AcpPromptAnswer } from './acp-types.js';

/** What of a conversation is booked. */
export interface Booked {
  tokens: number;
  costUsd: number;
}

/** What is new in a figure of the whole conversation. An agent that begins to count anew says less than before. */
export function newIn(booked: Booked, figure: keyof Booked, total: number): number {
  const more = total >= booked[figure] ? total - booked[figure] : total;
  booked[figure] = total;
  return more;
}

/** What the answer to a prompt says: in `usage`, or in `_meta.quota` as some agents have it. Undefined if it says nothing. */
export function usageIn({ usage, _meta }: AcpPromptAnswer): ModelUsage | undefined {
  const quota = (_meta?.quota as { token_count?: Record<string, unknown> } | undefined)?.token_count;
  const said = usage ?? quota;
  if (said === undefined || said === null) return undefined;
  const figure = (...names: string[]): number | undefined =>
    names.map((name) => said[name]).find((value): value is number => typeof value === 'number' && value >= 0);
  const input = figure('inputTokens', 'input_tokens');
  const output = figure('outputTokens', 'output_tokens');
  const read = figure('cachedReadTokens', 'cacheReadTokens') ?? 0;
  const written = figure('cachedWriteTokens', 'cacheWriteTokens') ?? 0;
  const total = figure('totalTokens', 'total_tokens') ?? (input === undefined ? output : input + (output ?? 0));
  if (total === undefined || (total === 0 && (input ?? 0) === 0)) return undefined;
  if (input === undefined || output === undefined) return { totalTokens: total };
  const caches = { cacheReadTokens: figure('cachedReadTokens'), cacheWriteTokens: figure('cachedWriteTokens') };
  const kinds = { outputTokens: output, reasoningTokens: figure('thoughtTokens'), ...caches };
  if (total === input + output) return usageOf({ totalTokens: total, inputTokens: input, ...kinds });
  // What the caches took stands beside the input.
  if (total === input + output + read + written) return usageOf({ totalTokens: total, inputTokens: input, ...kinds }, true);
  return { totalTokens: total };
}
