// Cancel, close, resume; what is cancelled takes messages from whom; what becomes of background children; closed
// sessions; nicknames; the default target. Rules L6–L8, A4, C1–C4, M3; the rows of source 3's lifecycle.

import '../../support/virtual-time.js';

import { getEventListeners } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import type { Handle, HandleSnapshot, Run, SubAgentManager, SubAgentManagerOptions } from '../../../dist/index.js';
import {
  done,
  expectSound,
  expectSums,
  type Host,
  managerWith,
  manualHost,
  refusal,
  refusesUnchanged,
  rejects,
} from '../../support/hosts.js';
import { flush, isPending, pass, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(host: Host, options: SubAgentManagerOptions = {}): ReturnType<typeof managerWith> {
  const made = managerWith(host, options);
  opened.push(made.manager);
  return made;
}

/** A host whose runs end when asked, and when aborted. */
function obedient(): { host: Host; runs: ReturnType<typeof manualHost>['runs'] } {
  const { host, runs } = manualHost();
  const heeding: Host = (params, run) => {
    const returned = host(params, run);
    const { end } = runs[runs.length - 1] as (typeof runs)[number];
    run.signal.addEventListener('abort', () => end.resolve(done('stopped halfway')));
    return returned;
  };
  return { host: heeding, runs };
}

describe('close', () => {
  test('S3.14 C1 cancels what runs, marks it closed, and returns where it stood before', async () => {
    const { host, runs } = obedient();
    const made = open(host);
    const handle = made.manager.spawn({ instructions: 'a' });
    const waiting = handle.wait();
    const closed = await settles(handle.close(), 0);
    expect(closed).toMatchObject({ handleId: handle.taskId, previousStatus: 'running', status: 'closed' });
    expect(closed).toMatchObject({ stopReason: 'closed', output: 'stopped halfway', partial: true });
    expect(await waiting).toMatchObject({ status: 'closed', stopReason: 'closed' });
    expect(runs[0]?.run.signal.reason).toMatchObject({ code: 'aborted', details: { reason: 'closed' } });
    expect(() => JSON.parse(JSON.stringify(closed))).not.toThrow();
    await expectSound(made);
  });

  test('S3.14 of one that was queued, idle, completed, failed, closed', async () => {
    const { host } = obedient();
    const { manager, use } = open(host, { maxConcurrent: 1 });
    const first = manager.spawn({ instructions: 'a' });
    const queued = manager.spawn({ instructions: 'b' });
    const idle = manager.spawn({});
    expect(await settles(queued.close(), 0)).toMatchObject({ previousStatus: 'pending', status: 'closed' });
    expect(await settles(idle.close(), 0)).toMatchObject({ previousStatus: 'idle', status: 'closed' });
    expect(await settles(first.close(), 0)).toMatchObject({ previousStatus: 'running' });
    use(async () => done('well done'));
    const good = manager.spawn({ instructions: 'c' });
    const { durationMs, endedAt } = await good.wait().then(() => manager.get(good));
    await pass(5_000);
    expect(await good.close()).toMatchObject({ previousStatus: 'completed', status: 'closed', output: 'well done', durationMs });
    expect(manager.get(good).endedAt).toBe(endedAt);
    use(async () => {
      throw new Error('broken');
    });
    const bad = manager.spawn({ instructions: 'd' });
    await bad.wait();
    expect(await bad.close()).toMatchObject({ previousStatus: 'failed', error: 'broken' });
    const before = manager.stats();
    expect(await bad.close()).toMatchObject({ previousStatus: 'closed', status: 'closed' });
    expect(manager.stats()).toEqual(before);
    expect(manager.stats()).toMatchObject({ closed: 5 });
    expectSums(manager);
  });

  test('C1 ends all under it, leaves first; one grace for all', async () => {
    const order: string[] = [];
    const made = open(
      (_, run) => {
        run.signal.addEventListener('abort', () => order.push(run.prompt));
        if (run.depth < 3)
          run.spawn({ instructions: `depth ${run.depth + 1}`, background: true, budget: { tokens: 9_000 - run.depth * 1_000 } });
        return new Promise(() => undefined);
      },
      { maxDepth: 3, graceMs: 2_000, abandonMs: 1_000 },
    );
    const top = made.manager.spawn({ instructions: 'depth 1' });
    await flush();
    const closing = top.close();
    expect(order).toEqual(['depth 3', 'depth 2', 'depth 1']);
    await pass(1_999);
    expect(await isPending(closing)).toBe(true);
    await pass(1);
    expect(await settles(closing, 0)).toMatchObject({ status: 'closed', hostStillRunning: true });
    expect(refusal(() => made.manager.forget(top)).message).toContain('before its host function has returned');
    expect(made.manager.list({ filter: { status: ['closed'] } }).total).toBe(3);
    await pass(1_000);
    expect(made.manager.getConcurrencyInfo()).toMatchObject({ active: 0, abandoned: 3 });
  });

  test('C2 joins a running cancel and may only shorten its grace; both get the real end', async () => {
    const { manager } = open(() => new Promise(() => undefined), { graceMs: 10_000 });
    const handle = manager.spawn({ instructions: 'deaf' });
    const result = handle.wait();
    const cancelled = handle.cancel();
    const closed = handle.close({ graceMs: 100 });
    const longer = handle.close({ graceMs: 60_000 });
    await pass(100);
    expect(await settles(cancelled, 0)).toMatchObject({ status: 'closed' });
    expect(await settles(closed, 0)).toMatchObject({ previousStatus: 'running', status: 'closed' });
    expect(await settles(longer, 0)).toMatchObject({ previousStatus: 'running', status: 'closed' });
    expect(await result).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
  });

  test('C2 a cancel that finds a close under way, and one that comes after it, change nothing', async () => {
    const { host } = obedient();
    const { manager } = open(host);
    const handle = manager.spawn({ instructions: 'a' });
    const [closed, cancelled] = [handle.close(), handle.cancel()];
    expect(await settles(closed, 0)).toMatchObject({ status: 'closed' });
    expect(await settles(cancelled, 0)).toMatchObject({ status: 'closed', stopReason: 'closed' });
    expect(await handle.cancel()).toMatchObject({ status: 'closed' });
  });

  test('C2 whoever cancels too late learns that it completed', async () => {
    const { manager } = open(async () => done('in time'));
    const handle = manager.spawn({ instructions: 'a' });
    await handle.wait();
    expect(await handle.cancel()).toMatchObject({ status: 'completed', output: 'in time' });
  });

  test('S3.15 S3.22 an unknown target, another session’s, a message to a closed one: errors that change nothing', async () => {
    const { manager } = open(async () => done());
    const handle = manager.spawn({ instructions: 'a' });
    await handle.close();
    refusesUnchanged(manager, 'wrong_status', () => handle.send('more'));
    for (const call of [() => manager.close('sub_0'), () => manager.resume('nobody'), () => manager.cancel('nobody')])
      await rejects(call(), 'unknown_task');
    await rejects(manager.close(undefined as never), 'invalid_argument');
    await rejects(manager.close({} as never), 'invalid_argument');
    const session = manager.session('s');
    for (const call of [() => session.close(handle), () => session.resume(handle)]) await rejects(call(), 'not_reachable');
    await rejects(session.close(undefined as never), 'invalid_argument');
    expect(session.list().total).toBe(0);
    manager.forget(handle);
    for (const call of [() => handle.close(), () => handle.resume(), () => manager.close(handle)]) await rejects(call(), 'forgotten');
  });

  test.each([-1, Number.NaN, '5', null])('a `graceMs` of %s is an error, and closes nothing', async (graceMs) => {
    const { manager } = open(() => new Promise(() => undefined));
    const handle = manager.spawn({ instructions: 'a' });
    await rejects(handle.close({ graceMs } as never), 'invalid_argument');
    await rejects(manager.close(handle, { signal: 5 } as never), 'invalid_argument');
    expect(handle.status).toBe('running');
  });

  test('C4 a signal ends the waiting, not the close', async () => {
    const { manager } = open(() => new Promise(() => undefined), { graceMs: 1_000 });
    const handle = manager.spawn({ instructions: 'deaf' });
    const [one, other] = [new AbortController(), new AbortController()];
    const closing = handle.close({ signal: one.signal });
    const cancelling = handle.cancel({ signal: other.signal });
    const stopped = 'only the waiting was aborted: the sub-agents still stop';
    one.abort();
    other.abort();
    expect((await rejects(closing, 'aborted')).message).toBe(stopped);
    expect((await rejects(cancelling, 'aborted')).message).toBe(stopped);
    await pass(1_000);
    expect(handle.status).toBe('closed');
  });

  test('W4 L8 a closed one is read to its end, and retention may take it', async () => {
    const { manager } = open(() => new Promise(() => undefined), { retain: 0, graceMs: 1, abandonMs: 1 });
    for (let index = 0; index < 5; index += 1) {
      const handle = manager.spawn({});
      expect(await handle.close()).toMatchObject({ previousStatus: 'idle', status: 'closed' });
      refusesUnchanged(manager, 'forgotten', () => manager.get(handle));
    }
    const running = manager.spawn({ instructions: 'deaf' });
    const closing = running.cancel();
    await pass(1);
    expect(await settles(closing, 0)).toMatchObject({ status: 'cancelled', stopReason: 'cancelled' });
    expect(manager.stats().total).toBe(1);
  });
});

describe('resume', () => {
  test('S3.17 L7 reopens that one only; it runs again, with its session; a second one changes nothing', async () => {
    const { manager } = open(
      async (_, run) => {
        run.session.set('runs', ((run.session.get('runs') as number | undefined) ?? 0) + 1);
        if (run.depth === 1 && run.run === 1) run.spawn({ instructions: 'below', background: true, budget: { tokens: 2_000 } });
        return done(`${run.prompt}, run ${run.session.get('runs')}`);
      },
      { maxDepth: 2 },
    );
    const handle = manager.spawn({ instructions: 'first' });
    await handle.wait();
    await pass(1);
    await handle.close();
    const below = manager.list({ filter: { parent: handle } }).items[0]?.taskId as string;
    expect(manager.get(below).status).toBe('closed');
    await rejects(manager.resume(below), 'wrong_status');
    expect(await handle.resume()).toMatchObject({ status: 'idle', output: 'first, run 1', run: 1 });
    expect(await handle.resume()).toMatchObject({ status: 'idle' });
    expect(manager.get(below).status).toBe('closed');
    expect(handle.send('second')).toMatchObject({ receipt: 'started' });
    expect(await handle.wait()).toMatchObject({ status: 'completed', output: 'second, run 2' });
    expect(await manager.resume(handle)).toMatchObject({ status: 'completed' });
    expect(await manager.resume(below)).toMatchObject({ status: 'idle' });
    expectSums(manager);
  });

  test('L7 it is admitted anew: by budget, by width, while draining; while it is being closed it is refused', async () => {
    const { host, runs } = obedient();
    const { manager } = open(host, { maxChildren: 1, maxDepth: 2 });
    manager.spawn({ instructions: 'lead' });
    const lead = runs[0]?.run as Run;
    const spender = lead.spawn({ instructions: 'a', budget: { tokens: 5_000 } });
    runs[1]?.end.resolve(done('x', 4_900));
    await spender.wait();
    await spender.close();
    expect(await rejects(spender.resume(), 'budget_exhausted')).toMatchObject({ details: { remaining: 100, needed: 1_000 } });
    manager.addBudget({ tokens: 5_000 }, spender);
    const only = lead.spawn({ instructions: 'b' });
    await rejects(spender.resume(), 'children_limit');
    const closing = only.close();
    await rejects(only.resume(), 'wrong_status');
    await settles(closing, 0);
    expect(await spender.resume()).toMatchObject({ status: 'idle', budget: { tokens: { spent: 4_900 } } });
    await spender.close();
    void manager.drain();
    await rejects(spender.resume(), 'draining');
  });
});

describe('who may give a cancelled one work again (L7)', () => {
  test('a run that cancelled it can; what the program cancelled, a session and a run can’t', async () => {
    let parent: Run | undefined;
    const { host, runs } = obedient();
    const { manager } = open(
      (params, run) => {
        parent ??= run;
        return host(params, run);
      },
      { maxDepth: 2 },
    );
    const session = manager.session('s');
    session.spawn({ instructions: 'parent' });
    const child = (parent as Run).spawn({ instructions: 'child', background: true });
    await settles(child.cancel(), 0);
    expect(child.send('again')).toMatchObject({ receipt: 'started' });
    await settles(session.cancel(child.taskId), 0);
    const error = refusesUnchanged(manager, 'wrong_status', () => child.send('no'));
    expect(error.message).toContain('the actor that cancelled it');
    expect(session.send(child, 'yes')).toMatchObject({ receipt: 'started' });
    await settles(manager.cancel(child), 0);
    refusesUnchanged(manager, 'wrong_status', () => session.send(child, 'no'));
    refusesUnchanged(manager, 'wrong_status', () => child.send('no'));
    expect(manager.send(child, 'yes')).toMatchObject({ receipt: 'started' });
    runs.at(-1)?.end.resolve(done());
    await flush();
    expect(child.send('free again')).toMatchObject({ receipt: 'started' });
    await settles(session.close(child), 0);
    await rejects(child.resume(), 'wrong_status');
    expect(await session.resume(child)).toMatchObject({ status: 'idle' });
  });

  test.each([1, 2])('L2 how run %d ended is reported as before where it was closed since, and reopened', async (count) => {
    const { manager, use } = open(async () => done('well done'));
    const handle = manager.spawn({ instructions: 'one' });
    await flush();
    for (let run = 2; run <= count; run += 1) handle.send('again');
    await flush();
    const end = { run: count, status: 'completed', stopReason: 'finished', success: true, output: 'well done' };
    await settles(handle.close(), 0);
    expect(await handle.wait()).toMatchObject(end);
    await handle.resume();
    expect(await handle.wait()).toMatchObject(end);
    use(async () => {
      throw new Error('broken');
    });
    handle.send('once more');
    await flush();
    await settles(handle.close(), 0);
    expect(await handle.wait()).toMatchObject({ run: count + 1, status: 'failed', stopReason: 'host_threw', error: 'broken' });
  });

  test('a run that a close stopped ended closed, and one that had no run stands so', async () => {
    const { manager } = open(obedient().host);
    const [handle, idle] = [manager.spawn({ instructions: 'one' }), manager.spawn({})];
    await settles(Promise.all([handle.close(), idle.close()]), 0);
    expect(await handle.wait()).toMatchObject({ run: 1, status: 'closed', stopReason: 'closed' });
    expect(await idle.wait()).toMatchObject({ run: 0, status: 'closed', stopReason: 'closed' });
    await manager.resume(idle);
    // Nothing has ended: the reason stands for none.
    const none = { run: 0, status: 'idle', started: false, success: false };
    expect(await idle.wait()).toMatchObject({ ...none, stopReason: 'closed' });
    const fresh = manager.spawn({});
    expect(await fresh.wait()).toMatchObject({ ...none, stopReason: 'finished' });
    expect(manager.get(fresh).stopReason).toBeNull();
    expect(manager.get(idle).stopReason).toBeNull();
  });

  test('a signal of the spawn cancels for its caller, who may go on with it', async () => {
    const { host } = obedient();
    const { manager } = open(host);
    const [session, end] = [manager.session('s'), new AbortController()];
    const handle = session.spawn({ instructions: 'a', signal: end.signal });
    end.abort();
    expect(await handle.wait()).toMatchObject({ status: 'cancelled', stopReason: 'signal_aborted' });
    expect(handle.send('again')).toMatchObject({ receipt: 'started' });
  });
});

describe('onParentEnd (C3)', () => {
  async function family(end: 'good' | 'bad'): Promise<{ manager: SubAgentManager; statuses: () => Record<string, string> }> {
    const { manager } = open(
      async (_, run) => {
        if (run.depth > 1) return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve(done('stopped'))));
        for (const onParentEnd of ['adopt', 'wait', 'cancel'] as const)
          run.spawn({ instructions: onParentEnd, label: onParentEnd, background: true, onParentEnd, budget: { tokens: 2_000 } });
        if (end === 'bad') throw new Error('bad');
        return done('my own');
      },
      { maxDepth: 2, maxConcurrent: 9 },
    );
    manager.spawn({ instructions: 'parent', label: 'parent' });
    await flush();
    return { manager, statuses: () => Object.fromEntries(manager.list().items.map(({ label, status }) => [label, status])) };
  }

  test('after a good end one lives on, one is waited for, one is cancelled', async () => {
    const { manager, statuses } = await family('good');
    expect(statuses()).toEqual({ parent: 'running', adopt: 'running', wait: 'running', cancel: 'cancelled' });
    const parent = manager.list({ filter: { label: 'parent' } }).items[0];
    expect(parent).toMatchObject({ parked: 'children', onParentEnd: 'adopt' });
    const result = manager.wait([parent?.taskId as string], { timeoutMs: Number.POSITIVE_INFINITY });
    expect(await isPending(result)).toBe(true);
    const waitedFor = manager.list({ filter: { label: 'wait' } }).items[0];
    expect(waitedFor?.onParentEnd).toBe('wait');
    await settles(manager.cancel(waitedFor), 0);
    expect((await settles(result, 0)).completed).toMatchObject([{ status: 'completed', output: 'my own', partial: false }]);
    expect(statuses()).toEqual({ parent: 'completed', adopt: 'running', wait: 'cancelled', cancel: 'cancelled' });
  });

  test('after a bad end all are cancelled', async () => {
    const { statuses } = await family('bad');
    expect(statuses()).toEqual({ parent: 'failed', adopt: 'cancelled', wait: 'cancelled', cancel: 'cancelled' });
  });

  test.each([
    ['timed_out', { timeoutMs: 1_000 }, () => undefined],
    ['interrupted', {}, (parent) => parent.interrupt()],
    ['cancelled', {}, (parent) => parent.cancel()],
    ['closed', {}, (parent) => parent.close()],
  ] as [string, SubAgentManagerOptions, (parent: ReturnType<SubAgentManager['spawn']>) => unknown][])(
    'C3 after it has %s: what was in the foreground ends; what was in the background too, but for an interrupt',
    async (status, options, end) => {
      const { manager } = open(
        (_, run) => {
          if (run.depth === 1)
            for (const background of [false, true])
              run.spawn({
                instructions: 'x',
                label: background ? 'background' : 'foreground',
                background,
                timeoutMs: 60_000,
                budget: { tokens: 2_000 },
              });
          return new Promise((resolve) => run.signal.addEventListener('abort', () => resolve(done('stopped'))));
        },
        { maxDepth: 2, maxConcurrent: 9, graceMs: 100, ...options },
      );
      const parent = manager.spawn({ instructions: 'parent', label: 'parent' });
      void end(parent);
      await pass(1_200);
      const below = status === 'closed' ? 'closed' : 'cancelled';
      expect(Object.fromEntries(manager.list().items.map(({ label, status }) => [label, status]))).toEqual({
        parent: status,
        foreground: below,
        background: status === 'interrupted' ? 'running' : below,
      });
    },
  );

  test('B9 C3 adoption changes who is notified, never who pays', async () => {
    const { host, runs } = obedient();
    const { manager } = open(host, { maxDepth: 2, maxConcurrent: 4 });
    const session = manager.session('s');
    const parent = session.spawn({ instructions: 'parent', budget: { tokens: 5_000 } });
    const { run } = runs[0] as (typeof runs)[number];
    const child = run.spawn({ instructions: 'child', background: true, budget: { tokens: 3_000 } });
    runs[0]?.end.resolve(done('mine', 500));
    await parent.wait();
    expect(child.status).toBe('running');
    expect(manager.get(child).parentId).toBe(parent.taskId);
    runs[1]?.end.resolve(done('its own', 700));
    await flush();
    expect(session.inbox.peek()).toMatchObject([{ taskId: child.taskId, reroutedFrom: parent.taskId }]);
    const spent = (of: Parameters<SubAgentManager['budget']>[0]) => manager.budget(of).tokens.spent;
    expect([spent(child), spent(parent), spent(session), spent(undefined)]).toEqual([700, 1_200, 1_200, 1_200]);
    // Its later runs are paid by the same path: what the parent has left bounds them, resumed or not.
    manager.send(child, 'more');
    runs[2]?.end.resolve(done('again', 2_200));
    await manager.wait([child]);
    expect([spent(child), spent(parent)]).toEqual([2_900, 3_400]);
    await settles(session.close(), 0);
    expect(manager.budget().tokens.spent).toBe(3_400);
  });

  test('a parent that waits is cancelled at once: nothing of it still runs', async () => {
    const { manager, statuses } = await family('good');
    const parent = manager.list({ filter: { label: 'parent' } }).items[0];
    const cancelling = manager.cancel(parent);
    expect(manager.get(parent?.taskId as string)).toMatchObject({ status: 'cancelled', output: 'my own' });
    await settles(cancelling, 0);
    expect(statuses()).toEqual({ parent: 'cancelled', adopt: 'cancelled', wait: 'cancelled', cancel: 'cancelled' });
  });

  test('wrong words, and foreground ones, are errors', () => {
    const { manager } = open(() => done());
    refusesUnchanged(manager, 'invalid_argument', () =>
      manager.spawn({ instructions: 'x', background: true, onParentEnd: 'live' as never }),
    );
    refusesUnchanged(manager, 'invalid_argument', () => manager.spawn({ instructions: 'x', onParentEnd: 'wait' }));
  });
});

