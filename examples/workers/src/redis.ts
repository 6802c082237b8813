// Where Redis is: the one that is given, or one of the example's own, which listens at no port, only at a file in a folder of its
// own, and ends with the example, however that ends. Nothing waits for it to be there: leads and workers do that by themselves.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { Redis } from 'ioredis';

export const NO_REDIS = `This example needs Redis, and redis-server is not on the PATH. Install it, or name one that runs:
  apt-get install redis-server      (macOS: brew install redis)
  docker run --rm -p 6379:6379 redis:7    and    REDIS_URL=redis://127.0.0.1:6379 npm run start:workers
`;

/** Its standard input closes with the example, also where that is killed: then it ends Redis, and removes the folder. */
const UNTIL_CLOSED = 'folder="$1"; shift; redis-server "$@" & cat > /dev/null; kill $!; wait $!; rm -rf "$folder"';

export interface RunningRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** A lead and its workers would wait for it; who has just named it wants to know. */
async function reached(url: string): Promise<void> {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  let why = '';
  client.on('error', (error: Error) => {
    why = error.message;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw new Error(`No Redis answers at ${url}: ${why || (error as Error).message}`);
  } finally {
    client.disconnect();
  }
}

/** Undefined where none is given and none can be started. */
export async function openRedis(given: string | undefined): Promise<RunningRedis | undefined> {
  if (given !== undefined && given !== '') {
    await reached(given);
    return { url: given, stop: async () => undefined };
  }
  // What starts it and ends it is a shell, which Windows hasn't.
  if (process.platform === 'win32' || spawnSync('redis-server', ['--version']).error !== undefined) return undefined;
  const folder = await mkdtemp(path.join(tmpdir(), 'subagents-'));
  const socket = path.join(folder, 'redis.sock');
  // `appendfsync always`: what Redis has answered is on the disk.
  const args = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  // Detached: Ctrl-C in the terminal reaches the example alone, which ends it last.
  const server = spawn('sh', ['-c', UNTIL_CLOSED, 'sh', folder, ...args], { stdio: ['pipe', 'ignore', 'inherit'], detached: true });
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    server.stdin.end();
    await ended;
  };
  return { url: `unix://${socket}`, stop };
}
