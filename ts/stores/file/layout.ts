// The form of a store's file: a header, at most one snapshot, then records, a frame each. Owns the bytes, which stay readable
// for ever; other files read and write them.

import { counted } from '../../base/text.js';
import { xxh32 } from '../checksum.js';

/**
 * The header, little endian, with the bytes of each field. A mark (8), the version of the form (4), a salt (4), the records
 * that the snapshot replaces (8). Then the length of the file when it got its name (8), and the XXH32 of those 32 bytes (4).
 * These bytes mean the same in every version.
 */
export const HEADER_BYTES = 36;
/** The version that is written; this one and those before it are read, and continued until they are compacted. */
export const VERSION = 1;
/** No text, and broken by a transfer that changes the ends of lines. */
const MARK = [0x89, 0x53, 0x55, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];

/** The values that a file's frames depend on. */
export interface FileForm {
  readonly version: number;
  /** Random, and part of every checksum: a frame from another file, or within a record, is no frame of this file. */
  readonly salt: number;
}

export interface Header extends FileForm {
  readonly through: number;
  /** This many bytes were durable before the file had its name: no crash can have torn them. */
  readonly base: number;
}

export function headerBytes({ version, salt, through, base }: Header): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES);
  bytes.set(MARK);
  const view = new DataView(bytes.buffer);
  view.setUint32(8, version, true);
  view.setUint32(12, salt, true);
  view.setBigUint64(16, BigInt(through), true);
  view.setBigUint64(24, BigInt(base), true);
  view.setUint32(32, xxh32(bytes.subarray(0, 32)), true);
  return bytes;
}

const NO_STORE = 'it is not the file of a store: leave it as it is, and give another path';

/** Reads the header in the first bytes of a file; returns a text if it is wrong. */
export function readHeader(bytes: Uint8Array): Header | string {
  // A file that is shorter than the mark is compared up to its end.
  if (MARK.some((byte, at) => at < bytes.length && bytes[at] !== byte)) return NO_STORE;
  if (bytes.length < HEADER_BYTES) return `it ends after ${counted(bytes.length, 'byte')}, within its header`;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(32, true) !== xxh32(bytes.subarray(0, 32))) return 'the checksum of its header is another one';
  return {
    version: view.getUint32(8, true),
    salt: view.getUint32(12, true),
    through: Number(view.getBigUint64(16, true)),
    base: Number(view.getBigUint64(24, true)),
  };
}

/**
 * The head of a frame, little endian, with the bytes of each field. Its kind (4), the length of the payload (4). Then the
 * distance from this frame back to the end of the durable part when it was written (4). Then the checksum of the payload (4),
 * and that of those 16 bytes with the salt and the place of the frame (4). One byte that is not 0 follows the payload.
 */
export const FRAME_HEAD_BYTES = 20;
export const FRAME_BYTES = FRAME_HEAD_BYTES + 1;
const END_MARK = 0x5a;

/** The first bytes of a frame. None is 0, nor 0 with one bit changed: a block that never reached the disk reads as zeros. */
const KINDS = { record: 0xc3a5_7252, snapshot: 0xc3a5_7353 } as const;
export type FrameKind = keyof typeof KINDS;

export interface FrameHead {
  readonly kind: FrameKind;
  readonly length: number;
  readonly behind: number;
  readonly checksum: number;
}

/** Writes a frame of a payload into bytes for `place` in the file. Returns its end in them. */
export function writeFrame(
  into: Uint8Array,
  at: number,
  place: number,
  kind: FrameKind,
  payload: Uint8Array,
  behind: number,
  { salt }: FileForm,
): number {
  put(into, at, KINDS[kind]);
  put(into, at + 4, payload.length);
  put(into, at + 8, behind);
  put(into, at + 12, xxh32(payload));
  put(into, at + 16, headChecksum(into.subarray(at, at + 16), place, salt));
  into.set(payload, at + FRAME_HEAD_BYTES);
  into[at + FRAME_HEAD_BYTES + payload.length] = END_MARK;
  return at + FRAME_BYTES + payload.length;
}

/** The head of a frame, if these bytes are one for this place. */
export function readFrameHead(bytes: Uint8Array, place: number, { salt }: FileForm): FrameHead | undefined {
  if (bytes.length < FRAME_HEAD_BYTES) return undefined;
  const first = get(bytes, 0);
  const kind = first === KINDS.record ? 'record' : first === KINDS.snapshot ? 'snapshot' : undefined;
  if (kind === undefined || get(bytes, 16) !== headChecksum(bytes.subarray(0, 16), place, salt)) return undefined;
  return { kind, length: get(bytes, 4), behind: get(bytes, 8), checksum: get(bytes, 12) };
}

/** Whether the bytes after a head are its whole payload and the byte that ends the frame. */
export function isPayload({ length, checksum }: FrameHead, bytes: Uint8Array): boolean {
  return bytes.length === length + 1 && bytes[length] === END_MARK && xxh32(bytes.subarray(0, length)) === checksum;
}

/** The first byte of every frame. */
export const FIRST_BYTES = Object.values(KINDS).map((kind) => kind & 0xff);

const seed = new Uint8Array(12);

function headChecksum(head: Uint8Array, place: number, salt: number): number {
  put(seed, 0, salt);
  put(seed, 4, place);
  put(seed, 8, Math.floor(place / 2 ** 32));
  return xxh32(seed, xxh32(head));
}

/** Writes the lowest 32 bits of a number, little endian. By hand: a `DataView` for each frame costs more than its checksum. */
function put(into: Uint8Array, at: number, value: number): void {
  into[at] = value;
  into[at + 1] = value >>> 8;
  into[at + 2] = value >>> 16;
  into[at + 3] = value >>> 24;
}

function get(bytes: Uint8Array, at: number): number {
  const byte = (index: number): number => bytes[at + index] as number;
  return (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24)) >>> 0;
}
