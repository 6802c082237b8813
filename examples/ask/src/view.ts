// The view: the tree of agents as it runs. A live tree in a terminal, plain lines anywhere else.
// It only looks: what is shown comes from `subagents/view`, as in the inspector, and from what the agents have called.
import cliTruncate from 'cli-truncate';
import { createLogUpdate } from 'log-update';
import stringWidth from 'string-width';
import type { SubAgentManager, TaskStatus, WaitingFor } from 'subagents';
import { baseOf, type Frame, type NodeView, View } from 'subagents/view';
import wrapAnsi from 'wrap-ansi';
import { field, quotesIn, saysNoEvidence } from './model/evidence.js';
import { count, fit, number, oneLine, seconds } from './terminal.js';

const REDRAW_MS = 80;
const BAR_WIDTH = 10;
const MAX_NAME = 30;
const SHARE_OF_NAME = 0.32;
const TIME_WIDTH = 8;
/** A line in a file or pipe says no more than this of what was found. */
const WHAT_LENGTH = 120;
const ASKS_MODEL = 'asks the model';
const WAITS_FOR: { readonly [Kind in WaitingFor]?: string } = {
  slot: 'a slot',
  budget: 'budget that others hold',
  cooldown: 'a rate limit to end',
};
const [GREEN, YELLOW, RED, CYAN, DIM] = [32, 33, 31, 36, 2];
const MARKS: { readonly [State in string]?: readonly [number, string] } = {
  queued: [DIM, '○'],
  running: [CYAN, '●'],
  waiting: [YELLOW, '◐'],
  completed: [GREEN, '✔'],
};
/** Where not all rows fit, those at work are shown and the rest is counted. */
const ORDER = ['running', 'refused', 'waiting', 'queued'];

export interface Shown {
  /** Draws the last state and gives the terminal back. */
  stop(): void;
  /** A line for the reader that the tree must not overwrite. */
  note(line: string): void;
}

export interface Refused {
  /** What was to be delegated. */
  readonly name: string;
  readonly why: string;
}

/** `calls`: what each agent called last, in words. */
export function showTree(
  manager: SubAgentManager,
  calls: ReadonlyMap<string, string>,
  refusals: readonly Refused[],
  out: NodeJS.WriteStream,
): Shown {
  const view = new View();
  view.begin(baseOf(manager));
  const isTerminal = out.isTTY && process.env.TERM !== 'dumb';
  return (isTerminal ? liveTree : plainLines)(manager, view, calls, refusals, out);
}

/** What an agent is called here: the document that its instructions name, else its label. */
export function nameOf(node: Pick<NodeView, 'instructions' | 'label'>): string {
  return oneLine(field(node.instructions, 'Document') ?? node.label);
}

export function stateOf(status: TaskStatus, isParked: boolean): string {
  if (status === 'running' && isParked) return 'waiting';
  return status === 'pending' ? 'queued' : status.replace('_', ' ');
}

/** What an agent does, waits for, or has found. */
function whatOf(frame: Frame, node: NodeView, calls: ReadonlyMap<string, string>): string {
  const obstacle = frame.obstacle(node);
  if (node.status === 'pending') return `waits for ${(obstacle?.kind === 'waiting' && WAITS_FOR[obstacle.for]) || 'its turn'}`;
  if (node.cancelling) return 'is being cancelled';
  if (obstacle?.kind === 'parked') {
    const open = frame.children(node.index).filter(({ run }) => run !== null).length;
    return `waits for ${obstacle.for === 'children' ? count(open, 'sub-agent') : 'a slot or budget'}`;
  }
  if (node.status === 'running') {
    // Of its own document the row has the name already.
    const last = calls.get(node.id ?? '')?.replace(` ${nameOf(node)}`, '');
    return [last, node.run?.tools.length === 0 && ASKS_MODEL].filter(Boolean).join(', then ');
  }
  if (node.status !== 'completed') return oneLine(node.error ?? node.stopReason ?? '').replaceAll('_', ' ');
  const [quote] = quotesIn(node.output);
  if (quote === undefined) return saysNoEvidence(node.output) ? 'found nothing' : oneLine(node.output);
  return oneLine(`${node.depth === 1 ? `${quote.path}:` : 'line '}${quote.line}${node.depth === 1 ? '' : ':'} "${quote.text}"`);
}

function plainLines(
  manager: SubAgentManager,
  view: View,
  calls: ReadonlyMap<string, string>,
  refusals: readonly Refused[],
  out: NodeJS.WriteStream,
): Shown {
  const started = Date.now();
  const note = (text: string): void => void out.write(`${seconds(Date.now() - started).padStart(TIME_WIDTH)}  ${text}\n`);
  const line = (name: string, text: string): void => note(`${fit(name, MAX_NAME)} ${cliTruncate(text, WHAT_LENGTH)}`);
  // Whatever happened, only what was not said of an agent yet is worth a line.
  const said = new Set<string>();
  let refused = 0;
  const off = manager.subscribe((event) => {
    view.add(event);
    for (const { name, why } of refusals.slice(refused)) line(name, `refused: ${why}`);
    refused = refusals.length;
    const node = 'taskId' in event && typeof event.taskId === 'string' ? view.now.task(event.taskId) : undefined;
    const text = node && plainText(view.now, node, calls);
    if (node === undefined || text === undefined || said.has(`${node.id} ${text}`)) return;
    said.add(`${node.id} ${text}`);
    line(nameOf(node), text);
  });
  return { stop: off, note };
}

