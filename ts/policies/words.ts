// Words in texts of any language. Owns how a text is taken apart and what matches a list; the lists belong to
// the policies. An entry that ends in `*` matches every word that begins so, which is how inflected languages
// are listed; one with blanks matches a sequence of words.

/** No literal: for one a runtime looks up the classes of Unicode while it reads the file, used or not. */
const WORD = "[\\p{L}\\p{M}\\p{N}]+(?:['’-][\\p{L}\\p{M}\\p{N}]+)*";

let word: RegExp | undefined;

/** The words of a text, in lower case. */
export function wordsOf(text: string): string[] {
  word ??= new RegExp(WORD, 'gu');
  return text.normalize('NFC').toLowerCase().match(word) ?? [];
}

/** A list of entries, ready to be matched. */
export class WordList {
  readonly #entries: readonly (readonly string[])[];

  constructor(entries: readonly string[]) {
    this.#entries = entries
      .map((entry) => entry.normalize('NFC').toLowerCase().split(/\s+/).filter(Boolean))
      .filter((entry) => entry.length > 0);
  }

  /** The first word, or sequence of words, that matches an entry, as the text has it. */
  find(words: readonly string[]): string | undefined {
    for (let at = 0; at < words.length; at += 1) {
      const found = this.matchAt(words, at);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** What matches an entry in this place. */
  matchAt(words: readonly string[], at: number): string | undefined {
    const entry = this.#entries.find((parts) => parts.every((part, index) => matches(part, words[at + index])));
    return entry === undefined ? undefined : words.slice(at, at + entry.length).join(' ');
  }
}

function matches(part: string, word: string | undefined): boolean {
  if (word === undefined) return false;
  return part.endsWith('*') ? word.startsWith(part.slice(0, -1)) : word === part;
}
