// A call of a tool, attempted. Owns which errors become text for the model and which throw, and the details for the program.

import { modelTextOf } from '../base/errors.js';
import type { Parts } from '../commands/parts.js';
import { isRefusal } from './answers.js';
import type { Operation } from './generated/tools.js';

/** What the program learns of a call of one of the tools that `createTools` makes. */
export interface OperationDetails {
  /** The operation. */
  operation: Operation | 'ask';
  /** The sub-agents that it was about; of a question, the one that asks. */
  taskIds: string[];
  /** Whether it was done, a question answered; a refusal is text for the model. */
  ok: boolean;
}

/** What a tool that is not there is called, so that texts name only tools that the model has. */
export type ToolNames = Partial<Record<Operation, { name: string; target: string | undefined }>>;

/** Does one; what the model did wrong is its text, what the program did wrong throws. */
export async function attempted(
  runtime: Parts,
  operation: OperationDetails['operation'],
  names: ToolNames,
  body: (taskIds: string[]) => Promise<string>,
): Promise<{ text: string; details: OperationDetails }> {
  runtime.check();
  const details: OperationDetails = { operation, taskIds: [], ok: true };
  try {
    const text = await body(details.taskIds);
    return { text, details };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const unknown = error.code === 'unknown_task' || error.code === 'forgotten' || error.code === 'not_reachable';
    return {
      text: `Not done: ${modelTextOf(error)}.${unknown ? hintAt(names, 'list', ' shows those that are there') : ''}`,
      details: { ...details, ok: false },
    };
  }
}

/** A sentence about another tool, if the model has it. */
export function hintAt(names: ToolNames, operation: Operation, what: string): string {
  const tool = names[operation];
  return tool === undefined ? '' : ` ${tool.name}${what}.`;
}
