// The run as the host function gets it: what it was given, its signal, its session, its turns, and its own
// sub-agents.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test } from 'vitest';
import {
  type Handle,
  type HostResult,
  Run,
  SubAgentError,
  type SubAgentManager,
  type SubAgentManagerOptions,
  type TurnPermit,
} from '../../../dist/index.js';
import {
  deferred,
  done,
  expectSound,
  expectSums,
  type Host,
  managerWith,
  manualHost,
  refusal,
  rejects,
  standing,
} from '../../support/hosts.js';
import { flush, isPending, pass, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function host(body: Host, options: SubAgentManagerOptions = {}) {
  const made = managerWith(body, options);
  opened.push(made.manager);
  return made;
}

/** Spawns one sub-agent and gives its run to the test, which ends it. */
async function openRun(options: SubAgentManagerOptions = {}, spawn: Parameters<SubAgentManager['spawn']>[0] = { instructions: 'work' }) {
  const end = deferred<HostResult>();
  const got = deferred<Run>();
  const made = host((_, run) => {
    got.resolve(run);
    return end.promise;
  }, options);
  const handle = made.manager.spawn(spawn);
  return { ...made, handle, run: await got.promise, end };
}

describe('what a run is given', () => {
  test('A2 S1.01 its own instructions and context, its place, its caps', async () => {
    const { run, handle } = await openRun(
      { getModelId: () => 'model-1' },
      {
        instructions: 'read',
        contextHint: 'in docs/',
        label: 'reader',
        systemPrompt: 'be brief',
        maxTurns: 4,
        maxCost: 0.5,
        timeoutMs: 60_000,
        budget: { tokens: 3_000 },
      },
    );
    expect(run).toBeInstanceOf(Run);
    expect(run).toMatchObject({
      taskId: handle.taskId,
      run: 1,
      depth: 1,
      label: 'reader',
      prompt: 'read',
      contextHint: 'in docs/',
      systemPrompt: 'be brief',
      modelId: 'model-1',
    });
    expect(run.tools).toBeUndefined();
    expect(run.limits).toEqual({
      maxTurns: 4,
      tokens: 3_000,
      costUsd: 0.5,
      turns: Number.POSITIVE_INFINITY,
      timeoutMs: 60_000,
      idleTimeoutMs: 300_000,
      maxDepth: 1,
      countCacheReads: 1_000,
    });
  });

  test('B1 defaults: twenty turns, no cap, the minimal prompt (S4.11), no model', async () => {
    const { run } = await openRun();
    expect(run.limits).toMatchObject({
      maxTurns: 20,
      tokens: Number.POSITIVE_INFINITY,
      costUsd: Number.POSITIVE_INFINITY,
      timeoutMs: 1_800_000,
    });
    expect(run.profile).toBe('minimal');
    expect(run.systemPrompt).toContain('on nothing else');
    expect(run.modelId).toBeUndefined();
    expect(run.contextHint).toBe('');
  });

  test('B1 B2 `remaining`: what its caps leave it, and what is left to all that share those above', async () => {
    const { host: body, runs } = manualHost();
    const { manager } = host(body, { budget: { tokens: 10_000, costUsd: 2 }, maxConcurrent: 3, turnEstimate: 1_000 });
    manager.spawn({ instructions: 'x', maxTurns: 3, budget: { tokens: 5_000, turns: 7 } });
    manager.spawn({ instructions: 'y', budget: { tokens: 4_000 } });
    const [one, other] = runs.map(({ run }) => run) as [Run, Run];
    // The other one holds what it is allowed until its first turn.
    expect(one.remaining).toEqual({
      tokens: 5_000,
      costUsd: expect.any(Number),
      turns: 3,
      shared: { tokens: 6_000, costUsd: expect.any(Number), turns: Number.POSITIVE_INFINITY },
    });
    await other.beforeTurn();
    expect(one.remaining).toMatchObject({ tokens: 5_000, turns: 3, shared: { tokens: 9_000 } });
    await one.beforeTurn();
    expect(one.remaining, 'what is set aside for its own turn is its own').toMatchObject({
      tokens: 5_000,
      turns: 2,
      shared: { tokens: 9_000 },
    });
    one.report({ tokens: 1_200, costUsd: 0.5 });
    // The turn of the other one has dollars set aside for it, too.
    expect(one.remaining).toMatchObject({ tokens: 3_800, costUsd: 1.25, turns: 2, shared: { tokens: 7_800, costUsd: 1.25 } });
    manager.addBudget({ tokens: 100 }, one.taskId);
    expect(one.remaining.tokens).toBe(3_900);
    // What others spend of the manager's budget, it can't have.
    other.report({ tokens: 8_000 });
    expect(one.remaining).toMatchObject({ tokens: 800, shared: { tokens: 800 } });
    runs[0]?.end.resolve(done());
    await manager.wait([one.taskId]);
    expect(one.remaining, 'no turn is left to a run that has ended').toMatchObject({ tokens: 800, turns: 0 });
  });

  test('B2 `remaining` without any cap is `Infinity`; what its children spend is gone', async () => {
    const { run } = await openRun({ maxTurns: Number.POSITIVE_INFINITY });
    expect(run.remaining).toEqual({
      tokens: Number.POSITIVE_INFINITY,
      costUsd: Number.POSITIVE_INFINITY,
      turns: Number.POSITIVE_INFINITY,
      shared: { tokens: Number.POSITIVE_INFINITY, costUsd: Number.POSITIVE_INFINITY, turns: Number.POSITIVE_INFINITY },
    });
    const { host: body, runs } = manualHost();
    const { manager } = host(body, { maxDepth: 2, turnEstimate: 100 });
    manager.spawn({ instructions: 'x', budget: { tokens: 3_000 } });
    const parent = runs[0]?.run as Run;
    await parent.beforeTurn();
    parent.report({ tokens: 500 });
    parent.spawn({ instructions: 'y', budget: { tokens: 1_000 } });
    const child = runs[1]?.run as Run;
    await child.beforeTurn();
    child.report({ tokens: 300 });
    expect(parent.remaining.tokens).toBe(2_200);
    expect(child.remaining).toMatchObject({ tokens: 700, shared: { tokens: 2_200 } });
  });

  test('the parameters reach the host untouched', () => {
    const seen: unknown[] = [];
    const { manager } = host((params) => {
      seen.push(params);
      return done();
    });
    const params = Object.freeze({ instructions: 'x', tools: ['a'] });
    manager.spawn(params);
    expect(seen[0]).toBe(params);
  });

  test('the gate, the policies and the host get what was given', () => {
    const seen: unknown[] = [];
    const { manager } = host(
      (params) => {
        seen.push(params);
        return done();
      },
      {
        maxConcurrent: 5,
        checkConsumerSpawn: (params) => {
          seen.push(params);
          return { allowed: !params.instructions.includes('password') };
        },
        policies: { main: [{ beforeSpawn: ({ params }) => void seen.push(params) }] },
      },
    );
    manager.spawn({ instructions: 'x', label: 'a' });
    const given = { instructions: 'x', label: 'a' };
    expect(seen).toEqual([given, given, given]);
  });

  test('L6 a later run gets the message as its instructions, and a number of its own', async () => {
    const seen: [unknown, number, string][] = [];
    const { manager } = host((params, run) => {
      seen.push([params.instructions, run.run, run.prompt]);
      return done();
    });
    const handle = manager.spawn({ instructions: 'one', maxTurns: 3 });
    await handle.wait();
    handle.send('two');
    await handle.wait();
    expect(seen).toEqual([
      ['one', 1, 'one'],
      ['two', 2, 'two'],
    ]);
  });

  test('A2 L6 a run that reads its prompt when a later run has begun reads its own', async () => {
    const runs: Run[] = [];
    const { manager } = host((_, run) => {
      runs.push(run);
      return done();
    });
    const handle = manager.spawn({ instructions: 'one' });
    await handle.wait();
    handle.send('two');
    await handle.wait();
    expect(runs.map((run) => run.prompt)).toEqual(['one', 'two']);
  });

  test('A2 a run of a forgotten task never sees the text of the task that has its slot', async () => {
    const runs: Run[] = [];
    const { manager } = host((_, run) => {
      runs.push(run);
      return done();
    });
    const first = manager.spawn({ instructions: 'one' });
    await first.wait();
    manager.forget(first);
    await manager.spawn({ instructions: 'secret of another' }).wait();
    let prompt: unknown;
    try {
      prompt = runs[0]?.prompt;
    } catch (error) {
      prompt = error;
    }
    expect(prompt).not.toBe('secret of another');
  });

  // Scope.list() (ts/api/scope.ts) and the core's `list` know no generation: the slot belongs to another task by now.
  test('A1 a run of a forgotten task never lists what the task that has its slot has below it', async () => {
    let kept: Run | undefined;
    const { manager } = host(
      async (_, run) => {
        if (run.prompt === 'one') kept = run;
        if (run.prompt === 'two') await run.spawn({ instructions: 'secret child' }).wait();
        return done();
      },
      { maxDepth: 2 },
    );
    const one = manager.spawn({ instructions: 'one' });
    await one.wait();
    manager.forget(one);
    await settles(manager.spawn({ instructions: 'two' }).wait());
    let seen: unknown;
    try {
      seen = kept?.list().items;
    } catch (error) {
      seen = error;
    }
    expect(JSON.stringify(seen)).not.toContain('secret child');
  });
});

describe('tools (P2)', () => {
  const parent = ['read', 'write', 'SubAgent', 'message', 'spawn', 'delegate_to_sub_agent', 'send_file_to_user'];

  test("S2.07 by default it has the parent's, less what is blocked; S2.04 never SubAgent at the depth limit", async () => {
    expect((await openRun({ tools: parent })).run.tools).toEqual(['read', 'write']);
  });

  test("P2 a long list is each run's own, and that of its own parent", async () => {
    const names = (of: string) => Array.from({ length: 20 }, (_, at) => `${of}_${at}`);
    const seen: (string[] | undefined)[] = [];
    const { manager } = host(
      (params, run) => {
        seen.push([...(run.tools ?? [])], [...(params.tools ?? [])]);
        (run.tools as string[]).length = 0;
        (params.tools as string[])[0] = 'changed';
        return done();
      },
      { tools: names('a') },
    );
    const other = manager.session('other', { tools: names('b') });
    for (const scope of [manager, manager, other, manager]) await scope.spawn({ instructions: 'work' }).wait();
    expect(seen).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'a', 'a'].map(names));
  });

  test('S2.04 S5.11 naming a blocked tool does not help', async () => {
    const { run } = await openRun({ tools: parent }, { instructions: 'x', tools: ['SubAgent', 'message', 'read', 'read', 'none'] });
    expect(run.tools).toEqual(['read']);
  });

  test('what is requested counts where the parent is unknown', async () => {
    const { run } = await openRun({}, { instructions: 'x', tools: ['b', 'SubAgent', 'a'] });
    expect(run.tools).toEqual(['b', 'a']);
  });

  test('P2 the refusal says so where none is known that may be handed on', () => {
    const { manager } = host(() => done());
    expect(refusal(() => manager.spawn({ instructions: 'x', tools: ['spawn'] })).message).toBe(
      'none of the requested tools (spawn) may be handed on to it',
    );
  });

  test('an empty request means no tools; neither known is undefined', async () => {
    expect((await openRun({ tools: parent }, { instructions: 'x', tools: [] })).run.tools).toEqual([]);
    expect((await openRun()).run.tools).toBeUndefined();
    expect((await openRun({ tools: [] })).run.tools).toEqual([]);
  });

  test('a request filtered away is refused, naming both lists', () => {
    const { manager } = host(() => done(), { tools: parent });
    const error = refusal(() => manager.spawn({ instructions: 'x', tools: ['SubAgent', 'fly'] }));
    expect(error.code).toBe('no_tools');
    for (const name of ['SubAgent', 'fly', 'read', 'write']) expect(error.message).toContain(name);
    expect(error.details).toMatchObject({ requested: ['SubAgent', 'fly'], available: ['read', 'write'] });
    expect(manager.stats().total).toBe(0);
  });

  test('a tool is a tool only by its own name', async () => {
    const { run } = await openRun({}, { instructions: 'x', tools: ['subagent', 'Message', 'constructor', '__proto__'] });
    expect(run.tools).toEqual(['subagent', 'Message', 'constructor', '__proto__']);
  });

  test('S2.04 above the depth limit a run may hand SubAgent on; its children, at the limit, may not have it', async () => {
    const seen: (readonly string[] | undefined)[] = [];
    const { manager } = host(
      async (_, run) => {
        seen.push(run.tools);
        if (run.depth === 1) await run.spawn({ instructions: 'below', tools: ['SubAgent', 'read'] }).wait();
        return done();
      },
      { tools: parent, maxDepth: 2 },
    );
    await settles(manager.spawn({ instructions: 'top' }).wait());
    expect(seen).toEqual([['read', 'write', 'SubAgent'], ['read']]);
  });
});

