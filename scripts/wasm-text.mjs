// The wasm file as text in JavaScript: one printable character for a frequent byte, two for others. Owns the form;
// `ts/entries/wasm-text.ts` reads it.
//
// The text maps bytes one by one, so that gzip and brotli find repetitions. A compressed bundle is hardly larger than one with
// the file beside it; base64 would add a third. It is plain ASCII, without characters that quotes, templates or a page around
// it would read otherwise: minifiers escape `-->`.

const REFUSED = new Set(['"', "'", '\\', '`', '$', '<', '>']);
const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).filter((letter) => !REFUSED.has(letter));
/** The last two begin a pair. */
const singles = printable.slice(0, -2);
const marks = printable.slice(-2);

/** `{ text, frequent }`: `frequent` names, in hex, the bytes that have a character of their own, in the characters' order. */
export function wasmText(bytes) {
  const counts = new Array(256).fill(0);
  for (const byte of bytes) counts[byte] += 1;
  const byCount = [...counts.keys()].sort((one, other) => counts[other] - counts[one] || one - other);
  const frequent = byCount.slice(0, singles.length).sort((one, other) => one - other);
  const letters = new Array(256);
  frequent.forEach((byte, at) => {
    letters[byte] = singles[at];
  });
  let pair = 0;
  for (let byte = 0; byte < 256; byte += 1) {
    if (letters[byte] !== undefined) continue;
    letters[byte] = marks[Math.floor(pair / singles.length)] + singles[pair % singles.length];
    pair += 1;
  }
  const text = Array.from(bytes, (byte) => letters[byte]).join('');
  return { text, frequent: Buffer.from(frequent).toString('hex') };
}
