// Cues: what kind of answer a question wants, and whether a sentence has one; whether a sentence denies what is asked.
// A handful of words of English, no grammar: it orders evidence, it never decides what is evidence.
import { questionTerms, termsOf } from './words.js';

/** A question of this kind, and what its answer usually holds. */
const KINDS: readonly { readonly asks: RegExp; readonly answers: RegExp }[] = [
  {
    asks: /\b(?:when|(?:under|in|on) (?:what|which) (?:condition|case|circumstance|occasion)s?|as of when)\b/iu,
    answers:
      /\b(?:when|whenever|if|once|unless|until|till|after|before|during|as soon as|in case|provided|exceed(?:s|ing)?|above|below|over|under|more than|less than|at least|on|in|at|by|since|from)\b|\d/iu,
  },
  {
    asks: /\bhow (?:many|much|long|often|old|tall|high|heavy|fast|far|wide|deep|big|large)\b/iu,
    answers: /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|once|twice|none)\b/iu,
  },
  { asks: /\bwhy\b/iu, answers: /\b(?:because|since|so that|therefore|thus|due to|as a result|in order to)\b/iu },
];

/** A condition is a stronger sign than a bare place in time. */
const CONDITION = /\b(?:when|whenever|if|once|unless|exceed(?:s|ing)?|above|more than|at least|as soon as|in case|provided)\b/iu;
const WHEN = /\bwhen\b/iu;

const NEGATOR = /^(?:no|not|never|none|without|neither|nor|cannot|exempt|n['’]t|\p{L}+n['’]t)$/iu;
/** How many words may stand between a negation and what it denies. */
const REACH = 4;
/** Questions that yes or no answers: for these a denial is an answer like any other. */
const YES_OR_NO = /^\W*(?:is|are|was|were|does|do|did|can|could|may|might|must|shall|should|will|would|has|have|had)\b/iu;

/** How much more a sentence counts that holds what this kind of question asks for. */
export function cueWeight(question: string, text: string): number {
  const kind = KINDS.find(({ asks }) => asks.test(question));
  if (kind === undefined || !kind.answers.test(text)) return 1;
  return WHEN.test(question) && CONDITION.test(text) ? 1.5 : 1.2;
}

/** Whether a sentence denies what the question takes for granted: "without a permit", asked when a permit is needed. */
export function denies(question: string, text: string): boolean {
  return !YES_OR_NO.test(question) && isNegated(question, questionTerms(question)) !== isNegated(text, questionTerms(question));
}

/** Whether a negation stands shortly before one of the terms; two of them make none: "not … without a permit". */
function isNegated(text: string, terms: readonly string[]): boolean {
  const words = text.match(/[\p{L}\p{N}]+(?:[-'’]\p{L}+)*/gu) ?? [];
  const at = words.flatMap((word, place) => (NEGATOR.test(word) ? [place] : []));
  if (at.length % 2 === 0) return false;
  return at.some((place) => words.slice(place + 1, place + 1 + REACH).some((word) => termsOf(word).some((term) => terms.includes(term))));
}
