// A moment as a link: the part of an address after `#`. Owns its form: `#at=120&task=sub_…&tab=events`.

export const TABS = ['timeline', 'budgets', 'inbox', 'refusals', 'events'] as const;
export type Tab = (typeof TABS)[number];
/** The part that a narrow page shows. */
export type Place = 'tree' | 'main' | 'detail';

export interface Link {
  /** The number of an event; null is always the last one. */
  readonly at: number | null;
  /** The chosen sub-agent. */
  readonly task: string | null;
  readonly tab: Tab;
}

export function readLink(hash: string): Link {
  const given = new URLSearchParams(hash.replace(/^#/u, ''));
  const at = Number(given.get('at'));
  const tab = TABS.find((name) => name === given.get('tab'));
  return { at: Number.isSafeInteger(at) && at > 0 ? at : null, task: given.get('task'), tab: tab ?? 'timeline' };
}

export function writeLink({ at, task, tab }: Link): string {
  const made = new URLSearchParams();
  if (at !== null) made.set('at', String(at));
  if (task !== null) made.set('task', task);
  if (tab !== 'timeline') made.set('tab', tab);
  const text = made.toString();
  return text === '' ? '' : `#${text}`;
}
