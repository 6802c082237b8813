// `npx subagents inspect` over a store in Redis, which is in use: shown as one in a file is, followed, and nothing of it changed.

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { SubAgentManager } from '../../../dist/index.js';
import { readJournal } from '../../../dist/journal.js';
import { redisStore } from '../../../dist/stores/redis.js';
import { follow as followJournal } from '../../support/inspect-following.js';
import { work } from '../../support/journal-reading.mjs';
import { freePort, hasRedis, startRedis, type TestRedis } from '../../support/redis.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const cli = join(root, 'dist/cli.js');
const folder = mkdtempSync(join(tmpdir(), 'subagents-inspect-redis-'));
const socket = join(folder, 'redis.sock');
const PASSWORD = 'very-secret';

describe.skipIf(!hasRedis)('a journal in Redis', () => {
  let redis: TestRedis;
  let client: Redis;
  let url: string;
  beforeAll(async () => {
    redis = await startRedis('--unixsocket', socket, '--requirepass', PASSWORD);
    client = new Redis(redis.port, '127.0.0.1', { password: PASSWORD });
    client.on('error', () => undefined);
    url = `redis://:${PASSWORD}@127.0.0.1:${redis.port}`;
  });
  afterAll(async () => {
    client.disconnect();
    await redis.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  interface Said {
    readonly status: number | null;
    readonly stdout: string;
    readonly stderr: string;
  }
  const run = (args: string[], { program = cli, cwd = root, env = {} } = {}): Said => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'inspect', ...args], {
      encoding: 'utf8',
      cwd,
      env: { ...process.env, ...env },
    });
    return { status, stdout, stderr };
  };
  const inspect = (...args: string[]): Said => run(args);
  const storeOf = (key: string) => redisStore(client, { key });
  const events = (key: string): string[] => inspect(url, '--key', key, '--events', '--json').stdout.trim().split('\n');
  /** What stands there at one moment: the manager may write between two commands. */
  const dump = async (key: string) => {
    const replies = await client
      .multi()
      .hgetall(`{${key}}:state`)
      .get(`{${key}}:lock`)
      .getBuffer(`{${key}}:snapshot`)
      .xrangeBuffer(`{${key}}:records`, '-', '+')
      .keys('*')
      .exec();
    type Dump = [state: Record<string, string>, lock: string, snapshot: Buffer, records: unknown[], keys: string[]];
    const [state, lock, snapshot, records, keys] = (replies ?? []).map(([, reply]) => reply) as Dump;
    return [state, lock, snapshot, records, keys.sort()] as const;
  };

  test('is shown as one in a file is, at any moment, while its manager has it, and nothing of it is changed', async () => {
    const manager = await SubAgentManager.open({ store: storeOf('subagents'), spawnSubAgent: async () => ({ output: 'done' }) });
    for (const label of ['one', 'two']) await manager.spawn({ instructions: label, label }).wait();
    await manager.compact();
    await manager.spawn({ instructions: 'three', label: 'three' }).wait();
    await manager.flush();
    const before = await dump('subagents');
    const { status, stdout, stderr } = inspect(url);
    expect([status, stderr]).toEqual([0, expect.stringContaining('the journal was compacted')]);
    for (const label of ['one', 'two', 'three']) expect(stdout).toMatch(new RegExp(`✔ ${label} +completed`));
    const started = events('subagents')
      .map((line) => JSON.parse(line))
      .find(({ type }) => type === 'run_started');
    expect(inspect(url, '--at', String(started.seq)).stdout).toMatch(/three +running/);
    expect(JSON.parse(inspect(`${url}/0`, '--json').stdout)).toMatchObject({ kind: 'redis', damage: null });
    // The manager itself may write meanwhile, behind what stood there.
    const [state, lock, snapshot, records, keys] = await dump('subagents');
    expect([lock, snapshot, records.slice(0, before[3].length), keys]).toEqual([before[1], before[2], before[3], before[4]]);
    const count = Number(before[0].count) + records.length - before[3].length;
    expect(state).toEqual({ ...before[0], count: String(count) });
    await manager[Symbol.asyncDispose]();
  });

  test('also over a socket, with the password in the environment', async () => {
    await work(storeOf('socket'), 'one');
    const env = { REDISCLI_AUTH: PASSWORD };
    for (const address of [`unix://${socket}`, `unix://${socket}?db=0`, `redis://127.0.0.1:${redis.port}`])
      expect(run([address, '--key', 'socket'], { env })).toMatchObject({ status: 0, stdout: expect.stringMatching(/✔ one +completed/) });
    expect(run([`unix://${socket}?db=3`, '--key', 'socket'], { env })).toMatchObject({
      status: 3,
      stderr: `unix://${socket} can't be read: the store socket in Redis failed: Redis has no key {socket}:state\n`,
    });
  });

  const follow = (key: string) => followJournal(process.execPath, url, '--key', key);

  test('--follow shows each event once, over compactions and other processes', async () => {
    await work(storeOf('live'), 'one,two');
    const { said, lines, until, end } = follow('live');
    await until(() => lines().length >= events('live').length);
    await work(storeOf('live'), 'three');
    const second = events('live');
    await until(() => lines().length >= second.length);
    expect(lines()).toEqual(second);
    await work(storeOf('live'), 'compact,four');
    const last = events('live').at(-1);
    await until(() => lines().at(-1) === last);
    expect(await end()).toBe(0);
    // What was compacted before it could be read is said to be.
    const [, from, to] = /events (\d+) to (\d+) are known by their outcome alone/.exec(said.errors) ?? [];
    const untold = from === undefined ? [] : Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at);
    const seqs = [...lines().map((line) => JSON.parse(line).seq as number), ...untold].sort((one, other) => one - other);
    expect(seqs).toEqual(seqs.map((_, at) => at + 1));
    expect(said.errors).not.toContain('DAMAGED');
  });

  test('--follow goes on once a Redis that was away is there again', async () => {
    await work(storeOf('away'), 'one');
    const { lines, until, end } = follow('away');
    const first = events('away');
    await until(() => lines().length >= first.length);
    await redis.restart();
    await work(storeOf('away'), 'two');
    const all = events('away');
    await until(() => lines().length >= all.length);
    expect(lines()).toEqual(all);
    expect(await end()).toBe(0);
  });

  test('damage is reported with its place, and what stands before it is shown', async () => {
    await work(storeOf('broken'), 'one,two');
    await client.xdel('{broken}:records', '3-0');
    const { status, stderr } = inspect(url, '--key', 'broken');
    expect([status, stderr]).toEqual([1, expect.stringContaining('record 3: it is missing')]);
    const { damage, last } = JSON.parse(inspect(url, '--key', 'broken', '--json').stdout);
    expect(damage).toMatchObject({ code: 'store_damaged', record: 3, lastSeq: last });
    expect(last).toBeGreaterThan(0);
  });

  test('a store that is made anew, or has lost records, while it is followed is said to be', async () => {
    await work(storeOf('lost'), 'one,two');
    const store = redisStore(client, { key: 'lost', readOnly: true });
    const journal = await readJournal(store);
    for await (const _ of journal);
    await client.del('{lost}:state', '{lost}:records');
    const read = (async () => {
      for await (const _ of journal);
    })();
    await expect(read).rejects.toMatchObject({ code: 'store_failed', message: expect.stringContaining('Redis has 0 records, and had') });
    await journal[Symbol.asyncDispose]();
  });

  test('a store that is only read takes no appends, no compactions, and nothing that is not one', async () => {
    const store = redisStore(client, { key: 'subagents', readOnly: true });
    await store.open();
    const refused = { code: 'store_failed', message: expect.stringContaining('was opened to be read') };
    await expect(store.append(new Uint8Array(1))).rejects.toMatchObject(refused);
    await store.close();
    expect(() => redisStore(client, { readOnly: 1 as never })).toThrow('`readOnly` must be true or false');
    await client.hset('{newer}:state', { version: 2, count: 0, through: 0 });
    await expect(redisStore(client, { key: 'newer', readOnly: true }).open()).rejects.toMatchObject({ code: 'store_version' });
  });

  test('what is wrong is said, and never the password', async () => {
    const port = await freePort();
    const [wrong, nobody] = ['redis://:not-it-at-all@127.0.0.1', `redis://:${PASSWORD}@127.0.0.1`];
    const said = [
      [inspect(`${wrong}:${redis.port}`), 3, /^redis:\/\/127\.0\.0\.1:\d+ can't be read: .*WRONGPASS/],
      [inspect(`redis://127.0.0.1:${redis.port}`), 3, /can't be read: .*NOAUTH/],
      [inspect(`${nobody}:${port}`), 3, /^redis:\/\/127\.0\.0\.1:\d+ can't be read: connect ECONNREFUSED/],
      [inspect(`unix://${folder}/none.sock`), 3, /can't be read: connect ENOENT/],
      [inspect(url, '--key', 'nothing'), 3, /Redis has no key \{nothing\}:state/],
      [inspect(`${url}/agents`), 3, /^what stands behind 127.+ is the number of a database; a store's name goes with --key agents\n/],
      [inspect('redis://:pass@:x'), 3, /^redis:\/\/:x is no address: redis:\/\/HOST:PORT\/DATABASE, or unix:/],
      [inspect(url, '--table', 'agents'), 2, /^--key names a store in Redis/],
      [inspect(cli, '--key', 'agents'), 2, /^--key is of a store in Redis alone/],
    ] as const;
    for (const [{ status, stdout, stderr }, code, words] of said) {
      expect([status, stdout, stderr]).toEqual([code, '', expect.stringMatching(words)]);
      for (const secret of [PASSWORD, 'not-it-at-all', ':pass']) expect(stderr).not.toContain(secret);
    }
  });

  describe('where the package lies in a project of its own', () => {
    const project = join(folder, 'project');
    const program = join(project, 'node_modules/subagents/dist/cli.js');
    beforeAll(async () => {
      for (const part of ['dist', 'pkg', 'package.json'])
        cpSync(join(root, part), join(project, 'node_modules/subagents', part), { recursive: true });
      await work(storeOf('project'), 'one');
    });
    const read = (cwd: string): Said => run([url, '--key', 'project'], { program, cwd });

    test('without a client it says what to install', () => {
      expect(read(project)).toEqual({
        status: 3,
        stdout: '',
        stderr: expect.stringMatching(/^a store in Redis is read with the package `ioredis` or `redis`, .*`npm install ioredis`\)\n$/),
      });
    });

    const nodeRedis = join(root, 'tests/runtimes/node_modules/redis');
    const places: [string, string][] = [['ioredis', join(root, 'node_modules/ioredis')]];
    if (existsSync(nodeRedis)) places.push(['redis', nodeRedis]);
    test.each(places)('%s of the folder that it is called in reads it', (name, place) => {
      const own = join(folder, name);
      mkdirSync(join(own, 'node_modules'), { recursive: true });
      symlinkSync(place, join(own, 'node_modules', name));
      expect(read(own)).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/✔ one +completed/) });
      const gone = run([`redis://127.0.0.1:1`], { program, cwd: own });
      expect(gone).toMatchObject({ status: 3, stderr: expect.stringContaining('ECONNREFUSED') });
      const unix = run([`unix://${socket}`, '--key', 'project'], { program, cwd: own, env: { REDISCLI_AUTH: PASSWORD } });
      expect(unix).toMatchObject({ status: 0, stdout: expect.stringMatching(/✔ one +completed/) });
    });
  });

  test('--web serves the page over it, under a name without its password', async () => {
    const child = spawn(process.execPath, [cli, 'inspect', url, '--web'], { stdio: ['ignore', 'pipe', 'pipe'], cwd: root });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [printed] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const { origin, hash } = new URL(printed.trim());
    const authorization = `Bearer ${hash.replace('#token=', '')}`;
    const info = await (await fetch(`${origin}/api/info`, { headers: { authorization } })).json();
    expect(info).toMatchObject({ title: `redis://127.0.0.1:${redis.port}` });
    child.kill('SIGINT');
    await once(child, 'close');
  });
});
