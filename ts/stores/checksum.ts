// The checksum of records and files, XXH32. It finds every change within four bytes that begin at a multiple of four,
// and misses one in four thousand million of all others.

const P1 = 0x9e37_79b1 | 0;
const P2 = 0x85eb_ca77 | 0;
const P3 = 0xc2b2_ae3d | 0;
const P4 = 0x27d4_eb2f;
const P5 = 0x1656_67b1;
/** Bytes are copied here, a block at a time. Engines know its address and length, so they need no check at each access. */
const block = new Uint8Array(1 << 12);
const words = new Int32Array(block.buffer);
const lanes = new Int32Array(4);
const TURNS = [1, 7, 12, 18];
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Computes the checksum of bytes from a seed. For fewer than 16 bytes, another seed always gives another checksum. */
export function xxh32(bytes: Uint8Array, seed = 0): number {
  const whole = bytes.length & ~15;
  let sum = (seed + P5) | 0;
  if (whole > 0) {
    lanes[0] = seed + P1 + P2;
    lanes[1] = seed + P2;
    lanes[2] = seed;
    lanes[3] = seed - P1;
    for (let at = 0; at < whole; at += block.length) {
      const taken = Math.min(block.length, whole - at);
      take(bytes.subarray(at, at + taken));
      mixIn(taken >> 2);
    }
    sum = 0;
    for (let lane = 0; lane < 4; lane += 1) sum += rotated(lanes[lane] as number, TURNS[lane] as number);
  }
  const rest = bytes.length - whole;
  take(bytes.subarray(whole));
  sum = (sum + bytes.length) | 0;
  let at = 0;
  for (; at < rest >> 2; at += 1) sum = Math.imul(rotated((sum + Math.imul(words[at] as number, P3)) | 0, 17), P4);
  for (at *= 4; at < rest; at += 1) sum = Math.imul(rotated((sum + Math.imul(block[at] as number, P5)) | 0, 11), P1);
  sum = Math.imul(sum ^ (sum >>> 15), P2);
  sum = Math.imul(sum ^ (sum >>> 13), P3);
  return (sum ^ (sum >>> 16)) >>> 0;
}

/** Copies bytes into the block; their words are little endian. */
function take(bytes: Uint8Array): void {
  block.set(bytes);
  if (IS_LITTLE_ENDIAN) return;
  const view = new DataView(block.buffer);
  for (let at = 0; at < bytes.length >> 2; at += 1) words[at] = view.getInt32(4 * at, true);
}

/**
 * Mixes this many words of the block into the lanes. Short, and without calls: engines then keep all of it in registers, as
 * whole numbers of 32 bits.
 */
function mixIn(count: number): void {
  let a = lanes[0] as number;
  let b = lanes[1] as number;
  let c = lanes[2] as number;
  let d = lanes[3] as number;
  for (let at = 0; at < count; at = (at + 4) | 0) {
    a = (a + Math.imul(words[at & 1023] as number, P2)) | 0;
    a = Math.imul((a << 13) | (a >>> 19), P1);
    b = (b + Math.imul(words[(at + 1) & 1023] as number, P2)) | 0;
    b = Math.imul((b << 13) | (b >>> 19), P1);
    c = (c + Math.imul(words[(at + 2) & 1023] as number, P2)) | 0;
    c = Math.imul((c << 13) | (c >>> 19), P1);
    d = (d + Math.imul(words[(at + 3) & 1023] as number, P2)) | 0;
    d = Math.imul((d << 13) | (d >>> 19), P1);
  }
  lanes[0] = a;
  lanes[1] = b;
  lanes[2] = c;
  lanes[3] = d;
}

function rotated(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
