// A journal as it lies on a disk, or what a server of `serveInspector` tells: of what kind it is, its events, and what is
// wrong with it. Owns that nothing is written into it and no lock taken, so that a live one is read beside its manager.

import { copyFile, mkdtemp, open, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SubAgentError } from 'subagents';
import { sqliteStore } from 'subagents/store/sqlite';
import type { InspectorSource, SubAgentEvent, ViewBase } from 'subagents/view';
import type { Damage, JournalContents } from '../src/contents.js';
import { readLines } from '../src/lines.js';
import { readAddress, ServerTrouble, serverSource } from '../src/server-source.js';
import { readStored, replayed } from '../src/stored.js';

/** What a journal is that can't be read at all. */
export class Unreadable extends Error {}

const SQLITE = 'SQLite format 3\0';
const FIRST_BYTES = 64;

/** Whether this names a server, and no file. */
export function isServer(path: string): boolean {
  return /^https?:\/\//u.test(path);
}

/** The server at an address such as `serveInspector` gives; its token stands behind `#token=`, or in the environment. */
export function serverAt(path: string): InspectorSource {
  try {
    const { address, token = process.env.SUBAGENTS_TOKEN } = readAddress(path);
    return serverSource(address, { token });
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** What a server has so far. */
async function readServer(path: string): Promise<JournalContents> {
  const source = serverAt(path);
  const events: SubAgentEvent[] = [];
  let base: ViewBase | undefined;
  let damage: Damage | undefined;
  const over = new AbortController();
  try {
    const { first, last, live } = await source.info();
    if (last > 0) {
      for await (const batch of source.events(first, over.signal)) {
        if (batch.base !== undefined) base = batch.base;
        events.push(...batch.events);
        const lastSeq = events.at(-1)?.seq ?? base?.seq ?? 0;
        if (batch.damage !== undefined) damage = { ...batch.damage, code: 'store_damaged', lastSeq };
        // A manager goes on; a journal ends by itself, and says then what is wrong with it.
        if (live && lastSeq >= last) break;
      }
    }
    return { kind: 'server', base, events, cut: 0, damage };
  } catch (error) {
    throw error instanceof ServerTrouble ? new Unreadable(error.message) : unreadable(path, error);
  } finally {
    over.abort();
  }
}

/** Reads a journal whole. Throws `Unreadable` where it is none, or another version wrote it. */
export async function readJournal(path: string, given: { key?: string | undefined } = {}): Promise<JournalContents> {
  if (isServer(path)) return readServer(path);
  const head = await headOf(path);
  if (head.startsWith(SQLITE)) return readSqlite(path, given.key);
  if (/^\s*[{[]/u.test(head)) return readLines(await readFile(path, 'utf8'));
  return readFileStore(path);
}

async function headOf(path: string): Promise<string> {
  if (/^[a-z]+:\/\//u.test(path))
    throw new Unreadable(`${path} is not a file: open its store in a program and pass it to SubAgentManager.readJournal`);
  try {
    const stats = await stat(path);
    if (stats.isDirectory()) throw new Unreadable(`${path} is a folder: name the journal's file in it`);
    if (!stats.isFile()) throw new Unreadable(`${path} is not a file`);
    await using file = await open(path, 'r');
    const bytes = Buffer.alloc(FIRST_BYTES);
    const { bytesRead } = await file.read(bytes, 0, FIRST_BYTES, 0);
    if (bytesRead === 0) throw new Unreadable(`${path} is empty`);
    return bytes.toString('latin1', 0, bytesRead);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') throw new Unreadable(`there is no file ${path}`);
    throw new Unreadable(`${path} can't be read: ${code === 'EACCES' ? 'you have no right to it' : messageOf(error)}`);
  }
}

async function readFileStore(path: string): Promise<JournalContents> {
  try {
    await using file = await open(path, 'r');
    return await readStored(file, (await file.stat()).size, path);
  } catch (error) {
    throw unreadable(path, error);
  }
}

async function readSqlite(path: string, key: string | undefined): Promise<JournalContents> {
  const folder = await mkdtemp(join(tmpdir(), 'subagents-inspect-'));
  try {
    const { DatabaseSync } = (await import('node:sqlite' as string).catch(() => {
      throw new Unreadable('this Node has no node:sqlite, which a journal in SQLite is read with: use Node 22.13 or newer');
    })) as { DatabaseSync: new (path: string) => never };
    const copy = join(folder, 'journal.db');
    await copyFile(path, copy);
    // What the database has written ahead belongs to it, and what a process that was killed has to undo.
    for (const end of ['-wal', '-shm', '-journal']) await copyFile(path + end, copy + end).catch(() => undefined);
    return await replayed('sqlite', sqliteStore(new DatabaseSync(copy), { readOnly: true, ...(key !== undefined && { table: key }) }));
  } catch (error) {
    if (!(error instanceof SubAgentError) || error.code !== 'store_damaged') throw unreadable(path, error);
    // Its snapshot or its tables: what stands behind them means nothing without them.
    const damage: Damage = { message: error.message, code: error.code, lastSeq: 0 };
    return { kind: 'sqlite', base: undefined, events: [], cut: 0, damage };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function unreadable(path: string, error: unknown): Error {
  return error instanceof Unreadable ? error : new Unreadable(`${path} can't be read: ${messageOf(error)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
