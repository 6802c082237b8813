// The stores where they run: each goes through `subagents/store/conformance` as the package has it. Owns the programs.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MARK, reportIn, run } from './process.mjs';
import { binary, node } from './shells.mjs';
import { bundleWorker, serveWorker } from './workers.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Runs the checks of a store one after the other; the report has the names of those that passed, and the first failure. */
const CONFORM = `
import { storeConformance } from 'subagents/store/conformance';
export async function conform(makeStore, options) {
  const passed = [];
  for (const { name, run } of storeConformance(makeStore, options)) {
    try {
      await run();
      passed.push(name);
    } catch (error) {
      return { passed, failure: name + ': ' + (error.stack ?? error) };
    }
  }
  return { passed, failure: null };
}
`;
const told = `console.log(${JSON.stringify(MARK)} + JSON.stringify(reports) + ${JSON.stringify(MARK)});`;
const imports = `import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conform } from './store-conform.js';
const folder = mkdtempSync(join(tmpdir(), 'subagents-store-'));
const reports = {};
`;

const FILE = `${imports}import { fileStore } from 'subagents/store/file';
reports.file = await conform((place) => fileStore(join(folder, place)));
rmSync(folder, { recursive: true });
${told}
`;

/** Each store has a handle of its own, as if it were in another process; the lock of SQLite is what keeps them apart. */
const SQLITE = `${imports}import { sqliteStore } from 'subagents/store/sqlite';
const [handle, modules] = process.argv.slice(2);
const Database = {
  'node:sqlite': async () => (await import('node:sqlite')).DatabaseSync,
  'bun:sqlite': async () => (await import('bun:sqlite')).Database,
  'better-sqlite3': () => createRequire(modules)('better-sqlite3'),
}[handle];
const Handle = await Database();
const open = (place, mode) => {
  const database = handle === 'better-sqlite3' ? new Handle(join(folder, place), { timeout: 0 }) : new Handle(join(folder, place));
  database.prepare('PRAGMA journal_mode = ' + mode).all();
  return database;
};
for (const mode of ['wal', 'delete']) {
  reports[mode] = await conform((place) => sqliteStore(open(place + mode, mode)));
}
const one = open('one', 'wal');
reports['two on one handle'] = await conform((place) => sqliteStore(one, { table: place.replaceAll('-', '_') }));
rmSync(folder, { recursive: true });
${told}
`;

/** A process that appends and compacts is killed again and again: its lock goes with it, and what it acknowledged is there. */
const SQLITE_KILLED = `${imports}import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from 'subagents/store/sqlite';
const open = (file) => sqliteStore(new DatabaseSync(file));
const bytes = (number) => new TextEncoder().encode('record ' + number + ' '.repeat(number % 500));
if (process.argv[2] !== undefined) {
  const store = open(process.argv[2]);
  const { through, records } = await store.open();
  let count = through + [...records].length;
  writeSync(1, 'open\\n');
  for (;;) {
    const burst = Array.from({ length: 5 }, () => store.append(bytes(++count)));
    if (count % 3 === 0) burst.push(store.compact(bytes(count - 2), count - 2));
    await Promise.all(burst);
    writeSync(1, count + '\\n');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
const file = join(folder, 'killed');
let [acknowledged, refused] = [0, 0];
for (let kill = 0; kill < 10; kill += 1) {
  const child = spawn(process.execPath, [process.argv[1], file], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const enough = new Promise((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.split('\\n').length > 2 + kill * 3) resolve();
    });
  });
  const ended = new Promise((resolve) => child.on('close', resolve));
  await enough;
  refused += await open(file).open().then(() => 0, ({ code }) => Number(code === 'store_locked'));
  child.kill('SIGKILL');
  await ended;
  acknowledged = Math.max(acknowledged, ...said.split('\\n').slice(1, -1).map(Number));
  const store = open(file);
  const { through, snapshot, records } = await store.open();
  const found = Array.from(records, (record) => new TextDecoder().decode(record));
  const expected = found.map((_, at) => new TextDecoder().decode(bytes(through + 1 + at)));
  if (found.join() !== expected.join()) throw new Error('other records: ' + found);
  if (through > 0 && new TextDecoder().decode(snapshot) !== new TextDecoder().decode(bytes(through))) throw new Error('another snapshot');
  if (through + found.length < acknowledged) throw new Error(acknowledged + ' were acknowledged, ' + (through + found.length) + ' are there');
  await store.close();
}
if (refused !== 10) throw new Error('refused ' + refused + ' times');
rmSync(folder, { recursive: true });
reports.killed = { passed: [acknowledged + ' records'], failure: null };
${told}
`;

