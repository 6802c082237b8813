// The manager as the program uses it: options, spawning, waiting, cancelling, limits, budget, events,
// draining, disposing.

import '../../support/virtual-time.js';

import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  DEFAULT_LIMITS,
  type Handle,
  type Run,
  SubAgentError,
  type SubAgentEvent,
  SubAgentManager,
  type SubAgentManagerOptions,
} from '../../../dist/index.js';
import {
  coreOf,
  deferred,
  done,
  expectSound,
  expectSums,
  managerWith,
  manualHost,
  refusal,
  refusesUnchanged,
  rejects,
} from '../../support/hosts.js';
import { NO_KINDS } from '../../support/kinds.js';
import { flush, isPending, pass, settles } from '../../support/virtual-time.js';
import { NOTHING_WAITS } from '../../support/waiting.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function quick(options: SubAgentManagerOptions = {}) {
  const made = managerWith(async (_, run) => done(`did ${run.prompt}`), options);
  opened.push(made.manager);
  return made;
}

function held(options: SubAgentManagerOptions = {}) {
  const { host, runs } = manualHost();
  const made = managerWith(host, options);
  opened.push(made.manager);
  return { ...made, runs };
}

describe('options', () => {
  test('S4.02 an option that a manager does not have is an error that names it', () => {
    const error = refusal(() => new SubAgentManager({ maxConcurent: 2 } as never));
    expect(error).toMatchObject({ code: 'invalid_argument', name: 'SubAgentError', details: { argument: 'maxConcurent' } });
    expect(error.message).toContain('maxConcurent');
  });

  test.each([
    ['maxSubAgentSteps', 'maxTurns'],
    ['totalTokenBudget', 'budget'],
  ])('S1.17 S1.19 %s is %s: the error says so', (name, right) => {
    const error = refusal(() => new SubAgentManager({ [name]: 5 }));
    expect([error.code, error.details.suggestion]).toEqual(['invalid_argument', right]);
  });

  const counts = [
    'maxConcurrent',
    'maxDepth',
    'maxChildren',
    'maxTasks',
    'maxTurns',
    'maxMessages',
    'maxResultBytes',
    'timeoutMs',
    'abandonMs',
  ] as const;
  test.each(counts)('S1.20 `%s` below 1, broken or NaN is an error that names it', (name) => {
    for (const wrong of [0, -1, 1.5, Number.NaN, Number.NEGATIVE_INFINITY]) {
      const error = refusal(() => new SubAgentManager({ [name]: wrong }));
      expect(error.code).toBe('invalid_argument');
      expect(error.message).toContain(name);
    }
  });

  test.each([null, '3', 3n, {}, true, Symbol('x')])('a limit must be a number, not %s', (wrong) => {
    expect(refusal(() => new SubAgentManager({ maxConcurrent: wrong } as never)).code).toBe('invalid_argument');
  });

  test('limits that may be 0 may be 0: `maxQueued`, `graceMs`', () => {
    const { manager, runs } = held({ maxQueued: 0, graceMs: 0, maxConcurrent: 1 });
    manager.spawn({ instructions: 'runs' });
    expect(manager.getConcurrencyInfo()).toMatchObject({ queueLimit: 0 });
    expect(refusesUnchanged(manager, 'queue_full', () => manager.spawn({ instructions: 'waits' })).details).toMatchObject({ limit: 0 });
    runs[0]?.end.resolve(done());
  });

  test.each([
    ['budget', { budget: { tokens: 0 } }],
    ['budget', { budget: { costUsd: 0 } }],
    ['budget', { budget: { costUsd: Number.NaN } }],
    ['budget', { budget: { turns: 1.5 } }],
    ['budget', { budget: { money: 1 } }],
    ['budget', { budget: null }],
    ['budget', { budget: 1_000 }],
    ['taskBudget', { taskBudget: { tokens: -1 } }],
    ['budget.tokens', { budget: { tokens: 0 } }],
    ['onLimit', { onLimit: 'wait' }],
    ['tools', { tools: 'read' }],
    ['tools', { tools: ['read', 1] }],
    ['spawnSubAgent', { spawnSubAgent: {} }],
    ['onError', { onError: 'log' }],
  ])('a wrong `%s` is an error that names it: %j', (name, options) => {
    const error = refusal(() => new SubAgentManager(options as never));
    expect(error.code).toBe('invalid_argument');
    expect(error.message).toContain(name);
  });

  test.each([null, 1, 'x', () => undefined])('the options must be an object, not %s', (wrong) => {
    expect(refusal(() => new SubAgentManager(wrong as never)).code).toBe('invalid_argument');
  });

  test('what is left out or undefined keeps its default (S1.16, S1.19)', () => {
    const { manager } = quick({ maxConcurrent: undefined } as never);
    expect(manager.getConcurrencyInfo()).toEqual({
      active: 0,
      limit: 3,
      queued: 0,
      queueLimit: 100_000,
      parked: 0,
      abandoned: 0,
      waitingFor: NOTHING_WAITS,
    });
    expect(manager.stats()).toMatchObject({ maxConcurrent: DEFAULT_LIMITS.maxConcurrent, tokensRemaining: Number.POSITIVE_INFINITY });
  });

  test('Infinity lifts a limit and a cap', async () => {
    const infinity = Number.POSITIVE_INFINITY;
    const { manager, runs } = held({ maxConcurrent: infinity, maxChildren: infinity, budget: { tokens: infinity } });
    for (let count = 0; count < 100; count += 1) manager.spawn({ instructions: 'one of many', budget: { tokens: infinity } });
    expect(runs).toHaveLength(100);
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 100, limit: infinity, queued: 0 });
    expect(manager.stats().tokensRemaining).toBe(infinity);
    expect(manager.canSpawn()).toBe(true);
    for (const { end } of runs) end.resolve(done());
    await flush();
    expect(manager.stats().completed).toBe(100);
  });
});

