// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { TaskSnapshot } from '../../snapshots/generated/task.js';

/** A part of a result. Offsets and lengths count Unicode code points. */
export interface ResultPage {
  /** The part. */
  text: string;
  /** The offset in the result at which it begins. */
  offset: number;
  /** The offset of the next page; null if this is the last. */
  nextOffset: number | null;
  /** The length of the whole result. */
  total: number;
  /** The result itself was cut at `maxResultBytes` when it arrived. */
  cut: boolean;
}

/** A page of a list of tasks. */
export interface TaskPage {
  /** Its tasks. */
  items: TaskSnapshot[];
  /** The count over all pages. */
  total: number;
}
