// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Receipt } from '../base/receipt.js';

/** What a run left besides its output. */
export interface ResultDetails<Value = unknown> {
  /** The run's error; undefined if there was none. */
  readonly error: string | undefined;
  /** The host's own word for how the run ended; undefined if it gave none of its own. */
  readonly hostStatus: string | undefined;
  /** What the run made besides its output. */
  readonly artifacts: readonly Record<string, unknown>[];
  /** What the spawn's `schema` asked for; undefined if there is none, or the run did not complete. */
  readonly value: Value | undefined;
  /** What the run's tool calls did, in order, as its agent's protocol says it. */
  readonly receipts: readonly Receipt[];
}

/** Those that are no texts, as a host function returned them. */
export interface ReturnedValues {
  artifacts: ResultDetails['artifacts'] | undefined;
  value: ResultDetails['value'] | undefined;
  receipts: ResultDetails['receipts'] | undefined;
}
