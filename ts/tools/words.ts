// The tools' texts for a model. Owns the texts and how much of a sub-agent's text is shown; the core fences that text,
// never this file.

import { quoted } from '../base/quoting.js';
import { counted } from '../base/text.js';
import { keyOf, PROGRAM } from '../boundary/key.js';
import type { Parts } from '../commands/parts.js';
import { LABEL_CHARS } from '../generated/quoting.js';
import { endText } from '../reading/end-text.js';
import { figuresOf } from '../reading/figures.js';
import type { TaskSnapshot } from '../snapshots/types.js';

/** A sub-agent by the model's name for it. */
export function shownName(runtime: Parts, view: Pick<TaskSnapshot, 'taskId' | 'hostTaskId' | 'label'>): string {
  return `${shownId(runtime, view)} [${quoted(view.label, LABEL_CHARS)}]`;
}

/** The id for a model: the host's own, if the host started the work under an unambiguous id (D6). */
export function shownId(runtime: Parts, { taskId, hostTaskId }: Pick<TaskSnapshot, 'taskId' | 'hostTaskId'>): string {
  if (hostTaskId === null) return taskId;
  const length = runtime.write(taskId);
  const place = runtime.call((core) => core.find(0, 0, 0, length));
  if (place < 0) return taskId;
  const { index, generation } = keyOf(place);
  return runtime.call((core) => core.shownId(index, generation));
}

/** The state of a sub-agent in a line of facts, without its own words. */
export function standing(runtime: Parts, view: TaskSnapshot): string {
  const facts: string[] = [];
  if (view.run > 0) facts.push(`run ${view.run}`);
  if (view.turns > 0) facts.push(`turn ${view.turns}`);
  if (view.parked !== null) facts.push(`waits: ${view.parked}`);
  if (view.cancelRequested) facts.push('is being cancelled');
  if (view.queueSize > 0) facts.push(`${counted(view.queueSize, 'message')} queued`);
  if (view.stopReason !== null && !isOpen(view) && view.stopReason !== 'finished') facts.push(view.stopReason);
  return `${shownName(runtime, view)} ${view.status}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** Whether the sub-agent has a running or queued run. */
export function isOpen(view: Pick<TaskSnapshot, 'status'>): boolean {
  return view.status === 'running' || view.status === 'pending';
}

/** The facts of a sub-agent's last run, then `text`, a part of its output, fenced. */
export function ended(runtime: Parts, view: TaskSnapshot, text: string): string {
  const { status, stopReason, error, hostStatus, receipts, usage, startedAt, durationMs } = view;
  const place = runtime.waitSnapshots.placeOf(view) ?? runtime.lookup.resolve(PROGRAM, view.taskId);
  const figures = figuresOf(usage, startedAt !== null, durationMs);
  // If it left no output, `text` is a part of its error.
  const left = view.output === '' && error !== null ? { output: '', error: text } : { output: text, error };
  return endText(runtime, place, view.run, { status, stopReason: stopReason ?? 'finished', ...left, hostStatus, receipts, figures });
}

/** The text of a run: its output, else its error, else its last report. */
export function leftBy(view: TaskSnapshot): string {
  if (view.output !== '') return view.output;
  return view.error ?? view.progress ?? '';
}

/** A page of a text; places count code points. */
export function pageOf(text: string, offset: number, limit: number): { text: string; total: number } {
  const points = [...text];
  return { text: points.slice(offset, offset + limit).join(''), total: points.length };
}
