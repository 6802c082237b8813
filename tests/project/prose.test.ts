// What people and models read keeps to its bounds: words of a page, of all pages, of a cell and of a sentence, and words that are
// to be avoided. `npm run lint` runs the same script.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('pages, cells and sentences are as short as they have to be, those of the API too', { timeout: 300_000 }, () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, '../../scripts/prose-lint.mjs')], {
    encoding: 'utf8',
  });
  expect(`${stderr}${stdout}`).toContain('the texts and comments of sources');
  expect(status, `${stderr}${stdout}`).toBe(0);
});
