// What the README and the list of guides say of other places: options, guides, commands.

import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { DEFAULT_LIMITS, SubAgentManager } from '../../dist/index.js';
// @ts-expect-error: a script without types
import { buildPlayground } from '../../scripts/playground.mjs';
import { isShare } from '../support/share.js';
import { isPosix } from '../support/system.js';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'subagents-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

const guides = readdirSync(join(root, 'docs/guides')).filter((name) => name !== 'README.md');
const read = (page: string): string => readFileSync(join(root, page), 'utf8');

test('the limits that may be 0 are those that the reference names, and the others are refused', () => {
  const named = read('docs/reference/limits.md')
    .match(/These may be 0: (.*)\.$/m)?.[1]
    ?.match(/\w+/g);
  const taken = Object.keys(DEFAULT_LIMITS).filter((name) => {
    try {
      new SubAgentManager({ [name]: 0 }).dispose();
      return true;
    } catch {
      return false;
    }
  });
  expect(named).toEqual(taken);
});

describe('the guides', () => {
  test('their list has a link to each, and the README one to the list', () => {
    const list = read('docs/guides/README.md');
    for (const name of guides) expect(list).toContain(`](${name})`);
    expect(read('README.md')).toContain('](docs/guides/README.md)');
  });

  test.each(guides)('%s is short', (name) => {
    expect(read(`docs/guides/${name}`).split('\n').length).toBeLessThanOrEqual(121);
  });
});

