// The policy that has an agent finish its to-do list, after Oxide's `CompletionCheckHook`. Owns its words; the core decides
// whether another turn is due.

import { quoted } from '../base/quoting.js';
import { TASK_CHARS } from '../generated/quoting.js';
import { knownOptions } from '../options/arguments.js';
import { isOpenTodo } from '../options/todos.js';
import { count } from '../options/values.js';
import type { ForceTurn, Policy } from './policy.js';

/** How many turns `completionCheck` forces by default. */
export const FORCED_TURNS = 10;

/** Options of `completionCheck`. */
export interface CompletionCheckOptions {
  /** Turns that a run may be forced to take, 0 or more; then it ends as it is. @default 10 */
  maxForcedTurns?: number | undefined;
}

/** Has an agent that wants to end take another turn while to-dos are open; those that wait for the user are not. */
export function completionCheck(given: CompletionCheckOptions = {}): Policy {
  const { maxForcedTurns } = knownOptions('completionCheck', given, ['maxForcedTurns']);
  const limit = count('`maxForcedTurns`', maxForcedTurns, 0) ?? FORCED_TURNS;
  return {
    name: 'completion_check',
    beforeEnd(context): ForceTurn | undefined {
      if (context.count(limit, { openTodosOnly: true }) !== 'counted') return undefined;
      const open = context.todos.filter(isOpenTodo);
      const list = open.map((todo) => `- ${quoted(todo.content, TASK_CHARS)}`).join('\n');
      return {
        action: 'force_turn',
        text: `Of your to-dos, ${context.openTodos} are still open. Finish them, or say why they can't be:\n${list}`,
      };
    },
  };
}
