// The policy that bounds searching, after Oxide's `SearchBudgetHook`. Owns which tools are searches; the core counts.

import { fitsAny } from '../base/pattern.js';
import { knownOptions } from '../options/arguments.js';
import { count, strings } from '../options/values.js';
import type { Block, Policy } from './policy.js';

/** The tools that `searchBudget` counts by default. */
export const SEARCH_TOOLS: readonly string[] = /* @__PURE__ */ Object.freeze([
  'web_search',
  'web_extract',
  'deep_crawl',
  'web_markdown',
  'web_pdf',
]);
/** How many calls of them a run may make by default. */
export const SEARCH_BUDGET = 10;

/** Options of `searchBudget`. */
export interface SearchBudgetOptions {
  /** Calls that a run may make; 0 allows none. @default 10 */
  limit?: number | undefined;
  /**
   * The tools that count; a name may have `*` for any characters. @default web_search, web_extract, deep_crawl, web_markdown,
   * web_pdf
   */
  tools?: readonly string[] | undefined;
}

/** Refuses searches past the limit, and has the model work with what it has. */
export function searchBudget(given: SearchBudgetOptions = {}): Policy {
  const { limit: most, tools: names } = knownOptions('searchBudget', given, ['limit', 'tools']);
  const limit = count('`limit`', most, 0) ?? SEARCH_BUDGET;
  const tools = strings('`tools`', names) ?? SEARCH_TOOLS;
  return {
    name: 'search_budget',
    beforeTool(context): Block | undefined {
      if (!fitsAny(tools, context.tool) || context.count(limit) === 'counted') return undefined;
      const used = limit === 1 ? 'the only search is used' : `all ${limit} searches are used`;
      return { action: 'block', reason: `${used}. Work with what you have found, and say what is missing.` };
    },
  };
}
