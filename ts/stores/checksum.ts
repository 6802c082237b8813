// CRC-32C, the checksum of records: it finds every change of up to three bits, and every burst of up to 32.

const POLYNOMIAL = 0x82f6_3b78;

let table: Uint32Array | undefined;

function makeTable(): Uint32Array {
  const made = new Uint32Array(256);
  for (let byte = 0; byte < 256; byte += 1) {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit += 1) remainder = (remainder >>> 1) ^ ((remainder & 1) * POLYNOMIAL);
    made[byte] = remainder;
  }
  return made;
}

/** The checksum of bytes, or of what `before` is the checksum of with these bytes behind it. */
export function crc32c(bytes: Uint8Array, before = 0): number {
  table ??= makeTable();
  let remainder = ~before;
  for (let at = 0; at < bytes.length; at += 1) {
    remainder = (remainder >>> 8) ^ (table[(remainder ^ (bytes[at] as number)) & 255] as number);
  }
  return ~remainder >>> 0;
}
