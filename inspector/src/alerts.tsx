// The page's reports: a mistake, until the user closes it; and briefly, the effect of a command.

import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { line } from './format.js';
import { Icon } from './icons.js';
import type { InspectorState } from './state.js';

const TOAST_MS = 4_000;

export function Alert({ state }: { readonly state: InspectorState }): JSX.Element {
  const wrong = state.wrong.value;
  return (
    <div role="alert">
      {wrong !== null && (
        <div class="wrong">
          <span class="foreign">{line(wrong, 600)}</span>
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

export function Toast({ state }: { readonly state: InspectorState }): JSX.Element | null {
  const toast = state.toast.value;
  useEffect(() => {
    if (toast === null) return;
    const timer = setTimeout(() => {
      state.toast.value = null;
    }, TOAST_MS);
    return () => clearTimeout(timer);
  }, [toast, state]);
  return toast === null ? null : <div class="toast">{toast}</div>;
}
