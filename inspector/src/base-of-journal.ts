// The base of a journal that begins with a snapshot. Owns its moment.

import { baseOf, type Inspected, type ViewBase } from 'subagents/view';

/** The manager as in the snapshot, at the time of the last change to one of its sub-agents, however long ago that is. */
export function baseOfJournal(view: unknown): ViewBase {
  const base = baseOf(view as Inspected);
  const at = base.tasks.reduce((last, { updatedAt, createdAt }) => Math.max(last, updatedAt ?? createdAt ?? 0), 0);
  return at === 0 ? base : { ...base, at };
}
