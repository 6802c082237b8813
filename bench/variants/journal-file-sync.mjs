/** The package with a journal in a file; effects wait until the disk has their facts. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileStore } from 'subagents/store/file';
import { createStored } from './subagents.mjs';

/** @param {import('./options.mjs').VariantOptions} options @returns {Promise<import('./options.mjs').Variant>} */
export async function create(options) {
  const folder = mkdtempSync(join(tmpdir(), 'subagents-journal-'));
  const variant = await createStored(options, { store: fileStore(join(folder, 'journal')), durability: 'sync' });
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return variant;
}
