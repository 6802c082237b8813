// Checks the order of the folders: reads every import of ts/ and tests/, types too, and every path of src/. It refuses one that
// goes up, one from the boundary past the manager, and a circle of files. `node scripts/rooms.mjs [FOLDER]` prints the
// mistakes.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { slashed } from './system.mjs';

/** From the top to the bottom: a file may import from its own folder and from those below it. */
const ORDER = {
  ts: [
    'entries',
    'from',
    'workers',
    'index.ts',
    'api',
    'tools',
    'commands',
    'policies',
    'runs',
    'reading',
    'options',
    'view',
    'snapshots',
    'boundary',
    'stores',
    'base',
  ],
  src: ['lib.rs', 'wasm', 'manager', 'manager.rs', 'rules', 'step.rs', 'shown.rs', 'search', 'waits', 'read', 'state', 'model', 'base'],
  tests: [
    'recipes',
    'from',
    'package',
    'workers',
    'project',
    'artefacts',
    'collector',
    'inspector',
    'local-model',
    'clients',
    'agents',
    'outside',
    'types',
    'frameworks',
    'runtimes',
    'crash',
    'support',
    'generated',
  ],
};

/** Folders that have the place of another one. */
const BESIDE = { generated: 'base' };

/** Folders that the boundary reaches only through the manager. */
const BEHIND_THE_MANAGER = ['rules', 'step.rs', 'search', 'waits'];

/**
 * Calls between the subjects of `src/rules/`. Runs end, wait, are notified and start one another: a new arrow is a decision.
 */
const CALLS = {
  clock: ['budget', 'messages', 'notices', 'policies', 'runs', 'scheduling', 'waiting'],
  journal: ['budget', 'clock', 'notices', 'runs', 'scheduling'],
  messages: ['runs', 'scheduling', 'waiting'],
  policies: ['budget', 'messages', 'notices', 'results', 'scheduling'],
  runs: ['budget', 'messages', 'notices', 'policies', 'results', 'scheduling', 'tree', 'waiting'],
  scheduling: ['budget', 'messages', 'policies', 'runs', 'settings', 'tree'],
  tree: ['messages', 'notices', 'runs', 'scheduling', 'waiting'],
  waiting: ['notices', 'runs', 'scheduling'],
};

/** Files that are one subject, and may form a circle. */
const ONE_SUBJECT = [['src/rules/runs/ending.rs', 'src/rules/runs/stopping.rs'], ['tests/outside/model/']];

/** Folders that aren't the project's own. */
const INSTALLED = new Set(['node_modules', '.next']);

const root = resolve(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
function filesOf(folder, ending) {
  if (!existsSync(join(root, folder))) return [];
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  return entries
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      // Installed packages may link back to the root: following them would never end.
      if (entry.isDirectory()) return INSTALLED.has(entry.name) ? [] : filesOf(path, ending);
      return ending.test(entry.name) && !entry.name.endsWith('.d.ts') ? [path] : [];
    })
    .sort();
}
const read = (file) => readFileSync(join(root, file), 'utf8');

