// One instance of the module for the cores of many tools that stand alone. Owns which instance a new one gets: it is held by
// its cores alone, so it goes with the last tool.

import type { Instance } from '../../pkg/subagents.js';
import { type Weak, weakly } from '../base/weak.js';
import type { SubAgentManager } from './manager.js';

/** An instance that has grown to this takes no new core: memory that has grown never shrinks, and 4 GB is the most. */
const ROOMY_BYTES = 2 ** 26;

const made = new WeakMap<typeof SubAgentManager, typeof SubAgentManager>();

/** The class of managers whose cores share an instance; one for each entry of the package. */
export function sharing(Manager: typeof SubAgentManager): typeof SubAgentManager {
  const known = made.get(Manager);
  if (known !== undefined) return known;
  let shared: Weak<Instance> | undefined;
  class Sharing extends Manager {
    static override instance(): Instance {
      const before = shared?.deref();
      if (before !== undefined && !before.hasFailed && before.memory.buffer.byteLength < ROOMY_BYTES) return before;
      const instance = Manager.instance();
      shared = weakly(instance);
      return instance;
    }
  }
  made.set(Manager, Sharing);
  return Sharing;
}
