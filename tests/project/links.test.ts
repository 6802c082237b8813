// The links of every page lead to a file that is there and, where they name a heading, to that heading. Links to other
// places in the network are not followed.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { describe, expect, test } from 'vitest';
import { npm } from '../../scripts/system.mjs';

const root = join(import.meta.dirname, '../..');
const pages = execFileSync('git', ['ls-files', '*.md', 'llms.txt'], { cwd: root, encoding: 'utf8' }).trim().split('\n');

/** A page without its code, in which nothing is a link or a heading. */
const textOf = (page: string): string => readFileSync(join(root, page), 'utf8').replaceAll(/^( *)```.*?^\1```$/gms, '');

/** The places of a page that links can name: its headings, as GitHub calls them, and its anchors. */
function placesOf(page: string): Set<string> {
  const places = new Set<string>();
  const text = textOf(page);
  for (const [, heading] of text.matchAll(/^#{1,6} +(.*)$/gm)) {
    const plain = (heading as string).replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/<[^>]*>/g, '');
    const place = plain
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    let unlike = place;
    for (let times = 1; places.has(unlike); times++) unlike = `${place}-${times}`;
    places.add(unlike);
  }
  for (const [, id] of text.matchAll(/<a id="([^"]*)">/g)) places.add(id as string);
  return places;
}

/** The links of a text. */
function linksOf(text: string): string[] {
  const links = text.replaceAll(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]*)\)/g);
  return Array.from(links, ([, link]) => link as string);
}

/** What is wrong with the links of a page. */
function lost(page: string): string[] {
  return linksOf(textOf(page)).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [path = '', place] = link.split('#');
    const file = path === '' ? page : posix.join(posix.dirname(page), path);
    if (!existsSync(join(root, file))) return true;
    return place !== undefined && !placesOf(file).has(decodeURIComponent(place));
  });
}

/** What the package that is published has. */
function packedFiles(): string[] {
  const said = execFileSync(...npm(['pack', '--dry-run', '--ignore-scripts', '--json']), { cwd: root, encoding: 'utf8' });
  // A list, or since npm 12 an object by the name of the package.
  const [{ files }] = Object.values(JSON.parse(said)) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

/** What is in the repository alone, since it would weigh more than it shows; a picture says by its text what it would show. */
const NOT_PACKED = /^(?:docs\/reference\/api\/|docs\/(?:architecture|rules)\.md$|CONTRIBUTING\.md$|examples\/)/;
const PICTURES = /^docs\/images\//;

describe('links', () => {
  test('those of packed pages lead to what is packed, or say that it is in the repository', () => {
    const packed = packedFiles();
    const packedPages = packed.filter((file) => pages.includes(file));
    expect(packedPages).toContain('README.md');
    const dangling = packedPages.flatMap((page) =>
      textOf(page)
        .split('\n')
        .flatMap((line) => {
          const outside = linksOf(line).filter((link) => {
            const [path = ''] = link.split('#');
            if (path === '' || /^[a-z]+:/.test(link)) return false;
            const file = posix.join(posix.dirname(page), path);
            if (packed.some((name) => name === file || name.startsWith(`${file.replace(/\/$/, '')}/`)) || PICTURES.test(file)) return false;
            return !(NOT_PACKED.test(file) && /the repository/.test(line));
          });
          return outside.map((link) => `${page}: ${link}`);
        }),
    );
    expect(dangling).toEqual([]);
  });

  test.each(pages)('those of %s lead somewhere', (page) => {
    expect(lost(page)).toEqual([]);
  });
});
