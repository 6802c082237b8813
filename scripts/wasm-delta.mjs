// One module as what changes in another: the module with the journal is the plain one with some kilobytes more, and a
// program that opens a store in a browser has the plain one already. Owns the form; `ts/stores/journal.ts` reads it.
//
// Numbers, seven bits a byte: how long both modules are and the checksum of each, how many steps there are; then, for all
// steps, how many bytes are new, how many after them are copied, and how far the copied ones lie from where the copy before
// would have gone on (twice that; less 1 where it is backwards). Numbers of one kind stand together, and the new bytes at
// the end, so that gzip finds what repeats.

/** A copy from elsewhere costs a place: it has to be longer than that. */
const SHORTEST = 16;
const SHORTEST_NEARBY = 2;
const NEARBY = 64;
/** A copy of so many bytes is taken without looking for a longer one. */
const LONG = 32;
/** How many places are looked at. */
const PLACES = 2_000;

/** The bytes that make `target` of `base`. */
export function wasmDelta(base, target) {
  const places = placesOf(base);
  const steps = [];
  let fresh = [];
  let expected = 0;
  for (let at = 0; at < target.length; ) {
    const nearby = expected + fresh.length;
    let best = { place: nearby, length: same(base, nearby, target, at) };
    const elsewhere = best.length < LONG ? (places.get(wordAt(target, at)) ?? []) : [];
    for (const place of [expected, ...elsewhere.slice(0, PLACES)]) {
      const length = same(base, place, target, at);
      if (length > best.length + 4) best = { place, length };
    }
    const { place, length } = best;
    if (length >= (Math.abs(place - nearby) < NEARBY ? SHORTEST_NEARBY : SHORTEST)) {
      steps.push({ fresh, length, distance: place - nearby });
      at += length;
      expected = place + length;
      fresh = [];
    } else fresh.push(target[at++]);
  }
  steps.push({ fresh, length: 0, distance: 0 });
  const numbers = [
    ...[base.length, checksum(base), target.length, checksum(target), steps.length],
    ...steps.map(({ fresh }) => fresh.length),
    ...steps.map(({ length }) => length),
    ...steps.map(({ distance }) => (distance < 0 ? -2 * distance - 1 : 2 * distance)),
  ];
  return Uint8Array.from([...numbers.flatMap(sevenBits), ...steps.flatMap(({ fresh }) => fresh)]);
}

function placesOf(bytes) {
  const places = new Map();
  for (let at = 0; at + 4 <= bytes.length; at += 1) {
    const word = wordAt(bytes, at);
    const known = places.get(word);
    if (known === undefined) places.set(word, [at]);
    else known.push(at);
  }
  return places;
}

const wordAt = (bytes, at) => bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24);

/** How many bytes are the same from two places on. */
function same(base, place, target, at) {
  let length = 0;
  while (place + length < base.length && at + length < target.length && base[place + length] === target[at + length]) length += 1;
  return length;
}

function sevenBits(number) {
  const bytes = [];
  for (let rest = number; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) + 128);
  }
}

/** FNV-1a in 32 bits: it tells one build from another. */
function checksum(bytes) {
  let sum = 0x811c9dc5;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, 0x01000193);
  return sum >>> 0;
}
