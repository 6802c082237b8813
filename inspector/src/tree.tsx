// The tree of sub-agents: a row each, with state, why it waits, time, tokens and cost. Owns which rows are visible,
// their order, and the keyboard of a tree; `agent.ts` has the words of a row.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { State } from './agent.js';
import { count, duration, line, money } from './format.js';
import { Glyph, Icon } from './icons.js';
import { type InspectorState, keyOf, type Only, type Scene, type SceneNode } from './state.js';
import { useRows } from './virtual.js';

interface Row {
  /** The index of its node. */
  readonly index: number;
  readonly level: number;
  /** Its place among its siblings, from 1, and their number. */
  readonly place: number;
  readonly of: number;
  readonly isOpen: boolean | undefined;
}

const ROW = 30;
const NARROW_ROW = 38;
const ONLY: readonly (readonly [Only, string])[] = [
  ['all', 'All'],
  ['needs', 'Needs a person'],
  ['working', 'At work'],
  ['waiting', 'Waiting'],
  ['over', 'Ended'],
];

export function Tree({ state }: { readonly state: InspectorState }): JSX.Element {
  const scroller = useRef<HTMLDivElement>(null);
  const made = useRef<Made>(undefined);
  made.current = rowsOf(state, made.current);
  const { rows, places } = made.current;
  const scene = state.scene.value;
  const size = state.narrow.value ? NARROW_ROW : ROW;
  const virtual = useRows(rows.length, size, scroller);
  const selected = state.selected.value;
  const chosen = selected === null ? undefined : scene?.byKey(selected);
  const at = chosen === undefined ? -1 : (places.get(chosen.index) ?? -1);
  const keyAt = (row: Row): string => (scene === null ? '' : keyOf(scene.node(row.index)));

  const wasShown = useRef<string | null>(null);
  useEffect(() => {
    if (selected !== wasShown.current && at >= 0) virtual.show(at);
    wasShown.current = selected;
  });

  const onKeyDown = (event: KeyboardEvent): void => {
    const found = targetOf(event.key, rows, at);
    if (found === undefined) return;
    event.preventDefault();
    const row = found === 'none' ? undefined : rows[found.at];
    if (found === 'none' || row === undefined) return;
    if (found.does === 'select') state.select(keyAt(row));
    else if (found.does === 'toggle') state.toggle(keyAt(row));
    else state.place.value = 'detail';
  };

  return (
    <section class={`pane tree${state.place.value === 'tree' ? ' shown' : ''}`} aria-label="Sub-agents">
      <header>
        <h2 class="unseen">Sub-agents</h2>
        <Filters state={state} />
      </header>
      <div class="columns" aria-hidden="true">
        <span>Sub-agent</span>
        <span class="number">Own time</span>
        <span class="number more spare">Subtree time</span>
        <span class="number">Own tokens</span>
        <span class="number more">Subtree tokens</span>
        <span class="number more">Subtree cost</span>
      </div>
      {rows.length === 0 ? (
        <div class="scroll">
          <NoRows state={state} scene={scene} />
        </div>
      ) : (
        <div
          class="scroll"
          ref={scroller}
          role="tree"
          tabIndex={0}
          aria-label="Sub-agents"
          {...(at >= 0 ? { 'aria-activedescendant': `agent-${rows[at]?.index}` } : {})}
          onKeyDown={onKeyDown}
        >
          <div class="rows" role="presentation" style={{ height: `${virtual.height}px` }}>
            {virtual.items.map(({ index, start }) => {
              const row = rows[index];
              return row === undefined || scene === null ? null : (
                <AgentRow key={index} row={row} top={start} scene={scene} state={state} isSelected={index === at} />
              );
            })}
          </div>
        </div>
      )}
    </section>
  );
}

/** The search, and the choice of listed sub-agents. */
function Filters({ state }: { readonly state: InspectorState }): JSX.Element {
  return (
    <>
      <input
        class="field"
        type="search"
        placeholder="Find a sub-agent"
        aria-label="Find a sub-agent"
        value={state.query.value}
        onInput={(event) => {
          state.query.value = event.currentTarget.value;
        }}
      />
      <select
        class="field"
        style={{ width: 'auto' }}
        aria-label="Which sub-agents"
        value={state.only.value}
        onChange={(event) => {
          state.only.value = event.currentTarget.value as Only;
        }}
      >
        {ONLY.map(([name, title]) => (
          <option value={name} key={name}>
            {title}
          </option>
        ))}
      </select>
    </>
  );
}

