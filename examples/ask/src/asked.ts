// What a journal is of: the question, the documents as they were read, and what else decides the answer. Owns what is said of
// a journal that is of something else.
import { createHash } from 'node:crypto';
import type { Metadata } from 'subagents';

import type { Options } from './cli.js';
import type { Library } from './documents.js';
import { firstOf } from './model/evidence.js';
import { number } from './terminal.js';

/** Kept with the lead. Long texts are kept by their digests: there is no room for all of them. */
export interface Asked extends Metadata {
  readonly question: string;
  readonly budget: number;
  readonly delegate: boolean;
  readonly model: string;
  readonly folder: string;
  /** What each document held, by its name. */
  readonly documents: { readonly [name: string]: string };
}

export function askedOf({ question, budget, delegate }: Options, { base, documents }: Library, model: string): Asked {
  const held = documents.map(({ name, digest }) => [digestOf(name), digest]);
  return { question: digestOf(question), budget, delegate, model, folder: base, documents: Object.fromEntries(held) };
}

/** What a journal is of that this call does not ask for, or what has changed since; nothing where it goes on with it. */
export function differences(before: Partial<Asked>, now: Asked, { documents }: Library): string[] {
  const { documents: known } = before;
  if (known === undefined) return ['another version of this example'];
  const said = [];
  if (before.question !== now.question) said.push('another question');
  if (before.budget !== now.budget) said.push(`a budget of ${number(before.budget ?? 0)}`);
  if (before.delegate !== now.delegate) said.push(`a call with${before.delegate ? 'out' : ''} --no-delegate`);
  if (before.model !== now.model) said.push(`another model: ${before.model}`);
  if (before.folder !== now.folder) return [...said, `the documents in ${before.folder}`];
  const changed = documents.flatMap(({ name, digest }) => {
    const held = known[digestOf(name)];
    return held === digest ? [] : [`${name} ${held === undefined ? 'is new' : 'has changed'}`];
  });
  const gone = Object.keys(known).filter((name) => now.documents[name] === undefined).length;
  if (gone > 0) changed.push(`${gone} of them ${gone === 1 ? 'is' : 'are'} gone`);
  return changed.length === 0 ? said : [...said, `the documents as they were: ${firstOf(changed).join(', ')}`];
}

/** Short, and still no two texts have the same. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}
