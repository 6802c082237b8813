import { Agent } from '@mastra/core/agent';
import { type Run, SubAgentManager } from 'subagents';
import { mastraAgent } from 'subagents/mastra';

type Model = ConstructorParameters<typeof Agent>[0]['model'];
type Tools = NonNullable<ConstructorParameters<typeof Agent>[0]['tools']>;

/** The main agent: its model gets our tools as they are. */
export function createLead(model: Model, manager: SubAgentManager) {
  return new Agent({ id: 'lead', name: 'lead', instructions: 'Delegate.', model, tools: { ...manager.createTools() } });
}

/** A manager whose sub-agents are Mastra agents: each with its own model and tools. */
export function createManager(modelFor: (run: Run) => Model, tools: Tools) {
  return new SubAgentManager({
    maxConcurrent: 2,
    spawnSubAgent: mastraAgent((_, run) => new Agent({ id: 'worker', name: 'worker', instructions: '', model: modelFor(run), tools })),
  });
}
