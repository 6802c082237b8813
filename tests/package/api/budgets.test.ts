// Budgets of sessions, and raising caps. Rules B1, B2.

import { afterEach, expect, test } from 'vitest';
import { SubAgentError, SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { done, type Host, managerWith, manualHost, refusal, refusesUnchanged } from '../../support/hosts.js';
import { flush, pass } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(host: Host, options: SubAgentManagerOptions = {}): SubAgentManager {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

test('B1 B2 a session’s cap bounds all its sub-agents together, beneath the manager’s', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { taskBudget: { tokens: 10_000 } });
  const session = manager.session('s', { budget: { tokens: 3_000, costUsd: 0.5 } });
  const first = session.spawn({ instructions: 'a' });
  expect(manager.budget(session)).toMatchObject({
    tokens: { cap: 3_000, reserved: 3_000, available: 0, spent: 0, overspent: 0 },
    costUsd: { cap: 0.5 },
    turns: { cap: Number.POSITIVE_INFINITY },
  });
  const other = manager.spawn({ instructions: 'not the session’s' });
  expect(other.status).toBe('running');
  runs[0]?.end.resolve(done('a', 2_500));
  await first.wait();
  expect(manager.budget(session).tokens).toEqual({ cap: 3_000, spent: 2_500, reserved: 0, available: 500, overspent: 0 });
  const error = refusesUnchanged(manager, 'budget_exhausted', () => session.spawn({ instructions: 'b' }));
  expect(error.details).toMatchObject({ remaining: 500, needed: 2_000, unit: 'tokens' });
  manager.addBudget({ tokens: 10_000 }, session);
  expect(manager.budget(session).tokens).toMatchObject({ cap: 13_000, available: 10_500 });
  const third = session.spawn({ instructions: 'c' });
  runs[2]?.end.resolve(done('c', 20_000));
  await third.wait();
  expect(manager.budget(session).tokens).toMatchObject({ spent: 22_500, overspent: 9_500, available: 0 });
  expect(manager.budget().tokens.spent).toBe(22_500);
});

test('B2 what is available is the least on the path', () => {
  const manager = open(() => done(), { budget: { tokens: 2_000 } });
  const session = manager.session('s', { budget: { tokens: 5_000 } });
  expect(manager.budget(session).tokens).toMatchObject({ cap: 5_000, available: 2_000 });
  expect(manager.budget().tokens).toMatchObject({ cap: 2_000, available: 2_000 });
});

test('B1 turns of a session are counted over all its runs', async () => {
  const manager = open(
    async (_, run) => {
      const permit = await run.beforeTurn();
      run.report({ tokens: 1 });
      return done(permit.go ? 'went' : permit.reason, 1);
    },
    { taskBudget: { tokens: 100 } },
  );
  const session = manager.session('s', { budget: { turns: 2 } });
  for (let at = 0; at < 2; at += 1) await session.spawn({ instructions: 'x' }).wait();
  expect(manager.budget(session).turns).toMatchObject({ cap: 2, spent: 2, available: 0 });
  expect(refusal(() => session.spawn({ instructions: 'x' })).details).toMatchObject({ unit: 'turns', option: 'budget.turns' });
});

test('B1 `addBudget` raises the cap of the manager, of a sub-agent, of what is uncapped nothing', async () => {
  const manager = open(() => done('x', 900), { budget: { tokens: 1_000 }, taskBudget: { tokens: 1_000 } });
  const handle = manager.spawn({ instructions: 'a' });
  await handle.wait();
  refusesUnchanged(manager, 'budget_exhausted', () => handle.send('more'));
  manager.addBudget({ tokens: 5_000, costUsd: 1 });
  refusesUnchanged(manager, 'budget_exhausted', () => handle.send('more'));
  manager.addBudget({ tokens: 5_000 }, handle);
  handle.send('more');
  await handle.wait();
  expect(manager.budget(handle)).toMatchObject({ tokens: { cap: 6_000, spent: 1_800 }, costUsd: { cap: Number.POSITIVE_INFINITY } });
  expect(manager.budget().costUsd.cap).toBe(Number.POSITIVE_INFINITY);
});

test('B4 B5 a turn waits for what a background sub-agent holds of the cap; nothing of it was spent', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxDepth: 2, taskBudget: { tokens: 10_000 } });
  const lead = manager.spawn({ instructions: 'lead' });
  const run = runs[0]?.run;
  run?.spawn({ instructions: 'beside it', background: true });
  let permit: unknown;
  run?.beforeTurn().then((answer) => {
    permit = answer;
  });
  await flush();
  expect(permit).toBeUndefined();
  expect(await runs[1]?.run.beforeTurn()).toMatchObject({ go: true });
  await flush();
  expect(permit).toMatchObject({ go: true, turn: 1 });
  runs[1]?.end.resolve(done());
  runs[0]?.end.resolve(done());
  expect((await lead.wait()).status).toBe('completed');
});

