// The stores where they run: each goes through `subagents/store/conformance` as the package has it. Owns the programs.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { npm } from '../../scripts/system.mjs';
import { workerdConfig } from '../support/workerd.mjs';
import { BUNDLERS } from './browser.mjs';
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
const reported = `console.log(${JSON.stringify(MARK)} + JSON.stringify(reports) + ${JSON.stringify(MARK)});`;
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
${reported}
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
const broken = sqliteStore(one, { table: 'broken' });
await broken.open();
for (let number = 1; number <= 4; number += 1) await broken.append(new Uint8Array(number));
await broken.close();
const codeOf = (work) => work.then(() => 'resolved', (error) => error.code + ' ' + JSON.stringify(error.details.record ?? null));
one.exec('DELETE FROM broken_records WHERE key = 2 * 65536');
const said = [await codeOf(broken.open())];
one.exec('UPDATE broken_state SET version = 2');
said.push(await codeOf(broken.open()));
const full = sqliteStore(one, { table: 'filled' });
await full.open();
await full.append(new Uint8Array(10));
// A full disk, as SQLite sees it.
one.exec('PRAGMA max_page_count = 1');
// A compaction that fails is undone, and the store goes on.
said.push(await codeOf(full.compact(new Uint8Array(64_000_000), 1)));
await full.append(new Uint8Array(11));
const appends = Array.from({ length: 50 }, () => codeOf(full.append(new Uint8Array(1_000_000))));
await Promise.all(appends);
said.push(await codeOf(full.append(new Uint8Array(1))));
const why = await full.append(new Uint8Array(1)).catch((error) => error.message);
if (!why.includes('ENOSPC')) throw new Error('a full disk is no ENOSPC: ' + why);
await full.close();
one.exec('PRAGMA max_page_count = 1000000');
// Another connection that writes meanwhile is waited for.
const other = open('one', 'wal');
const beside = sqliteStore(one, { table: 'beside' });
await beside.open();
other.exec('CREATE TABLE other (a); BEGIN IMMEDIATE; INSERT INTO other VALUES (1)');
const append = beside.append(new Uint8Array(5));
await new Promise((resolve) => setTimeout(resolve, 50));
other.exec('COMMIT');
await append;
await beside.close();
const { records } = await full.open();
if ([...records][0].length !== 10) throw new Error('what was acknowledged is gone');
await full.close();
if (said.join() !== 'store_damaged 2,store_version null,store_failed null,store_failed null') throw new Error('it said ' + said.join());
rmSync(folder, { recursive: true });
${reported}
`;

/** A process that appends and compacts is killed again and again: its lock goes with it, and what it acknowledged is there. */
const SQLITE_KILLED = `${imports}import { spawn } from 'node:child_process';
import { readdirSync, writeSync } from 'node:fs';
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
const own = ['killed', 'killed-journal', 'killed-subagents-lock'];
const left = readdirSync(folder).filter((name) => !own.includes(name));
if (left.length > 0) throw new Error('the processes left behind: ' + left);
rmSync(folder, { recursive: true });
reports.killed = { passed: [acknowledged + ' records'], failure: null };
${reported}
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

/** Each durability of the browser's. */
const INDEXEDDB = `
import { indexedDbStore } from 'subagents/store/indexeddb';
import { conform } from './store-conform.js';
const reports = {};
for (const durability of ['strict', 'relaxed']) {
  reports[durability] = await conform((place) => indexedDbStore(place + durability, { durability }));
}
globalThis.report = reports;
`;

/**
 * The records of version 1 are read, and gone on with; and what the store writes today is what the fixture has. Where a
 * later version writes another form, what it says here is the next fixture.
 */
