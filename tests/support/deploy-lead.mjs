// A lead in a process of its own, for tests that deploy it: it opens the journal in Redis when the lead before has let it go,
// asks for all work under keys, and writes what it gets to a log, a line of JSON each. SIGTERM hands over.

import { openSync, writeSync } from 'node:fs';
import { Redis } from 'ioredis';
import { isSubAgentError, SubAgentManager } from '../../dist/index.js';
import { redisStore } from '../../dist/stores/redis.js';
import { bullmqWorkers } from '../../dist/workers/bullmq.js';

const { log, life, queue, port, spawns, maxConcurrent } = JSON.parse(process.argv[2]);
const file = openSync(log, 'a');
const write = (what, entry = {}) => writeSync(file, `${JSON.stringify({ at: Date.now(), life, what, ...entry })}\n`);
const connection = { host: '127.0.0.1', port };
const client = new Redis({ ...connection, maxRetriesPerRequest: null });
client.on('error', () => undefined);
// The test that started it is gone.
process.once('disconnect', () => process.exit());

const workers = bullmqWorkers({ connection, queue, reconcileMs: 300, maxLosses: 1_000 });
async function open() {
  for (;;) {
    const store = redisStore(client, { key: queue, leaseMs: 2_000 });
    // Leads die faster here than what waits for a sub-agent goes on.
    const lasting = { idleTimeoutMs: Number.POSITIVE_INFINITY, maxLost: Number.POSITIVE_INFINITY };
    const options = { store, onHostLost: 'resume', maxConcurrent, maxDepth: 2, ...lasting };
    try {
      return await SubAgentManager.open({ ...options, spawnSubAgent: workers.spawnSubAgent });
    } catch (error) {
      if (!isSubAgentError(error, 'store_locked')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const manager = await open();
let isLeaving = false;
process.once('SIGTERM', async () => {
  isLeaving = true;
  await workers.close();
  await manager[Symbol.asyncDispose]();
  write('left');
  process.exit();
});
manager.subscribe(({ type, seq, taskId, run, status, stopReason: reason }) => {
  if (type === 'run_ended' || type === 'run_retried') write('told', { type, seq, taskId, run, status, reason });
});
write('opened');
process.send('opened');

try {
  const promises = Object.entries(spawns).map(async ([key, instructions]) => {
    const handle = manager.spawn({ instructions, idempotencyKey: key });
    const { status, stopReason, output, error } = await handle.wait();
    write('promised', { key, status, stopReason, output, error });
  });
  await Promise.all(promises);
  const all = manager.list().items.map(({ taskId, parentId, status, stopReason }) => ({ taskId, parentId, status, stopReason }));
  const { active, queued, parked } = manager.getConcurrencyInfo();
  write('done', { all, active, queued, parked });
  await workers.close();
  await manager[Symbol.asyncDispose]();
  process.exit();
} catch (error) {
  // What waits is rejected when it hands over, or when another lead has taken the journal.
  if (!isLeaving) {
    write('over', { code: error.code, message: error.message });
    process.exit();
  }
}
