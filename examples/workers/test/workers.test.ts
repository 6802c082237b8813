// The example as a user runs it: the deploy, the kill, and what is said where Redis is missing.
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { Redis } from 'ioredis';

import { openRedis } from '../dist/redis.js';

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const run = (args: string[], env: NodeJS.ProcessEnv = process.env): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, [main, ...args], { encoding: 'utf8', env, timeout: 100_000 });
const hasRedis = process.platform !== 'win32' && spawnSync('redis-server', ['--version']).status === 0;
const missing = hasRedis ? false : 'no redis-server that the example could start';

/** The texts whose end a lead told, and the pages of each. */
function readIn(stdout: string): string[] {
  return [...stdout.matchAll(/^lead \d: (the diary of \w+): 8 pages, read by .* \(completed\)$/gm)].map(([, text]) => text as string);
}

test('a deploy of a worker and of the lead in mid-work: all is read, and nothing twice', { skip: missing }, () => {
  const { status, stdout, stderr } = run([]);
  assert.equal(status, 0, stdout + stderr);
  assert.match(stdout, /^lead 1: hands over$/m);
  assert.match(stdout, /^lead 2: leads$/m);
  // Each of ten texts has eight pages of 120 tokens; what a deploy interrupts may be taken, and paid for, once more.
  const tokens = Number(/^lead 2: 10 texts are read, with (\d+) tokens/m.exec(stdout)?.[1]);
  assert.ok(tokens >= 10 * 8 * 120, stdout);
  assert.equal(new Set(readIn(stdout)).size, 10, stdout);
});

test('a worker is killed: its runs are taken over from their last page', { skip: missing }, () => {
  const { status, stdout, stderr } = run(['--kill']);
  assert.equal(status, 0, stdout + stderr);
  assert.equal(new Set(readIn(stdout)).size, 10, stdout);
  assert.match(stdout, /-- worker \d is killed/);
  assert.match(stdout, /read by worker \d and worker \d/);
});

/** Runs it in a temporary folder of its own until a lead has told its first text. */
async function amidWork(folder: string): Promise<{ child: ChildProcessWithoutNullStreams; errors: () => string }> {
  const child = spawn(process.execPath, [main], { env: { ...process.env, TMPDIR: folder, REDIS_URL: '' } });
  let [said, errors] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('lead 1: the diary')) await once(child.stdout, 'data');
  return { child, errors: () => errors };
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGKILL', null],
] as const) {
  test(`${signal} ends all of its processes, and nothing of it stays`, { skip: missing, timeout: 100_000 }, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'workers-'));
    try {
      const { child, errors } = await amidWork(folder);
      assert.equal(readdirSync(folder).length, 1);
      child.kill(signal);
      // Its output closes once the last process that has it is gone: lead, workers, and what ends Redis.
      await once(child, 'close');
      assert.equal(child.exitCode, code, errors());
      assert.equal(errors(), '');
      assert.deepEqual(readdirSync(folder), []);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

test('--kill stands for the deploy: with a word on that it is wrong usage', () => {
  const { status, stderr } = run(['--kill', '--no-deploy']);
  assert.deepEqual({ status, stderr }, { status: 2, stderr: '--kill is done instead of the deploy: give one of them\n' });
});

test('without Redis it says what to do', () => {
  const { REDIS_URL: _, ...env } = process.env;
  const { status, stderr } = run([], { ...env, PATH: '' });
  assert.equal(status, 2);
  assert.match(stderr, /redis-server is not on the PATH\. Install it[\s\S]* npm run start:workers\n/);
});

test("a Redis of one's own: it can be run again, and leaves nothing there", { skip: missing }, async () => {
  const redis = await openRedis(undefined);
  assert.ok(redis !== undefined);
  try {
    for (let time = 0; time < 2; time += 1) {
      const { status, stdout, stderr } = run(['--no-deploy'], { ...process.env, REDIS_URL: redis.url });
      assert.equal(status, 0, stdout + stderr);
      assert.equal(new Set(readIn(stdout)).size, 10, stdout);
    }
    const client = new Redis(redis.url);
    const left = await client.keys('*');
    client.disconnect();
    // A list of BullMQ's, which expires.
    assert.deepEqual(left, ['bull::relay:namespaces']);
  } finally {
    await redis.stop();
  }
});

test('a Redis that does not answer is named', () => {
  const { status, stderr } = run([], { ...process.env, REDIS_URL: 'redis://127.0.0.1:1' });
  assert.equal(status, 2);
  assert.match(stderr, /^No Redis answers at redis:\/\/127\.0\.0\.1:1: connect ECONNREFUSED/);
});
