// The view: the tree of agents as it runs. A live tree in a terminal, plain lines anywhere else.
// It only looks: everything shown comes from the manager's snapshots and events.
import type { SubAgentManager, TaskSnapshot } from 'subagents';

import { field } from './model/transcript.js';

const REDRAW_MS = 80;
const BAR_WIDTH = 10;
const LABEL_WIDTH = 30;

export interface View {
  /** Draws the last state and gives the terminal back. */
  stop(): void;
  /** A line for the reader that the tree must not overwrite. */
  note(line: string): void;
}

export function showTree(manager: SubAgentManager, out: NodeJS.WriteStream): View {
  const isTerminal = out.isTTY && process.env.TERM !== 'dumb';
  return isTerminal ? liveTree(manager, out) : plainLines(manager, out);
}

/** What a task is called here: the document that its instructions name, else its label. */
export function nameOf(task: TaskSnapshot): string {
  return printable(field(task.instructions, 'Document') ?? task.label);
}

/** Text from documents and models must not steer the terminal. Joiners stay: Persian and emoji need them. */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '');
}

export function stateOf(task: TaskSnapshot): string {
  if (task.parked) return 'waiting';
  return task.status === 'pending' ? 'queued' : task.status.replace('_', ' ');
}

function plainLines(manager: SubAgentManager, out: NodeJS.WriteStream): View {
  const started = Date.now();
  const line = (text: string): void => {
    out.write(`${seconds(Date.now() - started).padStart(8)}  ${text}\n`);
  };
  const off = manager.subscribe((event) => {
    if (event.type !== 'run_queued' && event.type !== 'run_started' && event.type !== 'run_ended') return;
    if (event.taskId === null) return;
    const task = manager.get(event.taskId);
    const name = fit(nameOf(task), LABEL_WIDTH);
    if (event.type === 'run_queued') line(`${name} queued`);
    else if (event.type === 'run_started') line(`${name} started`);
    else line(`${name} ${[stateOf(task), usageOf(task), reasonOf(task)].filter(Boolean).join(', ')}`);
  });
  return { stop: off, note: line };
}

function liveTree(manager: SubAgentManager, out: NodeJS.WriteStream): View {
  let drawn = 0;
  // From the line's start: a terminal shows Ctrl-C as ^C, and what is typed.
  const erase = (): string => (drawn > 0 ? `\r\x1b[${drawn}A\x1b[J` : '');
  // By the convention of no-color.org.
  const coloured = (text: string): string => (process.env.NO_COLOR ? text.replace(/\x1b\[\d+m/gu, '') : text);
  const draw = (): void => {
    const lines = treeLines(manager, (out.rows || 24) - 2);
    if (lines.length === 0) return;
    // Line wrap is off while drawing: one line of the tree stays one line of the terminal.
    out.write(`${erase()}\x1b[?7l${coloured(lines.join('\n'))}\n\x1b[?7h`);
    drawn = lines.length;
  };
  const showCursor = (): void => void out.write('\x1b[?25h');
  out.write('\x1b[?25l');
  process.once('exit', showCursor);
  draw();
  const timer = setInterval(draw, REDRAW_MS);
  return {
    stop() {
      clearInterval(timer);
      draw();
      showCursor();
      process.off('exit', showCursor);
    },
    note(text) {
      out.write(`${erase()}${text}\n`);
      drawn = 0;
      draw();
    },
  };
}

function treeLines(manager: SubAgentManager, rows: number): string[] {
  const tasks = manager.list({ page: { limit: 1_000 } }).items;
  const lead = tasks.find((each) => each.parentId === null);
  if (lead === undefined) return [];
  const children = tasks.filter((each) => each.parentId === lead.taskId);

  // Where not all fit, those at work are shown and the rest is counted.
  const room = Math.max(1, rows - 3);
  const order = (task: TaskSnapshot): number => (task.status === 'running' ? 0 : task.status === 'pending' ? 1 : 2);
  const kept = new Set([...children].sort((a, b) => order(a) - order(b)).slice(0, room));
  const shown = children.filter((each) => kept.has(each));
  const hidden = children.length - shown.length;

  const { active, limit, queued } = manager.getConcurrencyInfo();
  const pool = lead.budget.tokens;
  return [
    row('', lead),
    ...shown.map((each, at) => row(at === shown.length - 1 && hidden === 0 ? '└ ' : '├ ', each)),
    ...(hidden > 0 ? [`└ … ${hidden} more`] : []),
    `${bar(pool.spent, pool.held, pool.cap)} ${number(pool.spent)} of ${number(pool.cap)} tokens, ` +
      `${number(pool.held)} held · slots ${active}/${limit} · ${queued} queued`,
  ];
}

const MARKS: Record<string, string> = {
  queued: '\x1b[2m○\x1b[0m',
  running: '\x1b[36m●\x1b[0m',
  waiting: '\x1b[33m◐\x1b[0m',
  completed: '\x1b[32m✔\x1b[0m',
};

function row(branch: string, task: TaskSnapshot): string {
  const state = stateOf(task);
  const { spent, held, cap } = task.budget.tokens;
  return [
    `${branch}${MARKS[state] ?? '\x1b[31m✘\x1b[0m'} ${fit(nameOf(task), LABEL_WIDTH - branch.length)}`,
    state.padEnd(9),
    `${task.turns} turns`.padStart(8),
    `${number(spent)} tokens`.padStart(15),
    bar(spent, held, cap),
    seconds(elapsed(task)).padStart(7),
  ].join(' ');
}

/** Spent is solid, held is shaded. */
function bar(spent: number, held: number, cap: number): string {
  const cells = (amount: number): number => Math.min(BAR_WIDTH, Math.round((amount / cap) * BAR_WIDTH));
  const solid = cells(spent);
  const shaded = cells(spent + held) - solid;
  return `\x1b[32m${'█'.repeat(solid)}\x1b[33m${'▒'.repeat(shaded)}\x1b[2m${'░'.repeat(BAR_WIDTH - solid - shaded)}\x1b[0m`;
}

function elapsed(task: TaskSnapshot): number {
  if (task.startedAt === null) return 0;
  return (task.endedAt ?? Date.now()) - task.startedAt;
}

function usageOf(task: TaskSnapshot): string {
  return task.turns === 0 ? '' : `${task.turns} turns, ${number(task.budget.tokens.spent)} tokens`;
}

function reasonOf(task: TaskSnapshot): string {
  if (task.status === 'completed') return '';
  return printable(task.error ?? task.stopReason ?? '');
}

function fit(text: string, width: number): string {
  const points = [...text];
  return points.length <= width ? text.padEnd(width) : `${points.slice(0, width - 1).join('')}…`;
}

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

export function number(value: number): string {
  return value.toLocaleString('en-US');
}
