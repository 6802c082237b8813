// The entry `subagents/store/sqlite`: a store in tables of a SQLite database, over the program's handle. Owns the form
// of its tables, which stay readable for ever, and which process has them.

import { SubAgentError } from '../base/error-class.js';
import { checkOptions } from '../base/unknown.js';
import { compactedMeanwhile, damaged, failed, tooNew, wrong } from './failures.js';
import { type Alone, type Medium, QueuedStore, toBeRead } from './queued.js';
import { type Sql, type SqliteHandle, type SqlRow, sqlOf } from './sqlite/handle.js';
import type { Store, StoreContents } from './store.js';

export type { DurableObjectStorageLike, SqliteDatabase, SqliteHandle } from './sqlite/handle.js';
export type { Store, StoreContents, StoreLease } from './store.js';

/** Options of `sqliteStore`. */
export interface SqliteStoreOptions {
  /** The prefix of the tables' names; `subagents` by default. Stores of different names can share a database. */
  readonly table?: string | undefined;
  /**
   * Only reads, though a manager may have the store; for `readJournal`.
   *
   * `open` takes no lock and makes no tables, and appends are refused. The handle may be one that only reads. @default false
   */
  readonly readOnly?: boolean | undefined;
}

/** The version of the tables that is written; this one and those before it are read. */
const VERSION = 1;
/** Values of a Durable Object have at most 2 MB: longer records and snapshots are in parts. */
const PART_BYTES = 1 << 20;
/** The key of a part is the number of its record times this, plus the part's own. */
const PARTS = 65_536;
const PAGE_ROWS = 64;
/** How long a write waits for writes of other connections. */
const BUSY_MS = 30_000;
const BUSY_PAUSE_MS = 10;

/**
 * The open stores of each handle: SQLite's own lock doesn't keep a handle from itself. The CommonJS files and the modules share
 * it.
 */
const OPEN = Symbol.for('subagents.sqlite.open');
const shared = globalThis as { [OPEN]?: WeakMap<object, Set<string>> };

