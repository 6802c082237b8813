// The tools of the agents: list, read and search over one Library, as AI SDK tools.
// What they refuse comes back as text that a model can act on; no path reaches the disk but through the Library.
import { tool } from 'ai';
import { z } from 'zod';

import { DocumentError, type Library } from './documents.js';
import {
  COUNT_DESCRIPTION,
  LIST_DESCRIPTION,
  listing,
  type Opened,
  READ_DESCRIPTION,
  reading,
  SEARCH_DESCRIPTION,
  searching,
} from './look.js';

export type DocumentToolName = keyof ReturnType<typeof createDocumentTools>;
export const DOCUMENT_TOOL_NAMES = ['list', 'read', 'search'] as const satisfies readonly DocumentToolName[];

export function createDocumentTools(library: Library) {
  const { documents } = library;
  const open = async (path: string): Promise<Opened> => {
    const { document, lines } = await library.lines(path);
    return { name: document.name, lines };
  };
  return {
    list: tool({ description: LIST_DESCRIPTION, inputSchema: z.object({}), execute: () => listing(documents) }),

    read: tool({
      description: READ_DESCRIPTION,
      inputSchema: z.object({
        path: z.string().describe('A document name from list.'),
        from: z.number().int().min(1).optional().describe('First line, default 1.'),
        count: z.number().int().min(1).optional().describe(COUNT_DESCRIPTION),
      }),
      execute: ({ path, from, count }) => asText(async () => reading(await open(path), from, count)),
    }),

    search: tool({
      description: SEARCH_DESCRIPTION,
      inputSchema: z.object({
        query: z.string().describe('Words or beginnings of words.'),
        path: z.string().optional().describe('One document; all of them when left out.'),
      }),
      execute: ({ query, path }) => asText(() => searching(query, path === undefined ? documents.map((each) => each.name) : [path], open)),
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
