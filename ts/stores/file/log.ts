// The open file of a store: appends with one write and one sync for all that wait, and replaces the file when it is
// compacted. Owns the order of these, and that after a failure nothing is acknowledged any more. Who may open the file is
// for `lock.ts`, what its bytes mean for `layout.ts`.

import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { SubAgentError } from '../../base/errors.js';
import { syncFolderOf } from './folder.js';
import { FRAME_BYTES, type FrameKind, HEADER_BYTES, headerBytes, VERSION, writeFrame } from './layout.js';
import type { FileLock } from './lock.js';
import { FileBytes, readFrame } from './reading.js';

/** No batch is longer, but for a single record. */
const BATCH_BYTES = 1 << 24;

/** What an open file is known to hold. */
export interface FileState {
  readonly handle: FileHandle;
  readonly salt: number;
  readonly base: number;
  /** How many records the snapshot stands for. */
  readonly through: number;
  /** Where each record after them begins. */
  readonly places: number[];
  readonly size: number;
}

interface Waiting {
  readonly bytes: number;
  readonly record?: Uint8Array;
  /** Work that needs the file for itself, at its place among the records. */
  readonly work?: () => Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

export class FileLog {
  readonly #path: string;
  readonly #lock: FileLock;
  #file: FileState;
  #size: number;
  #appended: number;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #compacting: Promise<void> = Promise.resolve();
  #failure: SubAgentError | undefined;

  constructor(path: string, lock: FileLock, file: FileState) {
    this.#path = path;
    this.#lock = lock;
    this.#file = file;
    this.#size = file.size;
    this.#appended = file.through + file.places.length;
  }

  append(record: Uint8Array): Promise<void> {
    this.#appended += 1;
    return this.#enqueue({ bytes: FRAME_BYTES + record.length, record });
  }

  /** Writes the new file beside the old one, then, among the appends, takes over what stands behind the snapshot. */
  compact(snapshot: Uint8Array, through: number): Promise<void> {
    const least = this.#file.through;
    if (!Number.isSafeInteger(through) || through < least || through > this.#appended) {
      const expected = `a whole number from ${least} to ${this.#appended}`;
      return Promise.reject(
        new SubAgentError('invalid_argument', `\`through\` must be ${expected}, got ${through}`, { argument: 'through', expected }),
      );
    }
    const done = this.#compacting.then(() => this.#replace(snapshot, through));
    this.#compacting = done.catch(() => undefined);
    return done;
  }

  /** The records that were there at first, as long as the file is the one they were found in. */
  async *records(): AsyncGenerator<Uint8Array> {
    const { handle, salt, base, places, size } = this.#file;
    const found = places.slice();
    const file = new FileBytes(handle, size);
    for (const at of found) {
      if (this.#file.handle !== handle) throw new SubAgentError('store_failed', 'the records were not read before the store was compacted');
      const frame = await readFrame(file, at, salt, base);
      if (!('payload' in frame)) throw damaged(this.#path, frame.at, frame.reason);
      yield frame.payload.slice();
    }
  }

  /** Waits for everything that was asked for, then lets the file go. */
  async close(): Promise<void> {
    await this.#compacting;
    await this.#writing;
    await this.#file.handle.close();
  }

  #enqueue(what: Omit<Waiting, 'resolve' | 'reject'>): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#waiting.push({ ...what, resolve, reject });
      this.#writing ??= this.#write();
    });
  }

  async #write(): Promise<void> {
    // What is appended in the same turn of the caller is one batch.
    await undefined;
    while (this.#waiting.length > 0) {
      const batch = this.#take();
      try {
        const [{ work }] = batch as [Waiting];
        await (work === undefined ? this.#writeRecords(batch) : work());
        for (const { resolve } of batch) resolve();
      } catch (error) {
        const failure = this.#fail(error);
        for (const { reject } of batch) reject(failure);
      }
    }
    this.#writing = undefined;
  }

