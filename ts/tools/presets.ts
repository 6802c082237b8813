// What the tools and their parameters are called: naming that models already know. Owns names and nothing
// else; every preset means the same operations.

import { ASK_TOOL } from '../generated/params.js';
import type { FieldSchema } from './fields.js';

/** What a tool does. */
export const OPERATIONS = ['spawn', 'wait', 'send', 'interrupt', 'cancel', 'close', 'resume', 'list', 'read'] as const;
/** What a tool does. */
export type Operation = (typeof OPERATIONS)[number];

/** The presets. */
export const TOOL_PRESETS = ['subagents', 'claude', 'codex', 'opencode', 'nanobot', 'oxide', 'calute'] as const;
/**
 * A way of naming: ours in snake_case, Claude Code's, Codex's, opencode's `task`, nanobot's `spawn`, Oxide's
 * `delegate_to_sub_agent`, Calute's operator tools, which answer with snapshots as JSON.
 */
export type ToolPreset = (typeof TOOL_PRESETS)[number];

/** What a parameter may mean. */
export type Meaning =
  | 'instructions'
  | 'label'
  | 'nickname'
  | 'contextHint'
  | 'tools'
  | 'systemPrompt'
  | 'maxTurns'
  | 'maxCost'
  | 'background'
  | 'agent'
  | 'continues'
  | 'target'
  | 'targets'
  | 'message'
  | 'mode'
  | 'interrupt'
  | 'profile'
  | 'block'
  | 'timeoutMs'
  | 'status'
  | 'offset'
  | 'limit';

/** One tool of a preset. */
export interface Naming {
  readonly name: string;
  /** The model's names, by meaning. What is not named is not offered. */
  readonly fields: Partial<Record<Meaning, string>>;
  readonly required: readonly Meaning[];
  /** Every sub-agent of this tool runs in the background. */
  readonly background?: true;
}

interface PresetTable {
  readonly tools: Readonly<Record<Operation, Naming>>;
  /** The tools that are made unless `include` says otherwise. */
  readonly usual: readonly Operation[];
  /** The name of the tool by which a sub-agent's model asks. Default: ours. */
  readonly ask?: string;
  /** How results are told unless `format` says otherwise. */
  readonly format?: 'json';
  /** Its tools answer with snapshots in the handle style. */
  readonly handles?: true;
}

const page = { target: 'agent_id', offset: 'offset', limit: 'limit' } as const;

const OURS: Readonly<Record<Operation, Naming>> = {
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
  wait: { name: 'wait_agents', fields: { targets: 'agent_ids', mode: 'mode', timeoutMs: 'timeout_ms' }, required: [] },
  send: { name: 'send_message', fields: { target: 'agent_id', message: 'message', mode: 'mode' }, required: ['message'] },
  interrupt: { name: 'interrupt_agent', fields: { target: 'agent_id' }, required: ['target'] },
  cancel: { name: 'cancel_agent', fields: { target: 'agent_id' }, required: ['target'] },
  close: { name: 'close_agent', fields: { target: 'agent_id' }, required: ['target'] },
  resume: { name: 'resume_agent', fields: { target: 'agent_id' }, required: ['target'] },
  list: { name: 'list_agents', fields: { status: 'status', offset: 'offset', limit: 'limit' }, required: [] },
  read: { name: 'read_agent_result', fields: page, required: ['target'] },
};

const CLAUDE: Readonly<Record<Operation, Naming>> = {
  spawn: {
    name: 'Agent',
    fields: { label: 'description', instructions: 'prompt', agent: 'subagent_type', background: 'run_in_background', nickname: 'name' },
    required: ['label', 'instructions'],
  },
  wait: { name: 'TaskOutput', fields: { target: 'task_id', block: 'block', timeoutMs: 'timeout' }, required: ['target'] },
  send: { name: 'SendMessage', fields: { target: 'to', message: 'message', mode: 'mode' }, required: ['target', 'message'] },
  interrupt: { name: 'TaskInterrupt', fields: { target: 'task_id' }, required: ['target'] },
  cancel: { name: 'TaskStop', fields: { target: 'task_id' }, required: ['target'] },
  close: { name: 'TaskClose', fields: { target: 'task_id' }, required: ['target'] },
  resume: { name: 'TaskResume', fields: { target: 'task_id' }, required: ['target'] },
  list: { name: 'AgentList', fields: { status: 'status', offset: 'offset', limit: 'limit' }, required: [] },
  read: { name: 'AgentResult', fields: { target: 'task_id', offset: 'offset', limit: 'limit' }, required: ['target'] },
};

