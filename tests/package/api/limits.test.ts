// Limits as a program meets them: what holds nobody up by default, who goes where room is short, what waits and for
// what.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test } from 'vitest';
import type { SpawnOptions, SubAgentEvent, SubAgentManager, SubAgentManagerOptions } from '../../../dist/index.js';
import {
  deferred,
  done,
  expectSound,
  type Host,
  managerWith,
  manualHost,
  refusal,
  refusesUnchanged,
  rejects,
} from '../../support/hosts.js';
import { flush, pass, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function managed(body: Host, options: SubAgentManagerOptions = {}) {
  const made = managerWith(body, options);
  opened.push(made.manager);
  return made;
}

describe('slots', () => {
  test('S2 a run that came back over the limit has no turn there: it parks, and gets the next free slot', async () => {
    const turns = deferred<void>();
    let calling = 0;
    let most = 0;
    const made = managed(
      async ({ instructions }, run) => {
        if (instructions === 'lead') {
          await flush();
          await run.spawn({ instructions: 'child' }).wait();
        }
        expect((await run.beforeTurn()).go).toBe(true);
        calling += 1;
        most = Math.max(most, calling);
        await turns.promise;
        calling -= 1;
        run.report({ tokens: 10 });
        return done(instructions);
      },
      { maxConcurrent: 2, maxDepth: 2 },
    );
    const { manager } = made;
    const delayed: unknown[] = [];
    manager.subscribe((event) => {
      if (event.type === 'turn_delayed') delayed.push(event.waitingFor);
    });
    const lead = manager.spawn({ instructions: 'lead' });
    const leads = [lead, manager.spawn({ instructions: 'lead' })];
    const workers = ['worker', 'worker'].map((instructions) => manager.spawn({ instructions, priority: 50 }));
    await flush();
    await flush();
    // The workers have the slots that the leads gave up; what the leads wait for is queued, and ends there.
    const children = manager.list({ filter: { label: 'child' } }).items;
    expect(children.map(({ status }) => status)).toEqual(['pending', 'pending']);
    for (const { taskId } of children) await manager.cancel(taskId);
    await flush();
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 2, limit: 2, parked: 2 });
    expect(manager.get(lead)).toMatchObject({ status: 'running', parked: 'reentry' });
    expect(delayed).toEqual(['slot', 'slot']);
    turns.resolve();
    for (const handle of [...leads, ...workers]) expect((await handle.wait()).status).toBe('completed');
    expect(most).toBe(2);
    await expectSound(made);
  });
});

describe('room', () => {
  test('L8 foreground work that is never awaited ends in no limit: the oldest goes', async () => {
    const { manager } = managed(async ({ instructions }) => done(instructions), { maxTasks: 5 });
    const first = manager.spawn({ instructions: 'first' });
    await flush();
    let last = first;
    for (let i = 0; i < 12; i += 1) {
      last = manager.spawn({ instructions: `${i}` });
      await flush();
    }
    expect(manager.stats()).toMatchObject({ total: 5, completed: 5 });
    await rejects(first.wait(), 'forgotten');
    expect((await last.wait()).output).toBe('11');
  });

  test('L8 a batch of 10,000 awaited in its order loses none, whatever `retain` is', async () => {
    const { manager } = managed(async ({ instructions }) => done(instructions, 1), {
      retain: 10,
      maxConcurrent: 100,
    });
    const handles = Array.from({ length: 10_000 }, (_, i) => manager.spawn({ instructions: `${i}` }));
    await flush();
    for (const [i, handle] of handles.entries()) expect((await handle.wait()).output).toBe(`${i}`);
    expect(manager.stats().total).toBe(10);
  });

  test('L8 an end that a notice reports never goes for want of capacity', async () => {
    const { manager } = managed(async ({ instructions }) => done(instructions), { maxTasks: 2 });
    const reported = manager.spawn({ instructions: 'told', background: true });
    await flush();
    for (let i = 0; i < 5; i += 1) {
      manager.spawn({ instructions: `${i}` });
      await flush();
    }
    expect(manager.get(reported).output).toBe('told');
    const [notice] = manager.inbox.lease();
    expect(notice?.taskId).toBe(reported.taskId);
  });
});

