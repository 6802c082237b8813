// Every regular expression of the sources takes linear time, whatever text it meets: most meet what a model, a provider or a
// file says. `recheck` looks for a text that makes a pattern slow, in the automaton of the pattern and by fuzzing.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AnyNode, parse } from 'acorn';
import { transformSync } from 'esbuild';
import { checkSync } from 'recheck';
import { beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));

beforeAll(() => {
  // The backends besides are programs for some machines only.
  process.env.RECHECK_BACKEND = 'pure';
});

/** The regular expressions of a source, as they are written. */
function patternsOf(file: string): { pattern: string; flags: string }[] {
  const { code } = transformSync(readFileSync(root + file, 'utf8'), { loader: file.endsWith('x') ? 'tsx' : 'ts', jsx: 'automatic' });
  const found: { pattern: string; flags: string }[] = [];
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { type, regex } = node as AnyNode & { regex?: { pattern: string; flags: string } };
    if (type === 'Literal' && regex) found.push(regex);
    for (const child of Object.values(node)) walk(child);
  };
  walk(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }));
  return found;
}

const complexityOf = (pattern: string, flags: string) => {
  // However busy the machine is: an attack that takes long by the clock counts as one that succeeds.
  const checked = checkSync(pattern, flags, { timeout: null, attackTimeout: null, incubationTimeout: null, seedingTimeout: null });
  return checked.status === 'vulnerable' ? checked.complexity.summary : checked.status;
};

test('the check sees a pattern that takes exponential or quadratic time', () => {
  expect(complexityOf('^(a|a)*$', '')).toMatch(/exponential/);
  expect(complexityOf('\\bfind\\s[^|]*?-name\\b', '')).toMatch(/polynomial/);
});

test('every pattern takes linear time', () => {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'ts', 'inspector'], { cwd: root });
  const files = `${listed}`.split('\n').filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'));
  const where = new Map(files.flatMap((file) => patternsOf(file).map((regex) => [`/${regex.pattern}/${regex.flags}`, { file, ...regex }])));
  expect(where.size).toBeGreaterThan(50);
  const slow = [...where].flatMap(([written, { file, pattern, flags }]) => {
    const found = complexityOf(pattern, flags);
    return found === 'safe' ? [] : [`${file}: ${written} ${found}`];
  });
  expect(slow).toEqual([]);
}, 300_000);
