/** What both start-up children do once they have the class: one manager, one sub-agent, its result. */

'use strict';

async function firstCall(SubAgentManager) {
  const manager = new SubAgentManager({
    spawnSubAgent: async ({ instructions }) => ({
      output: `Did: ${instructions}`,
      status: 'completed',
      usage: { tokens: 10, turns: 1, cost: 0.0001 },
    }),
  });
  const result = await manager.spawn({ instructions: 'Read README.md and say what it is about.' }).wait();
  if (result.status !== 'completed') throw new Error(`Expected the first call to complete, got ${result.status}`);
  manager.dispose();
}

module.exports = { firstCall };
