// The ids of tasks as the core makes them (`src/base/id.rs`), for what outlives its manager: a result can still say whose
// it is. Owns the cipher's other half; while there is a core, that is asked.

const ROUNDS = 32n;

const low64 = (number: bigint): bigint => BigInt.asUintN(64, number);
const rotated = (number: bigint, left: bigint): bigint => low64((number << left) | (number >> (64n - left)));

function mix(x: bigint, y: bigint, key: bigint): [bigint, bigint] {
  const mixed = low64(rotated(x, 56n) + y) ^ key;
  return [mixed, rotated(y, 3n) ^ mixed];
}

/**
 * The id of the task at a place.
 *
 * @param idKey the two halves of the manager's key, its salt, and the place and the salt of each task that has another one
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
