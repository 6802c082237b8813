// Builds dist/ from ts/ and the committed pkg/: one ESM file, one CommonJS file, the types of both.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist/`;

rmSync(dist, { recursive: true, force: true });

// pkg/ has a copy of the host functions so that it works alone; the package uses their source, so that
// glue and manager share one table.
const oneHost = {
  name: 'one-host',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/host\.js$/ }, ({ resolveDir }) => (resolveDir.endsWith('pkg') ? { path: `${root}ts/host.ts` } : undefined));
  },
};

const common = {
  entryPoints: [`${root}ts/index.ts`],
  bundle: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  loader: { '.wasm': 'base64' },
  plugins: [oneHost],
  logLevel: 'warning',
};
await Promise.all([
  build({ ...common, format: 'esm', outfile: `${dist}index.js` }),
  build({ ...common, format: 'cjs', outfile: `${dist}index.cjs` }),
]);

execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', root], { stdio: 'inherit' });

// CommonJS reads types from .d.cts files: the same, with the endings of their imports changed.
for (const name of readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
  const types = readFileSync(dist + name, 'utf8').replace(/(from '\.[^']*)\.js'/g, "$1.cjs'");
  writeFileSync(dist + name.replace(/\.d\.ts$/, '.d.cts'), types);
}
