// What the tarball itself must keep: publint and attw, no work at import, no Node in bundles for browsers and
// workers, nothing kept that nobody uses. Owns the checks and the measures; nothing here runs the manager.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { transform } from 'esbuild';
import { measureForStores } from '../../bench/size.mjs';
import { judges } from '../../scripts/package-lint.mjs';
import { BUNDLERS } from './browser.mjs';
import { run } from './process.mjs';
import { bundleEdge, bundleWorker } from './workers.mjs';

/** Every entry for a store. */
const STORES = ['conformance', 'file', 'indexeddb', 'memory', 'redis', 'sqlite'].map((name) => `subagents/store/${name}`);

/** What an import must not call; each says its name when it is called. */
const WATCHED = `
const called = [];
const watch = (owner, name) => {
  const real = owner[name];
  owner[name] = new Proxy(real, {
    apply(target, self, args) { called.push(name); return Reflect.apply(target, self, args); },
    construct(target, args, type) { called.push('new ' + name); return Reflect.construct(target, args, type); },
  });
};
for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch', 'eval', 'Function', 'Worker', 'FinalizationRegistry'])
  if (name in globalThis) watch(globalThis, name);
for (const name of ['compile', 'instantiate', 'Module', 'Instance', 'Memory']) watch(WebAssembly, name);
for (const name of ['getRandomValues', 'randomUUID']) watch(Crypto.prototype, name);
watch(Math, 'random');
watch(Date, 'now');
watch(Performance.prototype, 'now');
`;

export const packageFiles = {
  'watched.js': `${WATCHED}
globalThis.called = called;
const before = Object.getOwnPropertyNames(globalThis).length;
for (const name of ['subagents', 'subagents/slim', ...${JSON.stringify(STORES)}]) await import(name);
if (Object.getOwnPropertyNames(globalThis).length !== before) called.push('a new global');
console.log(called.join(' '));
`,
  'nothing.js': "import 'subagents';\nimport 'subagents/slim';\nglobalThis.name = 'nothing';\n",
  'constant.js': "import { SUB_AGENT_TOOL_NAME } from 'subagents';\nglobalThis.name = SUB_AGENT_TOOL_NAME;\n",
  'manager.js':
    "import { SubAgentManager } from 'subagents';\nglobalThis.manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });\n",
  'first-call.js':
    "import { SubAgentManager } from 'subagents';\nconst manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'bundled' }) });\nconsole.log((await manager.spawn({ instructions: 'x' }).wait()).output);\n",
  'manager-stored.js':
    "import { SubAgentManager } from 'subagents';\nimport { memoryStore } from 'subagents/store/memory';\nSubAgentManager.open({ store: memoryStore(), spawnSubAgent: async () => ({ output: 'x' }) }).then((manager) => {\n  globalThis.manager = manager;\n});\n",
  'manager-slim.js':
    "import { init, SubAgentManager } from 'subagents/slim';\ninit('/subagents.wasm').then(() => {\n  globalThis.manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });\n});\n",
};

export const watchedCjs = {
  'required.js': "globalThis.manager = new (require('subagents').SubAgentManager)();\n",
  'watched.cjs': `${WATCHED}
for (const name of ['subagents', 'subagents/slim', ...${JSON.stringify(STORES)}]) require(name);
for (const name of ['index', 'slim']) require('./node_modules/subagents/dist/' + name + '.cjs');
console.log(called.join(' '));
`,
};

