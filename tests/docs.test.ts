// The pages of the frameworks: their code is what the tests of the frameworks run, and every adapter that
// the package exports has a page.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = join(root, 'docs/frameworks');
const pages = readdirSync(folder).filter((name) => name !== 'README.md');

describe('the pages of the frameworks', () => {
  test.each(pages)('the code of %s is the file that is tested', (page) => {
    const text = readFileSync(join(folder, page), 'utf8');
    const blocks = [...text.matchAll(/(?:<!-- file: (\S+) -->\n)?```ts\n([\s\S]*?)```/g)];
    expect(blocks.length).toBeGreaterThan(0);
    for (const [, file, code] of blocks) {
      expect(file, 'each block of code names its file').toBeDefined();
      expect(code).toBe(readFileSync(join(root, file as string), 'utf8'));
    }
  });

  test('every adapter has a page, and the list names every page', () => {
    const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, unknown> };
    const adapters = readdirSync(join(root, 'dist/adapters')).filter((name) => name.endsWith('.d.cts'));
    const text = pages.map((page) => readFileSync(join(folder, page), 'utf8')).join('\n');
    for (const name of adapters) {
      const path = name.replace(/\.d\.cts$/, '');
      expect(Object.keys(exports)).toContain(`./${path}`);
      expect(text).toContain(`'subagents/${path}'`);
    }
    const list = readFileSync(join(folder, 'README.md'), 'utf8');
    for (const page of pages) expect(list).toContain(`](${page})`);
  });
});
