/** Child processes that answer with one line of JSON. */

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Far beyond any honest measurement: a variant that hangs must not hang the bench. */
const TIMEOUT_MS = 300_000;

/**
 * @param {string} file Beside this module.
 * @param {object} task
 * @param {string[]} [flags] For Node, beside `--expose-gc`.
 * @returns {Promise<any>} What the child printed.
 */
export function runChild(file, task, flags = []) {
  const path = fileURLToPath(new URL(file, import.meta.url));
  const args = ['--expose-gc', ...flags, path, JSON.stringify(task)];
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 2 ** 20, timeout: TIMEOUT_MS };
    execFile(process.execPath, args, options, (error, stdout, stderr) => {
      if (error !== null) reject(new Error(firstErrorLine(stderr) ?? endOf(error)));
      else resolve(JSON.parse(stdout));
    });
  });
}

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Without a word on standard error: what is awaited never came (code 13), or time ran out. */
function endOf({ killed, code }) {
  return killed ? `Expected an answer within ${TIMEOUT_MS} ms` : `The process ended with code ${code} and no answer`;
}

/** @param {string} stderr */
function firstErrorLine(stderr) {
  const lines = stderr.split('\n').map((line) => line.trim());
  const line = lines.find((text) => /^\w*Error\b/.test(text)) ?? lines.find((text) => text !== '');
  // Where the repository lies is nobody's business, and the message may go into a JSON file.
  return line?.replaceAll(ROOT, '');
}
