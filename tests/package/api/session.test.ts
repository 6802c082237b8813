// Sessions: several main agents that share one manager. Rule A1.

import '../../support/virtual-time.js';

import { afterEach, expect, test } from 'vitest';
import { Session, SubAgentError, type SubAgentManager, type SubAgentManagerOptions } from '../../../dist/index.js';
import { done, expectSums, type Host, managerWith, manualHost, refusal, refusesUnchanged } from '../../support/hosts.js';
import { flush, settles } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(host: Host, options: SubAgentManagerOptions = {}): SubAgentManager {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

test('a session is opened at its first use, and is the same for the same key', () => {
  const manager = open(() => done());
  const session = manager.session('chat-1');
  expect(session).toBeInstanceOf(Session);
  expect(session.key).toBe('chat-1');
  expect(manager.session('chat-1')).toBe(session);
  expect(manager.session('chat-2')).not.toBe(session);
});

test.each(['', null, undefined, 5, {}, Symbol('s')])('a key must be a text that is not empty (%#)', (key) => {
  const manager = open(() => done());
  refusesUnchanged(manager, 'invalid_argument', () => manager.session(key as never));
});

test.each([{ tools: 'read' }, { tools: [1] }, null, 5, { tool: ['read'] }])('wrong options open nothing (%#)', (options) => {
  const manager = open(() => done());
  refusesUnchanged(manager, 'invalid_argument', () => manager.session('chat', options as never));
});

test('D1 `maxSessions` bounds them', () => {
  const manager = open(() => done(), { maxSessions: 3 });
  let error: SubAgentError | undefined;
  try {
    for (let index = 0; index < 4; index += 1) manager.session(`${index}`);
  } catch (thrown) {
    error = thrown as SubAgentError;
  }
  expect(error).toBeInstanceOf(SubAgentError);
  expect(error).toMatchObject({ code: 'sessions_limit' });
  expect(error?.message).toContain('maxSessions');
});

test('A1 a session lists and reaches its own sub-agents only; the program reaches all', async () => {
  const manager = open(async (_, run) => done(run.prompt));
  const [one, two] = [manager.session('one'), manager.session('two')];
  const mine = one.spawn({ instructions: 'mine' });
  const other = two.spawn({ instructions: 'other' });
  const programs = manager.spawn({ instructions: 'the program' });
  await manager.wait([mine, other, programs]);
  expect(one.list().items.map((task) => task.instructions)).toEqual(['mine']);
  expect(two.list().items.map((task) => task.instructions)).toEqual(['other']);
  expect(manager.list().total).toBe(3);
  expect(one.get(mine).output).toBe('mine');
  for (const foreign of [other, programs]) {
    refusesUnchanged(manager, 'not_reachable', () => one.get(foreign));
    refusesUnchanged(manager, 'not_reachable', () => one.send(foreign, 'hello'));
    refusesUnchanged(manager, 'not_reachable', () => one.forget(foreign));
    await expect(one.cancel(foreign)).rejects.toMatchObject({ code: 'not_reachable' });
    await expect(one.wait([foreign])).rejects.toMatchObject({ code: 'not_reachable' });
  }
  expect(manager.get(other).output).toBe('other');
  expect(mine.snapshot().parentId).toBeNull();
});

test('sessions share slots and budget', async () => {
  const { host, runs } = manualHost();
  const manager = open(host, { maxConcurrent: 1, budget: { tokens: 50_000 } });
  const [one, two] = [manager.session('one'), manager.session('two')];
  one.spawn({ instructions: 'a' });
  const waiting = two.spawn({ instructions: 'b' });
  expect(waiting.status).toBe('pending');
  expect([one.canSpawn(), two.canSpawn(), manager.canSpawn()]).toEqual([false, false, false]);
  expect(two.getConcurrencyInfo()).toEqual(manager.getConcurrencyInfo());
  runs[0]?.end.resolve(done('x', 49_000));
  await flush();
  runs[1]?.end.resolve(done());
  await settles(waiting.wait());
  expect(manager.stats().tokensSpent).toBeGreaterThanOrEqual(49_000);
  expect(refusal(() => two.spawn({ instructions: 'c' })).code).toBe('budget_exhausted');
  expectSums(manager);
});

test('P2 the tools of a session are those that its sub-agents get', async () => {
  const seen: (string[] | undefined)[] = [];
  const manager = open(
    (_, run) => {
      seen.push(run.tools);
      return done();
    },
    { tools: ['default'] },
  );
  await manager
    .session('a', { tools: ['read', 'SubAgent', 'message'] })
    .spawn({ instructions: 'x' })
    .wait();
  await manager
    .session('b', { tools: ['read'] })
    .spawn({ instructions: 'x', tools: ['read', 'write'] })
    .wait();
  await manager.spawn({ instructions: 'x' }).wait();
  expect(seen).toEqual([['read'], ['read'], ['default']]);
});

test('A1 a tool made by a session acts as it', async () => {
  const manager = open((_, run) => done(run.prompt));
  const session = manager.session('chat');
  expect(await session.createSubAgentTool().execute({ instructions: 'by tool' })).toContain('by tool');
  expect(session.list().items.map((task) => task.instructions)).toEqual(['by tool']);
  expect(manager.session('other').list().total).toBe(0);
});

test('A1 a session that is closed does nothing in the place of the one that has its place by now', async () => {
  const woken: string[] = [];
  const manager = open(() => done());
  const old = manager.session('old', { onWake: (session) => woken.push(session.key), limits: { maxTurns: 1 } });
  await old.close();
  const next = manager.session('next', { limits: { maxTurns: 1 } });
  await settles(old.beforeTurn({ prompt: 'x' })).then(
    () => expect.unreachable('it is closed'),
    (error: SubAgentError) => expect(['actor_ended', 'forgotten']).toContain(error.code),
  );
  expect(await next.beforeTurn()).toMatchObject({ go: true, turn: 1 });
  // It has no `onWake`, and the one of the session before is not asked in its stead.
  next.spawn({ instructions: 'x', background: true });
  await flush();
  expect(next.inbox.peek()).toHaveLength(1);
  expect(woken).toEqual([]);
});

test('whoever is notified that a session was opened finds it as it is: one, with its tools and its budget', async () => {
  const params: (string[] | undefined)[] = [];
  const manager = open((_, run) => {
    params.push(run.tools);
    return done();
  });
  const received: Session[] = [];
  manager.subscribe((event) => {
    if (event.type !== 'session_opened') return;
    const session = manager.session('chat');
    received.push(session);
    session.spawn({ instructions: 'greet' });
  });
  const session = manager.session('chat', { tools: ['read'], budget: { tokens: 5_000 } });
  expect(received).toEqual([session]);
  expect(manager.budget(session).tokens.cap).toBe(5_000);
  await flush();
  expect(params).toEqual([['read']]);
  expect(session.list().total).toBe(1);
  // The other way round, too: it can be closed there already.
  manager.subscribe((event) => {
    if (event.type === 'session_opened' && event.name === 'brief') void manager.closeSession('brief');
  });
  expect(refusal(() => manager.session('brief').spawn({ instructions: 'x' })).code).toBe('actor_ended');
});

test('C4 disposing ends all sessions', () => {
  const manager = open(() => done());
  const session = manager.session('chat');
  manager.dispose();
  for (const use of [
    () => session.spawn({ instructions: 'x' }),
    () => session.list(),
    () => manager.session('chat'),
    () => manager.session('new'),
  ]) {
    expect(refusal(use).code).toBe('disposed');
  }
});

test('a session that was closed says how it is opened anew', async () => {
  const manager = open(() => done());
  const session = manager.session('a');
  await session.close();
  const { code, message } = refusal(() => session.spawn({ instructions: 'x' }));
  expect([code, message]).toEqual(['actor_ended', expect.stringContaining('`manager.session(key)`')]);
  expect(manager.session('a').spawn({ instructions: 'x' }).status).toBe('running');
});

test.each(['its call', 'its signal'])('whoever learns that a session is closed, by %s, opens its key anew', async (how) => {
  const opened: Session[] = [];
  const ends = new AbortController();
  const manager = open((_, run) => {
    run.signal.addEventListener('abort', () => opened.push(manager.session('chat')));
    return new Promise(() => undefined);
  });
  const session = manager.session('chat', { signal: ends.signal });
  manager.subscribe((event) => {
    if (event.type === 'session_closed') opened.push(manager.session('chat'));
  });
  session.spawn({ instructions: 'x' });
  await flush();
  if (how === 'its call') void session.close();
  else ends.abort();
  await flush();
  expect(opened.length).toBeGreaterThan(1);
  for (const other of opened) expect(other).toBe(manager.session('chat'));
  expect(manager.session('chat')).not.toBe(session);
  expect(manager.session('chat').list().total).toBe(0);
});
