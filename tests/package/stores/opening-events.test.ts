// What the opening of a manager decides is delivered to whoever listens before it starts (J3): runs that were lost end, or are
// started again, before the program has its manager.

import { afterEach, describe, expect, test } from 'vitest';
import { type OpenOptions, type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { readJournal } from '../../../dist/journal.js';
import { baseOf, View } from '../../../dist/view/index.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const never = new Promise<never>(() => undefined);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

async function open(store: WatchedStore, options: Omit<OpenOptions, 'store'>): Promise<SubAgentManager> {
  const manager = await SubAgentManager.open({ maxConcurrent: 2, spawnSubAgent: async () => ({ output: 'done' }), ...options, store });
  opened.push(manager);
  return manager;
}

/** What a process leaves that is killed with two runs in flight and one that is queued; and how many events that is. */
async function killed(options: Omit<OpenOptions, 'store'>): Promise<{ store: WatchedStore; past: number }> {
  const store = watchedStore();
  const manager = await open(store, { ...options, spawnSubAgent: () => never });
  for (const label of ['one', 'two', 'three']) manager.spawn({ instructions: 'work', label, background: true });
  await settled();
  await manager.flush();
  return { store: watchedStore(store.records), past: manager.stats().events };
}

/** Each event that is about a run, in short. */
const brief = (events: readonly SubAgentEvent[]): string[] =>
  events.flatMap((event) => (/^run_(started|ended)$/.test(event.type) && 'label' in event ? [`${event.label} ${event.type}`] : []));

const numbersOf = (events: readonly SubAgentEvent[]): number[] => events.map(({ seq }) => seq);
const upTo = (first: number, last: number): number[] => Array.from({ length: last - first + 1 }, (_, at) => first + at);

describe.each(['sync', 'batched'] as const)('durability %s', (durability) => {
  const options = { durability, flushMs: 1 };

  test('each listener of before the start gets it, once and in order; none gets what was before', async () => {
    const { store, past } = await killed(options);
    const manager = await open(store, { ...options, onHostLost: 'fail' });
    const opening = manager.stats().events;
    const received: [SubAgentEvent[], SubAgentEvent[], SubAgentEvent[], SubAgentEvent[]] = [[], [], [], []];
    manager.subscribe((event) => received[0].push(event));
    const stop = manager.subscribe((event) => received[2].push(event));
    stop();
    const more = manager.spawn({ instructions: 'work', label: 'four' });
    // It is later than a decision of the program, and still before the start.
    manager.subscribe((event) => received[1].push(event));
    expect(received.flat()).toEqual([]);
    await more.wait();
    manager.subscribe((event) => received[3].push(event));
    const late = manager.stats().events;
    await manager.spawn({ instructions: 'work', label: 'five' }).wait();
    await settled();

    expect(opening).toBeGreaterThan(past);
    expect(numbersOf(received[0])).toEqual(upTo(past + 1, manager.stats().events));
    expect(received[1]).toEqual(received[0]);
    expect(received[2]).toEqual([]);
    expect(numbersOf(received[3])).toEqual(upTo(late + 1, manager.stats().events));
    const lost = received[0].filter((event) => event.type === 'run_ended' && event.stopReason === 'host_lost');
    expect(brief(lost)).toEqual(['one run_ended', 'two run_ended']);
    expect(lost.every(({ seq }) => seq <= opening)).toBe(true);
    // They are the events that the journal has.
    await manager.flush();
    await using journal = await readJournal(watchedStore(store.records));
    const kept: SubAgentEvent[] = [];
    for await (const { event } of journal) if (event.seq > past) kept.push(event);
    expect(kept).toEqual(received[0]);
  });

  test.each(['requeue', 'resume'] as const)('a run that is started again by it has begun: %s', async (onHostLost) => {
    const { store } = await killed(options);
    const manager = await open(store, { ...options, onHostLost });
    const received: SubAgentEvent[] = [];
    manager.subscribe((event) => received.push(event));
    await manager.wait(manager.list().items.map(({ taskId }) => taskId));
    await settled();
    const expected = ['one', 'two', 'three'].flatMap((label) => [`${label} run_started`, `${label} run_ended`]);
    expect(brief(received).sort()).toEqual(expected.sort());
  });

  test('a new store: what the options decided is delivered', async () => {
    const manager = await open(watchedStore(), options);
    const received: SubAgentEvent[] = [];
    manager.subscribe((event) => received.push(event));
    await settled();
    expect(numbersOf(received)).toEqual(upTo(1, manager.stats().events));
    expect(received).toContainEqual(expect.objectContaining({ type: 'limit_set' }));
  });

  test('a listener that throws harms no other one, and `onError` has the error', async () => {
    const { store, past } = await killed(options);
    const errors: unknown[] = [];
    const manager = await open(store, { ...options, spawnSubAgent: () => never, onError: (error) => errors.push(error) });
    const bad = new Error('bad');
    manager.subscribe(() => {
      throw bad;
    });
    const received: SubAgentEvent[] = [];
    manager.subscribe((event) => received.push(event));
    await settled();
    expect(numbersOf(received)).toEqual(upTo(past + 1, manager.stats().events));
    expect(errors).toEqual(received.map(() => bad));
  });

  test('a view that began with the base passes over what that has', async () => {
    const { store } = await killed(options);
    const manager = await open(store, { ...options, onHostLost: 'fail' });
    const view = new View();
    const base = baseOf(manager);
    view.begin(base);
    manager.subscribe((event) => view.add(event));
    await manager.wait(manager.list().items.map(({ taskId }) => taskId));
    await settled();
    expect([view.first, view.last]).toEqual([base.seq + 1, manager.stats().events]);
    expect(view.now.counts).toMatchObject({ completed: 1, failed: 2 });
  });

  test('a manager that is disposed of before it starts keeps what the opening decided', async () => {
    const { store, past } = await killed(options);
    const manager = await open(store, { ...options, onHostLost: 'fail' });
    const opening = manager.stats().events;
    await manager[Symbol.asyncDispose]();
    await using journal = await readJournal(watchedStore(store.records));
    const kept: SubAgentEvent[] = [];
    for await (const { event } of journal) kept.push(event);
    expect(numbersOf(kept)).toEqual(upTo(1, opening));
    expect(kept.filter(({ seq }) => seq > past)).toContainEqual(expect.objectContaining({ type: 'run_ended', stopReason: 'host_lost' }));
  });
});

test('J1 sync: nothing of it is delivered before the store has persisted it', async () => {
  const { store, past } = await killed({ durability: 'sync' });
  store.stopped = true;
  const manager = await open(store, { durability: 'sync', onHostLost: 'fail' });
  const received: SubAgentEvent[] = [];
  manager.subscribe((event) => received.push(event));
  await settled();
  expect(received).toEqual([]);
  store.stopped = false;
  store.release();
  await settled();
  expect(numbersOf(received)).toEqual(upTo(past + 1, manager.stats().events));
});

test('batched: a compaction that is asked for before the start takes nothing from those who listen later', async () => {
  const { store, past } = await killed({ durability: 'batched', flushMs: 1 });
  const manager = await open(store, { durability: 'batched', flushMs: 3_600_000, onHostLost: 'fail' });
  const compacted = manager.compact();
  const received: SubAgentEvent[] = [];
  manager.subscribe((event) => received.push(event));
  await compacted;
  expect(numbersOf(received)).toEqual(upTo(past + 1, past + received.length));
  expect(brief(received)).toEqual(expect.arrayContaining(['one run_ended', 'two run_ended', 'three run_started']));
  await manager.flush();
  expect(store.images.at(-1)?.snapshot).toBeDefined();
});