/** An agent in words; undefined where its model is asked, which is worth no line. */
function plainText(frame: Frame, node: NodeView, calls: ReadonlyMap<string, string>): string | undefined {
  const state = stateOf(node.status, node.run?.slot === 'parked');
  const what = whatOf(frame, node, calls);
  if (state === 'waiting') return frame.obstacle(node)?.for === 'children' ? 'waits for its sub-agents' : what;
  if (state === 'running') return node.turn === 0 ? 'started' : what.includes(ASKS_MODEL) ? undefined : what;
  const [own, all] = [node.usage.tokens, node.spent.tokens];
  const figures = `${count(node.usage.turns, 'turn')}, ${count(own, 'token')}${all === own ? '' : ` of its own, ${number(all)} with its sub-agents`}`;
  return [state, node.usage.turns > 0 && figures, what].filter(Boolean).join(', ');
}

function liveTree(
  manager: SubAgentManager,
  view: View,
  calls: ReadonlyMap<string, string>,
  refusals: readonly Refused[],
  out: NodeJS.WriteStream,
): Shown {
  const off = manager.subscribe((event) => view.add(event));
  const update = createLogUpdate(out);
  const draw = (): void => {
    // The last column stays free: some terminals begin a new line once it is filled.
    const lines = treeLines(view.now, calls, refusals, (out.rows || 24) - 2, Math.max(20, out.columns || 80) - 1);
    if (lines.length > 0) update(lines.map((line) => line.trimEnd()).join('\n'));
  };
  out.on('resize', draw);
  draw();
  const timer = setInterval(draw, REDRAW_MS);
  return {
    stop() {
      clearInterval(timer);
      off();
      out.off('resize', draw);
      draw();
      update.done();
    },
    note(text) {
      update.persist(text);
      draw();
    },
  };
}

/** By the convention of no-color.org. */
const paint = (colour: number, text: string): string => (process.env.NO_COLOR ? text : `\x1b[${colour}m${text}\x1b[0m`);

/** The whole tree in at most so many rows and columns; each line fits. */
function treeLines(
  frame: Frame,
  calls: ReadonlyMap<string, string>,
  refusals: readonly Refused[],
  rows: number,
  columns: number,
): string[] {
  const [lead] = frame.children();
  if (lead === undefined) return [];
  const entry = (node: NodeView) => ({
    name: nameOf(node),
    state: stateOf(node.status, node.run?.slot === 'parked'),
    // Its own: what its sub-agents spent stands in their rows, and all together below.
    figures: [number(node.usage.turns), number(node.usage.tokens)],
    what: whatOf(frame, node, calls),
  });
  const refused = refusals.map(({ name, why }) => ({ name, state: 'refused', figures: ['', ''], what: `refused: ${why}` }));
  const entries = [...frame.children(lead.index).map(entry), ...refused];
  const totals = totalsOf(frame, lead, columns);

  const order = ({ state }: { state: string }): number => ORDER.indexOf(state) + 1 || ORDER.length + 1;
  // Beside the rows of sub-agents and the totals: header, lead, what is hidden.
  const kept = new Set([...entries].sort((a, b) => order(a) - order(b)).slice(0, Math.max(1, rows - totals.length - 3)));
  const shown = entries.filter((each) => kept.has(each));
  const hidden = entries.length - shown.length;

  const longest = Math.max(8, ...[entry(lead), ...entries].map(({ name }) => stringWidth(name)));
  const width = Math.min(longest, MAX_NAME, Math.max(8, Math.floor(columns * SHARE_OF_NAME)));
  const line = (start: string, name: string, [turns = '', tokens = '']: readonly string[], what: string): string =>
    fit(`${start}${fit(name, width + 4 - stringWidth(start))} ${turns.padStart(5)} ${tokens.padStart(7)}  ${what}`, columns);
  const row = (branch: string, { name, state, figures, what }: ReturnType<typeof entry>): string => {
    const [colour, mark] = MARKS[state] ?? [RED, '✘'];
    return line(`${branch}${paint(colour, mark)} `, name, figures, what);
  };
  return [
    paint(DIM, line('  ', 'agent', ['turns', 'own'], '').trimEnd()),
    row('', entry(lead)),
    ...shown.map((each, at) => row(at === shown.length - 1 && hidden === 0 ? '└ ' : '├ ', each)),
    ...(hidden > 0 ? [fit(`└ … ${hidden} more`, columns)] : []),
    ...totals,
  ];
}

/** What all have used together; what is spent is solid in the bar, what is held is shaded. */
function totalsOf(frame: Frame, lead: NodeView, columns: number): string[] {
  const { spent, held, cap } = frame.ledger(lead.index).tokens;
  const cells = (amount: number): number => Math.min(BAR_WIDTH, Math.round((amount / cap) * BAR_WIDTH));
  const [solid, filled] = [cells(spent), cells(spent + held)];
  const bar = paint(GREEN, '█'.repeat(solid)) + paint(YELLOW, '▒'.repeat(filled - solid)) + paint(DIM, '░'.repeat(BAR_WIDTH - filled));
  const { active, limit, queued } = frame.slots;
  const text = `${bar} all together ${number(spent)} of ${number(cap)} tokens · ${number(held)} held · slots ${active}/${limit} · ${queued} queued`;
  return wrapAnsi(text, columns, { hard: true }).split('\n');
}
