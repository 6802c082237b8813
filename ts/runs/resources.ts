// Resources that sub-agents acquire outside the manager, such as a folder (J7). Owns when the program's `acquire` and
// `release` are called: one after the other for each sub-agent, no release while one of its host functions runs.

import { MAX_METADATA_CHARS, readJson } from '../base/metadata.js';
import { readRelease } from '../boundary/generated/lookups-readers.js';
import { PROGRAM } from '../boundary/key.js';
import { optional } from '../boundary/view-bytes.js';
import type { ActiveRun, RunParts } from './active-run.js';
import type { HostFunctions } from './functions.js';

/** The parts of its manager that this needs. */
export interface ResourceParts extends RunParts {
  readonly functions: HostFunctions;
}

/** Milliseconds that host functions have to return once a manager without a store is over. */
const LAST_MS = 10_000;

export class Resources {
  /** The last call for each sub-agent, by its id, until it is over. */
  private readonly lanes = new Map<string, Promise<unknown>>();
  /** The running host functions of each sub-agent, by its id. */
  private readonly uses = new Map<string, Promise<unknown>>();
  /** The serials of open releases, and the last one begun: all before it have begun as well. */
  private readonly begun = new Set<number>();
  private last = 0;
  private isDue = false;
  /** Resources that were acquired here and not released, as JSON, by the sub-agent's id. */
  private readonly held = new Map<string, string>();
  private readonly runtime: ResourceParts;

  constructor(runtime: ResourceParts) {
    this.runtime = runtime;
  }

  /** Whether the program acquires something for sub-agents. */
  get areUsed(): boolean {
    const { acquire, release } = this.runtime.functions;
    return acquire !== undefined || release !== undefined;
  }

  /** Whether `acquire` has to be called before a run of the sub-agent. */
  lacks({ index, generation }: ActiveRun): boolean {
    return this.runtime.functions.acquire !== undefined && this.runtime.call((core) => core.acquired(index, generation)) === undefined;
  }

  /** Has the program acquire the sub-agent's resource; rejects with its error. */
  acquire(active: ActiveRun): Promise<void> {
    const { runtime } = this;
    const { taskId } = active;
    return this.inTurn(taskId, async () => {
      if (runtime.isClosed || !this.lacks(active)) return;
      runtime.performIf(PROGRAM, { type: 'acquire', task: active });
      // After a crash, `release` is called if this was persisted, even if `acquire` never finished.
      await runtime.answer(undefined);
      const given: unknown = await runtime.functions.acquire?.(active.snapshot() as never);
      const data = readJson('what `acquire` returned', given ?? null, MAX_METADATA_CHARS);
      this.held.set(taskId, data);
      if (runtime.isClosed) return;
      runtime.performIf(PROGRAM, { type: 'acquire', task: active, data });
      await runtime.answer(undefined);
    });
  }

  /** A host function of the sub-agent runs. */
  use(taskId: string, returned: Promise<unknown>): void {
    const all = Promise.allSettled([this.uses.get(taskId), returned]);
    this.uses.set(taskId, all);
    all.then(() => this.uses.get(taskId) === all && this.uses.delete(taskId));
  }

  /** Releases the resources of closed or forgotten sub-agents. */
  readonly releaseAll = (): void => {
    const { runtime } = this;
    this.isDue = false;
    // The numbers begin again once all are released.
    if (this.begun.size === 0) this.last = 0;
    while (!runtime.isClosed) {
      const found = runtime.view((core) => core.releaseAfter(this.last), optional(readRelease));
      if (found === undefined) return;
      this.last = found.serial;
      this.begun.add(found.serial);
      const releasing = this.inTurn(found.owner, async () => {
        await this.uses.get(found.owner);
        if (!runtime.isClosed) await this.release(found.owner, found.data ?? this.held.get(found.owner));
        if (!runtime.isClosed) runtime.performIf(PROGRAM, { type: 'released', serial: found.serial });
        this.begun.delete(found.serial);
      });
      runtime.alone(releasing);
    }
  };

  /** A sub-agent was closed or forgotten. */
  taskGone(): void {
    if (!this.areUsed || this.isDue) return;
    this.isDue = true;
    queueMicrotask(() => this.runtime.isClosed || this.runtime.oncePersisted(this.releaseAll));
  }

  /** The manager is over. Without a store, nothing else would release held resources. */
  async end(isStored: boolean): Promise<void> {
    if (!isStored) {
      for (const [owner, data] of this.held) {
        void this.inTurn(owner, async () => {
          let timer: ReturnType<typeof setTimeout> | undefined;
          const last = new Promise((resolve) => {
            timer = setTimeout(resolve, LAST_MS);
          });
          await Promise.race([this.uses.get(owner), last]);
          clearTimeout(timer);
          if (this.held.has(owner)) await this.release(owner, data);
        });
      }
    }
    await Promise.all(this.lanes.values());
  }

  private async release(owner: string, data: string | undefined): Promise<void> {
    this.held.delete(owner);
    try {
      await this.runtime.functions.release?.(owner, (data === undefined ? undefined : JSON.parse(data)) as never);
    } catch (error) {
      this.runtime.report(error);
    }
  }

  private inTurn(taskId: string, body: () => Promise<void>): Promise<void> {
    const before = this.lanes.get(taskId);
    const made = before === undefined ? body() : before.then(body);
    const over: Promise<unknown> = made.catch(() => undefined).then(() => this.lanes.get(taskId) === over && this.lanes.delete(taskId));
    this.lanes.set(taskId, over);
    return made;
  }
}
