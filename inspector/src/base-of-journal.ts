// What a journal's own snapshot stands for. Owns at which moment that is.

import { baseOf, type Inspected, type ViewBase } from 'subagents/view';

/** The manager as the snapshot says, at the time when one of its sub-agents last changed, however long ago that is. */
export function baseOfJournal(view: unknown): ViewBase {
  const base = baseOf(view as Inspected);
  const at = base.tasks.reduce((last, { updatedAt, createdAt }) => Math.max(last, updatedAt ?? createdAt ?? 0), 0);
  return at === 0 ? base : { ...base, at };
}
