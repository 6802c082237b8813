// Reads a store's file that a manager may have open: record by record, up to the first that isn't whole. A later read continues
// with newer records. Owns that nothing is written. If a compaction replaces the file, it continues in the new one, and refuses
// another store's.

import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SubAgentError } from '../../base/error-class.js';
import { counted } from '../../base/text.js';
import { changedMeanwhile, compactedMeanwhile } from '../failures.js';
import { type Medium, toBeRead } from '../queued.js';
import type { StoreContents } from '../store.js';
import { HEADER_BYTES, type Header } from './layout.js';
import { FileBytes, type Frame, peekFrame } from './reading.js';
import { amongRecords, damagedAt, frameAt, headerOf } from './whole.js';

/** Refuses the path of a folder. */
export async function expectNoFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true)
    throw new Error(`it is a folder: give the path of a file in it, such as ${join(path, 'agents.journal')}`);
}

/** Opens the file of a store to read it. */
export async function lookAt(name: string, path: string): Promise<Medium> {
  await expectNoFolder(path);
  const look = new Look(name, path);
  return toBeRead(name, await look.open(), () => look.close());
}

class Look {
  readonly #name: string;
  readonly #path: string;
  #handle: FileHandle | undefined;
  #inode = 0;
  /** Undefined while the file is empty. */
  #header: Header | undefined;
  /** The place of the next frame, and the number of the record before it. */
  #at = 0;
  #number = 0;
  #cut = 0;

  constructor(name: string, path: string) {
    this.#name = name;
    this.#path = path;
  }

  async open(): Promise<StoreContents> {
    try {
      const snapshot = await this.#begin();
      const look = this;
      return {
        through: this.#number,
        records: this.#records(),
        later: () => this.#records(),
        ...(snapshot && { snapshot }),
        // Known once the last record has been read.
        get cut() {
          return look.#cut;
        },
      };
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** Opens the file that has the name now, and returns its snapshot. */
  async #begin(): Promise<Uint8Array | undefined> {
    this.#handle = await open(this.#path, 'r');
    const stats = await this.#handle.stat();
    if (!stats.isFile()) throw damagedAt(this.#name, 0, 'it is not a file');
    this.#inode = stats.ino;
    const file = new FileBytes(this.#handle, stats.size);
    this.#header = undefined;
    this.#at = 0;
    this.#number = 0;
    const first = await this.#frame(file);
    if (first?.kind !== 'snapshot') return undefined;
    this.#at = first.end;
    return first.payload;
  }

  /** The frame after the last one; undefined if the file ends there, or is torn. */
  async #frame(file: FileBytes): Promise<Frame | undefined> {
    if (file.size === this.#at) return undefined;
    if (this.#header === undefined) {
      this.#header = await headerOf(file, this.#name);
      this.#at = HEADER_BYTES;
      this.#number = this.#header.through;
      return this.#frame(file);
    }
    return peekFrame(file, this.#at, this.#header) ?? frameAt(file, this.#at, this.#header, this.#name);
  }

  /** The records after the last one that was read. */
  async *#records(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const handle = this.#handle;
      if (handle === undefined) throw new SubAgentError('store_failed', `${this.#name} is not open`, { store: this.#name });
      // Checked first: once another file has the name, this one gets nothing more.
      const isReplaced = (await stat(this.#path).catch(() => undefined))?.ino !== this.#inode;
      const { size } = await handle.stat();
      if (size < this.#at)
        throw changedMeanwhile(this.#name, `was cut to ${counted(size, 'byte')} after it was read up to byte ${this.#at}`);
      const file = new FileBytes(handle, size);
      for (let frame = await this.#frame(file); frame !== undefined; frame = await this.#frame(file)) {
        if (frame.kind === 'snapshot') throw amongRecords(this.#name, frame.at);
        this.#at = frame.end;
        this.#number += 1;
        yield frame.payload;
      }
      this.#cut = file.size - this.#at;
      if (!isReplaced || !(await this.#follow())) return;
    }
  }

  /** Continues in the file that has the name now; `false` if there is none. */
  async #follow(): Promise<boolean> {
    const number = this.#number;
    const salt = this.#header?.salt;
    const old = this.#handle;
    try {
      await this.#begin();
    } catch (error) {
      // During a replacement, no file may have the name.
      if ((error as { code?: unknown }).code === 'ENOENT') return false;
      throw error;
    } finally {
      if (this.#handle !== old) await old?.close();
    }
    // A compaction keeps the salt; an empty file had none.
    if (salt !== undefined && this.#header?.salt !== salt) throw changedMeanwhile(this.#name, 'was replaced by the file of another store');
    if (this.#number > number) throw compactedMeanwhile(this.#name, number + 1, this.#number);
    const file = new FileBytes(this.#handle as FileHandle, (await (this.#handle as FileHandle).stat()).size);
    for (; this.#number < number; this.#number += 1) {
      const frame = await this.#frame(file);
      if (frame === undefined)
        throw changedMeanwhile(this.#name, `was replaced by an earlier state of it, which ends before record ${this.#number + 1}`);
      this.#at = frame.end;
    }
    return true;
  }
}
