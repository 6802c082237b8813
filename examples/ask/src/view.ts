// The view: the agents as they run. In a terminal a tree, drawn again and again; anywhere else a line for each change.
// It only looks: what is shown comes from `subagents/view`, as in the inspector, and from what the agents have called.
import cliTruncate from 'cli-truncate';
import { createLogUpdate } from 'log-update';
import stringWidth from 'string-width';
import type { SubAgentManager, TaskStatus } from 'subagents';
import { baseOf, type Frame, type NodeView, View } from 'subagents/view';
import wrapAnsi from 'wrap-ansi';
import { field, quotesIn, saysNoEvidence } from './model/evidence.js';
import { count, number } from './model/words.js';
import { fit, oneLine, seconds } from './terminal.js';

const REDRAW_MS = 80;
const BAR_WIDTH = 10;
const MAX_NAME = 30;
const SHARE_OF_NAME = 0.32;
const TIME_WIDTH = 8;
/** A line in a file or pipe says no more than this of what was found. */
const WHAT_LENGTH = 120;
const ASKS_MODEL = 'asks the model';
const [GREEN, YELLOW, RED, CYAN, DIM] = [32, 33, 31, 36, 2];
const MARKS: { readonly [State in string]?: readonly [number, string] } = {
  queued: [DIM, '○'],
  running: [CYAN, '●'],
  waiting: [YELLOW, '◐'],
  completed: [GREEN, '✔'],
};
/** If not all rows fit, the later in this list is shown and the rest is counted. */
const ORDER = ['completed', 'queued', 'waiting', 'refused', 'running'];

export interface Refused {
  /** What was to be delegated. */
  readonly name: string;
  readonly why: string;
}

/** An agent, or a delegation that was refused, in words. */
interface Row {
  readonly name: string;
  readonly state: string;
  /** Its own: what its sub-agents used stands in their rows. */
  readonly used?: { readonly turns: number; readonly tokens: number };
  readonly what: string;
}

/** Shows `manager` until `stop()`; `note` writes a line for the reader. `calls`: what each agent called last, in words. */
export function showTree(manager: SubAgentManager, calls: ReadonlyMap<string, string>, out: NodeJS.WriteStream) {
  const view = new View();
  view.begin(baseOf(manager));
  const refusals: Refused[] = [];
  const rowOf = (node: NodeView): Row => ({
    name: nameOf(node),
    state: stateOf(node.status, node.run?.slot === 'parked'),
    used: node.usage,
    what: whatOf(view.now, node, calls),
  });
  const tree = createLogUpdate(out);
  const draw = (): void => {
    const [lead] = view.now.children();
    if (lead === undefined) return;
    const rows = [...view.now.children(lead.index).map(rowOf), ...refusals.map(refusedRow)];
    // The last column stays free: some terminals begin a new line once it is filled.
    const [height, width] = [(out.rows || 24) - 2, Math.max(20, out.columns || 80) - 1];
    const lines = treeLines(rowOf(lead), rows, totalsOf(view.now, lead, width), height, width);
    tree(lines.map((line) => line.trimEnd()).join('\n'));
  };
  const started = Date.now();
  const said = new Set<string>();
  const print = (row: Row, id = ''): void => {
    const text = plainText(row);
    // Whatever happened, only what was not said of an agent yet is worth a line.
    if (text === '' || said.has(`${id} ${text}`)) return;
    said.add(`${id} ${text}`);
    log(`${fit(row.name, MAX_NAME)} ${cliTruncate(text, WHAT_LENGTH)}`);
  };
  const log = (text: string): void => void out.write(`${seconds(Date.now() - started).padStart(TIME_WIDTH)}  ${text}\n`);

  const isLive = out.isTTY && process.env.TERM !== 'dumb';
  manager.onRefused(({ by, label, message }) => {
    if (by === null) return;
    refusals.push({ name: oneLine((label ?? '').replace(/^Document: |\n[\s\S]*/gu, '')), why: message });
    if (!isLive) for (const each of refusals.slice(-1)) print(refusedRow(each), `${refusals.length}`);
  });
  const off = manager.subscribe((event) => {
    view.add(event);
    const node = 'taskId' in event && typeof event.taskId === 'string' ? view.now.task(event.taskId) : undefined;
    if (!isLive && node !== undefined) print(rowOf(node), node.id ?? '');
  });
  const timer = isLive ? setInterval(draw, REDRAW_MS) : undefined;
  if (isLive) out.on('resize', draw);
  return {
    refusals,
    note(text: string): void {
      if (isLive) {
        tree.persist(text);
        draw();
      } else log(text);
    },
    /** Draws the last state and gives the terminal back. */
    stop(): void {
      off();
      if (!isLive) return;
      clearInterval(timer);
      out.off('resize', draw);
      draw();
      tree.done();
    },
  };
}

/** What an agent is called here: the document that its instructions name, else its label. */
export function nameOf(node: Pick<NodeView, 'instructions' | 'label'>): string {
  return oneLine(field(node.instructions, 'Document') ?? node.label);
}

