// The manual style of source 1: the program drives its tasks itself. Rule B10.

import '../../support/virtual-time.js';

import { inspect } from 'node:util';
import { afterEach, describe, expect, test } from 'vitest';
import { SubAgentManager, type SubAgentManagerOptions, type SubAgentTask } from '../../../dist/index.js';
import { expectSums, refusal, refusesUnchanged } from '../../support/hosts.js';
import { flush, pass } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(options: SubAgentManagerOptions = {}): SubAgentManager {
  const manager = new SubAgentManager(options);
  opened.push(manager);
  return manager;
}

test('S1.39 the usage example of source 1 works top to bottom', () => {
  const manager = open({ maxConcurrent: 3, budget: { tokens: 50_000 } });

  const task = manager.createTask({
    goal: 'Write unit tests for the user model',
    contextHint: 'User model is in models/user.py with fields: id, name, email',
    maxSteps: 8,
  });
  const prompt = manager.buildSubAgentPrompt(task, ['code_writer', 'test_runner'], 'Build a REST API for user management');
  manager.markRunning(task.taskId);

  // ... LLM execution happens here ...

  const result = manager.markCompleted(task.taskId, 'Created 5 unit tests', { tokensUsed: 3_000, stepsTaken: 4 });
  const summaryPrompt = manager.buildSummaryPrompt(task, 'full output');
  const summary = manager.parseSummary('  Five tests were written.  ');

  for (const part of ['Write unit tests', 'models/user.py', 'code_writer', 'test_runner', 'REST API', '8', '10000'])
    expect(prompt).toContain(part);
  expect(result).toMatchObject({ taskId: task.taskId, success: true, summary: 'Created 5 unit tests', tokensUsed: 3_000, stepsTaken: 4 });
  expect(summaryPrompt).toContain('full output');
  expect(summary).toBe('Five tests were written.');
  expect(manager.canSpawn()).toBe(true);
  expect(manager.getStats()).toMatchObject({
    totalTasks: 1,
    running: 0,
    completed: 1,
    failed: 0,
    cancelled: 0,
    pending: 0,
    tokensSpent: 3_000,
    tokensRemaining: 47_000,
    maxConcurrent: 3,
    canSpawn: true,
  });
});

