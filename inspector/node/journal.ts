// A journal as somebody has it on a disk: what kind of file it is, its events, and what is wrong with it. Owns that
// nothing is written into it and no lock taken, so that a live one is read beside its manager.

import { copyFile, mkdtemp, open, readFile, rm, stat, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Store, SubAgentError, SubAgentManager } from 'subagents';
import { fileStore } from 'subagents/store/file';
import { sqliteStore } from 'subagents/store/sqlite';
import { baseOf, type SubAgentEvent, type ViewBase } from 'subagents/view';

/** Where a journal stops being trustworthy: what came before can be trusted. */
export interface Damage {
  readonly message: string;
  /** The error's code. */
  readonly code: string;
  /** The byte of the file, the record, or the line, where that is known. */
  readonly byte?: number;
  readonly record?: number;
  readonly line?: number;
  /** The last event that can be trusted; 0 where none can. */
  readonly lastSeq: number;
}

/** What was read of a journal. */
export interface JournalContents {
  readonly kind: 'file' | 'sqlite' | 'events';
  /** What its snapshot stands for; none where it has its beginning. */
  readonly base: ViewBase | undefined;
  readonly events: SubAgentEvent[];
  /** Bytes of a torn tail, which a crash leaves: they are left out, and no damage. */
  readonly cut: number;
  readonly damage: Damage | undefined;
}

/** What a journal is that can't be read at all. */
export class Unreadable extends Error {}

const SQLITE = 'SQLite format 3\0';
const FIRST_BYTES = 64;

/** Reads a journal whole. Throws `Unreadable` where it is none, or another version wrote it. */
export async function readJournal(path: string, given: { key?: string | undefined } = {}): Promise<JournalContents> {
  const head = await headOf(path);
  if (head.startsWith(SQLITE)) return readSqlite(path, given.key);
  if (/^\s*[{[]/u.test(head)) return readLines(path);
  return readFileStore(path);
}

async function headOf(path: string): Promise<string> {
  if (/^[a-z]+:\/\//u.test(path))
    throw new Unreadable(`${path} is not a file: open its store in a program and pass it to SubAgentManager.readJournal`);
  try {
    const stats = await stat(path);
    if (!stats.isFile()) throw new Unreadable(`${path} is not a file`);
    await using file = await open(path, 'r');
    const bytes = Buffer.alloc(FIRST_BYTES);
    const { bytesRead } = await file.read(bytes, 0, FIRST_BYTES, 0);
    if (bytesRead === 0) throw new Unreadable(`${path} is empty`);
    return bytes.toString('latin1', 0, bytesRead);
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    throw new Unreadable(`${path} can't be read: ${messageOf(error)}`);
  }
}

async function readFileStore(path: string): Promise<JournalContents> {
  try {
    return await replayed('file', fileStore(path, { readOnly: true }));
  } catch (error) {
    const byte = error instanceof SubAgentError && error.code === 'store_damaged' ? error.details.byte : undefined;
    if (typeof byte !== 'number') throw unreadable(path, error);
    // What stands before that byte can be trusted: it is read from a copy that ends there.
    const before = byte === 0 ? undefined : await beforeByte(path, byte);
    const lastSeq = before?.events.at(-1)?.seq ?? before?.base?.seq ?? 0;
    const damage: Damage = { message: messageOf(error), code: 'store_damaged', byte, lastSeq };
    return { kind: 'file', base: before?.base, events: before?.events ?? [], cut: 0, damage };
  }
}

async function beforeByte(path: string, byte: number): Promise<JournalContents | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'subagents-inspect-'));
  try {
    const copy = join(folder, 'journal');
    await copyFile(path, copy);
    await truncate(copy, byte);
    return await replayed('file', fileStore(copy, { readOnly: true }));
  } catch {
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
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
    // What the database has written ahead belongs to it.
    for (const end of ['-wal', '-shm']) await copyFile(path + end, copy + end).catch(() => undefined);
    return await replayed('sqlite', sqliteStore(new DatabaseSync(copy), key === undefined ? {} : ({ table: key } as never)));
  } catch (error) {
    throw unreadable(path, error);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function replayed(kind: JournalContents['kind'], store: Store): Promise<JournalContents> {
  const journal = await SubAgentManager.readJournal(store);
  const events: SubAgentEvent[] = [];
  let damage: Damage | undefined;
  try {
    const base = journal.snapshotSeq === 0 ? undefined : baseOf(journal.view as never);
    try {
      for await (const { event } of journal) events.push(event);
    } catch (error) {
      if (!(error instanceof SubAgentError) || error.code !== 'store_damaged') throw error;
      const { record } = error.details;
      const lastSeq = events.at(-1)?.seq ?? base?.seq ?? 0;
      damage = { message: error.message, code: error.code, ...(typeof record === 'number' && { record }), lastSeq };
    }
    return { kind, base, events, cut: journal.cut, damage };
  } finally {
    await journal[Symbol.asyncDispose]();
  }
}

/** Events as they were exported: one a line, or a list. */
async function readLines(path: string): Promise<JournalContents> {
  const text = await readFile(path, 'utf8');
  const events: SubAgentEvent[] = [];
  const wrong = (message: string, line: number): JournalContents => ({
    kind: 'events',
    base: undefined,
    events,
    cut: 0,
    damage: { message: `line ${line}: ${message}`, code: 'events_damaged', line, lastSeq: events.at(-1)?.seq ?? 0 },
  });
  const lines = text.trimStart().startsWith('[') ? listed(text) : text.split('\n');
  if (lines === undefined) return wrong('it is no JSON', 1);
  for (const [at, line] of lines.entries()) {
    if (line === '' || (typeof line === 'string' && line.trim() === '')) continue;
    let event: unknown;
    try {
      event = typeof line === 'string' ? JSON.parse(line) : line;
    } catch {
      // A line that is being written has no end yet.
      if (at === lines.length - 1)
        return { kind: 'events', base: undefined, events, cut: Buffer.byteLength(line as string), damage: undefined };
      return wrong('it is no JSON', at + 1);
    }
    if (!isEvent(event)) return wrong('it is no event: an event has `type`, `seq` and `at`', at + 1);
    const last = events.at(-1)?.seq ?? event.seq - 1;
    if (event.seq !== last + 1)
      return wrong(
        `event ${event.seq} stands after event ${last}: ${event.seq > last ? 'some are missing' : 'it is out of order'}`,
        at + 1,
      );
    events.push(event);
  }
  return { kind: 'events', base: undefined, events, cut: 0, damage: undefined };
}

function listed(text: string): unknown[] | undefined {
  try {
    return JSON.parse(text) as unknown[];
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is SubAgentEvent {
  const { type, seq, at } = (value ?? {}) as Partial<SubAgentEvent>;
  return typeof type === 'string' && Number.isSafeInteger(seq) && typeof at === 'number';
}

function unreadable(path: string, error: unknown): Error {
  return error instanceof Unreadable ? error : new Unreadable(`${path} can't be read: ${messageOf(error)}`);
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