/** The action of a key on a row. `none`: there is no row to act on. Undefined: the tree doesn't use this key. */
function targetOf(key: string, rows: readonly Row[], at: number): { does: 'select' | 'toggle' | 'open'; at: number } | 'none' | undefined {
  const row = rows[at];
  const to = (index: number) => ({ does: 'select', at: Math.max(0, Math.min(rows.length - 1, index)) }) as const;
  switch (key) {
    case 'ArrowDown':
      return to(at + 1);
    case 'ArrowUp':
      return to(at < 0 ? 0 : at - 1);
    case 'Home':
      return to(0);
    case 'End':
      return to(rows.length - 1);
    case 'PageDown':
      return to(at + 12);
    case 'PageUp':
      return to(at - 12);
    case 'ArrowRight':
      if (row?.isOpen === false) return { does: 'toggle', at };
      return row?.isOpen ? to(at + 1) : 'none';
    case 'ArrowLeft': {
      if (row?.isOpen) return { does: 'toggle', at };
      const above = row === undefined ? -1 : rows.slice(0, at).findLastIndex(({ level }) => level < row.level);
      return above < 0 ? 'none' : to(above);
    }
    case 'Enter':
      return row === undefined ? 'none' : { does: 'open', at };
    default:
      return undefined;
  }
}

function AgentRow({
  row,
  top,
  scene,
  state,
  isSelected,
}: {
  row: Row;
  top: number;
  scene: Scene;
  state: InspectorState;
  isSelected: boolean;
}): JSX.Element {
  const { level, isOpen } = row;
  const node = scene.node(row.index);
  const current = scene.stateOf(node);
  const label = line(node.label || keyOf(node), 120);
  const isOver = current.look === 'done' || current.look === 'stopped';
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names its active row
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
    <div
      id={`agent-${node.index}`}
      class={`agent${isOver ? ' over' : ''}`}
      role="treeitem"
      aria-level={level}
      aria-posinset={row.place}
      aria-setsize={row.of}
      aria-selected={isSelected}
      {...(isOpen === undefined ? {} : { 'aria-expanded': isOpen })}
      style={{ transform: `translateY(${top}px)` }}
      onClick={() => {
        state.select(keyOf(node));
        if (state.narrow.value) state.place.value = 'detail';
      }}
    >
      <span class="who" style={{ paddingLeft: `${8 + (level - 1) * 16}px` }}>
        {isOpen === undefined ? (
          <span class="twist" />
        ) : (
          // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys do the same
          // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys do the same
          <span
            class={`twist${isOpen ? ' open' : ''}`}
            onClick={(event) => {
              event.stopPropagation();
              state.toggle(keyOf(node));
            }}
          >
            <Icon name="twist" size={12} />
          </span>
        )}
        <Glyph look={current.look} />
        <span class="label cut foreign">{label}</span>
        <Why current={current} />
      </span>
      <Figures scene={scene} node={node} />
    </div>
  );
}

/** Its own time and tokens, and those of its subtree. */
function Figures({ scene, node }: { readonly scene: Scene; readonly node: SceneNode }): JSX.Element {
  const times = scene.frame.times(node, scene.now);
  return (
    <>
      <span class="number">
        <span class="unseen">own time</span>
        {duration(times.working)}
      </span>
      <span class="number sum more spare">
        <span class="unseen">time of the subtree</span>
        {duration(times.subtree)}
      </span>
      <span class="number">
        <span class="unseen">own tokens</span>
        {node.kind === 'session' ? '' : count(scene.frame.spent(node, 'tokens', 'own'))}
      </span>
      <span class="number sum more">
        <span class="unseen">tokens of the subtree</span>
        {count(scene.frame.spent(node, 'tokens'))}
      </span>
      <span class="number more">
        <span class="unseen">cost of the subtree</span>
        {money(scene.frame.spent(node, 'costUsd'))}
      </span>
    </>
  );
}