const INDEXEDDB_FORM = `
import { indexedDbStore } from 'subagents/store/indexeddb';
import { openDB } from 'idb';
import { FIXTURE, readContents, writeFixture } from './store-fixture.js';
const given = ${readFileSync(new URL('../fixtures/indexeddb-v1.json', import.meta.url), 'utf8')};
const base64 = (bytes) => btoa(String.fromCharCode(...bytes));
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const raw = await openDB('v1', given.version, { upgrade: (made) => ['batches', 'state'].forEach((name) => made.createObjectStore(name)) });
for (const { key, lengths, bytes } of given.batches)
  await raw.put('batches', { lengths: Uint32Array.from(lengths), bytes: bytesOf(bytes) }, key);
await raw.put('state', { through: given.snapshot.through, bytes: bytesOf(given.snapshot.bytes) }, 'snapshot');
raw.close();
const same = (got, expected, what) => {
  if (JSON.stringify(got) !== JSON.stringify(expected)) throw new Error(what + ': ' + JSON.stringify(got));
};
same(await readContents(indexedDbStore('v1')), FIXTURE, 'the fixture was read as');
const store = indexedDbStore('v1');
await store.open();
await store.append(new TextEncoder().encode('one more'));
await store.close();
same(await readContents(indexedDbStore('v1')), { ...FIXTURE, records: [...FIXTURE.records, 'one more'] }, 'after it went on');
await writeFixture(indexedDbStore('written'));
const written = await openDB('written');
const keys = await written.getAllKeys('batches');
const values = await written.getAll('batches');
const { through, bytes } = await written.get('state', 'snapshot');
same({
  version: written.version,
  snapshot: { through, bytes: base64(bytes) },
  batches: keys.map((key, at) => ({ key, lengths: [...values[at].lengths], bytes: base64(values[at].bytes) })),
}, given, 'what is written now');
globalThis.report = { form: { passed: ['read', 'gone on with', 'written'], failure: null } };
`;

/** What pages in trouble have in common. */
const TROUBLE = `
import { indexedDbStore } from 'subagents/store/indexeddb';
import { openDB } from 'idb';
const passed = [];
const bytesOf = (text) => new TextEncoder().encode(text);
const failsWith = async (what, promise, code, words) => {
  const late = new Promise((resolve) => setTimeout(resolve, 60_000, { message: 'it hangs' }));
  const { code: said, message } = await Promise.race([promise.then(() => ({ message: 'it went well' }), (error) => error), late]);
  if (said !== code || !words.test(message)) throw new Error(what + ': ' + said + ' ' + message);
  passed.push(what);
};
const readAll = async (store) => {
  const { records } = await store.open();
  const read = [];
  for await (const record of records) read.push(record.length);
  await store.close();
  return read.join();
};
`;

/** Where the origin may have so little, that is said with its way out; what was acknowledged stays. */
const QUOTA_BYTES = 24_000_000;
const INDEXEDDB_FULL = `${TROUBLE}
const noSpace = /the browser has no space left for this origin; .navigator.storage.estimate.../;
const store = indexedDbStore('full');
await store.open();
for (const text of ['a', 'bb']) await store.append(bytesOf(text));
// Nothing that gets smaller as it is stored.
const noise = (length) => {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};
await failsWith('a snapshot that there is no space for', store.compact(noise(2 * ${QUOTA_BYTES}), 1), 'store_failed', noSpace);
await store.append(bytesOf('ccc'));
await store.compact(bytesOf('small'), 1);
await store.append(bytesOf('dddd'));
await failsWith('a record that there is no space for', store.append(noise(2 * ${QUOTA_BYTES})), 'store_failed', noSpace);
await failsWith('what comes after it', store.append(bytesOf('e')), 'store_failed', noSpace);
await store.close();
if ((await readAll(indexedDbStore('full'))) !== '2,3,4') throw new Error('what was acknowledged is gone');

// Filled to the last byte: by record after record.
const filled = indexedDbStore('filled');
await filled.open();
let kept = 0;
const append = async () => {
  await filled.append(noise(1_000_000));
  kept += 1;
};
await failsWith('a full origin', (async () => { while (kept < 100) await append(); })(), 'store_failed', noSpace);
await filled.close();
if (kept < 2 || (await readAll(indexedDbStore('filled'))) !== Array(kept).fill(1_000_000).join()) throw new Error('not the ' + kept + ' that were acknowledged');
globalThis.report = { full: { passed, failure: null } };
`;

