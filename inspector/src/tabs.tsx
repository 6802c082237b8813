// Tabs as a keyboard and a screen reader expect them: one stop, arrows between them.

import type { JSX } from 'preact';

export interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: string;
  readonly count?: number;
  readonly needs?: boolean;
}

interface TabsProps<Id extends string> {
  readonly label: string;
  /** The prefix of the panel's id. */
  readonly name: string;
  readonly tabs: readonly Tab<Id>[];
  readonly chosen: Id;
  readonly onChoose: (id: Id) => void;
}

export function Tabs<Id extends string>({ label, name, tabs, chosen, onChoose }: TabsProps<Id>): JSX.Element {
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label={label}
      onKeyDown={(event) => {
        const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
        if (step === 0) return;
        event.preventDefault();
        const at = tabs.findIndex(({ id }) => id === chosen);
        const next = tabs[(at + step + tabs.length) % tabs.length];
        if (next === undefined) return;
        onChoose(next.id);
        event.currentTarget.querySelector<HTMLElement>(`[data-tab="${next.id}"]`)?.focus();
      }}
    >
      {tabs.map(({ id, title, count, needs }) => (
        <button
          type="button"
          key={id}
          role="tab"
          data-tab={id}
          aria-selected={id === chosen}
          aria-controls={`${name}-panel`}
          tabIndex={id === chosen ? 0 : -1}
          onClick={() => onChoose(id)}
        >
          {title}
          {count !== undefined && count > 0 && <span class={`count${needs ? ' needs' : ''}`}>{count}</span>}
        </button>
      ))}
    </div>
  );
}
