// Made by `cargo xtask generate` from the tables in src/; do not edit.

import type { Receipt } from '../base/receipt.js';

/** What a run left besides its output. */
export interface ResultDetails<Value = unknown> {
  /** The run's error; undefined if there was none. */
  readonly error: string | undefined;
  /** The host's own word for how the run ended; undefined if it gave none. */
  readonly hostStatus: string | undefined;
  /** The artifacts that the run made besides its output. */
  readonly artifacts: readonly Record<string, unknown>[];
  /** The value for the spawn's `schema`; undefined if it has none, or the run did not complete. */
  readonly value: Value | undefined;
  /** The effects of the run's tool calls, in order, as its agent's protocol reports them. */
  readonly receipts: readonly Receipt[];
}

/** Those that are no texts, as a host function returned them. */
export interface ReturnedValues {
  artifacts: ResultDetails['artifacts'] | undefined;
  value: ResultDetails['value'] | undefined;
  receipts: ResultDetails['receipts'] | undefined;
}