describe('tasks', () => {
  test('S1.05 S1.06 S1.07 S1.08 S1.09 S1.10 S1.11 S1.12 S1.13 S1.14 S1.21 a task has the fields and defaults of the source', () => {
    // Longer than a label is.
    const goal = 'Read every file under src and say what it owns';
    const task = open().createTask({ goal });
    expect(task).toEqual({
      taskId: expect.stringMatching(/^sub_[0-9a-f]+$/),
      goal,
      contextHint: '',
      maxSteps: 10,
      tokenBudget: 10_000,
      status: 'pending',
      result: null,
      artifacts: [],
      startedAt: null,
      completedAt: null,
      tokensUsed: 0,
      stepsTaken: 0,
    });
  });

  test('S1.13 S1.30 S1.31 running and completing are seen in it', async () => {
    const manager = open();
    const task = manager.createTask({ goal: 'read' });
    manager.markRunning(task);
    const running = { ...manager.getTask(task) };
    expect(running).toMatchObject({ status: 'running', completedAt: null });
    expect(running.startedAt).toBeTypeOf('number');
    await pass(1_500);
    const artifacts = [{ file: 'a.txt' }];
    const result = manager.markCompleted(task, 'done', { tokensUsed: 5, stepsTaken: 2, artifacts });
    expect(result).toMatchObject({ success: true, summary: 'done', artifacts, tokensUsed: 5, stepsTaken: 2 });
    expect(result.durationMs).toBeGreaterThanOrEqual(1_499);
    expect(result.durationMs).toBeLessThanOrEqual(1_501);
    const ended = manager.getTask(task.taskId);
    expect(ended).toMatchObject({ status: 'completed', result: 'done', artifacts, tokensUsed: 5, stepsTaken: 2 });
    expect((ended.completedAt ?? 0) - (ended.startedAt ?? 0)).toBeGreaterThanOrEqual(1_499);
  });

  test("S1.15 the host's duration counts where it is valid, else the measured one", () => {
    const manager = open();
    const ended = (durationMs: number): number => manager.markCompleted(manager.createTask({ goal: 'x' }), 'x', { durationMs }).durationMs;
    expect(ended(1_234)).toBe(1_234);
    expect(ended(Number.NaN)).toBe(0);
    expect(ended(-5)).toBe(0);
  });

  test('S1.31 artifacts, tokens and steps may be left out: nothing was used', () => {
    const manager = open();
    const task = manager.createTask({ goal: 'x' });
    manager.markRunning(task);
    expect(manager.markCompleted(task, 'done')).toMatchObject({ artifacts: [], tokensUsed: 0, stepsTaken: 0 });
    expect(manager.get(task).usage).toMatchObject({ tokens: 0, turns: 0 });
  });

  test('S1.32 failing keeps the error, and takes optional usage', () => {
    const manager = open();
    const task = manager.createTask({ goal: 'x' });
    manager.markRunning(task);
    expect(manager.markFailed(task, 'no access', { tokensUsed: 7 })).toMatchObject({ success: false, summary: 'no access', tokensUsed: 7 });
    expect(manager.getTask(task)).toMatchObject({ status: 'failed', result: null });
    expect(manager.get(task)).toMatchObject({ error: 'no access', stopReason: 'marked_failed' });
    expect(manager.stats()).toMatchObject({ failed: 1, tokensSpent: 7, tokensHeld: 0 });
  });

  test.each([false, true])('S1.33 cancelling (running: %s) ends it and gives its tokens back', async (running) => {
    const manager = open();
    const task = manager.createTask({ goal: 'x' });
    if (running) manager.markRunning(task);
    expect(manager.cancelTask(task)).toBeUndefined();
    await flush();
    await pass(11_000);
    expect(manager.getTask(task).status).toBe('cancelled');
    expect(manager.getStats()).toMatchObject({ cancelled: 1, running: 0, tokensHeld: 0, tokensRemaining: 50_000 });
    expect(manager.getConcurrencyInfo().active).toBe(0);
    expectSums(manager);
  });

  test('S1.33 a cancelled manual task is cancelled at once: nobody but the program drives it', () => {
    const manager = open();
    const task = manager.createTask({ goal: 'x' });
    manager.markRunning(task);
    manager.cancelTask(task);
    expect(manager.getTask(task).status).toBe('cancelled');
  });

  test('S1.24 an empty goal is an error, and so is one that is no text', () => {
    const manager = open();
    for (const goal of ['', '  \n', undefined, null, 5])
      refusesUnchanged(manager, 'invalid_argument', () => manager.createTask({ goal: goal as never }));
    refusesUnchanged(manager, 'invalid_argument', () => manager.createTask({ goal: 'x', color: 'red' } as never));
    refusesUnchanged(manager, 'invalid_argument', () => manager.createTask({ goal: 'x', maxSteps: 1, maxTurns: 2 }));
    refusesUnchanged(manager, 'invalid_argument', () => manager.createTask({ goal: 'x', tokenBudget: 0 }));
  });

  test('S1.34 an unknown id is an error in every call', () => {
    const manager = open();
    const id = 'sub_00000000000000000000000000000000';
    const calls: (() => unknown)[] = [
      () => manager.markRunning(id),
      () => manager.markCompleted(id, 'x'),
      () => manager.markFailed(id, 'x'),
      () => manager.cancelTask(id),
      () => manager.getTask(id),
      () => manager.buildSubAgentPrompt(id),
      () => manager.buildSummaryPrompt(id, 'x'),
    ];
    for (const call of calls) refusesUnchanged(manager, 'unknown_task', call);
  });

  test('S1.34 a terminal task refuses further transitions, each naming where it stands', async () => {
    const manager = open();
    for (const end of ['completed', 'failed', 'cancelled'] as const) {
      const task = manager.createTask({ goal: 'x' });
      manager.markRunning(task);
      if (end === 'completed') manager.markCompleted(task, 'x');
      else if (end === 'failed') manager.markFailed(task, 'x');
      else manager.cancelTask(task);
      await pass(11_000);
      const calls = [
        () => manager.markRunning(task),
        () => manager.markCompleted(task, 'y'),
        () => manager.markFailed(task, 'y'),
        () => manager.cancelTask(task),
      ];
      for (const call of calls) {
        const error = refusesUnchanged(manager, 'wrong_status', call);
        expect(error.message).toContain(end);
        expect(error.details).toMatchObject({ status: end });
      }
    }
  });

  test('S1.34 a running task can not be marked running again', () => {
    const manager = open();
    const task = manager.createTask({ goal: 'x' });
    manager.markRunning(task);
    refusesUnchanged(manager, 'wrong_status', () => manager.markRunning(task));
  });

  test('B10 the manual calls are for manual tasks, `send` is for the others', async () => {
    const manager = open({ spawnSubAgent: () => new Promise(() => undefined) });
    const handle = manager.spawn({ instructions: 'x' });
    for (const call of [
      () => manager.markRunning(handle),
      () => manager.markCompleted(handle, 'x'),
      () => manager.markFailed(handle, 'x'),
    ]) {
      expect(refusesUnchanged(manager, 'wrong_style', call).message).toMatch(
        /was made with spawn, so it can't be marked as (running|ended)$/,
      );
    }
    const task = manager.createTask({ goal: 'y' });
    refusesUnchanged(manager, 'wrong_style', () => manager.send(task, 'hello'));
  });

  test('S1.37 the queries list what they say', () => {
    const manager = open();
    const [one, two, three] = [manager.createTask({ goal: 'a' }), manager.createTask({ goal: 'b' }), manager.createTask({ goal: 'c' })];
    manager.markRunning(one);
    manager.markRunning(two);
    manager.markCompleted(one, 'result of a', { tokensUsed: 3 });
    expect(manager.getRunningTasks().map((task) => task.goal)).toEqual(['b']);
    expect(manager.getCompletedResults()).toEqual([
      expect.objectContaining({ taskId: one.taskId, success: true, summary: 'result of a', tokensUsed: 3 }),
    ]);
    expect(manager.getAllTasks().map((task) => [task.goal, task.status])).toEqual([
      ['a', 'completed'],
      ['b', 'running'],
      ['c', 'pending'],
    ]);
    expect(manager.getTask(three.taskId).goal).toBe('c');
  });

  test('S1.37 more than a page of tasks is listed whole', () => {
    const manager = open({ budget: { tokens: 1_000 } });
    for (let count = 0; count < 250; count += 1) manager.createTask({ goal: `${count}`, tokenBudget: 1 });
    expect(manager.getAllTasks()).toHaveLength(250);
  });

  test('S1.38 the statistics sum, and have every name of the source', () => {
    const manager = open({ maxConcurrent: 2 });
    const tasks = Array.from({ length: 4 }, () => manager.createTask({ goal: 'x', tokenBudget: 1_000 }));
    manager.markRunning(tasks[0] as (typeof tasks)[number]);
    manager.markRunning(tasks[1] as (typeof tasks)[number]);
    manager.markFailed(tasks[1] as (typeof tasks)[number], 'no');
    const stats = manager.getStats();
    expect(stats).toMatchObject({
      totalTasks: 4,
      running: 1,
      completed: 0,
      failed: 1,
      cancelled: 0,
      pending: 2,
      maxConcurrent: 2,
      canSpawn: true,
    });
    expect(stats).toMatchObject({ tokensSpent: 0, tokensHeld: 3_000, tokensRemaining: 47_000 });
    expectSums(manager);
  });
});