describe('closing sessions (C4)', () => {
  test('closeSession cancels what is under it, frees it, and refuses its calls; its key opens a new one', async () => {
    const { host, runs } = obedient();
    const made = open(host, { maxSessions: 2 });
    const { manager } = made;
    const session = manager.session('chat');
    const handle = session.spawn({ instructions: 'a' });
    const other = manager.spawn({ instructions: 'the program’s' });
    const result = handle.wait();
    expect(await settles(manager.closeSession('chat'), 0)).toBe(true);
    expect(await result).toMatchObject({ status: 'cancelled', stopReason: 'ancestor_cancelled', output: 'stopped halfway' });
    expect(other.status).toBe('running');
    for (const call of [() => session.spawn({ instructions: 'b' }), () => session.list(), () => session.send(handle, 'x')])
      expect(['actor_ended', 'forgotten']).toContain(refusal(call).code);
    expect(refusal(() => session.spawn({ instructions: 'b' })).code).toBe('actor_ended');
    expect(session.canSpawn()).toBe(false);
    expect(await session.createSubAgentTool().execute({ instructions: 'c' })).toContain('No sub-agent was started');
    expect(refusal(() => handle.status).code).toBe('forgotten');
    await settles(session.close(), 0);
    const next = manager.session('chat');
    expect(next).not.toBe(session);
    expect(next.spawn({ instructions: 'd' }).status).toBe('running');
    for (const { end } of runs) end.resolve(done());
    await flush();
    await expectSound(made);
  });

  test('a key that is not open is no error; a wrong one is; the default session has none', async () => {
    const { manager } = open(() => done());
    expect(await manager.closeSession('nobody')).toBe(false);
    const error = await rejects(manager.closeSession(''), 'invalid_argument');
    expect(error.message).toContain('default session');
    await rejects(manager.closeSession(5 as never), 'invalid_argument');
    await rejects(
      manager.closeSession('x', { graceMs: -1 }).then(() => manager.session('x') && manager.closeSession('x', { graceMs: -1 })),
      'invalid_argument',
    );
  });

  test('closing twice joins, and may only shorten the grace', async () => {
    const { manager } = open(() => new Promise(() => undefined), { graceMs: 60_000, abandonMs: 1 });
    const session = manager.session('s');
    session.spawn({ instructions: 'deaf' });
    const [first, second] = [session.close(), manager.closeSession('s', { graceMs: 100 })];
    expect(await isPending(first)).toBe(true);
    await pass(100);
    await settles(first, 0);
    expect(await settles(second, 0)).toBe(true);
  });

  test('its signal closes it; one that has fired opens nothing', async () => {
    const { host } = obedient();
    const { manager } = open(host);
    const end = new AbortController();
    const session = manager.session('s', { signal: end.signal });
    const handle = session.spawn({ instructions: 'a' });
    const result = handle.wait();
    end.abort();
    expect(await result).toMatchObject({ status: 'cancelled', stopReason: 'signal_aborted' });
    expect(refusal(() => session.spawn({ instructions: 'b' })).code).toBe('actor_ended');
    refusesUnchanged(manager, 'aborted', () => manager.session('t', { signal: end.signal }));
    refusesUnchanged(manager, 'invalid_argument', () => manager.session('t', { signal: 5 as never }));
    expect(manager.session('s')).not.toBe(session);
  });

  test('a manager that is disposed lets go of its signal, which may live on', () => {
    const { signal } = new AbortController();
    const { manager } = open(() => done());
    manager.session('a', { signal });
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    manager.dispose();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('events name no id of a session, also when it is gone', async () => {
    const { manager } = open(() => done());
    const seen: [string, unknown][] = [];
    manager.subscribe((event) => seen.push([event.type, 'taskId' in event ? event.taskId : undefined]));
    await manager.session('s').close();
    expect(seen).toEqual([
      ['session_opened', null],
      ['cancel_requested', null],
      ['session_closed', null],
      ['session_freed', null],
    ]);
  });

  test('a hundred sessions come and go, and nothing is left of them', async () => {
    const { manager } = open(async () => done(), { maxSessions: 2 });
    for (let index = 0; index < 100; index += 1) {
      const session = manager.session(`${index}`);
      await session.spawn({ instructions: 'x', background: true }).wait();
      await session.close();
    }
    expect(manager.stats()).toMatchObject({ total: 0, runsEnded: 100 });
  });
});

describe('nicknames (A4, S3.29)', () => {
  test('S3.29 one works as an id in every call, within reach', async () => {
    const { host, runs } = obedient();
    const { manager } = open(host);
    const session = manager.session('s');
    const handle = session.spawn({ instructions: 'a', nickname: 'scout' });
    expect(handle.snapshot().handleId).toBe('scout');
    expect(session.get('scout')).toMatchObject({ taskId: handle.taskId, nickname: 'scout' });
    expect(session.send('scout', 'more')).toMatchObject({ receipt: 'queued' });
    refusesUnchanged(manager, 'unknown_task', () => manager.send('scout', 'the manager’s own are those of its default session'));
    expect(manager.get(handle.taskId).nickname).toBe('scout');
    expect(session.list({ filter: { parent: null } }).items).toHaveLength(1);
    runs[0]?.end.resolve(done());
    await flush();
    runs[1]?.end.resolve(done('second'));
    expect((await session.wait(['scout'])).completed).toMatchObject([{ output: 'second' }]);
    await settles(session.cancel('scout'), 0);
    expect(await session.close('scout')).toMatchObject({ handleId: 'scout', previousStatus: 'completed' });
    expect(await session.resume('scout')).toMatchObject({ handleId: 'scout', status: 'idle' });
    const other = manager.session('t');
    refusesUnchanged(manager, 'unknown_task', () => other.get('scout'));
    await session.close('scout');
    session.forget('scout');
    expect(refusal(() => session.get('scout')).code).toBe('unknown_task');
  });

  test('it is unique among open ones; an ended one gives it up', async () => {
    const { host, runs } = obedient();
    const { manager } = open(host);
    const first = manager.spawn({ instructions: 'a', nickname: 'scout' });
    expect(refusesUnchanged(manager, 'nickname_taken', () => manager.spawn({ instructions: 'b', nickname: 'scout' })).details).toEqual({
      nickname: 'scout',
    });
    runs[0]?.end.resolve(done());
    await first.wait();
    const second = manager.spawn({ instructions: 'b', nickname: 'scout' });
    expect(manager.get('scout').taskId).toBe(second.taskId);
    expect(first.snapshot()).toMatchObject({ nickname: null, handleId: first.taskId });
    manager.spawn({ nickname: 'idle one' });
    refusesUnchanged(manager, 'nickname_taken', () => manager.spawn({ nickname: 'idle one' }));
  });

  test('A4 sessions share no names, and no session learns of another one’s', async () => {
    const { manager } = open(obedient().host, { maxConcurrent: 9 });
    const [a, b] = [manager.session('a'), manager.session('b')];
    const first = a.spawn({ instructions: 'a', nickname: 'coder' });
    refusesUnchanged(manager, 'unknown_task', () => b.get('coder'));
    const second = b.spawn({ instructions: 'b', nickname: 'coder' });
    const third = manager.spawn({ instructions: 'c', nickname: 'coder' });
    expect([a, b, manager].map((scope) => scope.get('coder').taskId)).toEqual([first, second, third].map((handle) => handle.taskId));
    expect([first, second, third].map((handle) => handle.snapshot().handleId)).toEqual(['coder', 'coder', 'coder']);
    await settles(third.close(), 0);
    manager.forget('coder');
    refusesUnchanged(manager, 'unknown_task', () => manager.send('coder', 'to no other session’s'));
    expect(a.send('coder', 'go on').taskId).toBe(first.taskId);
  });

  test('A4 it means one’s own child, open or ended, before any deeper one; equally near ones are an error', async () => {
    const runs: Run[] = [];
    const { manager } = open(
      (_, run) => {
        runs.push(run);
        return new Promise(() => undefined);
      },
      { maxConcurrent: 9, maxDepth: 3 },
    );
    const session = manager.session('s');
    const [left, right] = [session.spawn({ instructions: 'left' }), session.spawn({ instructions: 'right' })];
    const below = runs[0]?.spawn({ instructions: 'x', nickname: 'scout', background: true }) as Handle;
    expect(session.get('scout').taskId).toBe(below.taskId);
    const other = runs[1]?.spawn({ instructions: 'y', nickname: 'scout', background: true }) as Handle;
    const refused = refusesUnchanged(manager, 'ambiguous_nickname', () => session.send('scout', 'which?'));
    expect(refused.details).toEqual({ nickname: 'scout', taskIds: [below.taskId, other.taskId] });
    expect(refused.message).toContain(other.taskId);
    expect(runs.map((run) => run.spawn({ nickname: 'deep' }).snapshot().handleId).length).toBe(4);
    expect([runs[0], runs[1]].map((run) => run?.get('scout').taskId)).toEqual([below.taskId, other.taskId]);
    // Its own comes first, and also when it has ended; nobody gets what was meant for another.
    const own = session.spawn({ instructions: 'own', nickname: 'scout' });
    await settles(own.cancel({ graceMs: 5 }), 1_000);
    expect(session.get('scout')).toMatchObject({ taskId: own.taskId, status: 'cancelled' });
    expect(runs[2]?.get('deep').parentId).toBe(below.taskId);
    expect(runs[0]?.get('deep').parentId).toBe(left.taskId);
    expect(refusal(() => runs[0]?.get('nobody')).code).toBe('unknown_task');
    expect(right.taskId).not.toBe(left.taskId);
  });

  test('A4 whoever is resumed gets its name back, unless another open one bears it', async () => {
    const { manager } = open(() => done());
    const first = manager.spawn({ nickname: 'scout' });
    await first.close();
    const second = manager.spawn({ nickname: 'scout' });
    expect(await rejects(first.resume(), 'nickname_taken')).toMatchObject({ details: { nickname: 'scout' } });
    expect(first.status).toBe('closed');
    await second.close();
    expect(await first.resume()).toMatchObject({ handleId: 'scout', nickname: 'scout', status: 'idle' });
    expect(second.snapshot()).toMatchObject({ handleId: second.taskId, nickname: null });
    expect(await rejects(second.resume(), 'nickname_taken')).toMatchObject({ details: { nickname: 'scout' } });
  });

  test.each(['', '  ', 'sub_1', 'x'.repeat(65), '😀'.repeat(65)])('`%s` is none', (nickname) => {
    const { manager } = open(() => done());
    refusesUnchanged(manager, 'invalid_argument', () => manager.spawn({ instructions: 'x', nickname }));
  });

  test('64 characters of any kind are one', () => {
    const { manager } = open(() => done());
    const nickname = '😀'.repeat(64);
    expect(manager.get(manager.spawn({ nickname }).snapshot().handleId).nickname).toBe(nickname);
    refusesUnchanged(manager, 'invalid_argument', () => manager.spawn({ instructions: 'x', nickname: 5 as never }));
  });
});

describe('the default target (M3, S3.19)', () => {
  test('is the caller’s open child that changed last', async () => {
    const { host } = obedient();
    const { manager } = open(host);
    const error = await rejects(manager.cancel(), 'unknown_task');
    expect(error.message).toBe('there is no open sub-agent to cancel: spawn one, or name one');
    const first = manager.spawn({ instructions: 'a' });
    await pass(5);
    const second = manager.spawn({ instructions: 'b' });
    await pass(5);
    manager.session('s').spawn({ instructions: 'another session’s' });
    first.send('changed');
    expect(await settles(manager.cancel(), 0)).toMatchObject({ taskId: first.taskId, status: 'cancelled' });
    await first.close();
    expect(await settles(manager.cancel(undefined, { graceMs: 5 }), 0)).toMatchObject({ taskId: second.taskId });
  });
});

describe('listing', () => {
  test('S3.16 filters and pages; closed ones are there; the order stays', async () => {
    const { manager } = open(async () => done());
    const handles = Array.from({ length: 12 }, (_, index) =>
      manager.spawn({ instructions: `${index}`, label: index % 2 === 0 ? 'even' : 'odd', background: index < 4 }),
    );
    await manager.wait(handles);
    await handles[3]?.close();
    const of = (filter: object): number[] => manager.list({ filter }).items.map((item) => Number(item.instructions));
    expect(of({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(of({ background: true })).toEqual([0, 1, 2, 3]);
    expect(of({ background: false, label: 'odd' })).toEqual([5, 7, 9, 11]);
    expect(of({ status: ['closed'] })).toEqual([3]);
    expect(of({ parent: handles[0] })).toEqual([]);
    expect(of({ parent: null, label: 'even', background: true })).toEqual([0, 2]);
    const paged = manager.list({ filter: { label: 'odd' }, page: { offset: 2, limit: 2 } });
    expect(paged).toMatchObject({ items: [{ instructions: '5' }, { instructions: '7' }], total: 6 });
    for (const wrong of [{ parent: 5 }, { label: 5 }, { background: 'yes' }, { colour: 'red' }])
      refusesUnchanged(manager, 'invalid_argument', () => manager.list({ filter: wrong as never }));
    refusesUnchanged(manager, 'invalid_argument', () => manager.list({ page: { limit: 1_001 } }));
    refusesUnchanged(manager, 'unknown_task', () => manager.list({ filter: { parent: 'nobody' } }));
  });
});

test('S3.01 source 3’s document, top to bottom (S3.01–S3.17, S3.25–S3.31)', async () => {
  const { host, runs } = obedient();
  const made = open(host, {
    agents: { researcher: { description: 'finds out', prompt: 'You find out.' } },
    profiles: { terse: () => 'Be terse.' },
  });
  const { manager } = made;
  // spawn(message, task_description, agent_id, prompt_profile, nickname)
  const idle = manager.spawn({ nickname: 'helper', profile: 'terse', agent: 'researcher' });
  expect(idle.snapshot()).toMatchObject({ handleId: 'helper', status: 'idle', profile: 'terse', agent: 'researcher' });
  expect(idle.snapshot()).toMatchObject({ lastInput: null, lastOutput: null, error: null, queueSize: 0, queuedPreview: [] });
  const first = manager.spawn({ instructions: 'Find the tests' });
  expect(first.snapshot()).toMatchObject({ status: 'running', lastInput: 'Find the tests', profile: 'minimal', agent: null });
  // An idle handle starts at once; what is sent to a running one is queued, first in, first out.
  expect(manager.send('helper', 'Count them')).toMatchObject({ receipt: 'started' });
  for (const text of ['one', 'two', 'three', 'x'.repeat(500)]) manager.send('helper', text);
  const queued: HandleSnapshot = idle.snapshot();
  expect(queued).toMatchObject({ status: 'running', queueSize: 4, queuedPreview: ['one', 'two', 'three'], lastInput: 'x'.repeat(500) });
  expect(queued.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  expect(JSON.parse(JSON.stringify(queued))).toEqual(queued);
  // wait(targets, timeout_ms=30000): completed and pending
  const waiting = manager.wait(['helper', first]);
  runs[0]?.end.resolve(done('12 tests'));
  await pass(30_000);
  expect(await waiting).toMatchObject({ completed: [{ taskId: first.taskId }], pending: [idle.taskId], timedOut: true });
  expect(first.snapshot()).toMatchObject({ status: 'completed', lastOutput: '12 tests' });
  // A run that fails keeps what an earlier one said.
  first.send('Again');
  runs.at(-1)?.end.reject(new Error('broken'));
  await first.wait();
  expect(first.snapshot()).toMatchObject({ status: 'failed', error: 'broken', lastInput: 'Again', lastOutput: '12 tests', output: '' });
  // close: cancels, marks closed, previous status; the queue is dropped
  expect(await settles(manager.close('helper'), 0)).toMatchObject({
    previousStatus: 'running',
    status: 'closed',
    queueSize: 0,
  });
  expect(refusal(() => manager.send('helper', 'more')).code).toBe('wrong_status');
  expect(manager.list().items.map(({ status }) => status)).toEqual(['closed', 'failed']);
  // resume: idle only if it was closed
  expect(await manager.resume('helper')).toMatchObject({ status: 'idle' });
  expect(await manager.resume(first)).toMatchObject({ status: 'failed' });
  manager.send('helper', 'Once more');
  runs.at(-1)?.end.resolve(done('done again'));
  expect(await idle.wait()).toMatchObject({ output: 'done again' });
  await expectSound(made);
});

describe('promises of what was stopped', () => {
  /** What nobody handles of the rejections that `body` leaves. */
  async function unhandledOf(body: () => void): Promise<unknown[]> {
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    const others = process.listeners('unhandledRejection');
    process.removeAllListeners('unhandledRejection').on('unhandledRejection', note);
    try {
      body();
      // Time stands still in this file; a message comes after whatever is unhandled was noticed.
      const { port1, port2 } = new MessageChannel();
      await new Promise((resolve) => {
        port1.onmessage = resolve;
        port2.postMessage(0);
      });
      port1.close();
      return unhandled;
    } finally {
      process.removeListener('unhandledRejection', note);
      for (const other of others) process.on('unhandledRejection', other);
    }
  }

  test('C1 a stop that nobody looks at harms nobody when the manager is disposed', async () => {
    const unhandled = await unhandledOf(() => {
      const { manager } = open(() => new Promise(() => {}));
      const session = manager.session('s');
      session.spawn({ instructions: 'b' });
      const handle = manager.spawn({ instructions: 'a' });
      for (const options of [undefined, { graceMs: 5 }]) {
        void handle.interrupt(options);
        void manager.interrupt(handle, options);
        void handle.cancel(options);
        void manager.cancel(handle, options);
        void handle.close(options);
        void manager.close(handle, options);
      }
      void manager.cancelAll();
      void manager.closeSession('s');
      void session.close();
      manager.dispose();
    });
    expect(unhandled).toEqual([]);
  });

  const stops: [string, (manager: SubAgentManager, handle: Handle) => Promise<unknown>][] = [
    ['handle.interrupt', (_, handle) => handle.interrupt()],
    ['interrupt', (manager, handle) => manager.interrupt(handle)],
    ['handle.cancel', (_, handle) => handle.cancel()],
    ['cancel', (manager, handle) => manager.cancel(handle)],
    ['handle.close', (_, handle) => handle.close()],
    ['close', (manager, handle) => manager.close(handle)],
    ['cancelAll', (manager) => manager.cancelAll()],
    ['closeSession', (manager) => manager.closeSession('s')],
    ['session.close', (manager) => manager.session('s').close()],
    ['drain', (manager) => manager.drain()],
  ];
  test.each(stops)('C1 nor when it is disposed by who is notified of it: %s', async (_, stop) => {
    let stopped: Promise<unknown> | undefined;
    const unhandled = await unhandledOf(() => {
      const { manager } = open(() => new Promise(() => {}));
      manager.session('s').spawn({ instructions: 'b' });
      const handle = manager.spawn({ instructions: 'a' });
      manager.subscribe(() => manager.dispose());
      stopped = stop(manager, handle);
    });
    expect(unhandled).toEqual([]);
    await expect(stopped).rejects.toMatchObject({ code: 'disposed' });
  });

  test('L8 a handle refuses to stop or reopen by rejecting, not by throwing', async () => {
    const { manager } = open(async () => done('x'));
    const handle = manager.spawn({ instructions: 'a' });
    await handle.wait();
    manager.forget(handle);
    const refused = async (code: string): Promise<void> => {
      const calls = [() => handle.cancel(), () => handle.close(), () => handle.interrupt(), () => handle.resume()];
      const promises = calls.map((call) =>
        call().then(
          () => undefined,
          (error: { code: string }) => error.code,
        ),
      );
      expect(await Promise.all(promises)).toEqual(calls.map(() => code));
    };
    await refused('forgotten');
    manager.dispose();
    await refused('disposed');
  });
});

describe('a stop whose run has ended', () => {
  test.each(['cancel', 'close', 'interrupt'] as const)(
    '%s resolves when what it stopped has settled, and not before (C1)',
    async (call) => {
      const { host, runs } = manualHost();
      const { manager } = open(host, { maxDepth: 2 });
      const parent = manager.spawn({ instructions: 'parent' });
      const first = runs[0] as (typeof runs)[number];
      const child = first.run.spawn({ instructions: 'child', background: true });
      const stopped: Promise<unknown> = first.run[call](child);
      first.end.resolve(done('parent'));
      await parent.wait();
      await pass(300);
      expect(manager.get(child).status).toBe('running');
      expect(await isPending(stopped)).toBe(true);
      runs[1]?.end.resolve(done('half'));
      const snapshot = (await settles(stopped, 0)) as HandleSnapshot | undefined;
      const status = { cancel: 'cancelled', close: 'closed', interrupt: 'interrupted' }[call];
      expect(manager.get(child)).toMatchObject({ status, output: 'half', partial: true });
      if (call !== 'interrupt') expect(snapshot).toMatchObject({ status, output: 'half' });
    },
  );

  test('a wait outlives its run too, and takes no notice away (A1, N1)', async () => {
    const { host, runs } = manualHost();
    const { manager } = open(host, { maxDepth: 2 });
    const parent = manager.spawn({ instructions: 'parent' });
    const first = runs[0] as (typeof runs)[number];
    const both = ['one', 'two'].map((instructions) => first.run.spawn({ instructions, background: true }));
    const waiting = first.run.wait(both);
    first.end.resolve(done('parent'));
    await parent.wait();
    expect(await isPending(waiting)).toBe(true);
    for (const at of [1, 2]) {
      runs[at]?.end.resolve(done('child'));
      await flush();
    }
    expect((await settles(waiting, 0)).completed.map(({ output }) => output)).toEqual(['child', 'child']);
    expect(manager.inbox.peek()).toHaveLength(2);
  });
});

describe('cancelAll of a session', () => {
  test('C4 cancels all that is its own; session, spending and notices stay', async () => {
    const { host, runs } = obedient();
    const { manager } = open(host, { maxConcurrent: 9 });
    const session = manager.session('chat', { budget: { tokens: 50_000 } });
    const reported = session.spawn({ instructions: 'told', background: true });
    runs[0]?.end.resolve(done('answer', 400));
    await flush();
    const mine = ['a', 'b', 'c'].map((task) => session.spawn({ instructions: task, background: true }));
    const other = manager.spawn({ instructions: 'of the program' });
    const { acked } = await settles<{ acked: unknown[] }>(session.cancelAll(), 0);
    expect(acked).toHaveLength(3);
    expect(mine.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
    expect([reported.status, other.status]).toEqual(['completed', 'running']);
    expect(session.inbox.peek().map(({ output }) => output)).toEqual(['answer']);
    expect(manager.budget(session).tokens.spent).toBeGreaterThanOrEqual(400);
    expect(session.spawn({ instructions: 'it goes on' }).status).toBe('running');
    expect(session.send(mine[0], 'again').receipt, 'it has cancelled it itself (L7)').toBe('started');
  });

  test('C4 `cancel` without a target means its open child that changed last, as anywhere', async () => {
    const { host } = obedient();
    const { manager } = open(host, { maxConcurrent: 9 });
    const session = manager.session('chat');
    const [first, last] = ['a', 'b'].map((task) => session.spawn({ instructions: task, background: true }));
    await settles(session.cancel(), 0);
    expect([first?.status, last?.status]).toEqual(['running', 'cancelled']);
  });
});
