// The entry `subagents/store/file`: a store in one file, for Node, Deno and Bun. Owns opening: who may open it, which part of
// the file is whole, and the report about the rest.

import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkOptions } from '../base/unknown.js';
import { wrong } from './failures.js';
import { FileLock } from './file/lock.js';
import { FileLog, putInPlace, syncFolderOf } from './file/log.js';
import { expectNoFolder, lookAt } from './file/look.js';
import { type FileState, NewFile } from './file/new-file.js';
import { FileBytes } from './file/reading.js';
import { damagedAt, readWhole, recordsOf, type Whole } from './file/whole.js';
import { QueuedStore } from './queued.js';
import type { Store } from './store.js';

export type { Store, StoreContents, StoreLease } from './store.js';

/** Options of `fileStore`. */
export interface FileStoreOptions {
  /**
   * How long `open` waits while another process has the store, in milliseconds. Default: 0, which rejects at once.
   *
   * A deploy in which the next process begins before the last one has ended needs some seconds.
   */
  readonly waitMs?: number | undefined;
  /**
   * Only reads, though a manager may have the store; for `readJournal`.
   *
   * `open` takes no lock, makes and cuts nothing, and appends are refused. Reading a damaged record throws. @default false
   */
  readonly readOnly?: boolean | undefined;
}

/**
 * Makes a store in one file. Creates the file if it is missing or empty; the folder must exist. Next to it are `PATH.lock`
 * while a process has it, and `PATH.new` while it is compacted.
 */
export function fileStore(path: string | URL, options: FileStoreOptions = {}): Store {
  const { waitMs = 0, readOnly = false } = checkOptions('fileStore', options, ['waitMs', 'readOnly']);
  const text = path instanceof URL ? fileURLToPath(path) : path;
  if (typeof text !== 'string' || text === '') throw wrong('path', "the path of a file, as in fileStore('agents.journal')");
  if (typeof waitMs !== 'number' || !(waitMs >= 0)) throw wrong('waitMs', 'milliseconds from 0 on');
  const name = `the store ${text}`;
  if (typeof readOnly !== 'boolean') throw wrong('readOnly', 'true or false');
  return new QueuedStore(name, () => (readOnly ? lookAt(name, text) : takeFile(name, text, waitMs)));
}

/** Takes the file of a store for this process, and reads it. */
async function takeFile(name: string, given: string, waitMs: number): Promise<FileLog> {
  const path = await realPath(given);
  const lock = await FileLock.take(`${path}.lock`, waitMs);
  let found: OpenedFile | undefined;
  try {
    found = (await isWritten(path)) ? await readStore(name, path) : await makeStore(path);
    // A process elsewhere that counted as gone may still have the old file open, and write to it.
    if (lock.isFromElsewhere) found = await copyStore(name, path, found);
    await lock.check();
    return new FileLog(name, path, lock, found);
  } catch (error) {
    await found?.handle.close().catch(() => undefined);
    await lock.release().catch(() => undefined);
    throw error;
  }
}

interface OpenedFile extends FileState, Whole {}

/** The real path of the file. Links are followed, because a compaction replaces the file. */
async function realPath(path: string): Promise<string> {
  const full = resolve(path);
  if (await exists(full)) {
    await expectNoFolder(full);
    return realpath(full);
  }
  const folder = dirname(full);
  if (!(await exists(folder))) throw new Error(`there is no folder ${folder}: make it first`);
  return join(await realpath(folder), basename(full));
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

/**
 * Whether there is anything to read. `mktemp` and `touch` make an empty file. A store's own file is never empty: it gets its
 * name once it is whole.
 */
async function isWritten(path: string): Promise<boolean> {
  if (!(await exists(path))) return false;
  const found = await stat(path);
  return found.size > 0 || !found.isFile();
}

/** Makes a new store, which gets its name once it is whole. */
async function makeStore(path: string): Promise<OpenedFile> {
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

async function readStore(name: string, path: string): Promise<OpenedFile> {
  const handle = await open(path, 'r+');
  try {
    const found = await readFrom(handle, name);
    if (found.cut > 0) await handle.truncate(found.size);
    // A killed process may have left records, or a file's name, that only the system's memory has.
    await handle.sync();
    await syncFolderOf(path);
    return found;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function readFrom(handle: FileHandle, name: string): Promise<OpenedFile> {
  const stats = await handle.stat();
  if (!stats.isFile()) throw damagedAt(name, 0, 'it is not a file');
  return { handle, ...(await readWhole(new FileBytes(handle, stats.size), name)) };
}

/** Copies a store into a new file, which replaces the old one. */
async function copyStore(name: string, path: string, found: OpenedFile): Promise<OpenedFile> {
  const { handle, salt, snapshot, through, size, cut } = found;
  const next = await NewFile.create(`${path}.new`, salt, through);
  try {
    if (snapshot !== undefined) await next.add('snapshot', snapshot);
    for await (const record of recordsOf(new FileBytes(handle, size), found, name)) await next.add('record', record);
    const state = await next.finish();
    await handle.close();
    await putInPlace(next.path, path);
    return { ...state, cut, ...(snapshot && { snapshot }) };
  } catch (error) {
    await next.handle.close();
    throw error;
  }
}
