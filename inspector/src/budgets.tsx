// Budgets of the manager or of the chosen subtree: caps, spent and reserved amounts, spending by model and agent, and
// the number of concurrent runs. Owns the layout; the amounts are the view's.

import { hierarchy, partition } from 'd3-hierarchy';
import { Fragment, type JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Frame, NodeView } from 'subagents/view';
import uPlot from 'uplot';
import { count, counted, digits, duration, kindsText, line, money } from './format.js';
import { type InspectorState, keyOf, type Scene, type SceneNode } from './state.js';

type Dimension = 'tokens' | 'costUsd' | 'turns';
const DIMENSIONS: readonly (readonly [Dimension, string, (value: number | null) => string])[] = [
  ['tokens', 'Tokens', digits],
  ['costUsd', 'Cost', money],
  ['turns', 'Turns', digits],
];

export function Budgets({ state }: { readonly state: InspectorState }): JSX.Element | null {
  const scene = state.scene.value;
  if (scene === null) return null;
  const chosen = state.selected.value === null ? undefined : scene.byKey(state.selected.value);
  const can = state.calls.value.has('addBudget') && state.isLive.value;
  return (
    <div class="padded">
      <Accounts title="All sub-agents" node={scene.manager} scene={scene} />
      {can && (
        <p style={{ marginTop: '8px' }}>
          <button type="button" class="button small" onClick={() => state.open({ kind: 'budget', target: null })}>
            Raise the cap of all
          </button>
        </p>
      )}
      {chosen !== undefined && (
        <div class="section">
          <Accounts title={`${line(chosen.label, 60)} and all below`} node={chosen} scene={scene} />
        </div>
      )}
      <Costs costs={scene.frame.costs} />
      <div class="section">
        <h3>Tokens by agent and model</h3>
        <Icicle scene={scene} state={state} />
      </div>
      <div class="section">
        <h3>Running and waiting, tokens spent</h3>
        <Chart state={state} />
      </div>
    </div>
  );
}

function Accounts({ title, node, scene }: { readonly title: string; readonly node: NodeView; readonly scene: Scene }): JSX.Element {
  return (
    <section class="accounts" aria-label={`Budget: ${title}`}>
      {DIMENSIONS.map(([name, unit, write]) => {
        const [cap, spent, reserved] = [node.cap[name], node.spent[name], node.reserved[name]];
        const isCapped = Number.isFinite(cap);
        const share = (value: number): string => `${isCapped && cap > 0 ? Math.min(100, (value / cap) * 100) : 0}%`;
        const past = Math.max(0, spent + reserved - cap);
        return (
          <div class="account" key={name}>
            <h3 class="cut foreign">
              {unit} · {title}
            </h3>
            <div class="big">{write(scene.frame.spent(node, name))}</div>
            <div class="meter" aria-hidden="true">
              <i class={past > 0 ? 'past' : ''} style={{ width: share(spent) }} />
              <i class="reserved" style={{ width: share(reserved) }} />
            </div>
            <dl>
              <dt>cap</dt>
              <dd>{isCapped ? write(cap) : 'none'}</dd>
              <dt>reserved</dt>
              <dd>{write(reserved)}</dd>
              <dt>{past > 0 ? 'past the cap' : 'left'}</dt>
              <dd>{past > 0 ? write(past) : isCapped ? write(cap - spent - reserved) : '–'}</dd>
            </dl>
          </div>
        );
      })}
    </section>
  );
}

/** The spending by model and by agent, if either was named. */
function Costs({ costs }: { readonly costs: Frame['costs'] }): JSX.Element | null {
  const lists = [
    ['By model', costs.byModel, 'no model named'],
    ['By agent', costs.byAgent, 'no agent named'],
  ] as const;
  const named = lists.filter(([, shares]) => shares.some(({ name }) => name !== null));
  if (named.length === 0) return null;
  return (
    <>
      {named.map(([title, shares, unnamed]) => (
        <div class="section" key={title}>
          <h3>{title}</h3>
          <dl class="facts costs">
            {shares.map((share) => (
              <Fragment key={share.name}>
                <dt class="foreign">{share.name === null ? unnamed : line(share.name, 60)}</dt>
                <dd>{costText(share)}</dd>
              </Fragment>
            ))}
          </dl>
        </div>
      ))}
    </>
  );
}

function costText(share: Frame['costs']['byModel'][number]): string {
  const { costUsd, tokens, turns, runs, unpriced } = share;
  const cost = unpriced ? `${money(costUsd)} and more: no price` : money(costUsd);
  const kinds = kindsText(share, count);
  const all = counted(tokens, 'token', count);
  return [cost, kinds === '' ? all : `${all} (${kinds})`, counted(turns, 'turn'), counted(runs, 'run')].join(', ');
}

interface Share {
  readonly node: SceneNode | null;
  readonly tokens: number;
  readonly below: readonly Share[];
}

