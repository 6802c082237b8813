// Work that the host started itself, over a restart (X4, J3): a report of what the last process began is found by our id
// and by the host's, and what was queued is started.

import { afterEach, describe, expect, test } from 'vitest';
import { type OpenOptions, type Run, SubAgentManager } from '../../../dist/index.js';
import { refusal } from '../../support/hosts.js';
import { type WatchedStore, watchedStore } from '../../support/stores.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

const never = new Promise<never>(() => undefined);
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

/** What the host started: the process, the text, the number of the run. */
let starts: string[] = [];

interface Started {
  readonly taskId: string;
}

async function open(store: WatchedStore, name: string, options: Omit<OpenOptions, 'store'> & { start?: (run: Run) => Promise<Started> }) {
  const { start = async (run: Run) => ({ taskId: `job-${run.idempotencyKey()}` }), ...rest } = options;
  const manager = await SubAgentManager.open({
    spawnSubAgent: () => never,
    spawnBackgroundSubAgent: (params, run) => {
      starts.push(`${name}: ${params.instructions} ${run.run}`);
      return start(run);
    },
    ...rest,
    store,
  });
  opened.push(manager);
  return manager;
}

/** A manager whose process was killed while its host worked elsewhere at `one`. */
async function killedInMidWork(options: Parameters<typeof open>[2] = {}) {
  starts = [];
  const store = watchedStore();
  const first = await open(store, 'a', options);
  const { taskId } = first.spawn({ instructions: 'one', background: true });
  await settled();
  await first.flush();
  return { taskId, job: `job-${taskId}-1`, killed: watchedStore(store.records) };
}

/** What a further process of the same store knows. */
async function later(store: WatchedStore, taskId: string) {
  const manager = await open(watchedStore(store.records), 'later', { onHostLost: 'fail' });
  return manager.get(taskId);
}

const done = (output: string, tokens = 70) => ({ output, usage: { tokens, turns: 1, costUsd: 0 } });

describe('`fail`', () => {
  test.each(['ours', 'the host’s'])('a result that comes after the restart is a late one, its usage is booked, by %s id', async (whose) => {
    const { taskId, job, killed } = await killedInMidWork();
    const manager = await open(killed, 'b', { onHostLost: 'fail' });
    await settled();
    expect(manager.get(taskId)).toMatchObject({ status: 'failed', stopReason: 'host_lost', hostTaskId: job, lateResult: null });
    expect(starts).toEqual(['a: one 1']);

    manager.reportSettled(whose === 'ours' ? taskId : job, done('far away'));
    await manager.flush();
    expect(manager.get(taskId)).toMatchObject({ status: 'failed', stopReason: 'host_lost', lateResult: 'far away' });
    expect(manager.stats().tokensSpent).toBe(70);
    // Reported once more, it books what it says beyond that.
    manager.reportSettled(job, done('far away', 75));
    manager.reportSettled(taskId, done('far away', 75));
    await manager.flush();
    expect(manager.stats().tokensSpent).toBe(75);
    expect(await later(killed, taskId)).toMatchObject({ status: 'failed', lateResult: 'far away', usage: { tokens: 75 } });
  });

  test('also where the host had not said its id, over a snapshot and over two restarts', async () => {
    const { taskId, killed } = await killedInMidWork({ start: () => never });
    const second = await open(killed, 'b', { onHostLost: 'fail' });
    await second.compact();
    const third = await open(watchedStore(killed.images.at(-1) ?? []), 'c', { onHostLost: 'fail' });
    third.reportSettled(taskId, done('far away'));
    await third.flush();
    expect(third.get(taskId)).toMatchObject({ status: 'failed', lateResult: 'far away', usage: { tokens: 70 } });
  });

  test('what was set aside for it counts as spent, and its report only beyond that', async () => {
    const { taskId, job, killed } = await killedInMidWork({ taskBudget: { tokens: 100 } });
    const manager = await open(killed, 'b', { onHostLost: 'fail' });
    expect(manager.stats().tokensSpent).toBe(100);
    manager.reportSettled(job, done('far away'));
    expect(manager.stats().tokensSpent).toBe(100);
    manager.reportSettled(job, done('farther', 130));
    expect(manager.stats().tokensSpent).toBe(130);
    expect(manager.get(taskId).lateResult).toBe('farther');
  });

  test('one that had ended before the restart takes a second report as a late one', async () => {
    const { taskId, job, killed } = await killedInMidWork();
    const second = await open(killed, 'b', { onHostLost: 'resume' });
    await settled();
    second.reportSettled(job, done('in time'));
    await second.flush();
    const third = await open(watchedStore(killed.records), 'c', { onHostLost: 'fail' });
    third.reportSettled(job, done('again', 80));
    expect(third.get(taskId)).toMatchObject({ status: 'completed', output: 'in time', lateResult: 'again', usage: { tokens: 80 } });
  });

  test('an id that two go by names none of them; one that nobody goes by is unknown', async () => {
    starts = [];
    const store = watchedStore();
    const start = async () => ({ taskId: 'same' });
    const first = await open(store, 'a', { start });
    const [one] = ['one', 'two'].map((instructions) => first.spawn({ instructions, background: true }).taskId);
    const foreground = first.spawn({ instructions: 'here' }).taskId;
    await settled();
    await first.flush();
    const second = await open(watchedStore(store.records), 'b', { onHostLost: 'fail' });
    expect(refusal(() => second.reportSettled('same', done('whose?')))).toMatchObject({
      code: 'invalid_argument',
      details: { id: 'same' },
    });
    for (const id of ['nobody', foreground]) expect(refusal(() => second.reportSettled(id, done('late'))).code).toBe('unknown_task');
    second.reportSettled(one as string, done('mine'));
    expect(second.get(one as string).lateResult).toBe('mine');
    second.forget(one as string);
    expect(refusal(() => second.reportSettled(one as string, done('mine'))).code).toBe('forgotten');
  });

  test('a nickname is no id of the host', async () => {
    const store = watchedStore();
    const first = await open(store, 'a', {});
    first.spawn({ instructions: 'one', background: true, nickname: 'scout' });
    await settled();
    await first.flush();
    const second = await open(watchedStore(store.records), 'b', { onHostLost: 'fail' });
    expect(refusal(() => second.reportSettled('scout', done('late'))).code).toBe('unknown_task');
  });
});

