// Policies after Oxide's hooks: limits of turns, context, tools and searches, a required to-do list, and a report at
// the timeout. Owns their comparisons and texts; the core has the numbers.

import { fitsAny } from '../base/pattern.js';
import { quoted } from '../base/quoting.js';
import { counted } from '../base/text.js';
import { TASK_CHARS } from '../generated/quoting.js';
import { knownOptions } from '../options/arguments.js';
import { isOpenTodo } from '../options/todos.js';
import { count, strings } from '../options/values.js';
import { reportText } from '../reading/json-report.js';
import type { Block, Finish, ForceTurn, Policy } from './policy.js';

/** Options of `safetyLimits`. */
export interface SafetyLimitsOptions {
  /** Maximum turns of a run. Default: no limit by this policy. */
  maxTurns?: number | undefined;
  /** Maximum size of the context, in tokens as reported. Default: no limit. */
  maxContextTokens?: number | undefined;
  /** Tools that are never passed on and never allowed; a name may have `*` for any characters. */
  blockedTools?: readonly string[] | undefined;
}

/** Refuses the turn past `maxTurns` or with a context of `maxContextTokens`, and each of `blockedTools`. */
export function safetyLimits(given: SafetyLimitsOptions = {}): Policy {
  const { maxTurns, maxContextTokens, blockedTools } = knownOptions('safetyLimits', given, [
    'maxTurns',
    'maxContextTokens',
    'blockedTools',
  ]);
  const most = count('`maxTurns`', maxTurns) ?? Number.POSITIVE_INFINITY;
  const largest = count('`maxContextTokens`', maxContextTokens) ?? Number.POSITIVE_INFINITY;
  const blocked = strings('`blockedTools`', blockedTools) ?? [];
  return {
    name: 'safety_limits',
    blockedTools: blocked,
    beforeTurn({ turns, contextTokens = 0 }): Block | undefined {
      if (turns >= most)
        return { action: 'block', reason: most === 1 ? 'its only turn is used' : `all ${most} turns are used`, stopReason: 'max_turns' };
      if (contextTokens < largest) return undefined;
      return {
        action: 'block',
        reason: `the context has ${counted(contextTokens, 'token')}, the limit is ${largest}`,
      };
    },
    beforeTool({ tool }): Block | undefined {
      return fitsAny(blocked, tool) ? { action: 'block', reason: `\`${tool}\` may not be used here` } : undefined;
    },
  };
}

/** The tools that `searchBudget` counts by default. */
export const SEARCH_TOOLS: readonly string[] = /* @__PURE__ */ Object.freeze([
  'web_search',
  'web_extract',
  'deep_crawl',
  'web_markdown',
  'web_pdf',
]);
/** How many of these calls a run may make by default. */
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

/** Refuses searches past the limit; the model has to work with its findings. */
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

/** How many turns `completionCheck` forces by default. */
export const FORCED_TURNS = 10;

/** Options of `completionCheck`. */
export interface CompletionCheckOptions {
  /** Maximum turns that a run is forced to take, 0 or more; then it ends. @default 10 */
  maxForcedTurns?: number | undefined;
}

/** Forces another turn if an agent wants to end while to-dos are open. To-dos that wait for the user are not open. */
export function completionCheck(given: CompletionCheckOptions = {}): Policy {
  const { maxForcedTurns } = knownOptions('completionCheck', given, ['maxForcedTurns']);
  const limit = count('`maxForcedTurns`', maxForcedTurns, 0) ?? FORCED_TURNS;
  return {
    name: 'completion_check',
    beforeEnd(context): ForceTurn | undefined {
      if (context.count(limit, { openTodosOnly: true }) !== 'counted') return undefined;
      const open = context.todos.filter(isOpenTodo);
      const list = open.map((todo) => `- ${quoted(todo.content, TASK_CHARS)}`).join('\n');
      return {
        action: 'force_turn',
        text: `To-dos still open: ${context.openTodos}. Finish them, or say why they can't be:\n${list}`,
      };
    },
  };
}

/** Makes a JSON report on a timeout: status, reason, statistics, to-dos, recent messages. */
export function timeoutReport(): Policy {
  return {
    name: 'timeout_report',
    onTimeout(context): Finish {
      return { action: 'finish', report: reportText(context.report('timed_out', context.reason)) };
    },
  };
}
