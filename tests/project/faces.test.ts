// What a face is: one file of at most 300 lines, over what any program can import, and nothing of it in the default bundle.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** A text of each face that stands nowhere else. */
const MARKS: Record<string, string> = {
  calute: 'Spawned agent input is required',
  cortex: 'Parent agent destroyed',
  'cortex-python': 'parseSummary',
  nanobot: 'Task completed but no final response was generated.',
  oxide: 'MANUAL LABOR DETECTED',
};

/** What a built file loads, itself included. */
function loaded(path: string, known = new Set<string>()): Set<string> {
  if (known.has(path)) return known;
  known.add(path);
  for (const [, other] of read(path).matchAll(/(?:from ?|import ?\(?)['"](\.[^'"]*)['"]/g))
    if (other?.endsWith('.js')) loaded(join(dirname(path), other), known);
  return known;
}

describe('the faces', () => {
  test('each is known here', () => {
    const faces = readdirSync(join(root, 'ts/from'));
    expect(faces.sort()).toEqual(
      Object.keys(MARKS)
        .map((name) => `${name}.ts`)
        .sort(),
    );
  });

  test.each(Object.entries(MARKS))('%s: one file of at most 300 lines, over the public API alone', (name, mark) => {
    const source = read(`ts/from/${name}.ts`);
    expect(source.trimEnd().split('\n').length).toBeLessThanOrEqual(300);
    const { exports: entries } = JSON.parse(read('package.json')) as { exports: object };
    const isPublic = (from: string): boolean => from.startsWith('subagents') && Object.hasOwn(entries, from.replace('subagents', '.'));
    const imported = Array.from(source.matchAll(/(?:from|import) ?\(?'([^']*)'/g), ([, from]) => from as string);
    expect(imported).toContain('subagents');
    expect(imported.filter((from) => !isPublic(from))).toEqual([]);
    expect(read(`dist/from/${name}.js`)).toContain(mark);
  });

  test('the default entry loads nothing of them', () => {
    const files = [...loaded('dist/index.js')];
    expect(files).toContain(join('dist', 'shared.js'));
    expect(files.filter((file) => file.includes('from'))).toEqual([]);
    const texts = files.map(read);
    for (const mark of Object.values(MARKS)) expect(texts.some((text) => text.includes(mark))).toBe(false);
  });
});
