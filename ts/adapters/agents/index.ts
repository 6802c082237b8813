// The entry `subagents/agents`: existing agents, each in its own process, as sub-agents.

export { type AcpAgentOptions, acpAgent } from './acp-agent.js';
export type { AcpMcpServer, AcpPermissionOption, AcpPermissionRequest, AcpToolCall } from './acp-types.js';
export { type CommandAgentOptions, commandAgent } from './command-agent.js';
export { findAgent, type ProcessAgentOptions } from './options.js';
export type { Permission, PermissionAnswer, PermissionRule } from './permissions.js';
export type { AcpProfile, AgentProfile, CommandForm, CommandLine, CommandState, ProfileName, WithoutServer } from './profile.js';
export { profiles } from './profiles.js';
export { type WorktreeOptions, type Worktrees, worktrees } from './worktrees.js';