describe('a live manager', () => {
  test('D1 more slots start what waits at once; each change is an event, what stays as it is is none', async () => {
    const { host, runs } = manualHost();
    const { manager } = managed(host, { maxConcurrent: 1 });
    for (const instructions of ['a', 'b', 'c', 'd']) manager.spawn({ instructions });
    const events: SubAgentEvent[] = [];
    manager.subscribe((event) => events.push(event));
    expect(manager.setLimits({ maxConcurrent: 3, maxQueued: 100_000, maxDepth: undefined })).toBeUndefined();
    expect(runs).toHaveLength(3);
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 3, limit: 3, queued: 1 });
    expect(events.filter(({ type }) => type === 'limit_set')).toMatchObject([{ limit: 'maxConcurrent', value: 3 }]);
    expect(manager.limits).toMatchObject({ maxConcurrent: 3, maxQueued: 100_000, maxTurns: 20 });
    // Fewer bind new work only.
    manager.setLimits({ maxConcurrent: 1, maxQueued: 0 });
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 3, limit: 1, queued: 1 });
    expect(refusal(() => manager.spawn({ instructions: 'e' })).code).toBe('queue_full');
    for (const { end } of runs.splice(0, 2)) end.resolve(done());
    await flush();
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, queued: 1 });
  });

  test('B1 what is at work keeps the turns that it began with; caps are set anew, with what was spent', async () => {
    const { host, runs } = manualHost();
    const { manager } = managed(host, { maxConcurrent: 9 });
    const first = manager.spawn({ instructions: 'a' });
    manager.setLimits({ maxTurns: 5, budget: { tokens: 8_000 }, taskBudget: { tokens: 3_000 }, onLimit: 'reject' });
    const second = manager.spawn({ instructions: 'b' });
    expect([first, second].map((handle) => manager.get(handle).budget.tokens.cap)).toEqual([Number.POSITIVE_INFINITY, 3_000]);
    expect(second.snapshot().maxTurns).toBe(5);
    for (let turn = 1; turn <= 6; turn += 1) {
      expect(await runs[0]?.run.beforeTurn({ tokens: 10 })).toMatchObject({ go: true, turn });
      runs[0]?.run.report({ tokens: 100 });
    }
    runs[1]?.end.resolve(done('b', 3_000));
    await second.wait();
    expect(manager.budget().tokens).toMatchObject({ cap: 8_000, spent: 3_600 });
    manager.setLimits({ budget: { tokens: Number.POSITIVE_INFINITY } });
    expect(manager.budget().tokens).toMatchObject({ cap: Number.POSITIVE_INFINITY, spent: 3_600 });
    expect(manager.get(first).status).toBe('running');
  });

  test('L8 a lower `retain` lets go at once', async () => {
    const { manager } = managed(async ({ instructions }) => done(instructions));
    for (let i = 0; i < 5; i += 1) await manager.spawn({ instructions: `${i}` }).wait();
    expect(manager.stats().total).toBe(5);
    manager.setLimits({ retain: 2 });
    expect(manager.stats().total).toBe(2);
  });

  test.each([
    { maxConcurrent: 0 },
    { maxConcurrent: 2.5 },
    { maxTurns: '9' },
    { maxQueued: -1 },
    { budget: { tokens: 0 } },
    { budget: 5 },
    { onLimit: 'wait' },
    { maxSlots: 3 },
    { spawnSubAgent: () => done() },
    null,
    [],
  ])('a value that can not be changes nothing: %j', (wrong) => {
    const { manager } = managed(async () => done());
    const before = manager.limits;
    refusesUnchanged(manager, 'invalid_argument', () => manager.setLimits(wrong as never));
    const beside = Array.isArray(wrong) || wrong === null ? { maxDepth: 0 } : wrong;
    refusesUnchanged(manager, 'invalid_argument', () => manager.setLimits({ maxMessages: 3, ...beside } as never));
    expect(manager.limits).toEqual(before);
  });

  test('a disposed one takes none', () => {
    const { manager } = managed(async () => done());
    manager.dispose();
    expect(refusal(() => manager.setLimits({ maxTurns: 3 })).code).toBe('disposed');
  });
});

