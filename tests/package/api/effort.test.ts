// How hard a model is to think, by the API of the built package (D11).

import { expect, test } from 'vitest';
import { type HostResult, type Run, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';

const done = async (): Promise<HostResult> => ({ output: 'done' });
const managed = (options: SubAgentManagerOptions = {}): SubAgentManager => new SubAgentManager({ spawnSubAgent: done, ...options });

test('D11: effort reaches the host from the spawn, else from the definition, and no child inherits it', async () => {
  const efforts: (string | undefined)[] = [];
  using manager = managed({
    maxDepth: 2,
    agents: { thinker: { description: 'thinks', effort: 'high' } },
    spawnSubAgent: async (_, run: Run) => {
      efforts.push(run.effort);
      if (run.prompt === 'nested') await run.spawn('below').wait();
      return { output: 'done' };
    },
  });
  await manager.spawn({ instructions: 'x', agent: 'thinker' }).wait();
  await manager.spawn({ instructions: 'x', agent: 'thinker', effort: 'low' }).wait();
  await manager.spawn({ instructions: 'nested', effort: 'extreme' }).wait();
  expect(efforts).toEqual(['high', 'low', 'extreme', undefined]);
  expect(() => manager.spawn({ instructions: 'x', effort: 3 as never })).toThrow('`effort`');
});
