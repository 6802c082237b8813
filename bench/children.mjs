/** Child processes that answer with one line of JSON, their last. */

import { execFile } from 'node:child_process';
import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Far beyond any honest measurement: a variant that hangs must not hang the bench. */
const TIMEOUT_MS = 300_000;

/**
 * @param {string} file Beside this module, or an absolute path.
 * @param {object} task
 * @param {object} [options]
 * @param {string[]} [options.flags] For Node, beside `--expose-gc`.
 * @param {string} [options.node] Another Node.
 * @param {object} [options.env] Beside the environment of this process.
 * @returns {Promise<any>} What the child printed.
 */
export function runChild(file, task, { flags = [], node = process.execPath, env = {} } = {}) {
  const path = isAbsolute(file) ? file : fileURLToPath(new URL(file, import.meta.url));
  const args = ['--expose-gc', ...flags, path, JSON.stringify(task)];
  return new Promise((resolve, reject) => {
    const options = { maxBuffer: 64 * 2 ** 20, timeout: TIMEOUT_MS, env: { ...process.env, ...env } };
    execFile(node, args, options, (error, stdout, stderr) => {
      if (error !== null) reject(new Error(firstErrorLine(stderr) ?? endOf(error)));
      else resolve(JSON.parse(stdout.slice(stdout.trimEnd().lastIndexOf('\n') + 1)));
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
  // Where the repository lies stays out of it: the message may go into a JSON file.
  return line?.replaceAll(ROOT, '');
}
