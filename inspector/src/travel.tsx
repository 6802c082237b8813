// Time travel: the slider to any event, steps back and forward, the return to now, a link to the moment.

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
  const copy = (): void => {
    void navigator.clipboard?.writeText(state.address()).then(
      () => {
        state.toast.value = 'The link to this moment was copied';
      },
      () => {
        state.goTo(shown);
      },
    );
  };
  return (
    <div class={`travel${isLast ? '' : ' past'}`} role="group" aria-label="Time travel">
      <Step icon="first" says="To the first event" title="First event" isOff={!canGo} go={() => state.goTo(first)} />
      <Step icon="back" says="One event back" isOff={!canGo || shown <= first} go={() => state.step(-1)} />
      <Step icon="forth" says="One event forth" isOff={!canGo || shown >= last} go={() => state.step(1)} />
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
      <Step icon="link" says="Copy a link to this moment" isOff={last === 0} go={copy} />
    </div>
  );
}

interface StepProps {
  readonly icon: Parameters<typeof Icon>[0]['name'];
  readonly says: string;
  readonly title?: string;
  readonly isOff: boolean;
  readonly go: () => void;
}

function Step({ icon, says, title = says, isOff, go }: StepProps): JSX.Element {
  return (
    <button type="button" class="button plain" aria-label={says} title={title} disabled={isOff} onClick={go}>
      <Icon name={icon} />
    </button>
  );
}
