// What `npm start` leaves out: what is installed and built already, told from contents.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
// @ts-expect-error: a script without types
import { isBuilt, isInstalled, setBuilt } from '../../scripts/stamp.mjs';

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
  setBuilt('it', from, out, stamps);
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
  setBuilt('it', from, out, stamps);
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
    ['start', { npm_config_delegate: '' }, 'npm start', '--no-delegate'],
    ['start:coding', { npm_config_state: 'true' }, 'npm run start:coding', '--state'],
  ] as const) {
    const { status, stdout, stderr } = run(event, taken);
    expect(status).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toBe(`npm has taken ${option} for itself; put -- before the options: ${command} -- ${option} …\n`);
  }
});
