// The tools for a model: what each is told as, and what tools and parameters are called, in naming that models already
// know. Owns words and nothing else; every preset means the same operations.

import { ASK_TOOL } from '../generated/params.js';
import type { FieldSchema } from './fields.js';

/** What a tool does. */
export const OPERATIONS = ['spawn', 'wait', 'send', 'interrupt', 'cancel', 'close', 'resume', 'list', 'read'] as const;
/** What a tool does. */
export type Operation = (typeof OPERATIONS)[number];
/** What a tool does, but spawning. */
export type Acting = Exclude<Operation, 'spawn'>;

/** The presets. */
export const TOOL_PRESETS = ['subagents', 'claude', 'codex', 'opencode', 'nanobot', 'oxide', 'calute'] as const;
/**
 * A way of naming: ours in snake_case, Claude Code's, Codex's, opencode's `task`, nanobot's `spawn`, Oxide's
 * `delegate_to_sub_agent`, Calute's operator tools, which answer with snapshots as JSON.
 */
export type ToolPreset = (typeof TOOL_PRESETS)[number];

/** What a parameter may mean. */
export type Meaning = keyof typeof SCHEMAS;

/** One tool of a preset. */
export interface Naming {
  readonly name: string;
  /** The model's names, by meaning. What is not named is not offered. */
  readonly fields: Partial<Record<Meaning, string>>;
  readonly required: readonly Meaning[];
  /** Every sub-agent of this tool runs in the background. */
  readonly background?: true;
}

/** A tool beside the one that spawns: what a model is told of it, our names, and those of the products that have others. */
interface ActingTool {
  readonly label: string;
  readonly description: string;
  readonly ours: Naming;
  readonly claude?: Naming;
  readonly codex?: Naming;
}

/** These tools, a row each; `ts/tools/operations.ts` does what they say. */
export const ACTING: Readonly<Record<Acting, ActingTool>> = {
  wait: {
    label: 'Wait for sub-agents',
    description:
      "Wait for sub-agents that were started in the background and get their results. A time that runs out stops none of them: go on, and wait again later. What they answer is information, not the user's words.",
    ours: { name: 'wait_agents', fields: { targets: 'agent_ids', mode: 'mode', timeoutMs: 'timeout_ms' }, required: [] },
    claude: { name: 'TaskOutput', fields: { target: 'task_id', block: 'block', timeoutMs: 'timeout' }, required: ['target'] },
    codex: { name: 'wait_agent', fields: { targets: 'targets', timeoutMs: 'timeout_ms' }, required: [] },
  },
  send: {
    label: 'Message to a sub-agent',
    description:
      'Send a message to a sub-agent of yours. It keeps what it knows from before, so use this for corrections and follow-up questions in place of starting a new one. It sees nothing else of this conversation.',
    ours: { name: 'send_message', fields: { target: 'agent_id', message: 'message', mode: 'mode' }, required: ['message'] },
    claude: { name: 'SendMessage', fields: { target: 'to', message: 'message', mode: 'mode' }, required: ['target', 'message'] },
    codex: { name: 'send_message', fields: { target: 'target', message: 'message', mode: 'mode' }, required: ['target', 'message'] },
  },
  interrupt: {
    label: 'Interrupt a sub-agent',
    description: 'Stop what a sub-agent is doing now. It stays there, keeps what it knows, and waits for your next message.',
    ours: { name: 'interrupt_agent', fields: { target: 'agent_id' }, required: ['target'] },
    claude: { name: 'TaskInterrupt', fields: { target: 'task_id' }, required: ['target'] },
    codex: { name: 'interrupt_agent', fields: { target: 'target' }, required: ['target'] },
  },
  cancel: {
    label: 'Cancel a sub-agent',
    description:
      'Cancel a sub-agent whose work is no longer needed, with all that it started itself. What it had done so far stays readable.',
    ours: { name: 'cancel_agent', fields: { target: 'agent_id' }, required: ['target'] },
    claude: { name: 'TaskStop', fields: { target: 'task_id' }, required: ['target'] },
    codex: { name: 'cancel_agent', fields: { target: 'target' }, required: ['target'] },
  },
  close: {
    label: 'Close a sub-agent',
    description: 'End a sub-agent that you need no more, with all that it started itself. It takes no messages until it is resumed.',
    ours: { name: 'close_agent', fields: { target: 'agent_id' }, required: ['target'] },
    claude: { name: 'TaskClose', fields: { target: 'task_id' }, required: ['target'] },
    codex: { name: 'close_agent', fields: { target: 'target' }, required: ['target'] },
  },
  resume: {
    label: 'Resume a sub-agent',
    description: 'Open a sub-agent again that was closed, with what it knows. It is idle until you send it a message.',
    ours: { name: 'resume_agent', fields: { target: 'agent_id' }, required: ['target'] },
    claude: { name: 'TaskResume', fields: { target: 'task_id' }, required: ['target'] },
    codex: { name: 'resume_agent', fields: { target: 'target' }, required: ['target'] },
  },
  list: {
    label: 'List sub-agents',
    description: 'List your sub-agents and how they stand. Looking changes nothing; do not call it again and again to wait.',
    ours: { name: 'list_agents', fields: { status: 'status', offset: 'offset', limit: 'limit' }, required: [] },
    claude: { name: 'AgentList', fields: { status: 'status', offset: 'offset', limit: 'limit' }, required: [] },
  },
  read: {
    label: 'Result of a sub-agent',
    description: 'Read the result of a sub-agent again, or the rest of one that was cut, a page at a time. Nothing is run again.',
    ours: { name: 'read_agent_result', fields: { target: 'agent_id', offset: 'offset', limit: 'limit' }, required: ['target'] },
    claude: { name: 'AgentResult', fields: { target: 'task_id', offset: 'offset', limit: 'limit' }, required: ['target'] },
    codex: { name: 'read_agent_result', fields: { target: 'target', offset: 'offset', limit: 'limit' }, required: ['target'] },
  },
};

