// What the page has to say: that something is wrong, until it is put away, and that a hand has done what was asked.

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { line } from './format.js';
import { Icon } from './icons.js';
import type { InspectorState } from './state.js';

const TOLD_MS = 4_000;

export function Wrong({ state }: { readonly state: InspectorState }): JSX.Element {
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

export function Told({ state }: { readonly state: InspectorState }): JSX.Element | null {
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
