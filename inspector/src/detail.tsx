// One sub-agent: its input, its limits, its transcript, its result, and the commands for it.

import { useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import type { TranscriptEntry } from 'subagents/view';
import { beginning, clock, counted, digits, duration, kindsText, line, money, receiptsText, shown, words } from './format.js';
import { Glyph } from './icons.js';
import { Events } from './lists.js';
import { type InspectorState, keyOf, type Scene, type SceneNode } from './state.js';
import { Tabs } from './tabs.js';

const VIEWS = [
  ['about', 'About'],
  ['transcript', 'Transcript'],
  ['output', 'Output'],
  ['events', 'Events'],
] as const;

export function Detail({ state }: { readonly state: InspectorState }): JSX.Element {
  const scene = state.scene.value;
  const selected = state.selected.value;
  const node = selected === null ? undefined : scene?.byKey(selected);
  const view = state.detail.value;
  return (
    <section class={`pane${state.place.value === 'detail' ? ' shown' : ''}`} aria-label="The chosen sub-agent">
      {node === undefined || scene === null ? (
        <Nothing state={state} isGone={selected !== null && scene !== null} />
      ) : (
        <>
          <header>
            <Glyph look={scene.stateOf(node).look} />
            <h2 class="cut foreign" title={keyOf(node)}>
              {line(node.label, 90) || keyOf(node)}
            </h2>
            <span class="muted word">{scene.stateOf(node).word}</span>
            <span class="space" />
            <Tabs
              label="What of the sub-agent"
              name="detail"
              tabs={VIEWS.map(([id, title]) => ({ id, title }))}
              chosen={view}
              onChoose={(id) => state.showDetail(id)}
            />
          </header>
          <Hands state={state} node={node} />
          <Needs state={state} node={node} scene={scene} />
          <div id="detail-panel" role="tabpanel" aria-label={VIEWS.find(([id]) => id === view)?.[1]} style={{ display: 'contents' }}>
            {view === 'events' ? (
              <Events key={keyOf(node)} state={state} taskId={keyOf(node)} />
            ) : (
              <div
                class="scroll padded"
                tabIndex={0}
                role="group"
                aria-label={VIEWS.find(([id]) => id === view)?.[1]}
                key={`${keyOf(node)} ${view}`}
              >
                {view === 'about' && <About node={node} scene={scene} state={state} />}
                {view === 'transcript' && <Transcript node={node} state={state} origin={scene.startedAt} />}
                {view === 'output' && <Output node={node} />}
              </div>
            )}
          </div>
        </>
      )}
    </section>
  );
}

function Nothing({ state, isGone }: { readonly state: InspectorState; readonly isGone: boolean }): JSX.Element {
  const forgottenAt = isGone ? state.forgottenAt() : null;
  return (
    <div class="state">
      <strong>{isGone ? 'It is not there at this moment' : 'No sub-agent is chosen'}</strong>
      <p>
        {forgottenAt !== null
          ? 'It was forgotten before this moment. Go back to when it was there, or choose another.'
          : isGone
            ? 'It was spawned later. Go forward in time, or choose another.'
            : 'Choose one in the tree or the timeline: its instructions, transcript, limits and output are shown here.'}
      </p>
      {isGone && (
        <button type="button" class="button" onClick={() => (forgottenAt === null ? state.goLive() : state.goTo(forgottenAt - 1))}>
          {forgottenAt === null ? 'Go to the last moment' : 'Go to its last moment'}
        </button>
      )}
    </div>
  );
}

/** The commands for it now: those that the source accepts. */
function Hands({ state, node }: { readonly state: InspectorState; readonly node: SceneNode }): JSX.Element | null {
  const calls = state.calls.value;
  const key = keyOf(node);
  if (calls.size === 0 || node.forgotten) return null;
  const isPast = !state.isLive.value;
  const isClosed = node.status === 'closed';
  const { id } = node;
  const act = (call: 'interrupt' | 'cancel' | 'close' | 'resume', done: string): void => {
    if (id !== null) void state.act({ call, args: [id] }, done);
  };
  const hand = (title: string, isThere: boolean, canNow: boolean, does: () => void, isBad = false): JSX.Element | null =>
    isThere ? (
      <button type="button" class={`button small${isBad ? ' bad' : ''}`} disabled={isPast || !canNow} onClick={does}>
        {title}
      </button>
    ) : null;
  const isTask = id !== null;
  return (
    <div class="hands" role="toolbar" aria-label="What can be done">
      {hand('Send', isTask && calls.has('send'), !isClosed, () => state.open({ kind: 'send', target: key }))}
      {hand('Spawn', !isTask && calls.has('spawn'), !isClosed, () => state.open({ kind: 'spawn', target: key }))}
      {hand('Interrupt', isTask && calls.has('interrupt'), node.run !== null, () => act('interrupt', 'Interrupted'))}
      {hand('Cancel', isTask && calls.has('cancel'), node.run !== null, () => act('cancel', 'Cancelled'), true)}
      {isClosed
        ? hand('Resume', isTask && calls.has('resume'), true, () => act('resume', 'Reopened'))
        : hand('Close', isTask && calls.has('close'), true, () => act('close', 'Closed'), true)}
      {hand('Raise a cap', calls.has('addBudget'), !isClosed, () => state.open({ kind: 'budget', target: key }))}
      {isPast && <span class="muted">This moment is past: go live to act.</span>}
    </div>
  );
}

/** A question to answer, an approval to give. */
function Needs({
  state,
  node,
  scene,
}: {
  readonly state: InspectorState;
  readonly node: SceneNode;
  readonly scene: Scene;
}): JSX.Element | null {
  const answer = useSignal('');
  const { id } = node;
  if (id === null) return null;
  const can = (call: 'send' | 'approve'): boolean => state.isLive.value && state.calls.value.has(call);
  if (node.question !== null) {
    return (
      <div class="asks">
        <strong>It asks</strong>
        <p class="foreign">{beginning(node.question).text}</p>
        {node.questionUntil !== null && (
          <p class="muted">It continues without an answer in {duration(Math.max(0, node.questionUntil - scene.now))}.</p>
        )}
        {can('send') && (
          <form
            onSubmit={(event) => {
              event.preventDefault();
              const text = answer.value;
              if (text === '') return;
              void state.act({ call: 'send', args: [id, text] }, 'Answered').then((done) => {
                if (done) answer.value = '';
              });
            }}
          >
            <input
              class="field"
              aria-label="Answer"
              placeholder="Answer"
              value={answer.value}
              onInput={(event) => {
                answer.value = event.currentTarget.value;
              }}
            />
            <button type="submit" class="button main" disabled={answer.value === ''}>
              Answer
            </button>
          </form>
        )}
      </div>
    );
  }
  if (node.run?.parks.includes('approval') !== true) return null;
  const tool = node.run.tools.at(-1);
  return (
    <div class="asks">
      <strong>It waits for an approval</strong>
      <p class="foreign">
        {state.approvals.value.get(id) ?? (tool === undefined ? 'A policy has not answered yet.' : `It wants to use ${line(tool, 80)}.`)}
      </p>
      {can('approve') && (
        <div class="choices">
          <button type="button" class="button main" onClick={() => void state.act({ call: 'approve', args: [id, true] }, 'Approved')}>
            Approve
          </button>
          <button type="button" class="button bad" onClick={() => void state.act({ call: 'approve', args: [id, false] }, 'Refused')}>
            Refuse
          </button>
        </div>
      )}
    </div>
  );
}

function About({ node, scene, state }: { readonly node: SceneNode; readonly scene: Scene; readonly state: InspectorState }): JSX.Element {
  const { spec, run } = node;
  const current = scene.stateOf(node);
  const times = scene.frame.times(node, scene.now);
  const spent = (dimension: 'tokens' | 'costUsd', of: 'spent' | 'own' = 'spent') => scene.frame.spent(node, dimension, of);
  const above = scene.above(node);
  const given: (readonly [string, string | null | undefined])[] = [
    ['State', [current.word, current.why].filter((part) => part !== '').join(': ')],
    ['Run', run === null ? (node.runs === 0 ? 'none yet' : `${node.runs}, ended`) : `${run.number}, turn ${node.turn}`],
    [
      'Time',
      `own ${duration(times.working)}, subtree ${duration(times.subtree)}, queued ${duration(times.queued)}, parked ${duration(times.parked)}`,
    ],
    [
      'Spent',
      `${counted(spent('tokens', 'own'), 'token')}, ${money(spent('costUsd', 'own'))}, ${counted(node.own.turns, 'turn')}; subtree ${counted(spent('tokens'), 'token')}, ${money(spent('costUsd'))}`,
    ],
    ['Tokens', kindsText(node.kinds)],
    ['Cap', capText(node)],
    ['Context', node.contextTokens === null ? null : counted(node.contextTokens, 'token')],
    ['Model', spec?.modelId],
    ['Definition', spec?.agent],
    ['Profile', spec?.profile],
    ['Nickname', spec?.nickname],
    ['Tools', spec?.tools?.join(', ')],
    ['Tools forbidden', spec?.disallowedTools?.join(', ')],
    ['Rate limit', spec?.rateLimitKey],
    ['Limits', limitsText(node)],
    ['Background', node.background ? 'yes: its end makes a notice' : null],
    [
      'Messages',
      node.messages.length === 0 ? null : `${node.messages.length} wait${node.queuePaused ? ', paused until the next send' : ''}`,
    ],
    ['Metadata', node.metadata === null ? null : JSON.stringify(node.metadata)],
    ['Created', node.createdAt === null ? null : clock(node.createdAt)],
    ['Ended', node.endedAt === null ? null : clock(node.endedAt)],
    ['Id', node.id],
  ];
  return (
    <>
      <dl class="facts">
        {above !== undefined && (
          <>
            <dt>Works for</dt>
            <dd>
              <button type="button" class="link foreign" onClick={() => state.select(keyOf(above))}>
                {line(above.label, 90) || keyOf(above)}
              </button>
            </dd>
          </>
        )}
        {given.map(([name, value]) =>
          value === null || value === undefined || value === '' ? null : (
            <>
              <dt>{name}</dt>
              <dd class={`foreign${name === 'Id' || name === 'Metadata' ? ' mono' : ''}`}>{beginning(value).text}</dd>
            </>
          ),
        )}
      </dl>
      <Block title="Instructions" text={node.instructions} />
      <Block title="Context" text={spec?.contextHint ?? ''} />
      <Block title="System prompt" text={spec?.systemPrompt ?? ''} />
      <Block title="To do" text={node.todos ?? ''} />
      {node.messages.map((message, at) => (
        <Block key={`${at} ${message.slice(0, 20)}`} title={`Message that waits, ${at + 1}`} text={message} />
      ))}
    </>
  );
}

function capText({ cap }: SceneNode): string | null {
  const parts = [
    Number.isFinite(cap.tokens) ? counted(cap.tokens, 'token') : '',
    Number.isFinite(cap.costUsd) ? money(cap.costUsd) : '',
    Number.isFinite(cap.turns) ? counted(cap.turns, 'turn') : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

function limitsText({ run, spec }: SceneNode): string | null {
  const turns = run?.maxTurns || spec?.maxTurns;
  const time = run?.timeoutMs || spec?.timeoutMs;
  const idle = run?.idleTimeoutMs || spec?.idleTimeoutMs;
  const parts = [
    turns ? `${counted(turns, 'turn')} a run` : '',
    time ? `${duration(time)} of running` : '',
    idle ? `${duration(idle)} of silence` : '',
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join(', ');
}

/** A text with its lines. A long one is shown in part until the user opens the rest. */
export function Block({ title, text }: { readonly title?: string; readonly text: string }): JSX.Element | null {
  const isWhole = useSignal(false);
  if (text === '') return null;
  const part = beginning(text);
  return (
    <div class={title === undefined ? '' : 'section'}>
      {title !== undefined && <h3>{title}</h3>}
      <pre class="text foreign" tabIndex={0} aria-label={title ?? 'Text'} role="group">
        {isWhole.value ? shown(text) : part.text}
        {part.more > 0 && !isWhole.value && '…'}
      </pre>
      {part.more > 0 && !isWhole.value && (
        <button
          type="button"
          class="link"
          onClick={() => {
            isWhole.value = true;
          }}
        >
          Show {digits(part.more)} more characters
        </button>
      )}
    </div>
  );
}

function Output({ node }: { readonly node: SceneNode }): JSX.Element {
  const notes = [
    node.partial ? 'what had been done when it was stopped' : '',
    node.truncated ? 'cut at maxResultBytes' : '',
    node.released ? 'let go of' : '',
    node.hostStatus === null ? '' : `the host says: ${line(node.hostStatus, 60)}`,
  ].filter((part) => part !== '');
  const isEmpty = node.output === '' && node.error === null && node.value === null && node.receipts === null && node.lateResult === null;
  if (isEmpty) return <p class="muted">{node.released ? 'Its result was released.' : 'It has produced nothing yet.'}</p>;
  return (
    <>
      {notes.length > 0 && <p class="muted foreign">{notes.join(' · ')}</p>}
      {node.error !== null && <Block title="Error" text={node.error} />}
      <Block title="Output" text={node.output} />
      <Block title="Value" text={node.value ?? ''} />
      <Block title="What its tool calls did" text={receiptsText(node.receipts)} />
      <Block title="Artifacts" text={node.artifacts ?? ''} />
      <Block title="Result that came after the end" text={node.lateResult ?? ''} />
    </>
  );
}

const MOST = 400;

function Transcript({
  node,
  state,
  origin,
}: {
  readonly node: SceneNode;
  readonly state: InspectorState;
  readonly origin: number;
}): JSX.Element {
  const entries = entriesOf(state, node);
  const shown = entries.slice(-MOST);
  if (entries.length === 0) return <p class="muted">Nothing was said yet.</p>;
  return (
    <>
      {entries.length > shown.length && (
        <p class="muted">
          The last {MOST} of {entries.length}; all are under Events.
        </p>
      )}
      <ol class="turns">
        {shown.map((entry) => (
          <li key={`${entry.seq} ${entry.kind}`} class={MINOR.includes(entry.kind) ? 'minor' : ''}>
            <button type="button" class="link when" title="Show this moment" onClick={() => state.goTo(entry.seq)}>
              {duration(entry.at - origin)}
            </button>
            <div class="what">
              {MINOR.includes(entry.kind) ? TITLES[entry.kind](entry.text) : <b>{TITLES[entry.kind](entry.text)}</b>}
              {!MINOR.includes(entry.kind) && <Block text={entry.text} />}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

const TITLES: Record<TranscriptEntry['kind'], (text: string) => string> = {
  instructions: () => 'Instructions',
  message: () => 'Message',
  steer: () => 'Steered',
  answer: () => 'Answer',
  injected: () => 'A policy says',
  question: () => 'It asks',
  report: () => 'It says',
  output: () => 'Output',
  error: () => 'Error',
  turn: (text) => `Turn ${text}`,
  tool: (text) => `Uses ${line(text, 80)}`,
  checkpoint: () => 'Checkpoint',
  stopped: (text) => `Has to stop: ${words(text)}`,
};
/** Entries that take one line. */
const MINOR: readonly TranscriptEntry['kind'][] = ['turn', 'tool', 'stopped'];

function entriesOf(state: InspectorState, node: SceneNode): TranscriptEntry[] {
  return state.view.transcript(node.index, state.scene.value?.seq);
}
