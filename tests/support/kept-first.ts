// What J1 says of a call in `sync`, seen from outside: a manager over a file whose appends are held back, a call, and what
// the file had when the call was answered. Owns the manager's hosts and the proof; the calls are
// `tests/package/stores/kept-first.test.ts`'s.

import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect } from 'vitest';
import { type Handle, type OpenOptions, type Run, SubAgentManager } from '../../dist/index.js';
import { readJournal } from '../../dist/journal.js';
import { fileStore } from '../../dist/stores/file.js';
import { type HeldStore, heldStore } from './stores.js';

const folder = mkdtempSync(join(tmpdir(), 'subagents-kept-first-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;
function fresh(): string {
  made += 1;
  return join(folder, `${made}.journal`);
}

/** Long enough for all that would be answered at once. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 4));

type Options = Partial<OpenOptions> & {
  /** Host functions don't return when they are asked to stop, so that nothing is decided after that. */
  readonly stubborn?: boolean;
};

/** A call to be proved. */
export interface Row {
  readonly options?: Options;
  /** What has happened, and is kept, before the call. */
  before?(c: Case): unknown;
  /**
   * The call. Appends are held back from before it until it has been shown to wait. It is answered when its promise
   * settles, or, where it gives none, when it says so itself.
   */
  call(c: Case, reported: () => void): unknown;
}

/** A manager at work over a held store: host functions return when they are asked to, or to stop. */
export class Case {
  readonly path = fresh();
  readonly store: HeldStore = heldStore(fileStore(this.path));
  /** By their prompts. */
  readonly #runs = new Map<string, { readonly run: Run; end(): void }>();
  readonly #called = new Map<string, () => void>();
  /** What `call` of a row waits for. */
  heard: (() => void) | undefined;
  /** The first sub-agent of `begun`. */
  handle = undefined as unknown as Handle;
  manager = undefined as unknown as SubAgentManager;

  async open({ stubborn = false, ...options }: Options): Promise<void> {
    this.manager = await SubAgentManager.open({
      maxDepth: 3,
      spawnSubAgent: (_, run) =>
        new Promise((resolve) => {
          this.#runs.set(run.prompt, { run, end: () => resolve({ output: `${run.prompt} is done`, usage: { tokens: 1 } }) });
          if (!stubborn) run.signal.addEventListener('abort', () => resolve({ output: 'stopped' }));
          this.#called.get(run.prompt)?.();
        }),
      ...options,
      store: this.store,
    });
  }

  run(prompt: string): Run {
    const found = this.#runs.get(prompt);
    if (found === undefined) throw new Error(`${prompt} has not begun`);
    return found.run;
  }

  end(prompt: string): void {
    this.#runs.get(prompt)?.end();
  }

  /** Calls back when the host function of the sub-agent with this prompt is called. */
  whenCalled(prompt: string, back: () => void): void {
    this.#called.set(prompt, back);
  }

  /** Spawns, and lets it begin. */
  async begun(prompt: string, options: Record<string, unknown> = {}, by: Pick<SubAgentManager, 'spawn'> = this.manager): Promise<void> {
    const handle = by.spawn({ instructions: prompt, ...options });
    this.handle ??= handle;
    await this.settled();
  }

  /** Has ended, and its end is kept. */
  async over(prompt: string, options: Record<string, unknown> = {}): Promise<void> {
    await this.begun(prompt, options);
    this.end(prompt);
    await this.settled();
  }

  /** A run asks; its question is kept. */
  async asking(prompt: string): Promise<void> {
    await this.begun(prompt);
    this.ask(prompt);
    await this.settled();
  }

  ask(prompt: string): void {
    this.run(prompt)
      .ask('which one?')
      .catch(() => undefined);
  }

  /** All is kept, and all that follows from it. */
  async settled(): Promise<void> {
    await pause();
    await this.manager.flush();
    await pause();
  }
}

/** Proves that the answer of a call is persisted by then. */
export async function prove({ options = {}, before, call }: Row): Promise<void> {
  const c = new Case();
  await c.open(options);
  try {
    await c.settled();
    await before?.(c);
    await c.settled();
    c.store.held = true;
    // Something is decided already: an answer without a decision of its own waits for this.
    c.manager.spawn({ label: 'not kept yet' });
    let reported: { readonly decided: number; readonly copy: string } | undefined;
    const note = (): void => {
      if (reported !== undefined) return;
      const copy = `${c.path}.copy`;
      copyFileSync(c.path, copy);
      reported = { decided: c.manager.stats().events, copy };
    };
    const answer = call(c, note);
    if (answer instanceof Promise) answer.then(note, note);
    await pause();
    expect(reported, 'it was told before anything was kept').toBeUndefined();
    for (let round = 0; round < 2_000 && reported === undefined; round += 1) {
      c.store.release();
      await pause();
    }
    if (reported === undefined) throw new Error('it was never told');
    expect(await eventsIn(reported.copy), 'events that the disk had when it was told').toBeGreaterThanOrEqual(reported.decided);
  } finally {
    c.store.held = false;
    c.store.release();
    await c.manager[Symbol.asyncDispose]();
  }
}

/** How many events a journal has. */
async function eventsIn(path: string): Promise<number> {
  await using journal = await readJournal(fileStore(path, { readOnly: true }));
  let last = journal.snapshotSeq;
  for await (const { seq } of journal) last = seq;
  return last;
}
