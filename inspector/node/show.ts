// A frame in a terminal: tree, timeline, budgets, inbox. Owns the layout; every text of a sub-agent goes through `plain`.

import type { Frame, LaneSegment, NodeView, View } from 'subagents/view';
import { counted, kindsText } from '../src/format.js';
import { cell, fitted, plain } from './plain.js';

const NAME = 34;
const STATE = 12;
const MARKS: Record<NodeView['status'], string> = {
  pending: '○',
  running: '●',
  idle: '·',
  completed: '✔',
  failed: '✘',
  timed_out: '✘',
  cancelled: '✘',
  interrupted: '✘',
  closed: '✘',
};
const LETTERS: Record<LaneSegment['state'], string> = { queued: '.', running: '=', parked: '-', stopping: '!', lingering: '~' };

export interface Shown {
  /** Maximum width of a line. */
  readonly columns: number;
  /** Maximum number of rows in each part. */
  readonly rows: number;
  /** When the view's snapshot was made; undefined if the view has the beginning. */
  readonly since: number | undefined;
}

/** The text of a moment. */
export function show(view: View, frame: Frame, { columns, rows, since }: Shown): string {
  const nodes = [...frame.tree(null)];
  const lines = [
    `event ${frame.seq} of ${view.last}, ${timeOf(frame.at)}`,
    '',
    ...treeLines(frame, nodes, columns, rows),
    '',
    ...timelineLines(view, frame, nodes, { columns, rows, since }),
    '',
    ...ledgerLines(frame, rows),
    ...inboxLines(frame, rows),
    ...attentionLines(frame, rows),
  ];
  return `${lines.map((line) => fitted(line.trimEnd(), columns)).join('\n')}\n`;
}

/** At most this many lines, then the number of omitted ones. */
function bounded<T>(list: readonly T[], rows: number, line: (entry: T) => string): string[] {
  return [...list.slice(0, rows).map(line), ...(list.length > rows ? [`… ${list.length - rows} more (--rows)`] : [])];
}

function treeLines(frame: Frame, nodes: readonly NodeView[], columns: number, rows: number): string[] {
  const head = `${cell('sub-agent', NAME)} ${cell('state', STATE)} ${'own'.padStart(8)} ${'subtree'.padStart(8)} ${'tokens'.padStart(9)} ${'cost'.padStart(8)}  waits for`;
  const line = (node: NodeView): string => {
    const times = frame.times(node);
    const name = `${'  '.repeat(Math.max(0, node.depth - (node.kind === 'session' ? 0 : 1)))}${node.kind === 'session' ? '▸' : MARKS[node.status]} `;
    const state = node.kind === 'session' ? 'session' : stateOf(node);
    const figures = `${seconds(times.working).padStart(8)} ${seconds(times.subtree).padStart(8)} ${about(node, number(frame.spent(node, 'tokens'))).padStart(9)} ${about(node, cost(frame.spent(node, 'costUsd'))).padStart(8)}`;
    return `${name}${cell(node.label, Math.max(4, NAME - [...name].length))} ${cell(state, STATE)} ${figures}  ${plain(whatOf(frame, node), columns)}`;
  };
  const { active, limit, queued, parked, abandoned } = frame.slots;
  const slots = `slots ${active}${limit === null ? '' : ` of ${number(limit)}`}, ${queued} queued, ${parked} parked${abandoned > 0 ? `, ${abandoned} abandoned` : ''}`;
  const estimates = nodes.some(({ kinds }) => kinds.estimated) ? ['~ an estimate'] : [];
  return [head, ...bounded(nodes, rows, line), ...estimates, slots];
}

function stateOf(node: NodeView): string {
  if (node.run?.phase === 'open' && node.run.slot === 'parked') return 'parked';
  return node.status === 'pending' ? 'queued' : node.status;
}

/** Why it waits, what it does, or how it ended. */
function whatOf(frame: Frame, node: NodeView): string {
  const obstacle = frame.obstacle(node);
  if (node.question !== null) return `an answer: ${node.question}`;
  if (obstacle?.kind === 'waiting') return obstacle.for;
  if (obstacle?.kind === 'parked') return [obstacle.for, ...obstacle.tasks.map(({ label }) => label)].join(' ');
  if (node.run !== null) return node.run.tools.length > 0 ? `uses ${node.run.tools.join(', ')}` : (node.progress ?? '');
  if (node.stopReason === null || node.stopReason === 'finished') return '';
  return `(${node.stopReason}${node.error === null ? '' : `: ${node.error}`})`;
}

