/**
 * Sizes of what is shipped: each wasm module raw, gzip -9 and brotli 11, and the other files of `dist/`; and what of a bundle
 * is there for stores alone.
 */

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Where a build leaves its modules; the copies that are equal are listed once. */
const FOLDERS = ['dist', 'pkg'];
/** Files that a program without a store has no use for. */
const FOR_STORES = /[\\/]ts[\\/](?:api[\\/](?:open-store|read-journal)|boundary[\\/]journal|options[\\/]store|stores[\\/][\w-]+)\.ts$/;
/** A program without a store, by the entry that leaves the wasm file to it. */
const PLAIN_PROGRAM = `
import { init, SubAgentManager } from './ts/entries/slim.ts';
init('/subagents.wasm').then(() => {
  globalThis.manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
});
`;

/** @returns {{ wasm: object[], dist: object }} Bytes; `wasm` is empty if nothing is built. */
export function measureSize() {
  const files = FOLDERS.flatMap((folder) => walk(join(ROOT, folder)));
  /** @type {Map<string, object>} */
  const modules = new Map();
  for (const file of files) {
    if (extname(file) !== '.wasm') continue;
    const bytes = readFileSync(file);
    const key = bytes.toString('latin1');
    if (!modules.has(key)) modules.set(key, { file: relative(ROOT, file), ...sizes(bytes) });
  }
  const dist = {};
  for (const file of files) {
    const path = relative(ROOT, file);
    if (!path.startsWith('dist') || file.endsWith('.map') || file.endsWith('.wasm')) continue;
    const kind = /\.d\.[cm]?ts$/.test(file) ? 'types' : extname(file).slice(1);
    const bytes = readFileSync(file);
    dist[kind] ??= { files: 0, raw: 0, gzip: 0 };
    const entry = dist[kind];
    entry.files++;
    entry.raw += bytes.length;
    entry.gzip += gzipSync(bytes, { level: 9 }).length;
  }
  return { wasm: [...modules.values()].sort((a, b) => b.raw - a.raw), dist };
}

/**
 * How much smaller the JavaScript of a program without a store would be if what only stores need were empty: bytes, gzip -9.
 * What other parts have for its sake, such as calls of it, is not counted.
 */
export async function measureForStores() {
  const [whole, without] = await Promise.all([bundled(false), bundled(true)]);
  return whole - without;
}

async function bundled(withoutStores) {
  const parts = {
    name: 'parts',
    setup({ onResolve, onLoad }) {
      // As in `scripts/build.mjs`.
      onResolve({ filter: /^\.\/host\.js$/ }, ({ resolveDir }) =>
        resolveDir.endsWith('pkg') ? { path: join(ROOT, 'ts/entries/glue.ts') } : undefined,
      );
      if (withoutStores) onLoad({ filter: FOR_STORES }, ({ path }) => ({ contents: emptied(readFileSync(path, 'utf8')), loader: 'js' }));
    },
  };
  const options = { bundle: true, minify: true, format: 'esm', platform: 'browser', target: 'es2022', write: false, plugins: [parts] };
  const { outputFiles } = await build({ ...options, stdin: { contents: PLAIN_PROGRAM, resolveDir: ROOT } });
  return gzipSync(outputFiles[0].contents, { level: 9 }).length;
}

/** The same names, with nothing behind them. */
function emptied(source) {
  const names = source.matchAll(/^export (?:async )?(?:function\*?|class|const) (\w+)/gm);
  return Array.from(new Set(Array.from(names, ([, name]) => name)), (name) => `export function ${name}() {}`).join('\n');
}

function sizes(bytes) {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return {
    raw: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes, { params }).length,
  };
}

/** @returns {string[]} All files below a folder; none if it is not there. */
function walk(folder) {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? walk(path) : [path];
  });
}
