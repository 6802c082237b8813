// A journal on a disk, or from a server of `serveInspector`: its kind, its events, new ones, and its damage. Owns that
// nothing is written and no lock taken, so a live one is read beside its manager.

import { open, stat } from 'node:fs/promises';
import { isSubAgentError } from 'subagents';
import { fileStore } from 'subagents/store/file';
import type { InspectorSource, SubAgentEvent, ViewBase } from 'subagents/view';
import { type Damage, damageOf, type JournalContents } from '../src/contents.js';
import { readAddress, ServerTrouble, serverSource } from '../src/server-source.js';
import { DamagedLine, GrowingLines } from './growing-lines.js';
import { isRedis, openRedis, redisName } from './growing-redis.js';
import { type Growing, hasToBeMended, NOTHING, openSqlite, replayed } from './growing-store.js';
import { Misused, messageOf, Unreadable, unreadable } from './unreadable.js';

const SQLITE = 'SQLite format 3\0';
const FIRST_BYTES = 64;
/** After so many looks in a row that find no file it is gone: between two names of one there may be none for a moment. */
const MOST_MISSES = 10;

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
export async function readServer(path: string): Promise<JournalContents> {
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

const GROWING: Record<Exclude<JournalContents['kind'], 'server'>, (path: string, key: string | undefined) => Growing | Promise<Growing>> = {
  events: (path) => new GrowingLines(path),
  file: (path) => replayed(fileStore(path, { readOnly: true })),
  redis: openRedis,
  sqlite: openSqlite,
};

interface Given {
  /** What the tables of a SQLite database, or the keys in Redis, begin with. */
  readonly key?: string | undefined;
}

/** Reads a journal whole. Throws `Unreadable` where it is none, or another version wrote it. */
export async function readJournal(path: string, given: Given = {}): Promise<JournalContents> {
  if (isServer(path)) return readServer(path);
  const { journal, contents } = await OpenJournal.read(path, given);
  await journal.close();
  return contents;
}

/** A journal on a disk that is open: its events, and then those that come. */
export class OpenJournal {
  /** What is wrong with it, once that was met; nothing is read any more then. */
  damage: Damage | undefined;
  /**
   * The journal has to be opened anew for what comes next: that was replaced by a snapshot before it was read, or a process
   * was killed while it wrote into the database.
   */
  isStale = false;
  readonly #path: string;
  readonly #kind: JournalContents['kind'];
  readonly #growing: Growing;
  #last: number | undefined;
  #misses = 0;
  #inode: number | undefined;
  /** What ends the reading, where events that were read before it are still to be given. */
  #failure: Error | undefined;

  /** Opens a journal. Throws `Unreadable` where it is none, or another version wrote it; `Misused` for a key where there are none. */
  static async open(path: string, { key }: Given = {}): Promise<OpenJournal> {
    const name = redisName(path);
    const kind = isRedis(path) ? 'redis' : kindOf(await headOf(path));
    if (key !== undefined && kind !== 'redis' && kind !== 'sqlite')
      throw new Misused(`--table is of a SQLite database alone, and ${path} is none`);
    try {
      return new OpenJournal(name, kind, await GROWING[kind](path, key));
    } catch (error) {
      const damage = damageOf(error, 0);
      if (damage === undefined) throw unreadable(name, error);
      return new OpenJournal(name, kind, NOTHING, damage);
    }
  }

  /** Opens a journal, and reads what it has by now. */
  static async read(path: string, given: Given = {}): Promise<{ journal: OpenJournal; contents: JournalContents }> {
    for (;;) {
      const journal = await OpenJournal.open(path, given);
      try {
        const events = await journal.next();
        const { base, damage } = journal;
        const { cut, refusals = [] } = journal.#growing;
        if (!journal.isStale) return { journal, contents: { kind: journal.#kind, base, events, refusals, cut, damage } };
      } catch (error) {
        await journal.close();
        throw error;
      }
      await journal.close();
    }
  }

  private constructor(path: string, kind: JournalContents['kind'], growing: Growing, damage?: Damage) {
    this.#path = path;
    this.#kind = kind;
    this.#growing = growing;
    this.damage = damage;
  }

  /** What its snapshot stands for; none where it has its beginning. */
  get base(): ViewBase | undefined {
    return this.#growing.base;
  }

  /** Whether it is read from a copy: what comes is met where it is opened anew. */
  get isCopy(): boolean {
    return this.#growing.isCopy === true;
  }

  /** The events that were not read before. */
  async next(): Promise<SubAgentEvent[]> {
    const events: SubAgentEvent[] = [];
    if (this.damage !== undefined || this.isStale) return events;
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#kind !== 'redis') await this.#expectFile();
    try {
      for await (const event of this.#growing.next()) {
        events.push(event);
        this.#last = event.seq;
      }
    } catch (error) {
      this.damage = error instanceof DamagedLine ? error.damage : damageOf(error, this.#last ?? this.base?.seq ?? 0);
      const isFailure = isSubAgentError(error, 'store_failed');
      this.isStale = isFailure && (typeof error.details.through === 'number' || (this.#kind === 'sqlite' && hasToBeMended(error)));
      if (this.damage !== undefined || this.isStale) return events;
      const how = isFailure ? error.details.how : undefined;
      this.#failure = typeof how === 'string' ? over(this.#path, how) : unreadable(this.#path, error);
      if (events.length === 0) throw this.#failure;
    }
    return events;
  }

  /** What is open could be read for ever, also once its file is gone, or another one has its name. */
  async #expectFile(): Promise<void> {
    const inode = await stat(this.#path).then(
      ({ ino }) => ino,
      // Another error says nothing of the file.
      ({ code }: { code?: unknown }) => (code === 'ENOENT' ? undefined : (this.#inode ?? 0)),
    );
    if (inode === 0) return;
    this.#misses = inode === undefined ? this.#misses + 1 : 0;
    if (this.#misses === MOST_MISSES) throw over(this.#path, 'was deleted or renamed');
    this.#inode ??= inode;
    // A store's file is replaced when it is compacted, events when they are written anew: what becomes of these shows as they are read.
    if (this.#kind === 'sqlite' && inode !== undefined && inode !== this.#inode) throw over(this.#path, 'was replaced by another file');
  }

  close(): Promise<void> {
    return this.#growing.close();
  }
}

/** A journal that can't be gone on with, since it is not the one any more that was read. */
function over(path: string, how: string): Unreadable {
  return new Unreadable(`${path} ${how}: what was shown was in it before; inspect it again`);
}

/** What a file is, by its first bytes. */
function kindOf(head: string): 'events' | 'file' | 'sqlite' {
  if (/^\s*[{[]/u.test(head)) return 'events';
  return head.startsWith(SQLITE) ? 'sqlite' : 'file';
}

async function headOf(path: string): Promise<string> {
  if (/^[a-z]+:\/\//u.test(path)) throw new Unreadable(`${path} is not a file: open its store in a program and pass it to readJournal`);
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
