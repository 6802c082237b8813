// The estimated cost of a plan. Owns how its lines are read; the core computes.

import { invalid } from '../base/errors.js';
import { listOf, optionsOf } from '../options/arguments.js';
import type { SpawnOptions } from '../options/generated/spawn.js';
import { readSpawn } from '../options/spawn-options.js';
import { managersModel } from '../runs/reported-tokens.js';
import type { PlanEstimate } from '../snapshots/generated/totals.js';
import { readPlanEstimate } from '../snapshots/generated/totals-readers.js';
import type { Parts } from './parts.js';

/** Sub-agents of a kind: the options of their spawns. A text is not needed. */
export interface PlannedSpawns extends SpawnOptions {
  /** How many of them. @default 1 */
  count?: number | undefined;
  /** How many turns each takes. Default: the average of such runs so far, else 1 */
  turns?: number | undefined;
}

/** Reads a plan, and asks the core. */
export function estimateOf(runtime: Parts, plan: readonly PlannedSpawns[]): PlanEstimate {
  const lines = listOf('`plan`', "a list such as [{ agent: 'reader', count: 20 }]", plan, (line, what) => {
    const given = optionsOf(what, line as PlannedSpawns, "an object such as { agent: 'reader', count: 20 }");
    const place = what.slice(0, -1);
    const { count: many, turns, ...options } = given;
    const { staged } = readSpawn(options, runtime);
    const model = staged?.modelId ?? managersModel(runtime.functions);
    return { ...staged, otherwise: model, count: finite(`${place}.count\``, many) ?? 1, turns: finite(`${place}.turns\``, turns) };
  });
  return runtime.view((core) => core.estimate(lines), readPlanEstimate);
}

function finite(what: string, value: unknown): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && (value as number) >= 1)) return value as number | undefined;
  throw invalid(what, 'a whole number of at least 1', value);
}
