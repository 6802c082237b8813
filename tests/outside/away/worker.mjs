// A worker of a life: its host functions do what their plan says, and write down what they do.

import { openSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { endOf, spawnOf, wordFor } from './plan.mjs';

const { folder, place, port, queue } = JSON.parse(process.argv[2]);
// Whoever started it is gone.
process.once('disconnect', () => process.exit());
const file = openSync(`${place}/log`, 'a');
const log = (what, entry) => writeSync(file, `${JSON.stringify({ what, pid: process.pid, ...entry })}\n`);
process.on('unhandledRejection', (error) => log('fault', { error: `a worker: ${error?.stack ?? error}` }));
const { work } = createRequire(`${folder}/package.json`)('subagents/bullmq');
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function spawnSubAgent(_, run) {
  // What a lead has said, and the next one says again, comes when the run has ended, and begins another.
  if (!run.prompt.startsWith('{')) return { output: `${run.label} is done` };
  const task = JSON.parse(run.prompt);
  log('host', { name: task.name, run: run.run, key: run.idempotencyKey('pay') });
  let received = run.checkpointed?.heard ?? false;
  const turn = async () => {
    const permit = await run.beforeTurn();
    if (permit.go) {
      received ||= permit.inject?.some((text) => text.includes(wordFor(task))) === true;
      return permit;
    }
    // What is returned now counts where the program has cancelled it, and not where another worker has it.
    await pause(1);
    return undefined;
  };
  const report = ({ tokens, costUsd, told, of }) => {
    log('report', { name: task.name, tokens, costUsd, of });
    run.report(told);
  };
  for (let at = run.checkpointed?.at ?? 0; at < task.turns.length; at++) {
    if ((await turn()) === undefined) return { output: 'stopped', status: 'cancelled' };
    await pause(task.turns[at].ms);
    report(task.turns[at]);
    for (const child of task.children) {
      if (child.at !== at) continue;
      const handle = await run.spawn({ ...spawnOf(child.task), background: child.background });
      if (!child.background) await handle.wait();
    }
    if (task.checkpoints) await run.checkpoint({ at: at + 1, heard: received });
  }
  if (task.kind === 'stuck' && !run.signal.aborted) await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
  if (task.kind === 'listens') {
    while (!received) {
      if ((await turn()) === undefined) return { output: 'stopped', status: 'cancelled' };
      report({ tokens: 0, costUsd: 0, told: { tokens: 0, costUsd: 0 } });
      await pause(20);
    }
  }
  const { threw, ...result } = endOf(task);
  if (threw !== undefined) throw new Error(threw);
  return result;
}

const worker = work({
  connection: { host: '127.0.0.1', port },
  queue,
  concurrency: 2,
  lostAfterMs: 3_000,
  drainOn: [],
  // A network like this one loses connections all the time.
  onError: () => undefined,
  spawnSubAgent,
});
await worker.ready();
process.send('ready');
