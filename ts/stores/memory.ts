// The entry `subagents/store/memory`: a store in the memory of this process, for tests and for a manager that
// continues after its core has failed. Owns its records.

import { SubAgentError } from '../base/error-class.js';
import { checkOptions } from '../base/unknown.js';
import { expectThrough } from './failures.js';
import type { Store, StoreContents } from './store.js';

export type { Store, StoreContents, StoreLease } from './store.js';

/** Makes a store that lives until the process ends. A manager opened with the same store continues. */
export function memoryStore(): Store;
export function memoryStore(options?: unknown): Store {
  if (typeof options === 'object' && options !== null) checkOptions('memoryStore', options, []);
  return new MemoryStore();
}

class MemoryStore implements Store {
  #records: Uint8Array[] = [];
  #snapshot: Uint8Array | undefined;
  #through = 0;
  #isOpen = false;

  async open(): Promise<StoreContents> {
    if (this.#isOpen) throw new SubAgentError('store_locked', 'another manager has this store; dispose it first');
    this.#isOpen = true;
    const snapshot = this.#snapshot;
    return { through: this.#through, records: [...this.#records], ...(snapshot && { snapshot }) };
  }

  async append(record: Uint8Array): Promise<void> {
    this.#expectOpen();
    this.#records.push(record);
  }

  async compact(snapshot: Uint8Array, through: number): Promise<void> {
    this.#expectOpen();
    expectThrough(through, this.#through, this.#through + this.#records.length);
    this.#records = this.#records.slice(through - this.#through);
    this.#snapshot = snapshot;
    this.#through = through;
  }

  async close(): Promise<void> {
    this.#isOpen = false;
  }

  #expectOpen(): void {
    if (!this.#isOpen) throw new SubAgentError('store_failed', 'the store is closed');
  }
}