describe('the signal', () => {
  test('it is made when first read, and is the same each time', async () => {
    const { run } = await openRun();
    expect(run.signal).toBe(run.signal);
    expect(run.signal).toBeInstanceOf(AbortSignal);
    expect(run.signal.aborted).toBe(false);
  });

  test.each([true, false])('L5 it fires with the reason, whether it was read before (%s) or only after', async (before) => {
    const { run, handle, end } = await openRun();
    const fired: unknown[] = [];
    if (before) run.signal.addEventListener('abort', () => fired.push(run.signal.reason));
    const cancelling = handle.cancel();
    expect(run.signal.aborted).toBe(true);
    expect(run.signal.reason).toBeInstanceOf(SubAgentError);
    expect(run.signal.reason).toMatchObject({ code: 'aborted', details: { reason: 'cancelled' } });
    expect(fired).toHaveLength(before ? 1 : 0);
    end.resolve(done('partial'));
    await settles(cancelling);
  });

  test('an ended run was not aborted', async () => {
    const { run, handle, end } = await openRun();
    end.resolve(done());
    await handle.wait();
    expect(run.signal.aborted).toBe(false);
  });

  test('an abort listener may call back and may throw', async () => {
    const { run, handle, manager, use } = await openRun();
    run.signal.addEventListener('abort', () => {
      void handle.cancel();
      expect(manager.get(handle)).toMatchObject({ cancelRequested: true });
      use(() => done('other'));
      manager.spawn({ instructions: 'from an abort listener' });
    });
    await settles(handle.cancel());
    expect(handle.status).toBe('cancelled');
    expect(manager.stats()).toMatchObject({ completed: 1, cancelled: 1 });
  });
});

