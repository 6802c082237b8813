// What a start of Node loads for the package, beside the package itself.

import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

const dist = new URL('../../dist/node.js', import.meta.url).href;

/** The modules of Node's own that a process has loaded once it has run a program. */
function loadedBy(program: string): string[] {
  const told = `${program};require('node:fs').writeSync(1, JSON.stringify(process.moduleLoadList))`;
  const script = `import { createRequire } from 'node:module'; const require = createRequire('${dist}'); ${told}`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })) as string[];
}

test('an import of the package in Node loads neither its streams nor its cryptography', () => {
  const without = new Set(loadedBy('await 0'));
  const more = loadedBy(`await import('${dist}')`).filter((name) => !without.has(name));
  expect(more.filter((name) => /stream|crypto/.test(name))).toEqual([]);
});
