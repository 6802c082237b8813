// Evidence: the one form in which quotes travel from a sub-agent to the lead and from the lead to the reader.

export interface Quote {
  readonly text: string;
  readonly path: string;
  readonly line: number;
}

const MAX_QUOTE_LENGTH = 400;
const MAX_NAMED = 20;

export function formatQuote(quote: Quote): string {
  const points = [...quote.text];
  const text = points.length <= MAX_QUOTE_LENGTH ? quote.text : `${points.slice(0, MAX_QUOTE_LENGTH).join('')}…`;
  return `- "${text}" (${quote.path}:${quote.line})`;
}

export function quotesIn(text: string): Quote[] {
  return [...text.matchAll(/^- "(.+)" \((.+):(\d+)\)$/gmu)].map((match) => ({
    text: match[1] ?? '',
    path: match[2] ?? '',
    line: Number(match[3]),
  }));
}

/** Whether an answer says of itself that it found nothing. */
export function saysNoEvidence(text: string): boolean {
  return /^\s*no evidence\b/imu.test(text);
}

/** As many as a person reads; the rest is counted. */
export function firstOf(items: readonly string[]): string[] {
  const more = items.length - MAX_NAMED;
  return more > 1 ? [...items.slice(0, MAX_NAMED), `${more} more`] : [...items];
}

/** The value of a line `name: value`, as instructions give the document and the question. */
export function field(text: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.+)$`, 'mu').exec(text)?.[1];
}
