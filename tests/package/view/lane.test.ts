// A lane shows a run as stopping from the request to its end (C1), whatever it waits for or takes up until then.

import { expect, test } from 'vitest';
import { SubAgentManager } from '../../../dist/index.js';
import { View } from '../../../dist/view/index.js';

test('a cancelled lead that was parked for its sub-agent is stopping until its end', async () => {
  const manager: SubAgentManager = new SubAgentManager({
    maxDepth: 2,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'lead')
        await run
          .spawn({ instructions: 'below' })
          .wait()
          .catch(() => undefined);
      else await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      await new Promise((resolve) => setTimeout(resolve, 5));
      return { output: 'late' };
    },
  });
  const view = new View();
  const types: string[] = [];
  manager.subscribe((event) => {
    view.add(event);
    types.push(event.type);
  });
  const lead = manager.spawn({ instructions: 'lead', background: true });
  await new Promise((resolve) => setTimeout(resolve, 5));
  await lead.cancel();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(types).toContain('run_reentered');
  const { segments } = view.lane(lead);
  expect(segments.map(({ state }) => state)).toEqual(['queued', 'running', 'parked', 'stopping']);
  expect(segments.at(-1)?.to).not.toBeNull();
  manager.dispose();
});
