// What the agents see of documents: the texts that list, read and search answer with. Pure; knows neither a disk nor a
// framework, so that a page in a browser uses the same.
import MiniSearch from 'minisearch';
import { count, cut, stemOf, wordsOf } from './model/words.js';

const MAX_READ_LINES = 120;
const MAX_HITS = 12;
const MAX_LINE_LENGTH = 1_000;
const HIT_LENGTH = 160;
/** A line that read can't show whole is searched in passages, which are shown whole: sentences if it has some, else words. */
const PASSAGE = /\s*\S[\s\S]{0,600}(?:(?<=[.!?])(?!\S)|$)|\s*\S[\s\S]{0,600}(?!\S)|[\s\S]{1,600}/gu;

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
  const names = documents.map((each) => `- ${each.name} (${count(each.lines, 'line')}, ${count(each.bytes, 'byte')})`);
  return [`${count(documents.length, 'document')}:`, ...names].join('\n');
}

export function reading({ name, lines }: Opened, from = 1, most = MAX_READ_LINES): string {
  if (from > lines.length) return `${name} has only ${count(lines.length, 'line')}.`;
  const end = Math.min(lines.length, from - 1 + Math.min(most, MAX_READ_LINES));
  const shown = lines.slice(from - 1, end).map((line, at) => `${from + at}| ${cut(line, MAX_LINE_LENGTH)}`);
  return [`${name}, lines ${from}-${end} of ${lines.length}:`, ...shown].join('\n');
}

/** `open` is called for one document after the other. */
export async function searching(query: string, names: readonly string[], open: (name: string) => Promise<Opened>): Promise<string> {
  const words = wordsOf(query);
  if (words.length === 0) return 'The query has no words.';
  const index = new MiniSearch({ fields: ['text'], tokenize: wordsOf, processTerm: stemOf });
  const lines: { id: number; text: string; shown: string }[] = [];
  for (const each of names) {
    const { name, lines: all } = await open(each);
    for (const [at, line] of all.entries()) {
      const passages = line.length > MAX_LINE_LENGTH ? line.match(PASSAGE) : null;
      for (const text of passages ?? [line]) {
        lines.push({ id: lines.length, text, shown: `${name}:${at + 1}: ${passages === null ? cut(text.trim(), HIT_LENGTH) : text}` });
      }
    }
  }
  index.addAll(lines);
  const hits = index.search(query, { prefix: true }).sort((a, b) => b.score - a.score || a.id - b.id);
  if (hits.length === 0) return `No line matches: ${words.join(', ').toLowerCase()}`;
  const best = hits.slice(0, MAX_HITS).map(({ id }) => lines[id as number]?.shown ?? '');
  return [`${best.length} of ${hits.length} matching lines:`, ...best].join('\n');
}
