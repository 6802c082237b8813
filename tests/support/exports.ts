// What a built file of types exports.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a name that an entry exports is declared. */
export type Exports = Map<string, string>;

/** What a file of types exports, its own and what it hands on. */
export function exportsOf(file: string): Exports {
  const text = readFileSync(file, 'utf8');
  const found: Exports = new Map();
  const fileOf = (path: string): string => {
    if (!path.startsWith('subagents')) return join(dirname(file), path.replace(/\.js$/, '.d.ts'));
    return join(import.meta.dirname, '../../dist', path.slice('subagents'.length), 'index.d.ts');
  };
  for (const [, path] of text.matchAll(/^export (?:type )?\* from '(.*)';/gm)) {
    for (const [name, place] of exportsOf(fileOf(path as string))) found.set(name, place);
  }
  for (const [, names, path] of text.matchAll(/^export (?:type )?\{([^}]*)\}(?: from '(.*)')?;/gm)) {
    for (const part of (names as string).split(',').map((name) => name.trim().replace(/^type /, ''))) {
      const name = part.split(' as ').at(-1) as string;
      if (name !== '') found.set(name, path === undefined ? file : fileOf(path));
    }
  }
  const declared = /^export (?:declare )?(?:abstract )?(?:class|function|const|interface|type) ([\w$]+)/gm;
  for (const [, name] of text.matchAll(declared)) found.set(name as string, file);
  return found;
}
