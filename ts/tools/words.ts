// What the tools say to a model. Owns the words and how much of a sub-agent's text is shown; that text is
// fenced by the core, never here.

import { STOP_REASONS, TASK_STATUSES } from '../generated/names.js';
import { keyOf, PROGRAM } from '../key.js';
import type { Runtime } from '../runtime.js';
import type { TaskSnapshot } from '../snapshots.js';

/** A sub-agent by the name that a model knows it by. */
export function nameOf(runtime: Runtime, view: Pick<TaskSnapshot, 'taskId' | 'hostTaskId' | 'label'>): string {
  return `${idTold(runtime, view)} [${view.label}]`;
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

/** The facts of a sub-agent's last run and `text` of it, fenced. */
export function ended(runtime: Runtime, view: TaskSnapshot, text: string): string {
  const { slot, generation } = runtime.pins.placeOf(view) ?? runtime.lookup.resolve(PROGRAM, view.taskId);
  const { unknown, invalid, turns, costUsd } = view.usage;
  const known = (name: 'turns' | 'costUsd', value: number): number => (unknown.includes(name) || invalid.includes(name) ? -1 : value);
  const length = runtime.write(text);
  return runtime.call((core) =>
    core.resultText(
      slot,
      generation,
      view.run,
      TASK_STATUSES.indexOf(view.status),
      STOP_REASONS.indexOf(view.stopReason ?? 'finished'),
      known('turns', turns),
      known('costUsd', costUsd),
      view.durationMs ?? -1,
      length,
    ),
  );
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
