// A process with a lead, a worker, and a run that goes on for ever, for tests of how such a process ends. It says `working`
// once the run has begun, or at once where there is no database; on `close` it closes both, says `closed`, and has to end by
// itself.

import { SubAgentManager } from '../../dist/index.js';
import { bullmqWorkers, work } from '../../dist/workers/bullmq.js';

const { connection, queue, isThere } = JSON.parse(process.argv[2]);
const lead = bullmqWorkers({ connection, queue });
let begun = () => undefined;
const hasBegun = new Promise((resolve) => {
  begun = resolve;
});
const worker = work({
  connection,
  queue,
  lostAfterMs: 1_000,
  drainMs: 100,
  async spawnSubAgent(_, run) {
    begun();
    await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
    return { output: '' };
  },
});
const manager = new SubAgentManager({ spawnSubAgent: lead.spawnSubAgent });
const { taskId } = manager.spawn({ instructions: 'x', background: true });
if (isThere) await hasBegun;
process.send('working');
await new Promise((resolve) => process.once('message', resolve));
const { status, hostStillRunning } = isThere ? {} : await manager.cancel(taskId);
manager.dispose();
await Promise.all([lead.close(), worker.close()]);
process.send({ status, hostStillRunning });
process.disconnect();