export function stateOf(status: TaskStatus, isParked: boolean): string {
  if (status === 'running' && isParked) return 'waiting';
  return status === 'pending' ? 'queued' : status.replace('_', ' ');
}

const refusedRow = ({ name, why }: Refused): Row => ({ name, state: 'refused', what: `refused: ${why}` });

/** What an agent does, waits for, or has found. */
function whatOf(frame: Frame, node: NodeView, calls: ReadonlyMap<string, string>): string {
  const obstacle = frame.obstacle(node);
  if (node.cancelling) return 'is being cancelled';
  if (obstacle?.for === 'children') return 'waits for its sub-agents';
  if (obstacle?.kind === 'parked') return 'waits for a slot or budget';
  if (node.status === 'pending') return `waits for ${obstacle?.for === 'slot' ? 'a slot' : (obstacle?.for ?? 'its turn')}`;
  if (node.status === 'running') {
    // Of its own document the row has the name already.
    const last = calls.get(node.id ?? '')?.replace(` ${nameOf(node)}`, '');
    return [last, node.run?.tools.length === 0 && ASKS_MODEL].filter(Boolean).join(', then ');
  }
  if (node.status !== 'completed') return oneLine(node.error ?? node.stopReason ?? '').replaceAll('_', ' ');
  const [quote] = quotesIn(node.output);
  if (quote === undefined) return saysNoEvidence(node.output) ? 'found nothing' : oneLine(node.output);
  return oneLine(`${node.depth === 1 ? `${quote.path}:${quote.line}` : `line ${quote.line}:`} "${quote.text}"`);
}

/** A row as a line of its own; empty while its model is asked, which is worth no line. */
function plainText({ state, used, what }: Row): string {
  if (state === 'running') return what.endsWith(ASKS_MODEL) ? '' : what;
  if (state === 'waiting' || state === 'refused') return what;
  const figures = used && used.turns > 0 && `${count(used.turns, 'turn')}, ${count(used.tokens, 'token')}`;
  return [state, figures, what].filter(Boolean).join(', ');
}

/** By the convention of no-color.org. */
const paint = (colour: number, text: string): string => (process.env.NO_COLOR ? text : `\x1b[${colour}m${text}\x1b[0m`);

/** The whole tree in at most so many rows and columns; each line fits. */
function treeLines(lead: Row, rows: readonly Row[], totals: readonly string[], height: number, columns: number): string[] {
  const order = ({ state }: Row): number => ORDER.indexOf(state);
  // Beside the rows of sub-agents and the totals: header, lead, what is hidden.
  const kept = new Set([...rows].sort((a, b) => order(b) - order(a)).slice(0, Math.max(1, height - totals.length - 3)));
  const shown = rows.filter((each) => kept.has(each));
  const hidden = rows.length - shown.length;

  const longest = Math.max(8, ...[lead, ...rows].map(({ name }) => stringWidth(name)));
  const width = Math.min(longest, MAX_NAME, Math.max(8, Math.floor(columns * SHARE_OF_NAME)));
  const line = (start: string, name: string, turns: string, tokens: string, what: string): string =>
    fit(`${start}${fit(name, width + 4 - stringWidth(start))} ${turns.padStart(5)} ${tokens.padStart(7)}  ${what}`, columns);
  const rowLine = (branch: string, { name, state, used, what }: Row): string => {
    const [colour, mark] = MARKS[state] ?? [RED, '✘'];
    return line(`${branch}${paint(colour, mark)} `, name, used ? number(used.turns) : '', used ? number(used.tokens) : '', what);
  };
  return [
    paint(DIM, line('  ', 'agent', 'turns', 'own', '').trimEnd()),
    rowLine('', lead),
    ...shown.map((each, at) => rowLine(at === shown.length - 1 && hidden === 0 ? '└ ' : '├ ', each)),
    ...(hidden > 0 ? [fit(`└ … ${hidden} more`, columns)] : []),
    ...totals,
  ];
}

/** What all have used together; what is spent is solid in the bar, what is reserved is shaded. */
function totalsOf(frame: Frame, lead: NodeView, columns: number): string[] {
  const { spent, reserved, cap } = frame.ledger(lead.index).tokens;
  const cells = (amount: number): number => Math.min(BAR_WIDTH, Math.round((amount / cap) * BAR_WIDTH));
  const [solid, filled] = [cells(spent), cells(spent + reserved)];
  const bar = paint(GREEN, '█'.repeat(solid)) + paint(YELLOW, '▒'.repeat(filled - solid)) + paint(DIM, '░'.repeat(BAR_WIDTH - filled));
  const { active, limit, queued } = frame.slots;
  const text = `${bar} all together ${number(spent)} of ${number(cap)} tokens · ${number(reserved)} reserved · slots ${active}/${limit} · ${queued} queued`;
  return wrapAnsi(text, columns, { hard: true }).split('\n');
}
