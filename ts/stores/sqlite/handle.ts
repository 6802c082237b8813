// One interface for the four kinds of SQLite handle that a program may pass. Owns their differences: statements, transactions,
// and when a write is durable.

import { SubAgentError } from '../../base/error-class.js';

/** A value of a column or a parameter. */
export type SqlValue = string | number | bigint | null | Uint8Array | ArrayBuffer;
export type SqlRow = Record<string, SqlValue>;

/** `DatabaseSync` of `node:sqlite`, `Database` of `better-sqlite3`, `Database` of `bun:sqlite`. */
export interface SqliteDatabase {
  /** Runs statements without results. */
  exec(sql: string): unknown;
  /** Prepares a statement, to run it or to read all its rows. */
  prepare(sql: string): { run(...values: never[]): unknown; all(...values: never[]): unknown };
}

/** `ctx.storage` of a Durable Object that has SQLite. */
export interface DurableObjectStorageLike {
  /** The database. */
  readonly sql: {
    /** Runs one statement and returns its rows. */
    exec(sql: string, ...values: never[]): { toArray(): unknown };
  };
  /** Runs the function: all of it takes effect, or nothing. */
  transactionSync(work: () => void): void;
  /** Resolves once all writes are durable. */
  sync(): Promise<void>;
}

/** The database of a store in SQLite, which the program has opened. */
export type SqliteHandle = SqliteDatabase | DurableObjectStorageLike;

/** The operations that the store needs. */
export interface Sql {
  /**
   * Keeps other processes from taking the store of a name, and makes commits durable before they return. Returns the function
   * that ends it.
   */
  take(name: string): () => void;
  exec(sql: string): void;
  run(sql: string, ...values: SqlValue[]): void;
  all(sql: string, ...values: SqlValue[]): SqlRow[];
  /** The damage in the pages of a table, if the handle can report it. */
  check(table: string): string[];
  /** Does all of the work or nothing; durable once `sync` has resolved. */
  transaction(work: () => void): void;
  sync(): Promise<void>;
}

export function sqlOf(handle: SqliteHandle): Sql {
  if (isDurableObject(handle)) return durableObject(handle);
  if (typeof handle?.exec === 'function' && typeof handle.prepare === 'function') return database(handle);
  const expected = 'a handle of node:sqlite, better-sqlite3 or bun:sqlite, or the storage of a Durable Object';
  throw new SubAgentError('invalid_argument', `\`handle\` must be ${expected}`, { argument: 'handle', expected });
}

function isDurableObject(handle: SqliteHandle): handle is DurableObjectStorageLike {
  return typeof (handle as Partial<DurableObjectStorageLike>)?.transactionSync === 'function';
}

function database(handle: SqliteDatabase): Sql {
  const prepared = new Map<string, ReturnType<SqliteDatabase['prepare']>>();
  const statement = (sql: string): ReturnType<SqliteDatabase['prepare']> => {
    let made = prepared.get(sql);
    if (made === undefined) {
      made = handle.prepare(sql);
      prepared.set(sql, made);
    }
    return made;
  };
  return {
    take(name) {
      const all = (sql: string): SqlRow[] => handle.prepare(sql).all() as SqlRow[];
      const [mode] = all('PRAGMA journal_mode');
      const [level] = all('PRAGMA synchronous');
      // Without a write-ahead log, the folder has to be synced too.
      const least = mode?.journal_mode === 'wal' ? 2 : 3;
      if (Number(level?.synchronous) < least) handle.exec(`PRAGMA synchronous = ${least}`);
      handle.exec('PRAGMA fullfsync = ON');
      const main = all('PRAGMA database_list').find((row) => row.name === 'main');
      // A database in memory is this process's alone.
      if (typeof main?.file !== 'string' || main.file === '') return () => undefined;
      return lock(handle, `${main.file}-${name}-lock`, `${name}_lock`);
    },
    exec: (sql) => {
      handle.exec(sql);
    },
    run: (sql, ...values) => {
      statement(sql).run(...(values as never[]));
    },
    all: (sql, ...values) => statement(sql).all(...(values as never[])) as SqlRow[],
    check: (table) =>
      (handle.prepare(`PRAGMA quick_check(${table})`).all() as SqlRow[])
        .map((row) => String(Object.values(row)[0]))
        .filter((said) => said !== 'ok'),
    transaction(work) {
      handle.exec('BEGIN IMMEDIATE');
      try {
        work();
        handle.exec('COMMIT');
      } catch (error) {
        try {
          handle.exec('ROLLBACK');
        } catch {
          // SQLite has rolled back itself: the first error is the one to report.
        }
        throw error;
      }
    },
    // With `synchronous` as the store sets it, a commit returns once it is on the disk.
    sync: () => Promise.resolve(),
  };
}

/**
 * Locks an empty database of its own beside the store's. SQLite's lock ends with the process, however that ends. The store's
 * database stays free for other connections.
 */
function lock(handle: SqliteDatabase, file: string, schema: string): () => void {
  handle.exec(`ATTACH DATABASE '${file.replaceAll("'", "''")}' AS ${schema}`);
  const detach = (): void => {
    try {
      handle.exec(`DETACH DATABASE ${schema}`);
    } catch {
      // The program has closed its handle, and with it the lock.
    }
  };
  const write = (): unknown => handle.exec(`PRAGMA ${schema}.user_version = 1`);
  try {
    const [size] = handle.prepare(`PRAGMA ${schema}.page_count`).all() as SqlRow[];
    if (Number(size?.page_count) === 0) write();
    // With a journal on the disk, each commit of the handle would make a file for both databases. A killed process would leave
    // that file behind. This always writes the same value, so without a journal nothing can be torn.
    for (const setting of ['journal_mode = MEMORY', 'locking_mode = EXCLUSIVE']) handle.prepare(`PRAGMA ${schema}.${setting}`).all();
    // Any write takes the lock and keeps it.
    write();
    return detach;
  } catch (error) {
    detach();
    throw error;
  }
}

function durableObject(storage: DurableObjectStorageLike): Sql {
  const run = (sql: string, values: SqlValue[]): SqlRow[] => storage.sql.exec(sql, ...(values as never[])).toArray() as SqlRow[];
  return {
    // There is one of each Durable Object.
    take: () => () => undefined,
    exec: (sql) => {
      run(sql, []);
    },
    run: (sql, ...values) => {
      run(sql, values);
    },
    all: (sql, ...values) => run(sql, values),
    // Cloudflare keeps several copies, with checksums.
    check: () => [],
    transaction: (work) => storage.transactionSync(work),
    sync: () => storage.sync(),
  };
}
