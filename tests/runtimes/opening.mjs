// `SubAgentManager.open` where users are, from the packed package: a process ends in mid-work and the next one with the same
// store goes on, in every runtime with a store that it has, and from one file of each bundler. Owns the programs.

import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { workerdConfig } from '../support/workerd.mjs';
import { BUNDLERS } from './browser.mjs';
import { MARK, run } from './process.mjs';
import { binary, node } from './shells.mjs';
import { bundleEdge, bundleWorker, runInEdge, serveWorker } from './workers.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Work of three processes: each says what it found and did; the first two end while something is under way. */
const LIFE = `
const until = async (holds) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1));
};
const options = {
  onHostLost: 'resume',
  async spawnSubAgent({ instructions }, run) {
    if (instructions === 'short') return { output: 'short', usage: { tokens: 10 } };
    if (run.checkpointed !== undefined) return { output: 'went on from ' + JSON.stringify(run.checkpointed), usage: { tokens: 7 } };
    await run.checkpoint({ page: 3 });
    run.report({ message: 'at page 3' });
    return new Promise(() => undefined);
  },
};
async function live(manager) {
  const long = manager.list().items.find(({ label }) => label === 'long');
  if (long === undefined) {
    const { output } = await manager.spawn({ instructions: 'short', label: 'first' }).wait();
    const handle = manager.spawn({ instructions: 'long', label: 'long', background: true });
    await until(() => manager.get(handle).progress !== null);
    await manager.flush();
    return output + ', ' + manager.get(handle).status;
  }
  if (long.status !== 'completed') {
    await until(() => manager.get(long.taskId).status === 'completed');
    await manager.flush();
    return manager.get(long.taskId).output + ', ' + manager.inbox.peek().length + ' notice, ' + manager.budget().tokens.spent + ' tokens';
  }
  const [notice] = manager.inbox.lease();
  const { output } = await manager.spawn({ instructions: 'short', label: 'last' }).wait();
  const said = [manager.inbox.ack(notice.deliveryId), output, manager.list().items.length, manager.budget().tokens.spent].join();
  await manager[Symbol.asyncDispose]();
  return said;
}
`;
const EXPECTED = ['short, running', 'went on from {"page":3}, 1 notice, 17 tokens', 'true,short,3,27'];

/** Each process says one line. */
const tell = (open) => `
const said = await live(await SubAgentManager.open({ store: ${open}, ...options }));
console.log(${JSON.stringify(MARK)} + said + ${JSON.stringify(MARK)});
// What is still under way ends with the process.
process.exit(0);
`;
const MANAGER = "import { SubAgentManager } from 'subagents';\n";
const FILE = "import { fileStore } from 'subagents/store/file';\n";
const SQLITE = `import { sqliteStore } from 'subagents/store/sqlite';
const [name, path] = process.argv.slice(2);
const { DatabaseSync, Database = DatabaseSync } = await import(name);
`;
const COMMON = `const { SubAgentManager } = require('subagents');
const { fileStore } = require('subagents/store/file');
${LIFE}(async () => {${tell('fileStore(process.argv[3], { waitMs: 60_000 })')}})();
`;

/** A page says what it came to once it has been loaded three times. */
const PAGE = `${MANAGER}import { indexedDbStore } from 'subagents/store/indexeddb';
${LIFE}
const said = await live(await SubAgentManager.open({ store: indexedDbStore(location.pathname, { waitMs: 60_000 }), ...options }));
const all = [...JSON.parse(sessionStorage.getItem('said') ?? '[]'), said];
sessionStorage.setItem('said', JSON.stringify(all));
if (all.length === 3) globalThis.report = all;
else location.reload();
`;

const DURABLE_OBJECT = `import { DurableObject } from 'cloudflare:workers';
${MANAGER}import { sqliteStore } from 'subagents/store/sqlite';
${LIFE}
export class Agents extends DurableObject {
  async fetch() {
    return Response.json({ said: await live(await SubAgentManager.open({ store: sqliteStore(this.ctx.storage), ...options })) });
  }
}
export default {
  fetch: (request, env) => env.AGENTS.get(env.AGENTS.idFromName('one')).fetch(request),
};
`;

/** The edge has no store that outlives a process: three managers of one. */
const EDGE = `${MANAGER}import { memoryStore } from 'subagents/store/memory';
${LIFE}
async function all() {
  const store = memoryStore();
  const said = [];
  for (let round = 0; round < 3; round += 1) {
    const manager = await SubAgentManager.open({ store, ...options });
    said.push(await live(manager));
    await manager[Symbol.asyncDispose]();
  }
  return said;
}
addEventListener('fetch', (event) => event.respondWith(all().then((said) => Response.json(said))));
`;

export const openingFiles = {
  'open-file.js': `${MANAGER}${FILE}${LIFE}${tell('fileStore(process.argv[3], { waitMs: 60_000 })')}`,
  'open-sqlite.js': `${MANAGER}${SQLITE}${LIFE}${tell('sqliteStore(new Database(path))')}`,
  'open-page.js': PAGE,
  'open-worker.js': DURABLE_OBJECT,
  'open-edge.js': EDGE,
};

export const openingCjs = { 'open-file.cjs': COMMON };