/** What a browser refuses, loses or never answers: each is said with its way out, what was acknowledged stays, nothing hangs. */
const INDEXEDDB_TROUBLE = `${TROUBLE}
const written = async (name) => {
  const store = indexedDbStore(name);
  await store.open();
  for (const text of ['a', 'bb', 'ccc']) await store.append(bytesOf(text));
  return store;
};

await (await openDB('mine', 1, { upgrade: (made) => made.createObjectStore('notes') })).close();
await failsWith('a database of another program', indexedDbStore('mine').open(), 'store_failed', /is another program's; give .indexedDbStore. a name of its own/);

const harms = {
  'a batch that is a text': (database, keys) => database.put('batches', 'hello', keys[1]),
  'a last batch that is none': (database, keys) => database.put('batches', null, keys[2]),
  'a batch with another length': async (database, keys) => database.put('batches', { ...(await database.get('batches', keys[1])), bytes: new Uint8Array(1) }, keys[1]),
  'a batch that is gone': (database, keys) => database.delete('batches', keys[1]),
  'a batch under a text': (database) => database.put('batches', { lengths: new Uint32Array(0), bytes: new Uint8Array(0) }, 'text'),
  'a snapshot that is a text': (database) => database.put('state', 'hello', 'snapshot'),
  'a snapshot of less than nothing': (database) => database.put('state', { through: -3, bytes: new Uint8Array(3) }, 'snapshot'),
};
for (const [name, harm] of Object.entries(harms)) {
  await (await written(name)).close();
  const database = await openDB(name);
  await harm(database, await database.getAllKeys('batches'));
  database.close();
  await failsWith(name, readAll(indexedDbStore(name)), 'store_damaged', /is damaged at/);
}

const deleted = await written('deleted');
await deleted.close();
const { lost } = await deleted.open();
await new Promise((resolve, reject) => Object.assign(indexedDB.deleteDatabase('deleted'), { onsuccess: resolve, onerror: reject }));
const isLost = lost.then((error) => Promise.reject(error));
await failsWith('deleted by another page, while nothing is appended', isLost, 'store_failed', /another page deletes its database, .*open it anew/);
await failsWith('deleted by another page', deleted.append(bytesOf('d')), 'store_failed', /another page deletes its database, .*open it anew/);
await deleted.close();

// More than a browser takes at once: it undoes the transaction, and never answers its requests.
const large = await written('large');
await failsWith('a snapshot that is too large', large.compact(new Uint8Array(140 << 20), 3), 'store_failed', /a record or snapshot has more than/);
await large.append(bytesOf('dddd'));
await failsWith('a record that is too large', large.append(new Uint8Array(140 << 20)), 'store_failed', /a record or snapshot has more than/);
await failsWith('what comes after it', large.append(bytesOf('e')), 'store_failed', /./);
await large.close();
if ((await readAll(indexedDbStore('large'))) !== '1,2,3,4') throw new Error('what was acknowledged is gone');

const { request } = LockManager.prototype;
LockManager.prototype.request = () => Promise.reject(new DOMException('Access is denied.', 'SecurityError'));
for (const waitMs of [0, 500])
  await failsWith('no storage for this page, ' + waitMs, indexedDbStore('refused', { waitMs }).open(), 'store_failed', /the browser refuses storage to this page/);
LockManager.prototype.request = request;

const held = await written('held');
for (const waitMs of [0, 50])
  await failsWith('another page has it, ' + waitMs, indexedDbStore('held', { waitMs }).open(), 'store_locked', /another page or worker has/);
await held.close();
globalThis.report = { trouble: { passed, failure: null } };
`;

