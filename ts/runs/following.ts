// Finds the run that makes the present call, by the async context of its host function or policy (S6). Owns whether
// runs are followed. Waits use it.

import type { ActiveRun } from './active-run.js';

/** The part of `AsyncLocalStorage` that is used. */
interface Storage {
  run<Given>(store: ActiveRun, body: (given: Given) => void, given: Given): void;
  getStore(): ActiveRun | undefined;
}

type StorageClass = new () => Storage;

interface Hooks {
  AsyncLocalStorage?: StorageClass;
}

interface Globals {
  process?: { getBuiltinModule?(name: string): Hooks | undefined; versions?: { node?: string; bun?: string; deno?: string } };
}

/**
 * On if a context costs next to nothing: in Node from 24 on, as measured (`bench/async-context.mjs`). In older Nodes each
 * `await` takes twice as long, in the whole process. Off in runtimes without a measurement.
 */
function isCheap(Storage: StorageClass): boolean {
  const { versions } = (globalThis as Globals).process ?? {};
  const isNode = versions?.node !== undefined && versions.bun === undefined && versions.deno === undefined;
  // The older class needs async hooks, which it has to enable.
  return isNode && !('_enable' in Storage.prototype);
}

export class Following {
  private readonly storage: Storage | undefined;

  /** @param wanted whether runs are followed; default: if that costs next to nothing */
  constructor(wanted?: boolean) {
    const Storage = wanted === false ? undefined : storageClass();
    if (Storage !== undefined && (wanted === true || isCheap(Storage))) this.storage = new Storage();
  }

  /** Calls `body`: its calls, including later ones, count as this run's. */
  run<Given>(active: ActiveRun, body: (given: Given) => void, given: Given): void {
    if (this.storage === undefined) body(given);
    else this.storage.run(active, body, given);
  }

  /** The run that makes the present call, while its host function is open. */
  get present(): ActiveRun | undefined {
    const active = this.storage?.getStore();
    return active === undefined || active.hostIsOver ? undefined : active;
  }
}

function storageClass(): StorageClass | undefined {
  try {
    return (globalThis as Globals).process?.getBuiltinModule?.('async_hooks')?.AsyncLocalStorage;
  } catch {
    return undefined;
  }
}
