// A view goes back to every moment, of a life of many sub-agents too, and says of refusals what no event says. That it
// agrees with the manager in lives at random is shown by the monkey (tests/package/hostile/monkey.test.ts).

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { transformSync } from 'esbuild';
import { expect, test, vi } from 'vitest';
import { type Refusal, type SubAgentEvent, SubAgentManager } from '../../../dist/index.js';
import { readJournal } from '../../../dist/journal.js';
import { baseOf, type NodeView, View } from '../../../dist/view/index.js';
import { differences, textOf } from '../../support/monkey-view.js';
import { watchedStore } from '../../support/stores.js';

/** Leads that each have three readers, over several keyframes of events. */
async function manyLives(leads: number): Promise<{ manager: SubAgentManager; events: SubAgentEvent[]; before: View }> {
  const manager: SubAgentManager = new SubAgentManager({
    maxDepth: 2,
    maxConcurrent: 7,
    budget: { tokens: 100_000_000 },
    spawnSubAgent: async ({ instructions }, run) => {
      await run.beforeTurn();
      if (instructions.startsWith('lead')) {
        const readers = [1, 2, 3].map((each) => run.spawn({ instructions: `read ${each}`, background: each === 3 }));
        await run.wait(readers);
      }
      run.report({ tokens: 10, costUsd: 0.001, message: `${instructions} goes on` });
      return { output: `${instructions}: done`, usage: { tokens: 25, costUsd: 0.003 } };
    },
  });
  const before = new View();
  before.begin(baseOf(manager));
  const events: SubAgentEvent[] = [];
  manager.subscribe((event) => {
    events.push(event);
    before.add(event);
  });
  const session = manager.session('one', { budget: { tokens: 90_000_000 } });
  const handles = Array.from({ length: leads }, (_, each) => (each % 2 === 0 ? manager : session).spawn({ instructions: `lead ${each}` }));
  await Promise.all(handles.map((handle) => handle.wait()));
  return { manager, events, before };
}

test('a view that is begun with anything but a base says what is right, and stays as it was', async () => {
  const { manager, before } = await manyLives(1);
  const { last } = before;
  for (const wrong of [manager, undefined, null, { seq: 1 }])
    expect(() => before.begin(wrong as never)).toThrow('this is no base: call `view.begin(baseOf(manager))`');
  expect(before.last).toBe(last);
  manager.dispose();
});

test('every moment is the fold of the events up to it, whichever moments were kept', async () => {
  const { manager, events, before } = await manyLives(520);
  expect(events.length).toBeGreaterThan(3 * 4_096);
  expect(differences(before.now, manager, [manager.session('one')], true)).toEqual([]);
  const view = new View();
  view.add(events);
  const straight = new View();
  let taken = 0;
  for (const at of [1, 31, 32, 33, 1_024, 4_095, 4_096, 4_097, 9_000, events.length]) {
    // From the beginning, an event at a time, and looked at each time.
    straight.add(events.slice(taken, at));
    taken = at;
    const seq = events[at - 1]?.seq as number;
    expect(textOf(view.at(seq)), `at ${seq}`).toBe(textOf(straight.now));
    expect(view.at(seq).seq).toBe(seq);
  }
  manager.dispose();
});

test('a frame that was kept stays as it was', async () => {
  const { manager, events } = await manyLives(20);
  const view = new View();
  view.add(events.slice(0, 200));
  const kept = view.now;
  const text = textOf(kept);
  view.add(events.slice(200));
  expect(textOf(kept)).toBe(text);
  expect(textOf(view.now)).not.toBe(text);
  manager.dispose();
});

