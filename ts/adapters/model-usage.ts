// The usage of one model call, by all helpers' names for it. Owns how a framework's figures are read.

import type { TokenKinds } from '../options/host-result.js';

/** The usage of one model call. Kinds of tokens that the framework doesn't report are left out. */
export interface ModelUsage extends TokenKinds {
  /** Tokens in all. Default: input and output together. */
  totalTokens?: number | undefined;
  /** The called model, if the framework names it and it isn't the model of `run.modelId`. */
  modelId?: string | undefined;
}

/** The usage of a call, without the name of its model. */
export type Amounts = Omit<ModelUsage, 'modelId'>;

/** A framework's report on a call: figures that a model did not give may be undefined, null or NaN. */
export type SaidUsage = { readonly [Figure in keyof Amounts]?: number | null | undefined };

/**
 * The usage of a call by the names that all helpers have. `isApart`: the framework's `inputTokens` exclude the tokens that a
 * cache read or wrote, so those are added.
 */
export function usageOf(said: SaidUsage | undefined | null, isApart = false): Amounts | undefined {
  if (said === undefined || said === null) return undefined;
  const usage: Amounts = {};
  for (const [name, figure] of Object.entries(said) as [keyof Amounts, number | null | undefined][]) {
    const amount = known(figure);
    if (amount !== undefined) usage[name] = amount;
  }
  // Frameworks that add up missing figures get NaN, which is left out.
  const { inputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = usage;
  if (isApart && inputTokens !== undefined) usage.inputTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
  return usage;
}

/** Adds the name of its model to a usage, so that the prices are that model's and not the run's. */
export function ofModel(usage: ModelUsage | undefined, model: unknown): ModelUsage | undefined {
  return usage === undefined || typeof model !== 'string' || model === '' ? usage : { ...usage, modelId: model };
}

function known(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
