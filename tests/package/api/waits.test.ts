// What a wait returns and collects, against the built package (W1, W2): nothing that it lists comes again, and it always
// says why it came back. Which facts come of it stands in `golden/waits-tell.txt`.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test } from 'vitest';
import type { HostResult, SubAgentManager, SubAgentManagerOptions, WaitResult } from '../../../dist/index.js';
import { deferred, done, type Host, managerWith, manualHost, rejects } from '../../support/hosts.js';
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

function held(options: SubAgentManagerOptions = {}) {
  const { host, runs } = manualHost();
  return { manager: open(host, options), runs };
}

const outputs = (views: readonly { output: string }[]): string[] => views.map(({ output }) => output);

describe('what a wait returns', () => {
  test.each(['all', 'any'] as const)(
    '20 that share one answer are told once each, by a loop of waits for %s, and by no notice (W2)',
    async (mode) => {
      const batch = deferred<void>();
      const host: Host = async ({ instructions }) => {
        await batch.promise;
        return done(instructions);
      };
      const manager = open(host, { maxConcurrent: 20 });
      const all = Array.from({ length: 20 }, (_, at) => manager.spawn({ instructions: `n${at}`, background: true }));
      const first = manager.wait(all, { mode });
      batch.resolve();
      const seen: string[] = [];
      for (let result = await settles(first, 0); ; result = await manager.wait(result.pending, { mode })) {
        seen.push(...outputs(result.completed));
        if (result.pending.length === 0) break;
      }
      expect(seen.sort()).toEqual(all.map((_, at) => `n${at}`).sort());
      expect(manager.inbox.lease()).toEqual([]);
    },
  );

  test('`any` returns the end that it collects; the next one is delivered by its notice, or by the next wait, not by both (W2)', async () => {
    const manager = open(async ({ instructions }) => done(instructions));
    const both = ['first', 'second'].map((instructions) => manager.spawn({ instructions, background: true }));
    const { completed, pending } = await manager.wait(both, { mode: 'any' });
    expect([outputs(completed), pending]).toEqual([['first'], [both[1]?.taskId]]);
    expect(outputs(manager.inbox.peek())).toEqual(['second']);
    expect(outputs((await manager.wait(pending, { mode: 'any' })).completed)).toEqual(['second']);
    expect(manager.inbox.peek()).toEqual([]);
  });

  test('`wait_agents` and the next turn of the model: each end once (W2)', async () => {
    const manager = open(async ({ instructions }) => done(instructions));
    const tools = manager.createTools();
    const ids: string[] = [];
    for (const instructions of ['first', 'second']) ids.push(manager.spawn({ instructions, background: true }).taskId);
    const shown = async (): Promise<number> =>
      String(await tools.wait_agents?.execute({ agent_ids: ids, mode: 'any' })).split('<subagent-output').length - 1;
    expect(await shown()).toBe(1);
    const permit = await manager.beforeTurn();
    expect(permit.go && permit.inject?.filter((text) => text.includes("'second'"))).toHaveLength(1);
  });

  test('a look of the model collects what it shows (W1, W2)', async () => {
    const { manager, runs } = held();
    const { taskId } = manager.spawn({ instructions: 'x', background: true });
    const tools = manager.createTools();
    expect(await tools.wait_agents?.execute({ agent_ids: [taskId], timeout_ms: 0 })).toContain('Still at work');
    runs[0]?.end.resolve(done('the answer'));
    await flush();
    expect(await tools.wait_agents?.execute({ agent_ids: [taskId], timeout_ms: 0 })).toContain('the answer');
    expect(manager.inbox.peek()).toEqual([]);
  });

  test('inside a run: what it got by waiting, its turns do not deliver again (W2, N3)', async () => {
    const { manager, runs } = held({ maxDepth: 2, maxConcurrent: 9, taskBudget: { tokens: 1_000 } });
    manager.spawn({ instructions: 'lead', budget: { tokens: 9_000 } });
    const lead = (runs[0] as (typeof runs)[number]).run;
    const children = ['one', 'two'].map((instructions) => lead.spawn({ instructions, background: true, budget: { tokens: 1_000 } }));
    const waiting = lead.wait(children, { mode: 'any' });
    for (const { end, params } of runs.slice(1)) end.resolve(done(params.instructions));
    const { completed } = await settles(waiting, 0);
    const permit = await lead.beforeTurn();
    const injected = (permit.go && permit.inject) || [];
    expect(outputs(completed)).toEqual(['one']);
    expect(injected.map((text) => /Subagent '(\w+)'/.exec(text)?.[1])).toEqual(['two']);
  });

  test('one that asks is why a wait for all came back, also where it was answered or has ended by then (W2, M5)', async () => {
    const first = deferred<HostResult>();
    const quick: Host = ({ instructions }, run) => {
      if (instructions === 'first') return first.promise;
      if (instructions === 'slow') return new Promise(() => undefined);
      void run.ask('q?');
      return done('asked, and ended');
    };
    const manager = open(quick, { maxConcurrent: 2 });
    manager.spawn({ instructions: 'first' });
    const both = ['slow', 'asks'].map((instructions) => manager.spawn({ instructions, background: true }));
    const waiting = manager.wait(both, { timeoutMs: 60_000 });
    first.resolve(done());
    const { completed, pending, timedOut, needsInput } = await settles(waiting, 100);
    expect([completed, timedOut, needsInput]).toEqual([[], false, [{ taskId: both[1]?.taskId, question: 'q?' }]]);
    expect(pending).toEqual(both.map(({ taskId }) => taskId));
    expect(outputs(manager.inbox.peek())).toEqual(['asked, and ended']);
  });

  test('what a later run asks keeps no end from a wait for the run before it (W2, W4)', async () => {
    const host: Host = async ({ instructions }, run) => {
      if (instructions === 'works on') return new Promise<HostResult>(() => undefined);
      if (run.run === 1) return new Promise((resolve) => setTimeout(() => resolve(done('the first')), 1_000));
      await run.ask('WHICH ONE?');
      return done('the second');
    };
    const manager = open(host);
    const [asks, other] = [
      manager.spawn({ instructions: 'asks', background: true }),
      manager.spawn({ instructions: 'works on', background: true }),
    ];
    asks.send('and then', { mode: 'queue' });
    const result = await settles(manager.wait([asks, other], { timeoutMs: 4_000 }), 4_000);
    expect(result.completed.map(({ taskId }) => taskId)).toEqual([asks.taskId]);
    expect(result).toMatchObject({ timedOut: true, pending: [other.taskId] });
    expect(manager.inbox.lease(), 'told by the wait').toEqual([]);
  });

  test('one that goes on in the background is why a wait came back, and says so (W2, X3)', async () => {
    const { manager } = held();
    const [one, two] = [manager.spawn({ instructions: 'one' }), manager.spawn({ instructions: 'two' })];
    const waiting = manager.wait([one, two]);
    await manager.moveToBackground(two);
    expect(await settles(waiting, 0)).toMatchObject({ completed: [], timedOut: false, movedToBackground: [two.taskId] });
  });

  test('a stranger’s wait takes no notice away, and whom it notified is not notified again when the notice goes on to it (W2, W4, N1)', async () => {
    const { manager, runs } = held({ maxDepth: 2, maxConcurrent: 9 });
    const lead = manager.spawn({ instructions: 'lead', budget: { tokens: 9_000 } });
    const { run, end } = runs[0] as (typeof runs)[number];
    const child = run.spawn({ instructions: 'below', background: true, budget: { tokens: 1_000 } });
    const waiting = manager.wait([child.taskId]);
    runs[1]?.end.resolve(done('for both'));
    expect(outputs((await settles(waiting, 0)).completed)).toEqual(['for both']);
    expect(outputs(run.inbox.peek())).toEqual(['for both']);
    end.resolve(done());
    await lead.wait();
    expect(manager.inbox.peek()).toEqual([]);
  });

  test('W2 one whose signal fires in the step that ends it has the end: no notice delivers it', async () => {
    const { manager } = held({ graceMs: 0 });
    const controller = new AbortController();
    const { signal } = controller;
    const task = manager.spawn({ instructions: 'x', background: true, signal });
    const waiting = manager.wait([task], { signal });
    controller.abort();
    expect(await waiting).toMatchObject({ completed: [{ status: 'cancelled' }] });
    expect(manager.inbox.peek()).toEqual([]);
  });
});

