// Where Redis is: the one that is given, or one of the example's own, which listens at no port, only at a file in a folder of its
// own, and is ended with the example. Nothing waits for it to be there: leads and workers do that by themselves.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
export const NO_REDIS = `This example needs Redis, and redis-server is not on the PATH. Install it, or name one that runs:
  apt-get install redis-server      (macOS: brew install redis)
  docker run --rm -p 6379:6379 redis:7    and    REDIS_URL=redis://127.0.0.1:6379 npm start
`;
/** A lead and its workers would wait for it; who has just named it wants to know. */
async function reached(url) {
  const client = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  let why = '';
  client.on('error', (error) => {
    why = error.message;
  });
  try {
    await client.connect();
    await client.ping();
  } catch (error) {
    throw new Error(`No Redis answers at ${url}: ${why || error.message}`);
  } finally {
    client.disconnect();
  }
}
/** Undefined where none is given and none can be started. */
export async function openRedis(given) {
  if (given !== undefined && given !== '') {
    await reached(given);
    return { url: given, stop: async () => undefined };
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'subagents-'));
  const socket = path.join(folder, 'redis.sock');
  // `appendfsync always`: what Redis has answered is on the disk.
  const args = ['--port', '0', '--unixsocket', socket, '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  // Detached: Ctrl-C in the terminal reaches the example alone, which ends it last.
  const server = spawn('redis-server', args, { stdio: ['ignore', 'ignore', 'inherit'], detached: true });
  const ended = new Promise((resolve) => server.once('close', () => resolve()));
  const isThere = await new Promise((resolve) => server.once('spawn', () => resolve(true)).once('error', () => resolve(false)));
  const stop = async () => {
    server.kill('SIGTERM');
    if (isThere) await ended;
    await rm(folder, { recursive: true });
  };
  if (isThere) return { url: `unix://${socket}`, stop };
  await stop();
  return undefined;
}
