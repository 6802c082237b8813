// The form of a store's file: a header, at most one snapshot, then records, a frame each. Owns the bytes, which are read
// for ever; reading and writing them is for others.

import { crc32c } from '../checksum.js';

/**
 * The header, little endian: a mark (8), the version of the form (4), a salt (4), how many records the snapshot stands
 * for (8), how long the file was when it was put in its place (8), the CRC-32C of those 32 bytes (4). These bytes mean
 * the same in every version.
 */
export const HEADER_BYTES = 36;
/** The version that is written; this one and those before it are read. */
export const VERSION = 1;
/** No text, and not what a transfer that changes the ends of lines leaves of it. */
const MARK = [0x89, 0x53, 0x55, 0x42, 0x0d, 0x0a, 0x1a, 0x0a];

export interface Header {
  readonly version: number;
  /** Random, and part of every checksum: a frame that was copied out of another file, or lies in a record, is none of this file. */
  readonly salt: number;
  readonly through: number;
  /** So many bytes were durable before the file had its name: what is broken in them was not torn by a crash. */
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
  view.setUint32(32, crc32c(bytes.subarray(0, 32)), true);
  return bytes;
}

/** The header in the first bytes of a file, or what is wrong with them. */
export function readHeader(bytes: Uint8Array): Header | string {
  if (bytes.length < HEADER_BYTES) return `it ends after ${bytes.length} bytes, within its header`;
  if (MARK.some((byte, at) => bytes[at] !== byte)) return 'it is not the file of a store';
  const view = viewOf(bytes);
  if (view.getUint32(32, true) !== crc32c(bytes.subarray(0, 32))) return 'the checksum of its header is another one';
  return {
    version: view.getUint32(8, true),
    salt: view.getUint32(12, true),
    through: Number(view.getBigUint64(16, true)),
    base: Number(view.getBigUint64(24, true)),
  };
}

/**
 * The head of a frame, little endian: what it holds (4), the length of the payload (4), how far behind this frame the
 * file was durable when it was written (4), the CRC-32C of the payload (4), the CRC-32C of those 16 bytes with the salt
 * and the place of the frame (4). Behind the payload stands one byte that is not 0.
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

/** Writes a frame of a payload into bytes, which are to stand at `place` in the file; returns where it ends in them. */
export function writeFrame(
  into: Uint8Array,
  at: number,
  place: number,
  kind: FrameKind,
  payload: Uint8Array,
  behind: number,
  salt: number,
): number {
  const view = viewOf(into);
  view.setUint32(at, KINDS[kind], true);
  view.setUint32(at + 4, payload.length, true);
  view.setUint32(at + 8, behind, true);
  view.setUint32(at + 12, crc32c(payload), true);
  view.setUint32(at + 16, headChecksum(into.subarray(at, at + 16), place, salt), true);
  into.set(payload, at + FRAME_HEAD_BYTES);
  into[at + FRAME_HEAD_BYTES + payload.length] = END_MARK;
  return at + FRAME_BYTES + payload.length;
}

/** The head of a frame, where these bytes are one that stands at this place. */
export function readFrameHead(bytes: Uint8Array, place: number, salt: number): FrameHead | undefined {
  if (bytes.length < FRAME_HEAD_BYTES) return undefined;
  const view = viewOf(bytes);
  const first = view.getUint32(0, true);
  const kind = first === KINDS.record ? 'record' : first === KINDS.snapshot ? 'snapshot' : undefined;
  if (kind === undefined || view.getUint32(16, true) !== headChecksum(bytes.subarray(0, 16), place, salt)) return undefined;
  return { kind, length: view.getUint32(4, true), behind: view.getUint32(8, true), checksum: view.getUint32(12, true) };
}

/** Whether the bytes behind a head are its payload, whole, with the byte that ends the frame. */
export function isPayload({ length, checksum }: FrameHead, bytes: Uint8Array): boolean {
  return bytes.length === length + 1 && bytes[length] === END_MARK && crc32c(bytes.subarray(0, length)) === checksum;
}

/** The first byte of every frame. */
export const FIRST_BYTES = Object.values(KINDS).map((kind) => kind & 0xff);

const seed = new Uint8Array(12);

function headChecksum(head: Uint8Array, place: number, salt: number): number {
  const view = viewOf(seed);
  view.setUint32(0, salt, true);
  view.setBigUint64(4, BigInt(place), true);
  return crc32c(head, crc32c(seed));
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