describe('how long a wait goes on', () => {
  test('`timeoutMs: 0` looks once, and collects what it finds (W1)', async () => {
    const { manager, runs } = held();
    const [one, two] = [manager.spawn({ instructions: 'one', background: true }), manager.spawn({ instructions: 'two' })];
    expect(await settles(manager.wait([one, two], { timeoutMs: 0 }), 0)).toMatchObject({ completed: [], timedOut: true });
    await rejects(two.wait({ timeoutMs: 0 }), 'aborted');
    runs[0]?.end.resolve(done('1'));
    await flush();
    const { completed, pending, timedOut } = await settles(manager.wait([one, two], { timeoutMs: 0 }), 0);
    expect([outputs(completed), pending.length, timedOut]).toEqual([['1'], 1, true]);
    expect(manager.inbox.peek()).toEqual([]);
    runs[1]?.end.resolve(done('2'));
    await flush();
    expect(await settles(manager.wait([one, two], { timeoutMs: 0 }), 0)).toMatchObject({ pending: [], timedOut: false });
  });

  test('without targets: one’s own that still work, or whose ends one has not got (W1, A1)', async () => {
    const { manager, runs } = held({ maxDepth: 2, maxConcurrent: 9 });
    const session = manager.session('chat');
    expect(await settles(manager.wait(), 0)).toMatchObject({ completed: [], pending: [], timedOut: false });
    const mine = manager.spawn({ instructions: 'mine', budget: { tokens: 9_000 } });
    const theirs = session.spawn({ instructions: 'theirs' });
    const below = (runs[0] as (typeof runs)[number]).run.spawn({ instructions: 'below', background: true, budget: { tokens: 1_000 } });
    const reported = manager.spawn({ instructions: 'told' });
    runs[3]?.end.resolve(done());
    await reported.wait();
    const ended = manager.spawn({ instructions: 'ended', background: true });
    runs[4]?.end.resolve(done('ended'));
    await flush();
    const ids = ({ completed, pending }: WaitResult) => [completed.map(({ taskId }) => taskId), pending];
    expect(ids(await settles(manager.wait(undefined, { timeoutMs: 10 }), 10))).toEqual([[ended.taskId], [mine.taskId]]);
    expect(ids(await settles(session.wait(undefined, { timeoutMs: 0 }), 0))).toEqual([[], [theirs.taskId]]);
    expect(ids(await settles((runs[0] as (typeof runs)[number]).run.wait(undefined, { timeoutMs: 0 }), 0))).toEqual([[], [below.taskId]]);
  });

  test('W6 without targets: background work below ended children as well, two deep, and their ends once', async () => {
    const { manager, runs } = held({ maxDepth: 3, maxConcurrent: 9 });
    const lead = manager.spawn({ instructions: 'lead' });
    const helper = (runs[0] as (typeof runs)[number]).run.spawn({ instructions: 'helper', background: true });
    const deepest = (runs[1] as (typeof runs)[number]).run.spawn({ instructions: 'deepest', background: true });
    const theirs = manager.session('chat').spawn({ instructions: 'theirs' });
    const reported = async (waiting: Promise<WaitResult>) => (await settles(waiting, 0)).completed.map(({ taskId }) => taskId);
    const ends = async (at: number) => {
      runs[at]?.end.resolve(done());
      await flush();
    };
    await ends(0);
    expect(await reported(manager.wait(undefined, { mode: 'any' })), 'its own child comes first').toEqual([lead.taskId]);
    const waiting = manager.wait();
    await ends(1);
    expect(await reported(waiting)).toEqual([helper.taskId]);
    await ends(2);
    expect(await reported(manager.wait()), 'of one that had ended before').toEqual([deepest.taskId]);
    expect(await reported(manager.wait())).toEqual([]);
    expect(manager.inbox.peek(), 'what a wait has told is told by no notice').toEqual([]);
    expect(theirs.status, 'work of a session is none of the manager’s').toBe('running');
  });

  test('W6 one that works again gets the ends of its helpers itself', async () => {
    const { manager, runs } = held({ maxDepth: 2, maxConcurrent: 9 });
    const lead = manager.spawn({ instructions: 'lead' });
    (runs[0] as (typeof runs)[number]).run.spawn({ instructions: 'helper', background: true });
    runs[0]?.end.resolve(done());
    await lead.wait();
    lead.send('more');
    await flush();
    const { pending } = await settles(manager.wait(undefined, { timeoutMs: 0 }), 0);
    expect(pending).toEqual([lead.taskId]);
  });

  test.each([
    ['only waits for others, and ends at once', true],
    ['has its grace', false],
  ])('an interrupt collects the end of what %s (W2, W4, M4)', async (_, returns) => {
    const { manager, runs } = held({ maxDepth: 2 });
    const other = manager.spawn({ instructions: 'other' });
    const top = manager.spawn({ instructions: 'top' });
    await flush();
    const { run, end } = runs[1] as (typeof runs)[number];
    run.spawn({ instructions: 'below', background: true, onParentEnd: 'wait' });
    if (returns) end.resolve(done());
    await flush();
    const interrupted = top.interrupt();
    end.resolve(done());
    await settles(interrupted, 0);
    expect(top.status).toBe('interrupted');
    const any = manager.wait([top, other], { mode: 'any' });
    expect(await isPending(any), 'the interrupt has told that end').toBe(true);
    runs[0]?.end.resolve(done('other'));
    expect((await settles(any, 0)).completed).toHaveLength(2);
  });

  test("`until: 'idle'` waits until no message is left to run, and returns the last end (W1)", async () => {
    const { manager, runs } = held();
    const handle = manager.spawn({ instructions: 'first' });
    handle.send('second');
    const waiting = manager.wait([handle], { until: 'idle', timeoutMs: Number.POSITIVE_INFINITY });
    for (const at of [0, 1]) {
      expect(await isPending(waiting)).toBe(true);
      runs[at]?.end.resolve(done(`run ${at + 1}`));
      await flush();
    }
    const { completed } = await settles(waiting, 0);
    expect(completed).toMatchObject([{ run: 2, output: 'run 2', queueSize: 0 }]);
    handle.send('third');
    handle.send('fourth');
    const interrupted = manager.wait([handle], { until: 'idle' });
    void handle.interrupt({ graceMs: 0 });
    await pass(1);
    expect(await settles(interrupted, 0), 'what is held runs only after the next send').toMatchObject({
      completed: [{ status: 'interrupted', queueSize: 1 }],
    });
    await rejects(manager.wait([handle], { until: 'done' as never }), 'invalid_argument');
  });
});
