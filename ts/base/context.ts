// A host function runs in the async context of the call whose message it answers (A5). Owns how a context is saved and
// entered; does nothing in a runtime without one. Imports no module of Node, because browsers bundle this file.

/** A saved context: `AsyncResource` of Node, or an equivalent. */
export interface AsyncContext {
  runInAsyncScope<R>(body: (...given: never[]) => R, self?: unknown, ...given: unknown[]): R;
}

/** Node's own defaults: it reads them from such an object in half the time. */
const AS_USUAL = { triggerAsyncId: undefined, requireManualDestroy: false };

/** Captures the current context. */
type Capture = () => AsyncContext;

interface AsyncHooks {
  AsyncResource?: new (type: string, options: typeof AS_USUAL) => AsyncContext;
  AsyncLocalStorage?: WithSnapshot;
}

interface WithSnapshot {
  snapshot?(): <R>(body: () => R) => R;
}

interface Globals {
  process?: { getBuiltinModule?(name: string): AsyncHooks | undefined };
  AsyncLocalStorage?: WithSnapshot;
  AsyncContext?: { Snapshot?: new () => { run<R>(body: () => R): R } };
}

let found: { capture: Capture | undefined } | undefined;

/** Looks at the first use: some runtimes load their modules late. */
function capture(): Capture | undefined {
  found ??= { capture: find(globalThis as Globals) };
  return found.capture;
}

function find({ process, AsyncLocalStorage, AsyncContext }: Globals): Capture | undefined {
  const known = captureOf(builtIn(process)) ?? captureOf(AsyncLocalStorage && { AsyncLocalStorage });
  if (known !== undefined) return known;
  const Snapshot = AsyncContext?.Snapshot;
  if (typeof Snapshot !== 'function') return undefined;
  return tried(() => {
    const snapshot = new Snapshot();
    return { runInAsyncScope: (body, self, ...given) => snapshot.run(() => body.apply(self, given as never[])) };
  });
}

function builtIn(process: Globals['process']): AsyncHooks | undefined {
  try {
    return process?.getBuiltinModule?.('async_hooks');
  } catch {
    return undefined;
  }
}

function captureOf(hooks: AsyncHooks | undefined): Capture | undefined {
  const { AsyncResource, AsyncLocalStorage } = hooks ?? {};
  // A hundred times cheaper in Node than a snapshot, which contains one.
  if (typeof AsyncResource === 'function') return tried(() => new AsyncResource('SubAgent', AS_USUAL));
  if (typeof AsyncLocalStorage?.snapshot !== 'function') return undefined;
  return tried(() => {
    const within = (AsyncLocalStorage as Required<WithSnapshot>).snapshot();
    return { runInAsyncScope: (body, self, ...given) => within(() => body.apply(self, given as never[])) };
  });
}

/** Tries a capture: a stub may have the name, and fail when it is used. */
function tried(capture: Capture): Capture | undefined {
  try {
    return capture().runInAsyncScope(() => true) ? capture : undefined;
  } catch {
    return undefined;
  }
}

/** The context of this call, to return to later; undefined if the runtime has none. */
export function present(): AsyncContext | undefined {
  return capture()?.();
}

/** A function that always runs in the context of this call. */
export function bound<F extends (...given: never[]) => unknown>(body: F): F {
  const context = present();
  if (context === undefined) return body;
  return ((...given: unknown[]) => context.runInAsyncScope(body, undefined, ...given)) as unknown as F;
}

/** The context of a run until its message ends. */
export interface InContext {
  readonly index: number;
  readonly generation: number;
  /** The context of the call whose message it answers; undefined if the runtime has none, and once the message has ended. */
  context: AsyncContext | undefined;
}

/** The core's functions for messages. */
interface Messages {
  /** The number of the message that the run of a task answers; 0 for the text of its spawn. */
  answered(index: number): number;
  /** Whether a message waits for a run of a task, steers one, or is answered by one. */
  waits(index: number, generation: number, number: number): boolean;
  /** Has `taskGone` called from now on. */
  watchTasks(): void;
}

