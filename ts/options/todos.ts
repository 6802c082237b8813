// To-do lists that agents report. Owns their shape, which entries count as open, and their bounds.

import { invalid } from '../base/errors.js';
import { wellFormed } from '../base/text.js';
import type { Core } from '../boundary/core.js';
import type { Actor } from '../boundary/key.js';
import { listOf } from './arguments.js';

/** How many to-dos of a list are retained; all are counted. */
const KEPT = 100;
/** Characters retained of one. */
const CHARS = 500;

/** One thing to do. */
export interface Todo {
  /** The to-do: at most 500 characters are retained. */
  content: string;
  /** `completed`, `cancelled` and `blocked_on_user`, which waits for the user, are not open; any other word is. @default 'pending' */
  status?: string | undefined;
}

/** One thing to do as an agent reports it: its text goes by `content` or by `description`. */
export type ReportedTodo = Todo | { description: string; status?: string | undefined };

/** Statuses that ask for no further turn: nothing is left to do, or only the user can. */
const NOT_OPEN: readonly string[] = ['completed', 'cancelled', 'blocked_on_user'];

/** Whether an agent still has to work on it. */
export function isOpenTodo({ status = 'pending' }: Todo): boolean {
  return !NOT_OPEN.includes(status);
}

/** The list as the core keeps it: JSON, and how many are open. */
export function readTodos(todos: unknown): { open: number; json: string } {
  let open = 0;
  const kept: Todo[] = [];
  const list = listOf('`todos`', 'a list of { content, status }', todos, (todo, name) => {
    const {
      content: named,
      description,
      status = 'pending',
    } = Object(todo) as Partial<Record<'content' | 'description' | 'status', unknown>>;
    const content = named ?? description;
    if (typeof content !== 'string') throw invalid(`the \`content\` or \`description\` of ${name}`, 'a string', content);
    if (typeof status !== 'string') throw invalid(`the \`status\` of ${name}`, 'a string', status);
    return { content: wellFormed(content), status: wellFormed(status) };
  });
  for (const { content, status } of list) {
    const short = { content: firstChars(content, CHARS), status: firstChars(status, 40) };
    if (isOpenTodo(short)) open += 1;
    if (kept.length < KEPT) kept.push(short);
  }
  return { open, json: JSON.stringify(kept) };
}

/** Has the core keep the list of an agent. */
export function reportTodos(runtime: Core, actor: Actor, { open, json }: { open: number; json: string }): void {
  runtime.performIf(actor, { type: 'todos', open, todos: json });
}

/** The list that the core keeps. */
export function parseTodos(json: string): Todo[] {
  return json === '' ? [] : (JSON.parse(json) as Todo[]);
}

/** The first characters of a text: code points. */
export function firstChars(text: string, count: number): string {
  if (text.length <= count) return text;
  return Array.from(text.slice(0, count * 2))
    .slice(0, count)
    .join('');
}