test('what is delivered twice counts once, and old events go where there are more than a view keeps', async () => {
  const { manager, events } = await manyLives(520);
  const view = new View({ maxEvents: 8_192 });
  const whole = new View();
  whole.add(events);
  view.add(events);
  view.add(events);
  expect(view.size).toBeLessThan(8_192);
  expect(view.last).toBe(events.at(-1)?.seq);
  expect(textOf(view.now)).toBe(textOf(whole.now));
  const seq = view.first + 17;
  expect(textOf(view.at(seq))).toBe(textOf(whole.at(seq)));
  expect(view.event(seq)).toEqual(events.find((event) => event.seq === seq));
  expect(view.event(1)).toBeUndefined();
  expect(view.events(seq, seq + 2).map((event) => event.seq)).toEqual([seq, seq + 1, seq + 2]);
  manager.dispose();
});

test('lane and transcript show one sub-agent from its events', async () => {
  const { manager, events } = await manyLives(1);
  const view = new View();
  view.add(events);
  const [lead] = view.now.tasks();
  if (lead?.id === undefined || lead.id === null) throw new Error('there is no lead');
  const ref = { taskId: lead.id };
  expect(view.transcript(ref).map(({ kind, text }) => [kind, text])).toEqual([
    ['instructions', 'lead 0'],
    ['turn', '1'],
    ['report', 'lead 0 goes on'],
    ['output', 'lead 0: done'],
  ]);
  const { segments, marks } = view.lane(ref);
  expect([...new Set(segments.map(({ state }) => state))]).toEqual(['queued', 'running', 'parked']);
  expect(segments.every(({ from, to }) => to !== null && from <= to)).toBe(true);
  expect(marks.filter(({ kind }) => kind === 'spawn').map(({ text }) => text)).toEqual(['read 1', 'read 2', 'read 3']);
  expect(marks.at(-1)).toMatchObject({ kind: 'end', end: { status: 'completed', stopReason: 'finished' } });
  const parked = events.find(({ type }) => type === 'run_parked') as SubAgentEvent;
  const obstacle = view.at(parked.seq).obstacle(view.at(parked.seq).node(ref) as never);
  expect(obstacle).toMatchObject({ kind: 'parked', for: 'children' });
  expect(obstacle?.kind === 'parked' && obstacle.tasks.length).toBeGreaterThan(0);
  manager.dispose();
});

test('X5 a tool that an attempt left open ends with the attempt', async () => {
  let attempts = 0;
  const manager = new SubAgentManager({
    spawnSubAgent: async (_, run) => {
      await run.beforeTurn();
      if (++attempts > 1) return { output: 'done' };
      await run.beforeTool('grep');
      throw new Error('not yet');
    },
  });
  const view = new View();
  manager.subscribe((event) => view.add(event));
  const { taskId } = await manager.spawn({ instructions: 'x', retry: { max: 1, backoffMs: 20 } }).wait();
  const { marks } = view.lane({ taskId });
  const [tool, end] = ['tool', 'end'].map((kind) => marks.find((mark) => mark.kind === kind));
  expect(tool).toMatchObject({ text: 'grep', to: end?.at });
  manager.dispose();
});

test('X5 D4 an attempt whose time has come says in its lane what it waits for then', async () => {
  let free = (): void => undefined;
  let attempts = 0;
  const manager: SubAgentManager = new SubAgentManager({
    maxConcurrent: 1,
    spawnSubAgent: async ({ instructions }) => {
      if (instructions === 'long') await new Promise<void>((resolve) => (free = resolve));
      else if (++attempts === 1) throw new Error('not yet');
      return { output: 'done' };
    },
  });
  const view = new View();
  manager.subscribe((event) => view.add(event));
  const again = manager.spawn({ instructions: 'again', retry: { max: 1, backoffMs: 1 } });
  // It gets the slot as the other's first attempt ends.
  const long = manager.spawn({ instructions: 'long' });
  await vi.waitFor(() => expect(again.snapshot().waitingFor).toBe('slot'));
  expect(view.now.node({ taskId: again.taskId })?.queuedFor).toBe('slot');
  free();
  await Promise.all([again.wait(), long.wait()]);
  const { segments } = view.lane({ taskId: again.taskId });
  expect(segments.map(({ state, run, why }) => [state, run, why])).toEqual([
    ['queued', 1, null],
    ['running', 1, null],
    ['queued', 2, 'retry'],
    ['queued', 2, 'slot'],
    ['running', 2, null],
  ]);
  manager.dispose();
});