describe('the session', () => {
  test('A2 it is private, empty at first, kept over the runs, gone with the task', async () => {
    const sizes: number[] = [];
    const { manager } = host((_, run) => {
      sizes.push(run.session.size);
      run.session.set(`run ${run.run}`, run.prompt);
      return done([...run.session.keys()].join());
    });
    const one = manager.spawn({ instructions: 'a' });
    const other = manager.spawn({ instructions: 'b' });
    await manager.wait([one, other]);
    one.send('again');
    expect((await one.wait()).output).toBe('run 1,run 2');
    expect(sizes).toEqual([0, 0, 1]);
    manager.forget(one);
    const next = manager.spawn({ instructions: 'c' });
    expect((await next.wait()).output).toBe('run 1');
  });

  // Runtime.session() (ts/api/runtime.ts) makes a new map for the generation that asks and puts it in the place of the other's.
  test('A2 a run of a forgotten task does not empty the session of the task that has its slot', async () => {
    const runs: Run[] = [];
    const { manager } = host((_, run) => {
      runs.push(run);
      return done();
    });
    const first = manager.spawn({ instructions: 'one' });
    await first.wait();
    manager.forget(first);
    const second = manager.spawn({ instructions: 'two' });
    await second.wait();
    runs[1]?.session.set('kept', true);
    try {
      runs[0]?.session.clear();
    } catch {
      // Refusing is fine.
    }
    expect(runs[1]?.session.get('kept')).toBe(true);
  });
});

