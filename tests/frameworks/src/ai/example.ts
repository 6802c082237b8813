import { type LanguageModel, ToolLoopAgent, type ToolSet } from 'ai';
import { type Run, SubAgentManager } from 'subagents';
import { toolLoopAgent } from 'subagents/ai-sdk';

/** The main agent: its model gets our tools as they are. */
export function createLead(model: LanguageModel, manager: SubAgentManager) {
  return new ToolLoopAgent({ model, tools: manager.createTools() });
}

/** A manager whose sub-agents are agents of the AI SDK: each with its own model and tools. */
export function createManager(modelFor: (run: Run) => LanguageModel, tools: ToolSet) {
  return new SubAgentManager({
    maxConcurrent: 2,
    spawnSubAgent: toolLoopAgent((_, run) => new ToolLoopAgent({ model: modelFor(run), tools })),
  });
}