describe('defaults', () => {
  test('D1 B1 a batch of 10,000 from the program, each of 20,000 tokens a turn, without an option', async () => {
    const { manager } = managed(async ({ instructions }, run) => {
      for (let turn = 0; turn < 2; turn += 1) {
        if (!(await run.beforeTurn()).go) break;
        run.report({ tokens: 20_000 });
      }
      return { output: instructions };
    });
    const handles = Array.from({ length: 10_000 }, (_, i) => manager.spawn({ instructions: `${i}` }));
    for (const [i, handle] of handles.entries()) expect(await handle.wait()).toMatchObject({ status: 'completed', output: `${i}` });
    expect(manager.stats().tokensSpent).toBe(400_000_000);
  });

  test.each([
    {},
    { budget: { tokens: 50_000 } },
    { budget: { costUsd: 2 } },
    { budget: { tokens: 1_000_000, costUsd: 5, turns: 1_000 } },
    { budget: { tokens: 1_000_000 }, taskBudget: { tokens: 50_000 } },
  ])('B3 `maxConcurrent: 10` means ten, with a host that asks for no turns: %j', async (caps) => {
    const { host, runs } = manualHost();
    const { manager } = managed(host, { maxConcurrent: 10, ...caps });
    const handles = Array.from({ length: 30 }, (_, i) => manager.spawn({ instructions: `${i}` }));
    for (let batch = 1; batch <= 3; batch += 1) {
      expect(runs).toHaveLength(10 * batch);
      for (const { end } of runs.slice(-10)) end.resolve(done('x', 100));
      await flush();
    }
    for (const handle of handles) expect((await handle.wait()).status).toBe('completed');
  });

  test('D1 `maxChildren` counts what a model or a run starts, not what the program does', async () => {
    const { host } = manualHost();
    const { manager } = managed(host, { maxChildren: 2, maxDepth: 2, maxConcurrent: 50 });
    for (let i = 0; i < 9; i += 1) manager.spawn({ instructions: `${i}` });
    const session = manager.session('s');
    for (let i = 0; i < 9; i += 1) session.spawn({ instructions: `${i}` });
    const tool = session.createSubAgentTool();
    const asked = [];
    for (let i = 0; i < 3; i += 1) asked.push(String(await tool.execute({ instructions: `${i}`, background: true })));
    expect(asked.filter((text) => text.includes('started (id: sub_'))).toHaveLength(2);
    expect(asked[2]).toContain('2 sub-agents of yours are running');
    expect(asked[2]).not.toContain('maxChildren');
    expect(session.list({ page: { limit: 1 } }).total).toBe(11);
  });

  test('D10 `maxSpawns` bounds a whole tree, and the refusal names the way out', async () => {
    const { host, runs } = manualHost();
    const { manager } = managed(host, { maxSpawns: 3, maxDepth: 3, maxConcurrent: 50 });
    const session = manager.session('s');
    const lead = session.spawn({ instructions: 'lead' });
    const first = runs[0]?.run.spawn({ instructions: 'first' });
    runs[1]?.run.spawn({ instructions: 'below the first' });
    const full = { code: 'spawns_limit', details: { option: 'maxSpawns', limit: 3 } };
    expect(() => session.spawn({ instructions: 'x' })).toThrow(expect.objectContaining(full));
    expect(() => runs[0]?.run.spawn({ instructions: 'x' })).toThrow(
      '3 sub-agents have been spawned below this session, and no more may be; `maxSpawns` raises it, by `setLimits`',
    );
    expect([session.canSpawn(), manager.canSpawn()]).toEqual([false, true]);
    runs[2]?.end.resolve(done('it'));
    runs[1]?.end.resolve(done('first'));
    await first?.wait();
    manager.forget(first?.taskId ?? '');
    const tool = session.createSubAgentTool();
    const said = String(await tool.execute({ instructions: 'x' }));
    expect(said).toContain('3 sub-agents have been started here, and no more may be');
    expect(said).toContain('Do the work yourself.');
    expect(said).not.toContain('maxSpawns');
    manager.setLimits({ maxSpawns: 4 });
    session.spawn({ instructions: 'now it may' });
    expect(() => session.spawn({ instructions: 'x' })).toThrow(expect.objectContaining({ code: 'spawns_limit' }));
    expect(lead.taskId).toMatch(/^sub_/);
  });

  test('D10 that of a spawn, or of its definition, bounds the tree below it', () => {
    const { host, runs } = manualHost();
    const { manager } = managed(host, {
      maxDepth: 3,
      maxConcurrent: 50,
      agents: { reader: { description: 'reads', maxSpawns: 1 } },
    });
    const { taskId } = manager.spawn({ instructions: 'own', agent: 'reader', maxSpawns: 2 });
    runs[0]?.run.spawn({ instructions: 'first' });
    runs[1]?.run.spawn({ instructions: 'second' });
    const full = { code: 'spawns_limit', details: { option: 'maxSpawns', limit: 2, taskId } };
    for (const at of [0, 1]) expect(() => runs[at]?.run.spawn({ instructions: 'x' })).toThrow(expect.objectContaining(full));
    manager.spawn({ instructions: 'of the definition', agent: 'reader' });
    runs[3]?.run.spawn({ instructions: 'first' });
    expect(() => runs[3]?.run.spawn({ instructions: 'x' })).toThrow(expect.objectContaining({ code: 'spawns_limit' }));
    expect(() => manager.spawn({ instructions: 'x', maxSpawns: 0 })).toThrow('`maxSpawns`');
  });

  test('B1 `run.limits` gives the least on the path; an allocation is cut to what is left, not refused', async () => {
    const { host, runs } = manualHost();
    const { manager } = managed(host, { maxDepth: 2, budget: { tokens: 20_000, costUsd: 3 } });
    manager.spawn({ instructions: 'a', budget: { turns: 4 } });
    expect(runs[0]?.run.limits).toMatchObject({ tokens: 20_000, costUsd: 3, turns: 4 });
    const child = runs[0]?.run.spawn({ instructions: 'b', budget: { turns: 9, tokens: 5_000 } });
    expect(runs[1]?.run.limits).toMatchObject({ tokens: 5_000, costUsd: 3, turns: 4 });
    runs[1]?.end.resolve(done('b', 4_000));
    await child?.wait();
    runs[0]?.end.resolve(done('a', 15_000));
    await flush();
    const huge = manager.spawn({ instructions: 'c', budget: { tokens: 1e9 } });
    expect(huge.snapshot().budget.tokens.cap).toBe(1_000);
    expect(runs[2]?.run.limits.tokens).toBe(1_000);
    expect(huge.status).toBe('running');
  });
});

