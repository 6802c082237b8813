// The journal of a store that another process may have open: read alongside it, as it grows. Owns how a SQLite database
// is read in place.

import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Refusal, Store } from 'subagents';
import { readJournal } from 'subagents/journal';
import { sqliteStore } from 'subagents/store/sqlite';
import type { SubAgentEvent, ViewBase } from 'subagents/view';
import { baseOfJournal } from '../src/base-of-journal.js';
import { messageOf, Unreadable } from './unreadable.js';

/** A journal's source of events, including later ones. */
export interface Growing {
  readonly base: ViewBase | undefined;
  /** Bytes of a torn tail; known once everything was read. */
  readonly cut: number;
  readonly refusals?: readonly Refusal[];
  /** Whether it is read from a copy, which doesn't grow. */
  readonly isCopy?: boolean;
  /** The available events that were not read before. Damage is thrown at its place. */
  next(): AsyncIterable<SubAgentEvent>;
  close(): Promise<void>;
}

export const NOTHING: Growing = {
  base: undefined,
  cut: 0,
  async *next() {},
  close: async () => undefined,
};

/** The journal of a store that was opened for reading. @param after called once it is closed */
export async function replayed(store: Store, after: () => Promise<void> = async () => undefined): Promise<Growing> {
  const journal = await readJournal(store);
  return {
    base: journal.snapshotSeq === 0 ? undefined : baseOfJournal(journal.view),
    get cut() {
      return journal.cut;
    },
    async *next() {
      for await (const { event } of journal) yield event;
    },
    async close() {
      await journal[Symbol.asyncDispose]();
      await after();
    },
  };
}

/** The methods of node:sqlite's handle that are used here. */
interface Database {
  exec(sql: string): void;
  close(): void;
}

/** The maximum wait for a commit of the writing process. */
const BUSY_MS = 30_000;

export async function openSqlite(path: string, table: string | undefined): Promise<Growing> {
  const { DatabaseSync } = (await import('node:sqlite' as string).catch(() => {
    throw new Unreadable('this Node has no node:sqlite, which a journal in SQLite is read with: use Node 22.13 or newer');
  })) as { DatabaseSync: new (path: string, options?: { readOnly: boolean }) => Database };
  const over = async (database: Database, after: () => Promise<void>): Promise<Growing> => {
    try {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
      const store = sqliteStore(database as never, { readOnly: true, ...(table !== undefined && { table }) });
      return await replayed(store, () => {
        database.close();
        return after();
      });
    } catch (error) {
      database.close();
      throw error;
    }
  };
  try {
    // SQLite separates readers from the writer.
    return await over(new DatabaseSync(path, { readOnly: true }), async () => undefined);
  } catch (error) {
    if (!hasToBeMended(error)) throw error;
    return overCopy(path, async (copy, clear) => over(new DatabaseSync(copy), clear));
  }
}

/** Whether a killed process left a database that must be recovered first, which only a writer can do. */
export function hasToBeMended(error: unknown): boolean {
  return /unable to open|readonly|read-only/iu.test(messageOf(error));
}

/** Opens a copy of a database; `clear` removes it. */
async function overCopy(path: string, open: (copy: string, clear: () => Promise<void>) => Promise<Growing>): Promise<Growing> {
  const folder = await mkdtemp(join(tmpdir(), 'subagents-inspect-'));
  const clear = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const copy = join(folder, 'journal.db');
    await copyFile(path, copy);
    // The write-ahead log belongs to the database, and so does the journal with a killed process's changes to undo.
    for (const end of ['-wal', '-journal']) await copyFile(path + end, copy + end).catch(unlessGone);
    return Object.assign(await open(copy, clear), { isCopy: true });
  } catch (error) {
    await clear();
    throw error;
  }
}

/** Only ENOENT means that there is no such file. */
function unlessGone(error: { code?: unknown }): void {
  if (error.code !== 'ENOENT') throw error;
}