/** `{ name, check(projects, packed) }`: throws where it isn't so. */
export function checks() {
  return [
    {
      name: 'publint and attw: types resolve alike everywhere',
      async check(_, { file }) {
        for (const judge of judges(file)) await run(process.execPath, judge);
      },
    },
    {
      name: 'the tarball has what its exports name, and no tests or sources',
      check(_, { files }) {
        const { exports } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
        const named = (value) => (typeof value === 'string' ? [value] : Object.values(value).flatMap(named));
        const missing = named(exports).filter((path) => !files.includes(path.slice(2)));
        const strange = files.filter(
          (path) =>
            !/^(dist|pkg|docs|skills)\/|^slim\/package\.json$|^(package\.json|README\.md|LICENSE|CHANGELOG\.md|CONTRIBUTING\.md|llms\.txt)$/.test(
              path,
            ) ||
            // The guide to testing is none.
            (/test|trap/.test(path) && !path.startsWith('docs/guides/')),
        );
        if (missing.length + strange.length > 0) throw new Error(`missing: ${missing}; strange: ${strange}`);
      },
    },
    {
      name: 'an import starts no timer, draws nothing, reads no clock, compiles nothing',
      async check({ esm, cjs }) {
        for (const [cwd, file] of [
          [esm, 'watched.js'],
          [cjs, 'watched.cjs'],
        ]) {
          const said = (await run(process.execPath, [file], { cwd })).trim();
          if (said !== '') throw new Error(`${file} called: ${said}`);
        }
      },
    },
    {
      name: 'no eval, no Node in the files, or in bundles for browsers, Workers and the edge',
      async check({ esm }) {
        mkdirSync(`${esm}/out`, { recursive: true });
        const bundles = { 'out/plain-worker.js': bundleWorker, 'out/plain-edge.js': bundleEdge, 'out/plain-browser.js': BUNDLERS.esbuild };
        for (const [outfile, bundle] of Object.entries(bundles)) await bundle(esm, 'manager.js', `${esm}/${outfile}`);
        const dist = [
          'index',
          'shared',
          'slim',
          'workerd',
          'edge-light',
          'stores/conformance',
          'stores/indexeddb',
          'stores/memory',
          'stores/sqlite',
        ].map((name) => `node_modules/subagents/dist/${name}.js`);
        for (const file of [...dist, ...Object.keys(bundles)]) {
          // Without what comments say.
          const { code } = await transform(readFileSync(`${esm}/${file}`, 'utf8'), { minifyWhitespace: true, legalComments: 'none' });
          const found = /\beval\(|new Function|import\.meta|\brequire\(|["']node:|process\.|\bBuffer\b|__dirname|document\./.exec(code);
          if (found !== null) throw new Error(`${file} has \`${found[0]}\``);
        }
      },
    },
    ...['esbuild', 'webpack'].map((name) => ({
      name: `${name} takes the modules of the package for \`require\` too`,
      async check({ cjs }) {
        mkdirSync(`${cjs}/out`, { recursive: true });
        await BUNDLERS[name](cjs, 'required.js', `${cjs}/out/${name}.js`);
        const bundle = readFileSync(`${cjs}/out/${name}.js`, 'utf8');
        if (bundle.includes('node:fs') || bundle.length < 100_000) throw new Error('it has the files for Node');
      },
    })),
    ...['esbuild', 'rollup', 'webpack', 'vite'].map((name) => ({
      name: `${name}: a bundle for Node has the module in it, and runs without the package`,
      async check({ esm }) {
        const folder = mkdtempSync(join(tmpdir(), 'subagents-bundle-'));
        try {
          await BUNDLERS[name](esm, 'first-call.js', `${folder}/main.mjs`, 'node');
          const said = (await run(process.execPath, ['main.mjs'], { cwd: folder })).trim();
          if (said !== 'bundled') throw new Error(`it said: ${said}`);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    })),
    {
      name: 'nothing is larger than its ceiling',
      async check(projects, packed) {
        const over = (await sizes(projects, packed)).filter(([, measured, ceiling]) => measured > ceiling);
        if (over.length > 0) throw new Error(over.map(([what, measured, ceiling]) => `${what}: ${measured} of ${ceiling}`).join('; '));
      },
    },
    ...Object.entries(BUNDLERS).map(([name, bundle]) => ({
      name: `${name} drops what nobody uses`,
      async check({ esm }) {
        mkdirSync(`${esm}/out`, { recursive: true });
        const sizes = {};
        for (const entry of ['nothing', 'constant', 'manager']) {
          const outfile = `${esm}/out/${name}-${entry}.js`;
          await bundle(esm, `${entry}.js`, outfile);
          sizes[entry] = existsSync(outfile) ? readFileSync(outfile).length : 0;
        }
        if (sizes.nothing > 200 || sizes.constant > 20_000 || sizes.manager < 100_000) throw new Error(JSON.stringify(sizes));
      },
    })),
  ];
}

/** Sizes, and what they may not exceed, in bytes: `[what, measured, ceiling]`; of bundles also by brotli, behind. */
export async function sizes({ esm }, { bytes }) {
  mkdirSync(`${esm}/out`, { recursive: true });
  const gzip = (file) => gzipSync(readFileSync(file), { level: 9 }).length;
  const brotli = (file) => brotliCompressSync(readFileSync(file)).length;
  const file = (entry) => `${esm}/out/size-${entry}`;
  const bundle = async (entry) => {
    await BUNDLERS.esbuild(esm, entry, file(entry));
    return gzip(file(entry));
  };
  const worker = async () => {
    await bundleWorker(esm, 'manager.js', file('worker.js'), true);
    return gzip(file('worker.js'));
  };
  const module = `${esm}/node_modules/subagents/pkg/subagents.wasm`;
  const wasm = gzip(module);
  const plain = await bundle('manager.js');
  return [
    ['tarball', bytes, 1_635_000],
    ['default browser bundle, gzip', plain, 373_500, brotli(file('manager.js'))],
    ['what a store adds to it, gzip', (await bundle('manager-stored.js')) - plain, 1_000],
    [
      'slim browser bundle and the wasm file, gzip',
      (await bundle('manager-slim.js')) + wasm,
      371_800,
      brotli(file('manager-slim.js')) + brotli(module),
    ],
    ['bundle for Workers and the wasm file, gzip', (await worker()) + wasm, 371_400, brotli(file('worker.js')) + brotli(module)],
    ['the wasm file alone, gzip', wasm, 282_200],
    ['what the bare class needs of JavaScript, gzip', gzip(`${esm}/node_modules/subagents/pkg/host.js`), 84_500],
    ['JavaScript for stores alone in a program without one, gzip', await measureForStores(), 4_450],
  ];
}
