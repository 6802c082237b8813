// What is said when background work starts. Owns its words; computes from what it is given alone.

import { quoted } from '../base/quoting.js';
import { LABEL_CHARS } from '../generated/quoting.js';

/** The promise that a notice comes: said only where one does (N6). */
export const NOTIFIES = "I'll notify you when it completes.";

/**
 * The text which says that background work has started, for a handle or its snapshot.
 *
 * @param task the sub-agent
 * @param task.label its label
 * @param task.taskId its id
 * @param notifies whether it says that a notice comes. @default true
 */
export function startedText(task: { readonly label: string; readonly taskId: string }, notifies = true): string {
  const { label, taskId } = task;
  return `Subagent [${quoted(label, LABEL_CHARS)}] started (id: ${quoted(taskId)}).${notifies ? ` ${NOTIFIES}` : ''}`;
}