describe('the commands', () => {
  const wrong: [string, string[], string][] = [
    ['bench/run.mjs', ['--quik'], "Unknown option '--quik'"],
    ['bench/run.mjs', ['--rounds', '0'], '--rounds takes a whole number of 1 or more, not 0'],
    ['bench/run.mjs', ['--json', join(folder, 'no/folder.json')], 'cannot be written: ENOENT'],
    ['bench/frameworks/run.mjs', ['--rounds', 'x'], '--rounds takes a whole number of 1 or more, not x'],
    ['bench/run.mjs', ['--variant', 'p-limit'], '--variant is of --profile alone'],
    ['bench/journal/run.mjs', ['--rounds', 'x'], '--rounds takes a whole number of 1 or more, not x'],
    ['bench/instructions.mjs', ['--variant', 'nope'], '--variant takes one of async-sema, bare-await, '],
    ['bench/instructions.mjs', ['--capped'], '--capped is of --core alone'],
    // Those who install and build first read the options before.
    ['scripts/bench.mjs', ['--bogus'], "Unknown option '--bogus'"],
    ['scripts/bench.mjs', ['journal', '--only', 'x'], '--only takes one of latency, not x'],
    ['scripts/bench-frameworks.mjs', ['--only', 'nope'], '--only takes one of ai-6, '],
    ['scripts/bench-workers.mjs', ['--runs', '1e3'], '--runs takes a whole number of 1 or more, not 1e3'],
    ['tests/outside/run.mjs', ['--lives', 'x'], '--lives takes a whole number of 0 or more, not x'],
    ['bench/frameworks/run.mjs', ['--json', join(folder, 'no/folder.json')], 'cannot be written: ENOENT'],
    ['scripts/simulate.mjs', ['--sed', '1'], "Unknown option '--sed'"],
    ['scripts/simulate.mjs', ['--seeds', 'many'], 'Not a whole number: many'],
    ['scripts/fuzz.mjs', ['--seconds', '1m'], '--seconds takes a whole number of 1 or more, not 1m'],
    ['scripts/fuzz.mjs', ['--target', 'core'], '--target takes one of boundary, facts, not core'],
    ['tests/crash/run.mjs', ['--kills', 'abc'], '--kills takes a whole number of 1 or more, not abc'],
    ['tests/crash/run.mjs', ['--kills=-5'], '--kills takes a whole number of 1 or more, not -5'],
    ['tests/crash/run.mjs', ['--store', 'file,nonsense'], 'There is no store nonsense; there are file, sqlite, redis'],
    ['bench/inspector.mjs', ['--facts', 'abc'], '--facts takes a whole number of 1 or more, not abc'],
    ['bench/inspector.mjs', ['--only', 'nope'], '--only takes one of live, lanes, journal, not nope'],
    ['scripts/reference/run.mjs', ['--chek'], "Unknown option '--chek'"],
    ['scripts/test.mjs', ['tests/x.test.ts'], "Unexpected argument 'tests/x.test.ts'"],
    ['scripts/test.mjs', ['--all', '--bogus'], "Unknown option '--bogus'"],
    ['scripts/build.mjs', ['--help'], "Unknown option '--help'"],
    ['scripts/pictures.mjs', ['--bogus'], "Unknown option '--bogus'"],
    ['tests/collector/run.mjs', ['--bogus'], "Unknown option '--bogus'"],
    ['scripts/playground.mjs', ['--port', 'abc'], '--port takes a whole number from 0 to 65535, not abc'],
    ['scripts/playground.mjs', ['--port=-1'], '--port takes a whole number from 0 to 65535, not -1'],
    ['scripts/playground.mjs', ['--port', '99999'], '--port takes a whole number from 0 to 65535, not 99999'],
    ['scripts/playground.mjs', ['--port', '1.5'], '--port takes a whole number from 0 to 65535, not 1.5'],
    ['scripts/playground.mjs', ['--build', '--port', '80'], '--build serves nothing'],
    ['scripts/playground.mjs', ['--build', '--out', join(root, 'package.json')], 'package.json is not a folder'],
    ['scripts/playground.mjs', ['--build', '--out', join(root, 'package.json/x')], "can't be made: ENOTDIR"],
    ['scripts/playground.mjs', ['--build', '--out', join(root, 'docs/images')], 'has something else in it than a playground'],
    ['tests/runtimes/run.mjs', ['--al'], "Unknown option '--al'"],
    ['tests/frameworks/run.mjs', ['ai-5'], 'There is no ai-5; there are ai-6'],
  ];

  test.each(wrong)('%s %j is a line, the usage and exit code 2', (script, args, message) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), ...args], { encoding: 'utf8', timeout: 100_000 });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^[^\n]+\nnpm run (?:[^\n]+\n){1,2}$/);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  test.runIf(isPosix).each([
    ['scripts/mutants.mjs', 'mutants'],
    ['scripts/fuzz.mjs', 'fuzz'],
  ])('%s says how cargo gets what it needs', (script, command) => {
    const without = join(folder, command);
    mkdirSync(without);
    writeFileSync(join(without, 'cargo'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script)], { encoding: 'utf8', env: { PATH: without } });
    const said = `cargo ${command} is missing: cargo install --locked cargo-${command}\n`;
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: said });
  });

  test('the playground says before it is built that its port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'scripts/playground.mjs'), '--port', String(port)], {
      encoding: 'utf8',
    });
    server.close();
    expect(stderr).toMatch(`port ${port} can't be had (EADDRINUSE): --port takes another one, or none\nnpm run playground`);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  });

  test('the playground is written over an earlier one, and nothing that is not its own is deleted', async () => {
    const out = join(folder, 'playground');
    await buildPlayground(out);
    const made = readdirSync(out).sort();
    expect(made).toContain('index.html');
    for (const name of ['part-OLD.js', 'CNAME']) writeFileSync(join(out, name), '');
    await buildPlayground(out);
    expect(readdirSync(out).sort()).toEqual(['CNAME', ...made]);
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'index.html'), '<title>Mine</title>');
    await expect(buildPlayground(other)).rejects.toThrow('has something else in it than a playground');
    expect(readFileSync(join(other, 'index.html'), 'utf8')).toBe('<title>Mine</title>');
  });

  test.skipIf(isShare)('the package builds in a folder of any name', () => {
    const strange = join(folder, 'a #1 & 100% ö');
    for (const part of ['package.json', 'tsconfig.json', 'scripts', 'ts', 'inspector', 'command', 'pkg']) {
      cpSync(join(root, part), join(strange, part), { recursive: true });
    }
    symlinkSync(join(root, 'node_modules'), join(strange, 'node_modules'), 'junction');
    const { status, stderr } = spawnSync(process.execPath, [join(strange, 'scripts/build.mjs')], { encoding: 'utf8', timeout: 100_000 });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const built = (where: string): string[] => readdirSync(join(where, 'dist'), { recursive: true }).map(String).sort();
    expect(built(strange)).toEqual(built(root));
  });

  test('what --only asks for and the bench has not is a failure', () => {
    const { status, stdout } = spawnSync(process.execPath, [join(root, 'bench/run.mjs'), '--only', 'nosuch'], {
      encoding: 'utf8',
      timeout: 100_000,
    });
    expect(stdout).toContain('--only nosuch: nothing has this in its id');
    expect(status).toBe(1);
  });
});
