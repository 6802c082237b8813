// The one command: Redis, a lead, three workers, and in the middle of the work a deploy of both. Owns the processes; what
// they do is in lead.ts and worker.ts.
import { type ChildProcess, fork } from 'node:child_process';
import { parseArgs } from 'node:util';

import { Redis } from 'ioredis';

import { NO_REDIS, openRedis } from './redis.js';

const EXIT = { done: 0, failed: 1, misused: 2, SIGINT: 130, SIGTERM: 143 };
const SAME_PRESS_MS = 500;
const HELP = `npm run start:workers                  a lead and three workers read ten texts; both are deployed in mid-work
npm run start:workers -- --kill        one worker is killed instead, and its runs are taken over
npm run start:workers -- --no-deploy   neither
REDIS_URL=redis://host:port            a Redis of your own; otherwise redis-server is started at no port

Exit codes: 0 all is read, 1 it failed, 2 wrong usage, or no Redis, 130 stopped by Ctrl-C, 143 by SIGTERM.
`;

/** Of this start alone: in a Redis of yours, what an earlier one has read would count as read. */
const QUEUE = `diaries-${process.pid}-${Date.now()}`;
const children = new Set<ChildProcess>();
/** Once a person or the system wants it to stop; nothing is started any more. */
const stop = new AbortController();
let lastAt = Number.NEGATIVE_INFINITY;
function press(signal: NodeJS.Signals): void {
  // npm passes Ctrl-C on although the terminal has sent it already; one press is one signal. A second one ends it.
  if (Date.now() - lastAt <= SAME_PRESS_MS) return;
  lastAt = Date.now();
  if (stop.signal.aborted) process.exit(EXIT.SIGINT);
  stop.abort(signal);
}
process.on('SIGINT', press).on('SIGTERM', press);

function start(program: 'lead' | 'worker', name: string, url: string): ChildProcess {
  if (stop.signal.aborted) throw new Error('it was stopped');
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

/** The work, with a deploy or a kill in the middle; the exit code of the last lead. */
async function work(url: string, how: 'deploy' | 'kill' | 'neither'): Promise<number | null> {
  const workers = ['worker 1', 'worker 2', 'worker 3'].map((name) => start('worker', name, url));
  await Promise.all(workers.map((worker) => tells(worker, 'ready')));
  let lead = start('lead', 'lead 1', url);
  const half = tells(lead, 'half');
  // Without a deploy none asks for it.
  half.catch(() => undefined);
  if (how === 'kill') {
    await half;
    const at = await firstAmidText(workers, lead);
    say(`-- worker ${at + 1} is killed; its runs are taken over in some seconds`);
    workers[at]?.kill('SIGKILL');
  } else if (how === 'deploy') {
    // It is there before it is needed: the others go on meanwhile.
    await Promise.all([half, tells(start('worker', 'worker 4', url), 'ready')]);
    const at = await firstAmidText(workers, lead);
    say(`-- deploy: worker 4 has come, worker ${at + 1} ends what it can and hands the rest back`);
    workers[at]?.kill('SIGTERM');
    say('-- deploy: lead 2 waits for the journal, lead 1 hands over; the workers continue');
    const next = start('lead', 'lead 2', url);
    lead.kill('SIGTERM');
    await exited(lead);
    lead = next;
  }
  return exited(lead);
}

const stopped = (): Promise<null> => new Promise((resolve) => stop.signal.addEventListener('abort', () => resolve(null)));

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { deploy: { type: 'boolean' }, kill: { type: 'boolean' }, help: { type: 'boolean' } },
    allowNegative: true,
  });
  if (values.help === true) {
    process.stdout.write(HELP);
    return EXIT.done;
  }
  if (values.kill === true && values.deploy !== undefined) throw new Error('--kill is done instead of the deploy: give one of them');
  const redis = await openRedis(process.env.REDIS_URL);
  if (redis === undefined) {
    process.stderr.write(NO_REDIS);
    return EXIT.misused;
  }
  try {
    const code = await Promise.race([work(redis.url, values.kill ? 'kill' : values.deploy === false ? 'neither' : 'deploy'), stopped()]);
    if (!stop.signal.aborted) return code === 0 ? EXIT.done : EXIT.failed;
  } catch (error) {
    // What ends as it was told to is no failure.
    if (!stop.signal.aborted) {
      process.stderr.write(`${messageOf(error)}\n`);
      return EXIT.failed;
    }
  } finally {
    const ending = [...children].map(exited);
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(ending);
    await forget(redis.url);
    await redis.stop();
  }
  say('-- stopped');
  return EXIT[stop.signal.reason as 'SIGINT' | 'SIGTERM'];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

process.exitCode = await main().catch((error: unknown) => {
  process.stderr.write(`${messageOf(error)}\n`);
  return EXIT.misused;
});
