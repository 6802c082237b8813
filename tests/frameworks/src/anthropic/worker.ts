import Anthropic from '@anthropic-ai/sdk';
import type { RunReport, SpawnSubAgent } from 'subagents';
import { turnResult } from 'subagents/anthropic';

/** A tool of a sub-agent: what the API gets of it, and what it does. */
export interface WorkerTool extends Anthropic.Tool {
  run: (input: unknown, signal: AbortSignal) => Promise<string>;
}

/** Sub-agents that call Claude by the SDK: the manager is asked before each call, and gets a report after it. */
export function claudeWorker(client: Anthropic, model: string, tools: WorkerTool[]): SpawnSubAgent {
  return async (_, run) => {
    const own = tools.filter(({ name }) => run.tools?.includes(name) ?? true);
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: run.prompt }];
    let output = '';
    for (;;) {
      const permit = await run.beforeTurn(); // waits for a slot and for budget
      if (!permit.go) return { output }; // the manager says why it ended
      for (const content of permit.inject ?? []) messages.push({ role: 'user', content });
      const request = { model, max_tokens: 4_096, system: run.systemPrompt, messages, tools: own.map(({ run: _, ...tool }) => tool) };
      const tool_choice = { type: permit.wrapUp ? 'none' : 'auto' } as const;
      const answer = await client.messages.create({ ...request, tool_choice }, { signal: run.signal }).catch((error: unknown) => {
        if (error instanceof Anthropic.RateLimitError)
          run.reportRateLimit({ retryAfterMs: 1_000 * Number(error.headers?.get('retry-after') ?? 1) });
        throw error;
      });
      output = answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      // The usage as the API says it, cached tokens among it.
      run.report({ ...(answer.usage as RunReport), message: output.trim() || undefined });
      // A turn that was cut, refused or left empty is a failure; a call of a tool in it may be cut, too.
      if (answer.stop_reason !== 'tool_use') return turnResult(output, answer.stop_reason);
      messages.push({ role: 'assistant', content: answer.content });
      const results: Anthropic.ToolResultBlockParam[] = [];
      for (const call of answer.content) {
        if (call.type !== 'tool_use') continue;
        const allowed = await run.beforeTool(call.name, call.input); // policies may refuse, or ask a person
        const content = allowed.allowed ? await use(own, call, run.signal) : allowed.reason;
        if (allowed.allowed) await run.afterTool(call.name, content);
        results.push({ type: 'tool_result', tool_use_id: call.id, content });
      }
      if (permit.wrapUp) return { output };
      messages.push({ role: 'user', content: results });
    }
  };
}

async function use(tools: WorkerTool[], { name, input }: Anthropic.ToolUseBlock, signal: AbortSignal): Promise<string> {
  const tool = tools.find((tool) => tool.name === name);
  return tool === undefined ? `There is no tool ${name}.` : tool.run(input, signal);
}
