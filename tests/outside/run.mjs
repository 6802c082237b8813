// The reference model against the packed package: `npm run test:outside -- --lives N --start S`, or `--seed S --verbose` for one
// life. Packs the package, installs it into an empty folder, and lives the lives in a process of its own.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, root, run, whole } from '../../scripts/run.mjs';

const USAGE = 'npm run test:outside -- [--lives 2000] [--start 1] [--seed S] [--verbose]';
const given = readOptions(
  { lives: { type: 'string' }, start: { type: 'string' }, seed: { type: 'string' }, verbose: { type: 'boolean' } },
  USAGE,
);
const { lives: wanted = '2000', start: from = '1', seed } = given;
const start = seed === undefined ? whole('start', from, USAGE) : whole('seed', seed, USAGE);
const lives = seed === undefined ? whole('lives', wanted, USAGE, { from: 1 }) : 1;

const folder = mkdtempSync(join(tmpdir(), 'subagents-outside-'));
// However this ends: what is run here ends the process where it fails.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
run('packing', 'npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], { cwd: root, quiet: true });
writeFileSync(join(folder, 'package.json'), '{ "name": "outside", "private": true, "type": "module" }');
const tarball = `subagents-${JSON.parse(spawnSync('npm', ['pkg', 'get', 'version'], { cwd: root, encoding: 'utf8' }).stdout)}.tgz`;
run('installing', 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error', `./${tarball}`], {
  cwd: folder,
  quiet: true,
});
process.stderr.write(`\n── ${lives} lives from seed ${start}\n`);
const order = JSON.stringify({ folder, lives, start, verbose: given.verbose ?? false });
process.exitCode =
  spawnSync(process.execPath, [fileURLToPath(new URL('lives.mjs', import.meta.url)), order], { stdio: 'inherit' }).status ?? 1;
