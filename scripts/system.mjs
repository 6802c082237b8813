// Differences between systems: how npm is started, and the separator of paths. Windows has npm as a script, `npm.cmd`,
// which Node starts only in a shell; npm's own file runs in Node everywhere.

import { readdirSync } from 'node:fs';
import { join, relative, sep, win32 } from 'node:path';

/** The program and the arguments that run npm, without a shell: `spawn(...npm(['ci']))`. */
export function npm(args, { platform, execPath, env } = process) {
  const started = env.npm_execpath?.match(/^(.*[\\/])np[mx]-cli\.js$/);
  if (started) return [execPath, [`${started[1]}npm-cli.js`, ...args]];
  if (platform !== 'win32') return ['npm', args];
  // Node's installer puts npm next to Node.
  return [execPath, [win32.join(win32.dirname(execPath), 'node_modules', 'npm', 'bin', 'npm-cli.js'), ...args]];
}

/** A path with slashes, for comparisons and output. */
export function slashed(path, between = sep) {
  return path.split(between).join('/');
}

/** All files below a folder, as paths with slashes, relative to it. */
export function below(folder) {
  // With file types, links are not followed: an example that is set up has a link to the whole project.
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map(({ name, path, parentPath = path }) => slashed(relative(folder, join(parentPath, name))));
}
