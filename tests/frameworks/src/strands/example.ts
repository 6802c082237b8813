import { Agent, FunctionTool, type Model } from '@strands-agents/sdk';
import type { SubAgentManager } from 'subagents';
import { strandsTools } from 'subagents/strands';

/** The main agent, with our tools. */
export function createLead(model: Model, manager: SubAgentManager) {
  return new Agent({ model, tools: strandsTools(FunctionTool, manager.createTools()), printer: false });
}
