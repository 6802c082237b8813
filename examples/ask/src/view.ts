// The view: the tree of agents as it runs. A live tree in a terminal, plain lines anywhere else.
// It only looks: what is shown comes from the manager's snapshots and from what the agents' loops tell.
import type { SubAgentManager, TaskSnapshot } from 'subagents';

import type { Activity } from './activity.js';
import { nameOf, stateOf, treeLines, whatOf } from './rows.js';
import { columnsOf, count, fit, number, seconds } from './terminal.js';

const REDRAW_MS = 80;
const WAITS = 'waits for its sub-agents';
const NAME_WIDTH = 30;
const TIME_WIDTH = 8;
/** A line in a file or pipe says no more than this of what was found. */
const WHAT_LENGTH = 120;

export interface View {
  /** Draws the last state and gives the terminal back. */
  stop(): void;
  /** A line for the reader that the tree must not overwrite. */
  note(line: string): void;
}

export function showTree(manager: SubAgentManager, activity: Activity, out: NodeJS.WriteStream): View {
  const isTerminal = out.isTTY && process.env.TERM !== 'dumb';
  return isTerminal ? liveTree(manager, activity, out) : plainLines(manager, activity, out);
}

function plainLines(manager: SubAgentManager, activity: Activity, out: NodeJS.WriteStream): View {
  const started = Date.now();
  const line = (text: string): void => {
    out.write(`${seconds(Date.now() - started).padStart(TIME_WIDTH)}  ${text}\n`);
  };
  const told = new Map<string, string>();
  /** What an agent was at when it began to wait; after that it has the results, and does not call again. */
  const waitedAt = new Map<string, string>();
  let refusals = 0;
  // Whatever happened, only what differs from the last line about an agent is worth another one.
  const look = (task: TaskSnapshot): void => {
    const text = plainText(task, activity);
    const last = told.get(task.taskId);
    if (last === text) return;
    told.set(task.taskId, text);
    if (text === WAITS && last !== undefined) waitedAt.set(task.taskId, last);
    line(`${fit(nameOf(task), NAME_WIDTH)} ${waitedAt.get(task.taskId) === text ? 'has their reports' : text}`);
  };
  const off = manager.subscribe((event) => {
    if ('taskId' in event && typeof event.taskId === 'string') look(manager.get(event.taskId));
  });
  activity.onChange(() => {
    for (const { name, why } of activity.refusals.slice(refusals)) line(`${fit(name, NAME_WIDTH)} refused: ${why}`);
    refusals = activity.refusals.length;
    for (const task of manager.list({ filter: { status: ['running'] } }).items) look(task);
  });
  return {
    stop() {
      off();
      activity.onChange(() => {});
    },
    note: line,
  };
}

/** A task in words: its state, and what it does or has found. */
function plainText(task: TaskSnapshot, activity: Activity): string {
  const what = cut(whatOf(task, 0, activity));
  switch (task.status) {
    case 'pending':
      return `queued, ${what}`;
    case 'running':
      if (task.parked === 'children') return WAITS;
      return activity.lastCalls(task.taskId)?.replace(` ${nameOf(task)}`, '') ?? 'started';
    default:
      return [stateOf(task), ...figuresOf(task), what].filter(Boolean).join(', ');
  }
}

function figuresOf(task: TaskSnapshot): string[] {
  if (task.turns === 0) return [];
  const own = task.usage.tokens;
  const all = task.budget.tokens.spent;
  return [count(task.turns, 'turn'), `${count(own, 'token')}${all === own ? '' : ` of its own, ${number(all)} with its sub-agents`}`];
}

function cut(text: string): string {
  const points = [...text];
  return points.length <= WHAT_LENGTH ? text : `${points.slice(0, WHAT_LENGTH - 1).join('')}…`;
}

function liveTree(manager: SubAgentManager, activity: Activity, out: NodeJS.WriteStream): View {
  let drawn: string[] = [];
  const columns = (): number => Math.max(20, out.columns || 80);
  // From the line's start: a terminal shows Ctrl-C as ^C, and what is typed. What was drawn when the terminal was wider
  // has been broken into several lines by now.
  const erase = (): string => {
    const lines = drawn.reduce((sum, line) => sum + Math.max(1, Math.ceil(columnsOf(line) / columns())), 0);
    return lines > 0 ? `\r\x1b[${lines}A\x1b[J` : '';
  };
  // By the convention of no-color.org.
  const coloured = (text: string): string => (process.env.NO_COLOR ? text.replace(/\x1b\[\d+m/gu, '') : text);
  const draw = (): void => {
    const tasks = manager.list({ page: { limit: 1_000 } }).items;
    // The last column stays free: some terminals begin a new line once it is filled.
    const size = { rows: (out.rows || 24) - 2, columns: columns() - 1 };
    const lines = treeLines(tasks, manager.getConcurrencyInfo(), activity, size);
    if (lines.length === 0) return;
    // Line wrap is off while drawing: one line of the tree stays one line of the terminal.
    out.write(`${erase()}\x1b[?7l${coloured(lines.map((line) => line.trimEnd()).join('\n'))}\n\x1b[?7h`);
    drawn = lines.map((line) => line.trimEnd());
  };
  const showCursor = (): void => void out.write('\x1b[?25h');
  out.write('\x1b[?25l');
  process.once('exit', showCursor);
  out.on('resize', draw);
  draw();
  const timer = setInterval(draw, REDRAW_MS);
  return {
    stop() {
      clearInterval(timer);
      out.off('resize', draw);
      draw();
      showCursor();
      process.off('exit', showCursor);
    },
    note(text) {
      out.write(`${erase()}${text}\n`);
      drawn = [];
      draw();
    },
  };
}
