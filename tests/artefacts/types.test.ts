// What the types of the package need of a program's compiler: nothing that a program without a page, or with an older library,
// doesn't have.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { exports: Record<string, unknown> };
/** The element is for pages only. `pkg/` is for programs that bring the library of what is disposed of. */
const entries = Object.keys(exports).filter((name) => !/\.(?:wasm|json)$|^\.\/(?:inspector|pkg)$/.test(name));

// A program of its own that has installed the package.
const folder = mkdtempSync(join(tmpdir(), 'subagents-types-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(root, join(folder, 'node_modules/subagents'), 'junction');
symlinkSync(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'), 'junction');
writeFileSync(join(folder, 'program.mts'), entries.map((name, at) => `export * as e${at} from 'subagents${name.slice(1)}';\n`).join(''));

test.each([
  ['Node', { lib: ['es2022'], types: ['node'] }],
  ['a page', { lib: ['es2022', 'dom'], types: [] }],
])('a program for %s compiles, though every file of types is checked', (_, given) => {
  const compilerOptions = { target: 'es2022', module: 'nodenext', strict: true, noEmit: true, skipLibCheck: false, ...given };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.mts'] }));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', '.', '--pretty', 'false'], { cwd: folder, encoding: 'utf8' });
  expect(stdout).toBe('');
});
