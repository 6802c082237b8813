// A Durable Object is thrown out of memory in mid-work, and nothing is asked of it any more: its alarm wakes it, and it goes on
// from its last checkpoint. Then workerd is killed, and the next one goes on, too.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startWorkerd, workerdConfig } from '../../support/workerd.mjs';

export const name = 'Durable Object: an alarm wakes one that was evicted in mid-work, and it goes on';
export const compilerOptions = { lib: ['es2023'], types: ['@cloudflare/workers-types'], typeRoots: undefined };

const own = fileURLToPath(new URL('.', import.meta.url));
/** In place of the recipe's 30 seconds. */
const AGAIN_MS = 500;

export async function run({ packages, folder }) {
  const { bundleWorker } = await import('../../runtimes/workers.mjs');
  const scope = join(packages, '@cloudflare');
  const binary = readdirSync(scope).find((one) => one.startsWith('workerd-'));
  if (binary === undefined) throw new Error(`workerd has no binary for ${process.platform} ${process.arch}`);

  // The model answers three times; while it is stuck it never does.
  let isStuck = false;
  const asked = [];
  const model = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      const { text } = JSON.parse(body);
      asked.push(text);
      if (!isStuck) response.end(JSON.stringify({ said: `${text.length + 1}`, isDone: text.length === 3, tokens: 10 }));
    });
  });
  await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
  const until = async (holds) => {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  mkdirSync(join(folder, 'disk'));
  await bundleWorker(own, 'worker.ts', join(folder, 'worker.js'));
  const bundle = readFileSync(join(folder, 'worker.js'), 'utf8');
  assert.match(bundle, /AGAIN_MS = 3e4/);
  writeFileSync(join(folder, 'worker.js'), bundle.replace('AGAIN_MS = 3e4', `AGAIN_MS = ${AGAIN_MS}`));
  const wasm = ['subagents.wasm'];
  for (const file of wasm) copyFileSync(join(packages, 'subagents/pkg', file), join(folder, file));
  const texts = { MODEL: `http://127.0.0.1:${model.address().port}/` };
  writeFileSync(join(folder, 'config.capnp'), workerdConfig({ wasm, objects: { AGENTS: 'Agents' }, texts, reaches: true }));

  let server;
  try {
    server = await startWorkerd(join(scope, binary, 'bin/workerd'), folder);
    const ask = (path, options) => fetch(`${server.url}${path}`, options);
    isStuck = true;
    const spawned = await ask('/', { method: 'POST', body: 'one' });
    assert.ok(spawned.ok, await spawned.text());
    await until(() => asked.length === 1);
    isStuck = false;
    await ask('/evict', { method: 'POST' });
    // Nothing more is asked of the object.
    await until(() => asked.length === 5);
    assert.deepEqual(asked, ['', '', '1', '12', '123']);
    await until(async () => (await (await ask('/')).json())[0].status === 'completed');
    assert.equal((await (await ask('/')).json())[0].output, '1234');

    await ask('/', { method: 'POST', body: 'two' });
    isStuck = true;
    await until(() => asked.length >= 6);
    const before = asked.length;
    await server.stop('SIGKILL');
    isStuck = false;
    server = await startWorkerd(join(scope, binary, 'bin/workerd'), folder);
    await until(() => asked.at(-1) === '123' && asked.length > before);
    await until(async () => (await (await ask('/')).json()).every(({ status }) => status === 'completed'));
  } finally {
    await server?.stop('SIGKILL');
    model.closeAllConnections();
    await new Promise((resolve) => model.close(resolve));
  }
}