  /** The records that wait, up to a size and to work that stands among them; or one such work. */
  #take(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const one of this.#waiting) {
      bytes += one.bytes;
      if (count > 0 && (bytes > BATCH_BYTES || one.work !== undefined)) break;
      count += 1;
      if (one.work !== undefined) break;
    }
    return this.#waiting.splice(0, count);
  }

  async #writeRecords(batch: Waiting[]): Promise<void> {
    const { handle, salt, places } = this.#file;
    const bytes = new Uint8Array(batch.reduce((sum, one) => sum + one.bytes, 0));
    const begun: number[] = [];
    let at = 0;
    for (const { record } of batch) {
      begun.push(this.#size + at);
      at = writeFrame(bytes, at, this.#size + at, 'record', record as Uint8Array, at, salt);
    }
    await writeWhole(handle, bytes, this.#size);
    // Nothing is acknowledged that another process, which took the store meanwhile, doesn't see.
    await Promise.all([handle.datasync(), this.#lock.check()]);
    this.#size += at;
    for (const place of begun) places.push(place);
  }

  /** From here on every call is refused: whether the file has what was written last can't be known. */
  #fail(error: unknown): SubAgentError {
    this.#failure ??= failed(this.#path, error);
    for (const { reject } of this.#waiting.splice(0)) reject(this.#failure);
    return this.#failure;
  }

  async #replace(snapshot: Uint8Array, through: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (through < this.#file.through)
      throw new SubAgentError('invalid_argument', `the store has a snapshot of ${this.#file.through} records already`);
    const path = `${this.#path}.new`;
    let next: NewFile | undefined;
    try {
      next = await NewFile.create(path, this.#file.salt, through);
      await next.add('snapshot', snapshot);
      // Most of it becomes durable while appends go on.
      await next.flush();
    } catch (error) {
      // The file that is in its place is whole, and goes on.
      await next?.handle.close();
      await unlink(path).catch(() => undefined);
      throw failed(this.#path, error);
    }
    const made = next;
    let problem: unknown;
    const work = async (): Promise<void> => {
      const state = await this.#takeOver(made).catch((error: unknown) => {
        // The old file goes on here too, unless it is that which is damaged, or another process's by now.
        if (error instanceof SubAgentError) throw error;
        problem = failed(this.#path, error);
      });
      if (state !== undefined) await this.#swap(made.path, state);
    };
    try {
      await this.#enqueue({ bytes: 0, work });
      if (problem !== undefined) throw problem;
    } finally {
      if (this.#file.handle !== made.handle) await made.handle.close();
    }
  }

  /** Adds the records behind the snapshot to the new file, which is whole then. */
  async #takeOver(next: NewFile): Promise<FileState> {
    const { handle, salt, base, through, places } = this.#file;
    const old = new FileBytes(handle, this.#size);
    for (const at of places.slice(next.through - through)) {
      const frame = await readFrame(old, at, salt, base);
      if (!('payload' in frame)) throw damaged(this.#path, frame.at, frame.reason);
      await next.add('record', frame.payload);
    }
    const state = await next.finish();
    await this.#lock.check();
    return state;
  }

  /** Puts the new file in the place of the old one. From here on a failure is for good. */
  async #swap(path: string, state: FileState): Promise<void> {
    // Closed first: some systems replace no file that is open.
    await this.#file.handle.close();
    this.#file = state;
    this.#size = state.size;
    await putInPlace(path, this.#path);
  }
}

/** A file that has no name of a store's yet. */
export class NewFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly through: number;
  readonly #salt: number;
  readonly #places: number[] = [];
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #written = HEADER_BYTES;

  private constructor(path: string, handle: FileHandle, salt: number, through: number) {
    this.path = path;
    this.handle = handle;
    this.through = through;
    this.#salt = salt;
  }

  static async create(path: string, salt: number, through: number): Promise<NewFile> {
    await unlink(path).catch(() => undefined);
    return new NewFile(path, await open(path, 'wx+', 0o600), salt, through);
  }

  async add(kind: FrameKind, payload: Uint8Array): Promise<void> {
    const at = this.#written + this.#partBytes;
    const bytes = new Uint8Array(FRAME_BYTES + payload.length);
    writeFrame(bytes, 0, at, kind, payload, 0, this.#salt);
    this.#parts.push(bytes);
    this.#partBytes += bytes.length;
    if (kind === 'record') this.#places.push(at);
    if (this.#partBytes > BATCH_BYTES) await this.#write();
  }

  /** Makes durable what was added. */
  async flush(): Promise<void> {
    await this.#write();
    await this.handle.sync();
  }

  /** Writes the header, without which all of it is nothing. */
  async finish(): Promise<FileState> {
    await this.#write();
    const [salt, through, size] = [this.#salt, this.through, this.#written];
    await writeWhole(this.handle, headerBytes({ version: VERSION, salt, through, base: size }), 0);
    await this.handle.sync();
    return { handle: this.handle, salt, base: size, through, places: this.#places, size };
  }

  async #write(): Promise<void> {
    const bytes = new Uint8Array(this.#partBytes);
    let at = 0;
    for (const part of this.#parts.splice(0)) {
      bytes.set(part, at);
      at += part.length;
    }
    this.#partBytes = 0;
    await writeWhole(this.handle, bytes, this.#written);
    this.#written += bytes.length;
  }
}

/** Gives a whole file the name of the store, durably. */
export async function putInPlace(from: string, path: string): Promise<void> {
  await rename(from, path);
  await syncFolderOf(path);
}

async function writeWhole(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  if (bytes.length === 0) return;
  const { bytesWritten } = await handle.write(bytes, 0, bytes.length, at);
  if (bytesWritten !== bytes.length) throw new Error(`only ${bytesWritten} of ${bytes.length} bytes were written`);
}

/** The store can't go on. */
export function failed(path: string, cause: unknown): SubAgentError {
  if (cause instanceof SubAgentError) return cause;
  const why = cause instanceof Error ? cause.message : String(cause);
  return new SubAgentError('store_failed', `the store ${path} failed: ${why}`, { path }, { cause });
}

export function damaged(path: string, byte: number, reason: string): SubAgentError {
  return new SubAgentError('store_damaged', `the store ${path} is damaged at byte ${byte}: ${reason}`, { path, byte, reason });
}
