// Builds dist/ from ts/ and the committed pkg/. It has the entries, as ECMAScript modules over one shared part and as CommonJS,
// and the types of both. The output is readable: a program's own bundler makes it small.

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { buildCommand } from './command.mjs';
import { hostModules, makeHost, modulesOf } from './host.mjs';
import { buildInspector, buildInspectorServer, writeInspectorTypes } from './inspector.mjs';
import { readOptions } from './run.mjs';
import { contentOf, PACKAGE, setBuilt } from './stamp.mjs';
import { writeTypes } from './types.mjs';
import { wasmText } from './wasm-text.mjs';

readOptions({}, 'npm run build: it takes no options');
const content = contentOf(PACKAGE.from);
const root = fileURLToPath(new URL('..', import.meta.url));
const dist = `${root}dist/`;
const ts = join(root, 'ts/');

const adapters = ['adk', 'ai-sdk', 'anthropic', 'claude', 'langchain', 'mastra', 'mcp', 'openai', 'pi', 'strands'];
/** The faces: each offers the names of a source over the package. */
const faces = ['calute', 'cortex', 'cortex-python', 'nanobot', 'oxide'];
const stores = ['conformance', 'file', 'indexeddb', 'memory', 'redis', 'sqlite'];
/** The entries of both formats, by their names in dist/: the same as in ts/, except the first ones. */
const parts = [
  ...stores.map((name) => `stores/${name}`),
  ...adapters.map((name) => `adapters/${name}`),
  'adapters/agents/index',
  'adapters/opentelemetry/index',
  'policies/index',
  'options/agent-file',
  'workers/bullmq',
  ...faces.map((name) => `from/${name}`),
];
const inBoth = Object.fromEntries(parts.map((name) => [name, `${ts}${name}.ts`]));
const entry = (name) => `${ts}entries/${name}.ts`;

rmSync(dist, { recursive: true, force: true });
const host = await hostModules(root);
const shared = await modulesOf(`${ts}index.ts`);
writeFileSync(`${root}pkg/host.js`, await makeHost(root));
await Promise.all([
  bundle({
    input: {
      index: entry('inline'),
      node: entry('node'),
      slim: entry('slim'),
      journal: entry('journal'),
      workerd: entry('workerd'),
      'edge-light': entry('edge-light'),
      ...inBoth,
    },
    format: 'esm',
    plugins: [wasm(), pkgBeside(host)],
  }),
  bundle({
    input: { index: entry('node-cjs'), slim: entry('slim'), journal: entry('journal'), ...inBoth },
    format: 'cjs',
    plugins: [ownHost()],
    // jest with jsdom, which takes these files, hides globals that they need.
    inject: Object.fromEntries(['TextEncoder', 'TextDecoder'].map((name) => [name, [entry('text-coders'), name]])),
  }),
  // For any runtime, and in one file.
  ...['esm', 'cjs'].map((format) => bundle({ input: { 'view/index': `${ts}view/index.ts` }, format, isOneFile: true })),
]);
await buildInspector(root);
const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
await buildInspectorServer(root, version);
await writeTypes(root, ['index', 'slim', 'journal', ...parts, 'view/index']);
writeInspectorTypes(root);
// The command is checked against the types.
await buildCommand(root, version);
setBuilt('package', content, PACKAGE.made);

/** Bundles all entries in one format. Code that several of them need is in files of its own, once. */
async function bundle({ input, format, plugins, inject = {}, isOneFile = false }) {
  const ending = format === 'esm' ? 'js' : 'cjs';
  const made = await rolldown({
    input,
    plugins,
    platform: format === 'esm' ? 'neutral' : 'node',
    external: [/^node:/, /^subagents(?:\/|$)/, '@agentclientprotocol/sdk', 'bullmq', 'idb', '@opentelemetry/api'],
    transform: { target: 'es2022', inject },
    // Leaves out the module of each part, which takes several kilobytes.
    experimental: { attachDebugInfo: 'none' },
    logLevel: 'warn',
  });
  await made.write({
    dir: dist,
    format,
    exports: 'named',
    entryFileNames: `[name].${ending}`,
    // The code of the entry `subagents` in every runtime, and the small parts that only others share.
    codeSplitting: isOneFile ? false : { groups: [{ name: 'shared', test: (id) => shared.has(id) }] },
    chunkFileNames: ({ name }) => `${name === 'shared' ? '' : 'parts/'}${name}.${ending}`,
    // The types have the comments for users.
    comments: { legal: false, annotation: true, jsdoc: false },
  });
}

/** `pkg/` is part of the package: modules in `pkg/host.js` are taken from there. */
function pkgBeside(modules) {
  return {
    name: 'pkg-beside',
    resolveId: {
      order: 'pre',
      async handler(id, from) {
        const found = from === undefined ? null : await this.resolve(id, from, { skipSelf: true });
        if (modules.has(found?.id)) return { id: join(root, 'pkg/host.js'), external: true };
        return found?.id === join(root, 'pkg/subagents.js') ? { id: found.id, external: true } : found;
      },
    },
  };
}

/** CommonJS can't load `pkg/`, so it contains the glue and the imports of the glue. */
function ownHost() {
  return {
    name: 'own-host',
    resolveId: {
      filter: { id: /^\.\/host\.js$/ },
      handler: (_, from) => (dirname(from) === join(root, 'pkg') ? entry('glue') : undefined),
    },
  };
}

/** The wasm file as each entry needs it: as text inside JavaScript, or left to the runtime, which finds it in `pkg/`. */
function wasm() {
  return {
    name: 'wasm',
    resolveId: {
      filter: { id: /\.wasm(\?\w+)?$/ },
      handler: (id, from) => {
        const [path, form = ''] = resolve(dirname(from), id).split('?');
        return form === 'text' ? `${path}?text` : { id: form === '' ? path : `${path}?${form}`, external: true };
      },
    },
    load: {
      filter: { id: /\.wasm\?text$/ },
      handler: (id) => `export default ${JSON.stringify(wasmText(readFileSync(id.slice(0, -'?text'.length))))};`,
    },
  };
}