/** Makes a store in a SQLite database. The handle stays the program's: closing the store doesn't close it. */
export function sqliteStore(handle: SqliteHandle, options: SqliteStoreOptions = {}): Store {
  const { table = 'subagents', readOnly = false } = checkOptions('sqliteStore', options, ['table', 'readOnly']);
  if (typeof table !== 'string' || !/^[A-Za-z_][A-Za-z0-9_]*$/.test(table)) throw wrong('table', 'letters, digits and underscores');
  if (typeof readOnly !== 'boolean') throw wrong('readOnly', 'true or false');
  const sql = sqlOf(handle);
  const name = `the store ${table} in SQLite`;
  return new QueuedStore(name, async () => {
    if (readOnly) return whole(name, () => Tables.toRead(name, table, sql));
    shared[OPEN] ??= new WeakMap();
    const taken = shared[OPEN].get(handle) ?? new Set();
    shared[OPEN].set(handle, taken);
    if (taken.has(table)) throw new SubAgentError('store_locked', `${name} is open already, on the same handle`, { store: name });
    taken.add(table);
    let unlock = (): void => undefined;
    const release = (): void => {
      taken.delete(table);
      unlock();
    };
    try {
      unlock = whole(name, () => lockOf(sql, table, name));
      const tables = new Tables(name, table, sql, release);
      await tables.read();
      return tables;
    } catch (error) {
      release();
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
  readonly #release: () => void;

  constructor(name: string, table: string, sql: Sql, release: () => void) {
    this.#name = name;
    this.#records = `${table}_records`;
    this.#state = `${table}_state`;
    this.#snapshot = `${table}_snapshot`;
    this.#sql = sql;
    this.#release = release;
  }

  /** Makes the tables if there are none, and reads their contents. */
  async read(): Promise<void> {
    const sql = this.#sql;
    const isNew = this.#areThere() === 0;
    await this.#transaction(() => {
      if (!isNew) return;
      sql.exec(`CREATE TABLE IF NOT EXISTS ${this.#records} (key INTEGER PRIMARY KEY, data BLOB NOT NULL)`);
      sql.exec(`CREATE TABLE IF NOT EXISTS ${this.#snapshot} (part INTEGER PRIMARY KEY, data BLOB NOT NULL)`);
      sql.exec(
        `CREATE TABLE IF NOT EXISTS ${this.#state} (id INTEGER PRIMARY KEY CHECK (id = 1), version INTEGER NOT NULL, through INTEGER NOT NULL, has_snapshot INTEGER NOT NULL)`,
      );
      sql.run(`INSERT INTO ${this.#state} VALUES (1, ?, 0, 0) ON CONFLICT (id) DO NOTHING`, VERSION);
    });
    await sql.sync();
    this.#look();
    this.count = this.#lastRecord(this.contents.through);
    this.contents = { ...this.contents, records: this.#recordsAfter(this.contents.through, this.count) };
  }

  /** Reads the tables as they are, though a manager may have them. */
  static toRead(name: string, table: string, sql: Sql): Medium {
    const tables = new Tables(name, table, sql, () => undefined);
    if (tables.#areThere() === 0) throw new Error('there are no such tables');
    tables.#look();
    const later = (record: number): Iterable<Uint8Array> => tables.#recordsAfter(record);
    const { through } = tables.contents;
    return toBeRead(name, { ...tables.contents, records: later(through), later });
  }

  /** How many of the tables exist: all or none. Throws if only some do. */
  #areThere(): number {
    const names = [this.#state, this.#snapshot, this.#records];
    const select = "SELECT name FROM sqlite_master WHERE type = 'table' AND name IN (?, ?, ?)";
    const found = this.#whole(() => this.#sql.all(select, ...names)).map(({ name }) => String(name));
    const lost = names.find((name) => !found.includes(name));
    if (found.length > 0 && lost !== undefined) throw damaged(this.#name, {}, `its table ${lost}`, 'it is missing');
    return found.length;
  }

  /** Reads everything but the records. */
  #look(): void {
    const { state, snapshot } = this.#whole(() => {
      for (const table of [this.#state, this.#snapshot, this.#records]) {
        const [said] = this.#sql.check(table);
        if (said !== undefined) throw damaged(this.#name, {}, `its table ${table}`, said);
      }
      const [state] = this.#sql.all(`SELECT version, through, has_snapshot FROM ${this.#state}`);
      return { state, snapshot: this.#sql.all(`SELECT data FROM ${this.#snapshot} ORDER BY part`) };
    });
    if (state === undefined) throw damaged(this.#name, {}, `its table ${this.#state}`, 'it is empty');
    if (Number(state.version) > VERSION) throw tooNew(this.#name, Number(state.version), VERSION);
    const through = Number(state.through);
    const isSound = Number(state.version) > 0 && Number.isSafeInteger(through) && through >= 0;
    const hasSnapshot = snapshot.length > 0;
    if (!isSound || hasSnapshot !== (Number(state.has_snapshot) === 1) || (through > 0 && !hasSnapshot))
      throw damaged(this.#name, {}, `its table ${this.#state}`, 'what it says can not be');
    this.contents = { through, records: [], ...(hasSnapshot && { snapshot: joined(snapshot) }) };
  }

  #whole<T>(work: () => T): T {
    return whole(this.#name, work);
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
        // It was rolled back, and the store continues.
        problem = error;
        return;
      }
      await sql.sync();
    });
    if (problem !== undefined) throw problem;
  }

  async close(): Promise<void> {
    this.#release();
  }

  /** Retries while another connection writes to the database, which then refuses this one and changes nothing. */
  async #transaction(work: () => void): Promise<void> {
    const end = performance.now() + BUSY_MS;
    for (;;) {
      try {
        return this.#sql.transaction(work);
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw isFull(error) ? full(this.#name, error) : error;
        await new Promise((resolve) => setTimeout(resolve, BUSY_PAUSE_MS));
      }
    }
  }

  /** The number of the last record. Throws if the numbers after the snapshot have a gap. */
  #lastRecord(through: number): number {
    const sql = this.#sql;
    const first = `SELECT key / ${PARTS} AS number FROM ${this.#records} WHERE key % ${PARTS} = 0`;
    const [found] = this.#whole(() => sql.all(`SELECT count(*) AS records, max(number) AS last FROM (${first})`)) as [SqlRow];
    const last = found.last === null ? through : Number(found.last);
    const [parts] = this.#whole(() => sql.all(`SELECT count(*) AS parts, min(key) AS least, max(key) AS most FROM ${this.#records}`)) as [
      SqlRow,
    ];
    const isOwn = Number(parts.parts) === 0 || (Number(parts.least) >= (through + 1) * PARTS && Number(parts.most) < (last + 1) * PARTS);
    if (!isOwn) throw damaged(this.#name, { record: last + 1 }, `record ${last + 1}`, 'a part of another one stands there');
    if (last - through === Number(found.records)) return last;
    const numbers = sql.all(`${first} ORDER BY key`).map((row) => Number(row.number));
    const record = through + 1 + numbers.findIndex((number, at) => number !== through + 1 + at);
    throw damaged(this.#name, { record }, `record ${record}`, 'it is missing');
  }

  /** The records after a number, up to another or to the end. */
  *#recordsAfter(before: number, last = Number.POSITIVE_INFINITY): Generator<Uint8Array> {
    const select = `SELECT key, data FROM ${this.#records} WHERE key > ? AND key < ? ORDER BY key LIMIT ${PAGE_ROWS}`;
    const end = Math.min((last + 1) * PARTS, Number.MAX_SAFE_INTEGER);
    let parts: SqlRow[] = [];
    let number = before;
    for (let key = (before + 1) * PARTS - 1; ; ) {
      const rows = this.#whole(() => this.#sql.all(select, key, end));
      for (const row of rows) {
        key = Number(row.key);
        if (key % PARTS === 0) {
          if (parts.length > 0) yield joined(parts);
          parts = [];
          number += 1;
        }
        if (key !== number * PARTS + parts.length) throw this.#missing(parts.length > 0 || key % PARTS === 0 ? number : number + 1);
        parts.push(row);
      }
      if (rows.length < PAGE_ROWS) break;
    }
    if (parts.length > 0) yield joined(parts);
  }

  /** The error for a missing record: it is lost, or another process has put it into a snapshot. */
  #missing(record: number): SubAgentError {
    const [state] = this.#whole(() => this.#sql.all(`SELECT through FROM ${this.#state}`));
    if (Number(state?.through) >= record) return compactedMeanwhile(this.#name, record, Number(state?.through));
    return damaged(this.#name, { record }, `record ${record}`, 'it is missing');
  }
}

/** Splits bytes into at least one part, even if there are none. */
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

/** Runs a read. Throws `store_damaged` if SQLite finds the database itself damaged. */
function whole<T>(name: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const said = error instanceof Error ? error.message : '';
    const isMalformed = !(error instanceof SubAgentError) && /\bmalformed\b|\bnot a database\b|\bcorrupt/i.test(said);
    throw isMalformed ? damaged(name, {}, 'the pages of its database', said) : failed(name, error);
  }
}

/** Whether SQLite refused because of a lock: handles have the code in different fields, Deno's in none. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && /\bdatabase (table )?is locked\b/.test(error.message);
}

/** Whether SQLite found no space to write. */
function isFull(error: unknown): error is Error {
  return error instanceof Error && /\b(database or )?disk is full\b/.test(error.message);
}

function full(name: string, cause: Error): SubAgentError {
  const message = `${name} failed: ${cause.message} (ENOSPC: no space left on its disk, or under its \`max_page_count\`)`;
  return new SubAgentError('store_failed', message, { store: name }, { cause });
}
