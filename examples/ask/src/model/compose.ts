// The lead's answer, from what it or its sub-agents found: the best quotes, and a word on every other document, so that none
// that answers is passed over in silence.
import { field, firstOf, formatQuote, type Quote, quotesIn, saysNoEvidence } from './evidence.js';
import { rank } from './rank.js';
import { count, nameWords } from './words.js';

/** Quotes in full, whatever document they are from; beyond them each further document's best. */
const MAX_QUOTES = 3;
const MAX_DOCUMENTS_QUOTED = 8;
/** What is weaker is named by its place alone. Low, since the headings that spoke for a quote are not in sight here. */
const MIN_SHARE_OF_BEST_QUOTED = 0.2;

/** What is known of one document. */
export interface Finding {
  readonly path: string;
  /** Its best quotes; where there are none, `without` says why. */
  readonly quotes: readonly Quote[];
  readonly without: 'no evidence' | 'not answered' | 'not looked into';
}

/** What a delegation brought: a sub-agent speaks for its own document only. */
export function findingOf({ args, result = '' }: { args: Readonly<Record<string, unknown>>; result: string | undefined }): Finding {
  const path = field(String(args.instructions ?? ''), 'Document') ?? 'a document';
  const quotes = quotesIn(result).filter((quote) => quote.path === path);
  return { path, quotes, without: saysNoEvidence(result) ? 'no evidence' : 'not answered' };
}

export function composeAnswer(question: string, findings: readonly Finding[]): string {
  const without = (why: Finding['without']): string[] =>
    findings.flatMap((each) => (each.quotes.length === 0 && each.without === why ? [each.path] : []));
  const silent = without('no evidence');
  const missing = [...list('Not answered: ', without('not answered')), ...list('Not looked into: ', without('not looked into'))];
  // What is evidence was decided with the headings in sight; here only the order is left to be found.
  const quotes = findings.flatMap((each) => each.quotes.map((quote) => ({ ...quote, heading: nameWords(quote.path) })));
  if (quotes.length === 0) return [`No evidence in ${silent.length} of ${count(findings.length, 'document')}.`, ...missing].join('\n');

  const ranked = rank(question, quotes);
  const floor = (ranked.find((quote) => !quote.denies)?.score ?? 0) * MIN_SHARE_OF_BEST_QUOTED;
  const [affirming, denying, same, more, weak]: [Quote[], Quote[], Quote[], Quote[], Quote[]] = [[], [], [], [], []];
  const [texts, documents] = [new Set<string>(), new Set<string>()];
  for (const quote of ranked) {
    const isAmongBest = texts.size < MAX_QUOTES;
    // A document that was told of needs no second word unless it is among the best.
    if (documents.has(quote.path) && !isAmongBest) continue;
    documents.add(quote.path);
    if (texts.has(quote.text)) same.push(quote);
    else if (quote.score < floor && !quote.denies) weak.push(quote);
    else if (isAmongBest || texts.size < MAX_DOCUMENTS_QUOTED) {
      (quote.denies ? denying : affirming).push(quote);
      texts.add(quote.text);
    } else more.push(quote);
  }
  const places = (quotes: readonly Quote[]): string[] => quotes.map((quote) => `${quote.path}:${quote.line}`);
  return [
    ...affirming.map(formatQuote),
    ...(denying.length > 0 && affirming.length > 0 ? ['', 'The other way round:'] : []),
    ...denying.map(formatQuote),
    '',
    ...list('The same stands in: ', places(same)),
    ...list(`${count(more.length, 'more document')} with an answer: `, places(more)),
    ...list('Less to the point: ', places(weak)),
    ...list('No evidence in: ', silent),
    ...missing,
  ]
    .join('\n')
    .trim();
}

function list(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${title}${firstOf(names).join(', ')}.`];
}
