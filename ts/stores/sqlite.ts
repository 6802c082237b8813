// The entry `subagents/store/sqlite`: a store in tables of a SQLite database, over a handle that the program has opened.
// Owns the tables, which are read for ever, and whose they are.

import { SubAgentError } from '../base/errors.js';
import { type Alone, damaged, type Medium, QueuedStore, tooNew, wrong } from './queued.js';
import { type Sql, type SqliteHandle, type SqlRow, sqlOf } from './sqlite/handle.js';
import type { Store, StoreContents } from './store.js';

export type { DurableObjectStorageLike, SqliteDatabase, SqliteHandle } from './sqlite/handle.js';
export type { Store, StoreContents } from './store.js';

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** The name that the tables begin with; `subagents` by default. Stores of different names share a database. */
  readonly table?: string;
}

/** The version of the tables that is written; this one and those before it are read. */
const VERSION = 1;
/** Values of a Durable Object hold 2 MB: longer records and snapshots stand in parts. */
const PART_BYTES = 1 << 20;
/** The key of a part is the number of its record times this, and its own. */
const PARTS = 65_536;
const PAGE_ROWS = 64;
/** How long a write waits for those of other connections. */
const BUSY_MS = 30_000;
const BUSY_PAUSE_MS = 10;

/** Which stores are open on which handle: SQLite's own lock doesn't keep a handle from itself. */
const open = new WeakMap<object, Set<string>>();

/** A store in a SQLite database. The handle stays the program's: closing the store doesn't close it. */
export function sqliteStore(handle: SqliteHandle, options: SqliteStoreOptions = {}): Store {
  const { table = 'subagents' } = options;
  if (typeof table !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(table)) throw wrong('table', 'letters, digits and underscores');
  const sql = sqlOf(handle);
  const name = `the store ${table} in SQLite`;
  return new QueuedStore(name, async () => {
    const taken = open.get(handle) ?? new Set();
    open.set(handle, taken);
    if (taken.has(table)) throw new SubAgentError('store_locked', `${name} is open already, on the same handle`, { store: name });
    taken.add(table);
    let unlock = (): void => undefined;
    const letGo = (): void => {
      taken.delete(table);
      unlock();
    };
    try {
      unlock = lockOf(sql, table, name);
      const tables = new Tables(name, table, sql, letGo);
      await tables.read();
      return tables;
    } catch (error) {
      letGo();
      throw error;
    }
  });
}

function lockOf(sql: Sql, table: string, name: string): () => void {
  try {
    return sql.take(table);
  } catch (error) {
    if (!isBusy(error)) throw error;
    throw new SubAgentError('store_locked', `another process or connection has ${name}`, { store: name }, { cause: error });
  }
}

class Tables implements Medium {
  contents: StoreContents = { through: 0, records: [] };
  count = 0;
  readonly #name: string;
  readonly #records: string;
  readonly #state: string;
  readonly #snapshot: string;
  readonly #sql: Sql;
  readonly #letGo: () => void;

  constructor(name: string, table: string, sql: Sql, letGo: () => void) {
    this.#name = name;
    this.#records = `${table}_records`;
    this.#state = `${table}_state`;
    this.#snapshot = `${table}_snapshot`;
    this.#sql = sql;
    this.#letGo = letGo;
  }

