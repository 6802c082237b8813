// The view: the tree of agents as it runs. A live tree in a terminal, plain lines anywhere else.
// It only looks: what is shown comes from `subagents/view`, as in the inspector, and from what the agents' loops tell.
import type { SubAgentManager } from 'subagents';
import { baseOf, type Frame, type NodeView, View } from 'subagents/view';

import type { Activity } from './activity.js';
import { nameOf, stateOf, treeLines, whatOf } from './rows.js';
import { columnsOf, count, fit, number, seconds } from './terminal.js';

const REDRAW_MS = 80;
const WAITS = 'waits for its sub-agents';
const NAME_WIDTH = 30;
const TIME_WIDTH = 8;
/** A line in a file or pipe says no more than this of what was found. */
const WHAT_LENGTH = 120;

export interface Shown {
  /** Draws the last state and gives the terminal back. */
  stop(): void;
  /** A line for the reader that the tree must not overwrite. */
  note(line: string): void;
}

export function showTree(manager: SubAgentManager, activity: Activity, out: NodeJS.WriteStream): Shown {
  const isTerminal = out.isTTY && process.env.TERM !== 'dumb';
  return isTerminal ? liveTree(manager, activity, out) : plainLines(manager, activity, out);
}

function plainLines(manager: SubAgentManager, activity: Activity, out: NodeJS.WriteStream): Shown {
  const started = Date.now();
  const line = (text: string): void => {
    out.write(`${seconds(Date.now() - started).padStart(TIME_WIDTH)}  ${text}\n`);
  };
  const told = new Map<string, string>();
  /** What an agent was at when it began to wait; after that it has the results, and does not call again. */
  const waitedAt = new Map<string, string>();
  let refusals = 0;
  // Whatever happened, only what differs from the last line about an agent is worth another one.
  const look = (node: NodeView): void => {
    const id = node.id ?? '';
    const text = plainText(view.now, node, activity);
    const last = told.get(id);
    if (last === text) return;
    told.set(id, text);
    if (text === WAITS && last !== undefined) waitedAt.set(id, last);
    line(`${fit(nameOf(node), NAME_WIDTH)} ${waitedAt.get(id) === text ? 'has their reports' : text}`);
  };
  const { view, off } = viewOf(manager, (taskId) => {
    const node = view.now.task(taskId);
    if (node !== undefined) look(node);
  });
  activity.onChange(() => {
    for (const { name, why } of activity.refusals.slice(refusals)) line(`${fit(name, NAME_WIDTH)} refused: ${why}`);
    refusals = activity.refusals.length;
    for (const node of view.now.tasks()) if (node.status === 'running') look(node);
  });
  return {
    stop() {
      off();
      activity.onChange(() => {});
    },
    note: line,
  };
}

/** What is known of a manager, from now on. `changed` is told the sub-agent that an event is about, once that is known. */
function viewOf(manager: SubAgentManager, changed: (taskId: string) => void): { view: View; off: () => void } {
  const view = new View();
  view.begin(baseOf(manager));
  const off = manager.subscribe((event) => {
    view.add(event);
    if ('taskId' in event && typeof event.taskId === 'string') changed(event.taskId);
  });
  return { view, off };
}

/** An agent in words: its state, and what it does or has found. */
function plainText(frame: Frame, node: NodeView, activity: Activity): string {
  const what = cut(whatOf(frame, node, activity));
  const obstacle = frame.obstacle(node);
  switch (node.status) {
    case 'pending':
      return `queued, ${what}`;
    case 'running':
      if (obstacle?.for === 'children') return WAITS;
      return activity.lastCalls(node.id ?? '')?.replace(` ${nameOf(node)}`, '') ?? 'started';
    default:
      return [stateOf(node.status, false), ...figuresOf(node), what].filter(Boolean).join(', ');
  }
}

function figuresOf({ usage, spent }: NodeView): string[] {
  if (usage.turns === 0) return [];
  const [own, all] = [usage.tokens, spent.tokens];
  return [count(usage.turns, 'turn'), `${count(own, 'token')}${all === own ? '' : ` of its own, ${number(all)} with its sub-agents`}`];
}

function cut(text: string): string {
  const points = [...text];
  return points.length <= WHAT_LENGTH ? text : `${points.slice(0, WHAT_LENGTH - 1).join('')}…`;
}

function liveTree(manager: SubAgentManager, activity: Activity, out: NodeJS.WriteStream): Shown {
  const { view, off } = viewOf(manager, () => {});
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
    // The last column stays free: some terminals begin a new line once it is filled.
    const size = { rows: (out.rows || 24) - 2, columns: columns() - 1 };
    const lines = treeLines(view.now, activity, size);
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
      off();
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
