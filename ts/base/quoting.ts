// Quotes a string of a model, a host or a caller within a line that another model reads (N5). The result is one line, cut,
// without characters that are invisible or end a quotation. It shares the tables of `src/base/quote.rs`.

import { BREAKS, JOINERS, MARKS, NAME_CHARS, UNSEEN } from '../generated/quoting.js';

function isIn(ranges: readonly (readonly [number, number])[], code: number): boolean {
  return ranges.some(([first, last]) => first <= code && code <= last);
}

/** Words of ASCII letters that stay unchanged, with a space between them: nearly every label. */
let plain: RegExp | undefined;

function plainWords(): RegExp {
  const marks = MARKS.map(([mark]) => mark);
  const letters = Array.from({ length: 0x7f - 0x21 }, (_, at) => String.fromCharCode(0x21 + at)).filter(
    (letter) => !marks.includes(letter),
  );
  const word = `[${letters.map((letter) => `\\x${letter.charCodeAt(0).toString(16)}`).join('')}]+`;
  return new RegExp(`^${word}(?: ${word})*$`);
}

/** The escape of a letter in quotes. Half of a surrogate pair is no character. */
function shownInQuotes(letter: string): string {
  const code = letter.codePointAt(0) as number;
  return code >= 0xd800 && code <= 0xdfff ? '\ufffd' : (MARKS.find(([mark]) => mark === letter)?.[1] ?? letter);
}

/** Whether a joiner has an effect next to a letter. */
function canBeJoined(letter: string): boolean {
  const code = shownInQuotes(letter).codePointAt(0) as number;
  return code > 0x7f && !isIn(BREAKS, code);
}

/** The code points of a text, without invisible ones and joiners that join nothing. */
function* seenIn(text: string): Generator<string> {
  let before = ' ';
  let joiner: string | undefined;
  for (const letter of text) {
    const code = letter.codePointAt(0) as number;
    if (isIn(UNSEEN, code)) continue;
    if (isIn(JOINERS, code)) {
      joiner = canBeJoined(before) ? letter : undefined;
      continue;
    }
    if (joiner !== undefined && canBeJoined(letter)) yield joiner;
    joiner = undefined;
    before = letter;
    yield letter;
  }
}

/** At most `most` code points of a text, on one line, that end neither quotes nor brackets; `…` replaces the rest. */
export function quoted(text: string, most: number = NAME_CHARS): string {
  plain ??= plainWords();
  if (text.length <= most && plain.test(text)) return text;
  return lineOf(text, most, shownInQuotes);
}

/** At most `most` code points of a program's text for a model, on one line; its own marks stay. */
export function onOneLine(text: string, most: number): string {
  return lineOf(text, most, (letter) => letter);
}

function lineOf(text: string, most: number, shownAs: (letter: string) => string): string {
  let line = '';
  let count = 0;
  let gap = false;
  for (const letter of seenIn(text)) {
    const code = letter.codePointAt(0) as number;
    if (isIn(BREAKS, code)) {
      gap = count > 0;
      continue;
    }
    const wide = count + (gap ? 2 : 1);
    if (wide > most) return `${line}…`;
    const shown = shownAs(letter);
    line += gap ? ` ${shown}` : shown;
    gap = false;
    count = wide;
  }
  return line;
}

/** Several names, as a list in a sentence. */
export function listed(names: readonly string[]): string {
  return names.map((name) => quoted(name)).join(', ');
}

/**
 * A value as JSON that a model reads. Escapes invisible characters, and those that some readers take for a line break. It
 * parses to the same value as the JSON of `JSON.stringify`.
 */
export function jsonForModel(value: unknown): string {
  let json = '';
  for (const letter of JSON.stringify(value)) {
    const code = letter.codePointAt(0) as number;
    const isPlain = code < 0x7f || (code > 0xa0 && code !== 0x2028 && code !== 0x2029 && !isIn(UNSEEN, code));
    json += isPlain ? letter : escaped(letter);
  }
  return json;
}

function escaped(letter: string): string {
  return Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
}