describe('turns', () => {
  test('B3 the first turn shrinks the hold to one estimate; a report frees it (B3, B6)', async () => {
    const { run, manager, handle, end } = await openRun({ taskBudget: { tokens: 10_000 } });
    expect(manager.stats().tokensReserved).toBe(10_000);
    expect(await run.beforeTurn({ tokens: 500 })).toEqual({ go: true, turn: 1 });
    expect(manager.stats()).toMatchObject({ tokensReserved: 500, turnsSpent: 1 });
    run.report({ tokens: 300, costUsd: 0.01 });
    expect(handle.snapshot().usage).toMatchObject({ tokens: 300, costUsd: 0.01 });
    expect(await run.beforeTurn()).toEqual({ go: true, turn: 2 });
    run.report({ tokens: 200 });
    end.resolve({ output: 'x', usage: { tokens: 800, turns: 2, cost: 0.02 } });
    const result = await handle.wait();
    expect(result.usage).toMatchObject({ tokens: 800, costUsd: 0.02, turns: 2 });
    expect(manager.stats()).toMatchObject({ tokensReserved: 0, tokensSpent: 800, turnsSpent: 2 });
  });

  test('B6 what was reported counts where the final usage is left out', async () => {
    const { run, handle, end } = await openRun();
    await run.beforeTurn();
    run.report({ tokens: 120, costUsd: 0.5 });
    await run.beforeTurn();
    run.report({ tokens: 30 });
    end.resolve({ output: 'x' });
    expect((await handle.wait()).usage).toMatchObject({ tokens: 150, costUsd: 0.5, turns: 2 });
  });

  test('L4 after `maxTurns` it is asked to stop; what it then returns is partial, and failed', async () => {
    const { run, handle, end } = await openRun({}, { instructions: 'x', maxTurns: 2 });
    expect(await run.beforeTurn()).toMatchObject({ go: true, turn: 1 });
    expect(await run.beforeTurn()).toMatchObject({ go: true, turn: 2 });
    expect(await run.beforeTurn()).toEqual({ go: false, reason: 'max_turns' });
    expect(await run.beforeTurn()).toEqual({ go: false, reason: 'max_turns' });
    end.resolve(done('so far'));
    expect(await handle.wait()).toMatchObject({ status: 'failed', stopReason: 'max_turns', partial: true, output: 'so far' });
  });

  test('B8 once the budget less `wrapUpTokens` is used there is one wrap-up turn, then none', async () => {
    const { run, handle, end } = await openRun({}, { instructions: 'x', budget: { tokens: 5_000 }, turnEstimate: 1_000 });
    const permits: TurnPermit[] = [];
    for (let turn = 0; turn < 10; turn += 1) {
      const permit = await run.beforeTurn();
      permits.push(permit);
      if (!permit.go) break;
      run.report({ tokens: permit.wrapUp === true ? 100 : 1_200 });
    }
    const last = permits.at(-1);
    const wrapUps = permits.filter((permit) => permit.go && permit.wrapUp === true);
    expect(wrapUps).toHaveLength(1);
    expect(permits.at(-2)).toMatchObject({ go: true, wrapUp: true, reason: 'budget_exhausted' });
    expect(last).toEqual({ go: false, reason: 'budget_exhausted' });
    end.resolve({ output: 'summary' });
    expect(await handle.wait()).toMatchObject({ status: 'failed', stopReason: 'budget_exhausted', partial: true, output: 'summary' });
  });

  test('B8 the last reported message is the partial output where none is returned', async () => {
    const { run, handle } = await openRun({ graceMs: 10 });
    run.report({ message: 'first' });
    run.report({ message: 'read 3 of 5 files' });
    expect(handle.snapshot().progress).toBe('read 3 of 5 files');
    await settles(handle.cancel());
    expect(handle.snapshot()).toMatchObject({ output: 'read 3 of 5 files', partial: true, status: 'cancelled' });
  });

  test('C1 a cancelled run is asked to stop; an ended one is refused (A1)', async () => {
    const { run, handle, end } = await openRun();
    const cancelling = handle.cancel();
    expect(await run.beforeTurn()).toEqual({ go: false, reason: 'cancelled' });
    end.resolve(done());
    await settles(cancelling);
    expect(await run.beforeTurn()).toEqual({ go: false, reason: 'actor_ended' });
  });

  test('a second beforeTurn while one is pending is an error, and harms neither', async () => {
    const { run, manager, end } = await openRun({ maxConcurrent: 1, maxDepth: 2 });
    await run.beforeTurn();
    const child = run.spawn({ instructions: 'child', background: true });
    const waiting = run.wait([child]);
    const pending = run.beforeTurn();
    expect(await isPending(pending)).toBe(true);
    await rejects(run.beforeTurn(), 'invalid_argument');
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, parked: 1 });
    void child.cancel();
    end.resolve(done());
    await flush();
    await settles(waiting);
    expect((await settles(pending)).go).toBeTypeOf('boolean');
  });

  test('a turn that waits is answered when its run is cancelled, and rejects when the manager is disposed', async () => {
    for (const end of ['cancel', 'dispose'] as const) {
      const { run, manager, handle } = await openRun({ maxConcurrent: 1, maxDepth: 2 });
      await run.beforeTurn();
      const child = run.spawn({ instructions: 'child' });
      child.wait().catch(() => undefined);
      const turn = run.beforeTurn();
      expect(await isPending(turn)).toBe(true);
      if (end === 'cancel') {
        handle.cancel().catch(() => undefined);
        expect(await settles(turn)).toMatchObject({ go: false });
      } else {
        manager.dispose();
        await rejects(turn, 'disposed');
      }
    }
  });

  test('B6 a turn whose budget is held elsewhere waits for it, then goes', async () => {
    const runs: { run: Run; end: (result: HostResult) => void }[] = [];
    const { manager } = host(
      (_, run) => {
        const end = deferred<HostResult>();
        runs.push({ run, end: end.resolve });
        return end.promise;
      },
      { budget: { tokens: 5_000 } },
    );
    const one = manager.spawn({ instructions: 'a', budget: { tokens: 3_000 }, turnEstimate: 1_000 });
    const two = manager.spawn({ instructions: 'b', budget: { tokens: 3_000 }, turnEstimate: 1_000 });
    const [first, second] = runs as [(typeof runs)[number], (typeof runs)[number]];
    await second.run.beforeTurn({ tokens: 1_000 });
    second.run.report({ tokens: 900 });
    const pending = second.run.beforeTurn({ tokens: 1_500 });
    expect(await isPending(pending)).toBe(true);
    first.end({ output: 'a', usage: { tokens: 100 } });
    expect(await settles(pending)).toMatchObject({ go: true });
    second.end(done());
    expect([(await one.wait()).status, (await settles(two.wait())).status]).toEqual(['completed', 'completed']);
    expectSums(manager);
  });

  test.each([0, -1, 1.5, Number.NaN, '5', null])('an estimate of %s is an error', async (tokens) => {
    const { run, manager } = await openRun();
    const before = standing(manager);
    await rejects(run.beforeTurn({ tokens } as never), 'invalid_argument');
    expect(standing(manager)).toEqual(before);
  });
});

