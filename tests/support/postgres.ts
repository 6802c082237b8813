// A Postgres for tests: Debian's, on a free port of the loopback, in a folder of its own. Owns its life. It refuses to run as
// root, so there it runs as the user that Debian has made for it.

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './redis.js';

const DEBIAN = '/usr/lib/postgresql';
const [version] = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
const bin = version === undefined ? undefined : join(DEBIAN, version, 'bin');

/** Whether Debian's Postgres is installed. */
export const hasPostgres = bin !== undefined && existsSync(join(bin, 'postgres'));

export interface TestPostgres {
  readonly connection: { host: string; port: number; user: string; database: string; migrate: true };
  /** Carries a statement out; resolves to what it selects, a row a line. */
  sql(statement: string): Promise<string>;
  /** Ends every connection that programs have to it. */
  cut(): Promise<void>;
  /** Kills it, and starts it again with what it has kept. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

function userOf(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const id = (kind: string): number => Number(execFileSync('id', [kind, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'subagents-postgres-'));
  const user = userOf();
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder };
  execFileSync(join(bin as string, 'initdb'), ['-D', data, '-A', 'trust', '-U', 'postgres'], { ...options, stdio: 'ignore' });
  const port = await freePort();
  const args = ['-D', data, '-p', String(port), '-h', '127.0.0.1', '-k', folder];
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(join(bin as string, 'postgres'), args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    await new Promise<void>((resolve, reject) => {
      let said = '';
      server.stderr?.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        if (said.includes('ready to accept connections')) resolve();
      });
      server.once('exit', () => reject(new Error(`postgres ended: ${said}`)));
    });
    return server;
  };
  let server = await start();
  const kill = async (): Promise<void> => {
    const exited = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    // Its own children end with it, and it writes nothing any more.
    server.kill('SIGQUIT');
    await exited;
  };
  const connection = { host: '127.0.0.1', port, user: 'postgres', database: 'postgres', migrate: true } as const;
  const sql = async (statement: string): Promise<string> => {
    const { host, user, database } = connection;
    const where = ['-h', host, '-p', String(port), '-U', user, '-d', database];
    const { stdout } = await promisify(execFile)(join(bin as string, 'psql'), [...where, '-At', '-c', statement]);
    return stdout.trim();
  };
  return {
    connection,
    sql,
    cut: async () =>
      void (await sql("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'postgres' and pid <> pg_backend_pid()")),
    async restart() {
      await kill();
      server = await start();
    },
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
