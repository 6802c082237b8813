// A batch of documents over a file store, to be killed and started again. `batch-child.mjs PATH LOG COUNT TOKENS KILL`: it kills
// itself once so many documents are done. Each line of the log says what was done: `call` and `act` in the host function,
// `end` for each document, `over` at last.

import { openSync, writeSync } from 'node:fs';
import { SubAgentManager } from '../../dist/index.js';
import { fileStore } from '../../dist/stores/file.js';

const [, , path, log, count, tokens, killAfter] = process.argv;
const out = openSync(log, 'a');
const say = (...words) => writeSync(out, `${words.join(' ')}\n`);
let done = 0;

const manager = await SubAgentManager.open({
  store: fileStore(path),
  onHostLost: 'requeue',
  maxConcurrent: 50,
  // A process that is killed is no fault of the runs that were at work.
  maxLost: 10,
  turnEstimate: 300,
  budget: { tokens: Number(tokens) },
  spawnSubAgent: async ({ instructions }, run) => {
    const permit = await run.beforeTurn();
    if (!permit.go) return { output: '', status: 'failed', error: permit.reason };
    say('call', instructions);
    await new Promise((resolve) => setTimeout(resolve, 1));
    say('act', run.idempotencyKey('save'));
    run.report({ tokens: 300 });
    return { output: `summary of ${instructions}` };
  },
});

async function one(index) {
  const options = { instructions: `doc-${index}`, idempotencyKey: `doc-${index}`, retryEnded: true };
  try {
    const { status, stopReason } = await manager.spawn(options).wait();
    say('end', options.instructions, status === 'completed' ? 'done' : stopReason);
    done += 1;
    if (done === Number(killAfter)) process.kill(process.pid, 'SIGKILL');
  } catch (error) {
    say('end', options.instructions, error.code);
  }
}

await Promise.all(Array.from({ length: Number(count) }, (_, index) => one(index)));
say('over', manager.budget().tokens.spent);
await manager[Symbol.asyncDispose]();