describe('reports', () => {
  test('context and message are kept; they are never refused, not even after the end', async () => {
    const { run, handle, end, manager } = await openRun();
    run.report({ contextTokens: 1_234, message: 'reading' });
    expect(handle.snapshot()).toMatchObject({ contextTokens: 1_234, progress: 'reading' });
    end.resolve({ output: 'x', usage: { tokens: 5 } });
    await handle.wait();
    expect(() => run.report({ tokens: 5, message: 'late' })).not.toThrow();
    manager.dispose();
    expect(() => run.report({ tokens: 5 })).not.toThrow();
  });

  test.each([null, 1, 'x', undefined])('a report must be an object, not %s', async (report) => {
    const { run } = await openRun();
    expect(refusal(() => run.report(report as never)).code).toBe('invalid_argument');
  });

  test('B7 an invalid reading keeps the hold and books it at the end; a later valid one replaces it', async () => {
    const first = await openRun();
    await first.run.beforeTurn({ tokens: 700 });
    first.run.report({ tokens: -1 });
    expect(first.manager.stats().tokensReserved).toBe(700);
    first.end.resolve({ output: 'x' });
    expect((await first.handle.wait()).usage).toMatchObject({ tokens: 700, invalid: ['tokens'] });
    const second = await openRun();
    await second.run.beforeTurn({ tokens: 700 });
    second.run.report({ tokens: Number.NaN });
    second.end.resolve({ output: 'x', usage: { tokens: 50, turns: 1, cost: 0 } });
    expect((await second.handle.wait()).usage).toMatchObject({ tokens: 50, invalid: [] });
  });

  test('B7 a report of something else lets nothing go that an invalid reading keeps', async () => {
    const { manager, run, handle, end } = await openRun();
    await run.beforeTurn({ tokens: 700 });
    run.report({ tokens: -1 });
    run.report({ costUsd: 0.01 });
    expect(manager.stats().tokensReserved).toBe(700);
    run.report({ tokens: 30 });
    expect(manager.stats().tokensReserved).toBe(0);
    await run.beforeTurn({ tokens: 500 });
    run.report({ tokens: -1 });
    run.report({ costUsd: 0.01 });
    end.resolve({ output: 'x' });
    expect((await handle.wait()).usage).toMatchObject({ tokens: 530, costUsd: 0.02, invalid: ['tokens'] });
  });
});