describe('spawning and waiting', () => {
  test('S1.05 a sub-agent has an id, runs, ends, and its end can be read', async () => {
    const { manager } = quick();
    const handle = manager.spawn({ instructions: 'read the file', contextHint: 'README', label: 'reader' });
    expect(handle.taskId).toMatch(/^sub_[0-9a-f]{32}$/);
    expect(handle.status).toBe('running');
    const result = await handle.wait();
    expect(result).toMatchObject({
      taskId: handle.taskId,
      run: 1,
      status: 'completed',
      success: true,
      stopReason: 'finished',
      output: 'did read the file',
      partial: false,
      truncated: false,
      started: true,
      hostStillRunning: false,
      usage: { tokens: 10, costUsd: 0.001, turns: 1, ...NO_KINDS, unknown: [], invalid: [] },
      artifacts: [],
    });
    expect(handle.status).toBe('completed');
    expect(manager.get(handle)).toMatchObject({
      taskId: handle.taskId,
      parentId: null,
      label: 'reader',
      contextHint: 'README',
      instructions: 'read the file',
      status: 'completed',
      stopReason: 'finished',
      output: 'did read the file',
      depth: 1,
      run: 1,
      background: false,
      queueSize: 0,
    });
    const { createdAt, startedAt, endedAt, updatedAt, budget, ...others } = manager.get(handle.taskId);
    expect(handle.snapshot()).toMatchObject(others);
    expect(() => JSON.stringify(handle.snapshot())).not.toThrow();
  });

  test('waiting after the end gives the same result again (L2, W4)', async () => {
    const { manager } = quick();
    const handle = manager.spawn({ instructions: 'x' });
    const first = await handle.wait();
    const second = await handle.wait();
    expect(second).toEqual({ ...first, durationMs: second.durationMs });
  });

  test('one name for one thing: another one is an error with the right call', () => {
    const { manager } = quick();
    const rights: [object, string][] = [
      ...['goal', 'message', 'task', 'taskDescription', 'task_description', 'prompt', 'input'].map((name): [object, string] => [
        { [name]: 'Read the report' },
        "`spawn({ instructions: 'Read the report' })`",
      ]),
      [{ instructions: 'x', maxSteps: 3 }, "`spawn({ instructions: 'Read the report', maxTurns: 5 })`"],
      [{ instructions: 'x', agentId: 'a' }, "`spawn({ instructions: 'Read the report', agent: … })`"],
      [{ instructions: 'x', promptProfile: 'a' }, "`spawn({ instructions: 'Read the report', profile: … })`"],
      [{ instructions: 'x', totalTokenBudget: 5 }, "`spawn({ instructions: 'Read the report', budget: { tokens: 20_000 } })`"],
      [{ instructions: '  ' }, "`spawn({ instructions: 'Read the report' })`"],
    ];
    for (const [options, right] of rights)
      expect(refusesUnchanged(manager, 'invalid_argument', () => manager.spawn(options as never)).message).toContain(right);
    for (const wrong of [undefined, null, 5, ['x']])
      expect(refusesUnchanged(manager, 'invalid_argument', () => manager.spawn(wrong as never)).message).toContain(
        "instructions: 'Read the report'",
      );
    expect(refusesUnchanged(manager, 'invalid_argument', () => manager.spawn(...(['x', {}] as unknown as [string]))).message).toContain(
      'spawn({ instructions',
    );
    refusesUnchanged(manager, 'invalid_argument', () => manager.spawn({ instructions: 'x', maxCost: 1, budget: { costUsd: 1 } }));
    expect(manager.spawn('Read the report').snapshot().instructions).toBe('Read the report');
  });

  test('an option that spawn does not have is an error that names it', () => {
    const { manager } = quick();
    expect(refusesUnchanged(manager, 'invalid_argument', () => manager.spawn({ instruction: 'x' } as never)).message).toContain(
      'instruction',
    );
    refusesUnchanged(manager, 'invalid_argument', () => manager.spawn({ instructions: 'x', budget: { euros: 1 } } as never));
  });

  test('S4.05 a label defaults to the first 30 characters and may repeat', () => {
    const { manager } = quick();
    const text = `${'🙂'.repeat(29)}ab and more`;
    const labels = [manager.spawn({ instructions: text }), manager.spawn({ instructions: text })].map((handle) => handle.snapshot().label);
    expect(labels[0]).toBe(labels[1]);
    expect(labels[0]?.startsWith(`${'🙂'.repeat(29)}a`)).toBe(true);
    expect(labels[0]).not.toContain('and more');
  });

  test('S3.26 without a text it is idle; a message starts its run (S3.23)', async () => {
    const { manager } = quick();
    const handle = manager.spawn({ label: 'helper' });
    expect(handle.status).toBe('idle');
    expect(handle.send('first')).toEqual({ receipt: 'started', taskId: handle.taskId });
    const result = await handle.wait();
    expect(result).toMatchObject({ run: 1, output: 'did first' });
  });

  test('L6 a second message waits for the first run, in order', async () => {
    const prompts: string[] = [];
    const { host, runs } = manualHost();
    const { manager } = managerWith((params, run) => {
      prompts.push(run.prompt);
      return host(params, run);
    });
    opened.push(manager);
    const handle = manager.spawn({ instructions: 'one' });
    expect(handle.send('two')).toEqual({ receipt: 'queued', taskId: handle.taskId });
    expect(manager.send(handle.taskId, 'three')).toEqual({ receipt: 'queued', taskId: handle.taskId });
    expect(handle.snapshot().queueSize).toBe(2);
    expect(runs).toHaveLength(1);
    runs[0]?.end.resolve(done('one'));
    await flush();
    runs[1]?.end.resolve({ output: '', status: 'failed' });
    await flush();
    expect(prompts).toEqual(['one', 'two', 'three']);
    expect(runs.map(({ run }) => run.run)).toEqual([1, 2, 3]);
    runs[2]?.end.resolve(done('three'));
    await flush();
    expect(handle.snapshot()).toMatchObject({ status: 'completed', output: 'three', run: 3, queueSize: 0 });
  });

  test('M2 the messages of a task are bounded', () => {
    const { manager } = held({ maxMessages: 2 });
    const handle = manager.spawn({ instructions: 'one' });
    handle.send('two');
    handle.send('three');
    expect(refusesUnchanged(manager, 'messages_limit', () => handle.send('four')).details).toMatchObject({ limit: 2 });
  });

  test("W1 a wait for all, and for any, says who has ended and who hasn't", async () => {
    const { manager, runs } = held();
    const [one, two] = [manager.spawn({ instructions: 'one' }), manager.spawn({ instructions: 'two' })];
    const any = manager.wait([one, two.taskId], { mode: 'any' });
    const all = manager.wait([one, two]);
    runs[1]?.end.resolve(done('second'));
    const first = await any;
    expect(first.completed.map((task) => task.taskId)).toEqual([two.taskId]);
    expect(first.pending).toEqual([one.taskId]);
    expect(first).toMatchObject({ unknown: [], timedOut: false });
    expect(await isPending(all)).toBe(true);
    runs[0]?.end.resolve(done('first'));
    const both = await all;
    expect(both.completed.map((task) => task.output)).toEqual(['first', 'second']);
    expect(both).toMatchObject({ pending: [], timedOut: false });
  });

  test('W1 the run that a wait began with is reported, though the next one begins with its end', async () => {
    const { manager, runs } = held();
    const [one, two] = [manager.spawn({ instructions: 'one' }), manager.spawn({ instructions: 'two' })];
    one.send('once more');
    const [each, both] = [manager.wait([one]), manager.wait([one, two])];
    runs[0]?.end.resolve(done('first'));
    const reported = { status: 'completed', stopReason: 'finished', output: 'first', run: 1, question: null };
    expect((await each).completed).toMatchObject([reported]);
    expect(manager.get(one)).toMatchObject({ status: 'running', run: 2 });
    runs[1]?.end.resolve(done('second'));
    expect((await both).completed).toMatchObject([reported, { output: 'second', run: 1 }]);
    runs[2]?.end.resolve(done('again'));
    expect((await manager.wait([one])).completed).toMatchObject([{ output: 'again', run: 2 }]);
  });

  test('W1 an id that is not there is an error for the program', async () => {
    const { manager } = quick();
    await rejects(manager.wait(['sub_00000000000000000000000000000000']), 'unknown_task');
    refusesUnchanged(manager, 'unknown_task', () => manager.get('sub_x'));
  });

  test('W2 with nothing outstanding a wait returns at once', async () => {
    const { manager } = quick();
    expect(await manager.wait([])).toEqual({ completed: [], pending: [], unknown: [], timedOut: false, needsInput: [] });
    const idle = manager.spawn({});
    expect((await manager.wait([idle])).completed.map((task) => task.status)).toEqual(['idle']);
    const ended = manager.spawn({ instructions: 'x' });
    await ended.wait();
    expect((await manager.wait([ended, idle])).completed).toHaveLength(2);
  });

  test('W3 S3.30 a wait ends after 30 s of its own, as data, and touches nothing', async () => {
    const { manager, runs } = held();
    const handle = manager.spawn({ instructions: 'long' });
    const waiting = manager.wait([handle]);
    await pass(29_999);
    expect(await isPending(waiting)).toBe(true);
    await pass(2);
    expect(await waiting).toMatchObject({ completed: [], pending: [handle.taskId], timedOut: true });
    expect(handle.status).toBe('running');
    runs[0]?.end.resolve(done());
    expect((await handle.wait()).status).toBe('completed');
  });

  test('W3 aborting a wait ends the wait and nothing else', async () => {
    const { manager, runs } = held();
    const handle = manager.spawn({ instructions: 'long' });
    const controller = new AbortController();
    const waits = [manager.wait([handle], { signal: controller.signal }), handle.wait({ signal: controller.signal })];
    controller.abort();
    for (const wait of waits) await rejects(wait, 'aborted');
    await rejects(handle.wait({ signal: AbortSignal.abort() }), 'aborted');
    expect(handle.status).toBe('running');
    runs[0]?.end.resolve(done());
    expect((await handle.wait()).status).toBe('completed');
  });

  test("a handle's wait with a deadline rejects with `aborted` when it is over", async () => {
    const { manager } = held();
    const handle = manager.spawn({ instructions: 'long' });
    const waiting = handle.wait({ timeoutMs: 50 });
    waiting.catch(() => undefined);
    await pass(51);
    expect((await rejects(waiting, 'aborted')).details).toMatchObject({ timeoutMs: 50 });
    expect(handle.status).toBe('running');
  });

  test('list pages and filters, parents before children; total counts all pages', async () => {
    const { manager } = quick();
    const handles = ['a', 'b', 'c', 'd'].map((task) => manager.spawn({ instructions: task }));
    await manager.wait(handles);
    manager.spawn({ label: 'idle' });
    expect(manager.list().items.map((task) => task.instructions)).toEqual(['a', 'b', 'c', 'd', '']);
    expect(manager.list({ page: { offset: 1, limit: 2 } })).toMatchObject({
      total: 5,
      items: [{ instructions: 'b' }, { instructions: 'c' }],
    });
    expect(manager.list({ filter: { status: ['idle'] } })).toMatchObject({ total: 1, items: [{ label: 'idle' }] });
    expect(manager.list({ filter: { status: ['failed', 'closed'] } })).toEqual({ total: 0, items: [], nextOffset: null });
    expect(manager.list({ filter: { status: ['idle', 'idle'] } })).toMatchObject({ total: 1, items: [{ label: 'idle' }] });
    expect(manager.list({ page: { offset: 9 } })).toEqual({ total: 5, items: [], nextOffset: null });
    refusesUnchanged(manager, 'invalid_argument', () => manager.list({ filter: { status: ['done' as never] } }));
    for (const page of [{ offset: -1 }, { limit: 1.5 }, { limit: Number.NaN }])
      refusesUnchanged(manager, 'invalid_argument', () => manager.list({ page }));
  });

  test('L8 a forgotten task is gone, what it spent stays; a running one is not forgotten', async () => {
    const { manager } = quick();
    const handle = manager.spawn({ instructions: 'x' });
    refusesUnchanged(manager, 'wrong_status', () => manager.forget(handle));
    await handle.wait();
    const { taskId } = handle;
    manager.forget(handle);
    expect(manager.stats()).toMatchObject({ total: 0, tokensSpent: 10, runsEnded: 1 });
    for (const gone of [() => manager.get(taskId), () => handle.snapshot(), () => handle.status, () => handle.send('more')]) {
      expect(['forgotten', 'unknown_task']).toContain(refusal(gone).code);
    }
    await expect(manager.wait([taskId])).rejects.toBeInstanceOf(SubAgentError);
    expectSums(manager);
  });

  test('L8 retention evicts the oldest ended task', async () => {
    const { manager } = quick({ retain: 2 });
    const handles: Handle[] = [];
    for (const task of ['a', 'b', 'c', 'd']) {
      const handle = manager.spawn({ instructions: task });
      handles.push(handle);
      await handle.wait();
    }
    manager.spawn({ label: 'next' });
    const kept = manager.list({ filter: { status: ['completed'] } }).items.map((task) => task.instructions);
    expect(kept).toEqual(['c', 'd']);
    expect(refusal(() => manager.get(handles[0] as Handle)).code).toBe('forgotten');
    expect(manager.stats()).toMatchObject({ runsEnded: 4, tokensSpent: 40 });
    expectSums(manager);
  });
});

