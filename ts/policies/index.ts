// The entry `subagents/policies`: built-in policies, and lists that a program rarely needs. Owns the list of its
// exports.

export { POLICY_ANSWERS, POLICY_POINTS, RETRY_REASONS } from '../generated/names.js';
export { JSON_SCHEMA_KEYWORDS } from '../options/schema/json-schema.js';
export {
  type CompletionCheckOptions,
  completionCheck,
  FORCED_TURNS,
  type SafetyLimitsOptions,
  SEARCH_BUDGET,
  SEARCH_TOOLS,
  type SearchBudgetOptions,
  safetyLimits,
  searchBudget,
  timeoutReport,
} from './built-in.js';
export { ANALYTICAL_WORDS, type DelegationGuardOptions, delegationGuard, RETRIEVAL_VERBS } from './delegation-guard.js';
export {
  type CommandMatch,
  HEAVY_COMMANDS,
  HEAVY_TOOLS,
  HEAVY_WORDS,
  LONG_PROMPT_WORDS,
  type WorkloadDistributorOptions,
  workloadDistributor,
} from './workload-distributor.js';