/** Arrows of TypeScript: `import` and `export … from`, and `import('…')`, of a type or at run time. */
const ARROW =
  /^(?:import|export)\b(?<names>[^'"`;]*?)from '(?<from>\.[^']*)'|^import '(?<bare>\.[^']*)'|(?<query>\btypeof )?\bimport\(\s*'(?<inline>\.[^']*)'\s*\)(?<member>\.[A-Z])?/gm;

function arrowsOfTypeScript(files) {
  const known = new Set(files);
  return files.flatMap((file) => {
    const text = read(file).replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    return [...text.matchAll(ARROW)].flatMap(({ groups: { names, from, bare, query, inline, member } }) => {
      const target = slashed(relative(root, resolve(root, dirname(file), from ?? bare ?? inline))).replace(/\.js$/, '.ts');
      // A pure type is gone once it is compiled: in `import('…')`, a member with a capital, or a member after `typeof`.
      const value = inline === undefined ? !/^\s*type\b/.test(names ?? '') : (query ?? member) === undefined;
      return known.has(target) ? [{ from: file, to: target, value }] : [];
    });
  });
}

/** The paths that a file of Rust names, as lists of segments from the root of the crate. */
function pathsOfRust(file, text) {
  const modules = file
    .slice('src/'.length, -'.rs'.length)
    .split('/')
    .filter((name) => name !== 'mod' && name !== 'lib');
  const paths = [];
  for (const [, start, first, rest] of text.matchAll(/\b(crate|super|self)((?:::super)*)((?:::\w+)+(?:::\{[^;]*\})?|::\{[^;]*\})/g)) {
    const ups = (start === 'super' ? 1 : 0) + first.split('super').length - 1;
    const base = start === 'crate' ? [] : modules.slice(0, modules.length - ups);
    for (const tail of spread(rest.replace(/^::/, ''))) paths.push([...base, ...tail]);
  }
  return paths;
}

/** `a::{b, c::{d, e}}` as `a b`, `a c d`, `a c e`. */
function spread(text) {
  const open = text.indexOf('{');
  if (open < 0)
    return [
      text
        .split('::')
        .map((name) => name.trim().replace(/ as \w+$/, ''))
        .filter((name) => name !== ''),
    ];
  const before = text
    .slice(0, open)
    .split('::')
    .filter((name) => name.trim() !== '');
  const parts = [];
  let depth = 0;
  let part = '';
  for (const letter of text.slice(open + 1, text.lastIndexOf('}'))) {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    if (letter === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += letter;
  }
  return [...parts, part].filter((one) => one.trim() !== '').flatMap((one) => spread(one.trim()).map((tail) => [...before, ...tail]));
}

/** Arrows of Rust. A name that a module re-exports belongs to the file that it comes from. */
function arrowsOfRust(files) {
  const texts = new Map(
    files.map((file) => [
      file,
      read(file)
        .replace(/^\s*\/\/.*$/gm, '')
        .replace(/^#\[cfg\(test\)\]\nmod \w+ \{\n[\s\S]*?^\}/gm, ''),
    ]),
  );
  const fileOf = (segments) => {
    const path = `src/${segments.join('/')}`;
    return [`${path}.rs`, `${path}/mod.rs`, ...(segments.length === 0 ? ['src/lib.rs'] : [])].find((file) => texts.has(file));
  };
  const passedOn = new Map();
  for (const [file, text] of texts) {
    const base = file
      .slice('src/'.length, -'.rs'.length)
      .split('/')
      .filter((name) => name !== 'mod' && name !== 'lib');
    const names = new Map();
    for (const [, path] of text.matchAll(/^pub(?:\([a-z]+\))? use ([^;]+);/gm)) {
      for (const tail of spread(path.replace(/^crate::/, 'crate::'))) {
        names.set(tail.at(-1), tail[0] === 'crate' ? tail.slice(1) : [...base, ...tail]);
      }
    }
    passedOn.set(file, names);
  }
  const target = (segments, passes = 0) => {
    let at = 0;
    while (at < segments.length && fileOf(segments.slice(0, at + 1)) !== undefined) at += 1;
    const file = fileOf(segments.slice(0, at));
    const further = passedOn.get(file)?.get(segments[at]);
    return further === undefined || passes > 8 ? file : target([...further, ...segments.slice(at + 1)], passes + 1);
  };
  return files.flatMap((file) => {
    const text = texts.get(file).replace(/^(?:pub(?:\([a-z]+\))? )?mod \w+;/gm, '');
    const targets = new Set(pathsOfRust(file, text).map((path) => target(path)));
    // An import by a folder's own file from the folder's files is no arrow; an import by them from it is one.
    const folder = `${file.replace(/(?:\/mod)?\.rs$|lib\.rs$/, '')}/`.replace('//', '/');
    return [...targets]
      .filter((to) => to !== undefined && to !== file && !to.startsWith(folder))
      .map((to) => ({ from: file, to, value: true }));
  });
}

/** The circles of a graph: sets of files that reach one another (Tarjan). */
function circlesOf(arrows) {
  const next = new Map();
  for (const { from, to } of arrows) next.set(from, [...(next.get(from) ?? []), to]);
  const index = new Map();
  const low = new Map();
  const stack = [];
  const circles = [];
  const visit = (file) => {
    index.set(file, index.size);
    low.set(file, index.get(file));
    stack.push(file);
    for (const to of next.get(file) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(file, Math.min(low.get(file), low.get(to)));
    }
    if (low.get(file) !== index.get(file)) return;
    const circle = stack.splice(stack.indexOf(file));
    if (circle.length > 1) circles.push(new Set(circle));
  };
  for (const file of next.keys()) if (!index.has(file)) visit(file);
  return circles;
}

const ruleOf = (file) => /^src\/rules\/(\w+)/.exec(file)?.[1] ?? 'mod';

const nameOf = ({ from, to }) => `${from} → ${to}`;
const flaws = [];
for (const [top, arrows] of [
  ['ts', arrowsOfTypeScript(filesOf('ts', /\.ts$/))],
  ['src', arrowsOfRust(filesOf('src', /\.rs$/))],
  ['tests', arrowsOfTypeScript(filesOf('tests', /\.(?:ts|mjs)$/))],
]) {
  const folderOf = (file) => file.split('/')[1];
  const place = (folder) => ORDER[top].indexOf(folder);
  const rank = (file) => Math.max(place(folderOf(file)), place(BESIDE[folderOf(file)]));
  const isAdapter = (file) => file.startsWith('ts/adapters/');
  const isWrong = new Map();
  for (const arrow of arrows) {
    const { from, to, value } = arrow;
    if (isAdapter(from)) {
      if (value && !isAdapter(to)) isWrong.set(nameOf(arrow), 'adapters import nothing but types');
    } else if (isAdapter(to)) isWrong.set(nameOf(arrow), 'nothing imports an adapter');
    else if (rank(from) < 0 || rank(to) < 0) isWrong.set(nameOf(arrow), 'a folder that has no place in the order');
    else if (rank(to) < rank(from)) isWrong.set(nameOf(arrow), 'goes up');
    else if (from.startsWith('src/wasm/') && BEHIND_THE_MANAGER.includes(folderOf(to))) isWrong.set(nameOf(arrow), 'goes past the manager');
  }
  if (top === 'src') {
    const calls = arrows.map(({ from, to }) => [ruleOf(from), ruleOf(to)]).filter((pair) => pair[0] !== pair[1] && !pair.includes('mod'));
    const found = new Set(calls.map(([from, to]) => `${from} → ${to}`));
    const meant = new Set(Object.entries(CALLS).flatMap(([from, to]) => to.map((each) => `${from} → ${each}`)));
    for (const one of found) if (!meant.has(one)) flaws.push(`rules: ${one}: one subject calls another that it did not call`);
    // A part of the sources has only a part of these calls.
    if (process.argv[2] === undefined)
      for (const one of meant) if (!found.has(one)) flaws.push(`rules: ${one}: no such call is left; take it out of \`CALLS\``);
  }
  // A subject means all of its files.
  const subjectOf = (file) => ONE_SUBJECT.find((paths) => paths.some((path) => file.startsWith(path)))?.[0] ?? file;
  const circles = circlesOf(
    arrows.map(({ from, to }) => ({ from: subjectOf(from), to: subjectOf(to) })).filter(({ from, to }) => from !== to),
  );
  for (const arrow of arrows) {
    const name = nameOf(arrow);
    const [from, to] = [subjectOf(arrow.from), subjectOf(arrow.to)];
    const circle = from === to ? undefined : circles.find((one) => one.has(from) && one.has(to));
    if (isWrong.has(name)) flaws.push(`${name}: ${isWrong.get(name)}`);
    else if (circle) flaws.push(`${name}: in a circle of ${circle.size} files`);
  }
}
if (flaws.length > 0) {
  process.stderr.write(`${[...new Set(flaws)].join('\n')}\n\n${new Set(flaws).size} arrows that the order of rooms refuses\n`);
  process.exit(1);
}
process.stderr.write('every import goes down, and in no circle\n');
