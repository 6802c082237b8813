// Decodes task ids without a core, for results that outlive their manager. Owns the digits and the cipher of
// `src/base/id.rs` in TypeScript.

const ROUNDS = 32n;

const low64 = (number: bigint): bigint => BigInt.asUintN(64, number);
const rotated = (number: bigint, left: bigint): bigint => low64((number << left) | (number >> (64n - left)));

function mix(x: bigint, y: bigint, key: bigint): [bigint, bigint] {
  const mixed = low64(rotated(x, 56n) + y) ^ key;
  return [mixed, rotated(y, 3n) ^ mixed];
}

/**
 * The id of the task with this index and generation.
 *
 * @param idKey the two halves of the manager's key, its salt, and the place and the salt of each task with another salt
 */
export function taskIdOf(idKey: BigUint64Array, index: number, generation: number): string {
  let [schedule = 0n, key = 0n, salt = 0n] = idKey;
  const place = (BigInt(generation) << 32n) | BigInt(index);
  for (let at = 3; at < idKey.length; at += 2) if (idKey[at] === place) salt = idKey[at + 1] as bigint;
  let [x, y] = [salt, place];
  for (let round = 0n; round < ROUNDS; round += 1n) {
    [x, y] = mix(x, y, key);
    [schedule, key] = mix(schedule, key, round);
  }
  return `sub_${[x, y].map((half) => half.toString(16).padStart(16, '0')).join('')}`;
}

/** The id made of four numbers, of eight digits each. */
export function madeId(a: number, b: number, c: number, d: number): string {
  // For every number, the digits in the odd places and those in the even places, four at once.
  const [a1, a2, b1, b2] = [digits(a >>> 4), digits(a), digits(b >>> 4), digits(b)];
  const [c1, c2, d1, d2] = [digits(c >>> 4), digits(c), digits(d >>> 4), digits(d)];
  // biome-ignore format: a line for each number
  return String.fromCharCode(
    115, 117, 98, 95,
    a1 >>> 24, a2 >>> 24, (a1 >>> 16) & 255, (a2 >>> 16) & 255, (a1 >>> 8) & 255, (a2 >>> 8) & 255, a1 & 255, a2 & 255,
    b1 >>> 24, b2 >>> 24, (b1 >>> 16) & 255, (b2 >>> 16) & 255, (b1 >>> 8) & 255, (b2 >>> 8) & 255, b1 & 255, b2 & 255,
    c1 >>> 24, c2 >>> 24, (c1 >>> 16) & 255, (c2 >>> 16) & 255, (c1 >>> 8) & 255, (c2 >>> 8) & 255, c1 & 255, c2 & 255,
    d1 >>> 24, d2 >>> 24, (d1 >>> 16) & 255, (d2 >>> 16) & 255, (d1 >>> 8) & 255, (d2 >>> 8) & 255, d1 & 255, d2 & 255,
  );
}

/** The codes of four hexadecimal digits, given in the lower halves of the bytes. Letters are 39 places after the digits. */
function digits(bits: number): number {
  const values = bits & 0x0f0f0f0f;
  return values + 0x30303030 + (((values + 0x06060606) >>> 4) & 0x01010101) * 39;
}