describe.each(['requeue', 'resume'] as const)('`%s`', (onHostLost) => {
  test('the work is started again, and where the host gives it the same id its report ends the run', async () => {
    const { taskId, job, killed } = await killedInMidWork();
    const manager = await open(killed, 'b', { onHostLost });
    await settled();
    expect(starts).toEqual(['a: one 1', 'b: one 2']);
    manager.reportSettled(job, done('far away'));
    expect(manager.get(taskId)).toMatchObject({ status: 'completed', output: 'far away', lateResult: null, usage: { tokens: 70 } });
    expect(manager.stats().tokensSpent).toBe(70);
  });

  test.each(['ours', 'the host’s'])(
    'a result that comes before it is started again is kept, and ends the run once the host gives that the same id: by %s id',
    async (whose) => {
      const { taskId, job, killed } = await killedInMidWork();
      const manager = await open(killed, 'b', { onHostLost });
      manager.reportSettled(whose === 'ours' ? taskId : job, done('far away'));
      await manager.flush();
      expect((await later(killed, taskId)).lateResult).toBe('far away');
      await settled();
      expect(starts.slice(0, 2)).toEqual(['a: one 1', 'b: one 2']);
      expect(manager.get(taskId)).toMatchObject({ status: 'completed', output: 'far away', usage: { tokens: 70 } });
      expect(manager.stats().tokensSpent).toBe(70);
    },
  );

  test('while the host has not said the id of the new start, too', async () => {
    const { taskId, job, killed } = await killedInMidWork();
    let say = (_: Started): void => undefined;
    const manager = await open(killed, 'b', { onHostLost, start: () => new Promise((resolve) => (say = resolve)) });
    await settled();
    manager.reportSettled(job, done('far away'));
    expect(manager.get(taskId).status).toBe('running');
    say({ taskId: job });
    await settled();
    expect(manager.get(taskId)).toMatchObject({ status: 'completed', output: 'far away', usage: { tokens: 70 } });
  });

  test('where the host gives it another id, the result under the first one is a late one, and the second goes on', async () => {
    const { taskId, job, killed } = await killedInMidWork();
    const manager = await open(killed, 'b', { onHostLost, start: async () => ({ taskId: 'job-b' }) });
    manager.reportSettled(job, done('the first'));
    await settled();
    manager.reportSettled(job, done('the first'));
    expect(manager.get(taskId)).toMatchObject({ status: 'running', lateResult: 'the first', hostTaskId: 'job-b' });
    manager.reportSettled('job-b', done('the second'));
    expect(manager.get(taskId)).toMatchObject({ status: 'completed', output: 'the second' });
  });
});

