// The page: the bar above, the tree, the tabs, the chosen sub-agent, time travel below. Owns where these stand, and what
// is shown where there is nothing yet, or something is wrong.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Budgets } from './budgets.js';
import { Detail } from './detail.js';
import { Dialogs } from './dialogs.js';
import { count, line, money } from './format.js';
import { Icon } from './icons.js';
import { Events, Inbox, Refusals } from './lists.js';
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
const TOLD_MS = 4_000;

export interface AppProps {
  readonly state: InspectorState;
  readonly onLoad: (file: File) => void;
  readonly onSave: () => void;
}

export function App({ state, onLoad, onSave }: AppProps): JSX.Element {
  const phase = state.phase.value;
  const isEmpty = phase === 'empty' || (phase === 'loading' && state.scene.value === null);
  return (
    <div class="page">
      <Bar state={state} onLoad={onLoad} onSave={onSave} />
      <div style={{ display: 'contents' }}>
        {isEmpty || state.scene.value === null ? (
          <Before state={state} onLoad={onLoad} />
        ) : (
          <div style={{ display: 'grid', gridTemplate: 'auto minmax(0, 1fr) / minmax(0, 1fr)', minHeight: 0 }}>
            <Wrong state={state} />
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
      <Told state={state} />
      <div class="unseen" role="status" aria-live="polite">
        {state.announced.value}
      </div>
      <Dialogs state={state} />
    </div>
  );
}

function Bar({ state, onLoad, onSave }: AppProps): JSX.Element {
  const scene = state.scene.value;
  const chooser = useRef<HTMLInputElement>(null);
  const slots = scene?.frame.slots;
  const spent = scene?.manager.spent;
  return (
    <header class="bar">
      <div class="name">
        <Icon name="mark" size={18} />
        <span class="cut told">{line(state.info.value?.title ?? 'Sub-agents', 80)}</span>
      </div>
      <ul class="counts" aria-label="In all">
        <li class="runs">
          <b>{slots === undefined ? '–' : slots.active}</b>
          {slots?.limit === null || slots === undefined ? '' : ` of ${slots.limit}`} at work
        </li>
        <li>
          <b>{slots === undefined ? '–' : slots.queued + slots.parked}</b> waiting
        </li>
        <li>
          <b>{scene === null ? '–' : count(scene.frame.runsEnded)}</b> ended
        </li>
        <li>
          <b>{spent === undefined ? '–' : count(spent.tokens)}</b> tokens
          {spent !== undefined && spent.costUsd > 0 ? `, ${money(spent.costUsd)}` : ''}
        </li>
        <li class={scene !== null && scene.attention > 0 ? 'needs' : ''}>
          {scene !== null && scene.attention > 0 ? (
            <button
              type="button"
              class="tag needs link"
              onClick={() => {
                state.only.value = 'needs';
                state.place.value = 'tree';
                const first = scene.frame.attention(scene.now)[0];
                if (first !== undefined) state.select(first.node.id);
              }}
            >
              {scene.attention} {scene.attention === 1 ? 'needs' : 'need'} a person
            </button>
          ) : null}
        </li>
      </ul>
      <span class="space" />
      <div class="tools">
        {state.commands.value.has('spawn') && (
          <button
            type="button"
            class="button main"
            disabled={!state.isLive.value || scene === null}
            onClick={() => state.open({ kind: 'spawn', target: null })}
          >
            <Icon name="add" size={14} /> Spawn
          </button>
        )}
        <input
          ref={chooser}
          type="file"
          hidden
          aria-label="Open a journal"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file !== undefined) onLoad(file);
            event.currentTarget.value = '';
          }}
        />
        <button
          type="button"
          class="button plain"
          aria-label="Open a journal"
          title="Open a journal"
          onClick={() => chooser.current?.click()}
        >
          <Icon name="load" /> <span class="word">Open</span>
        </button>
        <button
          type="button"
          class="button plain"
          aria-label="Save what is shown"
          title="Save all events as a file"
          disabled={state.last.value === 0}
          onClick={onSave}
        >
          <Icon name="save" /> <span class="word">Save</span>
        </button>
        <button
          type="button"
          class="button plain"
          aria-label={state.isDark.value ? 'Light colours' : 'Dark colours'}
          title="Light or dark"
          onClick={() => state.host.setAttribute('theme', state.isDark.value ? 'light' : 'dark')}
        >
          <Icon name="sun" />
        </button>
      </div>
    </header>
  );
}

function Wrong({ state }: { readonly state: InspectorState }): JSX.Element {
  const wrong = state.wrong.value;
  return (
    <div role="alert">
      {wrong !== null && (
        <div class="wrong">
          <span class="told">{line(wrong, 600)}</span>
          {state.phase.value === 'lost' && (
            <button type="button" class="button small" onClick={() => state.again()}>
              Connect again
            </button>
          )}
          <button
            type="button"
            class="button plain small"
            aria-label="Put this away"
            onClick={() => {
              state.wrong.value = null;
            }}
          >
            <Icon name="close" size={13} />
          </button>
        </div>
      )}
    </div>
  );
}

function Before({ state, onLoad }: { readonly state: InspectorState; readonly onLoad: (file: File) => void }): JSX.Element {
  const chooser = useRef<HTMLInputElement>(null);
  const phase = state.phase.value;
  const wrong = state.wrong.value;
  if (wrong !== null) {
    return (
      <main class="state">
        <strong role="alert">Nothing could be opened</strong>
        <p class="told">{line(wrong, 600)}</p>
        <div class="tools">
          <button type="button" class="button" onClick={() => state.again()}>
            Try again
          </button>
          <button type="button" class="button" onClick={() => chooser.current?.click()}>
            Open a journal
          </button>
        </div>
        <Chooser chooser={chooser} onLoad={onLoad} />
      </main>
    );
  }
  if (phase !== 'empty') {
    return (
      <main class="state" aria-busy="true">
        <strong>Loading …</strong>
        <p>The first events are on their way.</p>
      </main>
    );
  }
  return (
    <main class="state">
      <strong>There is nothing to inspect yet</strong>
      <p>Give this element a manager of this page, or open a journal: drop its file here.</p>
      <pre>{"document.querySelector('subagents-inspector').manager = manager;"}</pre>
      <button type="button" class="button main" onClick={() => chooser.current?.click()}>
        Open a journal
      </button>
      <Chooser chooser={chooser} onLoad={onLoad} />
    </main>
  );
}

function Chooser({
  chooser,
  onLoad,
}: {
  readonly chooser: { current: HTMLInputElement | null };
  readonly onLoad: (file: File) => void;
}): JSX.Element {
  return (
    <input
      ref={chooser}
      type="file"
      hidden
      aria-label="A journal"
      onChange={(event) => {
        const file = event.currentTarget.files?.[0];
        if (file !== undefined) onLoad(file);
        event.currentTarget.value = '';
      }}
    />
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

function Told({ state }: { readonly state: InspectorState }): JSX.Element | null {
  const told = state.told.value;
  useEffect(() => {
    if (told === null) return;
    const timer = setTimeout(() => {
      state.told.value = null;
    }, TOLD_MS);
    return () => clearTimeout(timer);
  }, [told, state]);
  return told === null ? null : <div class="toast">{told}</div>;
}
