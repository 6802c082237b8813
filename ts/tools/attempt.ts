// A call of a tool, attempted. Owns which errors become text for the model and which throw, and the details for the program.

import { modelTextOf } from '../base/errors.js';
import type { Parts } from '../commands/parts.js';
import { isRefusal } from './answers.js';
import type { Operation } from './generated/tools.js';

/** The details, for the program, of a call of a tool that `createTools` makes. */
export interface OperationDetails {
  /** The operation. */
  operation: Operation | 'ask';
  /** The sub-agents that the call is about; for a question, the one that asks. */
  taskIds: string[];
  /** Whether it was done, or a question was answered. A refusal is text for the model. */
  ok: boolean;
}

/** The names of the model's tools and of their targets: texts name no tool that the model lacks. */
export type ToolNames = Partial<Record<Operation, { name: string; target: string | undefined }>>;

/** Does one operation. A mistake of the model becomes text; a mistake of the program throws. */
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
