// Cloudflare's workerd and Vercel's edge runtime. Owns the deployment that each of them wants: a bundle made
// with its conditions, the wasm file beside it.

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { reportIn, run } from './process.mjs';
import { binary } from './shells.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

const worker = `
import trapModule from './trap.wasm';
import { conform } from './suite.js';
export default { async fetch() { return Response.json(await conform({ trapModule })); } };
`;
const edge = `
import trapModule from './trap.wasm?module';
import { conform } from './suite.js';
addEventListener('fetch', (event) => event.respondWith(conform({ trapModule }).then((report) => Response.json(report))));
`;

/** The sources of both, in a project of ECMAScript modules. */
export const workerFiles = { 'worker.js': worker, 'edge.js': edge };

/** Bundles as wrangler does: its conditions, wasm left as a module of its own. */
export async function bundleWorker(folder, entry, outfile) {
  const wasm = {
    name: 'wasm',
    setup({ onResolve }) {
      onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, external: true }));
      onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path: `./${path.split('/').at(-1)}`, external: true }));
    },
  };
  const conditions = ['workerd', 'worker', 'browser'];
  await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions,
    plugins: [wasm],
    outfile,
    logLevel: 'warning',
  });
}

/** Bundles as Next does: its condition, `?module` as a global of the sandbox. */
export async function bundleEdge(folder, entry, outfile) {
  const wasm = {
    name: 'wasm',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /\.wasm\?module$/ }, ({ path }) => ({ path: path.split('/').at(-1), namespace: 'wasm' }));
      onLoad({ filter: /.*/, namespace: 'wasm' }, ({ path }) => ({ contents: `export default wasm_${path.split('.')[0]};` }));
    },
  };
  const conditions = ['edge-light', 'worker'];
  await build({
    absWorkingDir: folder,
    entryPoints: [entry],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    conditions,
    plugins: [wasm],
    outfile,
    logLevel: 'warning',
  });
}

export function workers() {
  const workerd = binary('@cloudflare', 'workerd');
  return [
    ...['2026-10-01', '2024-01-01'].map((date) => ({
      name: `workerd, compatibility date ${date}`,
      missing: workerd === undefined ? 'its package has no binary for this platform' : undefined,
      run: ({ esm }) => runWorker(workerd, esm, date),
    })),
    { name: "Vercel's edge runtime", run: ({ esm }) => runEdge(esm) },
  ];
}

async function runWorker(workerd, folder, date) {
  const out = `${folder}/workerd-${date}`;
  mkdirSync(out, { recursive: true });
  await bundleWorker(folder, 'worker.js', `${out}/worker.js`);
  writeFileSync(`${out}/subagents.wasm`, readFileSync(`${folder}/node_modules/subagents/pkg/subagents.wasm`));
  writeFileSync(`${out}/trap.wasm`, readFileSync(`${folder}/trap.wasm`));
  writeFileSync(
    `${out}/config.capnp`,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "${date}",
  modules = [
    (name = "worker.js", esModule = embed "worker.js"),
    (name = "subagents.wasm", wasm = embed "subagents.wasm"),
    (name = "trap.wasm", wasm = embed "trap.wasm"),
  ],
);
`,
  );
  return serveWorker(workerd, out, '');
}

/** What a worker answers, as JSON; it is stopped then. */
export async function serveWorker(workerd, out, path) {
  // It takes a port that is free and says which: one that is looked for beforehand may be another's by then.
  const child = spawn(workerd, ['serve', 'config.capnp', '--control-fd=3'], { cwd: out, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text) => {
      said += text;
    });
  }
  const ended = new Promise((resolve) => {
    child.on('close', resolve);
  });
  const late = setTimeout(() => child.kill('SIGKILL'), 300_000);
  try {
    const response = await fetch(`http://127.0.0.1:${await portOf(child)}/${path}`);
    if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`);
    return await response.json();
  } catch (error) {
    throw new Error(`workerd gave no report: ${said.slice(0, 4_000)}`, { cause: error });
  } finally {
    clearTimeout(late);
    child.kill();
    await ended;
  }
}

/** The port that workerd says it listens on; rejects where it ends before. */
function portOf(child) {
  return new Promise((resolve, reject) => {
    let told = '';
    child.stdio[3].setEncoding('utf8').on('data', (text) => {
      told += text;
      const port = /"event":\s*"listen",\s*"socket":\s*"http",\s*"port":\s*(\d+)/.exec(told)?.[1];
      if (port !== undefined) resolve(port);
    });
    child.on('error', reject);
    child.on('close', (code, signal) => reject(new Error(`it ended with ${code ?? signal}`)));
  });
}

async function runEdge(folder) {
  await bundleEdge(folder, 'edge.js', `${folder}/out-edge.js`);
  return runInEdge(folder, 'out-edge.js');
}

/** What a bundle answers in the edge runtime, as JSON. */
export async function runInEdge(folder, bundle) {
  return reportIn(await run(process.execPath, [`${here}edge-host.mjs`, folder, bundle], { cwd: here }));
}
