// A6: `metadata`, a JSON object given at spawn, comes back in snapshots, events and notices; nobody reads it.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test } from 'vitest';
import type { Metadata, SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { done, managerWith, manualHost, refusal } from '../../support/hosts.js';
import { flush } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function made() {
  const { host, runs } = manualHost();
  const { manager } = managerWith(host, { maxDepth: 2, maxConcurrent: 20 });
  opened.push(manager);
  return { manager, runs };
}

const METADATA: Metadata = {
  request: 'r-1',
  attempt: 2,
  nested: { list: [1, null, true, { deep: 'é\ud83d\ude00\u2028' }], empty: {} },
  small: -1.5e-7,
};

describe('A6 metadata', () => {
  test('A6 comes back in snapshots, lists, handles, waits, the event of the spawn and notices, over all runs', async () => {
    const { manager, runs } = made();
    const events: SubAgentEvent[] = [];
    manager.subscribe((event) => events.push(event));
    const handle = manager.spawn({ instructions: 'x', background: true, metadata: METADATA });
    expect(manager.get(handle.taskId).metadata).toEqual(METADATA);
    expect(handle.snapshot().metadata).toEqual(METADATA);
    expect([...manager.list().items].map(({ metadata }) => metadata)).toEqual([METADATA]);
    await flush();
    const admitted = events.find((event) => event.type === 'task_admitted');
    expect(admitted?.type === 'task_admitted' && admitted.spec?.metadata).toEqual(METADATA);
    runs[0]?.end.resolve(done());
    await flush();
    handle.send('again');
    runs[1]?.end.resolve(done());
    await flush();
    expect(manager.inbox.peek().map(({ metadata }) => metadata)).toEqual([METADATA, METADATA]);
    expect(manager.inbox.lease().map(({ metadata }) => metadata)).toEqual([METADATA, METADATA]);
    const { completed } = await manager.wait([handle.taskId]);
    expect(completed[0]?.metadata).toEqual(METADATA);
  });

  test('A6 is null where none was given; a sub-agent’s own is not its parent’s', async () => {
    const { manager, runs } = made();
    const parent = manager.spawn({ instructions: 'x', metadata: { a: 1 } });
    const child = runs[0]?.run.spawn({ instructions: 'y' });
    expect(child?.snapshot().metadata).toBeNull();
    expect(parent.snapshot().metadata).toEqual({ a: 1 });
    expect(manager.get(manager.spawn({ instructions: 'x', metadata: undefined }).taskId).metadata).toBeNull();
    expect(manager.get(manager.spawn({ instructions: 'x', metadata: {} }).taskId).metadata).toEqual({});
  });

  test('A6 what is changed later, here or there, changes nothing', () => {
    const { manager } = made();
    const mine = { list: [1] };
    const { taskId } = manager.spawn({ instructions: 'x', metadata: mine });
    mine.list.push(2);
    (manager.get(taskId).metadata as { list: number[] }).list.push(3);
    expect(manager.get(taskId).metadata).toEqual({ list: [1] });
  });

  test('A6 by tools: an object, or a function of the call', async () => {
    const { manager } = made();
    const calls: unknown[] = [];
    const tool = manager.createSubAgentTool({
      metadata: (toolCallId, params) => {
        calls.push([toolCallId, params.instructions]);
        return toolCallId === undefined ? undefined : { toolCallId };
      },
    });
    await tool.execute('call-1', { instructions: 'a', background: true } as never);
    await tool.execute({ instructions: 'b', background: true });
    const tools = manager.createTools({ metadata: { by: 'tools' } });
    await tools.spawn_agent?.execute({ instructions: 'c', background: true } as never);
    expect([...manager.list().items].map(({ metadata }) => metadata)).toEqual([{ toolCallId: 'call-1' }, null, { by: 'tools' }]);
    expect(calls).toEqual([
      ['call-1', 'a'],
      [undefined, 'b'],
    ]);
  });

  test('A6 is no model’s to see, and does not count for an idempotency key', async () => {
    const { manager, runs } = made();
    const secret = 'tenant-4711';
    const first = manager.spawn({ instructions: 'x', background: true, idempotencyKey: 'k', metadata: { secret } });
    const again = manager.spawn({ instructions: 'x', background: true, idempotencyKey: 'k', metadata: { secret: 'other' } });
    expect(again.taskId).toBe(first.taskId);
    expect(first.snapshot().metadata).toEqual({ secret });
    runs[0]?.end.resolve(done());
    await flush();
    const [notice] = manager.inbox.peek();
    const listed = await manager.createTools().list_agents?.execute({} as never);
    expect(`${notice?.text} ${listed}`).not.toContain(secret);
  });

  test('A6 what JSON does not give back as it is, or what is too large, is refused, and its place is named', () => {
    const { manager } = made();
    const cyclic: Record<string, unknown> = {};
    cyclic.self = cyclic;
    const deep = JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`);
    const wrong: [value: unknown, said: RegExp][] = [
      ['text', /`metadata` must be a plain object/],
      [null, /`metadata` must be a plain object/],
      [[1], /`metadata` must be a plain object/],
      [new Map(), /`metadata` must be a plain object.*of a class/],
      [{ a: { when: new Date(0) } }, /`metadata\.a\.when` must be a plain object/],
      [{ a: [1, undefined] }, /`metadata\.a\[1\]`/],
      [{ a: new Array(2) }, /`metadata\.a\[0\]`/],
      [{ a: Number.NaN }, /`metadata\.a` must be a number that JSON has/],
      [{ a: Number.POSITIVE_INFINITY }, /`metadata\.a`/],
      [{ a: 5n }, /`metadata\.a`/],
      [{ a: () => 1 }, /`metadata\.a`/],
      [{ a: Symbol('s') }, /`metadata\.a`/],
      [cyclic, /nests deeper than 32 levels/],
      [deep, /nests deeper than 32 levels/],
      [{ a: 'x'.repeat(17_000) }, /at most 16384 characters/],
      [{ a: new Array(20_000).fill(1) }, /at most 16384 characters/],
      [
        {
          get a() {
            throw new Error('no');
          },
        },
        /no/,
      ],
    ];
    for (const [metadata, said] of wrong) {
      const error = refusal(() => manager.spawn({ instructions: 'x', metadata: metadata as never }));
      expect(error.code).toBe('invalid_argument');
      expect(error.message).toMatch(said);
    }
    expect(refusal(() => manager.createSubAgentTool({ metadata: 5 as never })).code).toBe('invalid_argument');
    expect([...manager.list().items]).toEqual([]);
  });
});
