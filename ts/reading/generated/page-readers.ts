// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../../boundary/view-bytes.js';
import { readTaskSnapshot } from '../../snapshots/generated/task-readers.js';
import type { ResultPage, TaskPage } from './page.js';

/** Reads one. */
export function readResultPage(from: ViewBytes): ResultPage {
  const low = from.bits(1);
  return {
    text: from.text(),
    offset: from.number(),
    nextOffset: (low & 0x1) !== 0 ? from.number() : null,
    total: from.number(),
    cut: (low & 0x2) !== 0,
  };
}

/** Reads one. */
export function readTaskPage(from: ViewBytes): TaskPage {
  return {
    items: from.list(() => readTaskSnapshot(from)),
    total: from.number(),
  };
}
