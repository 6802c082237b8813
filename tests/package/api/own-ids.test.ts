// Ids that callers give their tasks (A9).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Handle, type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { readJournal } from '../../../dist/journal.js';
import { fileStore } from '../../../dist/stores/file.js';

const echo = async (params: { taskId?: string | undefined }): Promise<{ output: string }> => ({ output: `done by ${params.taskId}` });

describe('A9 an id of the caller', () => {
  test('A9 is shown, and works, wherever an id of the manager would', async () => {
    const events: SubAgentEvent[] = [];
    const manager = new SubAgentManager({ spawnSubAgent: echo });
    manager.subscribe((event) => void events.push(event));
    const handle = manager.spawn({ taskId: 'order-42', instructions: 'go' });
    expect(handle.taskId).toBe('order-42');
    expect((await manager.wait(['order-42'])).completed.map(({ taskId }) => taskId)).toEqual(['order-42']);
    expect((await handle.wait()).output).toBe('done by order-42');
    expect(manager.get('order-42').taskId).toBe('order-42');
    expect(manager.list().items.map(({ taskId }) => taskId)).toEqual(['order-42']);
    manager.send('order-42', 'again');
    await handle.wait();
    expect(manager.get('order-42').run).toBe(2);
    manager.cancel('order-42');
    const named = events.filter((event) => 'taskId' in event && event.taskId !== null);
    expect(new Set(named.map((event) => 'taskId' in event && event.taskId))).toEqual(new Set(['order-42']));
    const result = await handle.wait();
    const unread = manager.spawn({ taskId: 'unread', instructions: 'go' });
    manager.dispose();
    expect([result.taskId, unread.taskId]).toEqual(['order-42', 'unread']);
  });

  test('A9 names the parent, and the notice of a background run', async () => {
    const parents: (string | null)[] = [];
    const manager = new SubAgentManager({
      maxDepth: 2,
      spawnSubAgent: async (params, run) => {
        if (params.taskId === 'above') parents.push((await run.spawn({ taskId: 'below', instructions: 'go' }).wait()).taskId);
        else parents.push(manager.get('below').parentId);
        return { output: 'done' };
      },
    });
    manager.spawn({ taskId: 'above', instructions: 'go', background: true });
    await expect.poll(() => manager.inbox.peek().map(({ taskId }) => taskId)).toEqual(['above']);
    expect(parents).toEqual(['above', 'below']);
    manager.dispose();
  });

  test('A9 is refused while a task that is kept has it, also an ended one, and free once that is forgotten', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: echo });
    await manager.spawn({ taskId: 'one', instructions: 'go' }).wait();
    const again = (): unknown => manager.session('other').spawn({ taskId: 'one', instructions: 'go' });
    expect(again).toThrow(expect.objectContaining({ code: 'id_taken', details: expect.objectContaining({ taskId: 'one' }) }));
    manager.forget('one');
    expect(() => manager.get('one')).toThrow(expect.objectContaining({ code: 'unknown_task' }));
    expect((await manager.spawn({ taskId: 'one', instructions: 'go' }).wait()).taskId).toBe('one');
    manager.dispose();
  });

  test.each(['', 'sub_1', 'a b', 'a\nb', 'x'.repeat(129)])('A9 can not be %j', (taskId) => {
    const manager = new SubAgentManager({ spawnSubAgent: echo });
    expect(() => manager.spawn({ taskId, instructions: 'go' })).toThrow(
      expect.objectContaining({ code: 'invalid_argument', details: expect.objectContaining({ argument: 'taskId' }) }),
    );
    expect(manager.spawn({ taskId: 'é'.repeat(128), instructions: 'go' }).taskId).toBe('é'.repeat(128));
    manager.dispose();
  });

  test('A9 is nothing that a model may give', () => {
    const manager = new SubAgentManager({ spawnSubAgent: echo });
    expect(JSON.stringify(manager.createSubAgentTool().parameters)).not.toContain('taskId');
    manager.dispose();
  });

  test('A9 is shown after the task is forgotten, by its handle, its notice and its key', async () => {
    let handle: Handle | undefined;
    const manager = new SubAgentManager({
      maxDepth: 2,
      spawnSubAgent: async (params, run) => {
        if (params.taskId === 'above') handle = run.spawn({ taskId: 'order-1', instructions: 'go', background: true });
        return { output: 'done' };
      },
    });
    const above = { taskId: 'above', instructions: 'go', idempotencyKey: 'k' };
    await manager.spawn(above).wait();
    await expect.poll(() => manager.inbox.peek().length).toBe(1);
    const events: SubAgentEvent[] = [];
    manager.subscribe((event) => void events.push(event));
    manager.forget('above');
    expect(handle?.taskId).toBe('order-1');
    expect(() => manager.get('order-1')).toThrow(expect.objectContaining({ code: 'unknown_task' }));
    expect(() => manager.spawn(above)).toThrow(
      expect.objectContaining({ code: 'idempotency_forgotten', details: expect.objectContaining({ taskId: 'above' }) }),
    );
    const [notice] = manager.inbox.lease();
    expect(notice?.taskId).toBe('order-1');
    if (notice !== undefined) manager.inbox.ack(notice.deliveryId);
    await expect.poll(() => events.some(({ type }) => type === 'notice_moved')).toBe(true);
    const named = events.flatMap((event) => ('taskId' in event && event.taskId !== null ? [event.taskId] : []));
    expect(new Set(named)).toEqual(new Set(['above', 'order-1']));
    manager.dispose();
  });

  test('A9 A7 keys of what a run does are not made of it: another task may have it later', async () => {
    const keys: string[] = [];
    const manager = new SubAgentManager({
      spawnSubAgent: async (_params, run) => {
        keys.push(run.idempotencyKey('pay'));
        return { output: 'done' };
      },
    });
    for (let round = 0; round < 2; round++) {
      await manager.spawn({ taskId: 'order', instructions: 'go' }).wait();
      manager.forget('order');
    }
    expect(new Set(keys).size).toBe(2);
    manager.dispose();
  });

  test('A9 goes before a nickname, and whoever does not reach the task means the nickname', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: echo });
    const other = manager.session('other');
    await manager.spawn({ taskId: 'ann', instructions: 'go' }).wait();
    const named = other.spawn({ nickname: 'ann', instructions: 'go' });
    const near = manager.spawn({ nickname: 'ann', instructions: 'go' });
    await Promise.all([named.wait(), near.wait()]);
    expect(manager.get('ann').taskId).toBe('ann');
    expect((await other.wait(['ann'])).completed.map(({ taskId }) => taskId)).toEqual([named.taskId]);
    manager.forget(named.taskId);
    expect(() => other.send('ann', 'hello')).toThrow(expect.objectContaining({ code: 'unknown_task' }));
    manager.dispose();
  });

  test('A9 is what ends background work of the host, and a task that the program drives', async () => {
    const manager = new SubAgentManager({ spawnSubAgent: echo, spawnBackgroundSubAgent: async () => ({ taskId: 'theirs' }) });
    const handle = manager.spawn({ taskId: 'mine', instructions: 'go', background: true });
    manager.reportSettled('mine', { output: 'far away' });
    expect((await handle.wait()).output).toBe('far away');
    manager.spawn({ drive: 'program', instructions: 'read', taskId: 'by-hand' });
    await manager.drive('by-hand').start();
    manager.drive('by-hand').complete('read it');
    expect(manager.get('by-hand')).toMatchObject({ taskId: 'by-hand', status: 'completed', output: 'read it' });
    manager.dispose();
  });

  describe('in a store', () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'own-ids-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    test.each([false, true])('A9 is known to the next opening; compacted before: %s', async (compacts) => {
      const open = (): Promise<SubAgentManager> =>
        SubAgentManager.open({ spawnSubAgent: echo, store: fileStore(join(folder, 'a.journal')) });
      const first = await open();
      await first.spawn({ taskId: 'kept', instructions: 'go' }).wait();
      if (compacts) await first.compact();
      await first.flush();
      await first[Symbol.asyncDispose]();
      const next = await open();
      expect(next.get('kept').output).toBe('done by kept');
      expect(() => next.spawn({ taskId: 'kept', instructions: 'go' })).toThrow(expect.objectContaining({ code: 'id_taken' }));
      await next[Symbol.asyncDispose]();
    });

    test('A9 is read from a journal, with its events', async () => {
      const path = join(folder, 'b.journal');
      const manager = await SubAgentManager.open({ spawnSubAgent: echo, store: fileStore(path) });
      await manager.spawn({ taskId: 'kept', instructions: 'go' }).wait();
      manager.forget('kept');
      await manager.flush();
      await manager[Symbol.asyncDispose]();
      const journal = await readJournal(fileStore(path, { readOnly: true }));
      const ids = new Set<string | null>();
      for await (const { event } of journal) if ('taskId' in event && event.taskId !== null) ids.add(event.taskId);
      expect(ids).toEqual(new Set(['kept']));
      await journal[Symbol.asyncDispose]();
    });
  });
});
