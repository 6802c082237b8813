// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** What came with the output of a run, as texts; undefined where there is none. */
export interface BesideTexts {
  /** What went wrong. */
  error: string | undefined;
  /** The host's own word for how it ended. */
  hostStatus: string | undefined;
  /** The host's own id. */
  hostTaskId: string | undefined;
  /** What it made besides its output, as JSON. */
  artifactsJson: string | undefined;
  /** Its value, as JSON: what a schema asked for. */
  valueJson: string | undefined;
  /** What its tool calls did, in order, as JSON. */
  receiptsJson: string | undefined;
}

/** These texts in the order in which the core reads them; undefined where there is none at all, as nearly always. */
export function besideOutput({ error, hostStatus, hostTaskId, artifactsJson, valueJson, receiptsJson }: Partial<BesideTexts>): readonly (string | undefined)[] | undefined {
  if (error === undefined && hostStatus === undefined && hostTaskId === undefined && artifactsJson === undefined && valueJson === undefined && receiptsJson === undefined) return undefined;
  return [error, hostStatus, hostTaskId, artifactsJson, valueJson, receiptsJson];
}
