// Builds dist/ from ts/ and the committed pkg/: the entry files, ESM over one shared part, CommonJS over
// another, and the types of both.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { minify } from 'terser';
import { withConstants, withPureCalls } from './constants.mjs';
import { buildInspector, buildInspectorServer, writeInspectorTypes } from './inspector.mjs';
import { readOptions } from './run.mjs';
import { below } from './system.mjs';
import { writeTypes } from './types.mjs';
import { wasmDelta } from './wasm-delta.mjs';
import { wasmText } from './wasm-text.mjs';

readOptions({}, 'npm run build: it takes no options');
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist/`;

rmSync(dist, { recursive: true, force: true });

// pkg/ has a copy of the host functions so that it works alone; the package uses their source, so that
// glue and manager share one table.
const oneHost = {
  name: 'one-host',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/host\.js$/ }, ({ resolveDir }) =>
      resolveDir.endsWith('pkg') ? { path: resolve(root, 'ts/entries/glue.ts') } : undefined,
    );
  },
};

// The wasm file as each entry wants it: text inside JavaScript, text of what it has besides the plain one, or left to the
// runtime, which finds it beside dist/.
const wasmBeside = (folder) => ({
  name: 'wasm',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.wasm\?(text|delta)$/ }, ({ path, resolveDir }) => {
      const [file, form] = path.split('?');
      return { path: resolve(resolveDir, file), namespace: `wasm-${form}` };
    });
    onLoad({ filter: /.*/, namespace: 'wasm-text' }, ({ path }) => asText(readFileSync(path)));
    onLoad({ filter: /.*/, namespace: 'wasm-delta' }, ({ path }) =>
      asText(wasmDelta(readFileSync(`${root}pkg/subagents.wasm`), readFileSync(path))),
    );
    onResolve({ filter: /\.wasm(\?module)?$/ }, ({ path }) => ({ path: path.replace('../../', folder), external: true }));
  },
});

function asText(bytes) {
  const { text, frequent } = wasmText(bytes);
  return { contents: `export default { text: ${JSON.stringify(text)}, frequent: '${frequent}' };`, loader: 'js' };
}

const common = {
  bundle: true,
  target: 'es2022',
  legalComments: 'none',
  minifySyntax: true,
  minifyWhitespace: true,
  // Node shows the whole line of an uncaught error.
  lineLimit: 120,
  plugins: [oneHost, wasmBeside('../')],
  logLevel: 'warning',
};

// jest with jsdom, which takes the CommonJS files, hides what they need of the runtime.
const withCoders = (options) => ({
  ...options,
  inject: [`${root}ts/entries/text-coders.ts`],
  external: [...(options.external ?? []), 'node:util'],
});

// CommonJS files can't be split; the entries require the shared part instead.
const sharedPart = {
  name: 'shared-part',
  setup({ onResolve }) {
    onResolve({ filter: /^(\.\.\/(index|base\/errors)|\.\/error-class)\.js$/ }, () => ({ path: './shared.cjs', external: true }));
  },
};

await Promise.all([
  build({
    ...common,
    entryPoints: {
      index: `${root}ts/entries/inline.ts`,
      workerd: `${root}ts/entries/workerd.ts`,
      'edge-light': `${root}ts/entries/edge-light.ts`,
      slim: `${root}ts/entries/slim.ts`,
      node: `${root}ts/entries/node.ts`,
    },
    external: ['node:fs', 'node:module'],
    format: 'esm',
    splitting: true,
    chunkNames: 'shared',
    outdir: dist,
  }),
  build(withCoders({ ...common, entryPoints: [`${root}ts/index.ts`], format: 'cjs', outfile: `${dist}shared.cjs` })),
  build({
    ...common,
    entryPoints: { index: `${root}ts/entries/node-cjs.ts`, slim: `${root}ts/entries/slim.ts` },
    external: ['node:fs'],
    format: 'cjs',
    outdir: dist,
    outExtension: { '.js': '.cjs' },
    plugins: [sharedPart, ...common.plugins],
  }),
]);

// The adapters of frameworks: small files that load neither the package nor a framework, and what several of them
// need beside them.
const adapters = ['adk', 'ai-sdk', 'anthropic', 'claude', 'langchain', 'mastra', 'mcp', 'openai', 'pi', 'strands'];
const entryPoints = [...adapters, 'any-tool', 'structured', 'turns'].map((name) => `${root}ts/adapters/${name}.ts`);
const partsBeside = (ending) => ({
  name: 'parts-beside',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\/(any-tool|mcp|structured|turns)\.js$/ }, ({ path }) => ({
      path: path.replace('.js', ending),
      external: true,
    }));
  },
});
const adapter = { ...common, entryPoints, outdir: `${dist}adapters` };
await Promise.all([
  build({ ...adapter, format: 'esm', plugins: [partsBeside('.js')] }),
  build({ ...adapter, format: 'cjs', outExtension: { '.js': '.cjs' }, plugins: [partsBeside('.cjs')] }),
]);

// The stores: a program loads those it uses. Their errors are those of the part that every entry shares. They have the way
// to the module with the journal by the name of its entry, which is another file on each platform; to CommonJS it is the
// file of the modules, since a second text of it would weigh more than a store.
const stores = ['conformance', 'file', 'indexeddb', 'memory', 'redis', 'sqlite'];
const sharedWith = (errors, journal = 'subagents/journal') => ({
  name: 'shared-with',
  setup({ onResolve }) {
    onResolve({ filter: /\/error-class\.js$/ }, () => ({ path: `../${errors}`, external: true }));
    onResolve({ filter: /^\.\/journal\.js$/ }, () => ({ path: journal, external: true }));
  },
});
const cjs = { '.js': '.cjs' };
const store = {
  ...common,
  entryPoints: stores.map((name) => `${root}ts/stores/${name}.ts`),
  outdir: `${dist}stores`,
  external: ['node:*', 'idb'],
};
const journals = {
  journal: 'stores/journal',
  'journal-workerd': 'entries/journal-workerd',
  'journal-edge-light': 'entries/journal-edge-light',
};
const journal = { ...common, outdir: `${dist}stores`, format: 'esm' };
const ofJournals = Object.entries(journals).map(([name, file]) => [name, `${root}ts/${file}.ts`]);
await Promise.all([
  build({ ...store, format: 'esm', plugins: [sharedWith('shared.js')] }),
  build(withCoders({ ...store, format: 'cjs', outExtension: cjs, plugins: [sharedWith('shared.cjs')] })),
  build({ ...journal, entryPoints: Object.fromEntries(ofJournals), plugins: [sharedWith('shared.js'), wasmBeside('../../')] }),
  build({
    ...journal,
    entryPoints: { journal: `${root}ts/stores/own-journal.ts` },
    format: 'cjs',
    outExtension: cjs,
    plugins: [sharedWith('shared.cjs', './journal.js')],
  }),
]);

// The view model: for any runtime, and of one file.
const view = { ...common, entryPoints: { 'view/index': `${root}ts/view/index.ts` }, outdir: dist };
await Promise.all([build({ ...view, format: 'esm' }), build({ ...view, format: 'cjs', outExtension: cjs })]);

// Runs in other processes: what a lead and its workers load, over the package `bullmq`.
const workers = { ...store, entryPoints: [`${root}ts/workers/bullmq.ts`], outdir: `${dist}workers`, external: ['node:*', 'bullmq'] };
await Promise.all([
  build({ ...workers, format: 'esm', plugins: [sharedWith('shared.js')] }),
  build(withCoders({ ...workers, format: 'cjs', outExtension: cjs, plugins: [sharedWith('shared.cjs')] })),
]);

// Telemetry loads its peer: the API of OpenTelemetry is what connects it with the program's SDK.
const telemetry = {
  ...common,
  entryPoints: [`${root}ts/adapters/opentelemetry/index.ts`],
  external: ['@opentelemetry/api'],
  outdir: `${dist}adapters/opentelemetry`,
};
await Promise.all([build({ ...telemetry, format: 'esm' }), build({ ...telemetry, format: 'cjs', outExtension: { '.js': '.cjs' } })]);

for (const name of below(dist).filter((name) => /\.c?js$/.test(name))) {
  // Line breaks inside of strings cost bytes and have no use.
  const joined = named(readFileSync(dist + name, 'utf8').replaceAll('\\\n', ''));
  // The view is to be small, and is no part of a cycle.
  const constant = name.startsWith('view') ? joined : withConstants(joined, name.endsWith('.js'));
  const code = name === 'shared.js' ? withPureCalls(constant) : constant;
  // What is nearly all text of a module gains nothing.
  const isText = name === 'index.js' || name === 'stores/journal.js';
  writeFileSync(dist + name, isText ? code : await smaller(code, name.endsWith('.js'), name.startsWith('view')));
}

// After the others: its names and its text are its own, and stay as they were made.
await buildInspector(root);
await buildInspectorServer(root);
for (const name of ['cli.js', 'inspector-server.js']) writeFileSync(dist + name, await smaller(readFileSync(dist + name, 'utf8'), true));

await writeTypes(root, [
  'index',
  'slim',
  ...adapters.map((name) => `adapters/${name}`),
  'adapters/opentelemetry/index',
  ...[...stores, 'journal'].map((name) => `stores/${name}`),
  'view/index',
  'workers/bullmq',
]);

writeInspectorTypes(root);

/**
 * Locals lose their names; functions and classes keep theirs, for stack traces and for who prints an object. No
 * function is moved into another: what closures of one scope need, each of them would keep alive. In ASCII, since one
 * letter of another kind makes V8 hold and read the whole file in two bytes a character. Of the view, which throws
 * nothing, all but its two public classes lose their names, and lines are longer.
 */
async function smaller(code, module, isView) {
  const options = { ecma: 2022, module, compress: false, keep_classnames: isView ? /^(View|Frame)$/ : true, keep_fnames: !isView };
  const { code: made } = await minify(code, {
    ...options,
    // What V8 calls a class without a name of its own.
    mangle: { reserved: ['SubAgentManager2'] },
    format: { ascii_only: true, preserve_annotations: true, max_line_len: isView ? 8_000 : 120 },
  });
  return `${made}\n`;
}

/**
 * esbuild puts classes into variables, with a number where another part has the same name, and gives a class that refers to
 * itself another inner name. Each gets its own name back: as a static field where an inner name would hide that of the parent,
 * or be missing.
 */
function named(code) {
  const plain = code.replace(/\b(\w*[^\W\d])=class(?=\{| extends )/g, '$1=class $1');
  return plain.replace(/\b(\w+?)\d?=class( _\1(?: extends \w+)?| extends \1)\{/g, '$&static name="$1";');
}
