// A lead that freezes itself by SIGSTOP, once, where the test says, and that is woken when another one has its store:
// `opened`, before it takes the queue; `asks`, when it asks its store whether that is its own still; `answered`, when that is
// answered; `leads`, when it leads and has work, on a message. It reports what became of it and of its work.

import { SubAgentManager } from '../../dist/index.js';
import { redisStore } from '../../dist/stores/redis.js';
import { bullmqWorkers } from '../../dist/workers/bullmq.js';
import { client, connection, freeze, told as given, say } from './freezing.mjs';

const { queue, freezes, takeOver, durability, instructions } = given;

let hasAsked = false;
/**
 * The store. The process may freeze where it first asks it whether it is its own still. Its lease is renewed so seldom that
 * the process doesn't learn by that of the loss of its store.
 */
function store() {
  const own = redisStore(client, { key: queue, leaseMs: 120_000, takeOver });
  return {
    journal: own.journal,
    async open() {
      const { lease, ...contents } = await own.open();
      return { ...contents, lease: { isHeld: () => lease.isHeld(), renew: () => asked(lease) } };
    },
    compact: (snapshot, through) => own.compact(snapshot, through),
    close: () => own.close(),
    append: (record) => own.append(record),
  };
}

async function asked(lease) {
  const isFirst = !hasAsked;
  hasAsked = true;
  if (isFirst && freezes === 'asks') freeze();
  await lease.renew();
  if (isFirst && freezes === 'answered') freeze();
}

const [told, heard] = [[], []];
const workers = bullmqWorkers({ connection, queue, reconcileMs: 300, onError: ({ code }) => heard.push(code) });
const manager = await SubAgentManager.open({
  store: store(),
  durability,
  onHostLost: 'resume',
  maxConcurrent: 1,
  onError: ({ code }) => told.push(code),
  spawnSubAgent: workers.spawnSubAgent,
});
/** How work ended: its status, or the code of what went wrong. */
async function outcome(idempotencyKey) {
  try {
    const { status, cause } = await manager.spawn({ instructions, idempotencyKey }).wait();
    return cause?.code ?? status;
  } catch (error) {
    return error.code;
  }
}

await manager.flush();
if (freezes === 'opened') freeze();
const ready = await workers.ready().then(
  () => 'leads',
  (error) => error.code,
);
say(`${freezes ?? 'second'} ${ready}`);
const more = new Promise((resolve) => {
  process.on('message', (what) => {
    if (what === 'freeze') freeze();
    else resolve();
  });
});
const outcomes = await Promise.all(['one', 'two', 'three'].map(outcome));
if (freezes === undefined) {
  await more;
  outcomes.push(await outcome('four'));
}
process.send({ ready, outcomes, told, heard: heard.filter((code) => code === 'lead_replaced') }, () => process.exit());
