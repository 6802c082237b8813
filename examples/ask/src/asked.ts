// What a journal is of: the question, the documents as they were read, and what else decides the answer. Owns what is said of
// a journal that is of something else.
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type Metadata, readJournal, SubAgentError } from 'subagents';
import { fileStore } from 'subagents/store/file';
import { type Options, UsageError } from './cli.js';
import type { Library } from './documents.js';
import { firstOf } from './model/evidence.js';

/** Kept with the lead, each by what it is called. Long texts are kept by their digests: there is no room for all of them. */
export function askedOf({ question, budget, delegate }: Options, { base, documents }: Library, model: string): Metadata {
  const held = documents.map(({ name, digest }) => [`document ${digestOf(name)}`, digest]);
  return { question: digestOf(question), budget, 'use of --no-delegate': !delegate, model, folder: base, ...Object.fromEntries(held) };
}

/** A journal answers what it was made for. It is only read here: what is refused leaves it as it is. Throws UsageError. */
export async function expectSame(journal: string, asked: Metadata, { documents }: Library): Promise<void> {
  if (!existsSync(journal)) return;
  try {
    await using kept = await readJournal(fileStore(journal, { readOnly: true }));
    for await (const _ of kept);
    const before = kept.view.list().items.find(({ parentId }) => parentId === null)?.metadata ?? asked;
    const differing = Object.keys({ ...before, ...asked }).filter((key) => before[key] !== asked[key]);
    const names = new Map(documents.map(({ name }) => [`document ${digestOf(name)}`, name]));
    const said = firstOf(differing.map((key) => names.get(key) ?? key.replace(/^document .*/u, 'a document that is gone')));
    if (said.length > 0) throw new UsageError(`--journal ${journal} differs in ${said.join(', ')}: name another file, or delete this one`);
  } catch (error) {
    throw error instanceof SubAgentError ? new UsageError(`--journal ${journal}: ${error.message}`) : error;
  }
}

/** Short, and still no two texts have the same. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}
