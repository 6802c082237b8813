// The bar above the page: the inspected manager, the slots in use, and the buttons that belong to no sub-agent.

import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { Chooser } from './before.js';
import { count, line, money } from './format.js';
import { Icon } from './icons.js';
import type { InspectorState } from './state.js';

export interface AppProps {
  readonly state: InspectorState;
  readonly onLoad: (file: File) => void;
  readonly onSave: () => void;
}

export function Bar({ state, onLoad, onSave }: AppProps): JSX.Element {
  return (
    <header class="bar">
      <div class="name">
        <Icon name="mark" size={18} />
        <span class="cut foreign">{line(state.info.value?.title ?? 'Sub-agents', 80)}</span>
      </div>
      <Counts state={state} />
      <span class="space" />
      <Tools state={state} onLoad={onLoad} onSave={onSave} />
    </header>
  );
}

/** The use of the slots. */
function Counts({ state }: { readonly state: InspectorState }): JSX.Element {
  const scene = state.scene.value;
  const slots = scene?.frame.slots;
  const spent = scene?.manager.spent;
  return (
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
  );
}

/** The buttons. */
function Tools({ state, onLoad, onSave }: AppProps): JSX.Element {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div class="tools">
      {state.calls.value.has('spawn') && (
        <button
          type="button"
          class="button main"
          disabled={!state.isLive.value || state.scene.value === null}
          onClick={() => state.open({ kind: 'spawn', target: null })}
        >
          <Icon name="add" size={14} /> Spawn
        </button>
      )}
      <Chooser chooser={chooser} onLoad={onLoad} label="Open a journal" />
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
  );
}
