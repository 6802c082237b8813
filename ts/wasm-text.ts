// Reads the wasm file that stands in the package as text. `scripts/wasm-text.mjs` owns the form: printable
// characters without those in REFUSED, one for each byte in `frequent`; the last two begin pairs, which
// stand for the other bytes in their order.

const REFUSED = '"\'\\`$<';

/** Where in the table the letters after the first, and after the second mark have theirs. */
const AFTER_FIRST = 128;
const AFTER_SECOND = 256;
/** A function that is called often is compiled sooner than a loop that is entered once. */
const PART = 1024;

/** The bytes that a text stands for. */
export function readWasmText(text: string, frequent: string): Uint8Array<ArrayBuffer> {
  const letters: number[] = [];
  for (let letter = 32; letter < 127; letter += 1) if (!REFUSED.includes(String.fromCharCode(letter))) letters.push(letter);
  const second = letters.pop() as number;
  const first = letters.pop() as number;
  const table = tableOf(letters, frequent);
  // Decoded in place: the bytes never overtake their text.
  const bytes = new TextEncoder().encode(text);
  let end = 0;
  let after = 0;
  const decode = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) {
      const letter = bytes[at] as number;
      if (after === 0 && letter >= first) after = letter === second ? AFTER_SECOND : AFTER_FIRST;
      else {
        bytes[end++] = table[after + letter] as number;
        after = 0;
      }
    }
  };
  for (let from = 0; from < bytes.length; from += PART) decode(from, Math.min(from + PART, bytes.length));
  return bytes.subarray(0, end);
}

function tableOf(letters: readonly number[], frequent: string): Uint8Array {
  const table = new Uint8Array(384);
  const isFrequent = new Set<number>();
  letters.forEach((letter, at) => {
    const byte = Number.parseInt(frequent.slice(at * 2, at * 2 + 2), 16);
    table[letter] = byte;
    isFrequent.add(byte);
  });
  for (let byte = 0, pair = 0; byte < 256; byte += 1) {
    if (isFrequent.has(byte)) continue;
    const after = pair < letters.length ? AFTER_FIRST : AFTER_SECOND;
    table[after + (letters[pair % letters.length] as number)] = byte;
    pair += 1;
  }
  return table;
}
