// Events as JSON, one a line, or a list of them: the form in which a page saves them and a program exports them. Owns
// the form, and the error for other lines.
//
// A line `{"base": …}` may come first, if earlier events are known by their outcome alone, and there may be lines
// `{"refused": …}`. JSON lacks `Infinity`, which is written as `"∞"`. A text of only that sign gets one more. Null, which
// JSON.stringify makes of `Infinity`, is read as `Infinity` for a cap.

import type { Refusal } from 'subagents';
import type { SubAgentEvent, ViewBase } from 'subagents/view';
import type { Damage, JournalContents } from './contents.js';

const INFINITE = '\u221e';
/** Texts that would be read as the number, or as such a text with one sign less. */
const SIGNS = /^\u221e+$/;

/** A value as one line, with its end. */
export function lineOf(value: unknown): string {
  const written = (_name: string, each: unknown): unknown => {
    if (each === Number.POSITIVE_INFINITY) return INFINITE;
    return typeof each === 'string' && SIGNS.test(each) ? each + INFINITE : each;
  };
  return `${JSON.stringify(value, written)}\n`;
}

/** Most lines have no such number, and are parsed several times as fast without a second look at each value. */
function parsed(json: string): unknown {
  if (!json.includes(INFINITE)) return JSON.parse(json);
  return JSON.parse(json, (_name, value: unknown) => {
    if (value === INFINITE) return Number.POSITIVE_INFINITY;
    return typeof value === 'string' && SIGNS.test(value) ? value.slice(INFINITE.length) : value;
  });
}

/** Reads lines in order. The first wrong line is the damage, and nothing after it is read. */
export class LineReader {
  base: ViewBase | undefined;
  events: SubAgentEvent[] = [];
  refusals: Refusal[] = [];
  damage: Damage | undefined;
  /** The bytes of a last line without an end: it is being written. */
  cut = 0;
  #number = 0;
  #last: number | undefined;

  /** Takes a line. `isLast`: it is the text after the last end of a line. False: nothing after it can be trusted. */
  line(text: string, isLast = false): boolean {
    this.#number += 1;
    if (text.trim() === '') return true;
    let value: unknown;
    try {
      value = parsed(text);
    } catch {
      if (!isLast) return this.#wrong('it is no JSON');
      this.cut = new TextEncoder().encode(text).length;
      return false;
    }
    return this.#value(value);
  }

  /** Takes a text that is a list. */
  list(text: string): void {
    this.#number = 1;
    let values: unknown[];
    try {
      values = parsed(text) as unknown[];
    } catch {
      this.#wrong('it is no JSON');
      return;
    }
    this.#number = 0;
    for (const value of values) {
      this.#number += 1;
      if (!this.#value(value)) return;
    }
  }

  /** The events and refusals since the last call. */
  taken(): { events: SubAgentEvent[]; refusals: Refusal[] } {
    const { events, refusals } = this;
    this.events = [];
    this.refusals = [];
    return { events, refusals };
  }

  #value(value: unknown): boolean {
    const { base, refused } = (value ?? {}) as { base?: ViewBase; refused?: Refusal };
    if (this.#number === 1 && Number.isSafeInteger(base?.seq)) {
      this.base = base;
      this.#last = base?.seq;
      return true;
    }
    if (typeof refused?.code === 'string') {
      this.refusals.push(refused);
      return true;
    }
    if (!isEvent(value)) return this.#wrong('it is no event: an event has `type`, `seq` and `at`');
    const names = value as object as Partial<Record<(typeof NAMES)[number], unknown>>;
    const wrong = NAMES.find((name) => !isName(names[name]));
    if (wrong !== undefined) return this.#wrong(`\`${wrong}\` is no text`);
    const { seq } = value;
    const last = this.#last ?? seq - 1;
    if (seq !== last + 1)
      return this.#wrong(`event ${seq} stands after event ${last}: ${seq > last ? 'some are missing' : 'it is out of order'}`);
    this.#last = seq;
    this.events.push(value);
    return true;
  }

  #wrong(message: string): boolean {
    const line = this.#number;
    this.damage = { message: `line ${line}: ${message}`, code: 'events_damaged', line, lastSeq: this.#last ?? 0 };
    return false;
  }
}

/** Whether a text is a list, not lines. */
export function isListed(beginning: string): boolean {
  return beginning.trimStart().startsWith('[');
}

/** Reads a whole text. */
export function readLines(text: string): JournalContents {
  const reader = new LineReader();
  if (isListed(text)) reader.list(text);
  else {
    const lines = text.split('\n');
    lines.every((line, at) => reader.line(line, at === lines.length - 1));
  }
  const { base, events, refusals, cut, damage } = reader;
  return { kind: 'events', base, events, refusals, cut, damage };
}

function isEvent(value: unknown): value is SubAgentEvent {
  const { type, seq, at } = (value ?? {}) as Partial<SubAgentEvent>;
  return typeof type === 'string' && Number.isSafeInteger(seq) && typeof at === 'number';
}

/** The fields by which events name sub-agents: each a text, or null. */
const NAMES = ['label', 'taskId', 'parentId', 'sessionKey'] as const;

function isName(value: unknown): boolean {
  return value === null || value === undefined || typeof value === 'string';
}