test('M5 X1 a lane says that a run waits for an answer, for its rate limit, and for its slot after each', async () => {
  const manager: SubAgentManager = new SubAgentManager({
    spawnSubAgent: async (_, run) => {
      await run.beforeTurn();
      await run.ask('Which?');
      run.reportRateLimit({ retryAfterMs: 200 });
      await run.beforeTurn();
      return { output: 'done' };
    },
  });
  const view = new View();
  manager.subscribe((event) => view.add(event));
  manager.subscribe((event) => void (event.type === 'question_asked' && manager.send(event.taskId as string, 'this')));
  const asks = manager.spawn({ instructions: 'go' });
  await asks.wait().catch(() => asks.wait());
  expect(view.lane({ taskId: asks.taskId }).segments.map(({ state, why }) => why ?? state)).toEqual([
    ...['queued', 'running', 'input', 'reentry', 'running'],
    ...['cooldown', 'reentry', 'running'],
  ]);
  manager.dispose();
});

test('a view that comes late knows which ended run keeps its slot: one that had given it up to wait has none to give back', async () => {
  const never = new Promise<never>(() => undefined);
  const manager: SubAgentManager = new SubAgentManager({
    maxDepth: 2,
    maxConcurrent: 1,
    graceMs: 0,
    abandonMs: 5,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'waits') void run.spawn({ instructions: 'below', background: true, onParentEnd: 'adopt' }).wait();
      return never;
    },
  });
  const [waits, works] = ['waits', 'works'].map((instructions) => manager.spawn({ instructions, background: true }));
  await new Promise((resolve) => setTimeout(resolve));
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, parked: 1 });
  await waits?.interrupt();
  expect(manager.get(waits as never).lingering).toMatchObject([{ run: 1, abandoned: false, holdsSlot: false }]);
  const late = new View();
  late.begin(baseOf(manager));
  manager.subscribe((event) => late.add(event));
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(manager.getConcurrencyInfo()).toMatchObject({ active: 1, abandoned: 1 });
  expect(differences(late.now, manager, [], false)).toEqual([]);
  // One that was at work keeps its slot.
  const [below] = manager.list({ filter: { parent: waits as never } }).items;
  manager.setLimits({ abandonMs: 60_000 });
  await manager.interrupt(below as never);
  expect(manager.get(below as never).lingering).toMatchObject([{ run: 1, abandoned: false, holdsSlot: true }]);
  expect(works?.status).toBe('pending');
  manager.dispose();
});

test('a view that comes late books what a host function of an earlier run has used, however many runs were queued behind it', async () => {
  let giveBack: (result: { output: string; usage: { tokens: number } }) => void = () => undefined;
  const manager: SubAgentManager = new SubAgentManager({
    budget: { tokens: 50_000 },
    taskBudget: { tokens: 5_000 },
    graceMs: 0,
    spawnSubAgent: async (_, run) => {
      await run.beforeTurn();
      run.report({ tokens: 100 });
      return new Promise((resolve) => {
        giveBack = resolve;
      });
    },
  });
  const views: View[] = [];
  const comeLate = (): void => {
    const view = new View();
    view.begin(baseOf(manager));
    views.push(view);
  };
  manager.subscribe((event) => {
    for (const view of views) view.add(event);
  });
  const handle = manager.spawn({ instructions: 'deaf' });
  await new Promise((resolve) => setTimeout(resolve));
  await handle.interrupt();
  comeLate();
  for (const message of ['once more', 'and again']) {
    handle.send(message);
    expect(handle.snapshot()).toMatchObject({ status: 'pending', waitingFor: 'host' });
    comeLate();
    await handle.interrupt();
    expect(handle.snapshot()).toMatchObject({ status: 'interrupted', startedAt: null, hostStillRunning: true });
    comeLate();
  }
  const returned = new Promise((resolve) => manager.subscribe(({ type }) => type === 'host_returned' && resolve(type)));
  giveBack({ output: 'after all', usage: { tokens: 700 } });
  await returned;
  expect(manager.budget().tokens).toMatchObject({ spent: 700, reserved: 0 });
  for (const { now } of views) {
    expect(differences(now, manager, [], false)).toEqual([]);
    expect(now.ledger()).toEqual(manager.budget());
    expect(now.task(handle.taskId)?.lingering).toEqual([]);
  }
  manager.dispose();
});

