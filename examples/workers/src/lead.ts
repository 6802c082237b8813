// A lead: the process with the manager. It has the journal in Redis, so that the next lead can begin on any machine. SIGTERM
// hands over: nothing new is begun, what was decided is kept, the workers go on.
import { Redis } from 'ioredis';
import { isSubAgentError, type OpenOptions, SubAgentManager } from 'subagents';
import { bullmqWorkers } from 'subagents/bullmq';
import { redisStore } from 'subagents/store/redis';

const TEXTS = ['Ada', 'Bea', 'Cid', 'Dan', 'Eve', 'Fay', 'Gil', 'Hal', 'Ida', 'Jon'].map((name) => `the diary of ${name}`);

const [name = 'lead', queue = 'diaries', url = ''] = process.argv.slice(2);
const client = new Redis(url, { maxRetriesPerRequest: null });
const workers = bullmqWorkers({ connection: url, queue });
const say = (text: string): boolean => process.stdout.write(`${name}: ${text}\n`);

/** Until the lead before has let its journal go. */
async function openWhenFree(options: Omit<OpenOptions, 'store'>): Promise<SubAgentManager> {
  for (;;) {
    try {
      return await SubAgentManager.open({ ...options, store: redisStore(client, { key: queue, leaseMs: 5_000 }) });
    } catch (error) {
      if (!isSubAgentError(error, 'store_locked')) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

// If the process that started this one is gone, nothing waits for it, and its Redis goes as well.
const abandoned = (): never => process.exit(1);
process.once('disconnect', abandoned);

let isLeaving = false;
process.on('SIGTERM', () => {
  if (isLeaving) return;
  isLeaving = true;
  void leave().catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 1;
  });
});

const manager = await openWhenFree({
  onHostLost: 'resume',
  maxConcurrent: 6,
  budget: { tokens: 1_000_000 },
  spawnSubAgent: workers.spawnSubAgent,
});
await workers.ready();

async function leave(): Promise<void> {
  say('hands over');
  // First the queue, so that the workers aren't told to stop; then the journal.
  await workers.close();
  await manager[Symbol.asyncDispose]();
  client.disconnect();
}

say('leads');
let ended = 0;
manager.subscribe((event) => {
  if (event.type !== 'run_ended') return;
  ended += 1;
  if (ended === 4) process.send?.('half');
});
// The key makes it the same sub-agent for every lead: what has been read is not read again.
const tasks = TEXTS.map((text) => manager.spawn({ instructions: text, idempotencyKey: text, background: true }));
try {
  for (const task of tasks) {
    const result = await task.wait();
    say(`${result.output || result.error} (${result.status})`);
  }
  const { tokens } = manager.budget();
  say(`${tasks.length} texts are read, with ${tokens.spent} tokens; in this process ${ended} runs ended`);
  await manager.drain();
  await leave();
} catch (error) {
  // What waits is rejected when this lead leaves; the next one waits for the same.
  if (!isLeaving) throw error;
}
process.off('disconnect', abandoned);
if (process.connected) process.disconnect();
