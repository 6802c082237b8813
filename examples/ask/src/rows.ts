// The rows of the tree: what is said of each agent, and how it is laid out in the columns there are.
// Pure: from a frame of `subagents/view` and the activity to lines.
import type { TaskStatus, WaitingFor } from 'subagents';
import type { Frame, NodeView } from 'subagents/view';

import type { Activity } from './activity.js';
import { quotesIn, saysNoEvidence } from './model/evidence.js';
import { field } from './model/transcript.js';
import { columnsOf, count, fit, joined, number, oneLine, seconds } from './terminal.js';

const BAR_WIDTH = 10;
const MAX_NAME = 30;
const SHARE_OF_NAME = 0.32;
/** From this many columns on there is room for turns, and from this many for the state in a word and the time. */
const WITH_TURNS = 70;
const WITH_ALL = 100;
const WITH_BAR = 46;
/** Lines beside the rows of sub-agents and the totals: header, lead, what is hidden. */
const OTHER_LINES = 3;

export const GREEN = '\x1b[32m';
export const YELLOW = '\x1b[33m';
export const RED = '\x1b[31m';
export const CYAN = '\x1b[36m';
export const DIM = '\x1b[2m';
export const PLAIN = '\x1b[0m';

/** What an agent is called here: the document that its instructions name, else its label. */
export function nameOf(node: Pick<NodeView, 'instructions' | 'label'>): string {
  return oneLine(field(node.instructions, 'Document') ?? node.label);
}

export function stateOf(status: TaskStatus, isParked: boolean): string {
  if (status === 'running' && isParked) return 'waiting';
  return status === 'pending' ? 'queued' : status.replace('_', ' ');
}

const WAITS: Record<WaitingFor, string> = {
  abandoned: 'waits for a model call that was given up',
  host: 'waits for its last run to return',
  session: 'waits for its session to be opened again',
  definition: 'waits for its kind of agent to be known again',
  held: 'waits for a message',
  retry: 'waits for its next attempt',
  cooldown: 'waits for a rate limit to end',
  stagger: 'waits for its turn to start',
  budget: 'waits for budget that others hold',
  slot: 'waits for a slot',
};

/** What an agent does, waits for, or has found. */
export function whatOf(frame: Frame, node: NodeView, activity: Activity): string {
  const obstacle = frame.obstacle(node);
  const id = node.id ?? '';
  switch (node.status) {
    case 'pending':
      return WAITS[obstacle?.kind === 'waiting' ? obstacle.for : 'slot'];
    case 'running':
      if (node.cancelling) return 'is being cancelled';
      if (obstacle?.kind !== 'parked')
        // Of its own document the row has the name already.
        return [activity.doing(id)?.replace(` ${nameOf(node)}`, ''), quoted(activity.found(id))].filter(Boolean).join('; ');
      switch (obstacle.for) {
        case 'children':
          return `waits for ${count(frame.children(node.index).filter((each) => each.run !== null).length, 'sub-agent')}`;
        case 'input':
          return 'waits for an answer';
        case 'approval':
          return 'waits for an approval';
        case 'cooldown':
          return WAITS.cooldown;
        case 'reentry':
        case 'slot':
          return 'waits for a slot or budget';
      }
      return '';
    case 'completed': {
      const [quote] = quotesIn(node.output);
      const found = quote && (node.depth === 1 ? `${quote.path}:${quote.line} "${quote.text}"` : quoted(quote));
      return oneLine(found ?? (saysNoEvidence(node.output) ? 'found nothing' : node.output));
    }
    case 'idle':
      return '';
    case 'failed':
    case 'timed_out':
    case 'cancelled':
    case 'interrupted':
    case 'closed':
      return oneLine(node.error ?? node.stopReason ?? '').replaceAll('_', ' ');
  }
}

function quoted(quote: { readonly text: string; readonly line: number } | undefined): string | undefined {
  return quote && `line ${quote.line}: "${quote.text}"`;
}

