// What a start of Node loads for the package, beside the package itself.

import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const dist = new URL('../../dist/node.js', import.meta.url).href;

/** The modules of Node's own that a process has loaded once it has run a program. */
function loadedBy(program: string): string[] {
  const reported = `${program};require('node:fs').writeSync(1, JSON.stringify(process.moduleLoadList))`;
  const script = `import { createRequire } from 'node:module'; const require = createRequire('${dist}'); ${reported}`;
  return JSON.parse(execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })) as string[];
}

test('an import of the package in Node loads neither its streams nor its cryptography', () => {
  const without = new Set(loadedBy('await 0'));
  const more = loadedBy(`await import('${dist}')`).filter((name) => !without.has(name));
  expect(more.filter((name) => /stream|crypto/.test(name))).toEqual([]);
});

/** A first sub-agent, from `SubAgentManager` to its result, whose id is left in `taskId`. */
const firstCall = `
  const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: '', status: 'completed' }) });
  const handle = manager.spawn({ instructions: 'Say nothing.' });
  const { taskId } = await handle.wait();
  manager.dispose();`;

test.skipIf(process.platform === 'win32')('the first sub-agent of a program loads no cryptography in Node either', () => {
  const program = (first: string) => `const { SubAgentManager } = await import('${dist}'); ${first}`;
  const without = new Set(loadedBy(program('')));
  const more = loadedBy(program(firstCall)).filter((name) => !without.has(name));
  expect(more.filter((name) => name.includes('crypto'))).toEqual([]);
});

test.each([
  ['by import', `const { SubAgentManager } = await import('${dist}');`],
  [
    'by require',
    `const { SubAgentManager } = require(${JSON.stringify(fileURLToPath(new URL('../../dist/index.cjs', import.meta.url)))});`,
  ],
])('ids are drawn anew in each process, %s, with the device of the kernel and where there is none', (_, load) => {
  const noDevice = `
    const fs = require('node:fs');
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => {
      if (path === '/dev/urandom') throw Object.assign(new Error('no such device'), { code: 'ENOENT' });
      return openSync(path, ...rest);
    };`;
  // Where no device stands there, but a file: the same bytes each time.
  const plainFile = `
    const fs = require('node:fs');
    const { openSync } = fs;
    fs.openSync = (path, ...rest) => openSync(path === '/dev/urandom' ? process.execPath : path, ...rest);`;
  const ids = ['', '', noDevice, noDevice, plainFile, plainFile].map((before) => {
    const script = `import { createRequire } from 'node:module'; const require = createRequire('${dist}'); ${before} ${load} ${firstCall}; console.log(taskId);`;
    return execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).trim();
  });
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^sub_[0-9a-f]{32}$/)));
  expect(new Set(ids).size).toBe(ids.length);
});
