/** Sizes of what is shipped: each wasm module raw, gzip -9 and brotli 11, and the other files of `dist/`. */

import { readdirSync, readFileSync } from 'node:fs';
import { extname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Where a build leaves its modules; the copies that are equal are listed once. */
const FOLDERS = ['dist', 'pkg'];

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