test('D4 messages that an interrupt holds back wait for abandoned host functions first, in a view as in the snapshot', async () => {
  const manager: SubAgentManager = new SubAgentManager({
    maxAbandoned: 1,
    graceMs: 0,
    abandonMs: 1,
    spawnSubAgent: () => new Promise<never>(() => undefined),
  });
  const view = new View();
  view.begin(baseOf(manager));
  const abandoned = new Promise((resolve) =>
    manager.subscribe((event) => {
      view.add(event);
      if (event.type === 'host_abandoned') resolve(event);
    }),
  );
  const handle = manager.spawn({ instructions: 'deaf' });
  await new Promise((resolve) => setTimeout(resolve));
  handle.send('later');
  await handle.interrupt();
  const obstacle = (): unknown => view.now.obstacle(view.now.task(handle.taskId) as never);
  await abandoned;
  expect(handle.snapshot().waitingFor).toBe('abandoned');
  expect(obstacle()).toEqual({ kind: 'waiting', for: 'abandoned' });
  expect(differences(view.now, manager, [], true)).toEqual([]);
  manager.dispose();
});

test('D4 J3 work of before waits for its session or its definition, in a view as in the snapshot', async () => {
  const store = watchedStore();
  const open = (of: typeof store, agents: Record<string, { description: string }>): Promise<SubAgentManager> =>
    SubAgentManager.open({ store: of, maxConcurrent: 1, agents, spawnSubAgent: () => new Promise<never>(() => undefined) });
  const first = await open(store, { reader: { description: 'reads' } });
  first.spawn({ instructions: 'runs' });
  first.session('one').spawn({ instructions: 'of a session' });
  first.spawn({ instructions: 'reads', agent: 'reader' });
  await first[Symbol.asyncDispose]();

  const kept = watchedStore(store.records);
  const second = await open(kept, {});
  const late = new View();
  late.begin(baseOf(second));
  second.subscribe((event) => late.add(event));
  const reported = new View();
  await second.flush();
  await using journal = await readJournal(watchedStore(kept.records));
  for await (const { event } of journal) reported.add(event);
  const pending = () => second.list({ filter: { status: ['pending'] } }).items;
  const obstacles = (view: View): unknown => pending().map(({ taskId }) => view.now.obstacle(view.now.task(taskId) as never)?.for);
  const said = (): unknown => pending().map(({ waitingFor }) => waitingFor);
  expect(said()).toEqual(['definition', 'session']);
  expect(obstacles(late)).toEqual(said());
  expect(obstacles(reported)).toEqual(said());
  // What takes the only slot first leaves one for nothing else.
  second.spawn({ instructions: 'runs too', priority: 9 });
  second.session('one');
  await new Promise((resolve) => setTimeout(resolve, 5));
  await second.flush();
  expect(said()).toEqual(['definition', 'slot']);
  expect(obstacles(late)).toEqual(said());
  second.dispose();
});