/** The contexts of one task's messages that no run answers yet. */
interface Waiting {
  readonly generation: number;
  readonly contexts: Map<number, AsyncContext>;
}

/**
 * The asynchronous contexts of the calls whose messages runs answer. Saves a context by the number of its message until a run
 * starts for the message. The run then has it until the message ends, and nothing refers to it after that.
 */
export class Contexts {
  /** By the indexes of tasks. */
  private readonly waiting = new Map<number, Waiting>();
  private readonly capture = capture();
  /** The context of the opening, for restored work and for the timer. */
  readonly opening = this.capture?.();
  /** The run whose context the current call already has. */
  private entered: InContext | undefined = undefined;
  private readonly messages: Messages;

  constructor(messages: Messages) {
    this.messages = messages;
  }

  /** Whether the runtime has contexts. */
  get matter(): boolean {
    return this.capture !== undefined;
  }

  /** A run has just been spawned, in the current context. */
  keep(run: InContext): void {
    run.context = this.capture?.();
  }

  /** A message to a task has just been sent, in the current context: a later run answers it. */
  sent(index: number, generation: number, number: number): void {
    const context = this.capture?.();
    if (context !== undefined) this.set(index, generation, number, context);
  }

  /** A run starts: it has the context of the message that it answers. */
  take(run: InContext): void {
    if (run.context !== undefined || this.capture === undefined) return;
    const { index, generation } = run;
    const waiting = this.waitingOf(index, generation);
    const number = waiting && this.messages.answered(index);
    run.context = (number === undefined ? undefined : waiting?.contexts.get(number)) ?? this.opening;
    if (number !== undefined) this.drop(index, number);
  }

  /**
   * A run has ended. If it never started, its message may go to the next run. This drops the contexts of messages that no
   * longer wait.
   */
  ended(run: InContext, started: boolean): void {
    const { index, generation, context } = run;
    if (!started && context !== undefined && context !== this.opening) {
      // The context of a message is saved until a run has started for it.
      if (this.messages.waits(index, generation, 0)) this.set(index, generation, 0, context);
    }
    for (const number of this.waitingOf(index, generation)?.contexts.keys() ?? [])
      if (!this.messages.waits(index, generation, number)) this.drop(index, number);
  }

  private set(index: number, generation: number, number: number, context: AsyncContext): void {
    let waiting = this.waitingOf(index, generation);
    if (waiting === undefined) {
      this.messages.watchTasks();
      waiting = { generation, contexts: new Map() };
      this.waiting.set(index, waiting);
    }
    waiting.contexts.set(number, context);
  }

  private waitingOf(index: number, generation: number): Waiting | undefined {
    if (this.waiting.size === 0) return undefined;
    const waiting = this.waiting.get(index);
    return waiting?.generation === generation ? waiting : undefined;
  }

  private drop(index: number, number: number): void {
    const waiting = this.waiting.get(index);
    if (waiting?.contexts.delete(number) === true && waiting.contexts.size === 0) this.waiting.delete(index);
  }

  /** Until `leave`, all calls come from the call that spawned this run, and are already in its context. Undefined: no spawn. */
  enter(run: InContext | undefined): InContext | undefined {
    const outer = this.entered;
    this.entered = run;
    return outer;
  }

  /** Restores the value that `enter` returned. */
  leave(outer: InContext | undefined): void {
    this.entered = outer;
  }

  /** Calls `body` in the context of a run, with `given`. A closure for each call would cost every run. */
  run<Given>(run: InContext, body: (given: Given) => void, given: Given): void {
    const context = run.context ?? this.opening;
    if (context === undefined || this.entered === run) body(given);
    else context.runInAsyncScope(body as (given: never) => void, undefined, given);
  }

  /** The core has closed or forgotten a task. Another one may already have its index. */
  taskGone(index: number, generation: number): void {
    if (this.waitingOf(index, generation) !== undefined) this.waiting.delete(index);
  }

  clear(): void {
    this.waiting.clear();
  }
}
