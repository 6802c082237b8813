// Ranking: which sentences are evidence for a question, best first. BM25 over the sentences at hand.
import { questionTerms, termsOf } from './words.js';

/** A sentence is evidence when it holds at least this share of the question's terms. */
export const MIN_COVERAGE = 0.6;
/** A heading's words help its sentences, but less than their own. */
const HEADING_WEIGHT = 0.5;
const K1 = 1.2;
const B = 0.75;

export interface Rankable {
  readonly text: string;
  readonly heading?: string;
}

export type Ranked<T extends Rankable> = T & { readonly score: number };

/** The evidence among `items`, best first; equal scores stay in the given order. */
export function rank<T extends Rankable>(question: string, items: readonly T[]): Ranked<T>[] {
  const wanted = questionTerms(question);
  const bags = items.map((item) => termsOf(item.text));
  const headings = items.map((item) => new Set(termsOf(item.heading ?? '')));
  const averageLength = Math.max(1, bags.reduce((sum, bag) => sum + bag.length, 0) / Math.max(1, bags.length));
  const rarity = new Map(
    wanted.map((term) => {
      const holding = bags.filter((bag) => bag.includes(term)).length;
      return [term, Math.log(1 + (bags.length - holding + 0.5) / (holding + 0.5))];
    }),
  );
  const needed = Math.ceil(wanted.length * MIN_COVERAGE);

  const ranked: Ranked<T>[] = [];
  items.forEach((item, at) => {
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
    // A heading alone makes no sentence evidence: half of what is needed must stand in the sentence itself.
    if (covered >= needed && own >= Math.ceil(needed / 2)) {
      ranked.push({ ...item, score: score * (covered / wanted.length) });
    }
  });
  return ranked.sort((a, b) => b.score - a.score);
}
