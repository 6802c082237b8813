// Reads facts field by field, from stored bytes or from numbers for listeners in this process. Owns composed fields,
// and how an event names a sub-agent; the list of fields is generated from the core's table.

import type { EventAmounts, TaskEventBase } from '../generated/facts.js';
import { DIMENSIONS, type Dimension } from '../generated/names.js';

/** The names of a sub-agent in events; all null for the program, and for a sub-agent of which only the id is left. */
export interface Subject extends Readonly<Pick<TaskEventBase, 'label' | 'parentId' | 'metadata' | 'sessionKey'>> {
  /** Null for the program and for sessions. */
  readonly taskId: string | null;
}

/** Looks up the names of sub-agents. May let the core's memory grow. */
export interface Subjects {
  /** The id of a task; null for a session. */
  idOf(index: number, generation: number): string | null;
  subjectOf(index: number, generation: number): Subject;
  /** The text of its admission, if it is known without decoding. */
  textOf?(index: number, generation: number): string | undefined;
  /** The output of its run, if it is known without decoding. */
  outputOf?(index: number, generation: number, run: number): string | undefined;
}

/** The program, or a sub-agent of which nothing is left. */
export const UNKNOWN: Subject = { taskId: null, label: null, parentId: null, metadata: null, sessionKey: null };

/** Dimensions of a budget, a bit each, the lowest first. */
export function dimensionsOf(bits: number): Dimension[] {
  return bits === 0 ? [] : DIMENSIONS.filter((_, at) => (bits & (1 << at)) !== 0);
}

export abstract class FactFields {
  // The decoder keeps a byte order mark. The type has only the used members: not every program has the type of a decoder.
  protected readonly decoder: { decode(bytes: Uint8Array): string } = new TextDecoder('utf-8', { ignoreBOM: true });
  protected readonly subjects: Subjects;
  /** The task that the fact admits. */
  admittedIndex = 0;
  admittedGeneration = 0;
  /** The task that was named last besides these: the parent, once an admission is read. */
  otherIndex = 0;
  otherGeneration = 0;
  /** The task that the fact is about, and its run. */
  index = 0;
  generation = 0;
  private ofRun = 0;

  constructor(subjects: Subjects) {
    this.subjects = subjects;
  }

  abstract get isOver(): boolean;
  abstract byte(): number;
  abstract number(): number;
  abstract signed(): number;
  abstract text(): string;
  protected abstract skipText(): void;
  /** Called after a query of the core: its memory may have grown, and moved. */
  protected abstract refresh(): void;

  /** Whether the fact has the fields that came with this stored form. */
  hasSince(_form: number): boolean {
    return true;
  }

  flag(): boolean {
    return this.byte() === 1;
  }

  /** A value stored as JSON. */
  json<T>(): T {
    return JSON.parse(this.text()) as T;
  }

  /** The id of a task; null for the program and for sessions. */
  task(): string | null {
    this.otherIndex = this.number();
    this.otherGeneration = this.number();
    return this.idAt(this.otherIndex, this.otherGeneration);
  }

  /** The id of the task that the fact admits. */
  newTask(): string | null {
    this.admittedIndex = this.number();
    this.admittedGeneration = this.number();
    return this.idAt(this.admittedIndex, this.admittedGeneration);
  }

  /** The task that the fact is about. */
  subject(): Subject {
    this.index = this.number();
    this.generation = this.number();
    if (this.index <= 1) return UNKNOWN;
    const subject = this.subjects.subjectOf(this.index, this.generation);
    this.refresh();
    return subject;
  }

  /** The number of the run that the fact is about. */
  run(): number {
    this.ofRun = this.number();
    return this.ofRun;
  }

  /** The text of the task that the fact admits. */
  taskText(): string {
    return this.known(this.subjects.textOf?.(this.admittedIndex, this.admittedGeneration));
  }

  /** The output of the run that the fact is about. */
  output(): string {
    return this.known(this.subjects.outputOf?.(this.index, this.generation, this.ofRun));
  }

  /** Money, stored in billionths of a dollar. */
  dollars(): number {
    return this.number() / 1e9;
  }

  /** A time; null if there is none. */
  instant(): number | null {
    return this.number() || null;
  }

  amounts(): EventAmounts {
    return { tokens: this.number(), costUsd: this.dollars(), turns: this.number() };
  }

  dimensions(): Dimension[] {
    return dimensionsOf(this.byte());
  }

  /** A name that the core stores by number. */
  name<T>(names: readonly T[]): T {
    return names[this.byte()] as T;
  }

  list<T>(entry: () => T): T[] {
    const list: T[] = [];
    for (let left = this.number(); left > 0; left -= 1) list.push(entry());
    return list;
  }

  private idAt(index: number, generation: number): string | null {
    if (index <= 1) return null;
    const id = this.subjects.idOf(index, generation);
    this.refresh();
    return id;
  }

  private known(text: string | undefined): string {
    if (text === undefined) return this.text();
    this.skipText();
    return text;
  }
}