test('a view that begins in the middle has the last run of each in its lane, and for whom a run is parked', async () => {
  const manager: SubAgentManager = new SubAgentManager({
    maxDepth: 2,
    maxConcurrent: 2,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'parent') {
        run.spawn({ instructions: 'hangs', label: 'beside', background: true });
        await run.spawn({ instructions: 'hangs', label: 'awaited' }).wait();
      }
      if (instructions === 'hangs') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
      else await new Promise((resolve) => setTimeout(resolve, 20));
      return { output: '' };
    },
  });
  const done = manager.spawn({ instructions: 'done' });
  await done.wait();
  const parent = manager.spawn({ instructions: 'parent' });
  await new Promise((resolve) => setTimeout(resolve, 20));
  const queued = manager.spawn({ instructions: 'queued' });
  const whole = new View();
  const view = new View();
  for (const each of [whole, view]) each.begin(baseOf(manager));
  manager.subscribe((event) => view.add(event));
  const { startedAt, endedAt } = manager.get(done);
  expect(view.lane(done)).toEqual({ segments: [{ state: 'running', run: 1, from: startedAt, to: endedAt, why: null }], marks: [] });
  expect(view.lane(parent).segments.at(-1)).toMatchObject({ state: 'parked', to: null, why: 'children' });
  expect(view.lane(queued).segments).toMatchObject([{ state: 'queued', to: null }]);
  const obstacle = view.now.obstacle(view.now.task(parent.taskId) as NodeView);
  expect(obstacle).toMatchObject({ kind: 'parked', for: 'children', tasks: [{ label: 'awaited' }] });
  await manager.cancelAll({ graceMs: 10 });
  // Their host functions return a little later.
  await vi.waitFor(() => expect(manager.getConcurrencyInfo().active).toBe(0));
  await new Promise((resolve) => setTimeout(resolve));
  for (const handle of [parent, queued]) {
    const { segments } = view.lane(handle);
    expect(segments.every(({ to }) => to !== null)).toBe(true);
    for (const [at, { from }] of segments.entries()) if (at > 0) expect(from).toBeGreaterThanOrEqual(segments[at - 1]?.to as number);
  }
  expect(whole.lane(parent).segments.at(-1)).toMatchObject({ state: 'parked', to: null });
  manager.dispose();
});

test('whoever asked, a spawn and a message that are refused are reported, and change nothing', async () => {
  const reported: Refusal[] = [];
  const manager: SubAgentManager = new SubAgentManager({
    canSpawn: () => reported.length < 3,
    spawnSubAgent: async (_, run) => {
      expect(() => run.spawn({ instructions: 'deeper', label: 'too deep' })).toThrow();
      return { output: 'done' };
    },
  });
  const stop = manager.onRefused((refusal) => reported.push(refusal));
  const session = manager.session('one');
  const handle = session.spawn({ instructions: 'lead' });
  await handle.wait();
  await handle.close();
  expect(() => manager.send(handle, 'go on')).toThrow();
  expect(() => session.spawn({ instructions: 'x', budget: { tokens: 0 } as never })).toThrow();
  const before = manager.stats().events;
  expect(reported.map(({ operation, code, by, sessionKey, label }) => ({ operation, code, by, sessionKey, label }))).toEqual([
    { operation: 'spawn', code: 'depth_limit', by: handle.taskId, sessionKey: 'one', label: 'too deep' },
    { operation: 'send', code: 'wrong_status', by: null, sessionKey: null, label: handle.taskId },
    { operation: 'spawn', code: 'invalid_argument', by: null, sessionKey: 'one', label: 'x' },
  ]);
  expect(() => manager.spawn({ instructions: 'x', signal: AbortSignal.abort() })).toThrow();
  expect(await manager.createSubAgentTool().execute({ instructions: 'by the tool' })).toContain('limit');
  expect(reported.slice(3).map(({ code, label, seq }) => ({ code, label, seq }))).toEqual([
    { code: 'aborted', label: 'x', seq: before },
    { code: 'spawn_denied', label: 'by the tool', seq: before },
  ]);
  const view = new View();
  view.refuse(reported);
  expect(view.refusals()).toEqual(reported);
  stop();
  expect(() => manager.spawn({ instructions: 'x', signal: AbortSignal.abort() })).toThrow();
  expect(reported.length).toBe(5);
  manager.dispose();
});

