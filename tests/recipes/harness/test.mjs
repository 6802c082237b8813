// Agents of the AI SDK's harness run in workers over BullMQ; a worker is killed in mid-work, and another goes on in the
// same sandbox, from the session that the last checkpoint has.

import assert from 'node:assert/strict';
import { execFileSync, fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const name = 'HarnessAgent of the AI SDK in workers over BullMQ: another worker goes on with the session of a killed one';

export function missing() {
  try {
    execFileSync('redis-server', ['--version'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'redis-server is not installed';
  }
}

/** @param place where the bundles are, an empty folder, and the Node that runs them: the harness wants 22 */
export async function run({ out, folder, node: execPath }) {
  const { openRedis } = await import(join(out, 'redis.js'));
  const redis = await openRedis(undefined);
  const connection = { path: new URL(redis.url).pathname };
  const children = [];
  const start = (program) => {
    const env = { ...process.env, RECIPE_FOLDER: folder, AI_SDK_LOG_WARNINGS: 'false' };
    const child = fork(join(out, `${program}.js`), [JSON.stringify(connection)], {
      env,
      execPath,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    children.push(child);
    return child;
  };
  const said = (child) =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code, signal) => reject(new Error(`a process ended with ${code ?? signal}`)));
    });
  const lines = () => {
    try {
      return readFileSync(join(folder, 'log'), 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
    } catch {
      return [];
    }
  };
  try {
    const first = start('worker');
    await said(first);
    const lead = start('lead');
    let isOver = false;
    const done = said(lead);
    done
      .catch(() => undefined)
      .finally(() => {
        isOver = true;
      });
    while (!isOver && !lines().some(({ text }) => text.startsWith('Run the tests')))
      await new Promise((resolve) => setTimeout(resolve, 10));
    if (isOver) assert.fail(`all was over before a worker was killed: ${JSON.stringify(await done)}`);
    first.kill('SIGKILL');
    await said(start('worker'));
    const { results, spent } = await done;
    const prompted = lines();
    for (const { status, output, error } of results) {
      assert.equal(error ?? status, 'completed');
      // A prompt whose checkpoint was not kept is given again; all others are in the one conversation.
      assert.match(output, /^[45] prompts$/);
    }
    const second = prompted.filter(({ pid }) => pid !== first.pid);
    assert.ok(
      second.every(({ isResume }) => isResume),
      'each goes on with its session',
    );
    for (const text of ['a', 'b', 'c', 'd']) {
      const steps = prompted.filter((one) => one.text.endsWith(`\n${text}`));
      assert.equal(new Set(steps.map((one) => one.text)).size, 4, `${text}: every step`);
      assert.ok(steps.length <= 5, `${text}: ${steps.length} prompts`);
    }
    assert.ok(spent >= 4 * 4 * 10, `${spent} tokens`);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await redis.stop();
  }
}
