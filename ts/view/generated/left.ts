// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** What the last run of a node has left behind. */
export interface LeftView {
  /** What the run produced. */
  readonly output: string;
  /** The run's error; null if there was none. */
  readonly error: string | null;
  /** The host's own word for how the run ended; null if it gave none. */
  readonly hostStatus: string | null;
  /** The artifacts that the run made besides its output. It is JSON. */
  readonly artifacts: string | null;
  /** The value for the spawn's `schema`; null if it has none, or the run did not complete. It is JSON. */
  readonly value: string | null;
  /** The effects of the run's tool calls, in order, as its agent's protocol reports them. It is JSON. */
  readonly receipts: string | null;
  /** The host's own id of the sub-agent; null if the host gave none. */
  readonly hostTaskId: string | null;
  /** The run's duration as its host measured it, in milliseconds. */
  readonly durationMs: number | null;
}

/** Those that a snapshot has as they are. */
export const LEFT_SAME = ['output', 'error', 'hostStatus', 'hostTaskId'] as const;

/** What is there of it once the result is released. */
export const RELEASED = { output: '', artifacts: null, value: null, receipts: null };

/** The same, to be written. Each field is named: a spread takes longer. */
export class Left {
  declare output: string;
  declare error: string | null;
  declare hostStatus: string | null;
  declare artifacts: string | null;
  declare value: string | null;
  declare receipts: string | null;
  declare hostTaskId: string | null;
  declare durationMs: number | null;

  constructor(left: Partial<LeftView>) {
    this.leave(left);
  }

  /** Takes over what a run has left. */
  leave(left: Partial<LeftView>): void {
    this.output = left.output ?? '';
    this.error = left.error ?? null;
    this.hostStatus = left.hostStatus ?? null;
    this.artifacts = left.artifacts ?? null;
    this.value = left.value ?? null;
    this.receipts = left.receipts ?? null;
    this.hostTaskId = left.hostTaskId ?? null;
    this.durationMs = left.durationMs ?? null;
  }
}