  /** Makes the tables where there are none, and reads what is in them. */
  async read(): Promise<void> {
    const sql = this.#sql;
    await this.#transaction(() => {
      sql.exec(`CREATE TABLE IF NOT EXISTS ${this.#records} (key INTEGER PRIMARY KEY, data BLOB NOT NULL)`);
      sql.exec(`CREATE TABLE IF NOT EXISTS ${this.#snapshot} (part INTEGER PRIMARY KEY, data BLOB NOT NULL)`);
      sql.exec(
        `CREATE TABLE IF NOT EXISTS ${this.#state} (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, through INTEGER NOT NULL, has_snapshot INTEGER NOT NULL)`,
      );
      sql.run(`INSERT INTO ${this.#state} VALUES (1, ?, 0, 0) ON CONFLICT (id) DO NOTHING`, VERSION);
    });
    await sql.sync();
    const [state] = sql.all(`SELECT version, through, has_snapshot FROM ${this.#state}`) as [SqlRow];
    if (Number(state.version) > VERSION) throw tooNew(this.#name, Number(state.version), VERSION);
    const through = Number(state.through);
    const snapshot = state.has_snapshot ? joined(sql.all(`SELECT data FROM ${this.#snapshot} ORDER BY part`)) : undefined;
    this.count = this.#lastRecord(through);
    this.contents = { through, records: this.#recordsUpTo(through, this.count), ...(snapshot && { snapshot }) };
  }

  async write(records: Uint8Array[], number: number): Promise<void> {
    const sql = this.#sql;
    await this.#transaction(() => {
      for (const [at, record] of records.entries()) {
        for (const [part, data] of partsOf(record).entries()) {
          sql.run(`INSERT INTO ${this.#records} VALUES (?, ?)`, (number + at) * PARTS + part, data);
        }
      }
    });
    this.count += records.length;
    await sql.sync();
  }

  async replace(snapshot: Uint8Array, through: number, alone: Alone): Promise<void> {
    const sql = this.#sql;
    let problem: unknown;
    await alone(async () => {
      try {
        await this.#transaction(() => {
          sql.run(`DELETE FROM ${this.#snapshot}`);
          for (const [part, data] of partsOf(snapshot).entries()) sql.run(`INSERT INTO ${this.#snapshot} VALUES (?, ?)`, part, data);
          sql.run(`DELETE FROM ${this.#records} WHERE key < ?`, (through + 1) * PARTS);
          sql.run(`UPDATE ${this.#state} SET through = ?, has_snapshot = 1`, through);
        });
      } catch (error) {
        // It was undone, and the store goes on.
        problem = error;
        return;
      }
      await sql.sync();
    });
    if (problem !== undefined) throw problem;
  }

  async close(): Promise<void> {
    this.#letGo();
  }

  /** Waits while another connection writes to the same database, which refuses this one without having done anything. */
  async #transaction(work: () => void): Promise<void> {
    const end = performance.now() + BUSY_MS;
    for (;;) {
      try {
        return this.#sql.transaction(work);
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw error;
        await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
      }
    }
  }

  /** The number of the last record. They are numbered without a gap, from the one behind the snapshot on. */
  #lastRecord(through: number): number {
    const sql = this.#sql;
    const first = `SELECT key / ${PARTS} AS number FROM ${this.#records} WHERE key % ${PARTS} = 0`;
    const [found] = sql.all(`SELECT count(*) AS records, max(number) AS last FROM (${first})`) as [SqlRow];
    const last = found.last === null ? through : Number(found.last);
    if (last - through === Number(found.records)) return last;
    const numbers = sql.all(`${first} ORDER BY key`).map((row) => Number(row.number));
    const record = through + 1 + numbers.findIndex((number, at) => number !== through + 1 + at);
    throw damaged(this.#name, { record }, `record ${record}`, 'it is missing');
  }

  *#recordsUpTo(through: number, last: number): Generator<Uint8Array> {
    const select = `SELECT key, data FROM ${this.#records} WHERE key > ? AND key < ? ORDER BY key LIMIT ${PAGE_ROWS}`;
    let parts: SqlRow[] = [];
    for (let key = (through + 1) * PARTS - 1; ; ) {
      const rows = this.#sql.all(select, key, (last + 1) * PARTS);
      for (const row of rows) {
        if (Number(row.key) % PARTS === 0 && parts.length > 0) {
          yield joined(parts);
          parts = [];
        }
        parts.push(row);
        key = Number(row.key);
      }
      if (rows.length < PAGE_ROWS) break;
    }
    if (parts.length > 0) yield joined(parts);
  }
}

/** At least one part, also of nothing. */
function partsOf(bytes: Uint8Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length || at === 0; at += PART_BYTES) parts.push(bytes.subarray(at, at + PART_BYTES));
  return parts;
}

function joined(rows: SqlRow[]): Uint8Array {
  const parts = rows.map(({ data }) => new Uint8Array(data as ArrayBuffer));
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/** Whether SQLite refused because of a lock: handles have the code in different fields, Deno's in none. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && /\bdatabase (table )?is locked\b/.test(error.message);
}