/** A page that is loaded again in the middle of appends and compactions, ten times: what it acknowledged is there. */
const RELOADED = `
import { indexedDbStore } from 'subagents/store/indexeddb';
const textOf = (bytes) => new TextDecoder().decode(bytes);
const bytesOf = (text) => new TextEncoder().encode(text);
const store = indexedDbStore('reloaded', { waitMs: 60_000 });
const { through, snapshot, records } = await store.open();
let count = through;
for await (const record of records) {
  count += 1;
  if (textOf(record) !== 'record ' + count) throw new Error(textOf(record) + ' is at ' + count);
}
if (through > 0 && textOf(snapshot) !== 'through ' + through) throw new Error(textOf(snapshot) + ' is at ' + through);
const acknowledged = Number(localStorage.getItem('acknowledged'));
if (count < acknowledged) throw new Error(acknowledged + ' were acknowledged, ' + count + ' are there');
const round = Number(localStorage.getItem('round'));
if (round === 10) globalThis.report = { killed: { passed: [count], failure: count > 10 ? null : 'it did nothing' } };
else {
  localStorage.setItem('round', round + 1);
  setTimeout(() => location.reload(), 50 + 17 * round);
  for (;;) {
    const burst = Array.from({ length: 5 }, () => {
      const number = ++count;
      return store.append(bytesOf('record ' + number)).then(() => localStorage.setItem('acknowledged', number));
    });
    if (count % 3 === 0) burst.push(store.compact(bytesOf('through ' + (count - 2)), count - 2));
    await Promise.all(burst);
  }
}
`;

