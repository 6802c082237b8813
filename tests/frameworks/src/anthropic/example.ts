import type Anthropic from '@anthropic-ai/sdk';
import type { SubAgentManager } from 'subagents';
import { anthropicTools } from 'subagents/anthropic';

/** The main agent: the SDK's tool runner, with our tools. */
export function runLead(client: Anthropic, manager: SubAgentManager, prompt: string, signal?: AbortSignal) {
  return client.beta.messages.toolRunner(
    {
      model: 'claude-opus-4-5',
      max_tokens: 4_096,
      messages: [{ role: 'user', content: prompt }],
      tools: anthropicTools(manager.createTools()),
    },
    signal && { signal },
  );
}