describe('waits for several, and retention (W1, L8)', () => {
  test('ends that retention takes when the wait is over are given back', async () => {
    const { manager, runs } = held({ retain: 1, maxConcurrent: 10 });
    const handles = ['a', 'b', 'c', 'd'].map((task) => manager.spawn({ instructions: task }));
    const wait = manager.wait(handles, { timeoutMs: 1_000 });
    for (const [index, text] of ['one', 'two', 'three'].entries()) {
      runs[index]?.end.resolve(done(text));
      await flush();
    }
    // Until then the wait may be given up, and nobody would have them.
    expect(manager.get(handles[0] as Handle).status).toBe('completed');
    runs[3]?.end.resolve(done('four'));
    const { completed, unknown } = await wait;
    expect(unknown).toEqual([]);
    expect(completed.map(({ output }) => output)).toEqual(['one', 'two', 'three', 'four']);
    expect(manager.stats().total).toBe(1);
  });

  test('also where nothing is retained', async () => {
    const { manager, runs } = held({ retain: 0, maxConcurrent: 10 });
    const handles = ['a', 'b'].map((task) => manager.spawn({ instructions: task }));
    const wait = manager.wait(handles, { timeoutMs: 1_000 });
    for (const [index, text] of ['one', 'two'].entries()) runs[index]?.end.resolve(done(text));
    const { completed, unknown } = await wait;
    expect(unknown).toEqual([]);
    expect(completed.map(({ output, status, instructions }) => [output, status, instructions])).toEqual([
      ['one', 'completed', 'a'],
      ['two', 'completed', 'b'],
    ]);
    expect(completed.every(({ endedAt, usage }) => endedAt !== null && usage.tokens === 10)).toBe(true);
    expect(manager.stats().total).toBe(0);
  });

  test('and those that had ended before it', async () => {
    const { manager } = quick({ retain: 2 });
    const handles = ['a', 'b', 'c', 'd', 'e'].map((task) => manager.spawn({ instructions: task }));
    await flush();
    const { completed, unknown } = await manager.wait(handles);
    expect(unknown).toEqual([]);
    expect(completed.map(({ output }) => output)).toEqual(['did a', 'did b', 'did c', 'did d', 'did e']);
    expect(manager.stats().total).toBe(2);
  });

  test("a model's tool shows them as well", async () => {
    const { manager } = quick({ retain: 1 });
    const { spawn_agent: spawn, wait_agents: wait } = manager.createTools();
    const texts = await Promise.all(['a', 'b', 'c'].map((instructions) => spawn?.execute({ instructions, background: true })));
    const ids = texts.map((text) => /sub_[0-9a-f]+/.exec(String(text))?.[0]);
    await flush();
    const text = await wait?.execute({ agent_ids: ids });
    for (const task of ['a', 'b', 'c']) expect(text).toContain(`did ${task}`);
  });
});

test('T1 how long a run has taken so far is shown as of now, though nothing has happened since', async () => {
  const { manager, runs } = held();
  const task = manager.spawn({ instructions: 'a' });
  const reported = (): unknown[] => [manager.get(task).durationMs, manager.list().items[0]?.durationMs, task.snapshot().durationMs];
  await pass(5_000);
  expect(reported()).toEqual([5_000, 5_000, 5_000]);
  runs[0]?.end.resolve(done());
  await flush();
  await pass(5_000);
  expect(reported()).toEqual([5_000, 5_000, 5_000]);
});