/** Both clients; then Redis is killed while records are appended, and a process that has the store is frozen. */
const REDIS = `${imports}import { spawn } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { redisStore } from 'subagents/store/redis';
const [modules, frozenAt] = process.argv.slice(2);
const require = createRequire(modules);
const clients = {
  async redis(port) {
    const client = require('redis').createClient({ url: 'redis://127.0.0.1:' + port, socket: { reconnectStrategy: 50 } });
    client.on('error', () => undefined);
    await client.connect();
    return { client, end: () => client.destroy() };
  },
  async ioredis(port) {
    const client = new (require('ioredis').Redis)(port, '127.0.0.1', { retryStrategy: () => 50, maxRetriesPerRequest: null });
    client.on('error', () => undefined);
    return { client, end: () => client.disconnect() };
  },
};
const textOf = (bytes) => new TextDecoder().decode(bytes);
const bytesOf = (text) => new TextEncoder().encode(text);
const read = async (store) => {
  const { through, records } = await store.open();
  const found = [];
  for await (const record of records) found.push(textOf(record));
  return { through, found };
};
if (frozenAt !== undefined) {
  const { client } = await clients.redis(frozenAt);
  const store = redisStore(client, { key: 'frozen', leaseMs: 1_000 });
  await store.open();
  for (let count = 1; ; count += 1) {
    await store.append(bytesOf('first ' + count)).catch(({ code }) => {
      writeSync(1, 'refused ' + code + '\\n');
      process.exit(0);
    });
    writeSync(1, 'kept ' + count + '\\n');
  }
}
const port = await new Promise((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => resolve(port));
  });
});
const start = async () => {
  const args = ['--port', port, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes', '--appendfsync', 'always'];
  const server = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    let said = '';
    server.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.includes('Ready to accept connections')) resolve();
    });
    server.on('exit', () => reject(new Error('redis-server ended: ' + said)));
  });
  return server;
};
const end = (child) => new Promise((resolve) => {
  child.on('exit', resolve);
  child.kill('SIGKILL');
});
let server = await start();
try {
  for (const [name, connect] of Object.entries(clients)) {
    const { client, end: disconnect } = await connect(port);
    reports[name] = await conform((place) => redisStore(client, { key: name + place }));
    const taking = (place) => redisStore(client, { key: name + 'taken' + place, takeOver: true });
    reports[name + ', taken over'] = await conform(taking, { secondOpen: 'takes over' });

    const store = redisStore(client, { key: name + 'killed' });
    await store.open();
    const appends = [];
    for (let number = 1; number <= 400; number += 1) {
      appends.push(store.append(bytesOf('record ' + number)));
      if (number % 100 === 0) {
        await end(server);
        server = await start();
      } else if (number % 5 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await Promise.all(appends);
    await store.close();
    const { found } = await read(store);
    if (found.length !== 400 || found.some((text, at) => text !== 'record ' + (at + 1))) throw new Error('other records: ' + found);
    await store.close();
    const codeOf = (work) => work.then(() => 'resolved', (error) => error.code + ' ' + JSON.stringify(error.details.record ?? null));
    const run = (...args) => (name === 'redis' ? client.sendCommand(args) : client.call(...args));
    const broken = redisStore(client, { key: name + 'broken' });
    await broken.open();
    for (let number = 1; number <= 4; number += 1) await broken.append(bytesOf('record ' + number));
    await broken.close();
    await run('XDEL', '{' + name + 'broken}:records', '2-0');
    const said = [await codeOf(read(broken))];
    await broken.close();
    await run('XDEL', '{' + name + 'broken}:records', '4-0');
    said.push(await codeOf(broken.open()));
    await run('HSET', '{' + name + 'broken}:state', 'version', '2');
    said.push(await codeOf(broken.open()));
    await store.open();
    await run('FLUSHALL');
    said.push(await codeOf(store.append(bytesOf('more'))));
    await store.close();
    const expected = ['store_damaged 2', 'store_damaged 4', 'store_version null', 'store_failed null'];
    if (said.join() !== expected.join()) throw new Error(name + ' said ' + said.join());
    // A snapshot above what Redis takes as one value: the store goes on, and so does the client.
    await run('CONFIG', 'SET', 'proto-max-bulk-len', '1mb');
    const tight = redisStore(client, { key: name + 'tight' });
    await tight.open();
    await tight.append(bytesOf('one'));
    const refused = await codeOf(tight.compact(new Uint8Array(2 << 20), 1));
    if (refused !== 'store_failed null') throw new Error(name + ' said of a snapshot that is too large ' + refused);
    await tight.append(bytesOf('two'));
    await tight.compact(bytesOf('small'), 1);
    await tight.close();
    if ((await read(tight)).found.join() !== 'two') throw new Error(name + ' lost a record over a snapshot that is too large');
    await tight.close();
    await run('CONFIG', 'SET', 'proto-max-bulk-len', '512mb');
    disconnect();
  }
  const frozen = spawn(process.execPath, [process.argv[1], modules, port], { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  const ended = new Promise((resolve) => frozen.on('exit', resolve));
  await new Promise((resolve) => {
    frozen.stdout.setEncoding('utf8').on('data', (text) => {
      said += text;
      if (said.split('\\n').length > 50) resolve();
    });
  });
  const { client, end: disconnect } = await clients.redis(port);
  const second = redisStore(client, { key: 'frozen' });
  const early = await second.open().catch(({ code }) => code);
  if (early !== 'store_locked') throw new Error('a store whose process lives was opened');
  frozen.kill('SIGSTOP');
  let opened;
  while (opened === undefined) {
    opened = await read(second).catch(async (error) => {
      if (error.code !== 'store_locked') throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
  }
  frozen.kill('SIGCONT');
  await ended;
  if (!said.endsWith('refused store_locked\\n')) throw new Error('it said at last: ' + said.slice(-100));
  const kept = said.split('\\n').filter((line) => line.startsWith('kept')).length;
  if (opened.found.length < kept || opened.found.length > kept + 1) throw new Error(kept + ' were kept, ' + opened.found.length + ' are there');
  await second.append(bytesOf('second'));
  await second.close();
  const { found } = await read(second);
  if (found.at(-1) !== 'second' || found.length !== opened.found.length + 1) throw new Error('after the freeze: ' + found.slice(-3));
  await second.close();
  disconnect();
  reports.frozen = { passed: ['frozen'], failure: null };
} finally {
  await end(server);
  rmSync(folder, { recursive: true });
}
${reported}
process.exit(0);
`;