/** Boxes below boxes, as wide as the spending there. Shows only the widest of very many. */
function Icicle({ scene, state }: { readonly scene: Scene; readonly state: InspectorState }): JSX.Element {
  const total = scene.manager.spent.tokens;
  if (total === 0) return <p class="muted">No tokens were spent yet.</p>;
  const share = (node: SceneNode): Share => ({
    node,
    tokens: node.spent.tokens,
    below: scene
      .childrenOf(node.index)
      .filter(({ spent }) => spent.tokens > total / 400)
      .map(share),
  });
  const top: Share = { node: null, tokens: total, below: scene.roots.filter(({ spent }) => spent.tokens > total / 400).map(share) };
  const root = hierarchy(top, ({ below }) => [...below]);
  // Each is as wide as its own part and those below it: a leaf counts whole, an inner box counts its spending without its
  // children's.
  root.sum(({ tokens, below }) => Math.max(0, tokens - below.reduce((sum, each) => sum + each.tokens, 0)));
  const depth = Math.max(2, Math.min(5, root.height + 1));
  const boxes = partition<Share>()
    .size([100, 100])(root)
    .descendants()
    .filter((box) => box.depth > 0 && box.depth < 5);
  const high = 100 / (depth - 1);
  return (
    <div class="icicle">
      {boxes.map((box) => {
        const { node } = box.data;
        if (node === null) return null;
        const text = `${line(node.label, 60)}: ${counted(node.spent.tokens, 'token', count)}`;
        return (
          <button
            type="button"
            key={node.index}
            class={`foreign${keyOf(node) === state.selected.value ? ' chosen' : ''}`}
            title={text}
            aria-label={text}
            style={{ left: `${box.x0}%`, width: `${box.x1 - box.x0}%`, top: `${(box.depth - 1) * high}%`, height: `${high}%` }}
            onClick={() => state.select(keyOf(node))}
          >
            {line(node.label, 40)}
          </button>
        );
      })}
    </div>
  );
}

/** Working and waiting sub-agents, and spent tokens, over time. */
function Chart({ state }: { readonly state: InspectorState }): JSX.Element {
  const holder = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const scene = state.scene.value;
  const series = scene === null ? undefined : state.samples.upTo(scene.seq, scene.startedAt);
  const isDark = state.isDark.value;

  useLayoutEffect(() => state.samples.fill(state.view), [state, state.info.value]);

  useLayoutEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const made = new uPlot(chartOptions(state.host, Math.max(120, element.clientWidth)), [[0], [0], [0], [0]], element);
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: Math.max(120, element.clientWidth), height: 128 }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = null;
    };
  }, [state, isDark]);

  useLayoutEffect(() => {
    if (series !== undefined) plot.current?.setData(series as unknown as uPlot.AlignedData);
  });
  const last = (at: number): number => series?.[at as 1]?.at(-1) ?? 0;
  return (
    <>
      <div
        class="chart"
        ref={holder}
        role="img"
        aria-label={`Over time: ${last(1)} running, ${last(2)} waiting, ${counted(last(3), 'token')} spent now`}
      />
      <div class="legend" style={{ border: '0', padding: '2px 0' }}>
        <span>
          <i class="running" /> at work
        </span>
        <span>
          <i class="parked" /> waiting
        </span>
        <span>
          <i style={{ height: '0', borderTop: '2px dashed var(--faint)' }} /> tokens spent
        </span>
      </div>
    </>
  );
}

/** The options of the chart, in the page's own colours. */
function chartOptions(host: Element, width: number): uPlot.Options {
  const style = getComputedStyle(host);
  const colour = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const font = `11px ${colour('font')}`;
  const axis = { stroke: colour('muted'), font, grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } };
  const paths = uPlot.paths.stepped?.({ align: 1 });
  const stepped = paths === undefined ? {} : { paths };
  return {
    width,
    height: 128,
    legend: { show: false },
    cursor: { show: false },
    scales: {
      x: { time: false },
      tokens: { range: (_plot, _low, high) => [0, Math.max(1, high)] },
      y: { range: (_plot, _low, high) => [0, Math.max(1, high)] },
    },
    axes: [
      { ...axis, size: 22, values: (_plot, values) => values.map((value) => duration(value)) },
      { ...axis, size: 34, values: (_plot, values) => values.map((value) => (Number.isInteger(value) ? String(value) : '')) },
      {
        ...axis,
        scale: 'tokens',
        side: 1,
        size: 46,
        grid: { show: false },
        values: (_plot, values) => values.map((value) => count(value)),
      },
    ],
    series: [
      {},
      { stroke: colour('run'), width: 1.5, fill: colour('accent-soft'), ...stepped, points: { show: false } },
      { stroke: colour('park'), width: 1.5, ...stepped, points: { show: false } },
      { stroke: colour('faint'), width: 1.5, scale: 'tokens', dash: [4, 3], points: { show: false } },
    ],
  };
}
