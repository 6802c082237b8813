// What came of a command, in the order of a transcript: a batch's events, then what the host was asked to
// do, then the promises that settled. Owns that order.

import type { Line } from './golden-lines.js';

type Part = 'events' | 'calls' | 'settled';

interface Entry {
  readonly at: number;
  /** Made when the command is over: only then all names are known. */
  readonly line: () => Line | undefined;
  readonly type: string | undefined;
}

type Batch = Record<Part, Entry[]>;

export class Log {
  #batches: Batch[] = [];
  #open: Batch | undefined;

  /** What comes without a pause is one batch: the core hands a batch over in one go. */
  add(part: Part, at: number, line: () => Line | undefined, type?: string): void {
    if (this.#open === undefined) {
      const batch: Batch = { events: [], calls: [], settled: [] };
      this.#batches.push(batch);
      this.#open = batch;
      queueMicrotask(() => {
        this.#open = undefined;
      });
    }
    this.#open[part].push({ at, line, type });
  }

  /** How many events of a type came since the last time. */
  count(type: string): number {
    return this.#batches.flatMap(({ events }) => events).filter((entry) => entry.type === type).length;
  }

  /** Takes out the events of a type that came since the last time. */
  drop(type: string): void {
    for (const batch of this.#batches) batch.events = batch.events.filter((entry) => entry.type !== type);
  }

  /** The lines since the last time, each with its time. */
  take(): { at: number; line: Line }[] {
    const entries = this.#batches.flatMap(({ events, calls, settled }) => [...events, ...calls, ...settled]);
    this.#batches = [];
    return entries.flatMap(({ at, line }) => {
      const made = line();
      return made === undefined ? [] : [{ at, line: made }];
    });
  }
}

/**
 * What the host got, in the order that TypeScript can see: calls as they came; promises and wakes after
 * them, and those that settle together by name, since how soon each is noticed is up to the language.
 */
export function inTellingOrder<T>(lines: readonly T[], textOf: (line: T) => string): T[] {
  const isSettled = (text: string): boolean => ['> wait-done', '> wake', '> drained', '> answer'].some((start) => text.startsWith(start));
  const out: T[] = [];
  for (let at = 0; at < lines.length; ) {
    let end = at;
    while (end < lines.length && textOf(lines[end] as T).startsWith('> ')) end += 1;
    const reported = lines.slice(at, end);
    const settled = reported.filter((line) => isSettled(textOf(line)));
    out.push(...reported.filter((line) => !isSettled(textOf(line))));
    out.push(...settled.sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1)));
    if (end < lines.length) out.push(lines[end] as T);
    at = end + 1;
  }
  return out;
}
