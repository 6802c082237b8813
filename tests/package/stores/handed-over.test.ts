// What is handed to a store is its to keep, changed as it likes: listeners still get the same facts.

import { expect, test } from 'vitest';
import { type Store, type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { memoryStore } from '../../../dist/stores/memory.js';

/** Keeps copies, and makes the records themselves unreadable. */
function greedy(): Store {
  const store = memoryStore();
  return {
    open: () => store.open(),
    append: (record) => {
      const kept = store.append(record.slice());
      structuredClone(record.buffer, { transfer: [record.buffer as ArrayBuffer] });
      return kept;
    },
    compact: (snapshot, through) => store.compact(snapshot, through),
    close: () => store.close(),
  };
}

test.each(['sync', 'batched'] as const)('a store may take the memory of a record, %s', async (durability) => {
  const store = greedy();
  const spawnSubAgent = async () => ({ output: 'x'.repeat(300_000) });
  const open = () => SubAgentManager.open({ store, durability, spawnSubAgent });
  const first = await open();
  const reported: SubAgentEvent['type'][] = [];
  await first.spawn({ instructions: 'one, before anything listens' }).wait();
  const stop = first.subscribe(({ type }) => reported.push(type));
  // More than a batch has, so that it is written while it is delivered.
  await first.spawn({ instructions: 'two' }).wait();
  stop();
  await first.spawn({ instructions: 'three' }).wait();
  await first[Symbol.asyncDispose]();
  expect(reported).toEqual(['task_admitted', 'run_started', 'run_ended']);
  await using next = await open();
  expect(next.stats().total).toBe(3);
});
