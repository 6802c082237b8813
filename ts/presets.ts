// Presets: the settings that two of the sources give their agents. Owns their numbers and policies. What the
// user gives wins over them.

import { optionsOf } from './arguments.js';
import { invalid } from './errors.js';
import { completionCheck } from './policies/completion-check.js';
import { delegationGuard } from './policies/delegation-guard.js';
import type { MainLimits, PolicySets } from './policies/policy.js';
import { safetyLimits } from './policies/safety-limits.js';
import { searchBudget } from './policies/search-budget.js';
import { timeoutReport } from './policies/timeout-report.js';
import { workloadDistributor } from './policies/workload-distributor.js';

/** Turns of a sub-agent under the preset `oxide`. */
export const SUB_AGENT_MAX_ITERATIONS = 60;
/** The size of a sub-agent's context under the preset `oxide`, in tokens. */
export const SUB_AGENT_MAX_TOKENS = 64_000;
/** The tools that the preset `oxide` blocks for sub-agents; they are blocked anyway. */
export const BLOCKED_SUB_AGENT_TOOLS: readonly string[] = Object.freeze(['delegate_to_sub_agent', 'send_file_to_user']);
/** The tools that the preset `nanobot` blocks for sub-agents; they are blocked anyway. */
const NANOBOT_BLOCKED_TOOLS = ['message', 'spawn'];

/** Names of the presets. */
export type Preset = 'nanobot' | 'oxide';

interface PresetOptions {
  maxTurns: number;
  mainLimits: MainLimits;
  policies: PolicySets;
}

const PRESETS: Readonly<Record<Preset, (maxTurns: number | undefined) => PresetOptions>> = {
  nanobot: (maxTurns = 15) => ({
    maxTurns,
    mainLimits: { maxTurns: 20 },
    policies: { subAgents: [safetyLimits({ blockedTools: NANOBOT_BLOCKED_TOOLS })] },
  }),
  oxide: (maxTurns = SUB_AGENT_MAX_ITERATIONS) => ({
    maxTurns,
    mainLimits: { maxTurns: 1000, maxContextTokens: 200_000, timeoutMs: 600_000 },
    policies: {
      subAgents: [
        completionCheck(),
        safetyLimits({ maxTurns, maxContextTokens: SUB_AGENT_MAX_TOKENS, blockedTools: BLOCKED_SUB_AGENT_TOOLS }),
        searchBudget(),
        timeoutReport(),
      ],
      main: [completionCheck(), workloadDistributor(), delegationGuard(), searchBudget(), timeoutReport()],
    },
  }),
};

/** The options with what their preset adds: what was given stands, and in `policies` and `mainLimits` each part. */
export function withPreset(given: object): Record<string, unknown> {
  const { preset, ...options } = optionsOf('the options of a manager', given) as Record<string, unknown>;
  if (preset === undefined) return options;
  if (typeof preset !== 'string' || !Object.hasOwn(PRESETS, preset))
    throw invalid('`preset`', `one of ${Object.keys(PRESETS).join(', ')}`, preset);
  const turns = options.maxTurns ?? options.maxSubAgentSteps;
  const made = PRESETS[preset as Preset](typeof turns === 'number' && turns >= 1 && !Number.isNaN(turns) ? turns : undefined);
  const merged: Record<string, unknown> = { ...options };
  if (turns === undefined) merged.maxTurns = made.maxTurns;
  for (const part of ['mainLimits', 'policies'] as const) {
    const own = options[part];
    merged[part] = typeof own === 'object' && own !== null ? { ...made[part], ...defined(own) } : (own ?? made[part]);
  }
  return merged;
}

function defined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
