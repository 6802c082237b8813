// Source 3's handles, row by row: what a snapshot holds, how it changes, what every call takes it by.

import '../../support/virtual-time.js';

import { afterEach, expect, test } from 'vitest';
import { SubAgentError, type SubAgentManager, type SubAgentManagerOptions, type TaskStatus } from '../../../dist/index.js';
import { done, type Host, managerWith, manualHost, refusesUnchanged } from '../../support/hosts.js';
import { flush, isPending, pass, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(host: Host, options: SubAgentManagerOptions = {}): SubAgentManager {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

test('S3.02 every handle has an id of its own, and every call takes it', async () => {
  const manager = open(async () => done());
  const handles = Array.from({ length: 50 }, (_, index) => manager.spawn(index % 2 === 0 ? {} : { nickname: `n${index}` }));
  const ids = handles.map((handle) => handle.snapshot().handleId);
  expect(new Set(ids).size).toBe(50);
  for (const [index, id] of ids.slice(0, 2).entries()) {
    const taskId = handles[index]?.taskId;
    expect(manager.get(id).taskId).toBe(taskId);
    expect(manager.send(id, 'work')).toMatchObject({ taskId, receipt: 'started' });
    expect((await manager.wait([id])).completed).toMatchObject([{ taskId }]);
    await manager.interrupt(id);
    expect(await manager.cancel(id)).toMatchObject({ taskId });
    expect(await manager.close(id)).toMatchObject({ taskId, handleId: id });
    expect(await manager.resume(id)).toMatchObject({ taskId, status: 'idle' });
    await manager.close(id);
    manager.forget(id);
    expect(() => manager.get(id)).toThrow(SubAgentError);
  }
});

test('S3.03 each handle works with its own copy of its agent', async () => {
  const seen: unknown[] = [];
  const agent = { description: 'finds out', prompt: 'You find out.', tools: ['read'] };
  const manager = open(
    async (_, run) => {
      seen.push([run.systemPrompt, [...(run.tools ?? [])]]);
      // What one does to what it was given reaches no other.
      try {
        (run.tools as string[]).push('write');
      } catch {}
      return done();
    },
    { agents: { researcher: agent } },
  );
  const [one, other] = [manager.spawn({ agent: 'researcher' }), manager.spawn({ agent: 'researcher' })];
  agent.prompt = 'You make things up.';
  agent.tools.push('delete');
  for (const handle of [one, other]) {
    handle.send('go');
    await handle.wait();
  }
  expect(seen).toEqual([
    ['You find out.', ['read']],
    ['You find out.', ['read']],
  ]);
});

test('S3.05 idle at first, then running, then each of the ends', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { graceMs: 10, maxConcurrent: 10 });
  const ends: [TaskStatus, (handle: ReturnType<SubAgentManager['spawn']>, at: number) => unknown][] = [
    ['completed', (_, at) => runs[at]?.end.resolve(done())],
    ['failed', (_, at) => runs[at]?.end.reject(new Error('broken'))],
    ['interrupted', (handle) => handle.interrupt()],
    ['cancelled', (handle) => handle.cancel()],
    ['closed', (handle) => handle.close()],
  ];
  for (const [at, [status, end]] of ends.entries()) {
    const handle = manager.spawn({});
    expect(handle.snapshot().status).toBe('idle');
    handle.send('go');
    expect(handle.snapshot().status).toBe('running');
    void end(handle, at);
    await pass(10);
    expect(handle.snapshot().status).toBe(status);
  }
});

test('S3.06 `createdAt` stays, `updatedAt` is the last change of state, both ISO 8601', async () => {
  const { host, runs } = manualHost();
  const manager = open(host);
  const started = Date.now();
  const handle = manager.spawn({});
  const at = (ms: number): string => new Date(started + ms).toISOString();
  expect(handle.snapshot()).toMatchObject({ createdAt: at(0), updatedAt: at(0), startedAt: null, endedAt: null });
  await pass(1_000);
  expect(handle.snapshot()).toMatchObject({ createdAt: at(0), updatedAt: at(0) });
  handle.send('go');
  expect(handle.snapshot()).toMatchObject({ createdAt: at(0), updatedAt: at(1_000), startedAt: at(1_000) });
  await pass(1_000);
  runs[0]?.end.resolve(done());
  await flush();
  expect(handle.snapshot()).toMatchObject({ createdAt: at(0), updatedAt: at(2_000), endedAt: at(2_000) });
  await pass(1_000);
  await settles(handle.close(), 0);
  expect(handle.snapshot()).toMatchObject({ createdAt: at(0), updatedAt: at(3_000) });
});

test('S3.08 the last input is what was sent last, also where it goes ahead of the queue or is never delivered', async () => {
  const { host } = manualHost();
  const manager = open(host, { graceMs: 0 });
  const handle = manager.spawn({ instructions: 'first' });
  handle.send('second');
  handle.send('third', { mode: 'interrupt' });
  expect(handle.snapshot()).toMatchObject({ queuedPreview: ['third', 'second'], lastInput: 'third' });
  await flush();
  handle.send('fourth', { mode: 'steer' });
  expect(handle.snapshot()).toMatchObject({ run: 2, lastInput: 'fourth' });
  expect(await settles(handle.close(), 0)).toMatchObject({ undelivered: expect.arrayContaining(['second']), lastInput: 'fourth' });
});

