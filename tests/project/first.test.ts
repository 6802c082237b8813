// examples/first: the first program of a stranger, as it stands, against the built package.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../examples/first/first.mjs', import.meta.url));

test('the first program runs at once, and says what became of each sub-agent', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const [first, ...others] = stdout.trimEnd().split('\n');
  const last = others.pop();
  expect(first).toBe('2 run, 3 wait for a slot');
  expect(others.map((line) => line.split(/ {2,}/u).join(' ')).sort()).toEqual([
    'api.md completed 1500 tokens 1400 words',
    'guide.md completed 500 tokens 400 words',
    'home.md completed 500 tokens 300 words',
    'huge.md failed 2000 tokens budget_exhausted',
    'lost.md failed 0 tokens there is no lost.md',
  ]);
  expect(last).toBe('4500 tokens in all');
});

test('it is short enough to be read at once, and the README shows what it prints', () => {
  expect(readFileSync(program, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  const { stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(`\`\`\`text\n${stdout}`);
});
