// What the tools say to a model. Owns the words and how much of a sub-agent's text is shown; that text is
// fenced by the core, never here.

import { type Figures, figuresOf } from '../figures.js';
import { STOP_REASONS, type StopReason, TASK_STATUSES, type TaskStatus } from '../generated/names.js';
import { LABEL_CHARS } from '../generated/quoting.js';
import { type Key, keyOf, PROGRAM } from '../key.js';
import { quoted } from '../quoting.js';
import type { Runtime } from '../runtime.js';
import type { TaskSnapshot } from '../snapshots.js';

/** A sub-agent by the name that a model knows it by. */
export function nameOf(runtime: Runtime, view: Pick<TaskSnapshot, 'taskId' | 'hostTaskId' | 'label'>): string {
  return `${idTold(runtime, view)} [${quoted(view.label, LABEL_CHARS)}]`;
}

/** The id that a model is told: the host's own, of work that it started under one that means no other (D6). */
export function idTold(runtime: Runtime, { taskId, hostTaskId }: Pick<TaskSnapshot, 'taskId' | 'hostTaskId'>): string {
  if (hostTaskId === null) return taskId;
  const length = runtime.write(taskId);
  const place = runtime.call((core) => core.find(0, 0, 0, length));
  if (place < 0) return taskId;
  const { slot, generation } = keyOf(place);
  return runtime.call((core) => core.toldId(slot, generation));
}

/** How one stands, in a line of facts; none of its own words. */
export function standing(runtime: Runtime, view: TaskSnapshot): string {
  const facts: string[] = [];
  if (view.run > 0) facts.push(`run ${view.run}`);
  if (view.turns > 0) facts.push(`turn ${view.turns}`);
  if (view.parked !== null) facts.push(`waits: ${view.parked}`);
  if (view.cancelRequested) facts.push('is being cancelled');
  if (view.queueSize > 0) facts.push(`${view.queueSize} messages queued`);
  if (view.stopReason !== null && !isOpen(view) && view.stopReason !== 'finished') facts.push(view.stopReason);
  return `${nameOf(runtime, view)} ${view.status}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}`;
}

/** Whether something runs or is queued there. */
export function isOpen(view: Pick<TaskSnapshot, 'status'>): boolean {
  return view.status === 'running' || view.status === 'pending';
}

/** How a run ended, as a text tells it. */
export interface EndFacts {
  status: TaskStatus;
  stopReason: StopReason;
  output: string;
  error: string | null | undefined;
  hostStatus: string | null | undefined;
  figures: Figures;
}

/** The text for a model of an end: a line of facts, and what the run left, fenced. */
export function endText(runtime: Runtime, { slot, generation }: Key, run: number, facts: EndFacts): string {
  const { status, stopReason, output, error, hostStatus, figures } = facts;
  const lengths = runtime.writeAll([output, error ?? undefined, hostStatus ?? undefined]);
  const [outputLength, errorLength, wordLength] = lengths as [number, number, number];
  return runtime.call((core) =>
    core.resultText(
      slot,
      generation,
      run,
      TASK_STATUSES.indexOf(status),
      STOP_REASONS.indexOf(stopReason),
      figures.turns ?? -1,
      figures.costUsd ?? -1,
      figures.durationMs ?? -1,
      outputLength,
      errorLength,
      wordLength,
    ),
  );
}

/** The facts of a sub-agent's last run and `text`, a part of what it left, fenced. */
export function ended(runtime: Runtime, view: TaskSnapshot, text: string): string {
  const { status, stopReason, error, hostStatus, usage, startedAt, durationMs } = view;
  const place = runtime.pins.placeOf(view) ?? runtime.lookup.resolve(PROGRAM, view.taskId);
  const figures = figuresOf(usage, startedAt !== null, durationMs);
  // Where it left nothing else, the part is one of its error.
  const left = view.output === '' && error !== null ? { output: '', error: text } : { output: text, error };
  return endText(runtime, place, view.run, { status, stopReason: stopReason ?? 'finished', ...left, hostStatus, figures });
}

/** What a run left: its output, else what went wrong, else what it last reported. */
export function leftBy(view: TaskSnapshot): string {
  if (view.output !== '') return view.output;
  return view.error ?? view.progress ?? '';
}

/** A page of a text; places count code points. */
export function pageOf(text: string, offset: number, limit: number): { text: string; total: number } {
  const points = [...text];
  return { text: points.slice(offset, offset + limit).join(''), total: points.length };
}

/** The longest beginning of a text that has at most so many bytes of UTF-8; never cut through a character. */
export function headOf(text: string, bytes: number): string {
  let used = 0;
  for (let index = 0; index < text.length; ) {
    const point = text.codePointAt(index) as number;
    used += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (used > bytes) return text.slice(0, index);
    index += point > 0xffff ? 2 : 1;
  }
  return text;
}
