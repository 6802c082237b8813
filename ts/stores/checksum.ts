// CRC-32C, the checksum of records: it finds every change of up to three bits, and every burst of up to 32.

const POLYNOMIAL = 0x82f6_3b78;

/** For eight bytes at a time, 256 entries each: what a byte comes to that so many others follow. */
let tables: Int32Array | undefined;

function makeTables(): Int32Array {
  const made = new Int32Array(8 * 256);
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
  // The entry of a value that so many bytes follow. All stay whole numbers of 32 bits, which engines don't have to box.
  const of = (others: number, value: number): number => table[(others << 8) | (value & 255)] as number;
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let remainder = ~before;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    const first = remainder ^ words.getInt32(at, true);
    const next = words.getInt32(at + 4, true);
    remainder = of(7, first) ^ of(6, first >>> 8) ^ of(5, first >>> 16) ^ of(4, first >>> 24);
    remainder ^= of(3, next) ^ of(2, next >>> 8) ^ of(1, next >>> 16) ^ of(0, next >>> 24);
  }
  for (; at < bytes.length; at += 1) remainder = (remainder >>> 8) ^ of(0, remainder ^ (bytes[at] as number));
  return ~remainder >>> 0;
}