describe('what work waits for', () => {
  const reasons = (manager: SubAgentManager): Record<string, number> =>
    Object.fromEntries(Object.entries(manager.getConcurrencyInfo().waitingFor).filter(([, count]) => count > 0));

  test('D4 a slot, or budget that others hold: in snapshots, counts, statistics and the event', async () => {
    const { host, runs } = manualHost();
    const { manager } = managed(host, { maxConcurrent: 2, budget: { tokens: 10_000 } });
    const events: SubAgentEvent[] = [];
    manager.subscribe((event) => events.push(event));
    const [all, poor] = [{ tokens: 10_000 }, { tokens: 500 }].map((budget) => manager.spawn({ instructions: 'x', budget }));
    expect([all, poor].map((handle) => handle?.snapshot().waitingFor)).toEqual([null, 'budget']);
    expect(reasons(manager)).toEqual({ budget: 1 });
    manager.addBudget({ tokens: 10_000 });
    const third = manager.spawn({ instructions: 'y' });
    expect(manager.get(third).waitingFor).toBe('slot');
    expect(manager.stats().waitingFor).toEqual(manager.getConcurrencyInfo().waitingFor);
    expect(manager.session('s').getConcurrencyInfo().waitingFor.slot).toBe(1);
    const said = events.flatMap((event) => (event.type === 'task_admitted' ? [event.first?.waitingFor] : []));
    expect(said).toEqual([null, 'budget', 'slot']);
    for (const { end } of runs) end.resolve(done());
    await flush();
    runs[2]?.end.resolve(done());
    expect((await third.wait()).status).toBe('completed');
    expect([manager.get(third).waitingFor, reasons(manager)]).toEqual([null, {}]);
  });

  test('D4 B3 X1 a turn that has to wait says for what in its event: budget, a cooldown', async () => {
    const { host, runs } = manualHost();
    const { manager } = managed(host, { maxConcurrent: 2, budget: { tokens: 100 }, turnEstimate: 30 });
    const said: unknown[] = [];
    manager.subscribe((event) => {
      if (event.type === 'turn_delayed') said.push(event.waitingFor);
    });
    manager.spawn({ instructions: 'a' });
    manager.spawn({ instructions: 'b' });
    const [a, b] = runs;
    expect(await a?.run.beforeTurn({ tokens: 60 })).toMatchObject({ go: true });
    const poor = b?.run.beforeTurn({ tokens: 60 });
    await flush();
    expect(said).toEqual(['budget']);
    a?.run.report({ tokens: 10 });
    a?.end.resolve(done());
    expect(await poor).toMatchObject({ go: true });
    b?.run.report({ tokens: 10 });
    b?.run.reportRateLimit({ retryAfterMs: 50 });
    const limited = b?.run.beforeTurn({ tokens: 5 });
    await flush();
    expect(said).toEqual(['budget', 'cooldown']);
    await pass(50);
    expect(await limited).toMatchObject({ go: true });
  });

  test('D4 L6 M4 the last host function, and an interrupt until the next message', async () => {
    const { host, runs } = manualHost();
    const { manager } = managed(host, { graceMs: 0 });
    const task = manager.spawn({ instructions: 'a' });
    task.send('b');
    await settles(task.interrupt(), 100);
    expect([task.snapshot().status, task.snapshot().waitingFor]).toEqual(['interrupted', 'held']);
    expect(reasons(manager)).toEqual({ held: 1 });
    task.send('c');
    expect([task.snapshot().status, task.snapshot().waitingFor]).toEqual(['pending', 'host']);
    expect(reasons(manager)).toEqual({ host: 1 });
    runs[0]?.end.resolve(done());
    await flush();
    expect([task.snapshot().status, task.snapshot().waitingFor, reasons(manager)]).toEqual(['running', null, {}]);
  });

  test('D4 X1 X5 a cooldown, the distance between starts, the next attempt', async () => {
    const { manager } = managed(
      async ({ instructions }, run) => {
        if (instructions === 'limited') run.reportRateLimit({ retryAfterMs: 5_000 });
        if (instructions === 'fails') throw new Error('no');
        return done();
      },
      { staggerMs: 1_000, retry: { max: 2, backoffMs: 60_000 } },
    );
    await manager.spawn({ instructions: 'limited', rateLimitKey: 'k' }).wait();
    const cools = manager.spawn({ instructions: 'x', rateLimitKey: 'k' });
    const apart = manager.spawn({ instructions: 'fails', rateLimitKey: 'other' });
    expect([cools, apart].map((handle) => handle.snapshot().waitingFor)).toEqual(['cooldown', 'stagger']);
    expect(reasons(manager)).toEqual({ cooldown: 1, stagger: 1 });
    await pass(2_000);
    expect([cools, apart].map((handle) => handle.snapshot().waitingFor)).toEqual(['cooldown', 'retry']);
    expect(reasons(manager)).toEqual({ cooldown: 1, retry: 1 });
  });

  test('D4 S4 host functions that were given up: then nothing else counts', async () => {
    const { host } = manualHost();
    const { manager } = managed(host, { maxAbandoned: 1, abandonMs: 10, graceMs: 0, maxConcurrent: 1, onError: () => {} });
    const task = manager.spawn({ instructions: 'a' });
    const waits = manager.spawn({ instructions: 'b' });
    await settles(task.cancel(), 100);
    await pass(1_000);
    expect([waits.snapshot().waitingFor, reasons(manager)]).toEqual(['abandoned', { abandoned: 1 }]);
    manager.setLimits({ maxAbandoned: 2 });
    expect(waits.status).toBe('running');
  });
});

