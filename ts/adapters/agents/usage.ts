// An agent's usage by kind, as deltas. Owns which kinds its figures have, and the baseline of a conversation: without
// it, each turn would book the whole conversation again.

import type { Amounts } from '../model-usage.js';
import type { AcpPromptAnswer } from './acp-types.js';

/** The booked usage of a conversation. */
export interface Booked extends Amounts {
  costUsd?: number | undefined;
}

/** The increase in figures of the whole conversation. If an agent has restarted its count, the total is lower than before. */
export function newIn(booked: Booked, said: Booked): Booked {
  const isLess = (figure: keyof Booked): boolean => (said[figure] ?? Number.POSITIVE_INFINITY) < (booked[figure] ?? 0);
  const isAnew = isLess('totalTokens') || isLess('costUsd');
  const more: Booked = {};
  for (const [figure, total] of Object.entries(said) as [keyof Booked, number | undefined][]) {
    if (total === undefined || !Number.isFinite(total)) continue;
    more[figure] = isAnew ? total : Math.max(0, total - (booked[figure] ?? 0));
    booked[figure] = total;
  }
  return more;
}

/** The sums of some figures and others. */
export function plus(some: Booked, more: Booked = {}): Booked {
  const sum = { ...some };
  for (const [figure, amount] of Object.entries(more) as [keyof Booked, number][]) sum[figure] = (sum[figure] ?? 0) + amount;
  return sum;
}

/**
 * The amounts that an agent reports. Caches and thoughts are part of its input and output, or come in addition: its total shows
 * which. If the total fits neither, only the total is known. Undefined if there is none.
 */
export function amountsOf(said: { readonly [Figure in keyof Amounts]?: unknown }): Amounts | undefined {
  const usage: Amounts = {};
  for (const [figure, value] of Object.entries(said)) {
    if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) usage[figure as keyof Amounts] = value;
  }
  const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0, reasoningTokens = 0 } = usage;
  const totalTokens = usage.totalTokens ?? (inputTokens === undefined ? outputTokens : inputTokens + (outputTokens ?? 0));
  if (totalTokens === undefined) return undefined;
  if (inputTokens === undefined || outputTokens === undefined) return { totalTokens };
  const caches = cacheReadTokens + cacheWriteTokens;
  for (const thoughts of [0, reasoningTokens]) {
    for (const cached of [0, caches]) {
      const sides = { inputTokens: inputTokens + cached, outputTokens: outputTokens + thoughts };
      if (sides.inputTokens + sides.outputTokens === totalTokens) return { ...usage, totalTokens, ...sides };
    }
  }
  return { totalTokens };
}

/** The usage in the answer to a prompt: in `usage`, or in `_meta.quota` as some agents have it. Undefined if there is none. */
export function usageIn({ usage, _meta }: AcpPromptAnswer): Amounts | undefined {
  const quota = (_meta?.quota as { token_count?: Record<string, unknown> } | undefined)?.token_count;
  const said = usage ?? quota ?? {};
  const amounts = amountsOf({
    totalTokens: said.totalTokens ?? said.total_tokens,
    inputTokens: said.inputTokens ?? said.input_tokens,
    outputTokens: said.outputTokens ?? said.output_tokens,
    cacheReadTokens: said.cachedReadTokens ?? said.cacheReadTokens,
    cacheWriteTokens: said.cachedWriteTokens ?? said.cacheWriteTokens,
    reasoningTokens: said.thoughtTokens,
  });
  return amounts?.totalTokens === 0 && !amounts.inputTokens ? undefined : amounts;
}
