// The tools under each preset, in names that models already know. Owns how presets differ besides the names, which are
// in the core's tables; every preset means the same operations.

import { ASK_TOOL } from '../generated/params.js';
import { OPERATIONS, type Operation, TOOLS } from './generated/tools.js';
import type { Naming, ToolPreset } from './naming.js';

interface PresetTable {
  readonly tools: Readonly<Record<Operation, Naming>>;
  /** The tools that are made by default; `include` may request the rest. */
  readonly usual: readonly Operation[];
}

/** The tools of a preset, each by our name if the preset has none for it. */
export function tableOf(preset: ToolPreset): PresetTable {
  const named = OPERATIONS.map((operation) => {
    const { names } = TOOLS[operation];
    return [operation, names[preset] ?? names.subagents];
  });
  const usual = OPERATIONS.filter((operation) => TOOLS[operation].usual.includes(preset));
  return { usual, tools: Object.fromEntries(named) as Record<Operation, Naming> };
}

/** The name of the tool by which a sub-agent's model asks. */
export function askNameOf(preset: ToolPreset): string {
  return preset === 'claude' ? 'AskParent' : ASK_TOOL.name;
}
