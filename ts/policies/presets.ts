// Presets: the settings that nanobot and Oxide give their agents. Owns their numbers and policies. What the user gives wins
// over them.

import { invalid, SubAgentError } from '../base/errors.js';
import { isObject } from '../base/object.js';
import { noOtherFields, optionsOf } from '../options/arguments.js';
import { count, strings } from '../options/values.js';
import { completionCheck } from './completion-check.js';
import { delegationGuard } from './delegation-guard.js';
import type { MainLimits, PolicySets } from './policy.js';
import { safetyLimits } from './safety-limits.js';
import { searchBudget } from './search-budget.js';
import { timeoutReport } from './timeout-report.js';
import { workloadDistributor } from './workload-distributor.js';

/** Turns of a sub-agent under the preset `oxide`. */
export const SUB_AGENT_MAX_ITERATIONS = 60;
/** The size of a sub-agent's context under the preset `oxide`, in tokens. */
export const SUB_AGENT_MAX_TOKENS = 64_000;
/** The tools that the preset `oxide` blocks for sub-agents; they are blocked anyway. */
export const BLOCKED_SUB_AGENT_TOOLS: readonly string[] = /* @__PURE__ */ Object.freeze(['delegate_to_sub_agent', 'send_file_to_user']);
/** The tools that the preset `nanobot` blocks for sub-agents; they are blocked anyway. */
const NANOBOT_BLOCKED_TOOLS = ['message', 'spawn'];

/** Names of the presets. */
export type Preset = 'nanobot' | 'oxide';

/** A preset with what it leaves to its host: its policies stay as they are. */
export interface PresetParameters {
  /** Which preset. */
  name: Preset;
  /** Tools that no sub-agent gets, beside those that the preset blocks; a name may have `*` for any characters. */
  blockedTools?: readonly string[] | undefined;
  /** Searches that a run, and the main agent, may make; 0 allows none. `oxide` alone bounds them. @default 10 */
  searchLimit?: number | undefined;
}

interface Given {
  maxTurns: number | undefined;
  blockedTools: readonly string[];
  searchLimit: number | undefined;
}

interface PresetOptions {
  maxTurns: number;
  mainLimits: MainLimits;
  policies: PolicySets;
}

const PRESETS: Readonly<Record<Preset, (given: Given) => PresetOptions>> = {
  nanobot: ({ maxTurns = 15, blockedTools }) => ({
    maxTurns,
    mainLimits: { maxTurns: 20 },
    policies: { subAgents: [safetyLimits({ blockedTools: [...NANOBOT_BLOCKED_TOOLS, ...blockedTools] })] },
  }),
  oxide: ({ maxTurns = SUB_AGENT_MAX_ITERATIONS, blockedTools, searchLimit }) => ({
    maxTurns,
    mainLimits: { maxTurns: 1000, maxContextTokens: 200_000, timeoutMs: 600_000 },
    policies: {
      subAgents: [
        completionCheck(),
        safetyLimits({
          maxTurns,
          maxContextTokens: SUB_AGENT_MAX_TOKENS,
          blockedTools: [...BLOCKED_SUB_AGENT_TOOLS, ...blockedTools],
        }),
        searchBudget({ limit: searchLimit }),
        timeoutReport(),
      ],
      main: [completionCheck(), workloadDistributor(), delegationGuard(), searchBudget({ limit: searchLimit }), timeoutReport()],
    },
  }),
};

/** The options with what their preset adds: what was given stands, and in `policies` and `mainLimits` each part. */
export function withPreset(given: object): Record<string, unknown> {
  const options = optionsOf('the options of a manager', given, 'an object such as { spawnSubAgent }') as Record<string, unknown>;
  const { preset } = options;
  delete options.preset;
  if (preset === undefined) return options;
  const { name, blockedTools, searchLimit } = parametersOf(preset);
  const turns = options.maxTurns ?? options.maxSubAgentSteps;
  const maxTurns = typeof turns === 'number' && turns >= 1 && !Number.isNaN(turns) ? turns : undefined;
  const made = PRESETS[name]({ maxTurns, blockedTools, searchLimit });
  if (turns === undefined) options.maxTurns = made.maxTurns;
  for (const part of ['mainLimits', 'policies'] as const) {
    const own = options[part];
    options[part] = isObject(own) ? { ...made[part], ...defined(optionsOf(`\`${part}\``, own)) } : (own ?? made[part]);
  }
  return options;
}

function parametersOf(preset: unknown): { name: Preset; blockedTools: readonly string[]; searchLimit: number | undefined } {
  const { name, blockedTools, searchLimit, ...unknown } =
    typeof preset === 'object' && preset !== null ? optionsOf('`preset`', preset as PresetParameters) : { name: preset };
  noOtherFields('preset', unknown, ['name', 'blockedTools', 'searchLimit']);
  if (typeof name !== 'string' || !Object.hasOwn(PRESETS, name))
    throw invalid('`preset`', `one of ${Object.keys(PRESETS).join(', ')}`, name);
  if (searchLimit !== undefined && name !== 'oxide')
    throw new SubAgentError('invalid_argument', `the preset ${name} has no \`searchLimit\``, { argument: 'preset.searchLimit' });
  return {
    name: name as Preset,
    blockedTools: strings('`preset.blockedTools`', blockedTools) ?? [],
    searchLimit: count('`preset.searchLimit`', searchLimit, 0),
  };
}

function defined(options: object): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}
