// Running commands, one after the other, with their output passed through. Owns how a step is shown and
// what its failure does.

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

/** Runs a command; `quiet` shows its output only if it fails. Ends the process where it fails. */
export function run(title, command, args, { cwd = root, quiet = false, env = {} } = {}) {
  process.stderr.write(`\n── ${title}\n`);
  const result = spawnSync(command, args, {
    cwd,
    stdio: quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...env },
    maxBuffer: 1 << 28,
  });
  if (result.error) {
    process.stderr.write(`${command} could not be started: ${result.error.message}\n`);
    process.exit(1);
  }
  if (result.status !== 0) {
    if (quiet) process.stderr.write(`${result.stdout}${result.stderr}`);
    process.stderr.write(`\n${title}: failed\n`);
    process.exit(result.status ?? 1);
  }
}

/** Installs what a package's lock file names, unless that is there already. */
export function install(folder = root) {
  const lock = `${folder}/package-lock.json`;
  const installed = `${folder}/node_modules/.package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return;
  const name = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')).name;
  run(`installing ${name}`, 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, quiet: true });
}

export function node(title, args, options) {
  run(title, process.execPath, args, options);
}