/** Its reason to wait, or its work. The sign and a word for screen readers give the rest of its state. */
function Why({ current }: { readonly current: State }): JSX.Element {
  const { look, word, why } = current;
  const isSigned = look === 'done' || look === 'running' || look === 'queued' || look === 'parked';
  const text = isSigned ? why : why === '' ? word : `${word}: ${why}`;
  return (
    <>
      {isSigned && <span class="unseen">{word}</span>}
      <span class={`why cut foreign${current.needs ? ' needs' : look === 'bad' ? ' bad' : ''}`} title={text}>
        {text}
      </span>
    </>
  );
}

function NoRows({ state, scene }: { readonly state: InspectorState; readonly scene: Scene | null }): JSX.Element {
  const isFiltered = state.query.value !== '' || state.only.value !== 'all';
  if (isFiltered && scene !== null && scene.tasks.length > 0) {
    return (
      <div class="state">
        <strong>No sub-agent fits</strong>
        <button
          type="button"
          class="button"
          onClick={() => {
            state.query.value = '';
            state.only.value = 'all';
          }}
        >
          Show all {scene.tasks.length}
        </button>
      </div>
    );
  }
  return (
    <div class="state">
      <strong>No sub-agent yet</strong>
      <p>
        {state.isLive.value ? 'The first one appears here as soon as it is spawned.' : 'At this moment there was none: go forward in time.'}
      </p>
    </div>
  );
}

/** The inputs of the rows, and the place of each node among them. */
interface Made {
  readonly of: readonly unknown[];
  readonly rows: readonly Row[];
  readonly places: ReadonlyMap<number, number>;
}

/** The visible rows; the earlier ones, if their inputs are the same. */
function rowsOf(state: InspectorState, before: Made | undefined): Made {
  const scene = state.scene.value;
  const query = state.query.value.trim().toLowerCase();
  const only = state.only.value;
  const isFiltered = query !== '' || only !== 'all';
  // A filter's rows depend on every node.
  const of = [scene?.outline, scene?.needy, state.collapsed.value, isFiltered ? scene : undefined, query, only];
  if (before?.of.every((part, at) => part === of[at])) return before;
  const rows = scene === null ? [] : listed(state, scene, query, only);
  return { of, rows, places: new Map(rows.map(({ index }, at) => [index, at])) };
}

/** Rows that fit a filter keep those above them; those that need a person come first. */
function listed(state: InspectorState, scene: Scene, query: string, only: Only): Row[] {
  const collapsed = state.collapsed.value;
  const fits = (node: SceneNode): boolean =>
    (query === '' || `${node.label} ${node.id} ${node.instructions.slice(0, 2_000)}`.toLowerCase().includes(query)) &&
    fitsOnly(only, scene.stateOf(node));
  const isFiltered = query !== '' || only !== 'all';
  const kept = isFiltered ? keptBy(scene, fits) : undefined;
  const { needy, outline } = scene;
  const rows: Row[] = [];
  const walk = (indexes: readonly number[], level: number): void => {
    const seen = kept === undefined ? indexes : indexes.filter((index) => kept.has(index));
    const sorted = needy.size === 0 ? seen : [...seen.filter((index) => needy.has(index)), ...seen.filter((index) => !needy.has(index))];
    for (const [at, index] of sorted.entries()) {
      const below = outline.below(index);
      const isOpen = below.length === 0 ? undefined : isFiltered || collapsed.size === 0 || !collapsed.has(keyOf(scene.node(index)));
      rows.push({ index, level, place: at + 1, of: sorted.length, isOpen });
      if (isOpen) walk(below, level + 1);
    }
  };
  walk(outline.roots, 1);
  return rows;
}

function keptBy(scene: Scene, fits: (node: SceneNode) => boolean): Set<number> {
  const kept = new Set<number>();
  for (const node of scene.tasks) {
    if (!fits(node)) continue;
    for (let each: SceneNode | undefined = node; each !== undefined && !kept.has(each.index); each = scene.above(each))
      kept.add(each.index);
  }
  return kept;
}

function fitsOnly(only: Only, current: State): boolean {
  switch (only) {
    case 'all':
      return true;
    case 'needs':
      return current.needs;
    case 'working':
      return current.look === 'running' || current.look === 'stopping';
    case 'waiting':
      return current.look === 'queued' || current.look === 'parked';
    case 'over':
      return current.look === 'done' || current.look === 'stopped' || current.look === 'bad';
  }
}
