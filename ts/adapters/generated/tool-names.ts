// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Operation } from '../../tools/generated/tools.js';

/** Names that no client has for tools of its own. */
export const OWN_NAMES: Readonly<Record<Operation, string>> = {
  spawn: 'spawn_subagent',
  wait: 'wait_subagents',
  send: 'message_subagent',
  interrupt: 'interrupt_subagent',
  cancel: 'cancel_subagent',
  close: 'close_subagent',
  resume: 'resume_subagent',
  list: 'list_subagents',
  read: 'read_subagent_result',
};
/** The tools that change nothing. */
export const READS: readonly string[] = ['wait', 'list', 'read'];
/** Never handed to a sub-agent: they speak to the user or delegate around the limits. */
export const ALWAYS_BLOCKED: readonly string[] = ['spawn', 'delegate_to_sub_agent', 'message', 'send_file_to_user'];
/** Handed on only where a sub-agent may have sub-agents itself. */
export const SPAWN_TOOLS: readonly string[] = ['SubAgent', 'Agent', 'Task', 'task', 'spawn_agent'];
/** So is what else is of use only to an agent that may have sub-agents. */
export const OPERATOR_TOOLS: readonly string[] = ['wait_agents', 'wait_agent', 'TaskOutput', 'send_message', 'send_input', 'SendMessage', 'interrupt_agent', 'TaskInterrupt', 'cancel_agent', 'TaskStop', 'close_agent', 'TaskClose', 'resume_agent', 'TaskResume', 'list_agents', 'AgentList', 'read_agent_result', 'AgentResult'];
