// What every place of the app does: a sub-agent of a manager that keeps nothing, and one of a manager that goes on with
// what the store has of those before it in the same place.

import { SubAgentManager } from 'subagents';
import { memoryStore } from 'subagents/store/memory';

const store = memoryStore();
const options = { spawnSubAgent: async ({ instructions }) => ({ output: `did ${instructions}` }) };

export async function work(instructions) {
  const plain = new SubAgentManager(options);
  const stored = await SubAgentManager.open({ ...options, store });
  try {
    return {
      plain: (await plain.spawn({ instructions }).wait()).output,
      stored: (await stored.spawn({ instructions }).wait()).output,
      kept: stored.list().items.length,
      onEdge: 'EdgeRuntime' in globalThis,
    };
  } finally {
    await plain[Symbol.asyncDispose]();
    await stored[Symbol.asyncDispose]();
  }
}
