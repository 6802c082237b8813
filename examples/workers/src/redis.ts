// Where Redis is: the one that is given, or one that is started here, on a free port of the loopback and in a folder of its
// own, and ended with the example.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

export const NO_REDIS = `This example needs Redis, and redis-server is not on the PATH.
Install it (apt-get install redis-server, brew install redis), or name one that runs: REDIS_URL=redis://127.0.0.1:6379 npm start
`;

export interface RunningRedis {
  readonly url: string;
  stop(): Promise<void>;
}

/** Undefined where none is given and none can be started. */
export async function openRedis(given: string | undefined): Promise<RunningRedis | undefined> {
  if (given !== undefined) return { url: given, stop: async () => undefined };
  const folder = await mkdtemp(path.join(tmpdir(), 'subagents-workers-'));
  const port = await freePort();
  const args = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--save',
    '',
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ];
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const isReady = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.once('exit', () => resolve(false));
    server.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes('Ready to accept connections')) resolve(true);
    });
  });
  if (!isReady) {
    await rm(folder, { recursive: true });
    return undefined;
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    async stop() {
      server.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** The address as BullMQ and ioredis take it. */
export function connectionOf(url: string): { host: string; port: number; username?: string; password?: string } {
  const { hostname, port, username, password } = new URL(url);
  return {
    host: hostname,
    port: Number(port === '' ? 6379 : port),
    ...(username !== '' && { username: decodeURIComponent(username) }),
    ...(password !== '' && { password: decodeURIComponent(password) }),
  };
}
