// The open file of a store: appends with one write and one sync, and replaces the file when it is compacted. Owns their order.
// `lock.ts` decides which process may open the file, `layout.ts` what its bytes mean.

import { open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { platform } from 'node:process';
import { SubAgentError } from '../../base/error-class.js';
import { damaged, failed } from '../failures.js';
import type { Alone, Medium } from '../queued.js';
import type { StoreContents } from '../store.js';
import { FRAME_BYTES, writeFrame } from './layout.js';
import type { FileLock } from './lock.js';
import { type FileState, NewFile, writeWhole } from './new-file.js';
import { FileBytes, type Frame, peekFrame, readFrame } from './reading.js';

export class FileLog implements Medium {
  readonly contents: StoreContents;
  readonly count: number;
  readonly #name: string;
  readonly #path: string;
  readonly #lock: FileLock;
  #file: FileState;
  #size: number;

  constructor(name: string, path: string, lock: FileLock, file: FileState & { readonly snapshot?: Uint8Array; readonly cut: number }) {
    this.#name = name;
    this.#path = path;
    this.#lock = lock;
    this.#file = file;
    this.#size = file.size;
    const { through, places, snapshot, cut } = file;
    this.count = through + places.length;
    this.contents = {
      through,
      records: this.#records(),
      lost: lock.lost,
      lease: lock,
      ...(snapshot && { snapshot }),
      ...(cut > 0 && { cut }),
    };
  }

  async write(records: Uint8Array[]): Promise<void> {
    const { handle, places } = this.#file;
    const bytes = new Uint8Array(records.reduce((sum, { length }) => sum + FRAME_BYTES + length, 0));
    const begun: number[] = [];
    let at = 0;
    for (const record of records) {
      begun.push(this.#size + at);
      at = writeFrame(bytes, at, this.#size + at, 'record', record, at, this.#file);
    }
    await writeWhole(handle, bytes, this.#size);
    // Checked before each acknowledgement: another process that has taken the store would not see this write.
    await Promise.all([handle.datasync(), this.#lock.check(), this.#checkName()]);
    this.#size += at;
    for (const place of begun) places.push(place);
  }

  /** Refuses writes to a file that no process will open again, because it was deleted or renamed. */
  async #checkName(): Promise<void> {
    const [{ nlink }, isThere] = await Promise.all([
      this.#file.handle.stat(),
      stat(this.#path).then(
        () => true,
        (error: { code?: unknown }) => error.code !== 'ENOENT',
      ),
    ]);
    if (nlink === 0 || !isThere) throw failed(this.#name, `${this.#path} is no longer the file of this store: it was deleted or renamed`);
  }

  /** Writes the new file beside the old one. Then, between appends, copies the records after the snapshot. */
  async replace(snapshot: Uint8Array, through: number, alone: Alone): Promise<void> {
    const path = `${this.#path}.new`;
    const next = await NewFile.create(path, this.#file.salt, through);
    let problem: unknown;
    const work = async (): Promise<void> => {
      const state = await this.#takeOver(next).catch((error: unknown) => {
        // The old file stays in use, unless it is damaged or another process has taken it.
        if (error instanceof SubAgentError) throw error;
        problem = error;
      });
      if (state !== undefined) problem = await this.#swap(path, state);
    };
    try {
      await next.add('snapshot', snapshot);
      // Most of it becomes durable while appends continue.
      await next.flush();
      await alone(work);
      if (problem !== undefined) throw problem;
    } finally {
      if (this.#file.handle !== next.handle) {
        await next.handle.close();
        await unlink(path).catch(() => undefined);
      }
    }
  }

  async close(): Promise<void> {
    try {
      await this.#file.handle.close();
    } finally {
      await this.#lock.release();
    }
  }

  /** The records at the opening, while the file is still the same one. */
  async *#records(): AsyncGenerator<Uint8Array> {
    const { handle, places } = this.#file;
    const file = new FileBytes(handle, this.#size);
    for (const at of places.slice()) {
      if (this.#file.handle !== handle) throw failed(this.#name, 'its records were not read before it was compacted');
      yield (peekFrame(file, at, this.#file) ?? (await this.#frame(file, at))).payload;
    }
  }

  async #frame(file: FileBytes, at: number): Promise<Frame> {
    const frame = await readFrame(file, at, this.#file);
    if ('payload' in frame) return frame;
    throw damaged(this.#name, { byte: at }, `byte ${at}`, frame.reason);
  }

  /** Adds the records after the snapshot to the new file, and finishes it. */
  async #takeOver(next: NewFile): Promise<FileState> {
    const { handle, through, places } = this.#file;
    const old = new FileBytes(handle, this.#size);
    for (const at of places.slice(next.through - through)) await next.add('record', (await this.#frame(old, at)).payload);
    const state = await next.finish();
    await this.#lock.check();
    return state;
  }

  /**
   * Replaces the old file by the new one. If the old file still has its name, it returns the error, and the store continues
   * with that file. Any other failure is final, because nobody can know which file a process will find after a crash.
   */
  async #swap(path: string, state: FileState): Promise<unknown> {
    const { handle } = this.#file;
    const { ino } = await handle.stat();
    // Closed first: some systems can't replace an open file.
    await handle.close();
    try {
      await rename(path, this.#path);
    } catch (error) {
      const old = await open(this.#path, 'r+');
      this.#file = { ...this.#file, handle: old };
      if ((await old.stat()).ino !== ino) throw error;
      return error;
    }
    this.#file = state;
    this.#size = state.size;
    await syncFolderOf(this.#path);
    return undefined;
  }
}

/** Gives a whole file the name of the store, durably. */
export async function putInPlace(from: string, path: string): Promise<void> {
  await rename(from, path);
  await syncFolderOf(path);
}

/** Syncs the folder of a file: only that makes the name of a new or renamed file durable. */
export async function syncFolderOf(path: string): Promise<void> {
  // Windows opens no folders, and writes names by itself.
  if (platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