describe('slots and the queue', () => {
  test('D1 D2 beyond `maxConcurrent` work waits, and starts first come, first served', async () => {
    const { manager, runs } = held({ maxConcurrent: 2 });
    const handles = ['a', 'b', 'c', 'd'].map((task) => manager.spawn({ instructions: task }));
    expect(handles.map((handle) => handle.status)).toEqual(['running', 'running', 'pending', 'pending']);
    expect(manager.getConcurrencyInfo()).toEqual({
      ...{ active: 2, limit: 2, queued: 2, queueLimit: 100_000, parked: 0, abandoned: 0 },
      waitingFor: { ...NOTHING_WAITS, slot: 2 },
    });
    expect(manager.canSpawn()).toBe(false);
    expect(manager.stats().canSpawn).toBe(false);
    expectSums(manager);
    runs[1]?.end.resolve(done());
    await flush();
    expect(runs.map(({ run }) => run.prompt)).toEqual(['a', 'b', 'c']);
    runs[0]?.end.resolve(done());
    await flush();
    expect(runs.map(({ run }) => run.prompt)).toEqual(['a', 'b', 'c', 'd']);
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 2, queued: 0 });
    for (const { end } of runs) end.resolve(done());
    await flush();
    expect(manager.canSpawn()).toBe(true);
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0 });
  });

  test('D2 a higher priority goes first', async () => {
    const { manager, runs } = held({ maxConcurrent: 1 });
    manager.spawn({ instructions: 'running' });
    manager.spawn({ instructions: 'low' });
    manager.spawn({ instructions: 'high', priority: 5 });
    runs[0]?.end.resolve(done());
    await flush();
    expect(runs[1]?.run.prompt).toBe('high');
  });

  test("D2 with onLimit 'reject' a spawn at the limit is refused, naming active and limit", () => {
    const { manager } = held({ maxConcurrent: 1, onLimit: 'reject' });
    manager.spawn({ instructions: 'a' });
    const error = refusesUnchanged(manager, 'concurrency_limit', () => manager.spawn({ instructions: 'b' }));
    expect(error.details).toMatchObject({ active: 1, limit: 1 });
    expect(error.message).toContain('maxConcurrent');
  });

  test('D1 the queue, the width and the number of tasks are bounded, each naming its option', () => {
    const queue = held({ maxConcurrent: 1, maxQueued: 1 }).manager;
    queue.spawn({ instructions: 'a' });
    queue.spawn({ instructions: 'b' });
    expect(refusesUnchanged(queue, 'queue_full', () => queue.spawn({ instructions: 'c' })).message).toContain('maxQueued');
    const width = held({ maxChildren: 2, maxDepth: 2 });
    width.manager.spawn({ instructions: 'a' });
    const lead = width.runs[0]?.run as Run;
    lead.spawn({ instructions: 'b' });
    lead.spawn({ instructions: 'c' });
    expect(refusesUnchanged(width.manager, 'children_limit', () => lead.spawn({ instructions: 'd' })).message).toContain('maxChildren');
    const tasks = held({ maxTasks: 1 }).manager;
    tasks.spawn({ instructions: 'a' });
    expect(refusesUnchanged(tasks, 'tasks_limit', () => tasks.spawn({ instructions: 'b' })).message).toContain('maxTasks');
  });

  test('D3 canSpawn is about starting at once: spawn may still queue', () => {
    const { manager } = held({ maxConcurrent: 1 });
    expect(manager.canSpawn()).toBe(true);
    manager.spawn({ instructions: 'a' });
    expect(manager.canSpawn()).toBe(false);
    expect(manager.spawn({ instructions: 'b' }).status).toBe('pending');
  });

  test('an idle task holds no slot and is no open child', () => {
    const { manager } = held({ maxConcurrent: 1, maxChildren: 1 });
    manager.spawn({ label: 'idle' });
    manager.spawn({ label: 'idle too' });
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, queued: 0 });
    expect(manager.canSpawn()).toBe(true);
  });
});

describe('the gate of the host', () => {
  test('D5 it is asked with the very parameters, before admission; its reason is the error', () => {
    const asked: unknown[] = [];
    const { manager } = quick({
      checkConsumerSpawn: (params) => {
        asked.push(params);
        return { allowed: params.instructions !== 'no', reason: 'not on my watch' };
      },
    });
    const params = { instructions: 'no' };
    const error = refusesUnchanged(manager, 'invalid_argument', () => manager.spawn({ instructions: 1 } as never));
    expect(error.message).toContain('instructions');
    manager.spawn({ instructions: 'yes' });
    expect(refusesUnchanged(manager, 'spawn_denied', () => manager.spawn(params))).toMatchObject({
      message: expect.stringContaining('not on my watch'),
      details: { reason: 'not on my watch' },
    });
    expect(asked.at(-1)).toBe(params);
    expect(manager.checkConsumerSpawn(params)).toEqual({ allowed: false, reason: 'not on my watch' });
    expect(manager.checkConsumerSpawn({ instructions: 'yes' })).toEqual({ allowed: true });
  });

  test.each<[string, () => unknown]>([
    [
      'a throw',
      () => {
        throw new Error('closed today');
      },
    ],
    [
      'a throw of nothing',
      () => {
        throw undefined;
      },
    ],
    ['a promise', () => Promise.resolve({ allowed: true })],
    ['a rejected promise', () => Promise.reject(new Error('late'))],
    ['nothing', () => undefined],
    ['null', () => null],
    ['a boolean', () => true],
    ['no boolean', () => ({ allowed: 'yes' })],
    ['a number', () => ({ allowed: 1 })],
    [
      'a getter that throws',
      () => ({
        get allowed() {
          throw new Error('hm');
        },
      }),
    ],
    [
      'a revoked proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
  ])('D5 %s refuses', async (_, gate) => {
    const { manager, use } = quick({ checkConsumerSpawn: gate as never });
    refusesUnchanged(manager, 'spawn_denied', () => manager.spawn({ instructions: 'x' }));
    expect(manager.checkConsumerSpawn({ instructions: 'x' })).toMatchObject({ allowed: false });
    await flush();
    expect(use).toBeTypeOf('function');
    expect(manager.stats().total).toBe(0);
  });

  test('without a gate everything is allowed (S2.20)', () => {
    expect(quick().manager.checkConsumerSpawn({ instructions: 'x' })).toEqual({ allowed: true });
  });

  test('a gate may use the manager, also to spawn or to dispose', async () => {
    let depth = 0;
    const made: { manager?: SubAgentManager } = {};
    const { manager } = quick({
      checkConsumerSpawn: (params) => {
        depth += 1;
        if (params.instructions === 'outer') made.manager?.spawn({ instructions: 'inner' });
        if (params.instructions === 'end') made.manager?.dispose();
        return { allowed: true };
      },
    });
    made.manager = manager;
    const outer = manager.spawn({ instructions: 'outer' });
    expect(depth).toBe(2);
    expect((await outer.wait()).output).toBe('did outer');
    expect(manager.list().items.map((task) => [task.instructions, task.output])).toEqual([
      ['inner', 'did inner'],
      ['outer', 'did outer'],
    ]);
    expect(refusal(() => manager.spawn({ instructions: 'end' })).code).toBe('disposed');
  });
});

describe('budget', () => {
  test('B3 a run starts with a hold of its whole cap; B6 the end books what was used', async () => {
    const { manager, runs } = held({ budget: { tokens: 30_000 }, taskBudget: { tokens: 10_000 } });
    const handle = manager.spawn({ instructions: 'a' });
    expect(manager.stats()).toMatchObject({ tokensReserved: 10_000, tokensSpent: 0, tokensRemaining: 20_000 });
    expect(handle.snapshot().budget.tokens).toMatchObject({ cap: 10_000, spent: 0, reserved: 10_000, overspent: 0 });
    runs[0]?.end.resolve({ output: 'x', usage: { tokens: 1_234, turns: 3, cost: 0.25 } });
    await flush();
    expect(manager.stats()).toMatchObject({
      tokensReserved: 0,
      tokensSpent: 1_234,
      tokensRemaining: 28_766,
      costSpentUsd: 0.25,
      turnsSpent: 3,
    });
    expect(handle.snapshot().budget.tokens).toEqual({ cap: 10_000, spent: 1_234, reserved: 0, available: 8_766, overspent: 0 });
    expect(manager.get(handle).budget.costUsd).toMatchObject({ cap: Number.POSITIVE_INFINITY, spent: 0.25 });
  });

  test('B6 what was used is booked, past the cap if that is the truth', async () => {
    const { manager, runs } = held({ budget: { tokens: 5_000 } });
    const handle = manager.spawn({ instructions: 'a' });
    runs[0]?.end.resolve({ output: 'x', usage: { tokens: 7_000 } });
    expect((await handle.wait()).usage.tokens).toBe(7_000);
    expect(manager.stats()).toMatchObject({ tokensSpent: 7_000, tokensRemaining: 0 });
    const error = refusesUnchanged(manager, 'budget_exhausted', () => manager.spawn({ instructions: 'b' }));
    expect(error.message).toBe(
      "0 tokens of the manager's budget remain, one turn needs 1000 (`turnEstimate`); `budget.tokens` or `addBudget` raises it",
    );
    expect(error.details).toEqual({ remaining: 0, needed: 1_000, unit: 'tokens', option: 'budget.tokens' });
    expect(manager.canSpawn()).toBe(false);
  });

  test('B5 where budget is only held the run waits for it, and starts when it comes back', async () => {
    const { manager, runs } = held({ budget: { tokens: 10_000 }, taskBudget: { tokens: 10_000 } });
    manager.spawn({ instructions: 'a' });
    const second = manager.spawn({ instructions: 'b' });
    expect(second.status).toBe('pending');
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, queued: 1 });
    expect(manager.canSpawn()).toBe(false);
    runs[0]?.end.resolve({ output: 'x', usage: { tokens: 100 } });
    await flush();
    expect(second.status).toBe('running');
    expect(second.snapshot().budget.tokens.reserved).toBe(9_900);
    runs[1]?.end.resolve(done());
    expect((await second.wait()).status).toBe('completed');
  });

  test('B5 queued work whose budget was spent meanwhile ends failed, its host never called', async () => {
    const { manager, runs } = held({ budget: { tokens: 10_000 }, taskBudget: { tokens: 10_000 } });
    manager.spawn({ instructions: 'a' });
    const second = manager.spawn({ instructions: 'b' });
    runs[0]?.end.resolve({ output: 'x', usage: { tokens: 9_999 } });
    const result = await settles(second.wait());
    expect(result).toMatchObject({ status: 'failed', stopReason: 'budget_exhausted', started: false });
    expect(runs).toHaveLength(1);
    expect(manager.stats()).toMatchObject({ failed: 1, pending: 0, tokensReserved: 0 });
  });

  test('B1 addBudget raises the cap of the manager, and of one sub-agent', async () => {
    const { manager, runs } = held({ budget: { tokens: 5_000 }, taskBudget: { tokens: 10_000 } });
    const handle = manager.spawn({ instructions: 'a' });
    runs[0]?.end.resolve({ output: 'x', usage: { tokens: 5_000 } });
    await flush();
    refusesUnchanged(manager, 'budget_exhausted', () => manager.spawn({ instructions: 'b' }));
    manager.addBudget({ tokens: 3_000 });
    expect(manager.stats().tokensRemaining).toBe(3_000);
    expect(manager.spawn({ instructions: 'b' }).status).toBe('running');
    manager.addBudget({ tokens: 1_000 }, handle);
    expect(handle.snapshot().budget.tokens.cap).toBe(11_000);
    for (const wrong of [{ tokens: 0 }, { tokens: Number.NaN }, { costUsd: -1 }, { cents: 1 }, null]) {
      refusesUnchanged(manager, 'invalid_argument', () => manager.addBudget(wrong as never));
    }
    refusesUnchanged(manager, 'unknown_task', () => manager.addBudget({ tokens: 1 }, 'sub_none'));
  });

  test('B1 money and turns are capped too', async () => {
    const { manager, runs } = held({ budget: { costUsd: 1, turns: 5 } });
    const handle = manager.spawn({ instructions: 'a', maxCost: 0.5, budget: { turns: 2 } });
    expect(handle.snapshot().budget).toMatchObject({ costUsd: { cap: 0.5 }, turns: { cap: 2 } });
    runs[0]?.end.resolve({ output: 'x', usage: { tokens: 1, cost: 0.1 + 0.2, turns: 5 } });
    await flush();
    expect(handle.snapshot().budget).toMatchObject({ costUsd: { spent: 0.3 }, turns: { spent: 5, overspent: 3 } });
    expect(refusesUnchanged(manager, 'budget_exhausted', () => manager.spawn({ instructions: 'b' })).message).toContain('turns');
  });

  test('B7 a dimension left out is marked unknown; an invalid one books the hold and is marked', async () => {
    const { manager, runs } = held();
    const unknown = manager.spawn({ instructions: 'a' });
    runs[0]?.end.resolve({ output: 'x' });
    const nothing = { tokens: 0, costUsd: 0, turns: 0, ...NO_KINDS, unknown: ['tokens', 'costUsd', 'turns'], invalid: [] };
    expect((await unknown.wait()).usage).toEqual(nothing);
    const invalid = manager.spawn({ instructions: 'b', budget: { tokens: 4_000 } });
    runs[1]?.end.resolve({ output: 'x', usage: { tokens: Number.NaN, turns: 1, cost: 0 } });
    expect((await invalid.wait()).usage).toMatchObject({ tokens: 4_000, invalid: ['tokens'], unknown: [] });
    expect(manager.stats().tokensSpent).toBe(4_000);
    expect(manager.get(invalid).usage).toMatchObject({ tokens: 4_000, invalid: ['tokens'] });
  });
});

