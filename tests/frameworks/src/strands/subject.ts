import type { SubAgentManager } from 'subagents';
import { createLead } from './example.js';
import { FakeModel } from './fake.js';
import type { Framework } from './framework.js';

export const frameworks: Framework[] = [
  {
    name: 'Strands 1.19',
    async lead({ tools, think, prompt, signal, onProgress }) {
      const agent = createLead(new FakeModel(think), { createTools: () => tools } as unknown as SubAgentManager);
      const stream = agent.stream(prompt, { ...(signal && { cancelSignal: signal }) });
      for (;;) {
        const { value, done } = await stream.next();
        if (done === true) return value.lastMessage.content.map((block) => ('text' in block ? String(block.text) : '')).join('');
        if (JSON.stringify(value).includes('toolStreamEvent')) onProgress(JSON.stringify(value));
      }
    },
  },
];
