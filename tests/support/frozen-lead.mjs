// A lead that freezes itself by SIGSTOP amid a decision, and goes on with that decision when it is woken: by then another leads,
// and what it says comes late. `freezes` is 'cancel', 'turn' or nothing.

import { isSubAgentError, SubAgentManager } from '../../dist/index.js';
import { redisStore } from '../../dist/stores/redis.js';
import { bullmqWorkers } from '../../dist/workers/bullmq.js';
import { client, connection, freeze, say, told } from './freezing.mjs';

const { queue, freezes, durability, instructions } = told;

let turns = 0;
const policy = {
  name: 'late',
  beforeTurn() {
    turns += 1;
    if (freezes !== 'turn' || turns < 2) return undefined;
    freeze();
    return { action: 'block', reason: 'a late word' };
  },
};

const workers = bullmqWorkers({ connection, queue, reconcileMs: 300 });
async function open() {
  for (;;) {
    const store = redisStore(client, { key: queue, leaseMs: 1_000 });
    const options = { store, durability, onHostLost: 'resume', policies: { subAgents: [policy] }, spawnSubAgent: workers.spawnSubAgent };
    try {
      return await SubAgentManager.open(options);
    } catch (error) {
      if (!isSubAgentError(error, 'store_locked')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const manager = await open();
const handle = manager.spawn({ instructions, idempotencyKey: 'one' });
await manager.flush();
await workers.ready();
if (freezes === undefined) say('leads');
process.on('message', () => {
  freeze();
  manager.cancel(handle.taskId).catch(() => undefined);
});
try {
  const { status, output } = await handle.wait();
  process.send({ status, output });
  await workers.close();
  await manager[Symbol.asyncDispose]();
} catch (error) {
  process.send({ code: error.code });
}
// What it says has time to go out.
setTimeout(() => process.exit(), 500);
