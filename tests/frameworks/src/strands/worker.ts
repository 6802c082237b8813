import { Agent, type Model, type ToolList } from '@strands-agents/sdk';
import type { SpawnSubAgent } from 'subagents';
import { turnResult } from 'subagents/strands';

/** Agents of Strands as sub-agents: each run is one agent's call. */
export function strandsWorker(model: Model, tools: ToolList): SpawnSubAgent {
  return async (_, run) => {
    const agent = new Agent({ model, tools, systemPrompt: run.systemPrompt, printer: false });
    const { lastMessage, stopReason, metrics } = await agent.invoke(run.prompt, { cancelSignal: run.signal });
    const text = lastMessage.content.map((block) => (block.type === 'textBlock' ? block.text : '')).join('');
    return { ...turnResult(text, stopReason), usage: { ...metrics?.accumulatedUsage, modelId: model.modelId } };
  };
}
