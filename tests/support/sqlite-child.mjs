// A program with node:sqlite, for tests that run on a Node without it: `flip FOLDER STEP` damages a small journal at every
// STEP-th byte and says what becomes of each; `fixture FILE` and `read FILE` are of the fixture of the tables' form; `work FILE
// TEXTS` has a manager carry out sub-agents, `sql FILE STATEMENTS` changes the database; `killed FILE STATEMENTS` is
// killed after it.

import { readFileSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { sqliteStore } from '../../dist/stores/sqlite.js';
import { readThrough, work, writeJournal } from './journal-reading.mjs';
import { readContents, writeFixture } from './store-fixture.mjs';

const [task, path, step = '1'] = process.argv.slice(2);

function opened(file, pageBytes) {
  const database = new DatabaseSync(file);
  if (pageBytes !== undefined) database.exec(`PRAGMA page_size = ${pageBytes}`);
  return database;
}

async function within(file, work, pageBytes) {
  const database = opened(file, pageBytes);
  try {
    return await work(sqliteStore(database));
  } finally {
    database.close();
  }
}

if (task === 'work') await within(path, (store) => work(store, step));
if (task === 'sql') opened(path).exec(step);
if (task === 'killed') {
  opened(path).exec(step);
  process.kill(process.pid, 'SIGKILL');
}
if (task === 'fixture') await within(path, writeFixture, 512);
if (task === 'read') {
  const before = await within(path, readContents);
  await within(path, async (store) => {
    await store.open();
    await store.append(new TextEncoder().encode('one more'));
    await store.close();
  });
  console.log(JSON.stringify({ before, after: await within(path, readContents) }));
}
if (task === 'flip') {
  const whole = `${path}/whole.db`;
  await within(whole, writeJournal, 512);
  const bytes = readFileSync(whole);
  const { said } = await within(whole, readThrough);
  const outcomes = {};
  const wrong = [];
  const messages = new Set();
  for (let at = 0; at < bytes.length; at += Number(step)) {
    const file = `${path}/flipped.db`;
    const flipped = Buffer.from(bytes);
    flipped[at] ^= 1 << ((at / Number(step)) % 8);
    writeFileSync(file, flipped);
    let outcome;
    try {
      outcome = await within(file, readThrough);
    } catch (error) {
      // SQLite itself refuses to open it, before the store has a handle.
      outcome = { code: 'not opened', message: error.message };
    }
    const kind = outcome.said === said ? 'no difference' : (outcome.code ?? 'another journal');
    outcomes[kind] = (outcomes[kind] ?? 0) + 1;
    if (kind === 'store_failed') messages.add(outcome.message);
    if (!['no difference', 'not opened', 'store_damaged', 'store_version', 'store_failed'].includes(kind))
      wrong.push({ at, kind, ...outcome });
  }
  console.log(JSON.stringify({ bytes: bytes.length, outcomes, wrong, messages: [...messages] }));
}
