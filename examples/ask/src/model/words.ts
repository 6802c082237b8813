// Words: how text becomes comparable terms. English endings are cut lightly; other languages match word for word.

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
const NEED = new Set(['need', 'requir', 'requirement', 'necessary', 'mandatory', 'obligatory', 'compulsory']);

/** Every term of a text in order, stop words left out. A compound gives itself and its parts: `stopWhen` three terms. */
export function termsOf(text: string): string[] {
  return wordsOf(text).flatMap((word) => {
    const parts = word.split(/-|(?<=\p{Ll})(?=\p{Lu})/u);
    return (parts.length > 1 ? [word, ...parts] : [word]).flatMap(termOf);
  });
}

/** The distinct terms of a question, compounds whole; when it has only stop words, those, so that it can be looked for. */
export function questionTerms(question: string): string[] {
  const words = wordsOf(question);
  const terms = wordsOf(question.replace(DEGREE, '$1')).flatMap(termOf);
  return [...new Set(terms.length > 0 ? terms : words.map((word) => word.toLowerCase()))];
}

/** The words of a text; where a link points to is not part of it. */
function wordsOf(text: string): string[] {
  return text.replace(/\]\([^)]*\)/gu, ']').match(/[\p{L}\p{N}]+(?:[-'’]\p{L}+)*/gu) ?? [];
}

function termOf(word: string): string[] {
  const plain = word
    .toLowerCase()
    .replace(/['’]\p{L}+$/u, '')
    .replaceAll('-', '');
  if (plain === '' || STOP_WORDS.has(plain)) return [];
  const root = stem(plain);
  return [NEED.has(root) ? 'need' : root];
}

/** Cuts plural, -ing, -ed and a final e: steps, stepping, stepped → step; cache, caching, caches → cach. */
export function stem(word: string): string {
  if (word.length < 4 || /\P{ASCII}/u.test(word)) return word;
  let root = word;
  if (/[^aeiou]ies$/u.test(root)) root = `${root.slice(0, -3)}y`;
  else if (/[^sui]s$/u.test(root)) root = root.slice(0, -1);
  // Of "need" and "speed" the end is none.
  const cut = root.replace(/(?:ing|(?<!e)ed)$/u, '');
  if (cut !== root && cut.length >= 2 && /[aeiouy]/u.test(cut)) {
    root = cut.replace(/([bdfgklmnprt])\1$/u, '$1');
  }
  return root.length > 3 ? root.replace(/e$/u, '') : root;
}

/** The words of a document's name, without its ending: `rules/harbour-crane.md` is about rules and a harbour crane. */
export function nameWords(path: string): string {
  return path.replace(/\.\w+$/u, '').replace(/[-_/.]+/gu, ' ');
}