describe('nesting', () => {
  const nested: Host = async (_, run) => {
    const below = Number(run.prompt);
    if (below === 0) return done('leaf');
    const results = await Promise.all([below - 1, below - 1].map((next) => run.spawn({ instructions: `${next}` }).wait()));
    return done(`(${results.map((result) => result.output).join(' ')})`);
  };

  test('S5 with one slot a tree of waiting parents finishes', async () => {
    const { manager, use } = host(nested, { maxConcurrent: 1, maxDepth: 4, budget: { tokens: 1_000_000 } });
    const result = await settles(manager.spawn({ instructions: '3' }).wait());
    expect(result.output).toBe('(((leaf leaf) (leaf leaf)) ((leaf leaf) (leaf leaf)))');
    expect(manager.stats()).toMatchObject({ total: 15, completed: 15 });
    await expectSound({ manager, use });
  });

  test('S1 a waiting parent is parked and holds no slot; S2 it comes back in the step in which its child ends', async () => {
    const leaf = deferred<HostResult>();
    let parked: unknown;
    const { manager } = host(
      async (_, run) => {
        if (run.depth === 2) return leaf.promise;
        const result = await run.spawn({ instructions: 'leaf' }).wait();
        parked = manager.get(run.taskId).parked;
        return done(result.output);
      },
      { maxConcurrent: 1, maxDepth: 2 },
    );
    const handle = manager.spawn({ instructions: 'top' });
    await flush();
    expect(handle.snapshot()).toMatchObject({ status: 'running', parked: 'children' });
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, parked: 1 });
    leaf.resolve(done('from the leaf'));
    expect((await settles(handle.wait())).output).toBe('from the leaf');
    expect(parked).toBeNull();
  });

  test('T1 a child that gets the slot of a run that begins to wait starts then, and has all of its time', async () => {
    const { manager } = host(
      async (_, run) => {
        if (run.depth === 2) {
          await pass(400);
          return done('in time');
        }
        const child = run.spawn({ instructions: 'child', timeoutMs: 500, budget: { tokens: 2_000 } });
        await pass(60_000);
        return done(JSON.stringify(await child.wait()));
      },
      // The alarm of a stall would divide the time that both of these let pass.
      { maxDepth: 2, maxConcurrent: 1, stallMs: Number.POSITIVE_INFINITY },
    );
    const parent = await settles(manager.spawn({ instructions: 'parent' }).wait());
    expect(JSON.parse(parent.output)).toMatchObject({ status: 'completed', output: 'in time', durationMs: 400 });
  });

  test('S1 it stays parked until its last open wait has returned', async () => {
    const leaves = [deferred<HostResult>(), deferred<HostResult>()] as const;
    const { manager } = host(
      async (_, run) => {
        if (run.depth === 2) return leaves[Number(run.prompt) as 0 | 1].promise;
        const handles = ['0', '1'].map((instructions) => run.spawn({ instructions, budget: { tokens: 3_000 } }));
        await Promise.all([handles[0]?.wait(), run.wait([handles[1] as Handle])]);
        return done();
      },
      { maxDepth: 2 },
    );
    const handle = manager.spawn({ instructions: 'top' });
    await flush();
    expect(manager.getConcurrencyInfo()).toMatchObject({ active: 2, parked: 1 });
    leaves[0].resolve(done());
    await flush();
    expect(handle.snapshot().parked).toBe('children');
    leaves[1].resolve(done());
    await settles(handle.wait());
    expect(handle.status).toBe('completed');
  });

  test('S2 a run that takes turns waits for a slot in `beforeTurn` after its wait', async () => {
    const blocker = deferred<HostResult>();
    const turns: TurnPermit[] = [];
    const { manager } = host(
      async (_, run) => {
        if (run.prompt === 'blocker') return blocker.promise;
        if (run.depth === 2) return done();
        await run.beforeTurn();
        const child = run.spawn({ instructions: 'leaf' });
        await child.wait();
        turns.push(await run.beforeTurn());
        return done();
      },
      { maxConcurrent: 1, maxDepth: 2, budget: { tokens: 100_000 } },
    );
    const handle = manager.spawn({ instructions: 'top' });
    manager.spawn({ instructions: 'blocker' });
    await settles(handle.wait());
    expect(turns).toEqual([{ go: true, turn: 2 }]);
    blocker.resolve(done());
    await flush();
    expect(manager.stats()).toMatchObject({ completed: 3, running: 0 });
  });

  test('D1 a run at `maxDepth` may not spawn', async () => {
    let error: SubAgentError | undefined;
    const { manager } = host(async (_, run) => {
      expect(run.canSpawn()).toBe(false);
      error = refusal(() => run.spawn({ instructions: 'below' }));
      return done();
    });
    await manager.spawn({ instructions: 'x' }).wait();
    expect(error).toMatchObject({ code: 'depth_limit', details: { limit: 1 } });
    expect(error?.message).toContain('maxDepth');
  });

  test('D3 a run may count the slot that it would give up', async () => {
    const seen: boolean[] = [];
    const { manager } = host(
      async (_, run) => {
        seen.push(run.canSpawn(), manager.canSpawn());
        return done();
      },
      { maxConcurrent: 1, maxDepth: 2 },
    );
    await manager.spawn({ instructions: 'x' }).wait();
    expect(seen).toEqual([true, false]);
  });

  test("A1 a run reaches only its own descendants: not its siblings, not itself, not its parent's others", async () => {
    const results: Record<string, string> = {};
    let sibling: Handle | undefined;
    const { manager } = host(
      async (_, run) => {
        if (run.prompt !== 'snoop') return done();
        const other = sibling as Handle;
        const attempts: Record<string, () => unknown> = {
          send: () => run.send(other, 'hello'),
          forget: () => run.forget(other),
          cancel: () => run.cancel(other),
          wait: () => run.wait([other]),
          self: () => run.cancel(run.taskId),
        };
        for (const [name, attempt] of Object.entries(attempts)) {
          results[name] = await Promise.resolve()
            .then(attempt)
            .then(
              () => 'done',
              (error: SubAgentError) => error.code,
            );
        }
        return done();
      },
      { maxDepth: 2 },
    );
    sibling = manager.spawn({ instructions: 'sibling' });
    await sibling.wait();
    await settles(manager.spawn({ instructions: 'snoop' }).wait());
    expect(results).toEqual({
      send: 'not_reachable',
      forget: 'not_reachable',
      cancel: 'not_reachable',
      wait: 'not_reachable',
      self: 'not_reachable',
    });
    expect(sibling.status).toBe('completed');
  });

  test('A1 a run can not look at what is not below it', async () => {
    let seen: unknown;
    const { manager } = host(async (_, run) => {
      if (run.prompt !== 'snoop') return done('secret');
      try {
        seen = run.get((sibling as Handle).taskId).output;
      } catch (error) {
        seen = (error as SubAgentError).code;
      }
      return done();
    });
    const sibling = manager.spawn({ instructions: 'sibling' });
    await sibling.wait();
    await manager.spawn({ instructions: 'snoop' }).wait();
    expect(seen).toBe('not_reachable');
  });

  test('A1 `list` of a run shows its descendants only; of the manager, all, parents first', async () => {
    let below: string[] = [];
    const { manager } = host(
      async (_, run) => {
        if (run.prompt !== 'top') return done();
        await run.spawn({ instructions: 'child' }).wait();
        below = run.list().items.map((task) => task.instructions);
        return done();
      },
      { maxDepth: 2 },
    );
    manager.spawn({ instructions: 'other' });
    const top = manager.spawn({ instructions: 'top' });
    await settles(top.wait());
    expect(below).toEqual(['child']);
    const all = manager.list().items;
    expect(all.map((task) => [task.instructions, task.depth])).toEqual([
      ['other', 1],
      ['top', 1],
      ['child', 2],
    ]);
    expect(all[2]?.parentId).toBe(top.taskId);
  });

  test('A1 an ended run is refused', async () => {
    let kept: Run | undefined;
    const { manager } = host(
      async (_, run) => {
        kept = run;
        return done();
      },
      { maxDepth: 2 },
    );
    await manager.spawn({ instructions: 'x' }).wait();
    expect(refusal(() => kept?.spawn({ instructions: 'late' })).code).toBe('actor_ended');
    await expect(kept?.wait([])).rejects.toMatchObject({ code: 'actor_ended' });
    expect(kept?.canSpawn()).toBe(false);
    expect(await kept?.beforeTurn()).toEqual({ go: false, reason: 'actor_ended' });
    expect(manager.stats().total).toBe(1);
  });

  test('C3 a foreground child ends with its caller; C1 cancel reaches the whole subtree, leaves first', async () => {
    const order: string[] = [];
    const { manager, use } = host(
      async (_, run) => {
        const ended = new Promise<HostResult>((resolve) => {
          run.signal.addEventListener('abort', () => {
            order.push(run.prompt);
            resolve(done(`partial ${run.prompt}`));
          });
        });
        if (run.depth < 3) run.spawn({ instructions: `${run.prompt}.1` });
        return ended;
      },
      { maxDepth: 3, budget: { tokens: 100_000 } },
    );
    const top = manager.spawn({ instructions: '1' });
    await flush();
    expect(manager.getConcurrencyInfo().active).toBe(3);
    await settles(top.cancel(), 0);
    expect(order).toEqual(['1.1.1', '1.1', '1']);
    expect(manager.list().items.map((task) => [task.status, task.stopReason])).toEqual([
      ['cancelled', 'cancelled'],
      ['cancelled', 'ancestor_cancelled'],
      ['cancelled', 'ancestor_cancelled'],
    ]);
    await expectSound({ manager, use });
  });

  test('C3 after a good end a foreground child is stopped, a background child lives on', async () => {
    const background = deferred<HostResult>();
    const { manager } = host(
      async (_, run) => {
        if (run.prompt === 'background') return background.promise;
        if (run.prompt === 'foreground')
          return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve(done('stopped'))));
        run.spawn({ instructions: 'foreground' });
        run.spawn({ instructions: 'background', background: true });
        await flush();
        return done();
      },
      { maxDepth: 2 },
    );
    await settles(manager.spawn({ instructions: 'top' }).wait());
    await flush();
    expect(manager.list().items.map((task) => [task.instructions, task.status])).toEqual([
      ['top', 'completed'],
      ['foreground', 'cancelled'],
      ['background', 'running'],
    ]);
    background.resolve(done('later'));
    await flush();
    expect(manager.list({ filter: { status: ['completed'] } }).total).toBe(2);
  });

  test("B2 what a child spends counts on its parent's cap, and on the manager's", async () => {
    const { manager } = host(
      async (_, run) => {
        if (run.depth === 2) return done('', 700);
        await run.spawn({ instructions: 'child' }).wait();
        return done('', 300);
      },
      { maxDepth: 2 },
    );
    const top = manager.spawn({ instructions: 'top' });
    const result = await settles(top.wait());
    expect(result.usage.tokens).toBe(300);
    expect(top.snapshot().budget.tokens).toMatchObject({ spent: 1_000, reserved: 0 });
    expect(manager.stats()).toMatchObject({ tokensSpent: 1_000, tokensReserved: 0 });
  });

  test('B4 a whole-run hold lends to the children: a parent that holds all of the budget can still spawn', async () => {
    const { manager } = host(
      async (_, run) => {
        if (run.depth === 2) return done('child', 100);
        const result = await run.spawn({ instructions: 'child' }).wait();
        return done(`${result.status}: ${result.output}`);
      },
      { maxDepth: 2, budget: { tokens: 10_000 }, maxConcurrent: 1 },
    );
    expect((await settles(manager.spawn({ instructions: 'top' }).wait())).output).toBe('completed: child');
    expect(manager.stats().tokensReserved).toBe(0);
  });

  test('the tool of a run spawns below that run', async () => {
    const { manager } = host(
      async (_, run) => {
        if (run.depth === 2) return done('from below');
        return done(await run.createSubAgentTool().execute({ instructions: 'child' }));
      },
      { maxDepth: 2 },
    );
    const top = manager.spawn({ instructions: 'top' });
    const result = await settles(top.wait());
    expect(result.output).toContain('from below');
    expect(manager.list().items[1]).toMatchObject({ parentId: top.taskId, depth: 2 });
  });
});

