// The policy that keeps an agent within bounds, after Oxide's `SubAgentSafetyHook`: turns, the size of its context, tools
// that it may not use. Owns the comparison; the numbers are the core's.

import { counted } from '../base/counted.js';
import { fitsAny } from '../base/pattern.js';
import { knownOptions } from '../options/arguments.js';
import { count, strings } from '../options/values.js';
import type { Block, Policy } from './policy.js';

/** Options of `safetyLimits`. */
export interface SafetyLimitsOptions {
  /** Turns of a run. Default: no limit of this policy's. */
  maxTurns?: number | undefined;
  /** The size of the context, in tokens as reported. Default: no limit. */
  maxContextTokens?: number | undefined;
  /** Tools that are never handed on and never allowed; a name may have `*` for any characters. */
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
