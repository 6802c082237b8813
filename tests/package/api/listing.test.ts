// Listing: all, a page, or one after the other, and it says which.

import { describe, expect, test } from 'vitest';
import { done, managerWith, refusal } from '../../support/hosts.js';

describe('list', () => {
  const many = (count: number) => {
    const { manager } = managerWith(() => done(), { maxConcurrent: 1 });
    for (let at = 0; at < count; at += 1) manager.spawn({ instructions: `number ${at}`, background: at % 2 === 0 });
    return manager;
  };

  test('without a page it gives all, and says so', () => {
    const manager = many(250);
    const { items, total, nextOffset } = manager.list();
    expect([items.length, total, nextOffset]).toEqual([250, 250, null]);
    expect(manager.list({ filter: { background: true } })).toMatchObject({ total: 125, nextOffset: null });
    expect(many(0).list()).toEqual({ items: [], total: 0, nextOffset: null });
  });

  test('with long outputs, and many, it takes little of the memory that never shrinks', async () => {
    const output = 'x'.repeat(200_000);
    const { manager } = managerWith(async () => ({ output }), { maxConcurrent: 1_000 });
    await Promise.all(Array.from({ length: 750 }, (_, at) => manager.spawn({ instructions: `number ${at}` }).wait()));
    const before = manager.stats().memoryBytes;
    const { items, total, nextOffset } = manager.list();
    expect([items.length, total, nextOffset, items.at(-1)?.output?.length]).toEqual([750, 750, null, 200_000]);
    // All at once take twice what is kept.
    expect(manager.stats().memoryBytes / before).toBeLessThan(1.6);
    manager.dispose();
  });

  test('with short ones it gives each once, in order', () => {
    const labels = many(3_000)
      .list()
      .items.map(({ label }) => label);
    expect(labels).toEqual(Array.from({ length: 3_000 }, (_, at) => `number ${at}`));
  });

  test('with a page it gives that page, and says where the next begins', () => {
    const manager = many(250);
    const labels: string[] = [];
    const offsets: (number | null)[] = [];
    for (let offset: number | null = 0; offset !== null; ) {
      const { items, total, nextOffset }: ReturnType<typeof manager.list> = manager.list({ page: { offset } });
      expect(total).toBe(250);
      labels.push(...items.map(({ label }) => label));
      offsets.push(nextOffset);
      offset = nextOffset;
    }
    expect(offsets).toEqual([100, 200, null]);
    expect(labels).toEqual(manager.list().items.map(({ label }) => label));
    expect(manager.list({ page: { limit: 250 } }).nextOffset).toBeNull();
    expect(manager.list({ filter: { status: [] } })).toEqual({ items: [], total: 0, nextOffset: null });
    expect(manager.list({ page: { offset: 300 } })).toEqual({ items: [], total: 250, nextOffset: null });
  });

  test('a page has at least one, so that going on page by page ends', () => {
    const manager = many(2);
    for (const limit of [0, -1, 1.5, 1_001])
      expect(refusal(() => manager.list({ page: { limit } }))).toMatchObject({
        code: 'invalid_argument',
        message: `\`page.limit\` must be a whole number of 1 to 1000, got ${limit}`,
      });
    expect(manager.list({ page: { offset: 0, limit: 1 } })).toMatchObject({ total: 2, nextOffset: 1 });
  });
});
