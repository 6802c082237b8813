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

/** Saves it for later runs. The checkpoint says that this run made progress, so that it isn't given up as lost too often. */
export async function saveFor(run: Run, kept: { id?: string | undefined }): Promise<void> {
  await Promise.all([run.save({ ...kept }), run.checkpoint({ conversation: kept.id ?? null })]);
}
