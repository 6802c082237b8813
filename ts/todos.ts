// To-do lists as agents report them. Owns their shape, what counts as open, and how much is kept.

import { now } from './clock.js';
import { invalid } from './errors.js';
import type { Actor } from './key.js';
import type { Runtime } from './runtime.js';

/** How many to-dos are kept of a list; all are counted. */
const KEPT = 100;
/** Characters kept of one. */
const CHARS = 500;

/** One thing to do. */
export interface Todo {
  content: string;
  /** `completed` and `cancelled` are closed, any other word is open. @default 'pending' */
  status?: string | undefined;
}

/** The list as the core keeps it: JSON, and how many are open. */
export function readTodos(todos: unknown): { open: number; json: string } {
  if (!Array.isArray(todos)) throw invalid('`todos`', 'a list of { content, status }', todos);
  let open = 0;
  const kept: Todo[] = [];
  for (const todo of todos as readonly unknown[]) {
    const { content, status = 'pending' } = Object(todo) as Partial<Record<keyof Todo, unknown>>;
    if (typeof content !== 'string') throw invalid("a to-do's `content`", 'a string', content);
    if (typeof status !== 'string') throw invalid("a to-do's `status`", 'a string', status);
    if (status !== 'completed' && status !== 'cancelled') open += 1;
    if (kept.length < KEPT) kept.push({ content: firstChars(content, CHARS), status: firstChars(status, 40) });
  }
  return { open, json: JSON.stringify(kept) };
}

/** Has the core keep the list of an agent. */
export function reportTodos(runtime: Runtime, { slot, generation, run }: Actor, { open, json }: { open: number; json: string }): void {
  const length = runtime.write(json);
  runtime.call((core) => core.todos(now(), slot, generation, run, open, length));
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
