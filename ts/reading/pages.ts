// Results in pages. Owns the options and the default page size; the core makes the page.

import { invalid } from '../base/errors.js';
import type { Core } from '../boundary/core.js';
import type { Actor, Key } from '../boundary/key.js';
import { knownOptions, readArgument } from '../options/arguments.js';
import type { ResultPage } from './generated/page.js';
import { readResultPage } from './generated/page-readers.js';

export type { ResultPage } from './generated/page.js';

/** Which part of a result. Places and lengths count Unicode code points. */
export interface PageOptions {
  /** The offset at which the page begins. @default 0 */
  offset?: number | undefined;
  /** Maximum length of the page: at least 1; `Infinity` for the whole rest. @default 16,000 */
  limit?: number | undefined;
}

const PAGE = 16_000;
const MOST = 0xffff_ffff;

/** Reads a page of a task's last result; throws if it is refused. */
export function readPage(runtime: Core, actor: Actor, target: Key, options: PageOptions = {}): ResultPage {
  const { offset, limit } = readArgument('the options of readResult', () => {
    const { offset = 0, limit = PAGE } = knownOptions('readResult', options, ['offset', 'limit']);
    return { offset, limit };
  });
  if (!Number.isSafeInteger(offset) || offset < 0) throw invalid('`offset`', 'a whole number of at least 0', offset);
  if (limit !== Number.POSITIVE_INFINITY && !(Number.isSafeInteger(limit) && limit >= 1))
    throw invalid('`limit`', 'a whole number of at least 1, or Infinity', limit);
  const { index, generation, run } = actor;
  return runtime.view(
    (core) => core.readResult(index, generation, run, target.index, target.generation, Math.min(offset, MOST), Math.min(limit, MOST)),
    readResultPage,
  );
}