test('S3.08 the last input, the last output and the error of the last run', async () => {
  const { host, runs } = manualHost();
  const manager = open(host);
  const handle = manager.spawn({});
  const reported = (): unknown => {
    const { lastInput, lastOutput, error } = handle.snapshot();
    return [lastInput, lastOutput, error];
  };
  expect(reported()).toEqual([null, null, null]);
  handle.send('first');
  expect(reported()).toEqual(['first', null, null]);
  runs[0]?.end.resolve(done('one'));
  await flush();
  expect(reported()).toEqual(['first', 'one', null]);
  handle.send('second');
  runs[1]?.end.reject(new Error('broken'));
  await flush();
  expect(reported()).toEqual(['second', 'one', 'broken']);
  handle.send('third');
  handle.send('fourth');
  // The error is the last ended run's, as the output is.
  expect(reported()).toEqual(['fourth', 'one', 'broken']);
  runs[2]?.end.resolve(done('three'));
  await flush();
  expect(reported()).toEqual(['fourth', 'three', null]);
});

test('S3.10 the running work can be waited for; with none there is nothing to wait for', async () => {
  const { host, runs } = manualHost();
  const manager = open(host);
  const handle = manager.spawn({});
  expect(handle.snapshot()).toMatchObject({ run: 0, startedAt: null });
  handle.send('go');
  expect(handle.snapshot()).toMatchObject({ run: 1, status: 'running' });
  const work = handle.wait();
  expect(await isPending(work)).toBe(true);
  runs[0]?.end.resolve(done('worked'));
  expect(await settles(work, 0)).toMatchObject({ output: 'worked' });
});

test('S3.12 S3.11 the snapshot has every field of the source, and JSON keeps all of it', () => {
  const { host } = manualHost();
  const manager = open(host, {
    taskBudget: { tokens: Number.POSITIVE_INFINITY },
    maxTurns: Number.POSITIVE_INFINITY,
    agents: { researcher: { description: 'finds out', prompt: 'You find out.' } },
  });
  const handle = manager.spawn({ instructions: 'go', agent: 'researcher', nickname: 'scout' });
  for (const text of ['a', 'b', 'c', 'd']) handle.send(text);
  const snapshot = handle.snapshot();
  expect(snapshot).toMatchObject({
    handleId: 'scout',
    agent: 'researcher',
    status: 'running',
    createdAt: expect.any(String),
    updatedAt: expect.any(String),
    profile: 'minimal',
    lastInput: 'd',
    lastOutput: null,
    error: null,
    queueSize: 4,
    queuedPreview: ['a', 'b', 'c'],
  });
  expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
});

test('S3.13 a manager holds its host and the handles that it made, no other’s', async () => {
  const [one, other] = [open(async () => done('one')), open(async () => done('other'))];
  const handles = [one.spawn({ instructions: 'x' }), one.spawn({})];
  const foreign = other.spawn({ instructions: 'x' });
  expect(one.list().items.map(({ taskId }) => taskId)).toEqual(handles.map(({ taskId }) => taskId));
  refusesUnchanged(one, 'unknown_task', () => one.get(foreign.taskId));
  expect([(await handles[0]?.wait())?.output, (await foreign.wait()).output]).toEqual(['one', 'other']);
});

test('S3.25 spawn takes message, agent, profile and nickname together, and gives the snapshot', () => {
  const { host, runs } = manualHost();
  const manager = open(host, {
    agents: { researcher: { description: 'finds out', model: 'small' } },
    profiles: { terse: () => 'Be terse.' },
  });
  const { handleId, ...rest } = manager
    .spawn({ instructions: 'Find the tests', agent: 'researcher', profile: 'terse', nickname: 'scout' })
    .snapshot();
  expect(handleId).toBe('scout');
  expect(rest).toMatchObject({
    status: 'running',
    lastInput: 'Find the tests',
    agent: 'researcher',
    profile: 'terse',
    modelId: 'small',
  });
  expect(runs[0]?.run.systemPrompt).toBe('Be terse.');
});

test('S3.31 finished, failed, closed and never started count as completed; what runs is pending', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 2 });
  const [good, bad] = [manager.spawn({ instructions: 'good' }), manager.spawn({ instructions: 'bad' })];
  runs[0]?.end.resolve(done('well'));
  runs[1]?.end.reject(new Error('broken'));
  await flush();
  const [idle, closed] = [manager.spawn({}), manager.spawn({})];
  await closed.close();
  const [running, other] = [manager.spawn({ instructions: 'runs' }), manager.spawn({ instructions: 'too' })];
  const queued = manager.spawn({ instructions: 'queued' });
  expect(other.status).toBe('running');
  const waiting = manager.wait([good, bad, idle, closed, running, queued], { timeoutMs: 50 });
  await pass(50);
  const { completed, pending, timedOut } = await waiting;
  expect(completed.map(({ taskId, status }) => [taskId, status])).toEqual([
    [good.taskId, 'completed'],
    [bad.taskId, 'failed'],
    [idle.taskId, 'idle'],
    [closed.taskId, 'closed'],
  ]);
  expect(pending).toEqual([running.taskId, queued.taskId]);
  expect(timedOut).toBe(true);
});

test('S3.33 the queue of a handle is readable, whole and in order', async () => {
  const { host, runs } = manualHost();
  const manager = open(host);
  const handle = manager.spawn({ instructions: 'one' });
  expect(handle.queue).toEqual([]);
  const long = 'x'.repeat(500);
  for (const text of ['two', long, 'four', 'five']) handle.send(text);
  handle.send('at your next turn', { mode: 'steer' });
  expect(handle.queue).toEqual(['two', long, 'four', 'five']);
  runs[0]?.end.resolve(done());
  await flush();
  expect(handle.queue).toEqual(['two', long, 'four', 'five']);
  expect(runs[1]?.run.prompt).toBe('at your next turn');
  // What was read is the reader's own.
  handle.queue.push('six');
  expect(handle.queue).toHaveLength(4);
  const idle = manager.spawn({});
  await idle.close();
  manager.forget(idle.taskId);
  expect(() => idle.queue).toThrow(SubAgentError);
});
