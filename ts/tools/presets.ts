// The tools under each preset: in naming that models already know. Owns in what presets differ beside the names, which stand
// in the tables of the core; every preset means the same operations.

import { ASK_TOOL } from '../generated/params.js';
import { OPERATIONS, type Operation, TOOLS } from './generated/tools.js';
import type { Naming, ToolPreset } from './naming.js';

/** A preset as it differs from others. */
interface Preset {
  /** Whose names the tools have that it has no names of its own for. Default: ours. */
  readonly like?: ToolPreset;
  /** The name of the tool by which a sub-agent's model asks. Default: ours. */
  readonly ask?: string;
  /** How results are told unless `format` says otherwise. */
  readonly format?: 'json';
  /** Its tools answer with snapshots in the handle style. */
  readonly handles?: true;
}

interface PresetTable extends Pick<Preset, 'format' | 'handles'> {
  readonly tools: Readonly<Record<Operation, Naming>>;
  /** The tools that are made unless `include` says otherwise; it may ask for the rest. */
  readonly usual: readonly Operation[];
}

const PRESETS: Readonly<Record<ToolPreset, Preset>> = {
  subagents: {},
  claude: { ask: 'AskParent' },
  codex: {},
  opencode: {},
  nanobot: {},
  oxide: { format: 'json' },
  calute: { like: 'codex', handles: true },
};

/** The names of a preset. */
export function tableOf(preset: ToolPreset): PresetTable {
  const { like = 'subagents', ...rest } = PRESETS[preset];
  const named = OPERATIONS.map((operation) => {
    const { names } = TOOLS[operation];
    return [operation, names[preset] ?? names[like] ?? names.subagents];
  });
  const usual = OPERATIONS.filter((operation) => TOOLS[operation].usual.includes(preset));
  return { ...rest, usual, tools: Object.fromEntries(named) as Record<Operation, Naming> };
}

/** The name of the tool by which a sub-agent's model asks. */
export function askNameOf(preset: ToolPreset): string {
  return PRESETS[preset].ask ?? ASK_TOOL.name;
}
