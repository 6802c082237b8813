// Words: how text becomes comparable terms, for the search tool and for the ranking. English endings are cut by Porter's
// stemmer; other languages match word for word. And how texts and figures are written for a reader.
import { stemmer } from 'stemmer';

/** Words that a question is phrased with but that say nothing about its subject. */
const STOP_WORDS = new Set(
  `a about after again all also am an and any are as at be because been before being between both but by can could did
  do does doing done for from get had has have he her here him his how i if in into is it its itself just let many may
  me might more most much must my no nor not of off on once only or other our out over own please same shall she should
  so some something such tell than that the their them then there these they thing things this those through to too
  under until up us use used uses using very was way ways
  we were what when where which while who whom whose why will with would you your`.split(/\s+/u),
);
/** What a question asks for the degree of: "how high is the fee" is about a fee, and about nothing high. */
const DEGREE = /\b(how) (?:many|much|long|often|old|tall|high|low|heavy|fast|far|wide|deep|big|large|small|soon)\b/giu;
/** The one set of words that mean the same here: rules say "required" where people ask what they need. */
const NEED = new Set(['require', 'requirement', 'necessary', 'mandatory', 'obligatory', 'compulsory'].map(stemmer));

/** The words of a text, without where a link points to. A compound gives itself and its parts: `sub-agent` three words. */
export function wordsOf(text: string): string[] {
  const words = text.replace(/\]\([^)]*\)/gu, ']').match(/[\p{L}\p{N}]+(?:[-'’]\p{L}+)*/gu) ?? [];
  return words.flatMap((word) => {
    const parts = word.split(/-|(?<=\p{Ll})(?=\p{Lu})/u);
    return parts.length > 1 ? [word, ...parts] : [word];
  });
}

/** What a word is compared by. */
export function stemOf(word: string): string {
  const plain = word
    .toLowerCase()
    .replace(/['’]\p{L}+$/u, '')
    .replaceAll('-', '');
  return /\P{ASCII}/u.test(plain) ? plain : stemmer(plain);
}

/** What a word adds to a subject: null for a stop word. */
export function termOf(word: string): string | null {
  if (STOP_WORDS.has(word.toLowerCase().replace(/['’]\p{L}+$/u, ''))) return null;
  const stem = stemOf(word);
  return NEED.has(stem) ? 'need' : stem;
}

/** The distinct words that a question is about, each once; when it has only stop words, those, so that it can be looked for. */
export function subjectOf(question: string): string[] {
  const words = (text: string): string[] => text.match(/[\p{L}\p{N}]+(?:[-'’]\p{L}+)*/gu) ?? [];
  const about = new Map(words(question.replace(DEGREE, '$1')).flatMap((word) => (termOf(word) === null ? [] : [[termOf(word), word]])));
  return about.size > 0 ? [...about.values()] : words(question);
}

/** The words of a document's name, without its ending: `rules/harbour-crane.md` is about rules and a harbour crane. */
export function nameWords(path: string): string {
  return path.replace(/\.\w+$/u, '').replace(/[-_/.]+/gu, ' ');
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}

/** `1 turn`, `2 turns`. */
export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** At most so many characters, with an ellipsis if there were more. */
export function cut(text: string, length: number): string {
  const points = [...text];
  return points.length <= length ? text : `${points.slice(0, length).join('')}…`;
}
