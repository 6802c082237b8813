// A Redis for tests: Debian's redis-server on a free port of the loopback, in a folder of its own. Owns its life: it can be
// killed in mid-work and started again with what it has kept, and it ends with the process of the tests, also where that is
// killed.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPosix } from './system.js';

const endsWithStarter = fileURLToPath(new URL('ends-with-starter.mjs', import.meta.url));

/** Whether redis-server is on the PATH; its tests freeze processes and end them by signals. */
export const hasRedis = ((): boolean => {
  if (!isPosix) return false;
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

export interface TestRedis {
  readonly port: number;
  readonly connection: { host: string; port: number };
  kill(): Promise<void>;
  /** Kills it, where it runs, and starts it again: with what it has kept, or with nothing. */
  restart(options?: { empty?: boolean }): Promise<void>;
  /** It answers nothing any more, and closes no connection. */
  freeze(): void;
  stop(): Promise<void>;
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

/** @param more further options of `redis-server` */
export async function startRedis(...more: string[]): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'subagents-redis-'));
  const pidFile = join(folder, 'pid');
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
    '--pidfile',
    pidFile,
    ...more,
  ];
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(process.execPath, [endsWithStarter, 'redis-server', ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      server.stdout?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('Ready to accept connections')) resolve();
      });
      server.once('exit', () => reject(new Error(`redis-server ended: ${said}`)));
    });
    return server;
  };
  let server: ChildProcess | undefined = await start();
  const kill = async (): Promise<void> => {
    const running = server;
    if (running === undefined) return;
    server = undefined;
    await new Promise<void>((resolve) => {
      running.once('exit', () => resolve());
      running.stdin?.end();
    });
  };
  return {
    port,
    connection: { host: '127.0.0.1', port },
    async restart({ empty = false } = {}) {
      await kill();
      if (empty) rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true });
      server = await start();
    },
    kill,
    freeze: () => void process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGSTOP'),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