describe('cancelling', () => {
  test('C1 cancel resolves when the host has returned; L5 what it returns then is the partial output', async () => {
    const { manager, runs } = held();
    const handle = manager.spawn({ instructions: 'a' });
    const { signal } = runs[0]?.run ?? {};
    const cancelling = handle.cancel();
    expect(signal?.aborted).toBe(true);
    expect(handle.snapshot()).toMatchObject({ status: 'running', cancelRequested: true });
    expect(manager.getConcurrencyInfo().active).toBe(1);
    expect(await isPending(cancelling)).toBe(true);
    runs[0]?.end.resolve(done('as far as I came'));
    await cancelling;
    expect(await handle.wait()).toMatchObject({ status: 'cancelled', stopReason: 'cancelled', output: 'as far as I came', partial: true });
    expect(manager.stats()).toMatchObject({ cancelled: 1, running: 0 });
  });

  test('C1 what is queued is settled at once, its host never called', async () => {
    const { manager, runs } = held({ maxConcurrent: 1 });
    manager.spawn({ instructions: 'a' });
    const queued = manager.spawn({ instructions: 'b' });
    await settles(queued.cancel(), 0);
    expect(await queued.wait()).toMatchObject({ status: 'cancelled', started: false, output: '' });
    expect(runs).toHaveLength(1);
  });

  test('C1 after `graceMs` it ends without its host, which keeps its slot until `abandonMs` (S4)', async () => {
    const { manager, use, runs } = held({ graceMs: 100, abandonMs: 1_000 });
    const handle = manager.spawn({ instructions: 'deaf' });
    const waiting = handle.wait();
    const cancelling = handle.cancel();
    await pass(101);
    await settles(cancelling, 0);
    expect(await waiting).toMatchObject({ status: 'cancelled', hostStillRunning: true, output: '' });
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, abandoned: 0 });
    await pass(1_000);
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 1 });
    runs[0]?.end.resolve(done('late'));
    await flush();
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 0 });
    expect(handle.snapshot()).toMatchObject({ status: 'cancelled', lateResult: 'late', output: '' });
    await expectSound({ manager, use });
  });

  test('C1 `hostStillRunning` is reported to whoever waits after the end, too', async () => {
    const { manager, runs } = held({ graceMs: 100 });
    const handle = manager.spawn({ instructions: 'deaf' });
    await settles(handle.cancel());
    const late = await handle.wait();
    runs[0]?.end.resolve(done());
    expect(late.hostStillRunning).toBe(true);
  });

  test('C2 cancelling is idempotent, and never changes an end', async () => {
    const { manager, runs } = held({ graceMs: 1_000 });
    const handle = manager.spawn({ instructions: 'a' });
    const both = Promise.all([handle.cancel(), manager.cancel(handle.taskId)]);
    runs[0]?.end.resolve(done('partial'));
    await both;
    const before = await handle.wait();
    await handle.cancel();
    expect(await handle.wait()).toMatchObject({ status: before.status, output: before.output });
    const completed = manager.spawn({ instructions: 'b' });
    runs[1]?.end.resolve(done('b'));
    await completed.wait();
    await manager.cancel(completed);
    expect(completed.status).toBe('completed');
  });

  test('C4 an outer signal cancels', async () => {
    const { manager, runs } = held({ graceMs: 0 });
    const controller = new AbortController();
    const handle = manager.spawn({ instructions: 'a', signal: controller.signal });
    controller.abort();
    expect(await settles(handle.wait())).toMatchObject({ status: 'cancelled', stopReason: 'signal_aborted' });
    for (const { end } of runs) end.resolve(done());
    await flush();
    expect(manager.getConcurrencyInfo().active).toBe(0);
  });

  /** A signal of the platform's that says how many listen to it, and how many at most did at once. */
  function longLived() {
    const controller = new AbortController();
    const { signal } = controller;
    const listeners = (): number => getEventListeners(signal, 'abort').length;
    let most = 0;
    const { addEventListener } = EventTarget.prototype;
    vi.spyOn(EventTarget.prototype, 'addEventListener').mockImplementation(function (this: EventTarget, ...given) {
      addEventListener.apply(this, given);
      most = Math.max(most, listeners());
    });
    return { controller, signal, listeners, most: () => most };
  }
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('an outer signal is let go when the run has ended', async () => {
    const { manager } = quick();
    const { listeners, signal } = longLived();
    const handle = manager.spawn({ instructions: 'a', signal });
    expect(listeners()).toBe(1);
    await handle.wait();
    expect(listeners()).toBe(0);
  });

  test('C4 an outer signal of a sub-agent that was spawned idle cancels any of its runs', async () => {
    const { manager, runs } = held({ graceMs: 0 });
    const { controller, signal } = longLived();
    const handle = manager.spawn({ signal });
    handle.send('one');
    runs[0]?.end.resolve(done());
    await flush();
    handle.send('two');
    controller.abort();
    expect(await settles(handle.wait())).toMatchObject({ run: 2, status: 'cancelled', stopReason: 'signal_aborted' });
  });

  test.each<[string, (made: ReturnType<typeof held>, signal: AbortSignal) => unknown]>([
    ['it is closed', ({ manager }, signal) => manager.spawn({ signal }).close()],
    [
      'it is closed as soon as it is there',
      ({ manager }, signal) => {
        const stop = manager.subscribe((event) => {
          if (event.type === 'task_admitted') manager.close(event.taskId as string);
        });
        manager.spawn({ signal });
        stop();
      },
    ],
    [
      'it is forgotten',
      async ({ manager }, signal) => {
        const handle = manager.spawn({ signal });
        await handle.cancel();
        manager.forget(handle);
      },
    ],
    [
      'the one above it is closed',
      async ({ manager, runs }, signal) => {
        const above = manager.spawn({ instructions: 'above' });
        const below = runs[0]?.run.spawn({ signal, background: true });
        await above.close({ graceMs: 0 });
        expect(below?.status).toBe('closed');
      },
    ],
    [
      'its session is closed',
      ({ manager }, signal) => {
        const session = manager.session('s');
        session.spawn({ signal });
        return session.close();
      },
    ],
    [
      'its place is another one’s',
      async ({ manager }, signal) => {
        const handle = manager.spawn({});
        await handle.cancel();
        manager.forget(handle);
        return manager.spawn({ signal }).close();
      },
    ],
    [
      'a listener disposes the manager as soon as it is there',
      ({ manager }, signal) => {
        manager.subscribe(() => manager.dispose());
        manager.spawn({ signal });
      },
    ],
    [
      'so it does where it waits for its slot',
      ({ manager }, signal) => {
        for (const task of ['a', 'b', 'c']) manager.spawn({ instructions: task });
        manager.subscribe(() => manager.dispose());
        manager.spawn({ instructions: 'd', signal });
      },
    ],
    [
      'the manager is disposed',
      ({ manager }, signal) => {
        manager.spawn({ signal });
        manager.dispose();
      },
    ],
  ])('the outer signal of an idle sub-agent is let go when %s', async (_, end) => {
    const made = held({ maxDepth: 2 });
    const { listeners, most, signal } = longLived();
    await settles(Promise.resolve(end(made, signal)));
    expect([most(), listeners()]).toEqual([1, 0]);
  });

  test('cancelAll cancels everything and resolves when nothing runs', async () => {
    const { manager, runs } = held({ maxConcurrent: 2, graceMs: 1_000 });
    const handles = ['a', 'b', 'c'].map((task) => manager.spawn({ instructions: task }));
    const cancelling = manager.cancelAll();
    for (const { end } of runs) end.resolve(done());
    await settles(cancelling, 0);
    expect(handles.map((handle) => handle.status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect(manager.stats()).toMatchObject({ cancelled: 3, running: 0, pending: 0 });
    await settles(manager.cancelAll(), 0);
  });

  test.each([-1, Number.NaN, '5', 5n, null])('a `graceMs` of %s is an error, and cancels nothing', async (graceMs) => {
    const { manager } = held();
    const handle = manager.spawn({ instructions: 'a' });
    const options = { graceMs } as never;
    const ways: (() => Promise<unknown>)[] = [
      () => handle.cancel(options),
      () => manager.cancel(handle, options),
      () => manager.cancelAll(options),
    ];
    for (const cancel of ways) {
      await rejects(Promise.resolve().then(cancel), 'invalid_argument');
    }
    expect(handle.snapshot()).toMatchObject({ status: 'running', cancelRequested: false });
  });

  test('`graceMs` of a cancel is its own', async () => {
    const { manager } = held({ graceMs: 60_000 });
    const handle = manager.spawn({ instructions: 'deaf' });
    const cancelling = handle.cancel({ graceMs: 10 });
    await pass(11);
    await settles(cancelling, 0);
    expect(handle.snapshot()).toMatchObject({ status: 'cancelled' });
  });
});

