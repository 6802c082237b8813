// The entry `subagents/agents`: agents that exist already, each in a process of its own, as sub-agents.

export { type AcpAgentOptions, acpAgent } from './acp-agent.js';
export type { AcpMcpServer, AcpPermissionOption, AcpPermissionRequest, AcpToolCall } from './acp-types.js';
export { type CommandAgentOptions, commandAgent } from './command-agent.js';
export { findAgent, type ProcessAgentOptions } from './options.js';
export type { Permission, PermissionAnswer, PermissionRule } from './permissions.js';
export type { AcpProfile, AgentProfile, CommandForm, CommandLine, CommandState, ProfileName, WithoutServer } from './profile.js';
export { profiles } from './profiles.js';
export { type WorktreeOptions, type Worktrees, worktrees } from './worktrees.js';
