// The policies that the package has ready: the entry `subagents/policies`. Owns the list of its exports.

export { type CompletionCheckOptions, completionCheck, FORCED_TURNS } from './completion-check.js';
export { ANALYTICAL_WORDS, type DelegationGuardOptions, delegationGuard, RETRIEVAL_VERBS } from './delegation-guard.js';
export { type SafetyLimitsOptions, safetyLimits } from './safety-limits.js';
export { SEARCH_BUDGET, SEARCH_TOOLS, type SearchBudgetOptions, searchBudget } from './search-budget.js';
export { timeoutReport } from './timeout-report.js';
export {
  type CommandMatch,
  HEAVY_COMMANDS,
  HEAVY_TOOLS,
  HEAVY_WORDS,
  LONG_PROMPT_WORDS,
  type WorkloadDistributorOptions,
  workloadDistributor,
} from './workload-distributor.js';
