// The page before anything is inspected, or if nothing could be opened. Owns how a journal is chosen.

import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { line } from './format.js';
import type { InspectorState } from './state.js';

export function Before({ state, onLoad }: { readonly state: InspectorState; readonly onLoad: (file: File) => void }): JSX.Element {
  const chooser = useRef<HTMLInputElement>(null);
  const phase = state.phase.value;
  const wrong = state.wrong.value;
  if (wrong !== null) {
    return (
      <main class="state">
        <strong role="alert">Nothing could be opened</strong>
        <p class="foreign">{line(wrong, 600)}</p>
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

/** The choice of a file, which a button of the page opens. */
export function Chooser({
  chooser,
  onLoad,
  label = 'A journal',
}: {
  readonly chooser: { current: HTMLInputElement | null };
  readonly onLoad: (file: File) => void;
  readonly label?: string;
}): JSX.Element {
  return (
    <input
      ref={chooser}
      type="file"
      hidden
      aria-label={label}
      onChange={(event) => {
        const file = event.currentTarget.files?.[0];
        if (file !== undefined) onLoad(file);
        event.currentTarget.value = '';
      }}
    />
  );
}