const DURABLE_OBJECT = `
import { DurableObject } from 'cloudflare:workers';
import { sqliteStore } from 'subagents/store/sqlite';
import { conform } from './store-conform.js';

export class Journal extends DurableObject {
  async fetch() {
    const store = sqliteStore(this.ctx.storage);
    const { records } = await store.open();
    const found = [];
    for await (const record of records) found.push(new TextDecoder().decode(record));
    await store.append(new TextEncoder().encode('record ' + (found.length + 1)));
    await store.close();
    return Response.json({ found });
  }
}

export class Conforming extends DurableObject {
  async fetch() {
    const make = (place) => sqliteStore(this.ctx.storage, { table: place.replaceAll('-', '_') });
    return Response.json({ 'Durable Object': await conform(make) });
  }
}

export default {
  fetch(request, env) {
    const kind = new URL(request.url).pathname === '/conform' ? env.CONFORMING : env.JOURNAL;
    return kind.get(kind.idFromName('one')).fetch(request);
  },
};
`;

export const storeFiles = {
  'store-conform.js': CONFORM,
  'store-file.js': FILE,
  'store-sqlite.js': SQLITE,
  'store-sqlite-killed.js': SQLITE_KILLED,
  'store-worker.js': DURABLE_OBJECT,
};

function passed(reports) {
  for (const [name, { failure }] of Object.entries(reports)) if (failure !== null) throw new Error(`${name}: ${failure}`);
  return `${Object.values(reports).reduce((sum, { passed }) => sum + passed.length, 0)} checks`;
}

/** `{ name, missing?, run(projects) }`: gives what to say beside the name. */
export function stores() {
  const deno = binary('@deno', 'deno');
  const bun = binary('@oven', 'bun');
  const own = `Node ${process.versions.node.split('.')[0]}`;
  const programs = [
    [`${own}, the file store`, process.execPath, ['store-file.js']],
    ['Node 22, the file store', node(22), ['store-file.js']],
    ['Node 24, the file store', node(24), ['store-file.js']],
    ['Deno, the file store', deno, ['run', '--no-prompt', '--allow-all', 'store-file.js']],
    // What else it wants to know, such as the name of the machine, it does without.
    [
      'Deno with files alone, the file store',
      deno,
      ['run', '--no-prompt', '--allow-read', '--allow-write', '--allow-env', 'store-file.js'],
    ],
    ['Bun, the file store', bun, ['store-file.js']],
    ['Node 24, the SQLite store over node:sqlite', node(24), ['store-sqlite.js', 'node:sqlite']],
    ['Node 24, the SQLite store of a process that is killed ten times', node(24), ['store-sqlite-killed.js']],
    ['Deno, the SQLite store over node:sqlite', deno, ['run', '--no-prompt', '--allow-all', 'store-sqlite.js', 'node:sqlite']],
    ['Bun, the SQLite store over bun:sqlite', bun, ['store-sqlite.js', 'bun:sqlite']],
  ];
  const workerd = binary('@cloudflare', 'workerd');
  return [
    ...programs.map(([name, file, args]) => ({
      name,
      missing: file === undefined ? 'its package has no binary for this platform' : undefined,
      run: (projects) => runProgram(projects, file, args),
    })),
    {
      name: `${own}, the SQLite store over better-sqlite3`,
      run(projects) {
        // It is compiled where it has no binary for this platform, once.
        const built = `${here}node_modules/better-sqlite3/build/Release/better_sqlite3.node`;
        if (!existsSync(built)) execFileSync('npm', ['rebuild', 'better-sqlite3'], { cwd: here, stdio: 'ignore' });
        return runProgram(projects, process.execPath, ['store-sqlite.js', 'better-sqlite3', `${here}package.json`]);
      },
    },
    {
      name: 'workerd, the SQLite store of a Durable Object, also when it begins anew',
      missing: workerd === undefined ? 'its package has no binary for this platform' : undefined,
      run: ({ esm }) => runDurableObject(workerd, esm),
    },
  ];
}

async function runProgram({ esm }, file, args) {
  const env = { DENO_DIR: `${esm}/.deno`, DENO_NO_UPDATE_CHECK: '1' };
  return passed(reportIn(await run(file, args, { cwd: esm, env })));
}

async function runDurableObject(workerd, folder) {
  const out = `${folder}/workerd-store`;
  rmSync(out, { recursive: true, force: true });
  mkdirSync(`${out}/disk`, { recursive: true });
  await bundleWorker(folder, 'store-worker.js', `${out}/worker.js`);
  writeFileSync(
    `${out}/config.capnp`,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker), (name = "disk", disk = (path = "disk", writable = true))],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  compatibilityDate = "2026-10-01",
  modules = [(name = "worker.js", esModule = embed "worker.js")],
  durableObjectNamespaces = [
    (className = "Journal", uniqueKey = "journal", enableSql = true),
    (className = "Conforming", uniqueKey = "conforming", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "disk"),
  bindings = [
    (name = "JOURNAL", durableObjectNamespace = "Journal"),
    (name = "CONFORMING", durableObjectNamespace = "Conforming"),
  ],
);
`,
  );
  for (let round = 0; round < 3; round += 1) {
    const { found } = await serveWorker(workerd, out, '');
    if (found.length !== round || found.some((text, at) => text !== `record ${at + 1}`)) throw new Error(`it found ${found}`);
  }
  return passed(await serveWorker(workerd, out, 'conform'));
}
