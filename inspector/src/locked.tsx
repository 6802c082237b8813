// The page while a server wants its token. Owns the form; `token.ts` stores the token.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { line } from './format.js';
import type { InspectorState } from './state.js';

/** Asks for the token of a server. */
export function Locked({ state }: { readonly state: InspectorState }): JSX.Element {
  const typed = useSignal('');
  return (
    <main class="state">
      <strong>A token, please</strong>
      <p role="alert" class="foreign">
        {line(state.wrong.value ?? '', 600)}
      </p>
      <form
        class="lock"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.value.trim() !== '') state.unlock(typed.value.trim());
        }}
      >
        <label>
          Token
          <input
            class="field"
            type="password"
            autocomplete="off"
            spellcheck={false}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value;
            }}
          />
        </label>
        <button type="submit" class="button main" disabled={typed.value.trim() === ''}>
          Connect
        </button>
      </form>
      <p>It stays in this tab, and is in no address.</p>
    </main>
  );
}
