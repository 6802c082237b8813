// The lead's process: four repairs, and what came of them.

import { SubAgentManager } from 'subagents';
import { bullmqWorkers } from 'subagents/bullmq';

const workers = bullmqWorkers({ connection: JSON.parse(process.argv[2] as string), queue: 'repairs', reconcileMs: 500 });
const manager = new SubAgentManager({ maxConcurrent: 4, budget: { tokens: 100_000 }, spawnSubAgent: workers.spawnSubAgent });
const handles = ['a', 'b', 'c', 'd'].map((instructions) => manager.spawn({ instructions }));
const results = [];
for (const handle of handles) {
  const { status, output, error, usage } = await handle.wait();
  results.push({ status, output, error, turns: usage.turns });
}
process.send?.({ results, spent: manager.budget().tokens.spent });
await workers.close();
manager.dispose();
process.disconnect();
