// A Durable Object is thrown out of memory in mid-work, and nothing is asked of it any more: its alarm wakes it, and it goes on
// from its last checkpoint. Then workerd is killed, and the next one goes on, too.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

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
  for (const file of ['subagents.wasm', 'journal.wasm']) copyFileSync(join(packages, 'subagents/pkg', file), join(folder, file));
  writeFileSync(join(folder, 'config.capnp'), config(`http://127.0.0.1:${model.address().port}/`));

  let server;
  try {
    server = await serve(join(scope, binary, 'bin/workerd'), folder);
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
    server = await serve(join(scope, binary, 'bin/workerd'), folder);
    await until(() => asked.at(-1) === '123' && asked.length > before);
    await until(async () => (await (await ask('/')).json()).every(({ status }) => status === 'completed'));
  } finally {
    await server?.stop('SIGKILL');
    model.closeAllConnections();
    await new Promise((resolve) => model.close(resolve));
  }
}

const config = (model) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "disk", disk = (path = "disk", writable = true)),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-10-01",
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "subagents.wasm", wasm = embed "subagents.wasm"),
    (name = "journal.wasm", wasm = embed "journal.wasm"),
  ],
  durableObjectNamespaces = [(className = "Agents", uniqueKey = "agents", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [
    (name = "AGENTS", durableObjectNamespace = "Agents"),
    (name = "MODEL", text = "${model}"),
  ],
);
`;

/** workerd with a folder's config, once it says where it listens. */
async function serve(workerd, folder) {
  const child = spawn(workerd, ['serve', 'config.capnp', '--control-fd=3'], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const port = await new Promise((resolve, reject) => {
    let told = '';
    child.stdio[3].setEncoding('utf8').on('data', (text) => {
      told += text;
      const found = /"event":\s*"listen",\s*"socket":\s*"http",\s*"port":\s*(\d+)/.exec(told)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`workerd ended with ${code}`)));
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async stop(signal) {
      child.kill(signal);
      await ended;
    },
  };
}
