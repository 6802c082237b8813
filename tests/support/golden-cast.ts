// Who is who in a transcript: names for the ids of tasks and sessions, and for waits. Owns how events come
// to their lines; the form of a line is `golden-lines.ts`'s.

import type { SubAgentEvent } from '../../dist/index.js';
import { type Line, lineOf } from './golden-lines.js';

/** A wait that a promise stands for. */
export interface Wait {
  readonly name: string;
  open: boolean;
  /** Aborts it. */
  end: (() => void) | undefined;
}

type RunEnded = Extract<SubAgentEvent, { type: 'run_ended' }>;

export class Cast {
  readonly origin = Date.now();
  /** In the order of their opening: `w1`, `w2` … */
  readonly waits: Wait[] = [];
  /** The ends that events reported, by id and number of the run. */
  readonly ends = new Map<string, RunEnded>();
  /** The session that speaks; nothing for any other speaker. */
  speaking = '';
  /** The session whose cap a command sets or raises; nothing for the manager. */
  capping = '';
  /** The session that was closed last. */
  closing = '';
  /** Whether the present command closes it. */
  closes = false;

  readonly #names = new Map<string, string>();
  /** What each task is below: an id, or the name of a session. */
  readonly #above = new Map<string, string>();

  /** Milliseconds since the beginning. */
  now(): number {
    return Date.now() - this.origin;
  }

  call(id: string, name: string): void {
    this.#names.set(id, name);
  }

  knows(id: string): boolean {
    return this.#names.has(id);
  }

  nameOf(id: string): string {
    return this.#names.get(id) ?? `(${id})`;
  }

  /** Learns from an event what its line, and later ones, will need. */
  hear(event: SubAgentEvent): void {
    if (event.type === 'session_opened' && event.taskId !== null) this.call(event.taskId, event.name);
    if (event.type === 'task_admitted' && event.taskId !== null)
      this.#above.set(event.taskId, event.parentId ?? (this.speaking || 'session'));
    if (event.type === 'run_ended') this.ends.set(`${event.taskId}#${event.run}`, event);
  }

  /** The core has opened a wait. */
  waitOpened(): void {
    this.waits.push({ name: `w${this.waits.length + 1}`, open: true, end: undefined });
  }

  /** The line of an event, once the command that it came of is over: names may be given after it. */
  lineOf(event: SubAgentEvent): Line | undefined {
    if (event.type === 'key_dropped' && event.scope === null) {
      return { pattern: new RegExp(`^key_dropped scope=\\S+ key="${event.key}"$`), kind: 'whose key' };
    }
    return lineOf(event, {
      origin: this.origin,
      task: (id, field) => (id === null ? this.#nameOfNull(field, event) : this.nameOf(id)),
    });
  }

  /** Null is the program in its two parts: the root of all, and the session whose sub-agents it has. */
  #nameOfNull(field: string, event: SubAgentEvent): string {
    if (event.type === 'session_opened') return event.name;
    if (field === 'to' && 'taskId' in event) return this.#sessionOf(event.taskId ?? '');
    if (field === 'deliveredTo') return this.speaking || 'session';
    if (event.type === 'cap_set') return this.capping || 'manager';
    if (field === 'by') return (!this.closes && this.speaking) || 'manager';
    if (event.type === 'session_closed' || event.type === 'session_freed') return this.closing;
    if (this.closes && event.type === 'cancel_requested') return this.closing;
    const ofMain = event.type.startsWith('main_') || ('run' in event && event.run === 0);
    const isSession = field === 'parentId' || field === 'scope' || ofMain;
    return isSession ? this.speaking || 'session' : 'manager';
  }

  #sessionOf(task: string): string {
    const above = this.#above.get(task);
    return above === undefined ? task : this.#sessionOf(above);
  }
}