describe('slots', () => {
  test('B10 S1.16 markRunning at the limit is `concurrency_limit`, and changes nothing', () => {
    const manager = open({ maxConcurrent: 2 });
    const tasks = ['a', 'b', 'c'].map((goal) => manager.createTask({ goal })) as { taskId: string }[];
    manager.markRunning(tasks[0]?.taskId ?? '');
    manager.markRunning(tasks[1]?.taskId ?? '');
    expect(manager.canSpawn()).toBe(false);
    const error = refusesUnchanged(manager, 'concurrency_limit', () => manager.markRunning(tasks[2]?.taskId ?? ''));
    expect(error.details).toMatchObject({ active: 2, limit: 2 });
    manager.markCompleted(tasks[0]?.taskId ?? '', 'x');
    manager.markRunning(tasks[2]?.taskId ?? '');
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 2, queued: 0 });
  });

  test('B10 manual tasks never start by themselves, are not queued, and have no deadlines', async () => {
    const manager = open({ maxConcurrent: 1, timeoutMs: 1_000, graceMs: 10, idleTimeoutMs: 1_000, spawnSubAgent: () => ({ output: 'x' }) });
    const waiting = manager.createTask({ goal: 'waits' });
    const running = manager.createTask({ goal: 'runs' });
    manager.markRunning(running);
    await pass(10 * 3_600_000);
    expect(manager.getTask(waiting).status).toBe('pending');
    expect(manager.getTask(running).status).toBe('running');
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, queued: 0 });
  });

  test('both styles share slots: a manual task that ends lets queued work start', async () => {
    const manager = open({ maxConcurrent: 1, spawnSubAgent: async () => ({ output: 'spawned' }) });
    const task = manager.createTask({ goal: 'x', tokenBudget: 1_000 });
    manager.markRunning(task);
    const handle = manager.spawn({ instructions: 'y' });
    expect(handle.status).toBe('pending');
    manager.markCompleted(task, 'x');
    expect((await handle.wait()).output).toBe('spawned');
  });

  test('a task may be completed without having been marked running', () => {
    const manager = open({ maxConcurrent: 1 });
    const task = manager.createTask({ goal: 'x' });
    expect(manager.markCompleted(task, 'quick').success).toBe(true);
    expect(manager.getConcurrencyInfo().active).toBe(0);
    expect(manager.stats()).toMatchObject({ completed: 1, tokensHeld: 0 });
  });

  test('L8 where nothing is retained, the end of a task is told all the same, and only then it is forgotten', async () => {
    const manager = open({ retain: 0 });
    const [good, bad, off] = ['good', 'bad', 'off'].map((goal) => manager.createTask({ goal })) as [
      SubAgentTask,
      SubAgentTask,
      SubAgentTask,
    ];
    manager.markRunning(good);
    await pass(50);
    expect(manager.markCompleted(good, ' result ', { tokensUsed: 7, stepsTaken: 2, artifacts: [{ file: 'a' }] })).toEqual({
      taskId: good.taskId,
      success: true,
      summary: 'result',
      artifacts: [{ file: 'a' }],
      tokensUsed: 7,
      stepsTaken: 2,
      durationMs: 50,
    });
    expect(manager.markFailed(bad, 'it broke')).toMatchObject({ success: false, summary: 'it broke', tokensUsed: 0, durationMs: 0 });
    manager.cancelTask(off);
    expect(manager.stats()).toMatchObject({ total: 3, tokensSpent: 7, tokensHeld: 0 });
    manager.forget(good.taskId);
    expect(refusal(() => manager.getTask(good)).code).toBe('forgotten');
  });

  test('S1.40 a task object goes on telling the truth: running, ended, forgotten, and with its manager gone', async () => {
    const manager = open();
    const task = manager.createTask({ goal: 'read', maxSteps: 4 });
    expect([task.status, task.startedAt, Object.keys(task)[0]]).toEqual(['pending', null, 'taskId']);
    manager.markRunning(task.taskId);
    expect([task.status, manager.getRunningTasks()[0]?.status]).toEqual(['running', 'running']);
    expect(task.startedAt).toBeTypeOf('number');
    const [listed] = manager.getAllTasks();
    manager.markCompleted(task.taskId, 'done', { tokensUsed: 5, stepsTaken: 2, artifacts: [{ file: 'a' }] });
    const ended = {
      status: 'completed',
      result: 'done',
      tokensUsed: 5,
      stepsTaken: 2,
      artifacts: [{ file: 'a' }],
      goal: 'read',
      maxSteps: 4,
    };
    for (const one of [task, listed, { ...task }, JSON.parse(JSON.stringify(task)), structuredClone(task)])
      expect(one).toMatchObject(ended);
    expect(inspect(task)).toContain("status: 'completed'");
    manager.forget(task.taskId);
    expect(task).toMatchObject(ended);
    const other = manager.createTask({ goal: 'y' });
    expect(other.status).toBe('pending');
    manager.dispose();
    expect([task.status, other.status]).toEqual(['completed', 'pending']);
  });

  test('S1.40 L8 also where nothing is retained', async () => {
    const manager = open({ retain: 0 });
    const made = ['good', 'bad', 'off'].map((goal) => manager.createTask({ goal }));
    const [good, bad, off] = made.map(({ taskId }) => taskId) as [string, string, string];
    manager.markCompleted(good, 'result', { tokensUsed: 7 });
    manager.markFailed(bad, 'it broke');
    manager.cancelTask(off);
    expect(made.map(({ status }) => status)).toEqual(['completed', 'failed', 'cancelled']);
    expect(made[0]).toMatchObject({ result: 'result', tokensUsed: 7, completedAt: expect.any(Number) });
  });

  test('a manual task can be waited for', async () => {
    const manager = open();
    const task = manager.createTask({ goal: 'x' });
    manager.markRunning(task);
    const waiting = manager.wait([task]);
    manager.markCompleted(task, 'waited for');
    expect((await waiting).completed[0]).toMatchObject({ output: 'waited for', status: 'completed' });
  });

  test('W1 W2 one that has not been marked as running is pending, and nothing is waited for', async () => {
    const manager = open();
    const task = manager.createTask({ goal: 'x' });
    expect(await manager.wait([task])).toMatchObject({
      completed: [],
      pending: [{ taskId: task.taskId, status: 'pending' }],
      timedOut: false,
    });
  });

  test('L8 W1 one that a listener ends is told with what it ended with, though nothing is retained', async () => {
    const manager = open({ retain: 0, maxConcurrent: 4 });
    const tasks = ['first', 'second'].map((goal) => manager.createTask({ goal })) as [SubAgentTask, SubAgentTask];
    for (const task of tasks) manager.markRunning(task);
    const waiting = manager.wait(tasks);
    const stop = manager.subscribe(() => {
      stop();
      manager.markCompleted(tasks[1], 'by the listener', { artifacts: [{ file: 'b' }] });
    });
    manager.markCompleted(tasks[0], 'by the program');
    expect((await waiting).completed).toMatchObject([
      { output: 'by the program' },
      { output: 'by the listener', artifacts: [{ file: 'b' }] },
    ]);
  });

  test('L8 W1 several are told by one wait, though nothing is retained', async () => {
    const manager = open({ retain: 0, maxConcurrent: 4 });
    const tasks = ['good', 'bad', 'off', 'stopped'].map((goal) => manager.createTask({ goal }));
    for (const task of tasks) manager.markRunning(task);
    const waiting = manager.wait(tasks);
    await pass(50);
    manager.markCompleted(tasks[0] as SubAgentTask, 'done', { tokensUsed: 7, stepsTaken: 2, artifacts: [{ file: 'a' }] });
    manager.markFailed(tasks[1] as SubAgentTask, 'it broke');
    manager.cancelTask(tasks[2] as SubAgentTask);
    await manager.cancelAll();
    const { completed, unknown } = await waiting;
    expect(unknown).toEqual([]);
    expect(completed).toMatchObject([
      { taskId: tasks[0]?.taskId, status: 'completed', output: 'done', turns: 2, artifacts: [{ file: 'a' }], durationMs: 50 },
      { taskId: tasks[1]?.taskId, status: 'failed', error: 'it broke', stopReason: 'marked_failed' },
      { taskId: tasks[2]?.taskId, status: 'cancelled', stopReason: 'cancelled' },
      { taskId: tasks[3]?.taskId, status: 'cancelled', stopReason: 'ancestor_cancelled' },
    ]);
    expect(manager.stats().total).toBe(4);
  });

  test('L8 S1.37 S1.38 `retain` takes no manual task from the program, and `maxTasks` the oldest that has ended', () => {
    const manager = open({ retain: 2, maxTasks: 5, budget: { tokens: Number.POSITIVE_INFINITY } });
    const tasks = ['a', 'b', 'c', 'd', 'e'].map((goal) => manager.createTask({ goal, tokenBudget: 10 }));
    for (const task of tasks) {
      manager.markRunning(task);
      manager.markCompleted(task, `${task.goal} done`, { tokensUsed: 5 });
    }
    expect(manager.getAllTasks().map(({ goal }) => goal)).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(manager.getCompletedResults().map(({ summary }) => summary)).toEqual(['a done', 'b done', 'c done', 'd done', 'e done']);
    expect(manager.getStats()).toMatchObject({ totalTasks: 5, completed: 5, tokensSpent: 25 });
    expect([tasks[0]?.status, tasks[0]?.result]).toEqual(['completed', 'a done']);
    manager.createTask({ goal: 'f' });
    expect(manager.getAllTasks().map(({ goal }) => goal)).toEqual(['b', 'c', 'd', 'e', 'f']);
  });

  test('S1.17 S1.32 the summary of a failed task is cut as that of a completed one', () => {
    const manager = open({ maxSummaryTokens: 2 });
    const [good, bad] = ['good', 'bad'].map((goal) => manager.createTask({ goal })) as [SubAgentTask, SubAgentTask];
    expect(manager.markCompleted(good, 'x'.repeat(5000)).summary).toHaveLength(8);
    expect(manager.markFailed(bad, 'x'.repeat(5000)).summary).toHaveLength(8);
    expect(bad).toMatchObject({ status: 'failed' });
  });
});

