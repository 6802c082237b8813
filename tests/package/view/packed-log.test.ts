// The log that the inspector's view keeps its events in gives back what was put in, whatever it was, in less room.

import { expect, test } from 'vitest';
import { type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { View } from '../../../dist/view/index.js';
import { PackedLog } from '../../../inspector/src/packed-log.js';
import { textOf } from '../../support/monkey-view.js';

async function lives(count: number): Promise<SubAgentEvent[]> {
  const events: SubAgentEvent[] = [];
  const manager = new SubAgentManager({
    maxConcurrent: 5,
    retain: 20,
    budget: { tokens: 1_000_000_000 },
    spawnSubAgent: async ({ instructions }, run) => {
      await run.beforeTurn();
      run.report({ tokens: 7, costUsd: 0.000_123, message: `${instructions} „so“ 🦀` });
      if (instructions.endsWith('3')) throw new Error(`${instructions} is odd`);
      return { output: instructions.repeat(20), artifacts: [{ name: instructions }], usage: { tokens: 9, costUsd: 0.001 } };
    },
  });
  manager.subscribe((event) => events.push(event));
  const handles = Array.from({ length: count }, (_, each) =>
    manager.spawn({
      instructions: `task ${each}`,
      background: each % 3 === 0,
      metadata: { [`key${each % 50}`]: [each, null, { deep: true }] },
    }),
  );
  await Promise.all(handles.map((handle) => handle.wait()));
  for (const notice of manager.inbox.lease({ max: 1_000 })) manager.inbox.ack(notice.deliveryId);
  manager.dispose();
  return events;
}

test('what is read equals what was put in, values that JSON has not among it', () => {
  const odd = [
    { cap: { tokens: Infinity, costUsd: 0.1, turns: -1 }, none: undefined, list: [], zero: -0, not: Number.NaN },
    { text: '', long: 'x'.repeat(100_000), other: '\u{1F980}\u202E\0', again: '\u{1F980}\u202E\0', many: 2 ** 53 - 1, more: 2 ** 60 },
    { metadata: JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1,"":2}') },
    { small: [0, 1, 127, 128, 245, 246, 16_383, 16_384], yes: true, no: false, nothing: null },
    {},
  ].map((fields, at) => ({ seq: at + 1, at: 1_700_000_000_000 + at / 3, type: 'odd', ...fields }) as unknown as SubAgentEvent);
  const log = new PackedLog();
  for (const event of odd) log.push(event);
  for (const [at, event] of odd.entries()) {
    expect(log.read(at)).toStrictEqual(event);
    expect(Object.keys(log.read(at))).toEqual(Object.keys(event));
  }
  expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  // Metadata may have another key each time: there is an end to what is remembered of it.
  const various = Array.from(
    { length: 5_000 },
    (_, at) => ({ seq: at + 6, at, type: 'odd', metadata: { [`k${at}`]: at } }) as unknown as SubAgentEvent,
  );
  for (const event of various) log.push(event);
  expect(various.every((event, at) => JSON.stringify(log.read(at + 5)) === JSON.stringify(event))).toBe(true);
});

test('a view over it shows the same at every moment, and lets go of what is too much', async () => {
  const events = await lives(3_000);
  expect(events.length).toBeGreaterThan(12_000);
  const list = new View();
  const packed = new View({ log: () => new PackedLog() });
  const short = new View({ maxEvents: 8_192, log: () => new PackedLog() });
  for (const view of [list, packed, short]) for (let at = 0; at < events.length; at += 700) view.add(events.slice(at, at + 700));
  expect(packed.events()).toStrictEqual(events);
  for (let seq = 1; seq <= list.last; seq += 1_237) expect(textOf(packed.at(seq)), `at ${seq}`).toBe(textOf(list.at(seq)));
  // Steps backwards, and forwards from where it is.
  for (const seq of [9_000, 8_999, 9_001, 4_097, 4_096, 4_095, 1]) expect(textOf(packed.at(seq)), `at ${seq}`).toBe(textOf(list.at(seq)));
  expect(short.size).toBeLessThan(8_192);
  expect(textOf(short.now)).toBe(textOf(list.now));
  expect(short.events()).toStrictEqual(events.slice(-short.size));
  const forgotten = events.findLast(({ type }) => type === 'task_forgotten') as SubAgentEvent & { taskId: string };
  expect(list.now.task(forgotten.taskId)).toBeUndefined();
  for (const view of [list, packed]) {
    expect(view.lane({ taskId: forgotten.taskId }).segments.map(({ state }) => state)).toEqual(['queued', 'running']);
    expect(view.at(forgotten.seq - 1).task(forgotten.taskId)?.forgotten).toBe(false);
  }
  expect(short.eventsOf({ taskId: (events[0] as { taskId?: string }).taskId ?? 'sub_0' })).toEqual([]);
});

test('a lane that is looked at again and again is the one that is looked at once', async () => {
  const events = await lives(40);
  const often = new View({ log: () => new PackedLog() });
  const once = new View();
  once.add(events);
  for (const event of events) {
    often.add(event);
    for (const { index } of often.now.tasks()) often.lane(index);
  }
  const kept = often.now.tasks().map(({ index }) => often.lane(index));
  expect(kept).toEqual(once.now.tasks().map(({ index }) => once.lane(index)));
  expect(kept.length).toBeGreaterThan(10);
});
