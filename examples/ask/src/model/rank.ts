// Ranking: which sentences are evidence for a question, best first. The scores are minisearch's (BM25+).
import MiniSearch from 'minisearch';
import { subjectOf, termOf, wordsOf } from './words.js';

/** A sentence is evidence when it and what it stands under hold at least this share of what the question is about. */
const MIN_COVERAGE = 0.6;
/** What stands above a sentence helps it less than its own words. */
const BOOST = { text: 1, around: 0.1 };
const NEGATION = /\b(?:no|not|never|none|without|neither|nor|cannot)\b|n['’]t\b/giu;

export interface Rankable {
  readonly text: string;
  /** The headings above and what was said just before; it fills up what a sentence leaves to be understood. */
  readonly around?: string;
}

export type Ranked<T extends Rankable> = T & { readonly score: number; readonly isEvidence: boolean };

/** Those of `items` that have words of the question, best first; equal ones stay in the given order. */
export function rank<T extends Rankable>(question: string, items: readonly T[]): Ranked<T>[] {
  const index = new MiniSearch({ fields: Object.keys(BOOST), tokenize: wordsOf, processTerm: termOf });
  index.addAll(items.map(({ text, around = '' }, id) => ({ id, text, around })));
  const wanted = subjectOf(question).map((word) => termOf(word) ?? word);
  const needed = Math.ceil(wanted.length * MIN_COVERAGE);
  const asIs = { tokenize: (text: string) => text.split(' '), processTerm: (term: string) => term };
  const ranked = index.search(wanted.join(' '), { ...asIs, boost: BOOST }).map(({ id, score, match }) => {
    const own = wanted.filter((term) => match[term]?.includes('text'));
    // What a question is after stands at its end; only its subject is left to be understood.
    const fillsUp = own.length >= Math.ceil(needed / 2) && own.includes(wanted.at(-1) ?? '');
    const covered = fillsUp ? wanted.filter((term) => match[term] !== undefined).length : own.length;
    return { ...(items[id as number] as T), id: id as number, score, isEvidence: covered >= needed };
  });
  // What denies answers a question that doesn't deny less well, and the other way round.
  const isOpposite = ({ text }: T): number => Number(denies(text) !== denies(question));
  return ranked.sort((a, b) => isOpposite(a) - isOpposite(b) || b.score - a.score || a.id - b.id);
}

/** Two negations make none: "not … without a permit". */
function denies(text: string): boolean {
  return (text.match(NEGATION)?.length ?? 0) % 2 === 1;
}
