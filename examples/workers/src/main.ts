// The one command: Redis, a lead, three workers, and in the middle of the work a deploy of both. Owns the processes; what
// they do is in lead.ts and worker.ts.
import { type ChildProcess, fork } from 'node:child_process';
import { parseArgs } from 'node:util';

import { Redis } from 'ioredis';

import { NO_REDIS, openRedis } from './redis.js';

const EXIT = { done: 0, failed: 1, misused: 2 };
const HELP = `npm start                     a lead and three workers read ten texts; both are deployed in mid-work
npm start -- --no-deploy      without the deploy
npm start -- --kill           one worker is killed instead, and its runs are taken over
REDIS_URL=redis://host:port   a Redis of your own; otherwise redis-server is started on a free port
`;

/** Of this start alone: in a Redis of yours, what an earlier one has read would count as read. */
const QUEUE = `diaries-${process.pid}-${Date.now()}`;
const children = new Set<ChildProcess>();

function start(program: 'lead' | 'worker', name: string, url: string): ChildProcess {
  const child = fork(new URL(`${program}.js`, import.meta.url), [name, QUEUE, url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}

const exited = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once('exit', resolve));
/** What a process tells by its channel: `ready`; a lead `half`, when many texts are read; a worker `reading`, when it is amid one. */
const tells = (child: ChildProcess, what: string): Promise<void> =>
  new Promise((resolve, reject) => {
    child.on('message', (message) => {
      if (message === what) resolve();
    });
    child.once('exit', (code, signal) => reject(new Error(`a process ended with ${code ?? signal} before it was ${what}`)));
  });
/** Which of the workers is the next to be amid a text. */
const firstAmidText = (workers: ChildProcess[], lead: ChildProcess): Promise<number> =>
  Promise.race([
    ...workers.map((worker, at) => tells(worker, 'reading').then(() => at)),
    exited(lead).then(() => Promise.reject(new Error('all was read before the deploy'))),
  ]);
const say = (text: string): boolean => process.stdout.write(`${text}\n`);

/** Leaves nothing of this start in a Redis that goes on. */
async function forget(url: string): Promise<void> {
  const client = new Redis(url);
  try {
    for await (const keys of client.scanStream({ match: `*${QUEUE}*` })) if (keys.length > 0) await client.unlink(keys);
  } finally {
    client.disconnect();
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { deploy: { type: 'boolean', default: true }, kill: { type: 'boolean', default: false }, help: { type: 'boolean' } },
    allowNegative: true,
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  const redis = await openRedis(process.env.REDIS_URL);
  if (redis === undefined) {
    process.stderr.write(NO_REDIS);
    return EXIT.misused;
  }
  try {
    const workers = ['worker 1', 'worker 2', 'worker 3'].map((name) => start('worker', name, redis.url));
    await Promise.all(workers.map((worker) => tells(worker, 'ready')));
    let lead = start('lead', 'lead 1', redis.url);
    const half = tells(lead, 'half');
    // Without a deploy none asks for it.
    half.catch(() => undefined);
    if (values.kill) {
      await half;
      const at = await firstAmidText(workers, lead);
      say(`-- worker ${at + 1} is killed; its runs are taken over in some seconds`);
      workers[at]?.kill('SIGKILL');
    } else if (values.deploy) {
      // It is there before it is needed: the others go on meanwhile.
      await Promise.all([half, tells(start('worker', 'worker 4', redis.url), 'ready')]);
      const at = await firstAmidText(workers, lead);
      say(`-- deploy: worker 4 has come, worker ${at + 1} ends what it can and hands the rest back`);
      workers[at]?.kill('SIGTERM');
      say('-- deploy: lead 2 waits for the journal, lead 1 hands over; the workers go on meanwhile');
      const next = start('lead', 'lead 2', redis.url);
      lead.kill('SIGTERM');
      await exited(lead);
      lead = next;
    }
    return (await exited(lead)) === 0 ? EXIT.done : EXIT.failed;
  } finally {
    const ending = [...children].map(exited);
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(ending);
    await forget(redis.url);
    await redis.stop();
  }
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, () => {
    for (const child of children) child.kill('SIGTERM');
  });
}
process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  return EXIT.misused;
});
