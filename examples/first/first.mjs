import { SubAgentManager } from 'subagents';

const manager = new SubAgentManager({
  maxConcurrent: 2,
  // Call your model here.
  spawnSubAgent: async ({ instructions }) => ({ output: `${instructions}: done`, usage: { tokens: 1_200 } }),
});
const tasks = ['a.md', 'b.md', 'c.md'].map((page) => manager.spawn(`Read ${page}`));
console.log(`${manager.getConcurrencyInfo().queued} queued`);
for (const task of tasks) console.log((await task.wait()).output);
console.log(`${manager.budget().tokens.spent} tokens spent`);
