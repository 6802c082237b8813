// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { ViewBytes } from '../../boundary/view-bytes.js';

/** A part of a result. Places and lengths count Unicode code points. */
export interface ResultPage {
  /** The part. */
  text: string;
  /** The offset in the result at which it begins. */
  offset: number;
  /** The offset of the next page; null if this is the last. */
  nextOffset: number | null;
  /** How long the whole result is. */
  total: number;
  /** The result itself was cut at `maxResultBytes` when it came. */
  cut: boolean;
}

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