const CODEX: Readonly<Record<Operation, Naming>> = {
  spawn: {
    name: 'spawn_agent',
    fields: { label: 'task_name', instructions: 'message', agent: 'agent_type' },
    required: ['instructions'],
    background: true,
  },
  wait: { name: 'wait_agent', fields: { targets: 'targets', timeoutMs: 'timeout_ms' }, required: [] },
  send: { name: 'send_message', fields: { target: 'target', message: 'message', mode: 'mode' }, required: ['target', 'message'] },
  interrupt: { name: 'interrupt_agent', fields: { target: 'target' }, required: ['target'] },
  cancel: { name: 'cancel_agent', fields: { target: 'target' }, required: ['target'] },
  close: { name: 'close_agent', fields: { target: 'target' }, required: ['target'] },
  resume: { name: 'resume_agent', fields: { target: 'target' }, required: ['target'] },
  list: { name: 'list_agents', fields: { status: 'status', offset: 'offset', limit: 'limit' }, required: [] },
  read: { name: 'read_agent_result', fields: { target: 'target', offset: 'offset', limit: 'limit' }, required: ['target'] },
};

/** Each preset with the tools that its product has; the rest go by our names where `include` asks for them. */
const TABLES: Readonly<Record<ToolPreset, PresetTable>> = {
  subagents: { tools: OURS, usual: OPERATIONS },
  claude: { tools: CLAUDE, usual: ['spawn', 'wait', 'send', 'cancel', 'read'], ask: 'AskParent' },
  codex: { tools: CODEX, usual: ['spawn', 'wait', 'send', 'interrupt', 'close', 'resume', 'list', 'read'] },
  opencode: {
    tools: {
      ...OURS,
      spawn: {
        name: 'task',
        fields: { label: 'description', instructions: 'prompt', agent: 'subagent_type', continues: 'task_id', background: 'background' },
        required: ['label', 'instructions'],
      },
    },
    usual: ['spawn', 'read'],
  },
  nanobot: {
    tools: {
      ...OURS,
      spawn: { name: 'spawn', fields: { instructions: 'task', label: 'label' }, required: ['instructions'], background: true },
    },
    usual: ['spawn'],
  },
  oxide: {
    tools: {
      ...OURS,
      spawn: {
        name: 'delegate_to_sub_agent',
        fields: { instructions: 'task', contextHint: 'context', tools: 'tools' },
        required: ['instructions', 'tools'],
      },
    },
    usual: ['spawn'],
    format: 'json',
  },
  calute: {
    tools: {
      ...CODEX,
      spawn: {
        name: 'spawn_agent',
        fields: { instructions: 'message', agent: 'agent_id', profile: 'prompt_profile', nickname: 'nickname' },
        required: [],
        background: true,
      },
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
  return TABLES[preset];
}

/** The name of the tool by which a sub-agent's model asks. */
export function askNameOf(preset: ToolPreset): string {
  return TABLES[preset].ask ?? ASK_TOOL.name;
}

/** The longest that a model may wait in one call, in milliseconds. */
export const MAX_WAIT_MS = 600_000;
/** The most that one page of a result or of a list may have: characters, sub-agents. */
export const MAX_PAGE = { characters: 16_000, agents: 100 } as const;

/** What each parameter is to the model. */
export const SCHEMAS: Readonly<Record<Meaning, FieldSchema>> = {
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
};
