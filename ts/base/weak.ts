// References that keep nothing alive, where the runtime has such: Workers with a compatibility date before
// 2025-05-05 don't. Owns what stands in for them: a reference that keeps its target, and a registry that never calls.

/** Something that may be gone. */
export interface Weak<T extends object> {
  deref(): T | undefined;
}

export function weakly<T extends object>(target: T): Weak<T> {
  return typeof WeakRef === 'undefined' ? { deref: () => target } : new WeakRef(target);
}

/** Calls a function when something has been collected. */
export class Collected<T> {
  private readonly registry: FinalizationRegistry<T> | undefined;

  constructor(collected: (held: T) => void) {
    this.registry = typeof FinalizationRegistry === 'undefined' ? undefined : new FinalizationRegistry(collected);
  }

  watch(target: object, held: T): void {
    this.registry?.register(target, held, target);
  }

  unwatch(target: object): void {
    this.registry?.unregister(target);
  }
}
