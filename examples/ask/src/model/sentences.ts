// Sentences: cuts numbered lines of Markdown or plain text into sentences that know their first line.
// Code blocks, front matter and markup lines are no prose and give none.

export interface Sentence {
  readonly text: string;
  readonly path: string;
  readonly line: number;
  /** The nearest heading above, or an empty string. */
  readonly heading: string;
}

export interface NumberedLine {
  readonly line: number;
  readonly text: string;
}

const LIST_MARK = /^\s*(?:[-*+]|\d+[.)])\s+/u;
const ABBREVIATION = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|no|nr|mr|mrs|ms|dr|st|fig)|\b\p{Lu})\.$/iu;

/** `path`'s lines, in order; a gap in the numbers ends a paragraph. `lastLine` is the document's length. */
export function sentencesOf(path: string, lines: readonly NumberedLine[], lastLine: number): Sentence[] {
  const sentences: Sentence[] = [];
  let heading = '';
  let fence: string | undefined;
  let paragraph: NumberedLine[] = [];
  let previous = 0;

  const flush = (): void => {
    sentences.push(...split(path, paragraph, heading, lastLine));
    paragraph = [];
  };

  const frontMatterEnd =
    lines[0]?.line === 1 && lines[0].text === '---' ? lines.findIndex((each, at) => at > 0 && each.text === '---') : -1;
  const prose = lines.slice(frontMatterEnd + 1);
  for (const [at, each] of prose.entries()) {
    if (each.line !== previous + 1) {
      flush();
      fence = startsInsideCode(prose, at) ? '```' : undefined;
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
    const title = /^#{1,6}\s+(.+?)\s*#*$/u.exec(text)?.[1];
    if (title !== undefined) {
      flush();
      heading = title;
    } else if (text === '' || /^(?:<|\||import\s|export\s|[-=*_]{3,}$|\{\/?\*)/u.test(text)) {
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

function split(path: string, paragraph: readonly NumberedLine[], heading: string, lastLine: number): Sentence[] {
  const sentences: Sentence[] = [];
  const first = paragraph[0];
  const last = paragraph.at(-1);
  if (first === undefined || last === undefined) return sentences;

  let words: string[] = [];
  let line = first.line;
  const end = (): void => {
    // What ends in a colon announces something and says nothing by itself.
    const text = words.join(' ');
    if (words.length > 0 && !text.endsWith(':')) sentences.push({ text, path, line, heading });
    words = [];
  };
  for (const each of paragraph) {
    for (const word of each.text.split(/\s+/u)) {
      if (words.length === 0) line = each.line;
      words.push(word);
      if (/[.!?]["'”’)\]*_`]*$/u.test(word) && !ABBREVIATION.test(word)) end();
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
