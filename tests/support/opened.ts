// Managers that a test opens, from stores or without one, and what their host functions often do. Owns that each manager is
// disposed when its test is over.

import { afterEach } from 'vitest';
import { type OpenOptions, SubAgentManager, type SubAgentManagerOptions } from '../../dist/index.js';
import type { WatchedStore } from './stores.js';

/** The options of `open` beside the store. */
export type Options = Omit<OpenOptions, 'store'>;

/** What a host function returns that never does. */
export const never = new Promise<never>(() => undefined);

/** A few milliseconds, in which what was decided is kept and carried out. */
export const settled = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Opens managers with these options, and those of each call; they are disposed after the test. */
export function opener(usual: Options = {}): (store: WatchedStore, options?: Options) => Promise<SubAgentManager> {
  const keep = keeper();
  return async (store, options = {}) => keep(await SubAgentManager.open({ ...usual, ...options, store }));
}

/** Makes managers without a store; they are disposed after the test. */
export function maker(): (options?: SubAgentManagerOptions) => SubAgentManager {
  const keep = keeper();
  return (options) => keep(new SubAgentManager(options));
}

function keeper(): (manager: SubAgentManager) => SubAgentManager {
  const opened: SubAgentManager[] = [];
  afterEach(() => {
    for (const manager of opened.splice(0)) manager.dispose();
  });
  return (manager) => {
    opened.push(manager);
    return manager;
  };
}
