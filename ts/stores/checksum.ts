// CRC-32C, the checksum of records: it finds every change of up to three bits, and every burst of up to 32.

const POLYNOMIAL = 0x82f6_3b78;

/** For eight bytes at a time, 256 entries each: what a byte comes to that so many others follow. */
let tables: Uint32Array | undefined;

function makeTables(): Uint32Array {
  const made = new Uint32Array(8 * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ ((remainder & 1) * POLYNOMIAL);
    made[byte] = remainder;
  }
  for (let at = 256; at < made.length; at += 1) {
    const before = made[at - 256] as number;
    made[at] = (before >>> 8) ^ (made[before & 255] as number);
  }
  return made;
}

/** The checksum of bytes, or of what `before` is the checksum of with these bytes behind it. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  tables ??= makeTables();
  const table = tables;
  const byte = (at: number): number => bytes[at] as number;
  const of = (others: number, value: number): number => table[256 * others + value] as number;
  let remainder = ~before;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    remainder ^= byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24);
    const first = of(7, remainder & 255) ^ of(6, (remainder >>> 8) & 255) ^ of(5, (remainder >>> 16) & 255) ^ of(4, remainder >>> 24);
    remainder = first ^ of(3, byte(at + 4)) ^ of(2, byte(at + 5)) ^ of(1, byte(at + 6)) ^ of(0, byte(at + 7));
  }
  for (; at < bytes.length; at += 1) remainder = (remainder >>> 8) ^ of(0, (remainder ^ byte(at)) & 255);
  return ~remainder >>> 0;
}
