// A journal on a disk, or from a server of `serveInspector`: its kind, its events, new ones, and its damage. Owns that
// nothing is written and no lock taken, so a live journal is read alongside its manager.

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
/** After this many looks in a row without a file, the journal counts as deleted. A replacement may leave none for a moment. */
const MOST_MISSES = 10;

/** Whether this names a server, not a file. */
export function isServer(path: string): boolean {
  return /^https?:\/\//u.test(path);
}

/** The server at an address of `serveInspector`; its token is after `#token=`, or in the environment. */
export function serverAt(path: string): InspectorSource {
  try {
    const { address, token = process.env.SUBAGENTS_TOKEN } = readAddress(path);
    return serverSource(address, { token });
  } catch (error) {
    throw unreadable(path, error);
  }
}

/** Reads a server's current contents. */
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
        // A manager continues; a journal ends by itself, with its damage.
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
  /** The prefix of a SQLite database's tables, or of the keys in Redis. */
  readonly key?: string | undefined;
}

/** Reads a whole journal. Throws `Unreadable` if the file is none, or another version wrote it. */
export async function readJournal(path: string, given: Given = {}): Promise<JournalContents> {
  if (isServer(path)) return readServer(path);
  const { journal, contents } = await OpenJournal.read(path, given);
  await journal.close();
  return contents;
}

/** An open journal on a disk: its events, then new ones. */
export class OpenJournal {
  /** Its damage, once that was met; then nothing more is read. */
  damage: Damage | undefined;
  /**
   * The journal has to be opened again for its next events. A snapshot replaced them before they were read, or a killed process
   * left an unfinished write in the database.
   */
  isStale = false;
  readonly #path: string;
  readonly #kind: JournalContents['kind'];
  readonly #growing: Growing;
  #last: number | undefined;
  #misses = 0;
  #inode: number | undefined;
  /** The error that ends the reading, if events that were read before it are still to be returned. */
  #failure: Error | undefined;

  /**
   * Opens a journal. Throws `Unreadable` if the file is none, or another version wrote it; `Misused` for a key if there are
   * none.
   */
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

  /** Opens a journal, and reads its current contents. */
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

  /** The state of its snapshot; undefined if the journal has its beginning. */
  get base(): ViewBase | undefined {
    return this.#growing.base;
  }

  /** Whether it is read from a copy: new events need it to be opened again. */
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

  /** An open file could be read for ever, even once it is deleted, or another file has its name. */
  async #expectFile(): Promise<void> {
    const inode = await stat(this.#path).then(
      ({ ino }) => ino,
      // Another error tells nothing about the file.
      ({ code }: { code?: unknown }) => (code === 'ENOENT' ? undefined : (this.#inode ?? 0)),
    );
    if (inode === 0) return;
    this.#misses = inode === undefined ? this.#misses + 1 : 0;
    if (this.#misses === MOST_MISSES) throw over(this.#path, 'was deleted or renamed');
    this.#inode ??= inode;
    // A store's file is replaced when it is compacted, a list of events when it is written again: reading them shows the
    // result.
    if (this.#kind === 'sqlite' && inode !== undefined && inode !== this.#inode) throw over(this.#path, 'was replaced by another file');
  }

  close(): Promise<void> {
    return this.#growing.close();
  }
}

/** The error of a journal that can't be read further, since it is not the same any longer. */
function over(path: string, how: string): Unreadable {
  return new Unreadable(`${path} ${how}: what was shown was in it before; inspect it again`);
}

/** The kind of a file, by its first bytes. */
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
