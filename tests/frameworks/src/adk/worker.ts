import { type BaseLlm, type BaseTool, InMemoryRunner, LlmAgent } from '@google/adk';
import type { SpawnSubAgent } from 'subagents';
import { turnResult } from 'subagents/adk';

/** Agents of ADK as sub-agents: each run is one agent's call. */
export function adkWorker(model: BaseLlm, tools: BaseTool[]): SpawnSubAgent {
  return async (_, run) => {
    const agent = new LlmAgent({ name: 'worker', model, instruction: run.systemPrompt, tools });
    const runner = new InMemoryRunner({ agent, appName: 'worker' });
    const { id: sessionId } = await runner.sessionService.createSession({ appName: 'worker', userId: run.taskId });
    const newMessage = { role: 'user', parts: [{ text: run.prompt }] };
    let result = turnResult('');
    for await (const event of runner.runAsync({ userId: run.taskId, sessionId, newMessage, abortSignal: run.signal })) {
      const text = event.content?.parts?.map((part) => part.text ?? '').join('') ?? '';
      const error = event.errorMessage ?? event.errorCode;
      run.report({ ...event.usageMetadata, modelId: model.model, ...(text.trim() !== '' && { message: text }) });
      const ended = turnResult(text, event.finishReason ?? event.errorCode);
      // The last event is the result; if it failed, what was said before is the partial output.
      result = error === undefined ? ended : { ...ended, status: (ended.error && ended.status) ?? 'incomplete', error };
    }
    return result;
  };
}
