// Whether a folder has the packages of its lock file, and whether a build is of the current sources. It reads and compares; it
// builds nothing and uses no network.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const stamps = `${root}target/start.json`;
const builders = ['build', 'command', 'host', 'inspector', 'system', 'types', 'wasm-text'].map((name) => `scripts/${name}.mjs`);

/** The sources of the package's build, and its result. */
export const PACKAGE = {
  from: ['ts', 'command', 'inspector', 'pkg', ...builders, 'tsconfig.json', 'package-lock.json'].map((path) => root + path),
  made: [`${root}dist`],
};

/** Whether the packages of `folder` are the ones that its lock file names. Optional ones may be missing. */
export function isInstalled(folder) {
  const [wanted, present] = [packagesOf(`${folder}/package-lock.json`), packagesOf(`${folder}/node_modules/.package-lock.json`)];
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([name, { version, integrity, optional }]) => {
    if (name === '' || !name.startsWith('node_modules/')) return true;
    const has = present[name];
    if (has === undefined) return optional === true;
    return has.version === version && has.integrity === integrity && existsSync(`${folder}/${name}`);
  });
}

function packagesOf(lock) {
  return existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).packages : undefined;
}

/** Whether `made` is still the result of a build from the current `from`. Both list files and folders. */
export function isBuilt(name, from, made, file = stamps) {
  const stamp = read(file)[name];
  return stamp !== undefined && stamp.from === contentOf(from) && stamp.made === stateOf(made);
}

/**
 * Records that `made` has been built from `content`: the value of `contentOf` before the build, since files may change during
 * it.
 */
export function setBuilt(name, content, made, file = stamps) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify({ ...read(file), [name]: { from: content, made: stateOf(made) } }, null, 2)}\n`);
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    // It is missing or incomplete: then everything is built again.
    return {};
  }
}

/** A digest of names and contents. */
export function contentOf(paths) {
  const digest = createHash('sha256');
  for (const each of filesIn(paths)) digest.update(`${each}\0${statSync(each).size}\0`).update(readFileSync(each));
  return digest.digest('hex');
}

/** A digest of names, sizes and times: it only has to show that another program has changed a result. */
function stateOf(paths) {
  const digest = createHash('sha256');
  for (const each of filesIn(paths)) digest.update(`${each}\0${statSync(each).size}\0${statSync(each).mtimeMs}\0`);
  return digest.digest('hex');
}

function filesIn(paths) {
  return paths
    .filter((path) => existsSync(path))
    .flatMap((path) => {
      if (!statSync(path).isDirectory()) return [path];
      const entries = readdirSync(path, { recursive: true, withFileTypes: true });
      return entries.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`);
    })
    .sort();
}
