// Builds dist/ from ts/ and the committed pkg/: the entry files, ESM over one shared part, CommonJS over
// another, and the types of both.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { wasmText } from './wasm-text.mjs';

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

// The wasm file as each entry wants it: text inside JavaScript, or left to the runtime, which finds it from
// dist/ as sources do from ts/.
const wasm = {
  name: 'wasm',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?text$/ }, ({ path, resolveDir }) => ({
      path: resolve(resolveDir, path.replace('?text', '')),
      namespace: 'wasm-text',
    }));
    onLoad({ filter: /.*/, namespace: 'wasm-text' }, ({ path }) => {
      const { text, frequent } = wasmText(readFileSync(path));
      const contents = `export default { text: ${JSON.stringify(text)}, frequent: '${frequent}' };`;
      return { contents, loader: 'js' };
    });
    onResolve({ filter: /\.wasm(\?module)?$/ }, ({ path }) => ({ path, external: true }));
  },
};

const common = {
  bundle: true,
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  // Names stay, for stack traces; half of what is loaded goes.
  minifySyntax: true,
  minifyWhitespace: true,
  // Node shows the whole line of an error that nobody caught.
  lineLimit: 120,
  plugins: [oneHost, wasm],
  logLevel: 'warning',
};

// CommonJS files can't be split; the entries require the shared part instead.
const sharedPart = {
  name: 'shared-part',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(index|errors)\.js$/ }, () => ({ path: './shared.cjs', external: true }));
  },
};

await Promise.all([
  build({
    ...common,
    entryPoints: {
      index: `${root}ts/inline.ts`,
      workerd: `${root}ts/workerd.ts`,
      'edge-light': `${root}ts/edge-light.ts`,
      slim: `${root}ts/slim.ts`,
    },
    format: 'esm',
    splitting: true,
    chunkNames: 'shared',
    outdir: dist,
  }),
  build({ ...common, entryPoints: [`${root}ts/index.ts`], format: 'cjs', outfile: `${dist}shared.cjs` }),
  build({
    ...common,
    entryPoints: { index: `${root}ts/node-cjs.ts`, slim: `${root}ts/slim.ts` },
    external: ['node:fs'],
    format: 'cjs',
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    plugins: [sharedPart, ...common.plugins],
  }),
]);

// Broken lines inside of strings cost bytes and serve nobody.
for (const name of readdirSync(dist)) writeFileSync(dist + name, readFileSync(dist + name, 'utf8').replaceAll('\\\n', ''));
// The adapters of frameworks: each a small file of its own that loads neither the package nor a framework.
const adapters = ['adk', 'ai-sdk', 'anthropic', 'claude', 'langchain', 'mastra', 'mcp', 'openai', 'pi', 'strands'];
const entryPoints = adapters.map((name) => `${root}ts/adapters/${name}.ts`);
const adapter = { ...common, entryPoints, plugins: [], outdir: `${dist}adapters` };
await Promise.all([build({ ...adapter, format: 'esm' }), build({ ...adapter, format: 'cjs', outExtension: { '.js': '.cjs' } })]);

execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', root], { stdio: 'inherit' });
// Entries of the same API have the same types, those of index.d.ts.
for (const name of ['inline', 'node-cjs', 'workerd', 'edge-light', 'wasm-text']) rmSync(`${dist}${name}.d.ts`);
// The glue's types lie beside the others, so that CommonJS has them in its own kind too.
writeFileSync(`${dist}core.d.ts`, readFileSync(`${root}pkg/subagents.d.ts`));

// CommonJS reads types from .d.cts files: the same, with the endings of their imports changed.
for (const name of readdirSync(dist, { recursive: true }).filter((name) => name.endsWith('.d.ts'))) {
  const types = readFileSync(dist + name, 'utf8').replaceAll("'../pkg/subagents.js'", "'./core.js'");
  writeFileSync(dist + name, types);
  writeFileSync(dist + name.replace(/\.d\.ts$/, '.d.cts'), types.replace(/(from '\.[^']*)\.js'/g, "$1.cjs'"));
}