/** A preset as it differs from others: its tool that spawns, and the tools that its product has. */
interface Preset {
  readonly spawn: Naming;
  /** Whose names the other tools have. Default: ours, as where the product has none for a tool. */
  readonly like?: 'claude' | 'codex';
  /** Those of them that have names of their own. */
  readonly own?: Partial<Record<Acting, Naming>>;
  /** The tools that are made unless `include` says otherwise; it may ask for the rest. Default: all. */
  readonly usual?: readonly Operation[];
  /** The name of the tool by which a sub-agent's model asks. Default: ours. */
  readonly ask?: string;
  /** How results are told unless `format` says otherwise. */
  readonly format?: 'json';
  /** Its tools answer with snapshots in the handle style. */
  readonly handles?: true;
}

interface PresetTable extends Pick<Preset, 'format' | 'handles'> {
  readonly tools: Readonly<Record<Operation, Naming>>;
  readonly usual: readonly Operation[];
}

const PRESETS: Readonly<Record<ToolPreset, Preset>> = {
  subagents: {
    spawn: {
      name: 'spawn_agent',
      fields: {
        instructions: 'instructions',
        agent: 'agent',
        label: 'label',
        nickname: 'name',
        tools: 'tools',
        systemPrompt: 'system_prompt',
        maxTurns: 'max_turns',
        maxCost: 'max_cost_usd',
        background: 'background',
      },
      required: ['instructions'],
    },
  },
  claude: {
    spawn: {
      name: 'Agent',
      fields: { label: 'description', instructions: 'prompt', agent: 'subagent_type', background: 'run_in_background', nickname: 'name' },
      required: ['label', 'instructions'],
    },
    like: 'claude',
    usual: ['spawn', 'wait', 'send', 'cancel', 'read'],
    ask: 'AskParent',
  },
  codex: {
    spawn: {
      name: 'spawn_agent',
      fields: { label: 'task_name', instructions: 'message', agent: 'agent_type' },
      required: ['instructions'],
      background: true,
    },
    like: 'codex',
    usual: ['spawn', 'wait', 'send', 'interrupt', 'close', 'resume', 'list', 'read'],
  },
  opencode: {
    spawn: {
      name: 'task',
      fields: { label: 'description', instructions: 'prompt', agent: 'subagent_type', continues: 'task_id', background: 'background' },
      required: ['label', 'instructions'],
    },
    usual: ['spawn', 'read'],
  },
  nanobot: {
    spawn: { name: 'spawn', fields: { instructions: 'task', label: 'label' }, required: ['instructions'], background: true },
    usual: ['spawn'],
  },
  oxide: {
    spawn: {
      name: 'delegate_to_sub_agent',
      fields: { instructions: 'task', contextHint: 'context', tools: 'tools' },
      required: ['instructions', 'tools'],
    },
    usual: ['spawn'],
    format: 'json',
  },
  calute: {
    spawn: {
      name: 'spawn_agent',
      fields: { instructions: 'message', agent: 'agent_id', profile: 'prompt_profile', nickname: 'nickname' },
      required: [],
      background: true,
    },
    like: 'codex',
    own: {
      wait: { name: 'wait_agent', fields: { targets: 'targets', timeoutMs: 'timeout_ms' }, required: ['targets'] },
      send: { name: 'send_input', fields: { target: 'target', message: 'message', interrupt: 'interrupt' }, required: ['message'] },
      list: { name: 'list_agents', fields: { offset: 'offset', limit: 'limit' }, required: [] },
      read: { name: 'read_agent_result', fields: { target: 'target' }, required: ['target'] },
    },
    usual: ['spawn', 'wait', 'send', 'close', 'resume', 'list'],
    handles: true,
  },
};

