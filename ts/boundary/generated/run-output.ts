// Made by `cargo xtask generate` from the tables in src/; do not edit.

/** What came with the output of a run, as texts; undefined where there is none. */
export interface BesideTexts {
  /** The run's error; undefined if there was none. */
  error: string | undefined;
  /** The host's own word for how the run ended; undefined if it gave none. */
  hostStatus: string | undefined;
  /** The artifacts that the run made besides its output. It is JSON. */
  artifactsJson: string | undefined;
  /** The value for the spawn's `schema`; undefined if it has none, or the run did not complete. It is JSON. */
  valueJson: string | undefined;
  /** The effects of the run's tool calls, in order, as its agent's protocol reports them. It is JSON. */
  receiptsJson: string | undefined;
  /** The host's own id of the sub-agent; undefined if the host gave none. */
  hostTaskId: string | undefined;
}

/** These texts in the order in which the core reads them; undefined where there is none at all, as nearly always. */
export function besideOutput({ error, hostStatus, artifactsJson, valueJson, receiptsJson, hostTaskId }: Partial<BesideTexts>): readonly (string | undefined)[] | undefined {
  if (error === undefined && hostStatus === undefined && artifactsJson === undefined && valueJson === undefined && receiptsJson === undefined && hostTaskId === undefined) return undefined;
  return [error, hostStatus, artifactsJson, valueJson, receiptsJson, hostTaskId];
}
