// The inbox with its leases, the refusals with their reasons, and the stream of events with filter and search. Owns
// their tables.

import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { SubAgentEvent } from 'subagents/view';
import { clock, counted, duration, line, words } from './format.js';
import type { InspectorState } from './state.js';
import { useRows } from './virtual.js';
import { textOf } from './words.js';

export function Inbox({ state }: { readonly state: InspectorState }): JSX.Element | null {
  const scene = state.scene.value;
  if (scene === null) return null;
  const { notices } = scene;
  if (notices.length === 0) {
    return (
      <div class="state">
        <strong>The inbox is empty</strong>
        <p>The end of each background run puts a notice here, until it is acknowledged.</p>
      </div>
    );
  }
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">Sub-agent</th>
          <th scope="col">Ended</th>
          <th scope="col">For</th>
          <th scope="col">Delivery</th>
          <th scope="col" class="number">
            Tries
          </th>
        </tr>
      </thead>
      <tbody>
        {notices.map((notice) => (
          <tr key={notice.index}>
            <td>
              <Named state={state} id={notice.taskId} label={notice.label} /> <span class="muted">run {notice.run}</span>
            </td>
            <td>
              {words(notice.status)} {notice.stopReason !== 'finished' && <span class="muted">{words(notice.stopReason)}</span>}
            </td>
            <td class="foreign">
              {notice.to === null ? (
                notice.sessionKey === null ? (
                  'the program'
                ) : (
                  line(notice.sessionKey, 60)
                )
              ) : (
                <Named state={state} id={notice.to} />
              )}
              {notice.reroutedFrom !== null && <span class="muted"> in place of another</span>}
            </td>
            <td>
              <span class={`tag${notice.delivery === 'undelivered' ? ' bad' : notice.delivery === 'leased' ? ' accent' : ''}`}>
                {words(notice.delivery)}
              </span>
              {notice.until !== null && <span class="muted"> for {duration(Math.max(0, notice.until - scene.now))}</span>}
            </td>
            <td class="number">{notice.attempt}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

export function Refusals({ state }: { readonly state: InspectorState }): JSX.Element | null {
  const scene = state.scene.value;
  if (scene === null) return null;
  if (scene.refusals.length === 0) {
    return (
      <div class="state">
        <strong>Nothing was refused</strong>
        <p>What a limit, a budget or a policy refuses is listed here with its reason.</p>
      </div>
    );
  }
  return (
    <table class="table">
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who asked</th>
          <th scope="col">What</th>
          <th scope="col">Why</th>
        </tr>
      </thead>
      <tbody>
        {scene.refusals.map((refusal, at) => (
          <tr key={`${refusal.seq} ${at}`}>
            <td class="muted">
              <button type="button" class="link" title="Show this moment" onClick={() => state.goTo(refusal.seq)}>
                {clock(refusal.at)}
              </button>
            </td>
            <td>
              {refusal.by === null ? (
                <span class="muted foreign">{refusal.sessionKey === null ? 'the program' : line(refusal.sessionKey, 60)}</span>
              ) : (
                <Named state={state} id={refusal.by} />
              )}
            </td>
            <td class="foreign">
              {words(refusal.operation)} {refusal.label === null ? '' : line(refusal.label, 160)}
            </td>
            <td class="foreign">
              {line(refusal.message, 400)} <span class="tag">{refusal.code}</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A sub-agent by its label, which chooses it. */
export function Named({ state, id, label }: { readonly state: InspectorState; readonly id: string; readonly label?: string }): JSX.Element {
  const text = line(label ?? state.scene.value?.byKey(id)?.label ?? id, 60);
  return (
    <button type="button" class="link cut foreign" onClick={() => state.select(id)}>
      {text || id}
    </button>
  );
}

const EVENT = 26;

export function Events({ state, taskId }: { readonly state: InspectorState; readonly taskId?: string }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const query = useSignal('');
  const kind = useSignal('');
  const follows = useSignal(true);
  const scene = state.scene.value;
  const found = useComputed(() => state.eventsUpTo(query.value, kind.value, taskId)).value;
  const rows = useRows(found.length, EVENT, scroller);
  const isLive = state.isLive.value;
  const origin = scene?.startedAt ?? 0;

  // Follows the last event, until the reader scrolls away from it.
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && follows.peek()) element.scrollTop = element.scrollHeight;
  }, [found.length, isLive, scene?.seq]);

  return (
    <>
      <EventFilter state={state} query={query} kind={kind} />
      <div
        class="scroll"
        ref={scroller}
        tabIndex={0}
        role="group"
        aria-label={counted(found.length, 'event')}
        onScroll={(event) => {
          const element = event.currentTarget;
          follows.value = element.scrollHeight - element.scrollTop - element.clientHeight < EVENT;
        }}
      >
        {found.length === 0 ? (
          <div class="state">
            <strong>{query.value === '' && kind.value === '' ? 'Nothing has happened yet' : 'No event fits'}</strong>
          </div>
        ) : (
          <div style={{ position: 'relative', height: `${rows.height}px` }}>
            {rows.items.map(({ index, start }) => {
              const event = found.at(index);
              if (event === undefined) return null;
              const isNow = event.seq === scene?.seq && !isLive;
              return <EventRow key={event.seq} event={event} top={start} origin={origin} isNow={isNow} state={state} />;
            })}
          </div>
        )}
      </div>
    </>
  );
}

interface EventFilterProps {
  readonly state: InspectorState;
  readonly query: Signal<string>;
  readonly kind: Signal<string>;
}

function EventFilter({ state, query, kind }: EventFilterProps): JSX.Element {
  return (
    <div class="hands">
      <input
        class="field"
        type="search"
        style={{ flex: '1 1 160px', width: 'auto' }}
        placeholder="Search in events"
        aria-label="Search in events"
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value;
        }}
      />
      <select
        class="field"
        style={{ width: '170px' }}
        aria-label="Type of event"
        value={kind.value}
        onChange={(event) => {
          kind.value = event.currentTarget.value;
        }}
      >
        <option value="">All types</option>
        {state.kinds.value.map((name) => (
          <option value={name} key={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

interface EventRowProps {
  readonly state: InspectorState;
  readonly event: SubAgentEvent;
  readonly top: number;
  readonly origin: number;
  readonly isNow: boolean;
}

function EventRow({ state, event, top, origin, isNow }: EventRowProps): JSX.Element {
  return (
    <button
      type="button"
      class={`event${isNow ? ' now' : ''}`}
      style={{ transform: `translateY(${top}px)` }}
      title="Show this moment"
      onClick={() => state.goTo(event.seq)}
    >
      <span class="muted number">{event.seq}</span>
      <span class="muted number at">{duration(event.at - origin)}</span>
      <span class="kind cut">{event.type}</span>
      <span class="cut foreign">{textOf(event)}</span>
    </button>
  );
}
