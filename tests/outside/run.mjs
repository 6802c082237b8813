// The reference model against the packed package: `npm run test:outside -- --lives N --start S`, or `--seed S --verbose` for one
// life. Packs the package, installs it into an empty folder, and lives the lives in a process of its own. Where redis-server is
// installed, `--away N` lives follow whose work goes through workers (`away/`).

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readOptions, root, run, whole } from '../../scripts/run.mjs';

const USAGE = 'npm run test:outside -- [--lives 2000] [--away 3] [--start 1] [--seed S] [--verbose]';
const given = readOptions(
  {
    lives: { type: 'string' },
    away: { type: 'string' },
    start: { type: 'string' },
    seed: { type: 'string' },
    verbose: { type: 'boolean' },
  },
  USAGE,
);
const { lives: wanted = '2000', away: wantedAway, start: from = '1', seed } = given;
const start = seed === undefined ? whole('start', from, USAGE) : whole('seed', seed, USAGE);
const lives = seed === undefined ? whole('lives', wanted, USAGE) : 1;
const away = whole('away', wantedAway ?? (seed === undefined ? '3' : '0'), USAGE);

const folder = mkdtempSync(join(tmpdir(), 'subagents-outside-'));
// However this ends: what is run here ends the process where it fails.
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
run('packing', 'npm', ['pack', '--ignore-scripts', '--loglevel=error', '--pack-destination', folder], { cwd: root, quiet: true });
writeFileSync(join(folder, 'package.json'), '{ "name": "outside", "private": true, "type": "module" }');
const tarball = `subagents-${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}.tgz`;
run('installing', 'npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', '--loglevel=error', `./${tarball}`], {
  cwd: folder,
  quiet: true,
});
const order = { folder, start, verbose: given.verbose ?? false };
live(`${lives} lives`, 'lives.mjs', { ...order, lives });
if (away > 0 && spawnSync('redis-server', ['--version']).error !== undefined)
  process.stderr.write('\n── no lives over workers: redis-server is missing\n');
else if (away > 0) {
  for (const name of ['bullmq', 'ioredis']) symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  live(`${away} lives over workers`, 'away/lives.mjs', { ...order, lives: away });
}

function live(title, program, given) {
  if (given.lives === 0) return;
  process.stderr.write(`\n── ${title} from seed ${given.start}\n`);
  const path = fileURLToPath(new URL(program, import.meta.url));
  const { status } = spawnSync(process.execPath, [path, JSON.stringify(given)], { stdio: 'inherit' });
  if (status !== 0) process.exitCode = status ?? 1;
}