test('onRefused gets what was wrong in the request itself, once each, of the program and of models', async () => {
  const reported: object[] = [];
  const manager = new SubAgentManager({ agents: { scout: { description: 'looks' } }, spawnSubAgent: async () => ({ output: '' }) });
  manager.onRefused(({ operation, code, label }) => reported.push([operation, code, label]));
  const received = (): object[] => reported.splice(0);
  const { spawn_agent: spawning, send_message: sending } = manager.createTools() as unknown as Record<string, ToolOf>;
  for (const options of [{ agent: 'nobody' }, { profile: 'nobody' }, { maxTurn: 3 }, { maxTurns: 0 }] as object[])
    expect(() => manager.spawn({ instructions: 'look', ...options })).toThrow();
  expect(received()).toEqual([
    ['spawn', 'unknown_agent', 'look'],
    ['spawn', 'unknown_profile', 'look'],
    ['spawn', 'invalid_argument', 'look'],
    ['spawn', 'invalid_argument', 'look'],
  ]);
  const handle = manager.spawn({});
  expect(() => manager.send('nobody', 'x')).toThrow();
  expect(() => handle.send('x', { mode: 'loud' as never })).toThrow();
  expect(received()).toEqual([
    ['send', 'unknown_task', 'nobody'],
    ['send', 'invalid_argument', handle.taskId],
  ]);
  expect(await spawning?.execute({ instructions: 'look', agent: 'nobody' })).toContain('agent');
  expect(await spawning?.execute({ instructions: 'look' }, { signal: AbortSignal.abort() })).toContain('aborted');
  expect(await sending?.execute({ agent_id: 'nobody', message: 'x' })).toContain('nobody');
  expect(await sending?.execute({ agent_id: handle.taskId, message: 5 })).toContain('message');
  expect(received()).toEqual([
    ['spawn', 'invalid_argument', null],
    ['spawn', 'aborted', 'look'],
    ['send', 'unknown_task', 'nobody'],
    ['send', 'invalid_argument', null],
  ]);
  manager.dispose();
  expect(() => manager.spawn({ agent: 'nobody' })).toThrow();
  expect(received()).toEqual([]);
});

const soon = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

test('a session that is opened anew stays where the one of its key before it is freed later', async () => {
  let comeBack = (_: { output: string }): void => undefined;
  const host = new Promise<{ output: string }>((resolve) => (comeBack = resolve));
  const manager = new SubAgentManager({ graceMs: 0, spawnSubAgent: () => host });
  const view = new View();
  view.begin(baseOf(manager));
  manager.subscribe((event) => view.add(event));
  manager.session('k', { budget: { tokens: 9_000 } }).spawn({ instructions: 'a' });
  await manager.closeSession('k');
  const again = manager.session('k', { budget: { tokens: 500 } });
  again.spawn({ instructions: 'b', background: true });
  comeBack({ output: 'late' });
  await soon(1);
  expect(view.now.ledger({ sessionKey: 'k' }).tokens.cap).toBe(500);
  expect(view.now.sessions().map(({ status }) => status)).toEqual(['idle']);
  expect(differences(view.now, manager, [again], true)).toEqual([]);
  manager.dispose();
});

test('B7 what a host function reports after the end of its run is no longer unknown', async () => {
  let report = (): void => undefined;
  const manager = new SubAgentManager({
    graceMs: 0,
    spawnSubAgent: (_, run) => new Promise(() => (report = () => run.report({ tokens: 5 }))),
  });
  const view = new View();
  manager.subscribe((event) => view.add(event));
  const handle = manager.spawn({ instructions: 'x' });
  await soon();
  await handle.cancel();
  report();
  expect(handle.snapshot().usage.unknown).toEqual(['costUsd', 'turns']);
  expect(view.now.task(handle.taskId)?.unknown).toEqual(['costUsd', 'turns']);
  manager.dispose();
});

