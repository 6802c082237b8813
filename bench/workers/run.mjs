// `npm run bench:workers`: what a run in another process costs, next to plain BullMQ, which adds a job and awaits its
// result. Rounds of both are interleaved, on one Redis, with one worker process. Wall time says little on a busy
// machine; the processor time of lead, worker and Redis says more.

import { fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Queue, QueueEvents } from 'bullmq';
import Redis from 'ioredis';
import { SubAgentManager } from '../../dist/index.js';
import { memoryStore } from '../../dist/stores/memory.js';
import { bullmqWorkers } from '../../dist/workers/bullmq.js';
import { workersOptions } from '../options.mjs';

const { runs: RUNS, rounds, concurrency: CONCURRENCY, durability } = workersOptions();
const TEXT = 'x'.repeat(200);

const folder = mkdtempSync(join(tmpdir(), 'subagents-bench-'));
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
// It ends with this process, however that ends.
const endsWithStarter = fileURLToPath(new URL('../../tests/support/ends-with-starter.mjs', import.meta.url));
const args = [endsWithStarter, 'redis-server', '--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
const redis = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] });
const connection = { host: '127.0.0.1', port };
const client = new Redis({ ...connection, maxRetriesPerRequest: null });
// Until it is there.
client.on('error', () => undefined);
await client.ping();

const cpuOf = ({ user, system }) => (user + system) / 1_000;
async function redisCpu() {
  const info = await client.info('cpu');
  return ['used_cpu_sys', 'used_cpu_user'].reduce((sum, name) => sum + 1_000 * Number(info.match(new RegExp(`${name}:([\\d.]+)`))[1]), 0);
}
async function startWorker(kind, queue, turns = 0) {
  const child = fork(fileURLToPath(new URL('worker.mjs', import.meta.url)), [kind, port, queue, CONCURRENCY, turns].map(String));
  await new Promise((resolve) => child.once('message', resolve));
  const cpu = () =>
    new Promise((resolve) => {
      child.once('message', (usage) => resolve(cpuOf(usage)));
      child.send('cpu');
    });
  return { child, cpu };
}

/** Milliseconds of the clock and of the processors for each run. */
async function measured(worker, body) {
  const before = [await worker.cpu(), cpuOf(process.cpuUsage()), await redisCpu()];
  const from = performance.now();
  await body();
  const wall = performance.now() - from;
  const after = [await worker.cpu(), cpuOf(process.cpuUsage()), await redisCpu()];
  const [ofWorker, ofLead, ofRedis] = after.map((value, at) => (value - before[at]) / RUNS);
  return { wall: wall / RUNS, cpu: ofWorker + ofLead + ofRedis, lead: ofLead, worker: ofWorker, redis: ofRedis };
}

const variants = {};
{
  // A job that is gone when it is waited for is an error to BullMQ, so some stay.
  const worker = await startWorker('plain', 'plain');
  const queue = new Queue('plain', { connection });
  queue.setMaxListeners(0);
  const events = new QueueEvents('plain', { connection });
  events.setMaxListeners(0);
  await events.waitUntilReady();
  variants['plain BullMQ'] = {
    worker,
    run: () =>
      Promise.all(
        Array.from({ length: RUNS }, async () => {
          const job = await queue.add('run', { text: TEXT }, { removeOnComplete: 2 * RUNS });
          return job.waitUntilFinished(events);
        }),
      ),
    end: () => Promise.all([queue.close(), events.close()]),
  };
}
for (const [name, turns] of [
  ['a run of ours', 0],
  ['a run of two turns', 2],
]) {
  const queue = `ours-${turns}`;
  const worker = await startWorker('ours', queue, turns);
  const lead = bullmqWorkers({ connection, queue });
  const manager = await SubAgentManager.open({
    store: memoryStore(),
    durability,
    maxConcurrent: RUNS,
    spawnSubAgent: lead.spawnSubAgent,
  });
  await lead.ready();
  variants[name] = {
    worker,
    run: () => Promise.all(Array.from({ length: RUNS }, () => manager.spawn({ instructions: TEXT }).wait())),
    async end() {
      await lead.close();
      manager.dispose();
    },
  };
}

const results = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
for (let round = 0; round <= rounds; round += 1) {
  for (const [name, { worker, run }] of Object.entries(variants)) {
    const result = await measured(worker, run);
    // The first one warms up.
    if (round > 0) results[name].push(result);
  }
}
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const plain = results['plain BullMQ'];
for (const [name, list] of Object.entries(results)) {
  const ratio = (key) => median(list.map((one, at) => one[key] / plain[at][key])).toFixed(2);
  const figure = (key) => `${(1_000 * median(list.map((one) => one[key]))).toFixed(0)} µs`;
  const parts = `lead ${figure('lead')}, worker ${figure('worker')}, Redis ${figure('redis')}`;
  process.stdout.write(`${name}: ${figure('wall')} (${ratio('wall')} ×), processors ${figure('cpu')} (${ratio('cpu')} ×): ${parts}\n`);
}
for (const { end, worker } of Object.values(variants)) {
  await end();
  worker.child.kill('SIGKILL');
}
client.disconnect();
redis.stdin.end();
rmSync(folder, { recursive: true, force: true });
