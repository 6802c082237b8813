import { InMemoryRunner } from '@google/adk';
import type { SubAgentManager } from 'subagents';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import type { Framework } from './framework.js';

export const frameworks: Framework[] = [
  {
    name: 'ADK 2.0',
    sequential: true,
    noProgress: 'a tool has no way to tell',
    async lead({ tools, think, prompt, signal }) {
      const agent = createLead(new FakeModel(think), { createTools: () => tools } as unknown as SubAgentManager);
      const runner = new InMemoryRunner({ agent, appName: 'test' });
      const session = await runner.sessionService.createSession({ appName: 'test', userId: 'user' });
      let text = '';
      const newMessage = { role: 'user', parts: [{ text: prompt }] };
      const given = { userId: 'user', sessionId: session.id, newMessage, ...(signal && { abortSignal: signal }) };
      for await (const event of runner.runAsync(given)) text = (event.content?.parts ?? []).map((part) => part.text ?? '').join('') || text;
      return text;
    },
  },
];