test('J3 a view that begins with a manager opened again knows the sessions that it has not opened yet', async () => {
  const store = watchedStore();
  const options = { store, spawnSubAgent: async () => ({ output: 'a', usage: { tokens: 700 } }) };
  const first = await SubAgentManager.open(options);
  const session = first.session('k', { budget: { tokens: 9_000 } });
  await session.spawn({ instructions: 'one' }).wait();
  session.spawn({ instructions: 'two', background: true });
  await soon(1);
  first.session('without any');
  await first[Symbol.asyncDispose]();

  const second = await SubAgentManager.open(options);
  expect(second.restored?.sessions).toMatchObject([
    { key: 'k', budget: { tokens: { cap: 9_000, spent: 1_400 } }, notices: [{ label: 'two' }] },
    { key: 'without any', notices: [] },
  ]);
  const view = new View();
  view.begin(baseOf(second));
  second.subscribe((event) => view.add(event));
  const again = second.session('k');
  expect(second.restored?.sessions.map(({ key }) => key)).toEqual(['without any']);
  await again.spawn({ instructions: 'three' }).wait();
  const other = second.session('without any');
  expect(view.now.ledger({ sessionKey: 'k' }).tokens).toMatchObject({ cap: 9_000, spent: 2_100 });
  expect(differences(view.now, second, [again, other], false)).toEqual([]);
  second.dispose();
});

interface ToolOf {
  execute(args: object, options?: object): Promise<string>;
}

test('the entry is small, as a bundler makes it', () => {
  const { code } = transformSync(readFileSync(new URL('../../../dist/view/index.js', import.meta.url), 'utf8'), { minify: true });
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(14_500);
});

