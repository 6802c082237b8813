// What `npm start` leaves out: what is installed and built already, judged from contents. And what it, as every script and test,
// does otherwise from system to system: how npm is started, and paths.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { contentOf, isBuilt, isInstalled, setBuilt } from '../../scripts/stamp.mjs';
import { below, npm, slashed } from '../../scripts/system.mjs';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | object): string {
  const file = join(folder, name);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

test('a build is left out until a source or what it made has changed', () => {
  const [stamps, source, made] = [join(folder, 'stamps.json'), write('src/a.ts', 'a'), write('dist/a.js', 'a')];
  const from = [join(folder, 'src'), join(folder, 'missing')];
  const out = [join(folder, 'dist')];
  const built = () => isBuilt('it', from, out, stamps);
  expect(built()).toBe(false);
  setBuilt('it', contentOf(from), out, stamps);
  expect(built()).toBe(true);
  const before = contentOf(from);
  write('src/a.ts', 'saved while it was built');
  setBuilt('it', before, out, stamps);
  expect(built()).toBe(false);
  write('src/a.ts', 'a');
  expect(built()).toBe(true);
  // A checkout touches files without changing them.
  utimesSync(source, 1, 1);
  expect(built()).toBe(true);
  expect(isBuilt('other', from, out, stamps)).toBe(false);

  write('src/a.ts', 'b');
  expect(built()).toBe(false);
  write('src/a.ts', 'a');
  write('src/b.ts', '');
  expect(built()).toBe(false);
  rmSync(join(folder, 'src/b.ts'));
  expect(built()).toBe(true);

  // Another build has been here.
  utimesSync(made, 1, 1);
  expect(built()).toBe(false);
  setBuilt('it', contentOf(from), out, stamps);
  rmSync(made);
  expect(built()).toBe(false);
  write('stamps.json', '{"it": ');
  expect(built()).toBe(false);
});

test('packages are installed where versions and digests are those of the lock file', () => {
  const lock = (version: string) => ({
    packages: {
      '': { name: 'x' },
      '../..': { version: '9' },
      'node_modules/a': { version, integrity: 'sha512-a' },
      'node_modules/other-system': { version: '1', optional: true },
    },
  });
  write('package-lock.json', lock('1'));
  expect(isInstalled(folder)).toBe(false);
  write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1', integrity: 'sha512-a' } } });
  expect(isInstalled(folder)).toBe(false);
  write('node_modules/a/package.json', '{}');
  expect(isInstalled(folder)).toBe(true);
  write('package-lock.json', lock('2'));
  expect(isInstalled(folder)).toBe(false);
});

test('an option that npm has taken for itself is said before anything is set up', () => {
  const script = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
  const run = (event: string, taken: Record<string, string>) =>
    spawnSync(process.execPath, [script, 'When?'], { encoding: 'utf8', env: { ...process.env, npm_lifecycle_event: event, ...taken } });
  for (const [event, taken, command, option] of [
    ['start', { npm_config_max_concurrent: '2' }, 'npm start', '--max-concurrent'],
    ['start:workers', { npm_config_deploy: '' }, 'npm run start:workers', '--no-deploy'],
    ['start:coding', { npm_config_state: 'true' }, 'npm run start:coding', '--state'],
  ] as const) {
    const { status, stdout, stderr } = run(event, taken);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(`npm has taken ${option} for itself; put -- before the options: ${command} -- ${option} …\n`);
  }
});

describe('npm is started without a shell', () => {
  const args = ['--version'];
  const windows = { platform: 'win32', execPath: 'C:\\Program Files\\nodejs\\node.exe' };

  test('on Windows by its own file: the one that runs the script, else the one beside Node', () => {
    const [fromNpm, fromNpx] = ['npm', 'npx'].map((name) => `D:\\other place\\npm\\bin\\${name}-cli.js`);
    for (const npm_execpath of [fromNpm, fromNpx])
      expect(npm(args, { ...windows, env: { npm_execpath } })).toEqual([windows.execPath, [fromNpm, ...args]]);
    const beside = 'C:\\Program Files\\nodejs\\node_modules\\npm\\bin\\npm-cli.js';
    for (const npm_execpath of [undefined, 'C:\\pnpm\\bin\\pnpm.cjs'])
      expect(npm(args, { ...windows, env: { npm_execpath } })).toEqual([windows.execPath, [beside, ...args]]);
  });

  test('elsewhere by its name, and everywhere it runs', () => {
    expect(npm(args, { platform: 'darwin', execPath: '/node', env: {} })).toEqual(['npm', args]);
    const version = execFileSync(...npm(args), { encoding: 'utf8' });
    expect(version).toMatch(/^\d+\.\d+\.\d+/);
    // What npm gives the scripts that it runs.
    const given = execFileSync(...npm(['run', '--silent', 'env']), { encoding: 'utf8' });
    const npm_execpath = /^npm_execpath=(.*?)\r?$/m.exec(given)?.[1];
    const started = npm(args, { platform: 'win32', execPath: process.execPath, env: { npm_execpath } });
    expect(execFileSync(...started, { encoding: 'utf8' })).toBe(version);
  });

  test('no script, test or bench starts it by its name', () => {
    const files = execFileSync('git', ['ls-files', '*.mjs', '*.cjs', '*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
    const named = files.filter((file) => /\b(?:spawn|spawnSync|execFile|execFileSync|fork)\(\s*['"`](?:npm|npx)\b/.test(read(file)));
    expect(named).toEqual([]);
  });
});

test('paths are compared with slashes, whatever the system puts between names', () => {
  expect(slashed('ts\\api\\run.ts', '\\')).toBe('ts/api/run.ts');
  expect(below(join(root, 'examples')).every((name) => !name.includes('\\'))).toBe(true);
  const addresses = execFileSync('git', ['ls-files', '*.mjs', '*.ts'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
  const raw = addresses.filter((file) => /new URL\([^)]*import\.meta\.url\)\.pathname/.test(read(file)));
  expect(raw).toEqual([]);
});
