// A lead in a process of its own, for tests that kill it: it spawns what it is asked to and then only lives.

import { SubAgentManager } from '../../dist/index.js';
import { fileStore } from '../../dist/stores/file.js';
import { bullmqWorkers } from '../../dist/workers/bullmq.js';

const { store, queue, connection, spawns, ...options } = JSON.parse(process.argv[2]);
// The test that started it is gone.
process.once('disconnect', () => process.exit());
const lead = bullmqWorkers({ queue, connection, reconcileMs: 200 });
const manager = await SubAgentManager.open({ ...options, store: fileStore(store), spawnSubAgent: lead.spawnSubAgent });
const ids = spawns.map((instructions) => manager.spawn({ instructions, background: true }).taskId);
await manager.flush();
process.send(ids);
