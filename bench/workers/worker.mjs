// One worker of the bench, of plain BullMQ or ours. Its host only returns.

import { Worker } from 'bullmq';
import { work } from '../../dist/workers/bullmq.js';

const [kind, port, queue, concurrency, turns] = process.argv.slice(2);
const connection = { host: '127.0.0.1', port: Number(port) };
if (kind === 'plain') {
  const worker = new Worker(queue, async ({ data }) => ({ output: data.text, usage: { tokens: 10 } }), {
    connection,
    concurrency: Number(concurrency),
  });
  await worker.waitUntilReady();
} else {
  await work({
    connection,
    queue,
    concurrency: Number(concurrency),
    async spawnSubAgent({ instructions }, run) {
      for (let turn = 0; turn < Number(turns); turn += 1) {
        await run.beforeTurn();
        run.report({ tokens: 10 });
      }
      return { output: instructions, usage: { tokens: 10 } };
    },
  }).ready();
}
process.once('disconnect', () => process.exit());
process.on('message', () => process.send(process.cpuUsage()));
process.send('ready');
