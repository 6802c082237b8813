// `readJournal`: the events of a journal as listeners got them, and the state after each, while
// nothing runs and nothing is written.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { readJournal } from '../../../dist/journal.js';
import { fileStore } from '../../../dist/stores/file.js';
import { memoryStore } from '../../../dist/stores/memory.js';

const folder = mkdtempSync(join(tmpdir(), 'replay-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const spawnSubAgent = async ({ instructions }: { instructions: string }) => ({ output: `${instructions} is done`, usage: { tokens: 7 } });

test('a journal is read as listeners got it, with the state after each event, and stays as it is', async () => {
  const store = memoryStore();
  const manager = await SubAgentManager.open({ store, spawnSubAgent, maxConcurrent: 2 });
  const reported: SubAgentEvent[] = [];
  manager.subscribe((event) => reported.push(event));
  const session = manager.session('ann');
  const ids = ['one', 'two', 'three'].map((instructions) => manager.spawn({ instructions, label: instructions, background: true }).taskId);
  const inSession = session.spawn({ instructions: 'four' });
  await manager.wait(ids);
  await inSession.wait();
  manager.forget(ids[0] as string);
  await manager.flush();
  await manager[Symbol.asyncDispose]();

  await using journal = await readJournal(store);
  expect(journal).toMatchObject({ snapshotSeq: 0, cut: 0 });
  const read: SubAgentEvent[] = [];
  for await (const { seq, at, record, event } of journal) {
    read.push(event);
    expect({ seq, at }).toEqual({ seq: event.seq, at: event.at });
    expect(record).toBeGreaterThan(0);
    if (event.type === 'task_admitted') expect(journal.view.get(event.taskId as string).label).toBe(event.label);
    if (event.type === 'run_ended')
      expect(journal.view.get(event.taskId as string)).toMatchObject({ status: 'completed', output: event.output });
    if (event.type === 'task_forgotten')
      expect(() => journal.view.get(event.taskId as string)).toThrow(expect.objectContaining({ code: 'forgotten' }));
  }
  const first = reported[0]?.seq ?? 0;
  expect(read.map(({ seq }) => seq)).toEqual(read.map((_, index) => index + 1));
  expect(read.slice(first - 1)).toEqual(reported);
  expect(journal.view.budget().tokens.spent).toBe(28);
});

test('a file that a manager has open is read beside it, and nothing of it is changed', async () => {
  const path = join(folder, 'agents.journal');
  await using manager = await SubAgentManager.open({ store: fileStore(path), spawnSubAgent });
  const { taskId } = manager.spawn({ instructions: 'one' });
  await manager.wait([taskId]);
  const bytes = readFileSync(path);

  await expect(readJournal(fileStore(path))).rejects.toMatchObject({ code: 'store_locked' });
  const reading = fileStore(path, { readOnly: true });
  const opening = SubAgentManager.open({ store: fileStore(path, { readOnly: true }), spawnSubAgent });
  await expect(opening).rejects.toMatchObject({ code: 'invalid_argument' });
  const journal = await readJournal(reading);
  const types: string[] = [];
  for await (const { event } of journal) types.push(event.type);
  expect(types).toContain('run_ended');
  expect(journal.view.get(taskId).output).toBe('one is done');
  await expect(reading.append(new Uint8Array(1))).rejects.toMatchObject({ code: 'store_failed' });
  await expect(reading.compact(new Uint8Array(1), 0)).rejects.toMatchObject({ code: 'store_failed' });
  await journal[Symbol.asyncDispose]();
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect((await manager.spawn({ instructions: 'two' }).wait()).output).toBe('two is done');
});

test('a journal is trusted up to the record that is damaged', async () => {
  const store = memoryStore();
  const manager = await SubAgentManager.open({ store, spawnSubAgent });
  for (let round = 0; round < 3; round += 1) await manager.spawn({ instructions: 'one' }).wait();
  await manager[Symbol.asyncDispose]();
  const { records, ...contents } = await store.open();
  const damaged = [...(records as Uint8Array[])].map((record) => record.slice());
  const last = damaged.at(-1) as Uint8Array;
  last[last.length - 1] = (last.at(-1) as number) ^ 1;

  await using journal = await readJournal({ ...contents, records: damaged });
  let trusted = 0;
  const reading = (async () => {
    for await (const { record } of journal) trusted = record;
  })();
  await expect(reading).rejects.toMatchObject({ code: 'store_damaged', details: { record: damaged.length } });
  expect(trusted).toBe(damaged.length - 1);
  expect(journal.view.stats().completed).toBeGreaterThan(0);
});

test('a journal names its sessions, with their budgets and notices, behind a snapshot too', async () => {
  const store = memoryStore();
  const manager = await SubAgentManager.open({ store, spawnSubAgent, budget: { tokens: 1_000 } });
  const ann = manager.session('ann', { budget: { tokens: 500 }, onWake: () => undefined });
  manager.session('bob');
  ann.spawn({ instructions: 'one', label: 'one', background: true });
  await manager.spawn({ instructions: 'two' }).wait();
  await manager.flush();
  const said = () => ({
    keys: manager.sessionKeys,
    budget: manager.budget(ann),
    notices: ann.inbox.peek().map(({ deliveryId }) => deliveryId),
  });
  const before = said();
  expect(before.notices).toHaveLength(1);

  const read = async () => {
    const { records, snapshot, ...contents } = await store.open();
    return { ...contents, records: [...(records as Uint8Array[])], ...(snapshot && { snapshot }) };
  };
  await manager.compact();
  await manager[Symbol.asyncDispose]();
  await using journal = await readJournal(await read());
  const { view } = journal;
  const session = view.session('ann');
  const reported = () => ({
    keys: view.sessionKeys,
    budget: view.budget(session),
    notices: session.inbox.peek().map(({ deliveryId }) => deliveryId),
  });
  expect(session.key).toBe('ann');
  expect(reported()).toEqual(before);
  const { events } = view.stats();
  for await (const _ of journal) expect(view.sessionKeys).toEqual(['ann', 'bob']);
  expect(reported()).toEqual(before);
  // To ask opens nothing.
  for (const key of ['eve', '', 5])
    expect(() => view.session(key as string)).toThrow(
      expect.objectContaining({ code: 'invalid_argument', message: expect.stringContaining('session') }),
    );
  expect(view.stats().events).toBe(events);
  expect(view.budget().tokens.spent).toBe(14);
});

test('what is no store, and not what one holds, is refused', async () => {
  for (const none of [{}, [], null, undefined, 'agents.journal', { open: 5 }, { through: 0 }, { records: [] }])
    await expect(readJournal(none as never), JSON.stringify(none)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/^the journal must be a store, or what one holds/),
    });
});