test('a listener that throws keeps no other from getting a change, and ends no process', async () => {
  const view = new View();
  const reported: unknown[] = [];
  const error = vi.spyOn(console, 'error').mockImplementation((thrown) => void reported.push(thrown));
  const received = vi.fn();
  const bad = new Error('bad');
  view.onChange(() => {
    throw bad;
  });
  view.onChange(received);
  view.refuse([]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(received).toHaveBeenCalledTimes(1);
  expect(reported).toEqual([bad]);
  error.mockRestore();
});

test('a view that begins anew knows no refusal of before', async () => {
  const manager = new SubAgentManager();
  const view = new View();
  manager.onRefused((refusal) => view.refuse(refusal));
  expect(() => manager.spawn({ instructions: 'x' })).toThrow();
  expect(view.refusals()).toHaveLength(1);
  view.begin(baseOf(manager));
  expect(view.refusals()).toEqual([]);
  manager.dispose();
});

test('R5 a figure that no host reported is null, of a node and of all above it; one that was reported as 0 is 0', async () => {
  const manager: SubAgentManager = new SubAgentManager({
    maxDepth: 2,
    spawnSubAgent: async ({ instructions }, run) => {
      if (instructions === 'lead') await run.spawn({ instructions: 'silent' }).wait();
      return { output: 'done', usage: instructions === 'silent' ? { tokens: 5 } : { tokens: 7, costUsd: 0 } };
    },
  });
  const view = new View();
  manager.subscribe((event) => view.add(event));
  await manager.spawn({ instructions: 'lead' }).wait();
  await manager.spawn({ instructions: 'free' }).wait();
  const [lead, silent, free] = view.now.tasks() as [NodeView, NodeView, NodeView];
  expect(view.now.spent(silent, 'costUsd')).toBeNull();
  expect(view.now.spent(lead, 'costUsd')).toBeNull();
  expect(view.now.spent(lead, 'costUsd', 'own')).toBe(0);
  expect(view.now.spent(lead, 'tokens')).toBe(12);
  expect(view.now.spent(free, 'costUsd')).toBe(0);
  expect(view.now.spent(view.now.manager, 'costUsd')).toBeNull();
  manager.dispose();
});

test('B11 a view says what was spent by model and by agent, adding up to the ledger, from the beginning and from any event on', async () => {
  const manager: SubAgentManager = new SubAgentManager({
    prices: { big: { input: 15, output: 75, cacheRead: 1.5 }, mini: { input: 1, output: 2 } },
    countCacheReads: 100,
    retry: { max: 1, backoffMs: 1 },
    agents: {
      reader: { description: 'x', prompt: 'x', model: 'big' },
      clerk: { description: 'x', prompt: 'x' },
    },
    spawnSubAgent: async ({ instructions }, run) => {
      await run.beforeTurn();
      if (instructions === 'two models') run.report({ inputTokens: 1_000, cacheReadTokens: 900, outputTokens: 5, modelId: 'mini' });
      run.report({ inputTokens: 2_000, outputTokens: 70 });
      if (instructions === 'fails' && run.previousError === undefined) throw new Error('once');
      if (instructions === 'says its cost') return { output: 'x', usage: { costUsd: 0.001 } };
      if (instructions === 'no price') return { output: 'x', usage: { inputTokens: 9_000, outputTokens: 1, modelId: 'odd' } };
      return { output: 'x', usage: { inputTokens: 5_000, cacheReadTokens: 2_500, outputTokens: 100 } };
    },
    onError: () => undefined,
  });
  const views: View[] = [];
  const begin = (): void => {
    const view = new View();
    view.begin(baseOf(manager));
    views.push(view);
  };
  begin();
  manager.subscribe((event) => {
    for (const view of views) view.add(event);
  });
  const session = manager.session('s');
  const work = ['plain', 'two models', 'fails', 'says its cost', 'no price'];
  for (const instructions of work) {
    for (const agent of ['reader', 'clerk', null]) {
      const handle = manager.spawn({ instructions, agent });
      await handle.wait();
      if (instructions === 'plain') manager.forget(handle);
    }
    manager.report({ inputTokens: 10, outputTokens: 3, modelId: 'mini' });
    session.report({ inputTokens: 7, cacheReadTokens: 5, outputTokens: 2, ...(instructions === 'no price' && { modelId: 'odd' }) });
    begin();
  }
  const costs = manager.costs();
  expect(costs.byModel.map(({ name }) => name)).toEqual(expect.arrayContaining(['big', 'mini', 'odd', null]));
  expect(costs.byAgent.map(({ name }) => name)).toEqual(expect.arrayContaining(['reader', 'clerk', null]));
  expect(costs.byModel.find(({ name }) => name === 'odd')).toMatchObject({ unpriced: true, turns: expect.any(Number) });
  expect(costs.mainAgents).toMatchObject([
    { name: null, tokens: 65, inputTokens: 50, unpriced: false },
    { name: 's', tokens: 45, inputTokens: 35, cacheReadTokens: 25, unpriced: true },
  ]);
  const total = { tokens: manager.budget().tokens.spent, costUsd: manager.budget().costUsd.spent };
  for (const view of views) {
    expect(view.now.costs).toEqual(costs);
    // A view that came later knows what main agents had used before.
    expect(view.now.manager.spent).toMatchObject(total);
    expect(view.now.manager.usage.tokens).toBe(65);
    expect(view.now.manager.kinds).toEqual((views[0] as View).now.manager.kinds);
    expect(view.now.node({ sessionKey: 's' })).toMatchObject({ usage: { tokens: 45 }, kinds: { inputTokens: 35 } });
  }
  const { mainAgents } = manager.costs();
  await session.close();
  expect(manager.costs().mainAgents).toEqual(mainAgents.filter(({ name }) => name === null));
  for (const view of views) expect(view.now.costs.mainAgents).toEqual(manager.costs().mainAgents);
  // Each moment of it adds up.
  const [whole] = views as [View];
  for (let seq = 1; seq <= whole.now.seq; seq += 7) {
    const { costs, manager: all } = whole.at(seq);
    for (const shares of [costs.byModel, costs.byAgent]) {
      expect(shares.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(all.spent.tokens);
      expect(shares.reduce((sum, { costUsd }) => sum + Math.round(costUsd * 1e9), 0)).toBe(Math.round(all.spent.costUsd * 1e9));
    }
  }
  manager.dispose();
});
