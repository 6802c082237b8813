// Asynchronous contexts (A5): what `AsyncLocalStorage` carries is the spawn's for its host function and call-backs,
// however long they were queued and whichever run's end made room. Owns how a context is kept and gone back to, and that
// nothing is done where the runtime has none. No module of Node's is imported: browsers bundle this file.

/** A context that was kept; `AsyncResource` of Node, or what does the same. */
export interface Kept {
  runInAsyncScope<R>(body: (...given: never[]) => R, self?: unknown, ...given: unknown[]): R;
}

/** What Node takes them for where they are left out; it reads them from an object like this one in half the time. */
const AS_USUAL = { triggerAsyncId: undefined, requireManualDestroy: false };

/** What a generation counts in the number of a task, beside its index. */
const GENERATION = 4_294_967_296;

/** Keeps the present context. */
type Capture = () => Kept;

interface AsyncHooks {
  AsyncResource?: new (type: string, options: typeof AS_USUAL) => Kept;
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

/** Looked for at the first use: some runtimes load their modules late. */
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
  // A hundred times cheaper in Node than a snapshot, which is made of one.
  if (typeof AsyncResource === 'function') return tried(() => new AsyncResource('SubAgent', AS_USUAL));
  if (typeof AsyncLocalStorage?.snapshot !== 'function') return undefined;
  return tried(() => {
    const within = (AsyncLocalStorage as Required<WithSnapshot>).snapshot();
    return { runInAsyncScope: (body, self, ...given) => within(() => body.apply(self, given as never[])) };
  });
}

/** A stand-in has the name, and fails when it is used. */
function tried(capture: Capture): Capture | undefined {
  try {
    return capture().runInAsyncScope(() => true) ? capture : undefined;
  } catch {
    return undefined;
  }
}

/** The context of this call, to go back to; undefined where the runtime has none. */
export function present(): Kept | undefined {
  return capture()?.();
}

/** A function that always runs in the context of this call. */
export function bound<F extends (...given: never[]) => unknown>(body: F): F {
  const context = present();
  if (context === undefined) return body;
  return ((...given: unknown[]) => context.runInAsyncScope(body, undefined, ...given)) as unknown as F;
}

/** The contexts in which tasks were spawned: their later runs have them too. */
export class Contexts {
  /** By the indexes of tasks, each for a generation; the core says which tasks are gone. */
  private readonly kept: (Kept | undefined)[] = [];
  private readonly generations: number[] = [];
  private readonly capture = capture();
  /** The context of the opening, for restored tasks. */
  private readonly opening = this.capture?.();
  /** The task in whose context the present call is anyway, its index and generation in one number; 0 where none is known. */
  private entered = 0;

  /** Whether there is anything to keep, and so anything to be told of tasks that are gone. */
  get matter(): boolean {
    return this.capture !== undefined;
  }

  /** A task has just been spawned, in the present context. */
  keep(index: number, generation: number): void {
    if (this.capture === undefined) return;
    this.kept[index] = this.capture();
    this.generations[index] = generation;
  }

  /**
   * What follows, until `leave`, comes of the call that spawned the task of this number, and is in its context already; of
   * no spawn where that is 0.
   */
  enter(packed: number): number {
    const outer = this.entered;
    this.entered = packed;
    return outer;
  }

  /** Takes back what `enter` gave. */
  leave(outer: number): void {
    this.entered = outer;
  }

  /** Calls `body` in the context of a task, with what it is given: a function made for each call would cost each run. */
  run<Given>(index: number, generation: number, body: (given: Given) => void, given: Given): void {
    const context = this.generations[index] === generation ? this.kept[index] : this.opening;
    if (context === undefined || this.entered === generation * GENERATION + index) body(given);
    else context.runInAsyncScope(body as (given: never) => void, undefined, given);
  }

  /** The core says that it has forgotten a task; its index may be another one's by now. */
  taskForgotten(index: number, generation: number): void {
    if (this.generations[index] === generation) this.kept[index] = undefined;
  }

  clear(): void {
    this.kept.length = 0;
    this.generations.length = 0;
  }
}
