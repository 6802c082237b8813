// Reads a store's file frame by frame. Owns the decision whether the first frame that isn't whole is damage or a torn tail. A
// crash leaves a torn tail, which has nothing that was acknowledged.
//
// A crash during a write leaves a file that ends within a frame, or that has zeros for blocks that never reached the disk. All
// of it is after the durable part. Everything else is damage: other content, or a break in the durable part. Durable is the
// part before the place that a later frame names, and the part from before the file had its name.

import {
  FIRST_BYTES,
  type FileForm,
  FRAME_BYTES,
  FRAME_HEAD_BYTES,
  type FrameHead,
  type FrameKind,
  isPayload,
  readFrameHead,
} from './layout.js';

const WINDOW_BYTES = 1 << 20;
/** The smallest piece that a disk writes whole or not at all. */
const SECTOR_BYTES = 512;

/** A frame that is whole. */
export interface Frame {
  readonly kind: FrameKind;
  readonly at: number;
  readonly end: number;
  readonly payload: Uint8Array;
}

/** The first place without a whole frame. */
export interface Broken {
  readonly at: number;
  readonly reason: string;
  /** Whether a crash explains it, so that it may be cut. */
  readonly isTorn: boolean;
}

/** The source of bytes: an open file, or a page's part of one. */
export interface Readable {
  read(into: Uint8Array, offset: number, length: number, at: number): Promise<{ readonly bytesRead: number }>;
}

/** The bytes of a file up to a size, read a window at a time. */
export class FileBytes {
  readonly size: number;
  readonly #handle: Readable;
  #window = new Uint8Array(0);
  #start = 0;

  constructor(handle: Readable, size: number) {
    this.#handle = handle;
    this.size = size;
  }

  /** This many bytes from a place on, if they are in memory. */
  peek(at: number, length: number): Uint8Array | undefined {
    const start = at - this.#start;
    return start >= 0 && start + length <= this.#window.length ? this.#window.subarray(start, start + length) : undefined;
  }

  /** This many bytes from a place on, or fewer at the end. They never change: each window is a new one. */
  async read(at: number, length: number): Promise<Uint8Array> {
    const wanted = Math.max(0, Math.min(length, this.size - at));
    if (at < this.#start || at + wanted > this.#start + this.#window.length) {
      const window = new Uint8Array(Math.min(Math.max(wanted, WINDOW_BYTES), this.size - at));
      let filled = 0;
      while (filled < window.length) {
        const { bytesRead } = await this.#handle.read(window, filled, window.length - filled, at + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      this.#window = window.subarray(0, filled);
      this.#start = at;
    }
    return this.#window.subarray(at - this.#start, at - this.#start + wanted);
  }
}

/** The frame at a place, if it is in memory and whole. Most are, and then nothing has to wait. */
export function peekFrame(file: FileBytes, at: number, form: FileForm): Frame | undefined {
  const bytes = file.peek(at, FRAME_HEAD_BYTES);
  const head = bytes && readFrameHead(bytes, at, form);
  const body = head && file.peek(at + FRAME_HEAD_BYTES, head.length + 1);
  return body && isPayload(head, body) ? frameOf(head, at, body) : undefined;
}

/** The frame at a place, or the mistake there. */
export async function readFrame(file: FileBytes, at: number, form: FileForm & { readonly base: number }): Promise<Frame | Broken> {
  const bytes = await file.read(at, FRAME_HEAD_BYTES);
  if (bytes.length < FRAME_HEAD_BYTES) return broken(file, at, file.size, form, 'the file ends within a frame', true);
  const head = readFrameHead(bytes, at, form);
  if (head === undefined) return broken(file, at, at + FRAME_HEAD_BYTES, form, 'the head of a frame has another checksum');
  const end = at + FRAME_BYTES + head.length;
  if (end > file.size) return broken(file, at, file.size, form, 'the file ends within a frame', true);
  const body = await file.read(at + FRAME_HEAD_BYTES, head.length + 1);
  if (!isPayload(head, body)) return broken(file, at, end, form, 'the content of a frame has another checksum');
  return frameOf(head, at, body);
}

function frameOf({ kind, length }: FrameHead, at: number, body: Uint8Array): Frame {
  return { kind, at, end: at + FRAME_BYTES + length, payload: body.subarray(0, length) };
}

async function broken(
  file: FileBytes,
  at: number,
  end: number,
  form: FileForm & { readonly base: number },
  reason: string,
  isShort = false,
): Promise<Broken> {
  const isTorn = at >= form.base && (isShort || (await hasLostSector(file, at, end))) && !(await wasDurable(file, at, form));
  return { at, reason, isTorn };
}

/** Whether a sector of the disk that begins before `end` reads as zeros; the first one counts from `at` on. */
async function hasLostSector(file: FileBytes, at: number, end: number): Promise<boolean> {
  for (let start = at; start < end; ) {
    const next = Math.min((Math.floor(start / SECTOR_BYTES) + 1) * SECTOR_BYTES, file.size);
    if ((await file.read(start, next - start)).every((byte) => byte === 0)) return true;
    start = next;
  }
  return false;
}

/** Whether a later frame says that this place was durable before that frame was written. */
async function wasDurable(file: FileBytes, broken: number, form: FileForm): Promise<boolean> {
  for (let start = broken + 1; start + FRAME_HEAD_BYTES <= file.size; ) {
    const bytes = await file.read(start, WINDOW_BYTES);
    const last = bytes.length - FRAME_HEAD_BYTES;
    for (let at = 0; at <= last; at += 1) {
      if (!FIRST_BYTES.includes(bytes[at] as number)) continue;
      const head = readFrameHead(bytes.subarray(at, at + FRAME_HEAD_BYTES), start + at, form);
      if (head !== undefined && start + at - head.behind > broken) return true;
    }
    start += last + 1;
  }
  return false;
}
