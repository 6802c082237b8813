// The insides of a manager, for tests that look at what no program reaches. Owns the way there: a manager asks its runtime how
// many events there were, and that call is watched.

/**
 * @template M
 * @param {new () => M} Manager The class of managers of one copy of the package.
 * @returns {(manager: M) => any} Finds the runtime of a manager.
 */
export function insidesOf(Manager) {
  let prototype;
  return (manager) => {
    // Not before: the module may have to be loaded first.
    prototype ??= runtimePrototype(Manager);
    const { call } = prototype;
    let found;
    prototype.call = function (body) {
      found = this;
      return call.apply(this, [body]);
    };
    try {
      manager.stats();
    } catch {
      // It is over.
    } finally {
      prototype.call = call;
    }
    return found;
  };
}

/** Some runtimes have no weak references. */
class StrongRef {
  #target;

  constructor(target) {
    this.#target = target;
  }

  deref() {
    return this.#target;
  }
}

/** A manager refers to its runtime weakly, by a door: the first one shows of which class runtimes are. */
function runtimePrototype(Manager) {
  const Before = globalThis.WeakRef;
  let runtime;
  globalThis.WeakRef = class extends (Before ?? StrongRef) {
    constructor(target) {
      super(target);
      runtime ??= target.runtime;
    }
  };
  try {
    new Manager().dispose();
  } finally {
    globalThis.WeakRef = Before;
  }
  return Object.getPrototypeOf(runtime);
}