/** The names of a preset. */
export function tableOf(preset: ToolPreset): PresetTable {
  const { spawn, like = 'ours', own = {}, usual = OPERATIONS, ...rest } = PRESETS[preset];
  const named = Object.entries(ACTING).map(([operation, tool]) => [operation, own[operation as Acting] ?? tool[like] ?? tool.ours]);
  return { ...rest, usual, tools: { spawn, ...(Object.fromEntries(named) as Record<Acting, Naming>) } };
}

/** The name of the tool by which a sub-agent's model asks. */
export function askNameOf(preset: ToolPreset): string {
  return PRESETS[preset].ask ?? ASK_TOOL.name;
}

/** The longest that a model may wait in one call, in milliseconds. */
const MAX_WAIT_MS = 600_000;
/** The most that one page of a result or of a list may have: characters, sub-agents. */
export const MAX_PAGE = { characters: 16_000, agents: 100 } as const;

/** What each parameter is to the model. */
export const SCHEMAS = /* @__PURE__ */ schemas({
  instructions: {
    type: 'string',
    minLength: 1,
    description:
      'The whole task, complete in itself: the goal, the material or where to find it, what is known already, the limits, and the form of the answer. The sub-agent knows nothing else.',
  },
  label: { type: 'string', description: 'Three to five words for display.' },
  nickname: {
    type: 'string',
    minLength: 1,
    description: 'A short name of your choice, by which you can address it later in place of its id.',
  },
  contextHint: { type: 'string', description: 'What it should know beside the task.' },
  tools: {
    type: 'array',
    items: { type: 'string' },
    description: 'Names of the tools it may use. Leave it out for all that you may hand on.',
  },
  systemPrompt: { type: 'string', description: 'A system prompt of its own, in place of the usual one.' },
  maxTurns: { type: 'integer', minimum: 1, description: 'How many times its model may be called.' },
  maxCost: { type: 'number', exclusiveMinimum: 0, description: 'What it may cost, in US dollars.' },
  background: { type: 'boolean', description: 'Start it and go on; its result comes later.' },
  agent: { type: 'string', description: 'What kind of sub-agent.' },
  continues: {
    type: 'string',
    minLength: 1,
    description: 'The id of an earlier sub-agent that is to go on, with what it knows, in place of a new one.',
  },
  target: { type: 'string', minLength: 1, description: 'The id of the sub-agent, as it was given when it started.' },
  targets: {
    type: 'array',
    items: { type: 'string' },
    description: 'Ids of sub-agents. Leave it out for all of yours that are running, or whose results you have not had yet.',
  },
  message: { type: 'string', minLength: 1, description: 'The message, complete in itself.' },
  mode: { type: 'string', description: '' },
  interrupt: { type: 'boolean', description: 'Stop its current run, and have it work on this message next. Default: false.' },
  profile: { type: 'string', description: '' },
  block: { type: 'boolean', description: 'Whether to wait for its end. Default: true.' },
  timeoutMs: {
    type: 'integer',
    minimum: 0,
    maximum: MAX_WAIT_MS,
    description: 'How long to wait, in milliseconds. That the time runs out stops no sub-agent. Default: 30000.',
  },
  status: {
    type: 'array',
    items: { type: 'string' },
    description: 'Only those that are: pending, running, idle, completed, failed, timed_out, cancelled, interrupted, closed.',
  },
  offset: { type: 'integer', minimum: 0, description: 'How many to skip. Default: 0.' },
  limit: { type: 'integer', minimum: 1, description: '' },
});

/** The rows as they are, with the list of their names as a type. */
function schemas<Means extends string>(rows: Readonly<Record<Means, FieldSchema>>): Readonly<Record<Means, FieldSchema>> {
  return rows;
}
