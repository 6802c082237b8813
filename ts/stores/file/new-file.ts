// A new file of a store: filled under another name, and renamed once it is whole and durable. Owns how it is filled.

import { type FileHandle, open, unlink } from 'node:fs/promises';
import { BATCH_BYTES } from '../queued.js';
import { type FileForm, FRAME_BYTES, type FrameKind, HEADER_BYTES, headerBytes, VERSION, writeFrame } from './layout.js';

/** The known contents of an open file. */
export interface FileState extends FileForm {
  readonly handle: FileHandle;
  readonly base: number;
  /** How many records the snapshot replaces. */
  readonly through: number;
  /** Where each record after them begins. */
  readonly places: number[];
  readonly size: number;
}

export class NewFile {
  readonly path: string;
  readonly handle: FileHandle;
  readonly through: number;
  readonly #form: FileForm;
  readonly #places: number[] = [];
  #parts: Uint8Array[] = [];
  #partBytes = 0;
  #written = HEADER_BYTES;

  private constructor(path: string, handle: FileHandle, salt: number, through: number) {
    this.path = path;
    this.handle = handle;
    this.through = through;
    this.#form = { version: VERSION, salt };
  }

  static async create(path: string, salt: number, through: number): Promise<NewFile> {
    // A killed process may have left one.
    await unlink(path).catch(() => undefined);
    return new NewFile(path, await open(path, 'wx+', 0o600), salt, through);
  }

  async add(kind: FrameKind, payload: Uint8Array): Promise<void> {
    const at = this.#written + this.#partBytes;
    const bytes = new Uint8Array(FRAME_BYTES + payload.length);
    writeFrame(bytes, 0, at, kind, payload, 0, this.#form);
    this.#parts.push(bytes);
    this.#partBytes += bytes.length;
    if (kind === 'record') this.#places.push(at);
    if (this.#partBytes > BATCH_BYTES) await this.#write();
  }

  /** Makes the added frames durable. */
  async flush(): Promise<void> {
    await this.#write();
    await this.handle.sync();
  }

  /** Writes the header, which makes the file valid. */
  async finish(): Promise<FileState> {
    await this.#write();
    const header = { ...this.#form, through: this.through, base: this.#written };
    await writeWhole(this.handle, headerBytes(header), 0);
    await this.handle.sync();
    return { ...header, handle: this.handle, places: this.#places, size: this.#written };
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

export async function writeWhole(handle: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, written, bytes.length - written, at + written);
    // A short write may have met a full disk: the next one reports that.
    if (bytesWritten === 0) throw new Error(`only ${written} of ${bytes.length} bytes were written`);
    written += bytesWritten;
  }
}
