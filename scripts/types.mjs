// Writes the package's types into dist/: those of the modules, made by TypeScript, and for each entry the types for CommonJS.
// Owns what happens to types that no entry exports.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import { below } from './system.mjs';

/** The imports in a file of types. */
const REFERENCE = /(?:from |import\()['"](\.[^'"]*)\.js['"]/g;
/** The exports from another file: directly, or by imported names. */
const HANDED_ON = /^export .*from '(\.[^']*)\.js'/gm;
const IMPORT = /^import (?:type )?\{([^}]*)\} from '(\.[^']*)\.js'/gm;
const EXPORTED_NAMES = /^export (?:type )?\{([^}]*)\};/gm;
/** The interfaces that an interface extends. */
const EXTENDED_NAMES = /^export interface \w+(?:<[^>{]*>)? extends ([^{]*)\{/gm;

/**
 * @param {string} root The folder of the package, with a slash at its end; its dist/ already has the JavaScript.
 * @param {string[]} entries Names of entry files in dist/, without their endings.
 */
export async function writeTypes(root, entries) {
  const dist = `${root}dist/`;
  execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, '-p', root], { stdio: 'inherit' });
  // The glue's types are next to the others, so that all are in one folder.
  writeFileSync(`${dist}core.d.ts`, readFileSync(`${root}pkg/subagents.d.ts`));
  for (const file of filesOfTypes(dist)) {
    const core = file.includes('/') ? '../core.js' : './core.js';
    writeFileSync(dist + file, readFileSync(dist + file, 'utf8').replaceAll(/'[./]*pkg\/subagents\.js'/g, `'${core}'`));
  }
  // Entries are in a folder of their own among the sources, and at the top of dist/.
  for (const entry of entries.filter((name) => existsSync(`${dist}entries/${name}.d.ts`))) {
    writeFileSync(`${dist}${entry}.d.ts`, readFileSync(`${dist}entries/${entry}.d.ts`, 'utf8').replaceAll("'../", "'./"));
  }
  keepWhatIsNamed(dist, entries);
  for (const file of filesOfTypes(dist)) addLibrary(dist + file);
  for (const entry of entries) writeFileSync(`${dist}${entry}.d.cts`, await commonTypes(dist, entry));
}

/** Types with `Symbol.dispose` reference the part of the library that has it, because a program may have an older library. */
export function addLibrary(file) {
  const text = readFileSync(file, 'utf8');
  if (/\[Symbol\.(?:async)?dispose\]/i.test(text)) writeFileSync(file, `/// <reference lib="esnext.disposable" />\n${text}`);
}

function filesOfTypes(dist) {
  return below(dist).filter((name) => name.endsWith('.d.ts'));
}

/** Removes types that no entry reaches. Types that only other types name lose their comments, which nobody reads. */
function keepWhatIsNamed(dist, entries) {
  const named = new Set();
  const visit = (file) => {
    if (named.has(file) || !existsSync(dist + file)) return;
    named.add(file);
    for (const other of references(dist, file)) visit(other);
  };
  for (const entry of entries) visit(`${entry}.d.ts`);
  const read = new Set();
  const isRead = (file) => {
    if (read.has(file) || !existsSync(dist + file)) return;
    read.add(file);
    for (const other of [...references(dist, file, HANDED_ON), ...importedAndRead(dist, file)]) isRead(other);
  };
  for (const entry of entries) isRead(`${entry}.d.ts`);
  // A program reaches the events through the type of their union.
  read.add('generated/facts.d.ts');
  for (const file of filesOfTypes(dist)) {
    if (!named.has(file)) rmSync(dist + file);
    else if (!read.has(file)) writeFileSync(dist + file, readFileSync(dist + file, 'utf8').replace(/\/\*\*.*?\*\/\s*/gs, ''));
  }
}

/** The files whose names a file imports and exports again, or extends in an interface of its own. */
function importedAndRead(dist, file) {
  const text = readFileSync(dist + file, 'utf8');
  const namesIn = (list) => list.split(',').map((name) => name.trim().replace(/^type |<.*/g, ''));
  const exported = new Set(
    [EXPORTED_NAMES, EXTENDED_NAMES].flatMap((names) => Array.from(text.matchAll(names), ([, list]) => namesIn(list)).flat()),
  );
  const imports = Array.from(text.matchAll(IMPORT)).filter(([, list]) => namesIn(list).some((name) => exported.has(name)));
  return imports.map(([, , path]) => posix.join(file, '..', `${path}.d.ts`));
}

function references(dist, file, pattern = REFERENCE) {
  return Array.from(readFileSync(dist + file, 'utf8').matchAll(pattern), ([, path]) => posix.join(file, '..', `${path}.d.ts`));
}

/**
 * The types of an entry as CommonJS reads them. They refer to the module's types name by name: a second copy would weigh as
 * much as the code.
 */
async function commonTypes(dist, entry) {
  const file = `./${entry.slice(entry.lastIndexOf('/') + 1)}.js`;
  const mode = "{ 'resolution-mode': 'import' }";
  const lines = [`export type * from '${file}' with ${mode};`];
  for (const [name, value] of Object.entries(await import(pathToFileURL(`${dist}${entry}.js`).href))) {
    const type = `import('${file}', { with: ${mode} }).${name}`;
    lines.push(`export declare const ${name}: typeof ${type};`);
    if (/^class\b/.test(String(value))) lines.push(`export type ${name} = ${type};`);
  }
  return `${lines.join('\n')}\n`;
}
