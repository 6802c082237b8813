// Progress of a call, for those who iterate its answer. It goes out in a task of its own, so that nothing is told of what ends
// at once; only the newest is told, since each replaces the one before. Owns that task, which all calls of a tool share, and
// that an iteration ends with the answer.

import type { ToolProgress } from './progress.js';

/** Makes the words of a progress. */
type Make = () => ToolProgress;

/** The calls of one tool that have news. */
export class News {
  private readonly calls = new Set<Updates>();
  private isAwaited = false;

  /** Has a call tell its readers in the next task, unless it is over by then. */
  add(call: Updates): void {
    this.calls.add(call);
    if (this.isAwaited) return;
    this.isAwaited = true;
    setTimeout(() => this.tell(), 0);
  }

  delete(call: Updates): void {
    this.calls.delete(call);
  }

  private tell(): void {
    this.isAwaited = false;
    const calls = [...this.calls];
    this.calls.clear();
    for (const call of calls) call.tell();
  }
}

/** The progress of one call, and who reads it. */
export class Updates {
  private readonly news: News;
  private newest: Make | undefined = undefined;
  private readers: Reader[] | undefined = undefined;

  constructor(news: News) {
    this.news = news;
  }

  push(make: Make): void {
    this.newest = make;
    if (this.readers !== undefined) this.news.add(this);
  }

  /** What has been told, and what will be until the answer, which comes last. */
  read(answer: Promise<string>): AsyncIterableIterator<string, void, undefined> {
    const reader = new Reader(answer);
    this.readers ??= [];
    this.readers.push(reader);
    answer.then(
      (text) => reader.end(text),
      () => reader.end(undefined),
    );
    if (this.newest !== undefined) this.news.add(this);
    return reader;
  }

  tell(): void {
    const { newest, readers = [] } = this;
    if (newest !== undefined) for (const reader of readers) reader.tell(newest);
  }

  /** Nothing more is told: what made the words is let go of, for a framework may keep its answer. */
  end(): void {
    this.newest = undefined;
    if (this.readers !== undefined) this.news.delete(this);
  }
}

type Read = IteratorResult<string, void>;

const DONE: Read = Object.freeze({ value: undefined, done: true });

/** One iteration of an answer: lines of progress, then the answer itself. */
class Reader implements AsyncIterableIterator<string, void, undefined> {
  private readonly answer: Promise<string>;
  private unread: Make | undefined = undefined;
  private waiting: ((read: Read | Promise<Read>) => void)[] = [];
  /** The answer is there: its text, or that it was rejected. */
  private settled: { text: string | undefined } | undefined = undefined;
  private isOver = false;

  constructor(answer: Promise<string>) {
    this.answer = answer;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Read> {
    const line = this.line();
    if (line !== undefined) return Promise.resolve({ value: line, done: false });
    if (this.settled !== undefined || this.isOver) return Promise.resolve(this.last());
    return new Promise((resolve) => {
      this.waiting.push(resolve);
    });
  }

  /** The reader has had enough. */
  return(): Promise<Read> {
    this.isOver = true;
    for (const resolve of this.waiting.splice(0)) resolve(DONE);
    return Promise.resolve(DONE);
  }

  tell(make: Make): void {
    this.unread = make;
    if (this.waiting.length === 0) return;
    const line = this.line();
    if (line !== undefined) this.waiting.shift()?.({ value: line, done: false });
  }

  /** The newest line that has not been read, made now. */
  private line(): string | undefined {
    const { unread } = this;
    if (unread === undefined || this.isOver) return undefined;
    this.unread = undefined;
    try {
      return unread().text;
    } catch {
      // The sub-agent has been forgotten meanwhile: the answer says how it ended.
      return undefined;
    }
  }

  /** The answer is there; without a text, it was rejected. */
  end(text: string | undefined): void {
    this.settled = { text };
    const { waiting } = this;
    this.waiting = [];
    for (const resolve of waiting) resolve(this.last());
  }

  /** The answer, once; it rejects as that does. */
  private last(): Read | Promise<Read> {
    if (this.isOver) return DONE;
    this.isOver = true;
    const text = this.settled?.text;
    return text === undefined ? this.answer.then((value) => ({ value, done: false })) : { value: text, done: false };
  }
}