test('T1 time in `children` counts, time waiting for a slot does not make it hang: a child that never ends is cut off by its own deadline', async () => {
  const { manager, use } = host(
    async (_, run) => {
      if (run.depth === 2) return new Promise<HostResult>(() => undefined);
      const result = await run.spawn({ instructions: 'deaf', timeoutMs: 1_000 }).wait();
      return done(result.status);
    },
    { maxDepth: 2, maxConcurrent: 1, graceMs: 100, abandonMs: 1_000 },
  );
  const result = await settles(manager.spawn({ instructions: 'top' }).wait());
  expect(result).toMatchObject({ status: 'completed', output: 'timed_out' });
  await pass(10_000);
  await expectSound({ manager, use }, 1);
});

test('L2 what a run that was given up still says of itself is no output of the one that follows it', async () => {
  const runs: Run[] = [];
  const { manager } = host(
    (_, run) => {
      runs.push(run);
      return new Promise<HostResult>(() => undefined);
    },
    { graceMs: 0, abandonMs: 5, budget: { tokens: Number.POSITIVE_INFINITY }, taskBudget: { tokens: Number.POSITIVE_INFINITY } },
  );
  const task = manager.spawn({ instructions: 'first' });
  await settles(task.cancel());
  task.send('second');
  await pass(5);
  runs[0]?.report({ message: 'of the first' });
  expect(manager.get(task.taskId).progress).toBeNull();
  const waiting = task.wait();
  await settles(task.cancel());
  expect(await waiting).toMatchObject({ run: 2, status: 'cancelled', output: '' });
});

test.each(['while it runs', 'once it has ended without its host function'])(
  '`ended` rejects where the manager is over first: %s',
  async (when) => {
    const { manager, run, handle } = await openRun({ graceMs: 0 });
    if (when !== 'while it runs') await settles(handle.cancel());
    const ended = run.ended();
    expect(await isPending(ended)).toBe(true);
    manager.dispose();
    await rejects(settles(ended), 'disposed');
  },
);
