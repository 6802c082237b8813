// The journal of a store that another process may have open: read beside it, as it grows. Owns how a SQLite database
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

/** Where the events of a journal come from, and those that it gets. */
export interface Growing {
  readonly base: ViewBase | undefined;
  /** Bytes of a torn tail; known once all was read. */
  readonly cut: number;
  readonly refusals?: readonly Refusal[];
  /** Whether it is read from a copy, which gets nothing. */
  readonly isCopy?: boolean;
  /** The events that are there by now and were not read before. What is damaged is thrown at its place. */
  next(): AsyncIterable<SubAgentEvent>;
  close(): Promise<void>;
}

export const NOTHING: Growing = {
  base: undefined,
  cut: 0,
  async *next() {},
  close: async () => undefined,
};

/** The journal of a store that was opened to be read. @param after what is done once it is closed */
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

/** The handle of node:sqlite, as far as it is used here. */
interface Database {
  exec(sql: string): void;
  close(): void;
}

/** How long a commit of the process that writes is waited for. */
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
    // SQLite keeps those who read apart from the one who writes.
    return await over(new DatabaseSync(path, { readOnly: true }), async () => undefined);
  } catch (error) {
    if (!hasToBeMended(error)) throw error;
    return overCopy(path, async (copy, clear) => over(new DatabaseSync(copy), clear));
  }
}

/** Whether a process that was killed left a database that has to be put in order first, which only who may write can. */
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
    // What the database has written ahead belongs to it, and what a process that was killed has to undo.
    for (const end of ['-wal', '-journal']) await copyFile(path + end, copy + end).catch(unlessGone);
    return Object.assign(await open(copy, clear), { isCopy: true });
  } catch (error) {
    await clear();
    throw error;
  }
}

/** An error of the system is no sign that there is no such file. */
function unlessGone(error: { code?: unknown }): void {
  if (error.code !== 'ENOENT') throw error;
}
