// Texts as strings. Owns how one is made well formed, and how it is cut at a length in bytes. Knows no sub-agent.

interface WellFormed {
  isWellFormed?(): boolean;
  toWellFormed?(): string;
}

/** Half a surrogate pair has no UTF-8: the core keeps U+FFFD in its place, so those who wait get that too. */
export function wellFormed(text: string): string {
  const checked = text as WellFormed;
  return checked.isWellFormed?.() === false ? (checked.toWellFormed?.() ?? text) : text;
}

/** The longest beginning of a text that has at most so many bytes of UTF-8; never cut through a character. */
export function headOf(text: string, bytes: number): string {
  let used = 0;
  for (let index = 0; index < text.length; ) {
    const point = text.codePointAt(index) as number;
    used += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (used > bytes) return text.slice(0, index);
    index += point > 0xffff ? 2 : 1;
  }
  return text;
}
