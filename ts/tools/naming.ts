// The presets, and the form of the core's tables of tool names. Owns types and the list.

import type { Meaning } from './parameters.js';

/** The presets. */
export const TOOL_PRESETS = ['subagents', 'claude', 'codex', 'opencode'] as const;
/** A set of names: ours in snake_case, Claude Code's, Codex's, opencode's `task`. */
export type ToolPreset = (typeof TOOL_PRESETS)[number];

/** One tool of a preset. */
export interface Naming {
  readonly name: string;
  /** The model's names, by meaning. A parameter without a name is not offered. */
  readonly fields: Partial<Record<Meaning, string>>;
  readonly required: readonly Meaning[];
  /** Every sub-agent of this tool runs in the background. */
  readonly background?: true;
}

/** A tool with its names: ours, and those of presets with names of their own. */
export interface NamedTool {
  /** The presets that have it by default. */
  readonly usual: readonly ToolPreset[];
  readonly names: Readonly<Partial<Record<ToolPreset, Naming>> & { subagents: Naming }>;
}

/** A tool besides the one that spawns, with its texts for a model. */
export interface ActingTool extends NamedTool {
  readonly label: string;
  readonly description: string;
}