describe('deadlines', () => {
  test('T1 `timeoutMs` asks to wrap up, `graceMs` later it is aborted, then it ends without its host', async () => {
    const { manager, runs, use } = held({ timeoutMs: 1_000, graceMs: 100, abandonMs: 500 });
    const handle = manager.spawn({ instructions: 'slow' });
    const { run } = runs[0] as (typeof runs)[number];
    await pass(999);
    expect(await run.beforeTurn()).toMatchObject({ go: true });
    expect(await run.beforeTurn()).not.toHaveProperty('wrapUp');
    await pass(2);
    expect(run.signal.aborted).toBe(false);
    expect(await run.beforeTurn()).toMatchObject({ go: true, wrapUp: true, reason: 'timeout' });
    await pass(100);
    expect(run.signal.aborted).toBe(true);
    expect(run.signal.reason).toMatchObject({ code: 'aborted', details: { reason: 'timeout' } });
    const result = await settles(handle.wait());
    expect(result).toMatchObject({ status: 'timed_out', stopReason: 'timeout', hostStillRunning: true });
    await pass(1_000);
    runs[0]?.end.resolve(done('late'));
    await flush();
    expect(handle.snapshot().lateResult).toBe('late');
    await expectSound({ manager, use });
  });

  test('L4 a run that ends after it was asked to wrap up is timed out, its output partial', async () => {
    const { manager, runs } = held({ timeoutMs: 1_000 });
    const handle = manager.spawn({ instructions: 'slow' });
    await pass(1_001);
    runs[0]?.end.resolve(done('what I have'));
    expect(await handle.wait()).toMatchObject({ status: 'timed_out', stopReason: 'timeout', partial: true, output: 'what I have' });
  });

  test('T1 the time in the queue never counts', async () => {
    const { manager, runs } = held({ maxConcurrent: 1, timeoutMs: 1_000, graceMs: 100 });
    manager.spawn({ instructions: 'first' });
    const second = manager.spawn({ instructions: 'second' });
    await pass(900);
    runs[0]?.end.resolve(done());
    await flush();
    await pass(900);
    expect(second.status).toBe('running');
    runs[1]?.end.resolve(done());
    expect((await second.wait()).status).toBe('completed');
  });

  test('T2 a silent run is stopped after `idleTimeoutMs`, counted from its first report', async () => {
    const { manager, runs } = held({ idleTimeoutMs: 1_000, timeoutMs: 100_000, graceMs: 100 });
    const never = manager.spawn({ instructions: 'never reports' });
    const silent = manager.spawn({ instructions: 'falls silent' });
    await pass(2_000);
    expect([never.status, silent.status]).toEqual(['running', 'running']);
    runs[1]?.run.report({ message: 'hello' });
    await pass(900);
    runs[1]?.run.report({ tokens: 5 });
    await pass(900);
    expect(silent.status).toBe('running');
    await pass(101);
    expect(runs[1]?.run.signal.aborted).toBe(true);
    expect(await settles(silent.wait())).toMatchObject({ status: 'timed_out', stopReason: 'idle_timeout', output: 'hello', partial: true });
    expect(never.status).toBe('running');
  });

  test('T3 a jump forward fires what is due once', async () => {
    const { manager } = held({ timeoutMs: 1_000, graceMs: 100, abandonMs: 100 });
    const handle = manager.spawn({ instructions: 'slow' });
    const ends: SubAgentEvent[] = [];
    manager.subscribe((event) => {
      if (event.type === 'run_ended') ends.push(event);
    });
    await pass(1_000_000);
    expect(handle.status).toBe('timed_out');
    expect(manager.stats()).toMatchObject({ timedOut: 1, runsEnded: 1 });
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 1 });
    expect(ends).toHaveLength(1);
  });

  test('S4 `maxAbandoned` says why nothing starts any more, and which option helps', async () => {
    const errors: unknown[] = [];
    const limits = { maxAbandoned: 1, maxQueued: 1, graceMs: 0, abandonMs: 1 };
    const { manager, runs } = held({ ...limits, onError: (error) => errors.push(error) });
    void manager.spawn({ instructions: 'a' }).cancel();
    await pass(10);
    const message =
      '1 abandoned host function is still running, so nothing starts until one returns or its sub-agent is forgotten; `maxAbandoned` raises it';
    expect(errors).toEqual([expect.objectContaining({ code: 'abandoned_limit', message, details: { limit: 1, option: 'maxAbandoned' } })]);
    manager.spawn({ instructions: 'b' });
    expect(refusesUnchanged(manager, 'abandoned_limit', () => manager.spawn({ instructions: 'c' })).message).toBe(message);
    runs[0]?.end.resolve(done());
    await flush();
    expect(manager.spawn({ instructions: 'c' }).status).toBe('running');
    const { manager: rejecting } = held({ ...limits, onLimit: 'reject' });
    void rejecting.spawn({ instructions: 'a' }).cancel();
    await pass(10);
    refusesUnchanged(rejecting, 'abandoned_limit', () => rejecting.spawn({ instructions: 'b' }));
  });

  test('S4 `maxAbandoned` host functions that never returned stop new starts; one that returns lets them go on', async () => {
    const { manager, runs } = held({ maxAbandoned: 2, graceMs: 0, abandonMs: 1 });
    for (const task of ['a', 'b']) void manager.spawn({ instructions: task }).cancel();
    await pass(10);
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 2 });
    expect(manager.canSpawn()).toBe(false);
    const waiting = manager.spawn({ instructions: 'c' });
    expect(waiting.status).toBe('pending');
    runs[0]?.end.resolve(done('late'));
    await flush();
    expect(waiting.status).toBe('running');
    runs[2]?.end.resolve(done());
    expect((await waiting.wait()).status).toBe('completed');
  });
});

