// Words in texts of any language. Owns how a text is split and how a list matches; the policies have the lists. In an entry `*`
// stands for any letters, for inflected languages; an entry with blanks matches a sequence of words.

import { fits } from '../base/pattern.js';

/** No literal: for a literal, a runtime looks up the classes of Unicode while it reads the file, used or not. */
const WORD = "[\\p{L}\\p{M}\\p{N}]+(?:['’-][\\p{L}\\p{M}\\p{N}]+)*";

let word: RegExp | undefined;

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  word ??= new RegExp(WORD, 'gu');
  return text.normalize('NFC').toLowerCase().match(word) ?? [];
}

/** A list of entries, ready to be matched. */
export class WordList {
  /** The entries by their first letter: a long text has many words, and few of them begin like an entry. */
  readonly #entries = new Map<string, string[][]>();

  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const words = entry.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean);
      if (words[0] === undefined) continue;
      // `*` alone matches every word.
      const letter = words[0].startsWith('*') ? '' : words[0].charAt(0);
      const same = this.#entries.get(letter);
      if (same === undefined) this.#entries.set(letter, [words]);
      else same.push(words);
    }
  }

  /** The first word, or sequence of words, that matches an entry, as the text has it. */
  find(words: readonly string[]): string | undefined {
    for (let at = 0; at < words.length; at += 1) {
      const found = this.matchAt(words, at);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The words that match an entry at this place. */
  matchAt(words: readonly string[], at: number): string | undefined {
    const isHere = (parts: readonly string[]) => parts.every((part, index) => matches(part, words[at + index]));
    const letter = words[at]?.charAt(0) ?? '';
    const entry = this.#entries.get(letter)?.find(isHere) ?? this.#entries.get('')?.find(isHere);
    return entry === undefined ? undefined : words.slice(at, at + entry.length).join(' ');
  }
}

function matches(part: string, word: string | undefined): boolean {
  if (word === undefined) return false;
  return fits(part, word);
}
