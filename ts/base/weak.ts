// Weak references. A runtime without them, such as Workers with a compatibility date before 2025-05-05, gets a strong reference
// and a registry that never calls.

/** A reference whose target may be gone. */
export interface Weak<T extends object> {
  deref(): T | undefined;
}

export function weakly<T extends object>(target: T): Weak<T> {
  return typeof WeakRef === 'undefined' ? { deref: () => target } : new WeakRef(target);
}

/** Calls a function after an object has been collected. */
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
