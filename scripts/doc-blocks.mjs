// The blocks of code in the documentation: their places, their marks, their output. Owns the marks, which CONTRIBUTING.md
// explains. Runs nothing.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { below } from './system.mjs';

/** Comments right before a fence, the fence's line, its code, and a block of text right after it. */
const BLOCK =
  /^(?<marks>(?:<!-- [\s\S]*? ?-->\n)*)(?<indent> *)```(?<info>[^\n]*)\n(?<code>[\s\S]*?)^\k<indent>```$(?:\n+\k<indent>```text\n(?<printed>[\s\S]*?)^\k<indent>```$)?/gm;
const MARK = /<!-- (\w+):\s([\s\S]*?)\s?-->\n/g;

/** Every page of documentation that has code: paths below the root of the package. */
export function pagesOf(root) {
  const folders = ['docs', 'skills'].filter((name) => existsSync(join(root, name)));
  const deeper = folders.flatMap((name) => below(join(root, name)).map((path) => `${name}/${path}`));
  return [...readdirSync(root), ...deeper].filter((name) => /\.md$|^llms\.txt$/.test(name) && !name.includes('node_modules')).sort();
}

/** The code blocks of a page, in order. */
export function blocksOf(root, page) {
  const text = readFileSync(join(root, page), 'utf8');
  const blocks = [];
  for (const match of text.matchAll(BLOCK)) {
    const { marks, indent, info, code, printed } = match.groups;
    const [language, ...words] = info.trim().split(/\s+/);
    const marked = Object.fromEntries(Array.from(marks.matchAll(MARK), ([, key, value]) => [key, value]));
    const unindented = (lines) => lines?.replaceAll(new RegExp(`^${indent}`, 'gm'), '');
    blocks.push({
      page,
      line: text.slice(0, match.index + marks.length).split('\n').length,
      language,
      words,
      file: marked.file,
      framework: marked.framework,
      given: marked.given ?? '',
      code: unindented(code),
      printed: unindented(printed),
    });
  }
  return blocks;
}
