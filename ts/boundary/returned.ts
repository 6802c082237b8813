// What a host function returned, as it goes to the core: its output by the scratch, its figures as numbers, and what few
// ends have beside these under the names by which `src/model/product.rs` stages it.

/** An end, as it was read from what the host gave. */
export interface Returned {
  /** By the core's number. */
  how: number;
  output: string;
  error: string | undefined;
  /** The host's own error; the core never sees it. */
  cause: unknown;
  hostStatus: string | undefined;
  hostTaskId: string | undefined;
  artifacts: readonly Record<string, unknown>[] | undefined;
  artifactsJson: string | undefined;
  /** As it came; what it is once it was checked. */
  value: unknown;
  /** Set where it was checked. */
  valueJson: string | undefined;
  /** Figures: -1 where the host gives none, NaN where what it gives is none. */
  tokens: number;
  cost: number;
  turns: number;
  durationMs: number;
}

/** The core adds this to `how` where `stageEnd` was given something. */
export const WITH_EXTRAS = 8;

/** What comes with the output; `undefined` where nothing does. */
export function extrasOf({ error, hostStatus, hostTaskId, artifactsJson, valueJson, durationMs }: Returned): object | undefined {
  const isTimed = durationMs >= 0 && durationMs <= Number.MAX_SAFE_INTEGER;
  const isPlain = error === undefined && hostStatus === undefined && hostTaskId === undefined;
  if (isPlain && artifactsJson === undefined && valueJson === undefined && !isTimed) return undefined;
  return { error, hostStatus, hostTaskId, artifacts: artifactsJson, value: valueJson, ...(isTimed && { durationMs }) };
}
