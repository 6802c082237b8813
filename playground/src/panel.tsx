// The panel beside the inspector: scenarios, faults, the model, the documents. Owns its controls; what they do is
// `playground.ts`'s.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { SAMPLES } from './documents.js';
import { FAULTS, type Fault } from './faults.js';
import type { ModelKind, Playground } from './playground.js';
import { SCENARIOS } from './scenarios.js';

const SAID: Record<Fault, string> = {
  none: 'Nothing breaks',
  fails: 'The host fails',
  hangs: 'The host hangs, and heeds no signal',
  slow: 'The host is slow',
  'rate limit': 'The endpoint asks for a pause',
};
const SHARES = [1, 2, 3, 4];

export function Panel({ playground }: { readonly playground: Playground }): JSX.Element {
  const { scenario, said, isOpen } = playground;
  return (
    <div class={`panel${isOpen.value ? ' open' : ''}`}>
      <header>
        <h1>Playground</h1>
        <button
          type="button"
          class="narrow"
          aria-expanded={isOpen.value}
          aria-controls="controls"
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          {isOpen.value ? 'Hide' : 'Choose'}
        </button>
      </header>
      <div id="controls">
        <p class="lead">An agent runs in this page with sub-agents of its own. Nothing is sent anywhere.</p>
        <fieldset class="scenarios">
          <legend>Scenario</legend>
          {SCENARIOS.map((each) => (
            <label key={each.id} class={each === scenario.value ? 'chosen' : ''}>
              <input type="radio" name="scenario" checked={each === scenario.value} onChange={() => playground.choose(each)} />
              <span>
                <b>{each.title}</b>
                {each === scenario.value && <small>{each.shows}</small>}
              </span>
            </label>
          ))}
        </fieldset>
        <div class="row">
          <button type="button" class="main" onClick={() => void playground.start()}>
            Start again
          </button>
          {scenario.value.id === 'crash' && (
            <button type="button" onClick={() => playground.crash()}>
              Lose the page
            </button>
          )}
        </div>
        <p role="status" class="said">
          {said.value}
        </p>
        <Faults playground={playground} />
        <Model playground={playground} />
        <Documents playground={playground} />
      </div>
    </div>
  );
}

function Faults({ playground: { injected } }: { readonly playground: Playground }): JSX.Element {
  return (
    <fieldset>
      <legend>What breaks</legend>
      <select
        aria-label="What breaks"
        value={injected.value.fault}
        onChange={(event) => {
          injected.value = { ...injected.value, fault: event.currentTarget.value as Fault };
        }}
      >
        {FAULTS.map((fault) => (
          <option value={fault} key={fault}>
            {SAID[fault]}
          </option>
        ))}
      </select>
      <select
        aria-label="For which sub-agents"
        disabled={injected.value.fault === 'none'}
        value={String(injected.value.every)}
        onChange={(event) => {
          injected.value = { ...injected.value, every: Number(event.currentTarget.value) };
        }}
      >
        {SHARES.map((share) => (
          <option value={String(share)} key={share}>
            {share === 1 ? 'for each sub-agent' : `for one of ${share} sub-agents`}
          </option>
        ))}
      </select>
      <small>It meets sub-agents that start from now on.</small>
    </fieldset>
  );
}

const MODELS: readonly (readonly [ModelKind, string])[] = [
  ['built-in', 'Built in: ranks sentences, no network'],
  ['endpoint', 'An OpenAI-compatible endpoint'],
  ['file', 'A GGUF file of yours, in this page'],
];

function Model({ playground }: { readonly playground: Playground }): JSX.Element {
  const kind = useSignal<ModelKind>(playground.modelKind.value);
  const given = useSignal(playground.endpoint.value);
  const set = (name: 'url' | 'model' | 'key', value: string): void => {
    given.value = { ...given.value, [name]: value };
  };
  return (
    <fieldset>
      <legend>Model</legend>
      <select
        aria-label="Model"
        value={kind.value}
        onChange={(event) => {
          kind.value = event.currentTarget.value as ModelKind;
          if (kind.value === 'built-in' && playground.modelKind.value !== 'built-in') {
            playground.modelKind.value = 'built-in';
            void playground.start();
          }
        }}
      >
        {MODELS.map(([id, title]) => (
          <option value={id} key={id}>
            {title}
          </option>
        ))}
      </select>
      {kind.value === 'endpoint' && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            playground.useEndpoint(given.value);
          }}
        >
          <label>
            Address, up to /v1
            <input type="url" autocomplete="off" value={given.value.url} onInput={(event) => set('url', event.currentTarget.value)} />
          </label>
          <label>
            Model
            <input type="text" autocomplete="off" value={given.value.model} onInput={(event) => set('model', event.currentTarget.value)} />
          </label>
          <label>
            Key, which stays in this tab
            <input type="password" autocomplete="off" value={given.value.key} onInput={(event) => set('key', event.currentTarget.value)} />
          </label>
          <button type="submit" disabled={given.value.url === '' || given.value.model === ''}>
            Use it
          </button>
        </form>
      )}
      {kind.value === 'file' && (
        <label>
          The file is read in this page; llama.cpp is loaded when you choose it.
          <input
            type="file"
            accept=".gguf"
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file !== undefined) void playground.takeModel(file);
            }}
          />
        </label>
      )}
    </fieldset>
  );
}

function Documents({ playground }: { readonly playground: Playground }): JSX.Element {
  const documents = playground.documents.value;
  return (
    <fieldset>
      <legend>Documents</legend>
      <ul class="documents">
        {documents.slice(0, 12).map(({ name }) => (
          <li key={name}>
            <bdi>{name}</bdi>
          </li>
        ))}
        {documents.length > 12 && <li>{documents.length - 12} more</li>}
      </ul>
      <label class="drop">
        Drop texts of yours here, or choose them
        <input
          type="file"
          multiple
          onChange={(event) => {
            void playground.take(event.currentTarget.files ?? []);
            event.currentTarget.value = '';
          }}
        />
      </label>
      {documents !== SAMPLES && (
        <button
          type="button"
          onClick={() => {
            playground.documents.value = SAMPLES;
            void playground.start();
          }}
        >
          Back to the samples
        </button>
      )}
    </fieldset>
  );
}
