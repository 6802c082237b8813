import { Agent, type Model, type Runner, type Tool } from '@openai/agents';
import { type Run, SubAgentManager } from 'subagents';
import { openaiAgent, openaiTools } from 'subagents/openai';

/** The main agent, with our tools. Its own stand beside them: `tools: [...own, ...openaiTools(…)]`. */
export function createLead(model: Model, manager: SubAgentManager) {
  return new Agent({ name: 'lead', model, tools: openaiTools(manager.createTools()) });
}

/** A manager whose sub-agents are agents of OpenAI Agents: each with its own model and tools. `openaiAgent(runner, agent)` takes one that exists. */
export function createManager(runner: Runner, modelFor: (run: Run) => Model, tools: Tool[]) {
  return new SubAgentManager({
    maxConcurrent: 2,
    spawnSubAgent: openaiAgent(runner, (_, run) => new Agent({ name: 'worker', model: modelFor(run), tools })),
  });
}
