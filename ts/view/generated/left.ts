// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** What the last run of a node has left behind. */
export interface LeftView {
  /** Of its last run: what it produced. */
  readonly output: string;
  /** Of its last run: what went wrong. */
  readonly error: string | null;
  /** Of its last run: the host's own word for how it ended. */
  readonly hostStatus: string | null;
  /** Of its last run: the host's own id. */
  readonly hostTaskId: string | null;
  /** Of its last run: what it made besides its output, as JSON. */
  readonly artifacts: string | null;
  /** Of its last run: its value, as JSON: what a schema asked for. */
  readonly value: string | null;
  /** Of its last run: what its tool calls did, in order, as JSON. */
  readonly receipts: string | null;
  /** Of its last run: how long it took by the host's measure, in milliseconds. */
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
  declare hostTaskId: string | null;
  declare artifacts: string | null;
  declare value: string | null;
  declare receipts: string | null;
  declare durationMs: number | null;

  constructor(left: Partial<LeftView>) {
    this.leave(left);
  }

  /** Takes over what a run has left. */
  leave(left: Partial<LeftView>): void {
    this.output = left.output ?? '';
    this.error = left.error ?? null;
    this.hostStatus = left.hostStatus ?? null;
    this.hostTaskId = left.hostTaskId ?? null;
    this.artifacts = left.artifacts ?? null;
    this.value = left.value ?? null;
    this.receipts = left.receipts ?? null;
    this.durationMs = left.durationMs ?? null;
  }
}
