// Text for terminals: how wide it is, how it is cut and broken to a width, how figures are written.
// It never asks a terminal for anything and writes nothing.

/** Letters of two columns: East Asian ones, and emoji that are shown as pictures. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
/** What takes no column: marks above and below letters, joiners. */
const NO_WIDTH = /[\p{M}\p{Cf}]/u;
/** A colour, as it is written between letters. */
const COLOUR = /\x1b\[\d+m/gu;

/** Text from documents and models must not steer the terminal. Joiners stay: Persian and emoji need them. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '');
}

/** The same as one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/gu, ' ').trim();
}

/** How many columns a line takes. */
export function columnsOf(text: string): number {
  return [...text.replace(COLOUR, '')].reduce((sum, letter) => sum + widthOf(letter), 0);
}

function widthOf(letter: string): number {
  if (NO_WIDTH.test(letter)) return 0;
  return WIDE.test(letter) ? 2 : 1;
}

/** The line in exactly this many columns: filled with blanks, or cut with an ellipsis. */
export function fit(text: string, columns: number): string {
  const missing = columns - columnsOf(text);
  if (missing >= 0) return text + ' '.repeat(missing);
  let kept = '';
  let used = 0;
  for (const letter of text) {
    if (used + widthOf(letter) > columns - 1) break;
    kept += letter;
    used += widthOf(letter);
  }
  return columns < 1 ? '' : `${kept}…${' '.repeat(columns - 1 - used)}`;
}

/** A line broken between words; what follows begins with as many blanks as `indent` says. A longer word stays whole. */
export function wrap(line: string, columns: number, indent: number): string {
  if (columnsOf(line) <= columns) return line;
  const start = /^\s*/u.exec(line)?.[0] ?? '';
  const lines: string[] = [];
  let current = start;
  for (const piece of line.slice(start.length).split(/(?<=\S)(?= )/u)) {
    if (current.trim() !== '' && columnsOf(current + piece) > columns) {
      lines.push(current);
      current = ' '.repeat(indent) + piece.trimStart();
    } else current += piece;
  }
  return [...lines, current].join('\n');
}

/** Parts put side by side, with a dot between them, in as few lines as there is room for. */
export function joined(parts: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const part of parts) {
    const last = lines.at(-1);
    if (last !== undefined && columnsOf(`${last} · ${part}`) <= columns) lines[lines.length - 1] = `${last} · ${part}`;
    else lines.push(part);
  }
  return lines;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 turn`, `2 turns`. */
export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}
