// The store in memory keeps to what every store has to.

import { describe, test } from 'vitest';
import { storeConformance } from '../../../dist/stores/conformance.js';
import { memoryStore } from '../../../dist/stores/memory.js';
import type { Store } from '../../../dist/stores/store.js';

describe('what every store has to keep to', () => {
  // A store in memory is its own place.
  const places = new Map<string, Store>();
  const storeOf = (place: string): Store => {
    const store = places.get(place) ?? memoryStore();
    places.set(place, store);
    return store;
  };
  for (const { name, run } of storeConformance(storeOf)) test(name, run);
});
