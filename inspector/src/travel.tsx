// Time travel: the slider to any event, steps forth and back, the way back to now, a link to the moment.

import type { JSX } from 'preact';
import { clock, digits, duration } from './format.js';
import { Icon } from './icons.js';
import type { InspectorState } from './state.js';

export function Travel({ state }: { readonly state: InspectorState }): JSX.Element {
  const scene = state.scene.value;
  const [first, last] = [state.first.value, state.last.value];
  const isLast = state.isLive.value;
  const shown = scene?.seq ?? 0;
  const canGo = last > first;
  const isFollowing = state.info.value?.live === true;
  return (
    <div class={`travel${isLast ? '' : ' past'}`} role="group" aria-label="Time travel">
      <button
        type="button"
        class="button plain"
        aria-label="To the first event"
        title="First event"
        disabled={!canGo}
        onClick={() => state.goTo(first)}
      >
        <Icon name="first" />
      </button>
      <button
        type="button"
        class="button plain"
        aria-label="One event back"
        title="One event back"
        disabled={!canGo || shown <= first}
        onClick={() => state.step(-1)}
      >
        <Icon name="back" />
      </button>
      <button
        type="button"
        class="button plain"
        aria-label="One event forth"
        title="One event forth"
        disabled={!canGo || shown >= last}
        onClick={() => state.step(1)}
      >
        <Icon name="forth" />
      </button>
      <input
        type="range"
        min={first}
        max={Math.max(first, last)}
        value={isLast ? last : shown}
        disabled={!canGo}
        aria-label="Moment"
        aria-valuetext={`Event ${shown} of ${last}`}
        onInput={(event) => {
          const wanted = Number(event.currentTarget.value);
          if (wanted >= last) state.goLive();
          else state.goTo(wanted);
        }}
      />
      <span class="where">
        <b>{digits(shown)}</b> of {digits(last)}
        {state.progress.value !== null && <span> · {Math.floor(state.progress.value * 100)} % read</span>}
        {scene !== null && last > 0 && (
          <span class="date">
            {' '}
            · {duration(scene.now - scene.startedAt)} · {clock(scene.frame.at)}
          </span>
        )}
      </span>
      <button type="button" class="button live" aria-pressed={isLast} onClick={() => state.goLive()}>
        {isFollowing ? 'Live' : 'End'}
      </button>
      <button
        type="button"
        class="button plain"
        aria-label="Copy a link to this moment"
        title="Copy a link to this moment"
        disabled={last === 0}
        onClick={() => {
          void navigator.clipboard?.writeText(state.address()).then(
            () => {
              state.told.value = 'The link to this moment was copied';
            },
            () => {
              state.goTo(shown);
            },
          );
        }}
      >
        <Icon name="link" />
      </button>
    </div>
  );
}
