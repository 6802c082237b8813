// Sub-agents' texts in a terminal. Owns that nothing in them moves the cursor, changes a colour, or reverses the line:
// such characters are shown by number.

/** Control characters, those of direction, those without width, and halves of pairs. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** A text in one line that a terminal only shows, of at most `length` code points. */
export function plain(text: string, length = Number.POSITIVE_INFINITY): string {
  // Cut first: a text may have a megabyte.
  const points = Number.isFinite(length) ? [...text.slice(0, length * 2 + 2)] : [...text];
  const cut = points.length > length || (Number.isFinite(length) && text.length > length * 2 + 2);
  const shown = (cut ? points.slice(0, Math.max(0, length - 1)) : points).join('').replace(UNSAFE, escaped);
  const fitting = [...shown];
  const isLonger = fitting.length > length;
  return cut || isLonger ? `${fitting.slice(0, Math.max(0, length - 1)).join('')}…` : shown;
}

/** A value as JSON that a terminal only shows: JSON has an escape for each such letter, so it is the same value. */
export function plainJson(value: unknown): string {
  return JSON.stringify(value).replace(UNSAFE, (letter) =>
    // A letter past U+FFFF is two escapes.
    Array.from({ length: letter.length }, (_, at) => `\\u${letter.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}

function escaped(letter: string): string {
  if (letter === '\n') return '\\n';
  if (letter === '\t') return '\\t';
  return `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`;
}

/** The same, padded with spaces to this many columns. */
export function cell(text: string, width: number): string {
  const shown = plain(text, width);
  return shown + ' '.repeat(Math.max(0, width - columnsOf(shown)));
}

/** The beginning of a line of such texts, in at most this many columns. */
export function fitted(line: string, columns: number): string {
  if (columnsOf(line) <= columns) return line;
  let [cut, taken] = ['', 0];
  for (const letter of line) {
    taken += columnsOf(letter);
    // The last column is for the mark of a cut.
    if (taken >= columns) break;
    cut += letter;
  }
  return `${cut}…`;
}

/** The columns of a text in a terminal: letters of East Asia and pictures take two. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const letter of text) columns += /\p{M}/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
  return columns;
}

const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
