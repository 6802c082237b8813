// Evidence: the one form in which a question goes to a sub-agent, and quotes come back to the lead and go to the reader.
import { cut } from './words.js';

export interface Quote {
  readonly text: string;
  readonly path: string;
  readonly line: number;
}

const MAX_QUOTE_LENGTH = 400;
const MAX_NAMED = 20;

export function formatQuote(quote: Quote): string {
  return `- "${cut(quote.text, MAX_QUOTE_LENGTH)}" (${quote.path}:${quote.line})`;
}

export function quotesIn(text: string): Quote[] {
  const found = text.matchAll(/^- "(.+)" \((.+):(\d+)\)$/gmu);
  return [...found].map(([, quoted = '', path = '', line]) => ({ text: quoted, path, line: Number(line) }));
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

/** What a sub-agent is asked. */
export function instructionsFor(path: string, question: string): string {
  return `Document: ${path}
Question: ${question}
Answer from this document alone. Quote each sentence that answers, one a line: - "sentence" (document:line)
If nothing in it answers, say: No evidence in ${path}.`;
}

/** The value of a line `name: value`, as instructions give the document and the question. */
export function field(text: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.+)$`, 'mu').exec(text)?.[1];
}
