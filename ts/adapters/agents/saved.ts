// What of a conversation outlives the program: its id and what of it is booked. Owns where it is saved, and which runs get it.

import type { Run } from '../../api/run.js';

/** An attempt after these ends continues the work; after others it begins from nothing. */
const CONTINUED = new Set(['host_lost', 'drained']);

/** What the runs before this one saved. */
export function savedBy<Kept extends object>(run: Run): Kept | undefined {
  const { previousError, saved } = run;
  if (previousError !== undefined && !CONTINUED.has(previousError.reason)) return undefined;
  return typeof saved === 'object' && saved !== null ? (saved as unknown as Kept) : undefined;
}

/**
 * A run begins. Its agent has a process of its own and can't be what ended this one, so that the run isn't given up, however
 * often it is lost (`maxLost`).
 */
export async function beginFor(run: Run): Promise<void> {
  await run.checkpoint({ conversation: savedBy<{ id?: string }>(run)?.id ?? null }).catch(() => undefined);
}

/** Saves it for later runs. */
export async function saveFor(run: Run, kept: object): Promise<void> {
  await run.save({ ...kept }).catch(() => undefined);
}

/** Saves it once a turn has been answered: what came with that turn needn't be said again (J3). */
export async function answeredFor(run: Run, kept: { id?: string | undefined }): Promise<void> {
  await Promise.all([saveFor(run, kept), run.checkpoint({ conversation: kept.id ?? null }).catch(() => undefined)]);
}
