// Reads the wasm file that is text in the package. `scripts/wasm-text.mjs` owns the form: printable characters except
// those in REFUSED, one for each byte in `frequent`. The last two start pairs, which stand for the other bytes in
// their order.

const REFUSED = '"\'\\`$<>';

/** Offsets in the table for the letters after the first mark, and after the second. */
const AFTER_FIRST = 128;
const AFTER_SECOND = 256;
/** The offset of the text in the reader's memory, after the table. */
const TEXT_AT = 384;
const PAGE = 65_536;

/** `wasm-text.wat`, assembled. */
const READER =
  '0061736d0100000001070160027f7f017f030201000503010001071102066d656d6f72790200047265616400000a56015401037f20002102' +
  '0340200020014645044020002d00002103200041016a21002004200341fd004972047f2002200320046a2d00003a0000200241016a210241' +
  '0005200341fc006b4107740b21040c010b0b20020b';

interface Reader {
  memory: WebAssembly.Memory;
  read(at: number, end: number): number;
}

/** Decodes a text into its bytes. */
export function readWasmText(text: string, frequent: string): Uint8Array<ArrayBuffer> {
  const letters: number[] = [];
  for (let letter = 32; letter < 127; letter += 1) if (!REFUSED.includes(String.fromCharCode(letter))) letters.push(letter);
  const { memory, read } = new WebAssembly.Instance(new WebAssembly.Module(bytesOf(READER))).exports as unknown as Reader;
  memory.grow(Math.ceil((TEXT_AT + text.length) / PAGE));
  const bytes = new Uint8Array(memory.buffer as ArrayBuffer);
  bytes.set(tableOf(letters.slice(0, -2), frequent));
  const { written } = new TextEncoder().encodeInto(text, bytes.subarray(TEXT_AT));
  return bytes.subarray(TEXT_AT, read(TEXT_AT, TEXT_AT + written));
}

function bytesOf(hex: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16);
  return bytes;
}

function tableOf(letters: readonly number[], frequent: string): Uint8Array {
  const table = new Uint8Array(384);
  const singles = bytesOf(frequent);
  const isFrequent = new Set(singles);
  letters.forEach((letter, at) => {
    table[letter] = singles[at] as number;
  });
  for (let byte = 0, pair = 0; byte < 256; byte += 1) {
    if (isFrequent.has(byte)) continue;
    const after = pair < letters.length ? AFTER_FIRST : AFTER_SECOND;
    table[after + (letters[pair % letters.length] as number)] = byte;
    pair += 1;
  }
  return table;
}
