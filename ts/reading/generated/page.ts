// Made by `cargo xtask generate` from the tables in src/; do not edit.

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