describe('the pool', () => {
  test('S1.02 S1.22 budget is set aside at creation, and what is not used comes back at the end', () => {
    const manager = open();
    const task = manager.createTask({ goal: 'x', tokenBudget: 20_000 });
    expect(manager.getStats()).toMatchObject({ tokensHeld: 20_000, tokensRemaining: 30_000, tokensSpent: 0 });
    manager.markRunning(task);
    manager.markCompleted(task, 'x', { tokensUsed: 5_000 });
    expect(manager.getStats()).toMatchObject({ tokensHeld: 0, tokensRemaining: 45_000, tokensSpent: 5_000 });
  });

  test('B10 where the manager has no cap, the pool of 50,000 is its own: what sub-agents use takes nothing of it', async () => {
    const manager = open({ spawnSubAgent: async () => ({ output: 'x', usage: { tokens: 70_000 } }) });
    expect(manager.getStats()).toMatchObject({ tokensRemaining: 50_000, canSpawn: true });
    await manager.spawn({ instructions: 'reads much' }).wait();
    expect(manager.stats()).toMatchObject({ tokensSpent: 70_000, tokensRemaining: Number.POSITIVE_INFINITY });
    expect(manager.getStats().tokensRemaining).toBe(50_000);
    expect(manager.allocateBudget(60_000)).toBe(50_000);
    expect(manager.createTask({ goal: 'x' }).tokenBudget).toBe(0);
    // The pool is empty; the host function isn't bounded by it.
    expect(manager.canSpawn()).toBe(true);
    manager.addBudget({ tokens: 2_000 });
    expect(manager.createTask({ goal: 'x' }).tokenBudget).toBe(2_000);
  });

  test('B10 without a host function an empty pool means that nothing can be spawned; `Infinity` lifts it', () => {
    const manager = open();
    expect(manager.canSpawn()).toBe(true);
    manager.allocateBudget(50_000);
    expect([manager.canSpawn(), manager.getStats().canSpawn, manager.getStats().tokensRemaining]).toEqual([false, false, 0]);
    const refused = refusal(() => manager.markRunning(manager.createTask({ goal: 'x' })));
    expect([refused.code, refused.details.option]).toEqual(['budget_exhausted', 'budget.tokens']);
    const lifted = open({ budget: { tokens: Number.POSITIVE_INFINITY } });
    expect(lifted.allocateBudget(1_000_000)).toBe(1_000_000);
  });

  test('S1.17 a manual task has ten steps, unless the manager says how many', () => {
    expect(open().createTask({ goal: 'x' }).maxSteps).toBe(10);
    expect(open({ maxTurns: 30 }).createTask({ goal: 'x' }).maxSteps).toBe(30);
  });

  test('S1.22 a task may get less than it asked for; S1.23 from an empty pool it gets nothing', () => {
    const manager = open({ budget: { tokens: 15_000 } });
    const budgets = [0, 1, 2].map(() => manager.createTask({ goal: 'x' }).tokenBudget);
    expect(budgets).toEqual([10_000, 5_000, 0]);
    expect(manager.canSpawn()).toBe(false);
  });

  test('S1.23 B10 a task without budget asks again when it is marked running, and is refused while there is none', () => {
    const manager = open({ budget: { tokens: 10_000 } });
    const first = manager.createTask({ goal: 'a' });
    const second = manager.createTask({ goal: 'b' });
    expect(second.tokenBudget).toBe(0);
    refusesUnchanged(manager, 'budget_exhausted', () => manager.markRunning(second));
    manager.markCompleted(first, 'x', { tokensUsed: 4_000 });
    manager.markRunning(second);
    expect(manager.getTask(second).tokenBudget).toBe(6_000);
  });

  test('tokens beyond the budget of a task are booked all the same', () => {
    const manager = open({ budget: { tokens: 10_000 } });
    const task = manager.createTask({ goal: 'x', tokenBudget: 1_000 });
    manager.markRunning(task);
    manager.markCompleted(task, 'x', { tokensUsed: 12_000 });
    expect(manager.stats()).toMatchObject({ tokensSpent: 12_000, tokensRemaining: 0 });
    expect(manager.canSpawn()).toBe(false);
  });

  test.each([
    ['tokensUsed', Number.NaN],
    ['tokensUsed', -1],
    ['stepsTaken', Number.POSITIVE_INFINITY],
    ['costUsd', '1'],
    ['artifacts', {}],
  ])('a wrong `%s` (%s) is an error, and the task goes on', (name, value) => {
    const manager = open();
    const task = manager.createTask({ goal: 'x' });
    manager.markRunning(task);
    refusesUnchanged(manager, 'invalid_argument', () => manager.markCompleted(task, 'x', { [name]: value } as never));
    expect(manager.getTask(task).status).toBe('running');
  });

  test('S1.36 allocateBudget sets aside what is there; B10 it holds until it is released, more than that is an error', () => {
    const manager = open({ budget: { tokens: 10_000 } });
    expect(manager.allocateBudget(4_000)).toBe(4_000);
    expect(manager.allocateBudget(20_000)).toBe(6_000);
    expect(manager.allocateBudget(1)).toBe(0);
    expect(manager.stats()).toMatchObject({ tokensHeld: 10_000, tokensRemaining: 0 });
    const error = refusesUnchanged(manager, 'not_allocated', () => manager.releaseBudget(10_001));
    expect(error.details).toMatchObject({ released: 10_001, allocated: 10_000 });
    manager.releaseBudget(9_000);
    expect(manager.stats()).toMatchObject({ tokensHeld: 1_000, tokensRemaining: 9_000 });
    expect(manager.createTask({ goal: 'x' }).tokenBudget).toBe(9_000);
    for (const wrong of [0, -1, 1.5, Number.NaN, '5']) {
      refusesUnchanged(manager, 'invalid_argument', () => manager.allocateBudget(wrong as never));
      if (wrong !== 1.5 && wrong !== 0) refusesUnchanged(manager, 'invalid_argument', () => manager.releaseBudget(wrong as never));
    }
  });

  test('S1.35 canSpawn is a free slot and budget that remains', () => {
    const manager = open({ maxConcurrent: 1, budget: { tokens: 10_000 } });
    expect(manager.canSpawn()).toBe(true);
    expect(manager.allocateBudget(10_000)).toBe(10_000);
    expect(manager.canSpawn()).toBe(false);
    manager.releaseBudget(10_000);
    const task = manager.createTask({ goal: 'x', tokenBudget: 1_000 });
    expect(manager.canSpawn()).toBe(true);
    manager.markRunning(task);
    expect(manager.canSpawn()).toBe(false);
  });
});