function timelineLines(view: View, frame: Frame, nodes: readonly NodeView[], { columns, rows, since }: Shown): string[] {
  const tasks = nodes.filter(({ kind }) => kind === 'task');
  const shown = tasks.slice(0, rows);
  const lanes = shown.map((node) => ({ node, ...view.lane(node.index, frame.seq) }));
  const starts = lanes.flatMap(({ segments, marks }) => [...segments.map(({ from }) => from), ...marks.map(({ at }) => at)]);
  if (starts.length === 0) {
    const nothing = since === undefined ? 'nothing yet' : `nothing since the snapshot of ${timeOf(since)}`;
    return [`timeline: ${rows === 0 && tasks.length > 0 ? `${counted(tasks.length, 'sub-agent')} (--rows)` : nothing}`];
  }
  const from = starts.reduce((least, at) => Math.min(least, at));
  const width = Math.max(10, Math.min(100, columns - NAME - 1));
  const span = Math.max(1, frame.at - from);
  const place = (at: number): number => Math.min(width - 1, Math.max(0, Math.floor(((at - from) / span) * width)));
  const laneLine = ({ node, segments, marks }: (typeof lanes)[number]): string => {
    const bar = new Array<string>(width).fill(' ');
    for (const segment of segments) {
      for (let at = place(segment.from); at <= place(segment.to ?? frame.at); at += 1) bar[at] = LETTERS[segment.state];
    }
    for (const { kind, at } of marks) if (kind === 'message' || kind === 'question') bar[place(at)] = kind === 'message' ? 'm' : '?';
    // A snapshot replaces the events of earlier ends.
    const end = marks.findLast(({ kind }) => kind === 'end')?.at ?? node.endedAt;
    if (end !== null && node.run === null) bar[place(end)] = node.status === 'completed' ? '|' : 'x';
    return `${cell(node.label, NAME)} ${bar.join('')}`;
  };
  const legend = '. queued  = running  - parked  ! stopping  ~ host still running  m message  ? question  | done  x ended otherwise';
  const more = tasks.length > rows ? [`… ${tasks.length - rows} more (--rows)`] : [];
  const older = since === undefined ? '' : `; of what was before the snapshot of ${timeOf(since)} only the last run of each is known`;
  return [`timeline, ${seconds(span)} from ${timeOf(from)}${older}`, ...lanes.map(laneLine), ...more, legend];
}

function ledgerLines(frame: Frame, rows: number): string[] {
  const line = (name: string, ref: number): string => {
    const { tokens, costUsd, turns } = frame.ledger(ref);
    const known = frame.node(ref);
    const spent = (dimension: 'tokens' | 'costUsd') => (known === undefined ? 0 : frame.spent(known, dimension));
    const of = (cap: number, text: (value: number) => string): string => (cap === Number.POSITIVE_INFINITY ? '' : ` of ${text(cap)}`);
    const money = `${about(known, cost(spent('costUsd')))}${of(costUsd.cap, cost)} (${cost(costUsd.reserved)} reserved)`;
    return `${cell(name, NAME)} ${about(known, number(spent('tokens')))}${of(tokens.cap, number)} tokens (${number(tokens.reserved)} reserved), ${money}, ${number(turns.spent)}${of(turns.cap, number)} turns`;
  };
  const capped = frame.tasks().filter(({ cap }) => cap.tokens !== Number.POSITIVE_INFINITY || cap.costUsd !== Number.POSITIVE_INFINITY);
  const kinds = kindsText(frame.manager.kinds);
  const byKind = kinds === '' ? [] : [`${cell('', NAME)} ${kinds}`];
  return ['budgets', line('all', 0), ...byKind, ...bounded([...frame.sessions(), ...capped], rows, (node) => line(node.label, node.index))];
}

function inboxLines(frame: Frame, rows: number): string[] {
  const notices = frame.inbox();
  if (notices.length === 0) return [];
  const line = ({ label, status, delivery, attempt, until }: (typeof notices)[number]): string =>
    `${cell(label, NAME)} ${status}: ${delivery}, handed out ${counted(attempt, 'time')}${until === null ? '' : `, until ${timeOf(until)}`}`;
  return ['', 'notices that are not acknowledged', ...bounded(notices, rows, line)];
}

function attentionLines(frame: Frame, rows: number): string[] {
  const found = frame.attention();
  if (found.length === 0) return [];
  const line = ({ node, reason, since }: (typeof found)[number]): string => `${cell(node.label, NAME)} ${reason} since ${timeOf(since)}`;
  return ['', 'needs a look', ...bounded(found, rows, line)];
}

export function timeOf(at: number): string {
  return at > 0 && Number.isFinite(at) && Math.abs(at) < 8.64e15 ? new Date(at).toISOString() : '-';
}

function seconds(ms: number): string {
  return ms < 600_000 ? `${(ms / 1_000).toFixed(1)}s` : `${(ms / 60_000).toFixed(0)}min`;
}

function number(value: number | null): string {
  if (value === null) return '–';
  return Number.isFinite(value) ? Math.round(value).toLocaleString('en') : '∞';
}

/** A figure of a sub-agent; marked if its usage is an estimate. */
function about(node: NodeView | undefined, figure: string): string {
  return node?.kinds.estimated && figure !== '–' ? `~${figure}` : figure;
}

function cost(usd: number | null): string {
  if (usd === null) return '–';
  return `$${usd.toFixed(usd !== 0 && usd < 0.01 ? 4 : 2)}`;
}