describe('events', () => {
  test('every event of a run comes, in order, numbered without gaps', async () => {
    const { manager } = quick();
    const events: SubAgentEvent[] = [];
    const stop = manager.subscribe((event) => events.push(event));
    const handle = manager.spawn({ instructions: 'x' });
    await handle.wait();
    const types = events.map((event) => event.type);
    expect(types[0]).toBe('task_admitted');
    expect(types.indexOf('run_started')).toBeGreaterThan(0);
    expect(types.indexOf('run_ended')).toBeGreaterThan(types.indexOf('run_started'));
    const numbers = events.map((event) => event.seq);
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index));
    expect(events[0]).toMatchObject({
      taskId: handle.taskId,
      text: 'x',
      background: false,
      cap: { tokens: Number.POSITIVE_INFINITY, costUsd: Number.POSITIVE_INFINITY },
    });
    expect(() => JSON.stringify(events)).not.toThrow();
    stop();
    const count = events.length;
    await manager.spawn({ instructions: 'y' }).wait();
    expect(events).toHaveLength(count);
  });

  test('they have no gap either where something happens before the first spawn', async () => {
    const { manager } = quick();
    const numbers: number[] = [];
    const others: number[] = [];
    manager.subscribe(({ seq }) => numbers.push(seq));
    manager.session('s');
    await manager.spawn({ instructions: 'x' }).wait();
    const known = numbers.length;
    manager.subscribe(({ seq }) => others.push(seq));
    await manager.spawn({ instructions: 'y' }).wait();
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index));
    expect(others).toEqual(numbers.slice(known));
  });

  test('whoever listens again goes on with the number that follows', async () => {
    const { manager } = quick();
    const numbers: number[] = [];
    const listen = (): (() => void) => manager.subscribe(({ seq }) => numbers.push(seq));
    let stop = listen();
    manager.session('s');
    for (const task of ['x', 'y']) {
      await manager.spawn({ instructions: task }).wait();
      stop();
      stop = listen();
    }
    manager.session('t');
    expect(numbers).toEqual(numbers.map((_, index) => (numbers[0] as number) + index));
  });

  test('a listener gets what happens from its subscription on, and nothing of the step that it was made in', async () => {
    const others: SubAgentEvent[] = [];
    const { manager, use } = quick();
    manager.subscribe((event) => {
      if (event.type === 'task_admitted' && others.length === 0) manager.subscribe((other) => others.push(other));
    });
    await manager.spawn({ instructions: 'x' }).wait();
    expect(others.map(({ type }) => type)).not.toContain('task_admitted');
    expect(others.map(({ type }) => type)).toContain('run_ended');
    const late: SubAgentEvent[] = [];
    use((_, run) => {
      if (run.prompt === 'y') manager.subscribe((event) => late.push(event));
      return done();
    });
    const handle = manager.spawn({ instructions: 'y' });
    await handle.wait();
    expect(late.map(({ type }) => type)).not.toContain('run_started');
    expect(late.map(({ type }) => type)).toContain('run_ended');
  });

  test('a refused request makes no event', () => {
    const { manager } = quick({ maxConcurrent: 1, onLimit: 'reject' });
    const events: SubAgentEvent[] = [];
    manager.spawn({ instructions: 'x' });
    manager.subscribe((event) => events.push(event));
    refusesUnchanged(manager, 'concurrency_limit', () => manager.spawn({ instructions: 'y' }));
    expect(events).toEqual([]);
  });

  test('a listener that throws harms nobody; `onError` gets what it threw', async () => {
    const errors: unknown[] = [];
    const { manager } = quick({ onError: (error) => errors.push(error) });
    const seen: string[] = [];
    manager.subscribe(() => {
      throw 'oh';
    });
    manager.subscribe((event) => seen.push(event.type));
    expect((await manager.spawn({ instructions: 'x' }).wait()).status).toBe('completed');
    expect(seen).toContain('run_started');
    expect(errors).toHaveLength(seen.length);
    expect(errors[0]).toBe('oh');
  });

  test('a listener may call back: spawn, cancel, unsubscribe, dispose', async () => {
    const { manager } = quick();
    let spawned: Handle | undefined;
    const stop = manager.subscribe((event) => {
      if (event.type !== 'run_started' || spawned !== undefined) return;
      spawned = manager.spawn({ instructions: 'from a listener' });
      stop();
    });
    await manager.spawn({ instructions: 'x' }).wait();
    expect((await (spawned as Handle | undefined)?.wait())?.output).toBe('did from a listener');
    manager.subscribe(() => manager.dispose());
    expect(() => manager.spawn({ instructions: 'last' })).not.toThrow();
    expect(refusal(() => manager.stats()).code).toBe('disposed');
  });

  test('the same function subscribed twice is called twice, and each subscription ends on its own', async () => {
    const { manager } = quick();
    let calls = 0;
    const listener = (event: SubAgentEvent): void => {
      if (event.type === 'task_admitted') calls += 1;
    };
    const first = manager.subscribe(listener);
    manager.subscribe(listener);
    manager.spawn({ instructions: 'x' });
    expect(calls).toBe(2);
    first();
    first();
    manager.spawn({ instructions: 'y' });
    expect(calls).toBe(3);
    refusesUnchanged(manager, 'invalid_argument', () => manager.subscribe('log' as never));
  });

  test('events that begin in the middle of a batch are numbered as those before would have been', async () => {
    const events: SubAgentEvent[] = [];
    const { manager } = managerWith((_, run) => {
      if (run.prompt === 'x') manager.subscribe((event) => events.push(event));
      return done();
    });
    opened.push(manager);
    await manager.spawn({ instructions: 'x' }).wait();
    await manager.spawn({ instructions: 'y' }).wait();
    expect(events.at(-1)?.seq).toBe(coreOf(manager).factCount());
  });

  // `listen(false)` (src/) leaves the facts of the batch so far in the buffer; the next listener gets them, numbered from
  // where the count stands by then (ts/api/runtime.ts, subscribe).
  test('a listener that comes after another has gone, in the middle of a batch, gets its own events, numbered rightly', async () => {
    const events: SubAgentEvent[] = [];
    let stop = (): void => undefined;
    const { manager } = managerWith((_, run) => {
      if (run.prompt === 'x') {
        stop();
        manager.subscribe((event) => events.push(event));
      }
      return done();
    });
    opened.push(manager);
    stop = manager.subscribe(() => undefined);
    await manager.spawn({ instructions: 'x' }).wait();
    await manager.spawn({ instructions: 'y' }).wait();
    expect(events.at(-1)?.seq).toBe(coreOf(manager).factCount());
  });
});

