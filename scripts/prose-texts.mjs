// The texts in sources that people and models read: comments that editors show, and heads of files. Then the texts of errors,
// tools, the command line, the inspector and the playground. Owns which parts of a source are such texts.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'acorn';
import { transformSync } from 'esbuild';
import { below } from './system.mjs';

/** Folders whose texts people or models read. */
const SPOKEN = ['ts', 'inspector/src', 'inspector/node', 'playground/src', 'command', 'examples'];
/** Folders whose files first state what they own. */
const HEADED = ['src', 'ts', 'xtask/src', 'command', 'inspector/src', 'inspector/node', 'scripts', 'bench'];
/** Sources by others, and generated ones, whose tables are read instead. */
const MADE = /(?:^|\/)(?:generated|entries|node_modules)\/|\.d\.ts$|node-modules/;
/** Tests of examples, and a list of words. */
const SILENT = /^examples\/(?:.*\/test\/|ask\/src\/model\/words)/;
/** A text for readers has a few words; a shorter one is a name. */
const WORDS = /^[^\s<>{}=;]+(?: [^\s]+){3,}/;
/** Code, styles and markup in a text. */
const CODE = /[{};]\s*$|=>|<\w+[ >]|\bvar\(--|^\s*(?:import|const|SELECT|INSERT|CREATE|DELETE|UPDATE|local) /;

/** @param {string} root The folder of the package. */
export function textsIn(root) {
  const spoken = sources(root, SPOKEN).filter((path) => !SILENT.test(path));
  return spoken.flatMap((path) => {
    const loader = path.endsWith('x') ? 'tsx' : path.endsWith('.mjs') ? 'js' : 'ts';
    const { code } = transformSync(readFileSync(join(root, path), 'utf8'), {
      loader,
      jsx: 'preserve' === loader ? 'preserve' : 'automatic',
    });
    const found = [];
    walk(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), (text) => {
      if (WORDS.test(text) && !CODE.test(text)) found.push(text);
    });
    // In a usage text, each line is a sentence of its own.
    return found.map((text) => ({ path, text: text.replaceAll(/ *\n +/g, '\n\n').replaceAll(/[^\S\n]+/g, ' ') }));
  });
}

/** The texts of refusals, for the program and for a model. */
export function refusalsIn(root) {
  const path = 'src/model/rejection.rs';
  const [rows] = readFileSync(join(root, path), 'utf8').split('#[cfg(test)]');
  const texts = (rows ?? '').matchAll(/"((?:[^"\\]|\\.)*)"/gs);
  return Array.from(texts, ([, text]) => text.replaceAll(/\\\n\s*/g, '').replaceAll(/\{[^}]*\}/g, '`x`'))
    .filter((text) => WORDS.test(text))
    .map((text) => ({ path, text }));
}

/** The first comment of each source, which states what its file owns. Diagrams, commands and types in it are no prose. */
export function headsIn(root) {
  return sources(root, HEADED, /\.(?:rs|tsx?|mjs)$/).map((path) => {
    const [, head = ''] = readFileSync(join(root, path), 'utf8').match(/^(?:#!.*\n)?((?:\/\/.*\n)+|\/\*\*[\s\S]*?\*\/)/) ?? [];
    const text = head.replaceAll(/^ ?(?:\/\/!?|\/\*\*|\*(?!\/)) ?| ?\*\/$/gm, '');
    return { path, text: text.replaceAll(/^```[\s\S]*?^```$|^(?:@| {2}).*$/gm, '') };
  });
}

/** The comments of exports: from the pages of the reference, and for the faces, which have no page there, from their types. */
export function commentsIn(root) {
  const pages = below(join(root, 'docs/reference/api'))
    .filter((name) => name !== 'pkg.md')
    .map((name) => `docs/reference/api/${name}`);
  const faces = below(join(root, 'dist/from')).filter((name) => name.endsWith('.d.ts'));
  return [
    ...['docs/reference/events.md', ...pages].flatMap((path) =>
      lastCells(readFileSync(join(root, path), 'utf8')).map((text) => ({ path, text })),
    ),
    ...faces.flatMap((name) => {
      const comments = readFileSync(join(root, 'dist/from', name), 'utf8').matchAll(/\/\*\*(.*?)\*\//gs);
      return Array.from(comments, ([, comment]) => ({ path: `ts/from/${name.replace('.d.ts', '.ts')}`, text: proseOf(comment) }));
    }),
  ];
}

/** The prose of a page: the last cells of tables, and all else except headings and signatures. */
function lastCells(page) {
  const lines = page.replaceAll(/^( *)```.*?^\1```$/gms, '').split('\n');
  return lines
    .filter((line) => !/^(?:#|>|\|[ -]*-)/.test(line))
    .map((line) => (line.startsWith('|') ? line.split(/(?<!\\) ?\| ?/).at(-2) : line).replaceAll(/<br>| - (?=`)/g, '\n\n'))
    .filter((text) => text.includes(' ') && !/^(?:\\[{[]|\[)/.test(text));
}

/** A comment without its marks, tags and code. */
function proseOf(comment) {
  return comment
    .replaceAll(/^\s*\* ?/gm, '')
    .replaceAll(/```.*?```/gs, '')
    .replaceAll(/^@(?:internal|default|returns?|param (?:\S+ )?)/gm, '')
    .trim();
}

function sources(root, folders, ending = /\.(?:tsx?|mjs)$/) {
  return folders.flatMap((folder) =>
    below(join(root, folder))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => ending.test(path) && !MADE.test(path)),
  );
}

/** Calls `say` for each text of a tree; an insertion in a template counts as one word. */
function walk(node, say) {
  if (typeof node !== 'object' || node === null) return;
  if (node.type === 'Literal' && typeof node.value === 'string') say(node.value);
  if (node.type === 'TemplateLiteral') say(node.quasis.map(({ value }) => value.cooked ?? '').join('`x`'));
  for (const value of Object.values(node)) {
    if (Array.isArray(value)) for (const each of value) walk(each, say);
    else walk(value, say);
  }
}