describe('prompts (S1.03: no model is called)', () => {
  test('S1.25 S1.26 S1.03 the prompt holds goal, context, parent goal, tools, step limit and token budget', () => {
    const manager = open();
    const task = manager.createTask({ goal: 'GOAL', contextHint: 'CONTEXT', maxSteps: 17, tokenBudget: 4_321 });
    const prompt = manager.buildSubAgentPrompt(task, ['tool_a', 'tool_b'], 'PARENT');
    for (const part of ['GOAL', 'CONTEXT', 'PARENT', 'tool_a', 'tool_b', '17', '4321']) expect(prompt).toContain(part);
    const bare = manager.buildSubAgentPrompt(manager.createTask({ goal: 'ONLY' }));
    expect(bare).toContain('ONLY');
    expect(bare).not.toMatch(/Context|Tools|part of/);
  });

  test('S1.27 S1.28 a summary prompt takes 20,000 code points of the output and names the limit', () => {
    const manager = open({ maxSummaryTokens: 123 });
    const task = manager.createTask({ goal: 'GOAL' });
    const prompt = manager.buildSummaryPrompt(task, '🙂'.repeat(20_001));
    expect([...prompt].filter((char) => char === '🙂')).toHaveLength(20_000);
    expect(prompt).toContain('123');
    expect(prompt).toContain('GOAL');
    expect(manager.buildSummaryPrompt(task, '🙂'.repeat(20_000))).not.toContain('left out');
  });

  test('S1.18 S1.27 without a limit a summary prompt names no number of tokens', () => {
    const manager = open({ maxSummaryTokens: Infinity });
    const prompt = manager.buildSummaryPrompt(manager.createTask({ goal: 'Read' }), 'It says so');
    expect(prompt).toMatch(/^Summarise what a sub-agent produced\. Keep /);
    // The marks of the fences have digits of their own.
    expect(prompt.replaceAll(/<[^>]*>/g, '')).not.toMatch(/\d/);
  });

  test('S1.04 S1.18 S1.29 R4 a summary is trimmed and cut at maxSummaryTokens x 4 code points', () => {
    expect(open().parseSummary(`  ${'x'.repeat(9_000)}`)).toBe('x'.repeat(8_000));
    expect(open({ maxSummaryTokens: 1 }).parseSummary('🙂🙂🙂🙂🙂')).toBe('🙂🙂🙂🙂');
    expect(open().parseSummary('\n short \t')).toBe('short');
    expect(open().parseSummary('')).toBe('');
  });

  test('S1.15 the summary of a result is cut in the same way, the result itself is not', () => {
    const manager = open({ maxSummaryTokens: 2 });
    const task = manager.createTask({ goal: 'x' });
    expect(manager.markCompleted(task, 'abcdefghijkl').summary).toBe('abcdefgh');
    expect(manager.getTask(task).result).toBe('abcdefghijkl');
  });

  test('S1.20 maxSummaryTokens below 1 is an error', () => {
    expect(refusal(() => open({ maxSummaryTokens: 0 })).message).toContain('maxSummaryTokens');
  });
});