function expectSaid(said) {
  for (const [round, expected] of EXPECTED.entries())
    if (said[round] !== expected) throw new Error(`process ${round + 1} said ${said[round]}, not ${expected}`);
}

/** Three processes of one program, one after the other, with one store. */
async function inTurn(cwd, file, args, [program, ...rest]) {
  const place = `${cwd}/opened-${rest.join('-').replaceAll(/\W/g, '')}-${Math.random()}`;
  const env = { DENO_DIR: `${cwd}/.deno`, DENO_NO_UPDATE_CHECK: '1' };
  const said = [];
  for (const _ of EXPECTED) said.push((await run(file, [...args, program, rest[0] ?? '', place], { cwd, env })).split(MARK)[1]);
  expectSaid(said);
}

/** `{ name, missing?, run(projects) }`. */
export function openings() {
  const deno = binary('@deno', 'deno');
  const bun = binary('@oven', 'bun');
  const workerd = binary('@cloudflare', 'workerd');
  const own = `Node ${process.versions.node.split('.')[0]}`;
  const denoArgs = ['run', '--no-prompt', '--allow-all'];
  const noBinary = (file) => (file === undefined ? 'its package has no binary for this platform' : undefined);
  const programs = [
    [`${own}, a file`, process.execPath, [], ['open-file.js'], 'esm'],
    [`${own}, a file, by require`, process.execPath, [], ['open-file.cjs'], 'cjs'],
    [`${own}, a file, by require of CommonJS`, process.execPath, ['--no-experimental-require-module'], ['open-file.cjs'], 'cjs'],
    ['Node 24, node:sqlite', node(24), [], ['open-sqlite.js', 'node:sqlite'], 'esm'],
    ['Deno, a file', deno, denoArgs, ['open-file.js'], 'esm'],
    ['Deno, a file, by require', deno, denoArgs, ['open-file.cjs'], 'cjs'],
    ['Deno, node:sqlite', deno, denoArgs, ['open-sqlite.js', 'node:sqlite'], 'esm'],
    ['Bun, a file', bun, [], ['open-file.js'], 'esm'],
    ['Bun, a file, by require', bun, [], ['open-file.cjs'], 'cjs'],
    ['Bun, bun:sqlite', bun, [], ['open-sqlite.js', 'bun:sqlite'], 'esm'],
  ];
  return [
    ...programs.map(([name, file, args, program, type]) => ({
      name: `open: ${name}`,
      missing: noBinary(file),
      run: (projects) => inTurn(projects[type], file, args, program),
    })),
    ...['esbuild', 'rollup', 'webpack', 'vite'].map((name) => ({
      name: `open: a bundle for Node by ${name}, without the package`,
      async run({ esm }) {
        const out = `${esm}/opened-by-${name}`;
        mkdirSync(out, { recursive: true });
        await BUNDLERS[name](esm, 'open-file.js', `${out}/main.mjs`, 'node');
        // Where the package can't be found.
        const away = `${esm}-${name}`;
        cpSync(out, away, { recursive: true });
        await inTurn(away, process.execPath, [], ['main.mjs']);
        rmSync(away, { recursive: true });
      },
    })),
    {
      name: 'open: a bundle by Bun, without the package',
      missing: noBinary(bun),
      async run({ esm }) {
        const away = `${esm}-bun`;
        mkdirSync(away, { recursive: true });
        await run(bun, ['build', 'open-file.js', '--target=bun', `--outfile=${away}/main.js`], { cwd: esm });
        await inTurn(away, bun, [], ['main.js']);
        rmSync(away, { recursive: true });
      },
    },
    { name: 'open: workerd, a Durable Object', missing: noBinary(workerd), run: ({ esm }) => inDurableObject(workerd, esm) },
    {
      name: "open: Vercel's edge runtime, memory",
      async run({ esm }) {
        await bundleEdge(esm, 'open-edge.js', `${esm}/out-edge-open.js`);
        expectSaid(await runInEdge(esm, 'out-edge-open.js'));
      },
    },
  ];
}

/** The pages that open a store, by each bundler: `{ name, run(browser, projects) }`. */
export function openingPages() {
  return Object.entries(BUNDLERS).map(([name, bundle]) => ({
    name: `open: Chromium, IndexedDB, a page that is loaded again in mid-work, bundled by ${name}`,
    async run(opened, { esm }) {
      cpSync(`${here}node_modules/idb`, `${esm}/node_modules/idb`, { recursive: true });
      mkdirSync(`${esm}/out/open-${name}`, { recursive: true });
      await bundle(esm, 'open-page.js', `${esm}/out/open-${name}/page.js`);
      expectSaid(await opened.open(`out/open-${name}/page.js`));
    },
  }));
}

async function inDurableObject(workerd, folder) {
  const out = `${folder}/workerd-open`;
  mkdirSync(`${out}/disk`, { recursive: true });
  await bundleWorker(folder, 'open-worker.js', `${out}/worker.js`);
  const files = ['subagents.wasm'];
  for (const file of files) writeFileSync(`${out}/${file}`, readFileSync(`${folder}/node_modules/subagents/pkg/${file}`));
  writeFileSync(`${out}/config.capnp`, workerdConfig({ wasm: files, objects: { AGENTS: 'Agents' } }));
  const said = [];
  for (const _ of EXPECTED) said.push((await serveWorker(workerd, out, '')).said);
  expectSaid(said);
}