describe('running into a limit says which option raises it', () => {
  test('B1 an end says it, in its result and in snapshots; a model gets nothing about options', async () => {
    const ends = async (options: SubAgentManagerOptions, spawn: SpawnOptions = {}) => {
      const { manager } = managed(async (_, run) => {
        for (;;) {
          const permit = await run.beforeTurn();
          if (!permit.go || permit.wrapUp) break;
          run.report({ tokens: 1_000 });
        }
        return { output: 'so far' };
      }, options);
      const handle = manager.spawn({ instructions: 'x', ...spawn });
      const result = await handle.wait();
      expect(handle.snapshot().raisedBy).toBe(result.raisedBy);
      expect(manager.get(handle).raisedBy).toBe(result.raisedBy);
      if (result.raisedBy !== null) expect(handle.resultText()).not.toContain(result.raisedBy);
      return [result.stopReason, result.raisedBy];
    };
    expect(await ends({ maxTurns: 3 })).toEqual(['max_turns', 'maxTurns']);
    expect(await ends({ budget: { tokens: 6_000 } })).toEqual(['budget_exhausted', 'budget.tokens']);
    expect(await ends({ taskBudget: { tokens: 6_000 } })).toEqual(['budget_exhausted', 'taskBudget.tokens']);
    expect(await ends({ taskBudget: { turns: 2 } })).toEqual(['budget_exhausted', 'taskBudget.turns']);
    expect(await ends({}, { budget: { tokens: 6_000 } })).toEqual(['budget_exhausted', 'budget.tokens']);
    expect(
      (
        await managed(async () => done())
          .manager.spawn({ instructions: 'x' })
          .wait()
      ).raisedBy,
    ).toBeNull();
  });

  test('B1 L8 one that is forgotten in the step of its end says it too', async () => {
    const { manager } = managed(
      async (_, run) => {
        if ((await run.beforeTurn()).go) run.report({ costUsd: 0.1 });
        return done();
      },
      { maxConcurrent: 1, retain: 2, budget: { costUsd: 0.1 } },
    );
    const results = await Promise.all(Array.from({ length: 8 }, () => manager.spawn({ instructions: 'x' }).wait()));
    expect(manager.list().total).toBe(2);
    expect(results.map(({ raisedBy }) => raisedBy)).toEqual([null, ...Array(7).fill('budget.costUsd')]);
  });

  test('T1 deadlines say theirs', async () => {
    const { host } = manualHost();
    const { manager } = managed(host, { timeoutMs: 100, graceMs: 10, abandonMs: 10 });
    expect(await settles(manager.spawn({ instructions: 'x' }).wait(), 1_000)).toMatchObject({
      stopReason: 'timeout',
      raisedBy: 'timeoutMs',
    });
  });

  test.each([
    ['queue_full', 'maxQueued', { maxConcurrent: 1, maxQueued: 0 }],
    ['concurrency_limit', 'maxConcurrent', { maxConcurrent: 1, onLimit: 'reject' }],
    ['tasks_limit', 'maxTasks', { maxTasks: 1 }],
    ['budget_exhausted', 'budget.turns', { budget: { turns: 1 }, onLimit: 'reject' }],
  ] as const)('a refusal, %s, names %s in its message and as `details.option`', (code, option, options) => {
    const { host } = manualHost();
    const { manager } = managed(host, options);
    manager.spawn({ instructions: 'a' });
    const refused = refusal(() => manager.spawn({ instructions: 'b' }));
    expect([refused.code, refused.details.option]).toEqual([code, option]);
    expect(refused.message).toContain(option);
  });
});