describe('draining', () => {
  test('D8 it refuses spawns, lets what runs end and cancels what is queued', async () => {
    const { manager, runs } = held({ maxConcurrent: 1 });
    const running = manager.spawn({ instructions: 'a' });
    const queued = manager.spawn({ instructions: 'b' });
    const draining = manager.drain();
    expect(await isPending(draining)).toBe(true);
    refusesUnchanged(manager, 'draining', () => manager.spawn({ instructions: 'c' }));
    expect(manager.canSpawn()).toBe(false);
    expect(await queued.wait()).toMatchObject({ status: 'cancelled', stopReason: 'drained', started: false });
    runs[0]?.end.resolve(done());
    expect(await settles(draining)).toMatchObject({ cancelled: 1, stillRunning: 0, timedOut: false });
    expect(running.status).toBe('completed');
  });

  test('D8 it counts what ended by itself apart from what it cancelled in the queue', async () => {
    const { manager, runs } = held({ maxConcurrent: 1 });
    manager.spawn({ instructions: 'a' });
    manager.spawn({ instructions: 'b' });
    const draining = manager.drain();
    runs[0]?.end.resolve(done());
    expect(await settles(draining)).toMatchObject({ ended: 1, cancelled: 1 });
  });

  test('D8 messages that wait for the end of a run start none', async () => {
    const { manager, runs } = held();
    const task = manager.spawn({ instructions: 'a' });
    task.send('and then this');
    const draining = manager.drain();
    runs[0]?.end.resolve(done());
    expect(await settles(draining)).toMatchObject({ ended: 1, cancelled: 0, stillRunning: 0 });
    expect(runs).toHaveLength(1);
    expect(manager.get(task)).toMatchObject({ status: 'completed', run: 1, undelivered: ['and then this'] });
  });

  test('D8 it refuses spawns from the call on', () => {
    const { manager } = held();
    manager.drain().catch(() => undefined);
    expect(refusal(() => manager.spawn({ instructions: 'x' })).code).toBe('draining');
  });

  test('D8 after `timeoutMs` it cancels the rest and says what is still running', async () => {
    const { manager } = held({ graceMs: 100 });
    manager.spawn({ instructions: 'deaf' });
    const draining = manager.drain({ timeoutMs: 1_000 });
    expect(await settles(draining)).toEqual({ ended: 0, cancelled: 1, stillRunning: 1, timedOut: true });
  });

  test('D8 with a `timeoutMs` of 0 it cancels at once', async () => {
    const { manager } = held({ graceMs: 0 });
    const running = manager.spawn({ instructions: 'a' });
    expect(await settles(manager.drain({ timeoutMs: 0 }), 0)).toMatchObject({ ended: 0, cancelled: 1, timedOut: true });
    expect(running.snapshot()).toMatchObject({ status: 'cancelled', stopReason: 'drained' });
  });

  test('D8 a second call joins the first and may only shorten it', async () => {
    const { manager } = held({ graceMs: 0 });
    manager.spawn({ instructions: 'deaf' });
    const first = manager.drain({ timeoutMs: 10_000 });
    const longer = manager.drain({ timeoutMs: 100_000 });
    const shorter = manager.drain({ timeoutMs: 100 });
    await pass(200);
    const [one, two, three] = await Promise.all([settles(first, 0), settles(longer, 0), settles(shorter, 0)]);
    expect(one).toEqual(two);
    expect(two).toEqual(three);
    expect(one).toMatchObject({ timedOut: true });
  });

  test('D8 with nothing to do it resolves at once', async () => {
    const { manager } = quick();
    expect(await settles(manager.drain(), 0)).toEqual({ ended: 0, cancelled: 0, stillRunning: 0, timedOut: false });
    expect(refusal(() => manager.spawn({ instructions: 'x' })).code).toBe('draining');
    await rejects(manager.drain({ timeoutMs: -1 }), 'invalid_argument');
  });

  test('disposing rejects a drain', async () => {
    const { manager } = held();
    manager.spawn({ instructions: 'deaf' });
    const draining = manager.drain();
    draining.catch(() => undefined);
    await flush();
    manager.dispose();
    await rejects(settles(draining, 0), 'disposed');
  });
});

describe('disposing', () => {
  test('C4 it fires the signals, rejects what is pending, refuses what comes after, and may be repeated', async () => {
    const { manager, runs } = held();
    const handle = manager.spawn({ instructions: 'a' });
    const { taskId } = handle;
    const { run } = runs[0] as (typeof runs)[number];
    const { signal } = run;
    const waits = [handle.wait(), manager.wait([handle]), handle.cancel()];
    for (const wait of waits) wait.catch(() => undefined);
    manager.dispose();
    manager.dispose();
    expect(signal.aborted).toBe(true);
    for (const wait of waits) await rejects(wait as Promise<unknown>, 'disposed');
    await rejects(run.beforeTurn(), 'disposed');
    for (const use of [
      () => manager.spawn({ instructions: 'b' }),
      () => manager.stats(),
      () => manager.get(taskId),
      () => manager.list(),
      () => manager.canSpawn(),
    ]) {
      expect(refusal(use).code).toBe('disposed');
    }
    for (const use of [(): Promise<unknown> => manager.wait([]), () => manager.drain(), () => manager.cancelAll(), () => handle.cancel()]) {
      await rejects(Promise.resolve().then(use), 'disposed');
    }
    expect(() => run.report({ tokens: 1 })).not.toThrow();
    runs[0]?.end.resolve(done());
    await flush();
  });

  test('`using` disposes', () => {
    let outer: SubAgentManager;
    {
      using manager = new SubAgentManager();
      outer = manager;
      expect(manager.stats().total).toBe(0);
    }
    expect(refusal(() => outer.stats()).code).toBe('disposed');
  });

  test('managers are independent: an id of one is unknown to the other', async () => {
    const [one, two] = [quick().manager, quick().manager];
    const handle = one.spawn({ instructions: 'x' });
    refusesUnchanged(two, 'unknown_task', () => two.get(handle.taskId));
    two.dispose();
    expect((await handle.wait()).status).toBe('completed');
  });

  test('a result read after disposing is still there', async () => {
    const { manager } = quick();
    const result = await manager.spawn({ instructions: 'x' }).wait();
    manager.dispose();
    expect(result.output).toBe('did x');
    expect(result.taskId).toMatch(/^sub_/);
  });

  test('a run still queued has not called its host when the manager goes', async () => {
    const { manager, runs } = held({ maxConcurrent: 1 });
    manager.spawn({ instructions: 'a' });
    const queued = manager.spawn({ instructions: 'b' }).wait();
    queued.catch(() => undefined);
    manager.dispose();
    runs[0]?.end.resolve(done());
    await rejects(queued, 'disposed');
    expect(runs).toHaveLength(1);
  });
});

test('`deferred` work under several managers keeps to its own', async () => {
  const ends = [deferred<void>(), deferred<void>()] as const;
  const managers = ends.map(
    (end, index) =>
      quick({ maxConcurrent: index + 1, spawnSubAgent: undefined } as never) &&
      managerWith(async () => {
        await end.promise;
        return done(`of ${index}`);
      }),
  );
  for (const { manager } of managers) opened.push(manager);
  const handles = managers.map(({ manager }) => manager.spawn({ instructions: 'x' }));
  ends[1].resolve();
  expect((await handles[1]?.wait())?.output).toBe('of 1');
  expect(handles[0]?.status).toBe('running');
  ends[0].resolve();
  expect((await handles[0]?.wait())?.output).toBe('of 0');
});
