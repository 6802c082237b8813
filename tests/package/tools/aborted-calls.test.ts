// Calls of tools that their own caller aborts, as a client does whose time is over: who gets the end of what they stopped.

import '../../support/virtual-time.js';

import { afterEach, expect, test } from 'vitest';
import type { HostResult, SubAgentManager, SubAgentManagerOptions, TaskSnapshot } from '../../../dist/index.js';
import { done, type Host, managerWith } from '../../support/hosts.js';
import { flush, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

/** A host that says how far it came when it is stopped. */
const obedient: Host = (_, run) =>
  new Promise<HostResult>((resolve) => run.signal.addEventListener('abort', () => resolve(done('found 3 bugs so far'))));

function made(options: SubAgentManagerOptions = {}, host = obedient) {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

function caller(scope: Pick<SubAgentManager, 'createTools'>) {
  const tools = scope.createTools();
  const call = async (name: string, args: unknown = {}, signal?: AbortSignal): Promise<string> => {
    const tool = tools[name];
    if (tool === undefined) throw new Error(`there is no ${name}`);
    return tool.execute(args, { signal });
  };
  const aborted = async (args: object = { instructions: 'find bugs' }): Promise<void> => {
    const controller = new AbortController();
    const answer = call('spawn_agent', args, controller.signal);
    await flush();
    controller.abort();
    await answer;
  };
  return { call, aborted };
}

test('W5 nobody was notified: wait_agents returns what came of it, once', async () => {
  const manager = made();
  const { call, aborted } = caller(manager);
  await aborted();
  expect(manager.list().items).toMatchObject([{ status: 'cancelled', stopReason: 'signal_aborted' }]);
  expect(manager.inbox.peek(), 'no notice is kept where nothing had read the inbox').toEqual([]);
  const text = await call('wait_agents');
  expect(text).toContain('its caller aborted');
  expect(text).toContain('found 3 bugs so far');
  expect(await call('wait_agents')).toContain('These have ended:');
});

test('W5 a notice comes where there is an `onWake`, and wait_agents takes it along', async () => {
  const woken: number[] = [];
  const manager = made({ onWake: (_, { pending }) => void woken.push(pending) });
  const { call, aborted } = caller(manager);
  await aborted();
  await flush();
  expect(woken).toEqual([1]);
  expect(manager.inbox.peek()).toMatchObject([{ status: 'cancelled', output: 'found 3 bugs so far', partial: true }]);
  expect(await call('wait_agents')).toContain('found 3 bugs so far');
  expect(manager.inbox.peek()).toEqual([]);
});

test.each(['lease', 'peek', 'a turn'])('W5 a notice comes where the session has read its inbox: by %s', async (how) => {
  const manager = made();
  const session = manager.session('chat');
  if (how === 'lease') session.inbox.lease();
  else if (how === 'peek') session.inbox.peek();
  else await session.beforeTurn();
  const { call, aborted } = caller(session);
  await aborted();
  const other = caller(manager.session('other'));
  await other.aborted();
  expect(manager.session('other').inbox.peek(), 'another session is another one’s').toEqual([]);
  const [notice] = session.inbox.lease();
  expect(notice?.output).toBe('found 3 bugs so far');
  expect(session.inbox.ack(notice?.deliveryId as string)).toBe(true);
  expect(await call('wait_agents'), 'an acknowledged notice has told').toContain('These have ended:');
});

test('W5 the program that waits by a handle has the end: it is reported nowhere else', async () => {
  const manager = made({ onWake: () => undefined });
  const { call } = caller(manager);
  const controller = new AbortController();
  const answer = call('spawn_agent', { instructions: 'find bugs' }, controller.signal);
  await flush();
  const waiting = manager.wait(manager.list().items);
  controller.abort();
  await answer;
  expect((await waiting).completed).toMatchObject([{ output: 'found 3 bugs so far' }]);
  expect(manager.inbox.peek()).toEqual([]);
  expect(await call('wait_agents')).toContain('These have ended:');
});

test('W5 a call that was aborted before its background work had an id', async () => {
  const controller = new AbortController();
  const manager = made({
    onWake: () => undefined,
    spawnBackgroundSubAgent: () => {
      controller.abort();
      return new Promise<never>(() => undefined);
    },
    graceMs: 10,
  });
  const { call } = caller(manager);
  await settles(call('spawn_agent', { instructions: 'find bugs', background: true }, controller.signal), 1_000);
  expect(await call('wait_agents')).toContain('its caller aborted');
});

test('W5 a call that goes on with an earlier sub-agent', async () => {
  let runs = 0;
  const manager = made({}, (params, run) => {
    runs += 1;
    return runs === 1 ? done('ready') : obedient(params, run);
  });
  const { task } = manager.createTools({ preset: 'opencode' });
  await task?.execute({ description: 'bugs', prompt: 'get ready' });
  const { taskId } = manager.list().items[0] as TaskSnapshot;
  const controller = new AbortController();
  const answer = task?.execute({ description: 'bugs', prompt: 'find bugs', task_id: taskId }, { signal: controller.signal });
  await flush();
  controller.abort();
  await answer;
  expect(await caller(manager).call('wait_agents')).toContain('found 3 bugs so far');
});

test('W5 a sub-agent’s own call: its next turn has the notice, and its end drops what it didn’t take', async () => {
  const injected: unknown[] = [];
  for (const takes of [true, false]) {
    const manager = made({ maxDepth: 2, maxConcurrent: 3 }, async (params, run) => {
      if (run.depth === 2) return obedient(params, run);
      await run.beforeTurn();
      await caller(run).aborted();
      if (takes) injected.push((await run.beforeTurn()).inject);
      return done('the end');
    });
    await manager.spawn({ instructions: 'lead' }).wait();
    expect(manager.inbox.peek(), 'no session hears of it').toEqual([]);
  }
  expect(injected).toEqual([[expect.stringContaining('found 3 bugs so far')]]);
});

test('W5 such a notice protects no sub-agent from being forgotten', async () => {
  const manager = made({ onWake: () => undefined, maxTasks: 1 });
  const { aborted } = caller(manager);
  await aborted();
  await aborted({ instructions: 'another one' });
  expect(manager.list().total).toBe(1);
  expect(manager.inbox.peek()).toHaveLength(2);
});
