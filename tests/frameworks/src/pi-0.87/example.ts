import { Agent, type AgentTool, type StreamFn } from '@earendil-works/pi-agent-core';
import type { Model } from '@earendil-works/pi-ai';
import { type Run, SubAgentManager } from 'subagents';
import { piAgent } from 'subagents/pi';

/** A model and what calls it. */
export interface Caller {
  model: Model<string>;
  streamFn: StreamFn;
}

/** The main agent: its model gets our tools as they are. */
export function createLead({ model, streamFn }: Caller, manager: SubAgentManager) {
  return new Agent({ initialState: { model, tools: [...manager.createTools()] }, streamFn });
}

/** A manager whose sub-agents are pi agents: each with its own model and tools. */
export function createManager(callerFor: (run: Run) => Caller, tools: AgentTool[]) {
  return new SubAgentManager({
    maxConcurrent: 2,
    spawnSubAgent: piAgent((_, run) => {
      const { model, streamFn } = callerFor(run);
      return new Agent({ initialState: { model, tools }, streamFn });
    }),
  });
}
