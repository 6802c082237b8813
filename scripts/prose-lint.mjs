// Lints the prose with textlint: the length of a sentence, and the words of `prose-words.yml`. It reads every page that people
// write, the tools' texts for a model, comments of exports, heads of files, and the texts in sources. Owns the maximum length
// of a page, of all pages together and of a cell.

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SubAgentManager } from '../dist/index.js';
import { commentsIn, headsIn, refusalsIn, textsIn } from './prose-texts.mjs';
import { node, root } from './run.mjs';
import { below } from './system.mjs';

const MAX_WORDS = { page: 1_200, docs: 28_000, cell: 20, 'README.md': 700 };

/** Pages of `docs/` that are made from sources, and the list of rules, which is exact before it is short. */
const MADE = /^(?:reference\/|rules\.md$)/;
const docs = below(join(root, 'docs')).filter((path) => path.endsWith('.md') && !MADE.test(path.replaceAll('\\', '/')));
/** Made from tables of sentences: their words are linted as well, but not counted. */
const tables = ['errors', 'limits', 'names'].map((name) => join('docs', 'reference', `${name}.md`));
const others = ['README.md', 'llms.txt', 'skills/subagents/SKILL.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'tests/README.md'];
const pages = [...docs.map((path) => join('docs', path)), ...others];

/** A page without its code and its comments. */
const proseOf = (page) =>
  readFileSync(join(root, page), 'utf8')
    .replaceAll(/^( *)```.*?^\1```$/gms, '')
    .replaceAll(/<!--.*?-->/gs, '');
/** Code counts as one word, and the target of a link as none. */
const wordsIn = (text) =>
  text
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/\]\([^)]*\)/g, ']')
    .match(/[\p{L}\p{N}]\S*/gu)?.length ?? 0;

const mistakes = [];
let total = 0;
for (const page of pages) {
  const prose = proseOf(page);
  const words = wordsIn(prose);
  if (page.startsWith('docs')) total += words;
  const most = MAX_WORDS[page] ?? MAX_WORDS.page;
  if (words > most) mistakes.push(`${page}: ${words} words; it has at most ${most}`);
}
/** Besides these, checks the rows in the reference of the API: the third cell, after a name and a type. */
const api = below(join(root, 'docs/reference/api')).map((path) => join('docs', 'reference', 'api', path));
for (const page of [...pages, ...tables, join('docs', 'reference', 'events.md'), ...api]) {
  const rows = (proseOf(page).match(/^\|.*\|$/gm) ?? []).map((row) => row.split(/(?<!\\)\|/));
  for (const cell of rows.flatMap((row) => (api.includes(page) ? row.slice(3) : row))) {
    if (wordsIn(cell) > MAX_WORDS.cell)
      mistakes.push(`${page}: ${wordsIn(cell)} words in a cell; it has at most ${MAX_WORDS.cell}: ${cell.trim()}`);
  }
}
if (total > MAX_WORDS.docs) mistakes.push(`docs/: ${total} words; together they have at most ${MAX_WORDS.docs}`);
process.stderr.write(
  `${total} words in ${docs.length} pages of docs/, beside code and what is made\n${mistakes.map((text) => `${text}\n`).join('')}`,
);
if (mistakes.length > 0) process.exitCode = 1;

const folder = mkdtempSync(join(tmpdir(), 'subagents-prose-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const manager = new SubAgentManager();
const described = [...manager.createTools()].flatMap(({ name, description, parameters }) => [
  `${name}: ${description}`,
  ...Object.entries(parameters.properties).map(([parameter, { description }]) => `${name}.${parameter}: ${description}`),
]);
manager.dispose();
writeFileSync(join(folder, 'tools.md'), described.join('\n\n'));
// A file for each source, so that textlint names it.
const sources = new Set();
for (const { path, text } of [...textsIn(root), ...refusalsIn(root), ...commentsIn(root), ...headsIn(root)]) {
  const file = join(folder, `${path.replaceAll('/', '-')}.md`);
  appendFileSync(file, `${text}\n\n`);
  sources.add(file);
}
const textlint = [join(root, 'node_modules/textlint/bin/textlint.js'), '-f', 'unix'];
node('the prose', [...textlint, ...pages, ...tables, 'docs/rules.md', join(folder, 'tools.md')]);
node('the texts and comments of sources', [...textlint, ...sources]);
