// What users get: the packed package, installed into an empty project. Owns the packing and the projects;
// nothing here comes from the checkout but the tarball.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { npm } from '../../scripts/system.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];

/** Packs the checkout into `folder` and gives `{ file, bytes, files }`. */
export function pack(folder) {
  mkdirSync(folder, { recursive: true });
  const reported = execFileSync(...npm(['pack', '--json', '--ignore-scripts', '--loglevel=error', `--pack-destination=${folder}`]), {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // A list, or since npm 12 an object by the name of the package.
  const [packed] = Object.values(JSON.parse(reported));
  return { file: `${folder}/${packed.filename}`, bytes: packed.size, files: packed.files.map(({ path }) => path) };
}

/** An empty project with the package and `files` in it; returns its folder. */
export function project(folder, tarball, type, files = {}) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}/package.json`, JSON.stringify({ name: 'empty', version: '1.0.0', private: true, type }));
  execFileSync(...npm(['install', '--ignore-scripts', '--offline', ...quiet, tarball]), {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (const [name, content] of Object.entries(files)) writeFileSync(`${folder}/${name}`, content);
  return folder;
}
