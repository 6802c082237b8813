// Host functions whose runs continue when this process ends, because other processes carry them out. Owns the mark on
// such a function. A manager that opens again sees it, and continues what these runs have begun. The function is
// notified when a manager has opened a store: only that process may speak for its runs.

import { readArgument } from './arguments.js';

/** The same in each copy of this package that a program has loaded. */
const OUTLIVES = Symbol.for('subagents.outlives');
const OPENED = Symbol.for('subagents.opened');

/** Asks the store whether the manager still has it. Rejects if it doesn't, or if the manager is over. */
export type OwnsStore = () => Promise<void>;

/**
 * Marks a host function.
 *
 * @param opened called each time that a manager with this host function has opened a store, before anything is carried out
 */
export function outliving<F extends object>(hostFunction: F, opened: (ownsStore: OwnsStore) => void): F {
  return Object.assign(hostFunction, { [OUTLIVES]: true, [OPENED]: opened });
}

export function outlivesProcess(hostFunction: unknown): boolean {
  if (typeof hostFunction !== 'function') return false;
  return readArgument('`spawnSubAgent`', () => (hostFunction as { [OUTLIVES]?: unknown })[OUTLIVES] === true);
}

/** Notifies a host function, if it is such a one, that its manager has opened a store. */
export function notifyOpened(hostFunction: unknown, ownsStore: OwnsStore): void {
  if (outlivesProcess(hostFunction)) (hostFunction as { [OPENED]?: (ownsStore: OwnsStore) => void })[OPENED]?.(ownsStore);
}
