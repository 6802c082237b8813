// Sentences: cuts numbered lines of Markdown or plain text into sentences that know their first line.
// Code blocks, front matter and markup lines are no prose and give none.
import type { Quote } from './evidence.js';

export interface Sentence extends Quote {
  /** The headings above, the outermost first, then the two sentences before it in its paragraph; or an empty string. */
  readonly around: string;
}

export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** Tags, tables, rules, and lines of code that stand outside of a code block, as MDX has them. */
const MARKUP = /^(?:[<|{}\])]|\/>|(?:import|export|const|return)\s|[-=*_]{3,}$|\w+[:=]\s*['"`{[])/u;
/** At most eight words without a mark at their end. */
const TITLE = /^\S+(?: \S+){0,7}(?<![.!?:;,])$/u;
const FENCE = /^(?:```+|~~~+)/u;
const LIST_MARK = /^\s*(?:[-*+]|\d+[.)])\s+/u;
const END = /[.!?]["'”’)\]*_`]*$/u;
/** What ends in a dot and ends nothing; the first letter of a name as well. */
const NO_END = /\b(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|mr|mrs|ms|dr|st|fig)\.$|^\p{L}\.$/iu;
const SENTENCES_BEFORE = 2;

/** `path`'s lines, in order; a gap in the numbers ends a paragraph. `lastLine` is the document's length. */
export function sentencesOf(path: string, lines: readonly NumberedLine[], lastLine: number): Sentence[] {
  const sentences: Sentence[] = [];
  const headings: string[] = [];
  // Plain text has no headings; there a short line alone is a title, and the first one that of the document.
  const titles: string[] = [];
  let paragraph: NumberedLine[] = [];
  let fence: string | undefined;
  // The attributes of a tag that is opened on one line and closed on a later one, as MDX has them.
  let insideTag = false;
  let previous = 0;
  const flush = (): void => {
    const above = [...headings, ...titles];
    sentences.push(...split(path, above, paragraph, lastLine));
    const [only, ...others] = paragraph;
    if (only !== undefined && others.length === 0 && TITLE.test(only.text)) titles.splice(Math.min(1, titles.length), 1, only.text);
    paragraph = [];
  };
  const isFramed = lines[0]?.line === 1 && lines[0].text === '---';
  const prose = lines.slice(isFramed ? lines.findIndex((each, at) => at > 0 && each.text === '---') + 1 : 0);
  for (const [at, each] of prose.entries()) {
    if (each.line !== previous + 1) {
      flush();
      fence = startsInsideCode(prose, at) ? '```' : undefined;
      insideTag = false;
    }
    previous = each.line;
    const text = each.text.trim();
    const mark = FENCE.exec(text)?.[0];
    const [, level = '', title] = /^(#{1,6})\s+(.+?)\s*#*$/u.exec(text) ?? [];
    if (fence !== undefined || mark !== undefined) {
      flush();
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
    } else if (title !== undefined) {
      flush();
      headings.splice(level.length - 1, headings.length, title);
    } else if (insideTag || /^<[A-Za-z][^>]*$/u.test(text)) {
      flush();
      insideTag = text !== '' && !/>$/u.test(text);
    } else if (text === '' || MARKUP.test(text)) flush();
    else {
      if (LIST_MARK.test(each.text)) flush();
      paragraph.push({ line: each.line, text: text.replace(LIST_MARK, '').replace(/^>\s*/u, '') });
    }
  }
  flush();
  return sentences;
}

/** Whether the unbroken lines from `at` begin in the middle of a code block: the first fence is bare, so it closes. */
function startsInsideCode(lines: readonly NumberedLine[], at: number): boolean {
  const start = lines[at]?.line ?? 1;
  const unbroken = lines.slice(at).filter(({ line }, next) => line === start + next);
  const first = unbroken.findIndex(({ text }) => FENCE.test(text.trim()));
  return start > 1 && first > 0 && unbroken[first]?.text.trim().replace(FENCE, '') === '';
}

function split(path: string, above: readonly string[], paragraph: readonly NumberedLine[], lastLine: number): Sentence[] {
  const sentences: Sentence[] = [];
  let words: string[] = [];
  let line = 0;
  const end = (): void => {
    const text = words.join(' ');
    const around = [...above, ...sentences.slice(-SENTENCES_BEFORE).map((each) => each.text)].join(' › ');
    // What ends in a colon announces something and says nothing by itself.
    if (words.length > 0 && !text.endsWith(':')) sentences.push({ path, text, line, around });
    words = [];
  };
  for (const each of paragraph) {
    for (const word of each.text.split(/\s+/u)) {
      if (words.length === 0) line = each.line;
      words.push(word);
      if (END.test(word) && !NO_END.test(word)) end();
    }
  }
  const last = paragraph.at(-1);
  const isCut = words.length > 0 && last !== undefined && last.line < lastLine && !/:\W*$/u.test(last.text);
  end();
  // A window may cut a paragraph in two; half a sentence is nothing to quote.
  if (isCut && paragraph.length > 1 && sentences.length > 1) sentences.pop();
  return sentences;
}
