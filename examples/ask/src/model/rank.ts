// Ranking: which sentences are evidence for a question, best first. BM25 over the sentences at hand; what holds the kind
// of answer that is asked for counts more, and what denies comes after what affirms.
import { cueWeight, denies } from './cues.js';
import { questionTerms, termsOf } from './words.js';

/** A sentence is evidence when it holds at least this share of the question's terms. */
export const MIN_COVERAGE = 0.6;
/** A quote far behind the best one is noise. */
export const MIN_SHARE_OF_BEST = 0.45;
/** A heading's words help its sentences, but less than their own. */
const HEADING_WEIGHT = 0.5;
const K1 = 1.2;
const B = 0.75;

export interface Rankable {
  readonly text: string;
  readonly heading?: string;
  /** What was said just before; it fills up what a sentence leaves to be understood, if that holds half of the terms itself. */
  readonly context?: string;
}

export type Ranked<T extends Rankable> = T & {
  readonly score: number;
  /** It has "no", "not" or "without" where the question has none, or the other way round. */
  readonly denies: boolean;
};

/** The evidence among `items`, best first; equal scores stay in the given order. */
export function rank<T extends Rankable>(question: string, items: readonly T[]): Ranked<T>[] {
  return order(question, items).filter((each) => each.isEvidence);
}

/** All of `items`, best first: for what was found to be evidence before, with its headings in sight. */
export function order<T extends Rankable>(question: string, items: readonly T[]): (Ranked<T> & { readonly isEvidence: boolean })[] {
  const wanted = questionTerms(question);
  const bags = items.map((item) => termsOf(item.text));
  const headings = items.map((item) => new Set(termsOf(item.heading ?? '')));
  const contexts = items.map((item) => new Set(termsOf(item.context ?? '')));
  const averageLength = Math.max(1, bags.reduce((sum, bag) => sum + bag.length, 0) / Math.max(1, bags.length));
  const rarity = new Map(
    wanted.map((term) => {
      const holding = bags.filter((bag) => bag.includes(term)).length;
      return [term, Math.log(1 + (bags.length - holding + 0.5) / (holding + 0.5))];
    }),
  );
  const needed = Math.ceil(wanted.length * MIN_COVERAGE);

  const ordered = items.map((item, at) => {
    const bag = bags[at] ?? [];
    let score = 0;
    let own = 0;
    let covered = 0;
    for (const term of wanted) {
      const times = bag.filter((each) => each === term).length;
      const inHeading = headings[at]?.has(term) === true;
      const weight = rarity.get(term) ?? 0;
      if (times > 0) own += 1;
      if (times > 0 || inHeading) covered += 1;
      score += weight * ((times * (K1 + 1)) / (times + K1 * (1 - B + (B * bag.length) / averageLength)));
      if (inHeading) score += HEADING_WEIGHT * weight;
    }
    // What a question is after stands at its end; its subject is what is left to be understood.
    if (own >= Math.max(2, Math.ceil(wanted.length / 2)) && bag.includes(wanted.at(-1) ?? '')) {
      covered += wanted.filter(
        (term) => !bag.includes(term) && headings[at]?.has(term) !== true && contexts[at]?.has(term) === true,
      ).length;
    }
    return {
      ...item,
      score: score * (covered / Math.max(1, wanted.length)) * cueWeight(question, item.text),
      denies: denies(question, item.text),
      // A heading alone makes no sentence evidence: half of what is needed must stand in the sentence itself.
      isEvidence: covered >= needed && own >= Math.ceil(needed / 2),
    };
  });
  return ordered.sort((a, b) => Number(a.denies) - Number(b.denies) || b.score - a.score);
}