describe('B10 a pool without a cap', () => {
  const infinity = Number.POSITIVE_INFINITY;

  test('a task may spend without end, and runs', () => {
    const manager = open({ budget: { tokens: infinity }, taskBudget: { tokens: infinity } });
    const task = manager.createTask({ goal: 'x' });
    expect(task.tokenBudget).toBe(infinity);
    expect(manager.buildSubAgentPrompt(task)).not.toContain(' 0 tokens');
    manager.markRunning(task);
    manager.markCompleted(task, 'done', { tokensUsed: 7 });
    expect(manager.getStats()).toMatchObject({ tokensSpent: 7, tokensHeld: 0, tokensRemaining: infinity, completed: 1 });
  });

  test('gives all that is asked for', () => {
    const manager = open({ budget: { tokens: infinity } });
    expect([manager.allocateBudget(infinity), manager.allocateBudget(5)]).toEqual([infinity, 5]);
    manager.releaseBudget(5);
    expect(manager.stats().tokensHeld).toBe(0);
  });
});

test('B1 a budget to add has to be given', () => {
  const manager = open();
  refusesUnchanged(manager, 'invalid_argument', () => manager.addBudget(undefined as never));
});

test('L8 who reads a forgotten task is told all that may have been the reason', () => {
  const manager = open();
  const task = manager.createTask({ goal: 'x' });
  manager.cancelTask(task);
  manager.forget(task);
  expect(refusal(() => manager.get(task)).message).toMatch(/by `forget`, with its session, or because `retain`/);
});

test('B10 what an empty pool gave can be given back', () => {
  const manager = open({ budget: { tokens: 100 } });
  manager.allocateBudget(100);
  manager.releaseBudget(manager.allocateBudget(100));
  expect(manager.stats().tokensHeld).toBe(100);
});

test('S1.17 S1.19 a wrong option is called as it was given', () => {
  const messageOn = (options: SubAgentManagerOptions): string => refusal(() => open(options)).message;
  expect(messageOn({ maxTurns: 0 })).toMatch(/^`maxTurns` must be/);
  expect(messageOn({ budget: { tokens: 0 } })).toMatch(/^`budget.tokens` must be/);
});
