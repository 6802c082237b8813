// Runs publint and attw over the packed package. Owns which profile judges each entry. `npm run lint` packs the built package;
// the tests of the runtimes have already packed it.

import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { node, root, run } from './run.mjs';

const modules = `${root}node_modules/`;
/** wasm-bindgen makes the bare classes for the web; the inspector is one script for a page. */
const MODULES_ONLY = ['pkg', 'pkg/host', 'inspector', 'inspector/server'];

/** Each judge with its arguments for a tarball. */
export function judges(file) {
  const attw = (...args) => [`${modules}@arethetypeswrong/cli/dist/index.js`, file, ...args];
  return [
    [`${modules}publint/src/cli.js`, '--strict', file],
    // The wasm file is no module of JavaScript, so no types belong to it. The entries for frameworks don't reach back to
    // resolutions without `exports`; the package itself does.
    attw('--profile', 'node16', '--exclude-entrypoints', 'subagents.wasm', ...MODULES_ONLY),
    attw('--entrypoints', '.', 'slim'),
    attw('--profile', 'esm-only', '--entrypoints', ...MODULES_ONLY),
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = mkdtempSync(join(tmpdir(), 'subagents-lint-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  run('packing', 'npm', ['pack', '--silent', '--pack-destination', folder], { quiet: true });
  for (const judge of judges(join(folder, readdirSync(folder)[0]))) node('the packed package', judge);
}
