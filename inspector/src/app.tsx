// The page: the bar above, the tree, the tabs, the chosen sub-agent, time travel below. Owns the layout.

import type { JSX } from 'preact';
import { Alert, Toast } from './alerts.js';
import { type AppProps, Bar } from './bar.js';
import { Before } from './before.js';
import { Budgets } from './budgets.js';
import { Detail } from './detail.js';
import { Dialogs } from './dialogs.js';
import { Events, Inbox, Refusals } from './lists.js';
import { Locked } from './locked.js';
import type { InspectorState, Place, Tab } from './state.js';
import { Tabs } from './tabs.js';
import { Timeline } from './timeline.js';
import { Travel } from './travel.js';
import { Tree } from './tree.js';

const PLACES: readonly (readonly [Place, string])[] = [
  ['tree', 'Sub-agents'],
  ['main', 'Overview'],
  ['detail', 'Chosen one'],
];

export function App({ state, onLoad, onSave }: AppProps): JSX.Element {
  const phase = state.phase.value;
  const isEmpty = phase === 'empty' || (phase === 'loading' && state.scene.value === null);
  return (
    <div class="page">
      <Bar state={state} onLoad={onLoad} onSave={onSave} />
      <div style={{ display: 'contents' }}>
        {phase === 'locked' ? (
          <Locked state={state} />
        ) : isEmpty || state.scene.value === null ? (
          <Before state={state} onLoad={onLoad} />
        ) : (
          <div style={{ display: 'grid', gridTemplate: 'auto minmax(0, 1fr) / minmax(0, 1fr)', minHeight: 0 }}>
            <Alert state={state} />
            <main class="panes">
              <Tree state={state} />
              <Main state={state} />
              <Detail state={state} />
            </main>
          </div>
        )}
      </div>
      <div>
        <nav class="places" aria-label="Parts of the page">
          {PLACES.map(([id, title]) => (
            <button
              type="button"
              key={id}
              aria-pressed={state.place.value === id}
              onClick={() => {
                state.place.value = id;
              }}
            >
              {title}
            </button>
          ))}
        </nav>
        <Travel state={state} />
      </div>
      <Toast state={state} />
      <div class="unseen" role="status" aria-live="polite">
        {state.announced.value}
      </div>
      <Dialogs state={state} />
    </div>
  );
}

function Main({ state }: { readonly state: InspectorState }): JSX.Element {
  const tab = state.tab.value;
  const scene = state.scene.value;
  const tabs = [
    { id: 'timeline' as const, title: 'Timeline' },
    { id: 'budgets' as const, title: 'Budgets' },
    { id: 'inbox' as const, title: 'Inbox', count: scene?.notices.length ?? 0 },
    { id: 'refusals' as const, title: 'Refusals', count: scene?.refusals.length ?? 0, needs: true },
    { id: 'events' as const, title: 'Events' },
  ];
  return (
    <section class={`pane${state.place.value === 'main' ? ' shown' : ''}`} aria-label="Overview">
      <header>
        <h2 class="unseen">Overview</h2>
        <Tabs label="Views" name="main" tabs={tabs} chosen={tab} onChoose={(id) => state.showTab(id)} />
      </header>
      <div id="main-panel" role="tabpanel" aria-label={tabs.find(({ id }) => id === tab)?.title} style={{ display: 'contents' }}>
        {tab === 'timeline' && <Timeline state={state} />}
        {tab === 'events' && <Events state={state} />}
        {tab !== 'timeline' && tab !== 'events' && <Scrolled tab={tab} state={state} />}
      </div>
    </section>
  );
}

function Scrolled({ tab, state }: { readonly tab: Exclude<Tab, 'timeline' | 'events'>; readonly state: InspectorState }): JSX.Element {
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label={tab} key={tab}>
      {tab === 'budgets' && <Budgets state={state} />}
      {tab === 'inbox' && <Inbox state={state} />}
      {tab === 'refusals' && <Refusals state={state} />}
    </div>
  );
}
