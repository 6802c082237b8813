// Texts for a model: how a run ended, which the core words, and that a run started in the background. Owns how the
// facts of an end reach the core, and the text of a start.

import { quoted } from '../base/quoting.js';
import { type Receipt, receiptsJson } from '../base/receipt.js';
import type { Core } from '../boundary/core.js';
import type { Key } from '../boundary/key.js';
import { READING_MISSING } from '../generated/codes.js';
import { STOP_REASONS, type StopReason, TASK_STATUSES, type TaskStatus } from '../generated/names.js';
import { LABEL_CHARS } from '../generated/quoting.js';
import type { Figures } from './figures.js';

/** How a run ended: the facts for a text. */
export interface EndFacts {
  status: TaskStatus;
  stopReason: StopReason;
  output: string;
  error: string | null | undefined;
  hostStatus: string | null | undefined;
  receipts: readonly Receipt[];
  figures: Figures;
}

/** The text of an end for a model: a line of facts, then the output, error and receipts, fenced. */
export function endText(runtime: Core, { index, generation }: Key, run: number, facts: EndFacts): string {
  const { status, stopReason, output, error, hostStatus, receipts, figures } = facts;
  const did = receipts.length === 0 ? undefined : receiptsJson(receipts);
  const lengths = runtime.writeLeft({ output, error: error ?? undefined, hostStatus: hostStatus ?? undefined, receiptsJson: did });
  return runtime.call((core) =>
    core.resultText(
      index,
      generation,
      run,
      TASK_STATUSES.indexOf(status),
      STOP_REASONS.indexOf(stopReason),
      figures.turns ?? READING_MISSING,
      figures.tokens ?? READING_MISSING,
      figures.costUsd ?? READING_MISSING,
      figures.durationMs ?? READING_MISSING,
      lengths.output,
      lengths.beside,
    ),
  );
}

/** Promises a notice. Given only if one comes (N6). */
export const NOTIFIES = "I'll notify you when it completes.";

/**
 * The text that reports a start in the background, for a handle or its snapshot.
 *
 * @param task the sub-agent
 * @param task.label its label
 * @param task.taskId its id
 * @param notifies whether it promises a notice. @default true
 */
export function startedText(task: { readonly label: string; readonly taskId: string }, notifies = true): string {
  const { label, taskId } = task;
  return `Subagent [${quoted(label, LABEL_CHARS)}] started (id: ${quoted(taskId)}).${notifies ? ` ${NOTIFIES}` : ''}`;
}
