// The entry `subagents/store/file`: a store in one file, for Node, Deno and Bun. Owns opening: who may, what of the file
// is whole, and what is told of the rest.

import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SubAgentError } from '../base/errors.js';
import { syncFolderOf } from './file/folder.js';
import { HEADER_BYTES, readHeader, VERSION } from './file/layout.js';
import { FileLock } from './file/lock.js';
import { damaged, FileLog, type FileState, failed, NewFile, putInPlace } from './file/log.js';
import { FileBytes, readFrame } from './file/reading.js';
import type { Store, StoreContents } from './store.js';

export type { Store, StoreContents } from './store.js';

/** Options of `fileStore`. */
export interface FileStoreOptions {
  /**
   * How long `open` waits while another process has the store, in milliseconds. 0, the default, rejects at once. A deploy
   * in which the next process begins before the last one has ended needs some seconds.
   */
  readonly waitMs?: number;
}

/**
 * A store in one file, which is made where there is none; its folder has to be there. Beside it lie `PATH.lock` while a
 * process has it, and `PATH.new` while it is compacted.
 */
export function fileStore(path: string | URL, options: FileStoreOptions = {}): Store {
  const { waitMs = 0 } = options;
  const text = path instanceof URL ? fileURLToPath(path) : path;
  if (typeof text !== 'string' || text === '') throw wrong('path', 'the path of a file');
  if (typeof waitMs !== 'number' || !(waitMs >= 0)) throw wrong('waitMs', 'milliseconds from 0 on');
  return new FileStore(text, waitMs);
}

function wrong(argument: string, expected: string): SubAgentError {
  return new SubAgentError('invalid_argument', `\`${argument}\` must be ${expected}`, { argument, expected });
}

class FileStore implements Store {
  readonly #path: string;
  readonly #waitMs: number;
  #state: 'closed' | 'opening' | 'closing' | { readonly log: FileLog; readonly lock: FileLock } = 'closed';
  #closing: Promise<void> = Promise.resolve();

  constructor(path: string, waitMs: number) {
    this.#path = path;
    this.#waitMs = waitMs;
  }

  async open(): Promise<StoreContents> {
    if (this.#state !== 'closed')
      throw new SubAgentError('store_locked', `this store is open already: ${this.#path}`, { path: this.#path });
    this.#state = 'opening';
    let lock: FileLock | undefined;
    let found: Found | undefined;
    try {
      const path = await realPath(this.#path);
      lock = await FileLock.take(`${path}.lock`, this.#waitMs);
      found = (await exists(path)) ? await readStore(path) : await makeStore(path);
      // A process elsewhere that was taken for gone may still have the old file open, and write to it.
      if (lock.isFromElsewhere) found = await copyStore(path, found);
      await lock.check();
      const log = new FileLog(path, lock, found);
      this.#state = { log, lock };
      const { snapshot, through, cut } = found;
      return { through, records: log.records(), ...(snapshot && { snapshot }), ...(cut > 0 && { cut }) };
    } catch (error) {
      await found?.handle.close().catch(() => undefined);
      await lock?.release().catch(() => undefined);
      this.#state = 'closed';
      throw failed(this.#path, error);
    }
  }

  append(record: Uint8Array): Promise<void> {
    return typeof this.#state === 'string' ? this.#refuse() : this.#state.log.append(record);
  }

  compact(snapshot: Uint8Array, through: number): Promise<void> {
    return typeof this.#state === 'string' ? this.#refuse() : this.#state.log.compact(snapshot, through);
  }

  close(): Promise<void> {
    if (typeof this.#state === 'string') return this.#closing;
    const { log, lock } = this.#state;
    this.#state = 'closing';
    this.#closing = (async () => {
      try {
        await log.close();
      } finally {
        await lock.release();
        this.#state = 'closed';
      }
    })();
    return this.#closing;
  }

  #refuse(): Promise<never> {
    return Promise.reject(new SubAgentError('store_failed', `the store is not open: ${this.#path}`, { path: this.#path }));
  }
}

interface Found extends FileState {
  readonly snapshot?: Uint8Array;
  readonly cut: number;
}

/** Where the file is: links are followed, since it is replaced when it is compacted. */
async function realPath(path: string): Promise<string> {
  const full = resolve(path);
  return (await exists(full)) ? realpath(full) : join(await realpath(dirname(full)), basename(full));
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return false;
    throw error;
  }
}

/** A new store, which has its name once it is whole. */
async function makeStore(path: string): Promise<Found> {
  const [salt] = crypto.getRandomValues(new Uint32Array(1)) as unknown as [number];
  const next = await NewFile.create(`${path}.new`, salt, 0);
  try {
    const state = await next.finish();
    await putInPlace(next.path, path);
    return { ...state, cut: 0 };
  } catch (error) {
    await next.handle.close();
    throw error;
  }
}

async function readStore(path: string): Promise<Found> {
  const handle = await open(path, 'r+');
  try {
    return await readFrom(handle, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readFrom(handle: FileHandle, path: string): Promise<Found> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw damaged(path, 0, 'it is not a file');
  const file = new FileBytes(handle, stats.size);
  const header = readHeader(await file.read(0, HEADER_BYTES));
  if (typeof header === 'string') throw damaged(path, 0, header);
  const { version, salt, through, base } = header;
  if (version > VERSION) {
    const message = `the store ${path} was written by a newer version of this package (form ${version}, this one reads up to ${VERSION})`;
    throw new SubAgentError('store_version', message, { path, version, supported: VERSION });
  }
  if (file.size < base) throw damaged(path, file.size, `it ends there, and was ${base} bytes long`);
  const places: number[] = [];
  let snapshot: Uint8Array | undefined;
  let at = HEADER_BYTES;
  while (at < file.size) {
    const frame = await readFrame(file, at, salt, base);
    if (!('payload' in frame)) {
      if (!frame.isTorn) throw damaged(path, frame.at, frame.reason);
      await handle.truncate(at);
      break;
    }
    if (frame.kind === 'record') places.push(at);
    else if (at === HEADER_BYTES) snapshot = frame.payload.slice();
    else throw damaged(path, at, 'a snapshot stands among the records');
    at = frame.end;
  }
  // A process that was killed may have left records that only the system's memory has, or a name that only it knows.
  await handle.sync();
  await syncFolderOf(path);
  return { handle, salt, base, through, places, size: at, cut: file.size - at, ...(snapshot && { snapshot }) };
}

/** Copies a store into a file of its own, which takes the place of the other. */
async function copyStore(path: string, { handle, salt, base, snapshot, through, places, size, cut }: Found): Promise<Found> {
  const next = await NewFile.create(`${path}.new`, salt, through);
  if (snapshot !== undefined) await next.add('snapshot', snapshot);
  const file = new FileBytes(handle, size);
  for (const at of places) {
    const frame = await readFrame(file, at, salt, base);
    if (!('payload' in frame)) throw damaged(path, frame.at, frame.reason);
    await next.add('record', frame.payload);
  }
  const state = await next.finish();
  await handle.close();
  await putInPlace(next.path, path);
  return { ...state, cut, ...(snapshot && { snapshot }) };
}
