// Cloudflare's workerd and Vercel's edge runtime. Owns the deployment that each of them wants: a bundle made
// with its conditions, the wasm file beside it.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { startWorkerd, workerdConfig } from '../support/workerd.mjs';
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
export async function bundleWorker(folder, entry, outfile, minify = false) {
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
    minify,
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
  writeFileSync(`${out}/config.capnp`, workerdConfig({ date, wasm: ['subagents.wasm', 'trap.wasm'] }));
  return serveWorker(workerd, out, '');
}

/** What a worker answers, as JSON; it is stopped then. */
export async function serveWorker(workerd, out, path) {
  const server = await startWorkerd(workerd, out);
  try {
    const response = await fetch(`${server.url}/${path}`);
    if (!response.ok) throw new Error(`status ${response.status}: ${await response.text()}`);
    return await response.json();
  } catch (error) {
    throw new Error(`workerd gave no report: ${server.said().slice(0, 4_000)}`, { cause: error });
  } finally {
    await server.stop();
  }
}

async function runEdge(folder) {
  await bundleEdge(folder, 'edge.js', `${folder}/out-edge.js`);
  return runInEdge(folder, 'out-edge.js');
}

/** What a bundle answers in the edge runtime, as JSON. */
export async function runInEdge(folder, bundle) {
  return reportIn(await run(process.execPath, [`${here}edge-host.mjs`, folder, bundle], { cwd: here }));
}