export const storeFiles = {
  'store-conform.js': CONFORM,
  'store-file.js': FILE,
  'store-sqlite.js': SQLITE,
  'store-sqlite-killed.js': SQLITE_KILLED,
  'store-indexeddb.js': INDEXEDDB,
  'store-indexeddb-form.js': INDEXEDDB_FORM,
  'store-indexeddb-trouble.js': INDEXEDDB_TROUBLE,
  'store-indexeddb-full.js': INDEXEDDB_FULL,
  'store-reloaded.js': RELOADED,
  'store-fixture.js': readFileSync(new URL('../support/store-fixture.mjs', import.meta.url), 'utf8'),
  'store-redis.js': REDIS,
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
        // It is compiled once if it has no binary for this platform; without optimising, in a fifth of the time.
        const env = { ...process.env, CFLAGS: '-O0', CXXFLAGS: '-O0' };
        const built = `${here}node_modules/better-sqlite3/build/Release/better_sqlite3.node`;
        if (!existsSync(built)) execFileSync(...npm(['rebuild', 'better-sqlite3']), { cwd: here, env, stdio: 'ignore' });
        return runProgram(projects, process.execPath, ['store-sqlite.js', 'better-sqlite3', `${here}package.json`]);
      },
    },
    {
      name: `${own}, the Redis store over redis and ioredis, with Redis killed and a process frozen`,
      missing: hasRedis() ? undefined : 'no redis-server here',
      run: (projects) => runProgram(projects, process.execPath, ['store-redis.js', `${here}package.json`]),
    },
    {
      name: 'workerd, the SQLite store of a Durable Object, also when it begins anew',
      missing: workerd === undefined ? 'its package has no binary for this platform' : undefined,
      run: ({ esm }) => runDurableObject(workerd, esm),
    },
  ];
}

function hasRedis() {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** The pages with a store: `{ name, run(browser, projects) }`. */
export function storePages() {
  return [
    ['Chromium, the IndexedDB store', 'store-indexeddb'],
    ['Chromium, the IndexedDB store over records of version 1', 'store-indexeddb-form'],
    ['Chromium, the IndexedDB store where the browser refuses, loses or never answers', 'store-indexeddb-trouble'],
    ['Chromium, the IndexedDB store where the origin has no space left', 'store-indexeddb-full', { quotaBytes: QUOTA_BYTES }],
    ['Chromium, the IndexedDB store of a page that is loaded again ten times', 'store-reloaded'],
  ].map(([name, page, options]) => ({
    name,
    async run(opened, { esm }) {
      // What a program that uses this store installs beside the package.
      cpSync(`${here}node_modules/idb`, `${esm}/node_modules/idb`, { recursive: true });
      mkdirSync(`${esm}/out`, { recursive: true });
      await BUNDLERS.esbuild(esm, `${page}.js`, `${esm}/out/${page}.js`);
      return passed(await opened.open(`out/${page}.js`, options));
    },
  }));
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
  const objects = { JOURNAL: 'Journal', CONFORMING: 'Conforming' };
  writeFileSync(`${out}/config.capnp`, workerdConfig({ wasm: [], objects }));
  for (let round = 0; round < 3; round += 1) {
    const { found } = await serveWorker(workerd, out, '');
    if (found.length !== round || found.some((text, at) => text !== `record ${at + 1}`)) throw new Error(`it found ${found}`);
  }
  return passed(await serveWorker(workerd, out, 'conform'));
}
