// The tools of the agents: list, read and search over one Library, as AI SDK tools.
// What they refuse comes back as text that a model can act on; no path reaches the disk but through the Library.
import { tool } from 'ai';
import { z } from 'zod';

import { DocumentError, type Library } from './documents.js';

const MAX_READ_LINES = 120;
const MAX_HITS = 12;
const MAX_LINE_LENGTH = 1_000;
const HIT_LENGTH = 160;
/** Of a line that read can't show whole, search shows this much around the words found. */
const EXCERPT_LENGTH = 600;
const EXCERPT_BEFORE = 200;

export type DocumentToolName = keyof ReturnType<typeof createDocumentTools>;
export const DOCUMENT_TOOL_NAMES = ['list', 'read', 'search'] as const satisfies readonly DocumentToolName[];

export function createDocumentTools(library: Library) {
  const { documents } = library;
  return {
    list: tool({
      description: 'Lists the names of all documents.',
      inputSchema: z.object({}),
      execute: () =>
        [`${documents.length} documents:`, ...documents.map((each) => `- ${each.name} (${each.lines} lines, ${each.bytes} bytes)`)].join(
          '\n',
        ),
    }),

    read: tool({
      description: `Reads numbered lines of one document, at most ${MAX_READ_LINES} at a time.`,
      inputSchema: z.object({
        path: z.string().describe('A document name from list.'),
        from: z.number().int().min(1).optional().describe('First line, default 1.'),
        count: z.number().int().min(1).optional().describe(`Number of lines, default ${MAX_READ_LINES}.`),
      }),
      execute: ({ path, from = 1, count = MAX_READ_LINES }) =>
        asText(async () => {
          const { document, lines } = await library.lines(path);
          if (from > lines.length) return `${document.name} has only ${lines.length} lines.`;
          const end = Math.min(lines.length, from - 1 + Math.min(count, MAX_READ_LINES));
          const shown = lines.slice(from - 1, end).map((line, at) => `${from + at}| ${cut(line, MAX_LINE_LENGTH)}`);
          return [`${document.name}, lines ${from}-${end} of ${lines.length}:`, ...shown].join('\n');
        }),
    }),

    search: tool({
      description: 'Finds lines with words that begin with any of the words in the query, the fullest and rarest matches first.',
      inputSchema: z.object({
        query: z.string().describe('Words or beginnings of words.'),
        path: z.string().optional().describe('One document; all of them when left out.'),
      }),
      execute: ({ query, path }) =>
        asText(async () => {
          const wanted = [...new Set(wordsOf(query))];
          if (wanted.length === 0) return 'The query has no words.';
          const names = path === undefined ? library.documents.map((each) => each.name) : [path];
          const hits: { name: string; line: number; text: string; matched: string[] }[] = [];
          for (const name of names) {
            const { document, lines } = await library.lines(name);
            lines.forEach((text, at) => {
              const words = wordsOf(text);
              const matched = wanted.filter((want) => words.some((word) => word.startsWith(want)));
              if (matched.length > 0) hits.push({ name: document.name, line: at + 1, text, matched });
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
        }),
    }),
  };
}

async function asText(work: () => Promise<string>): Promise<string> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DocumentError) return `Refused: ${error.message}`;
    throw error;
  }
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
