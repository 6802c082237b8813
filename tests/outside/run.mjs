// The reference model against the packed package: `npm run test:outside -- --lives N --start S`, or `--seed S --verbose` for one
// life. Packs the package, installs it into an empty folder, and lives the lives in a process of its own.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, root, run } from '../../scripts/run.mjs';

const USAGE = 'usage: npm run test:outside -- [--lives 2000] [--start 1] [--seed S] [--verbose]';
const given = readOptions(
  { lives: { type: 'string' }, start: { type: 'string' }, seed: { type: 'string' }, verbose: { type: 'boolean' } },
  USAGE,
);
const whole = (text, otherwise) => {
  const number = Number(text ?? otherwise);
  if (Number.isSafeInteger(number) && number >= 0) return number;
  process.stderr.write(`${text} is no whole number\n${USAGE}\n`);
  process.exit(2);
};

const folder = mkdtempSync(join(tmpdir(), 'subagents-outside-'));
let status = 1;
try {
  run('packing', 'npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], { cwd: root, quiet: true });
  writeFileSync(join(folder, 'package.json'), '{ "name": "outside", "private": true, "type": "module" }');
  const tarball = `subagents-${JSON.parse(spawnSync('npm', ['pkg', 'get', 'version'], { cwd: root, encoding: 'utf8' }).stdout)}.tgz`;
  run('installing', 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error', `./${tarball}`], {
    cwd: folder,
    quiet: true,
  });
  const start = whole(given.seed ?? given.start, 1);
  const lives = given.seed === undefined ? whole(given.lives, 2_000) : 1;
  process.stderr.write(`\n── ${lives} lives from seed ${start}\n`);
  const order = JSON.stringify({ folder, lives, start, verbose: given.verbose ?? false });
  status = spawnSync(process.execPath, [fileURLToPath(new URL('lives.mjs', import.meta.url)), order], { stdio: 'inherit' }).status ?? 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(status);