test('X4 a kept result ends its own run, also if another one goes by the same id', async () => {
  starts = [];
  const store = watchedStore();
  const first = await open(store, 'a', { start: async () => ({ taskId: 'same' }) });
  const [other, own] = ['other', 'own'].map((instructions) => first.spawn({ instructions, background: true }).taskId);
  await settled();
  await first.flush();
  const second = await open(watchedStore(store.records), 'b', { onHostLost: 'resume', start: async () => ({ taskId: 'same' }) });
  second.reportSettled(own as string, done('far away'));
  await settled();
  expect(second.get(own as string)).toMatchObject({ status: 'completed', output: 'far away' });
  expect(second.get(other as string).status).toBe('running');
});

test('X4 X5 a kept result outlives an attempt that could not be started', async () => {
  const { taskId, job, killed } = await killedInMidWork({ retry: { max: 1, backoffMs: 1 } });
  let tries = 0;
  const start = async () => {
    tries += 1;
    if (tries === 1) throw new Error('the queue is down');
    return { taskId: job };
  };
  const manager = await open(killed, 'b', { onHostLost: 'resume', retry: { max: 1, backoffMs: 1 }, start });
  manager.reportSettled(job, done('far away'));
  await expect.poll(() => manager.get(taskId)).toMatchObject({ status: 'completed', output: 'far away' });
  expect(tries).toBe(2);
});

test('a report of an earlier run is no result of the work that is started again', async () => {
  starts = [];
  const store = watchedStore();
  const start = async ({ prompt }: Run) => ({ taskId: `job-${prompt}` });
  const first = await open(store, 'a', { start });
  const { taskId } = first.spawn({ instructions: 'one', background: true });
  await settled();
  first.reportSettled('job-one', done('first'));
  first.send(taskId, 'two');
  await settled();
  await first.flush();
  const second = await open(watchedStore(store.records), 'b', { start, onHostLost: 'requeue' });
  second.reportSettled('job-one', done('first again'));
  await settled();
  expect(starts).toEqual(['a: one 1', 'a: two 2', 'b: two 3']);
  expect(second.get(taskId)).toMatchObject({ status: 'running', run: 3, lateResult: 'first again' });
  second.reportSettled('job-two', done('second'));
  expect(second.get(taskId)).toMatchObject({ status: 'completed', output: 'second' });
});

test('X4 work that this process has carried out itself is none of the host’s', async () => {
  const store = watchedStore();
  const first = await SubAgentManager.open({ store, spawnSubAgent: () => never });
  opened.push(first);
  const { taskId } = first.spawn({ instructions: 'one', background: true });
  await settled();
  await first.flush();
  const second = await open(watchedStore(store.records), 'b', { onHostLost: 'fail' });
  expect(refusal(() => second.reportSettled(taskId, done('late'))).code).toBe('unknown_task');
});

test.each(['fail', 'requeue', 'resume'] as const)('J3 X4 queued background work goes to its host function; `%s`', async (onHostLost) => {
  starts = [];
  const store = watchedStore();
  const first = await open(store, 'a', { maxConcurrent: 1 });
  const [one, two] = ['one', 'two'].map((instructions) => first.spawn({ instructions, background: true }).taskId) as [string, string];
  await settled();
  await first.flush();
  expect(starts).toEqual(['a: one 1']);
  const second = await open(watchedStore(store.records), 'b', { onHostLost, maxConcurrent: 1 });
  await settled();
  if (onHostLost !== 'fail') second.reportSettled(`job-${one}-1`, done('first'));
  await settled();
  expect(starts.slice(1)).toEqual(onHostLost === 'fail' ? ['b: two 1'] : ['b: one 2', 'b: two 1']);
  second.reportSettled(`job-${two}-1`, done('second'));
  expect(second.get(two)).toMatchObject({ status: 'completed', output: 'second' });
  expect(second.inbox.peek().map(({ taskId, status }) => [taskId, status])).toEqual([
    [one, onHostLost === 'fail' ? 'failed' : 'completed'],
    [two, 'completed'],
  ]);
});
