import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { type StructuredToolInterface, tool } from '@langchain/core/tools';
import { createAgent } from 'langchain';
import { type Run, SubAgentManager } from 'subagents';
import { langchainTools, langgraphAgent } from 'subagents/langchain';

/** The main agent, with our tools. `createDeepAgent({ model, tools })` takes them as well. */
export function createLead(model: BaseChatModel, manager: SubAgentManager) {
  return createAgent({ model, tools: langchainTools(tool, manager.createTools()) });
}

/** A manager whose sub-agents are LangGraph agents: each with its own model and tools. */
export function createManager(modelFor: (run: Run) => BaseChatModel, tools: StructuredToolInterface[]) {
  return new SubAgentManager({
    maxConcurrent: 2,
    spawnSubAgent: langgraphAgent((_, run, { middleware, responseFormat }) =>
      createAgent({ model: modelFor(run), tools, middleware: [middleware], responseFormat }),
    ),
  });
}
