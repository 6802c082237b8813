// The lead's answer, from what it or its sub-agents found: the best quotes, and a word on every other document, so that none
// that answers is passed over in silence.
import { firstOf, formatQuote, type Quote, quotesIn, saysNoEvidence } from './evidence.js';
import { order, type Ranked } from './rank.js';
import { field, type ToolUse } from './transcript.js';
import { nameWords } from './words.js';

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
export function findingOf({ args, result = '' }: ToolUse): Finding {
  const path = field(String(args.instructions ?? ''), 'Document') ?? 'a document';
  const quotes = quotesIn(result).filter((quote) => quote.path === path);
  return { path, quotes, without: saysNoEvidence(result) ? 'no evidence' : 'not answered' };
}

export function composeAnswer(question: string, findings: readonly Finding[]): string {
  const quotes = findings.flatMap((each) => each.quotes);
  const without = (why: Finding['without']): string[] =>
    findings.filter((each) => each.quotes.length === 0 && each.without === why).map((each) => each.path);
  const silent = without('no evidence');
  const missing = [...list('Not answered: ', without('not answered')), ...list('Not looked into: ', without('not looked into'))];
  if (quotes.length === 0) return [`No evidence in ${silent.length} of ${count(findings.length, 'document')}.`, ...missing].join('\n');

  // What is evidence was decided with the headings in sight; here only the order is left to be found.
  const ranked = order(
    question,
    quotes.map((each) => ({ ...each, heading: nameWords(each.path) })),
  );
  const floor = (ranked.find((quote) => !quote.denies)?.score ?? 0) * MIN_SHARE_OF_BEST_QUOTED;
  const told = new Told();
  for (const each of ranked) told.add(each, floor);
  return [...told.lines(), ...list('No evidence in: ', silent), ...missing].join('\n').trim();
}

/** What the answer says of each quote: whole, as the same as another, or by its place alone. */
class Told {
  private readonly affirming: Quote[] = [];
  private readonly denying: Quote[] = [];
  private readonly same: Quote[] = [];
  private readonly more: Quote[] = [];
  private readonly weak: Quote[] = [];
  private readonly texts = new Set<string>();
  private readonly documents = new Set<string>();

  /** Best first. A document that was told of needs no second word unless it is among the best. */
  add(quote: Ranked<Quote>, floor: number): void {
    const isNew = !this.documents.has(quote.path);
    const isAmongBest = this.texts.size < MAX_QUOTES;
    if (!isNew && !isAmongBest) return;
    if (this.texts.has(quote.text)) this.same.push(quote);
    else if (quote.score < floor && !quote.denies) this.weak.push(quote);
    else if (isAmongBest || this.texts.size < MAX_DOCUMENTS_QUOTED) {
      (quote.denies ? this.denying : this.affirming).push(quote);
      this.texts.add(quote.text);
    } else this.more.push(quote);
    this.documents.add(quote.path);
  }

  lines(): string[] {
    const denying = this.denying.map(formatQuote);
    const others = [
      ...list('The same stands in: ', this.same.map(placeOf)),
      ...list(`${count(this.more.length, 'more document')} with an answer: `, this.more.map(placeOf)),
      ...list('Less to the point: ', this.weak.map(placeOf)),
    ];
    const denied = denying.length === 0 || this.affirming.length === 0 ? denying : ['', 'The other way round:', ...denying];
    return [...this.affirming.map(formatQuote), ...denied, '', ...others];
  }
}

function placeOf(quote: Quote): string {
  return `${quote.path}:${quote.line}`;
}

function list(title: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${title}${firstOf(names).join(', ')}.`];
}

export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
