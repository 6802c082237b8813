// To-do lists that agents report. Owns their shape, which entries count as open, and their bounds.

import { invalid } from '../base/errors.js';
import { wellFormed } from '../base/text.js';
import type { Core } from '../boundary/core.js';
import type { Actor } from '../boundary/key.js';
import { listOf } from './arguments.js';

/** Maximum number of retained to-dos of a list; all are counted. */
const KEPT = 100;
/** Maximum number of retained characters of a to-do. */
const CHARS = 500;

/** A to-do. */
export interface Todo {
  /** The to-do: at most 500 characters are retained. */
  content: string;
  /**
   * `completed`, `cancelled` and `blocked_on_user`, which waits for the user, are not open; any other word is.
   * @default 'pending'
   */
  status?: string | undefined;
}

/** A to-do as an agent reports it, with its text in `content` or in `description`. */
export type ReportedTodo = Todo | { description: string; status?: string | undefined };

/** Statuses that need no further turn: nothing is left to do, or only the user can do it. */
const NOT_OPEN: readonly string[] = ['completed', 'cancelled', 'blocked_on_user'];

/** Whether an agent still has to work on a to-do. */
export function isOpenTodo({ status = 'pending' }: Todo): boolean {
  return !NOT_OPEN.includes(status);
}

/** Reads a list into JSON for the core, and counts its open to-dos. */
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

/** Stores the list of an agent in the core. */
export function reportTodos(runtime: Core, actor: Actor, { open, json }: { open: number; json: string }): void {
  runtime.performIf(actor, { type: 'todos', open, todos: json });
}

/** Parses the list that the core stores. */
export function parseTodos(json: string): Todo[] {
  return json === '' ? [] : (JSON.parse(json) as Todo[]);
}

/** The first code points of a text. */
export function firstChars(text: string, count: number): string {
  if (text.length <= count) return text;
  return Array.from(text.slice(0, count * 2))
    .slice(0, count)
    .join('');
}