/** The whole tree in at most so many rows and columns; each line fits. Its colours are escape sequences. */
export function treeLines(frame: Frame, activity: Activity, size: { readonly rows: number; readonly columns: number }): string[] {
  const [lead] = frame.children();
  if (lead === undefined) return [];
  const children = frame.children(lead.index);
  const entries: Entry[] = [
    ...children.map((node) => entryOf(node, whatOf(frame, node, activity))),
    ...activity.refusals.map((each) => ({ ...NOTHING, name: each.name, state: 'refused', what: `refused: ${each.why}` })),
  ];

  const { columns } = size;
  const { slots } = frame;
  const { spent, held, cap } = frame.ledger(lead.index).tokens;
  const totals = joined(
    [
      columns < WITH_BAR
        ? fit(`all ${number(spent)}/${number(cap)}`, columns).trimEnd()
        : `${bar(spent, held, cap)} all together ${number(spent)} of ${number(cap)} tokens`,
      `${number(held)} held`,
      `slots ${slots.active}/${slots.limit}`,
      `${slots.queued} queued`,
    ],
    columns,
  );

  // Where not all fit, those at work are shown and the rest is counted.
  const room = Math.max(1, size.rows - OTHER_LINES - totals.length);
  const order = (entry: Entry): number => ['running', 'refused', 'waiting', 'queued'].indexOf(entry.state) + 1 || 9;
  const kept = new Set([...entries].sort((a, b) => order(a) - order(b)).slice(0, room));
  const shown = entries.filter((each) => kept.has(each));
  const hidden = entries.length - shown.length;

  const longest = Math.max(...[lead, ...children].map((node) => columnsOf(nameOf(node))), 8);
  const layout = { columns, name: Math.min(longest + 2, MAX_NAME, Math.floor(columns * SHARE_OF_NAME)) };
  return [
    DIM +
      lineOf(layout, '  ', {
        name: 'agent',
        state: 'state',
        turns: 'turns',
        tokens: columns < WITH_ALL ? 'own' : 'own tokens',
        time: 'time',
        what: '',
      }).trimEnd() +
      PLAIN,
    row(layout, '', entryOf(lead, whatOf(frame, lead, activity))),
    ...shown.map((each, at) => row(layout, at === shown.length - 1 && hidden === 0 ? '└ ' : '├ ', each)),
    ...(hidden > 0 ? [fit(`└ … ${hidden} more`, columns)] : []),
    ...totals,
  ];
}

/** The texts of one row. */
interface Entry {
  readonly name: string;
  readonly state: string;
  readonly turns: string;
  /** Its own: what its sub-agents spent stands in their rows, and all together below. */
  readonly tokens: string;
  readonly time: string;
  readonly what: string;
}

const NOTHING: Entry = { name: '', state: '', turns: '', tokens: '', time: '', what: '' };

function entryOf(node: NodeView, what: string): Entry {
  return {
    name: nameOf(node),
    state: stateOf(node.status, node.run?.slot === 'parked'),
    turns: number(node.usage.turns),
    tokens: number(node.usage.tokens),
    time: node.startedAt === null ? '' : seconds((node.endedAt ?? Date.now()) - node.startedAt),
    what,
  };
}

interface Layout {
  readonly columns: number;
  readonly name: number;
}

const MARKS: Record<string, readonly [string, string]> = {
  queued: [DIM, '○'],
  running: [CYAN, '●'],
  waiting: [YELLOW, '◐'],
  completed: [GREEN, '✔'],
};

function row(layout: Layout, branch: string, entry: Entry): string {
  const [colour, mark] = MARKS[entry.state] ?? [RED, '✘'];
  const line = lineOf(layout, `${branch}${mark} `, entry);
  return `${branch}${colour}${mark}${PLAIN}${line.slice(branch.length + mark.length)}`;
}

function lineOf({ columns, name }: Layout, start: string, entry: Entry): string {
  const cells = [start + fit(entry.name, name + 2 - columnsOf(start) + 2)];
  if (columns >= WITH_ALL) cells.push(fit(entry.state, 9));
  if (columns >= WITH_TURNS) cells.push(entry.turns.padStart(5));
  cells.push(entry.tokens.padStart(columns >= WITH_ALL ? 10 : 7));
  if (columns >= WITH_ALL) cells.push(entry.time.padStart(7));
  const line = cells.join(' ');
  return fit(`${line}  ${entry.what}`, columns);
}

/** Spent is solid, held is shaded. */
function bar(spent: number, held: number, cap: number): string {
  const cells = (amount: number): number => Math.min(BAR_WIDTH, Math.round((amount / cap) * BAR_WIDTH));
  const solid = cells(spent);
  const shaded = cells(spent + held) - solid;
  return `${GREEN}${'█'.repeat(solid)}${YELLOW}${'▒'.repeat(shaded)}${DIM}${'░'.repeat(BAR_WIDTH - solid - shaded)}${PLAIN}`;
}
