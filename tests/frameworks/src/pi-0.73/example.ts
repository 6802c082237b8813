import { Agent, type AgentTool } from '@mariozechner/pi-agent-core';
import type { Model } from '@mariozechner/pi-ai';
import { type Run, SubAgentManager } from 'subagents';
import { piAgent } from 'subagents/pi';

/** The main agent: its model gets our tools as they are. */
export function createLead(model: Model<string>, manager: SubAgentManager) {
  return new Agent({ initialState: { model, tools: [...manager.createTools()] } });
}

/** A manager whose sub-agents are pi agents: each with its own model and tools. */
export function createManager(modelFor: (run: Run) => Model<string>, tools: AgentTool[]) {
  return new SubAgentManager({
    maxConcurrent: 2,
    spawnSubAgent: piAgent((_, run) => new Agent({ initialState: { model: modelFor(run), tools } })),
  });
}
