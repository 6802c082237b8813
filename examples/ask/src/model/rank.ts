// Ranking: which sentences are evidence for a question, best first. The scores are minisearch's (BM25+); what holds the kind
// of answer that is asked for counts more, and what denies comes after what affirms.
import MiniSearch from 'minisearch';
import { subjectOf, termOf, wordsOf } from './words.js';

/** A sentence is evidence when it holds at least this share of what the question is about. */
const MIN_COVERAGE = 0.6;
/** A heading's words help its sentences less than their own; what was said before them fills up, and makes no score. */
const BOOST = { text: 1, heading: 0.3, context: 1e-9 };
const FIELDS = ['text', 'heading', 'context'];

export interface Rankable {
  readonly text: string;
  readonly heading?: string;
  /** What was said just before; it fills up what a sentence leaves to be understood. */
  readonly context?: string;
}

export type Ranked<T extends Rankable> = T & {
  readonly score: number;
  /** It has "no", "not" or "without" where the question has none, or the other way round. */
  readonly denies: boolean;
  readonly isEvidence: boolean;
};

/** Those of `items` that have words of the question, best first; equal ones stay in the given order. */
export function rank<T extends Rankable>(question: string, items: readonly T[]): Ranked<T>[] {
  const index = new MiniSearch({ fields: FIELDS, tokenize: wordsOf, processTerm: termOf });
  index.addAll(items.map(({ text, heading = '', context = '' }, id) => ({ id, text, heading, context })));
  const wanted = subjectOf(question).map((word) => termOf(word) ?? word);
  const needed = Math.ceil(wanted.length * MIN_COVERAGE);
  const asIs = { tokenize: (text: string) => text.split(' '), processTerm: (term: string) => term };
  const ranked = index.search(wanted.join(' '), { ...asIs, boost: BOOST }).map(({ id, score, match, terms }) => {
    const item = items[id as number] as T;
    const has = (term: string, ...fields: string[]): boolean => match[term]?.some((field) => fields.includes(field)) === true;
    const own = wanted.filter((term) => has(term, 'text')).length;
    // What a question is after stands at its end; its subject is what is left to be understood.
    const fillsUp = own >= Math.max(2, Math.ceil(wanted.length / 2)) && has(wanted.at(-1) ?? '', 'text');
    const covered = wanted.filter((term) => has(term, 'text', 'heading') || (fillsUp && has(term, 'context'))).length;
    return {
      ...item,
      id: id as number,
      // As many terms as minisearch found, it has multiplied by; those of the context alone don't count.
      score: ((score * covered) / terms.length) * cueWeight(question, item.text),
      denies: denies(question, item.text, wanted),
      // A heading alone makes no sentence evidence: half of what is needed must stand in the sentence itself.
      isEvidence: covered >= needed && own >= Math.ceil(needed / 2),
    };
  });
  return ranked.sort((a, b) => Number(a.denies) - Number(b.denies) || b.score - a.score || a.id - b.id);
}

/** A question of this kind, and what its answer usually holds. */
const KINDS: readonly (readonly [asks: RegExp, answers: RegExp, weight: number])[] = [
  [/\bwhen\b/iu, /\b(?:when|whenever|if|once|unless|exceed(?:s|ing)?|above|more than|at least|as soon as|in case|provided)\b/iu, 1.5],
  [
    /\bwhen\b|\b(?:what|which) (?:condition|case)/iu,
    /\b(?:until|till|after|before|during|below|over|under|on|in|at|by|since|from)\b|\d/iu,
    1.2,
  ],
  [
    /\bhow (?:many|much|long|often|old|tall|high|heavy|fast|far|wide|deep|big|large)\b/iu,
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|none)\b/iu,
    1.2,
  ],
  [/\bwhy\b/iu, /\b(?:because|since|so that|therefore|thus|due to|as a result|in order to)\b/iu, 1.2],
];

/** How much more a sentence counts that holds what this kind of question asks for. */
function cueWeight(question: string, text: string): number {
  return KINDS.find(([asks, answers]) => asks.test(question) && answers.test(text))?.[2] ?? 1;
}

const NEGATOR = /^(?:no|not|never|none|without|neither|nor|cannot|exempt|n['’]t|\p{L}+n['’]t)$/iu;
/** How many words may stand between a negation and what it denies. */
const REACH = 4;
/** Questions that yes or no answers: for these a denial is an answer like any other. */
const YES_OR_NO = /^\W*(?:is|are|was|were|does|do|did|can|could|may|might|must|shall|should|will|would|has|have|had)\b/iu;

/** Whether a sentence denies what the question takes for granted: "without a permit", asked when a permit is needed. */
function denies(question: string, text: string, terms: readonly string[]): boolean {
  return !YES_OR_NO.test(question) && isNegated(question, terms) !== isNegated(text, terms);
}

/** Whether a negation stands shortly before one of the terms; two of them make none: "not … without a permit". */
function isNegated(text: string, terms: readonly string[]): boolean {
  const words = wordsOf(text);
  const at = words.flatMap((word, place) => (NEGATOR.test(word) ? [place] : []));
  if (at.length % 2 === 0) return false;
  return at.some((place) => words.slice(place + 1, place + 1 + REACH).some((word) => terms.includes(termOf(word) ?? '')));
}
