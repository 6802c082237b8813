// Sentences: cuts numbered lines of Markdown or plain text into sentences that know their first line.
// Code blocks, front matter and markup lines are no prose and give none.

export interface Sentence {
  readonly text: string;
  readonly path: string;
  readonly line: number;
  /** The headings above, the outermost first; or an empty string. */
  readonly heading: string;
  /** What was said just before it: a title in plain text, the two sentences before it in its paragraph. */
  readonly context: string;
}

export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

/** Tags, tables, rules, and lines of code that stand outside of a code block, as MDX has them. */
const MARKUP = /^(?:[<|{}\])]|\/>|import\s|export\s|[-=*_]{3,}$|\w+[:=]\s*['"`{[])/u;
/** At most eight words without a mark at their end. */
const TITLE = /^\S+(?: \S+){0,7}(?<![.!?:;,])$/u;
const CONTEXT_SENTENCES = 2;
const LIST_MARK = /^\s*(?:[-*+]|\d+[.)])\s+/u;
const ABBREVIATION = /\b(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|mr|mrs|ms|dr|st|fig)\.$/iu;
/** The first letter of a name. */
const INITIAL = /^\p{Lu}\.$/u;

/** `path`'s lines, in order; a gap in the numbers ends a paragraph. `lastLine` is the document's length. */
export function sentencesOf(path: string, lines: readonly NumberedLine[], lastLine: number): Sentence[] {
  const sentences: Sentence[] = [];
  const headings: string[] = [];
  let heading = '';
  let fence: string | undefined;
  // The attributes of a tag that is opened on one line and closed on a later one, as MDX has them.
  let insideTag = false;
  let paragraph: NumberedLine[] = [];
  let previous = 0;

  // Plain text has no headings; there a short line alone is a title, and the first one that of the document.
  const titles: string[] = [];
  const flush = (): void => {
    sentences.push(...split(path, paragraph, heading, titles.join(' '), lastLine));
    const [only, ...others] = paragraph;
    if (only !== undefined && others.length === 0 && TITLE.test(only.text)) titles.splice(Math.min(1, titles.length), 1, only.text);
    paragraph = [];
  };

  const frontMatterEnd =
    lines[0]?.line === 1 && lines[0].text === '---' ? lines.findIndex((each, at) => at > 0 && each.text === '---') : -1;
  const prose = lines.slice(frontMatterEnd + 1);
  for (const [at, each] of prose.entries()) {
    if (each.line !== previous + 1) {
      flush();
      fence = startsInsideCode(prose, at) ? '```' : undefined;
      insideTag = false;
    }
    previous = each.line;
    const text = each.text.trim();
    const mark = /^(?:```+|~~~+)/u.exec(text)?.[0];
    if (fence !== undefined || mark !== undefined) {
      flush();
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
      continue;
    }
    const [, level = '', title] = /^(#{1,6})\s+(.+?)\s*#*$/u.exec(text) ?? [];
    if (title !== undefined) {
      flush();
      headings.length = Math.min(headings.length, level.length - 1);
      headings[level.length - 1] = title;
      heading = headings.filter(Boolean).join(' › ');
    } else if (insideTag || /^<[A-Za-z][^>]*$/u.test(text)) {
      flush();
      insideTag = text !== '' && !/>$/u.test(text);
    } else if (text === '' || MARKUP.test(text)) {
      flush();
    } else {
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
  if (start === 1) return false;
  for (let next = at; lines[next]?.line === start + next - at; next += 1) {
    const fence = /^\s*(?:```+|~~~+)(.*)$/u.exec(lines[next]?.text ?? '');
    if (fence !== null) return fence[1]?.trim() === '' && next > at;
  }
  return false;
}

function split(path: string, paragraph: readonly NumberedLine[], heading: string, title: string, lastLine: number): Sentence[] {
  const sentences: Sentence[] = [];
  const first = paragraph[0];
  const last = paragraph.at(-1);
  if (first === undefined || last === undefined) return sentences;

  let words: string[] = [];
  let line = first.line;
  const end = (): void => {
    // What ends in a colon announces something and says nothing by itself.
    const text = words.join(' ');
    const before = sentences.slice(-CONTEXT_SENTENCES).map((each) => each.text);
    if (words.length > 0 && !text.endsWith(':')) sentences.push({ text, path, line, heading, context: [title, ...before].join(' ') });
    words = [];
  };
  for (const each of paragraph) {
    for (const word of each.text.split(/\s+/u)) {
      if (words.length === 0) line = each.line;
      words.push(word);
      if (/[.!?]["'”’)\]*_`]*$/u.test(word) && !ABBREVIATION.test(word) && !INITIAL.test(word)) end();
    }
  }
  const complete = words.length === 0;
  end();
  // A window may cut a paragraph in two; half a sentence is nothing to quote.
  if (!complete && last.line < lastLine && paragraph.length > 1 && !/[.!?:]\W*$/u.test(last.text) && sentences.length > 1) {
    sentences.pop();
  }
  return sentences;
}
