// The examples of the README run as they stand there.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'subagents-readme-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the example that stands behind `<!-- run: name -->`, against the built package. */
function run(name: string): string {
  const code = readme.match(new RegExp(`<!-- run: ${name} -->\\n\`\`\`js\\n([\\s\\S]*?)\`\`\``))?.[1];
  if (code === undefined) throw new Error(`the README has no example ${name}`);
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code.replace("from 'subagents'", `from ${JSON.stringify(join(root, 'dist/index.js'))}`));
  return execFileSync(process.execPath, [file], { encoding: 'utf8', timeout: 30_000 });
}

test('the first example', () => {
  expect(run('first')).toBe('read a.md: done\nread b.md: done\nread c.md: done\n360 tokens spent\n');
});

test('the example of turns', () => {
  expect(run('turns')).toMatch(/tokens: 2700,[\s\S]*turns: 3,/);
});