test('S2 D2 a turn that waits for budget has it before queued work that came after', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, {
    maxConcurrent: 3,
    maxDepth: 2,
    turnEstimate: 100,
    wrapUpTokens: 0,
    budget: { tokens: 800 },
    taskBudget: { tokens: 600 },
  });
  manager.spawn({ instructions: 'leads' });
  const lead = runs[0]?.run;
  lead?.spawn({ instructions: 'has it all', background: true });
  const queued = lead?.spawn({ instructions: 'waits for it', background: true });
  const turn = lead?.beforeTurn();
  await flush();
  expect(queued?.status).toBe('pending');
  runs[1]?.end.resolve({ output: '', status: 'failed', usage: { tokens: 20 } });
  expect(await turn).toMatchObject({ go: true, turn: 1 });
  expect(queued?.status).toBe('running');
  expect(manager.budget(queued).tokens).toMatchObject({ reserved: 480 });
});

test('a session’s options count when it is opened', () => {
  const manager = open(() => done());
  const session = manager.session('s', { budget: { tokens: 100 } });
  expect(manager.session('s', { budget: { tokens: 999 } })).toBe(session);
  expect(manager.budget(session).tokens.cap).toBe(100);
});

test('wrong budgets and targets', () => {
  const manager = open(() => done());
  const other = new SubAgentManager();
  opened.push(other);
  for (const budget of [null, 5, { tokens: 0 }, { tokens: 1.5 }, { costUsd: -1 }, { euros: 5 }])
    refusesUnchanged(manager, 'invalid_argument', () => manager.session('new', { budget } as never));
  const foreign = other.session('s');
  refusesUnchanged(manager, 'invalid_argument', () => manager.addBudget({ tokens: 5 }, foreign));
  refusesUnchanged(manager, 'invalid_argument', () => manager.budget(foreign));
  refusesUnchanged(manager, 'unknown_task', () => manager.budget('sub_1'));
});

test('B5 a refusal names whose cap it was that bound, and the option that raises it', async () => {
  const host: Host = async (_, run) => {
    if (run.depth > 1) return { output: '', usage: { tokens: 950 } };
    await run.spawn({ instructions: 'below' }).wait();
    return { output: refusal(() => run.spawn({ instructions: 'below' })).message, usage: { tokens: 0 } };
  };
  const manager = open(host, { maxDepth: 3, turnEstimate: 100, taskBudget: { tokens: 1_000 } });
  const handle = manager.spawn({ instructions: 'above' });
  const { output } = await handle.wait();
  expect(output).toBe(
    "50 tokens of the sub-agent's budget remain, one turn needs 100 (`turnEstimate`); `taskBudget.tokens` or `addBudget` raises it",
  );
  const ofTask = refusal(() => handle.send('more'));
  expect(ofTask.message).toBe(output);
  expect(ofTask.details).toEqual({ remaining: 50, needed: 100, unit: 'tokens', option: 'taskBudget.tokens', taskId: handle.taskId });
  const ofNew = refusal(() => manager.spawn({ instructions: 'x', budget: { tokens: 50 } }));
  expect(ofNew.message).toBe(
    "50 tokens of the new sub-agent's budget remain, one turn needs 100 (`turnEstimate`); `budget.tokens` raises it",
  );
  const session = manager.session('s', { budget: { tokens: 60 } });
  const ofSession = refusal(() => session.spawn({ instructions: 'x' }));
  expect(ofSession.message).toBe(
    "60 tokens of the session's budget remain, one turn needs 100 (`turnEstimate`); `budget.tokens` or `addBudget` raises it",
  );
});

test('B5 money is reported in US dollars', async () => {
  const manager = open(async () => ({ output: '', usage: { cost: 0.75 } }), { budget: { costUsd: 0.5 } });
  await manager.spawn({ instructions: 'x' }).wait();
  const error = refusal(() => manager.spawn({ instructions: 'x' }));
  expect(error.message).toBe("0 US dollars of the manager's budget remain, one turn needs more; `budget.costUsd` or `addBudget` raises it");
  expect(error.details).toEqual({ remaining: 0, needed: 1e-9, unit: 'US dollars', option: 'budget.costUsd' });
});

test.each([false, { max: 1, backoffMs: 1 }] as const)(
  'J3 B5 a run whose host is lost at a turn is booked that turn: retry %o',
  async (retry) => {
    const manager = open(
      async (_, run) => {
        await run.beforeTurn({ tokens: 400 });
        run.report({ tokens: 300 });
        await run.beforeTurn({ tokens: 400 });
        throw new SubAgentError('worker_lost', 'the machine is gone', { losses: 1 });
      },
      { budget: { tokens: 1_600 }, turnEstimate: 400, retry },
    );
    const ended = manager.spawn({ instructions: 'a' }).wait();
    await flush();
    await pass(1);
    const attempts = retry ? 2 : 1;
    expect(await ended).toMatchObject({ status: 'failed', stopReason: 'host_lost', run: attempts });
    // What it had reported, and what was set aside for the turn that it was at.
    expect(manager.budget().tokens).toMatchObject({ spent: 700 * attempts, reserved: 0 });
  },
);
