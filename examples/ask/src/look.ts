// What the agents see of documents: the texts that list, read and search answer with. Pure; knows neither a disk nor a
// framework, so that a page in a browser uses the same.

const MAX_READ_LINES = 120;
const MAX_HITS = 12;
const MAX_LINE_LENGTH = 1_000;
const HIT_LENGTH = 160;
/** Of a line that read can't show whole, search shows this much around the words found. */
const EXCERPT_LENGTH = 600;
const EXCERPT_BEFORE = 200;

export interface Listed {
  readonly name: string;
  readonly lines: number;
  readonly bytes: number;
}

export interface Opened {
  readonly name: string;
  readonly lines: readonly string[];
}

export const LIST_DESCRIPTION = 'Lists the names of all documents.';
export const READ_DESCRIPTION = `Reads numbered lines of one document, at most ${MAX_READ_LINES} at a time.`;
export const SEARCH_DESCRIPTION =
  'Finds lines with words that begin with any of the words in the query, the fullest and rarest matches first.';
export const COUNT_DESCRIPTION = `Number of lines, default ${MAX_READ_LINES}.`;

export function listing(documents: readonly Listed[]): string {
  return [
    `${many(documents.length, 'document')}:`,
    ...documents.map((each) => `- ${each.name} (${many(each.lines, 'line')}, ${many(each.bytes, 'byte')})`),
  ].join('\n');
}

export function reading({ name, lines }: Opened, from = 1, count = MAX_READ_LINES): string {
  if (from > lines.length) return `${name} has only ${many(lines.length, 'line')}.`;
  const end = Math.min(lines.length, from - 1 + Math.min(count, MAX_READ_LINES));
  const shown = lines.slice(from - 1, end).map((line, at) => `${from + at}| ${cut(line, MAX_LINE_LENGTH)}`);
  return [`${name}, lines ${from}-${end} of ${lines.length}:`, ...shown].join('\n');
}

/** `open` is called for one document after the other. */
export async function searching(query: string, names: readonly string[], open: (name: string) => Promise<Opened>): Promise<string> {
  const wanted = [...new Set(wordsOf(query))];
  if (wanted.length === 0) return 'The query has no words.';
  const hits: { name: string; line: number; text: string; matched: string[] }[] = [];
  for (const each of names) {
    const { name, lines } = await open(each);
    lines.forEach((text, at) => {
      const words = wordsOf(text);
      const matched = wanted.filter((want) => words.some((word) => word.startsWith(want)));
      if (matched.length > 0) hits.push({ name, line: at + 1, text, matched });
    });
  }
  if (hits.length === 0) return `No line matches: ${wanted.join(', ')}`;
  // A word that few lines have says more. The sort is stable: equal matches stay in the order of documents and lines.
  const lines = (want: string): number => hits.filter((hit) => hit.matched.includes(want)).length;
  const weights = new Map(wanted.map((want) => [want, 1 + Math.log(hits.length / Math.max(1, lines(want)))]));
  const weight = (hit: { matched: string[] }): number => hit.matched.reduce((sum, want) => sum + (weights.get(want) ?? 0), 0);
  const best = hits.sort((a, b) => weight(b) - weight(a)).slice(0, MAX_HITS);
  return [
    `${best.length} of ${hits.length} matching lines:`,
    ...best.map((hit) => `${hit.name}:${hit.line}: ${shown(hit.text.trim(), wanted)}`),
  ].join('\n');
}

/** The words of a text; `sub-agent` also counts as `subagent`. */
function wordsOf(text: string): string[] {
  const lower = text.toLowerCase();
  const compounds = lower.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu) ?? [];
  return [...(lower.match(/[\p{L}\p{N}]+/gu) ?? []), ...compounds.map((word) => word.replaceAll('-', ''))];
}

/** What search shows of a line: its beginning, or of a very long one the place that has most of the words. */
function shown(text: string, wanted: readonly string[]): string {
  if (text.length <= MAX_LINE_LENGTH) return cut(text, HIT_LENGTH);
  const found = [...text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)].flatMap((match) => {
    const want = wanted.find((each) => match[0].startsWith(each));
    return want === undefined ? [] : [{ want, at: match.index }];
  });
  let best = { at: 0, words: 0 };
  for (const [from, { at }] of found.entries()) {
    const words = new Set<string>();
    for (let next = from; next < found.length && (found[next]?.at ?? 0) < at + EXCERPT_LENGTH - EXCERPT_BEFORE; next += 1) {
      words.add(found[next]?.want ?? '');
    }
    if (words.size > best.words) best = { at, words: words.size };
  }
  const start = Math.max(0, best.at - EXCERPT_BEFORE);
  const end = start + EXCERPT_LENGTH;
  // Half a character at either end is none.
  const part = text.slice(start, end).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return `${start > 0 ? '…' : ''}${part}${end < text.length ? '…' : ''}`;
}

function cut(text: string, length: number): string {
  const points = [...text];
  return points.length <= length ? text : `${points.slice(0, length).join('')}…`;
}

function many(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
