// Text for terminals: what must not steer them, how it is cut to a width.
import cliTruncate from 'cli-truncate';
import stringWidth from 'string-width';

/** Text from documents and models must not steer the terminal. Joiners stay: Persian and emoji need them. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '');
}

/** The same as one line. */
export function oneLine(text: string): string {
  return printable(text).replace(/\s+/gu, ' ').trim();
}

/** The line in exactly this many columns: filled with blanks, or cut with an ellipsis. */
export function fit(text: string, columns: number): string {
  const whole = cliTruncate(text, columns);
  // A letter of two columns may stand at the end.
  const cut = stringWidth(whole) <= columns ? whole : cliTruncate(text, columns - 1);
  return cut + ' '.repeat(columns - stringWidth(cut));
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
