// A lead of a life: opens the store once the lead before it is gone, asks for all that the plan has, and waits for the ends. What
// it gets is written down.

import { openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { OPTIONS, planOf, RATES, spawnOf, wordFor } from './plan.mjs';

const { folder, place, port, queue, seed } = JSON.parse(process.argv[2]);
process.once('disconnect', () => process.exit());
const file = openSync(`${place}/log`, 'a');
const log = (what, entry) => writeSync(file, `${JSON.stringify({ what, pid: process.pid, ...entry })}\n`);
process.on('unhandledRejection', (error) => log('fault', { error: `a lead: ${error?.stack ?? error}` }));
const require = createRequire(`${folder}/package.json`);
const { SubAgentManager } = require('subagents');
const { fileStore } = require('subagents/store/file');
const { bullmqWorkers } = require('subagents/bullmq');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const workers = bullmqWorkers({
  connection: { host: '127.0.0.1', port },
  queue,
  reconcileMs: 300,
  maxLosses: 1_000,
  onError: () => undefined,
});
const manager = await SubAgentManager.open({
  ...OPTIONS,
  rates: RATES,
  store: fileStore(`${place}/journal`, { waitMs: 100_000 }),
  onHostLost: 'resume',
  spawnSubAgent: workers.spawnSubAgent,
  retain: 100_000,
  maxMessages: 100,
  budget: { tokens: 1_000_000, costUsd: 1_000 },
  // Some tasks say nothing of money.
  onError: (error) => error?.code === 'cost_unknown' || log('fault', { error: `the manager: ${error?.message ?? error}` }),
});
log('opened', {});
const plan = planOf(seed);
const handles = plan.map((task) => manager.spawn(spawnOf(task)));
await manager.flush();
log('spawned', {});

/** The program acts on those that only end so. What it has done before it was killed may be done twice. */
async function actOn(task, handle) {
  while (handle.status === 'pending') await pause(10);
  if (task.kind === 'stuck') await handle.cancel({ graceMs: 100_000 });
  else if (handle.status === 'running') handle.send(wordFor(task), { mode: 'steer' });
}

await Promise.all(
  plan.map(async (task, at) => {
    const handle = handles[at];
    const acts = task.kind === 'stuck' || task.kind === 'listens' ? actOn(task, handle) : undefined;
    const { status, stopReason, output, error } = await handle.wait();
    log('told', { name: task.name, status, reason: stopReason, output, error });
    await acts;
  }),
);
// Work in the background may be left below them.
for (;;) {
  const open = manager.list().items.filter(({ status }) => ['pending', 'running'].includes(status));
  if (open.length === 0) break;
  await manager.wait(
    open.map(({ taskId }) => taskId),
    { mode: 'all', timeoutMs: Number.POSITIVE_INFINITY },
  );
}
await manager.flush();
const tasks = manager.list().items.map(({ taskId, label, parentId, status, stopReason, output, error, budget, hostStillRunning }) => ({
  taskId,
  name: label,
  parentId,
  status,
  reason: stopReason,
  output,
  error,
  hostStillRunning,
  spent: { tokens: budget.tokens.spent, costUsd: budget.costUsd.spent },
}));
const { tokens, costUsd } = manager.budget();
log('final', { tasks, tokens, costUsd, info: manager.getConcurrencyInfo(), costs: manager.costs() });
await workers.close();
await manager[Symbol.asyncDispose]();
process.exit(0);
