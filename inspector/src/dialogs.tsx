// Dialogs before a command: a spawn, a message, a higher cap. Owns the forms; the manager judges the values.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { line } from './format.js';
import type { Asked, InspectorState } from './state.js';

export function Dialogs({ state }: { readonly state: InspectorState }): JSX.Element | null {
  const asked = state.asked.value;
  return asked === null ? null : <Open key={`${asked.kind} ${asked.target}`} state={state} asked={asked} />;
}

function Open({ state, asked }: { readonly state: InspectorState; readonly asked: Asked }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  const close = (): void => {
    state.asked.value = null;
  };
  const node = asked.target === null ? undefined : state.scene.value?.byKey(asked.target);
  const whom = node === undefined ? '' : line(node.label, 60);
  return (
    <dialog ref={dialog} aria-labelledby="asked" onClose={close} onCancel={close}>
      {asked.kind === 'spawn' && <Spawn state={state} asked={asked} whom={whom} close={close} />}
      {asked.kind === 'send' && <Send state={state} asked={asked} whom={whom} close={close} />}
      {asked.kind === 'budget' && <Raise state={state} asked={asked} whom={whom} close={close} />}
    </dialog>
  );
}

interface FormProps {
  readonly state: InspectorState;
  readonly asked: Asked;
  readonly whom: string;
  readonly close: () => void;
}

/** A form that stays open, with the reason, if its request is refused. */
function Form({ title, action, close, ready, submit, refused, children }: FormParts): JSX.Element {
  const isBusy = useSignal(false);
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (isBusy.value || !ready) return;
        isBusy.value = true;
        void submit().then((done) => {
          isBusy.value = false;
          if (done) close();
        });
      }}
    >
      <h2 id="asked" class="foreign">
        {title}
      </h2>
      {children}
      {refused !== null && (
        <p class="refused foreign" role="alert">
          {refused}
        </p>
      )}
      <footer>
        <button type="button" class="button" onClick={close}>
          Never mind
        </button>
        <button type="submit" class="button main" disabled={!ready || isBusy.value}>
          {action}
        </button>
      </footer>
    </form>
  );
}

interface FormParts {
  readonly title: string;
  readonly action: string;
  readonly close: () => void;
  readonly ready: boolean;
  readonly submit: () => Promise<boolean>;
  readonly refused: string | null;
  readonly children: JSX.Element | JSX.Element[];
}

function Spawn({ state, asked, close }: FormProps): JSX.Element {
  const instructions = useSignal('');
  const label = useSignal('');
  const refused = useSignal<string | null>(null);
  const sessionKey = asked.target?.startsWith('session:') ? asked.target.slice('session:'.length) : null;
  return (
    <Form
      title={sessionKey === null ? 'Spawn a sub-agent' : `Spawn a sub-agent of ${line(sessionKey, 60)}`}
      action="Spawn"
      close={close}
      ready={instructions.value.trim() !== ''}
      refused={refused.value}
      submit={async () => {
        const name = label.value.trim();
        const options = { instructions: instructions.value, ...(name === '' ? {} : { label: name }) };
        refused.value = await state.ask({ call: 'spawn', session: sessionKey, args: [options] }, 'Spawned');
        return refused.value === null;
      }}
    >
      <label>
        Instructions
        <textarea
          class="field"
          value={instructions.value}
          onInput={(event) => {
            instructions.value = event.currentTarget.value;
          }}
        />
      </label>
      <label>
        Label
        <input
          class="field"
          placeholder="The beginning of the instructions"
          value={label.value}
          onInput={(event) => {
            label.value = event.currentTarget.value;
          }}
        />
      </label>
    </Form>
  );
}

function Send({ state, asked, whom, close }: FormProps): JSX.Element {
  const text = useSignal('');
  const steers = useSignal(false);
  const refused = useSignal<string | null>(null);
  const canSteer = asked.target !== null && state.scene.value?.byKey(asked.target)?.run?.phase === 'open';
  return (
    <Form
      title={`Send to ${whom}`}
      action={canSteer && steers.value ? 'Steer' : 'Send'}
      close={close}
      ready={text.value !== '' && asked.target !== null}
      refused={refused.value}
      submit={async () => {
        const message = [asked.target ?? '', text.value] as const;
        refused.value =
          canSteer && steers.value
            ? await state.ask({ call: 'send', args: [...message, { mode: 'steer' }] }, 'Steered')
            : await state.ask({ call: 'send', args: message }, 'Sent');
        return refused.value === null;
      }}
    >
      <label>
        Message
        <textarea
          class="field"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          disabled={!canSteer}
          checked={canSteer && steers.value}
          onChange={(event) => {
            steers.value = event.currentTarget.checked;
          }}
        />
        Steer the run: it reads this at its next turn or tool
      </label>
    </Form>
  );
}

const AMOUNTS = [
  ['tokens', 'Tokens', '1'],
  ['costUsd', 'US dollars', 'any'],
  ['turns', 'Turns', '1'],
] as const;

function Raise({ state, asked, whom, close }: FormProps): JSX.Element {
  const given = useSignal<Record<string, string>>({});
  const refused = useSignal<string | null>(null);
  const budget = Object.fromEntries(
    Object.entries(given.value).flatMap(([name, text]) => (Number(text) > 0 ? [[name, Number(text)]] : [])),
  );
  const node = asked.target === null ? state.scene.value?.manager : state.scene.value?.byKey(asked.target);
  const capped = AMOUNTS.filter(([name]) => node === undefined || Number.isFinite(node.cap[name]));
  const session = asked.target?.startsWith('session:') ? asked.target.slice('session:'.length) : null;
  const taskId = session === null ? (asked.target ?? undefined) : undefined;
  return (
    <Form
      title={asked.target === null ? 'Raise the cap of all sub-agents' : `Raise the cap of ${whom}`}
      action="Raise"
      close={close}
      ready={Object.keys(budget).length > 0}
      refused={refused.value}
      submit={async () => {
        refused.value = await state.ask({ call: 'addBudget', session, args: [budget, taskId] }, 'Raised');
        return refused.value === null;
      }}
    >
      <p class="muted">{capped.length === 0 ? 'Nothing caps it.' : 'By how much? What was spent stays spent.'}</p>
      <div class="pair">
        {capped.map(([name, title, step]) => (
          <label key={name}>
            {title}
            <input
              class="field"
              type="number"
              min="0"
              step={step}
              value={given.value[name] ?? ''}
              onInput={(event) => {
                given.value = { ...given.value, [name]: event.currentTarget.value };
              }}
            />
          </label>
        ))}
      </div>
    </Form>
  );
}
