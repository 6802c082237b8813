// The lead's answer, from what its sub-agents found: the best quotes, and a word on every other document, so that none
// that answers is passed over in silence.
import type { ToolUse } from './decide.js';
import { field, firstOf, formatQuote, type Quote, quotesIn, saysNoEvidence } from './evidence.js';
import { rank } from './rank.js';
import { count, nameWords } from './words.js';

/** Quotes in full, whatever document they are from; beyond them each further document's best. */
const MAX_QUOTES = 3;
const MAX_DOCUMENTS_QUOTED = 8;

/** The answer from what the delegations have brought; a sub-agent speaks for its own document only. */
export function composeAnswer(question: string, delegations: readonly ToolUse[]): string {
  const findings = delegations.map(({ args, result = '' }) => {
    const path = field(String(args.instructions ?? ''), 'Document') ?? 'a document';
    return { path, quotes: quotesIn(result).filter((quote) => quote.path === path), hasNone: saysNoEvidence(result) };
  });
  const without = (hasNone: boolean): string[] =>
    findings.flatMap((each) => (each.quotes.length === 0 && each.hasNone === hasNone ? [each.path] : []));
  const [silent, missing] = [without(true), list('Not answered: ', without(false))];
  const quotes = findings.flatMap((each) => each.quotes.map((quote) => ({ ...quote, around: nameWords(quote.path) })));
  if (quotes.length === 0) return [`No evidence in ${silent.length} of ${count(findings.length, 'document')}.`, ...missing].join('\n');

  const [best, same, more]: [Quote[], Quote[], Quote[]] = [[], [], []];
  const documents = new Set<string>();
  // What is evidence was decided with the headings in sight; here only the order is left to be found.
  for (const quote of rank(question, quotes)) {
    // A document that is quoted needs no second quote unless it is among the best.
    if (documents.has(quote.path) && best.length >= MAX_QUOTES) continue;
    documents.add(quote.path);
    if (best.some(({ text }) => text === quote.text)) same.push(quote);
    else (best.length < MAX_DOCUMENTS_QUOTED ? best : more).push(quote);
  }
  const places = (quotes: readonly Quote[]): string[] => quotes.map((quote) => `${quote.path}:${quote.line}`);
  const rest = [
    ...list('The same stands in: ', places(same)),
    ...list(`${count(more.length, 'more document')} with an answer: `, places(more)),
    ...list('No evidence in: ', silent),
    ...missing,
  ];
  return [...best.map(formatQuote), '', ...rest].join('\n').trim();
}

function list(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${title}${firstOf(names).join(', ')}.`];
}
