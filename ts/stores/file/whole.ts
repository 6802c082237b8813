// Finds the whole part of a store's file: its header, its snapshot and the places of its records, up to a torn tail. Owns the
// error for damage, and its place, also for readers frame by frame. It only reads.

import { damaged, tooNew } from '../failures.js';
import { type FileForm, HEADER_BYTES, type Header, readHeader, VERSION } from './layout.js';
import { type FileBytes, type Frame, peekFrame, readFrame } from './reading.js';

/** The contents of a file. */
export interface Whole extends FileForm {
  readonly base: number;
  /** How many records the snapshot replaces. */
  readonly through: number;
  /** Where each record after them begins. */
  readonly places: number[];
  /** How many bytes are whole. */
  readonly size: number;
  /** How many bytes after those are torn. */
  readonly cut: number;
  readonly snapshot?: Uint8Array;
}

/** Reads a whole file. `name` is its name in errors. */
export async function readWhole(file: FileBytes, name: string): Promise<Whole> {
  const header = await headerOf(file, name);
  const places: number[] = [];
  let snapshot: Uint8Array | undefined;
  let at = HEADER_BYTES;
  while (at < file.size) {
    const frame = peekFrame(file, at, header) ?? (await frameAt(file, at, header, name));
    if (frame === undefined) break;
    if (frame.kind === 'record') places.push(at);
    else if (at === HEADER_BYTES) snapshot = frame.payload;
    else throw amongRecords(name, at);
    at = frame.end;
  }
  return { ...header, places, size: at, cut: file.size - at, ...(snapshot && { snapshot }) };
}

/** The header of a file; throws if it can't be one of a store. */
export async function headerOf(file: FileBytes, name: string): Promise<Header> {
  const header = readHeader(await file.read(0, HEADER_BYTES));
  if (typeof header === 'string') throw damagedAt(name, 0, header);
  const { version, base } = header;
  if (version > VERSION) throw tooNew(name, version, VERSION);
  if (file.size < base) throw damagedAt(name, file.size, `it ends there, and was ${base} bytes long`);
  return header;
}

/** The frame at a place; none if the file is torn there. */
export async function frameAt(file: FileBytes, at: number, header: Header, name: string): Promise<Frame | undefined> {
  const frame = await readFrame(file, at, header);
  if ('payload' in frame) return frame;
  if (!frame.isTorn) throw damagedAt(name, frame.at, frame.reason);
  return undefined;
}

/** The records at the places of `whole`. */
export async function* recordsOf(file: FileBytes, whole: Whole, name: string): AsyncGenerator<Uint8Array> {
  for (const at of whole.places) {
    const frame = peekFrame(file, at, whole) ?? (await readFrame(file, at, whole));
    if (!('payload' in frame)) throw damagedAt(name, frame.at, frame.reason);
    yield frame.payload;
  }
}

export function damagedAt(name: string, byte: number, reason: string): Error {
  return damaged(name, { byte }, `byte ${byte}`, reason);
}

/** The error for a snapshot that isn't first. */
export function amongRecords(name: string, byte: number): Error {
  return damagedAt(name, byte, 'a snapshot stands among the records');
}
