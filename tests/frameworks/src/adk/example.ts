import { type BaseLlm, FunctionTool, LlmAgent } from '@google/adk';
import type { SubAgentManager } from 'subagents';
import { adkTools } from 'subagents/adk';

/** The main agent, with our tools. */
export function createLead(model: BaseLlm, manager: SubAgentManager) {
  return new LlmAgent({ name: 'lead', model, instruction: 'Delegate.', tools: adkTools(FunctionTool, manager.createTools()) });
}
