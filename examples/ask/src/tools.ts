// The tools of the agents: list, read and search over one Library, as AI SDK tools.
// What they refuse comes back as text that a model can act on; no path reaches the disk but through the Library.
import { tool } from 'ai';
import { z } from 'zod';

import { DocumentError, type Library } from './documents.js';
import * as look from './look.js';

export function createDocumentTools(library: Library) {
  const { documents } = library;
  const open = (path: string): Promise<look.Opened> => library.read(path);
  return {
    list: tool({ description: look.LIST_DESCRIPTION, inputSchema: z.object({}), execute: () => look.listing(documents) }),

    read: tool({
      description: look.READ_DESCRIPTION,
      inputSchema: z.object({
        path: z.string().describe('A document name from list.'),
        from: z.number().int().min(1).optional().describe('First line, default 1.'),
        count: z.number().int().min(1).optional().describe(look.COUNT_DESCRIPTION),
      }),
      execute: ({ path, from, count }) => asText(async () => look.reading(await open(path), from, count)),
    }),

    search: tool({
      description: look.SEARCH_DESCRIPTION,
      inputSchema: z.object({
        query: z.string().describe('Words or beginnings of words.'),
        path: z.string().optional().describe('One document; all of them when left out.'),
      }),
      execute: ({ query, path }) =>
        asText(() => look.searching(query, path === undefined ? documents.map((each) => each.name) : [path], open)),
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
