// examples/first: the first program of a stranger, as it stands, against the built package.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../examples/first/first.mjs', import.meta.url));

test('the first program runs at once, and says what became of each sub-agent', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout.trimEnd().split('\n')).toEqual(['1 queued', 'Read a.md: done', 'Read b.md: done', 'Read c.md: done', '3600 tokens spent']);
});

test('it is short enough to be read at once, and the README shows what it prints', () => {
  expect(readFileSync(program, 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(12);
  const { stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect(readFileSync(new URL('../../README.md', import.meta.url), 'utf8')).toContain(`\`\`\`text\n${stdout}`);
});
