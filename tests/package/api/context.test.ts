// Asynchronous contexts (A5): what `AsyncLocalStorage` carries is the spawn's, whoever's end made room.

import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test, vi } from 'vitest';
import type { Policy, SubAgentManagerOptions } from '../../../dist/index.js';
import { child } from '../../support/child.js';
import { deferred, done } from '../../support/hosts.js';
import { maker } from '../../support/opened.js';

const store = new AsyncLocalStorage<string>();
const here = (): string => store.getStore() ?? 'nowhere';

const open = maker();

/** Spawns three at once, each by a request of its own, where one may run at a time. */
async function threeRequests(options: SubAgentManagerOptions): Promise<void> {
  const manager = open({ maxConcurrent: 1, ...options });
  const handles = ['a', 'b', 'c'].map((who) => store.run(who, () => manager.spawn({ instructions: who, background: true })));
  await manager.wait(handles);
}

describe('A5 of a run that was queued', () => {
  test('its host function, before and after it has waited', async () => {
    const seen: string[] = [];
    await threeRequests({
      spawnSubAgent: async (params, run) => {
        const atCall = here();
        await run.beforeTurn();
        seen.push(`${params.instructions}: ${atCall}, ${here()}`);
        return done();
      },
    });
    expect(seen).toEqual(['a: a, a', 'b: b, b', 'c: c, c']);
  });

  test('the function that starts it elsewhere', async () => {
    const seen: string[] = [];
    const manager = open({
      maxConcurrent: 1,
      spawnBackgroundSubAgent: async ({ instructions }) => {
        seen.push(`${instructions}: ${here()}`);
        return { taskId: instructions };
      },
    });
    for (const who of ['a', 'b']) store.run(who, () => manager.spawn({ instructions: who, background: true }));
    await new Promise((resolve) => setImmediate(resolve));
    store.run('c', () => manager.reportSettled('a', done()));
    expect(seen).toEqual(['a: a', 'b: b']);
  });

  test('its policies, also one that takes its time, and one that is asked at its timeout', async () => {
    const seen: string[] = [];
    const note = (point: string) => {
      seen.push(`${point}: ${here()}`);
      return undefined;
    };
    const policy: Policy = {
      beforeSpawn: () => note('spawn'),
      beforeStart: async () => {
        await Promise.resolve();
        return note('start');
      },
      beforeTurn: () => note('turn'),
      beforeEnd: () => note('end'),
      onTimeout: () => note('timeout'),
    };
    const first = deferred<void>();
    const manager = open({
      maxConcurrent: 1,
      timeoutMs: 20,
      graceMs: 5_000,
      policies: { subAgents: [policy], main: [{ beforeSpawn: () => note('gate') }] },
      checkConsumerSpawn: () => {
        note('consumer');
        return { allowed: true };
      },
      spawnSubAgent: async ({ instructions }, run) => {
        if (instructions === 'a') {
          await first.promise;
          return done();
        }
        await run.beforeTurn();
        await run.beforeEnd('x');
        while (!seen.includes('timeout: b') && !run.signal.aborted) await new Promise((resolve) => setTimeout(resolve, 5));
        return done();
      },
    });
    store.run('a', () => manager.spawn({ instructions: 'a' }));
    seen.length = 0;
    const handle = store.run('b', () => manager.spawn({ instructions: 'b', maxTurns: 1_000 }));
    store.run('elsewhere', () => first.resolve());
    await handle.wait();
    expect(new Set(seen.filter((line) => line.endsWith(': b')).map((line) => line.split(':')[0]))).toEqual(
      new Set(['gate', 'consumer', 'start', 'turn', 'end', 'timeout']),
    );
    // Of the first one's, only its own timeout may have been reported here.
    expect(seen.filter((line) => !line.endsWith(': b')).every((line) => line.endsWith(': a'))).toBe(true);
  });

  test('the listeners of its signal', async () => {
    let seen = '';
    const manager = open({
      maxConcurrent: 1,
      spawnSubAgent: (_, run) =>
        new Promise((resolve) => {
          run.signal.addEventListener('abort', () => {
            seen = here();
            resolve(done());
          });
        }),
    });
    const handle = store.run('spawn', () => manager.spawn({ instructions: 'x' }));
    await store.run('cancel', () => handle.cancel());
    expect(seen).toBe('spawn');
  });
});

test('A5 of a sub-agent that a host function spawns while it is being called', async () => {
  const seen: string[] = [];
  const manager = open({
    spawnSubAgent: async (params) => {
      seen.push(`${params.instructions}: ${here()}`);
      if (params.instructions === 'outer') store.run('inside', () => manager.spawn({ instructions: 'inner' }));
      return done();
    },
  });
  store.run('outside', () => manager.spawn({ instructions: 'outer' }));
  expect(seen).toEqual(['outer: outside', 'inner: inside']);
});

test('A5 a spawn that is made again by its key is none: what starts in that call has the context of its own', () => {
  try {
    const seen: string[] = [];
    const manager = open({
      staggerMs: 60_000,
      spawnSubAgent: async ({ instructions }) => {
        seen.push(`${instructions}: ${here()}`);
        return done();
      },
    });
    const spawn = (instructions: string) => manager.spawn({ instructions, idempotencyKey: instructions });
    store.run('the first', () => spawn('first'));
    store.run('the second', () => spawn('second'));
    const later = performance.now() + 60_000;
    vi.spyOn(performance, 'now').mockReturnValue(later);
    store.run('the call again', () => spawn('second'));
    expect(seen).toEqual(['first: the first', 'second: the second']);
  } finally {
    vi.restoreAllMocks();
  }
});

test('A5 each run of a sub-agent has the context of the call whose message it answers', async () => {
  const seen: string[] = [];
  const manager = open({
    spawnSubAgent: async (params) => {
      seen.push(`${params.instructions}: ${here()}`);
      return done();
    },
  });
  const handle = store.run('spawn', () => manager.spawn({ instructions: 'first' }));
  await handle.wait();
  store.run('send', () => handle.send('second'));
  await handle.wait();
  const idle = store.run('idle', () => manager.spawn({ label: 'idle' }));
  store.run('send', () => idle.send('third'));
  await idle.wait();
  expect(seen).toEqual(['first: spawn', 'second: send', 'third: send']);
});

test('A5 messages that wait keep their contexts apart, whatever their order and their texts', async () => {
  const seen: string[] = [];
  const steps: (() => void)[] = [];
  const manager = open({
    spawnSubAgent: async (params, run) => {
      seen.push(`${params.instructions}: ${here()}`);
      await new Promise<void>((resolve) => {
        steps.push(resolve);
        run.signal.addEventListener('abort', () => {
          seen.push(`stopped: ${here()}`);
          resolve();
        });
      });
      return done(here());
    },
  });
  const step = async (): Promise<void> => {
    steps.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  const handle = store.run('spawn', () => manager.spawn({ instructions: 'go on' }));
  for (const who of ['a', 'b']) store.run(who, () => handle.send('go on'));
  store.run('c', () => handle.send('go on', { mode: 'steer' }));
  store.run('d', () => handle.send('go on', { mode: 'interrupt' }));
  await new Promise((resolve) => setImmediate(resolve));
  steps.shift();
  for (let run = 0; run < 4; run += 1) await step();
  expect(seen).toEqual(['spawn', 'd', 'c', 'a', 'b'].map((who) => `go on: ${who}`).toSpliced(1, 0, 'stopped: spawn'));
});

test('A5 a message that waits again after an interrupt, and one that is tried again, have their contexts still', async () => {
  const seen: string[] = [];
  let tries = 0;
  const manager = open({
    maxConcurrent: 1,
    retry: { max: 1, backoffMs: 1 },
    spawnSubAgent: async (params) => {
      seen.push(`${params.instructions}: ${here()}`);
      if (params.instructions === 'block') await new Promise((resolve) => setTimeout(resolve, 5));
      if (params.instructions === 'flaky' && ++tries === 1) throw new Error('try again');
      return done();
    },
  });
  const block = store.run('block', () => manager.spawn({ instructions: 'block' }));
  const queued = store.run('spawn', () => manager.spawn({ instructions: 'queued' }));
  await queued.interrupt();
  store.run('send', () => queued.send('after'));
  await block.wait();
  await manager.wait([queued], { until: 'idle' });
  store.run('flaky', () => queued.send('flaky'));
  await manager.wait([queued], { until: 'idle' });
  expect(seen).toEqual(['block: block', 'queued: spawn', 'after: send', 'flaky: flaky', 'flaky: flaky']);
});

test('A5 an answer to a question begins no run, so the run keeps its context', async () => {
  const manager = open({
    spawnSubAgent: async (_, run) => {
      const { answer } = (await run.ask('which?')) as { answer?: string };
      return done(`${answer}: ${here()}`);
    },
  });
  const handle = store.run('spawn', () => manager.spawn({ instructions: 'x' }));
  await expect(handle.wait()).rejects.toMatchObject({ code: 'needs_input' });
  store.run('answer', () => handle.send('this'));
  expect((await handle.wait()).output).toBe('this: spawn');
});

test('A5 a context goes with its message, and not with its sub-agent', () => {
  const script = `
    const { AsyncLocalStorage } = await import('node:async_hooks');
    const storage = new AsyncLocalStorage();
    const contexts = [];
    const within = (body) => {
      const context = { bytes: new Uint8Array(1000) };
      contexts.push(new WeakRef(context));
      return storage.run(context, body);
    };
    let tries = 0;
    const manager = new SubAgentManager({
      retry: { max: 1, backoffMs: 1 },
      graceMs: 5,
      spawnSubAgent: async ({ instructions }, run) => {
        if (instructions === 'flaky' && ++tries % 2 === 1) throw new Error('again');
        if (instructions === 'stopped') await new Promise((resolve) => run.signal.addEventListener('abort', resolve));
        return { output: 'o' };
      },
    });
    const kept = [];
    for (let n = 0; n < 5; n += 1) {
      const handle = within(() => manager.spawn({ instructions: 'x', background: n % 2 === 0, signal: new AbortController().signal }));
      await handle.wait();
      for (const text of ['y', 'flaky']) {
        within(() => handle.send(text));
        await handle.wait();
      }
      const stopped = within(() => manager.spawn({ instructions: 'stopped' }));
      within(() => stopped.send('dropped'));
      within(() => stopped.send('dropped too', { mode: 'steer' }));
      await stopped.cancel();
      const idle = within(() => manager.spawn({ label: 'idle' }));
      kept.push(handle, stopped, idle);
    }
    await settle(() => contexts.every((context) => context.deref() === undefined));
    console.log(contexts.length, contexts.filter((context) => context.deref() !== undefined).length, kept.length, manager.stats().total);`;
  expect(child(script)).toMatchObject({ stdout: '35 0 15 15\n', status: 0 });
});

test('A5 a sub-agent that takes the place of a forgotten one has its own context', async () => {
  const seen: string[] = [];
  const manager = open({
    retain: 0,
    maxDepth: 2,
    spawnSubAgent: async (params, run) => {
      seen.push(`${params.instructions}: ${here()}`);
      if (params.instructions === 'lead') await store.run('inner', () => run.spawn({ instructions: 'child' })).wait();
      return done();
    },
  });
  for (const who of ['a', 'b', 'c']) await store.run(who, () => manager.spawn({ instructions: who })).wait();
  await store.run('d', () => manager.spawn({ instructions: 'lead' })).wait();
  expect(seen).toEqual(['a: a', 'b: b', 'c: c', 'lead: d', 'child: inner']);
});

test('A5 `onDetails` of a tool call', async () => {
  const seen: string[] = [];
  const manager = open({ maxConcurrent: 1, spawnSubAgent: async () => done() });
  const tool = manager.createSubAgentTool({ onDetails: () => seen.push(here()) });
  await Promise.all(['a', 'b', 'c'].map((who) => store.run(who, () => tool.execute({ instructions: who }))));
  expect(seen.sort()).toEqual(['a', 'b', 'c']);
});

test('A5 listeners and `onWake` run in the context of their registration', async () => {
  const seen = new Set<string>();
  const woken = deferred<void>();
  const others: string[] = [];
  const manager = store.run('open', () => {
    const made = open({
      spawnSubAgent: async () => done(),
      onWake: (agent) => {
        others.push(`${(agent as { key?: string }).key ?? 'default'}: ${here()}`);
        if (others.length === 3) woken.resolve();
      },
    });
    return made;
  });
  store.run('subscribe', () => manager.subscribe(() => seen.add(here())));
  const own = store.run('session', () =>
    manager.session('own', {
      onWake: () => {
        others.push(`own: ${here()}`);
        if (others.length === 3) woken.resolve();
      },
    }),
  );
  const inherited = store.run('session', () => manager.session('inherited'));
  for (const agent of [manager, own, inherited]) store.run('spawn', () => agent.spawn({ instructions: 'x', background: true }));
  await woken.promise;
  expect([...seen]).toEqual(['subscribe']);
  expect(others.sort()).toEqual(['default: open', 'inherited: open', 'own: session']);
});

test('A5 what a forgotten sub-agent was spawned in is let go of', async () => {
  const { child } = await import('../../support/child.js');
  const { stdout } = child(`
    import { AsyncLocalStorage } from 'node:async_hooks';
    const store = new AsyncLocalStorage();
    const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
    const requests = [];
    const request = async (agent) => { const mine = {}; requests.push(new WeakRef(mine)); await store.run(mine, () => agent.spawn({ instructions: 'x' })).wait(); };
    const session = manager.session('s');
    for (let round = 0; round < 10; round += 1) await request(round % 2 === 0 ? manager : session);
    manager.forget(manager.list({ page: { limit: 1 } }).items[0].taskId);
    await manager.closeSession('s');
    for (const { taskId } of manager.list().items) manager.forget(taskId);
    const kept = () => requests.filter((ref) => ref.deref() !== undefined).length;
    await settle(() => kept() < 2);
    console.log(manager.stats().total, kept() < 2);`);
  expect(stdout).toBe('0 true\n');
});

test('A5 a runtime without such contexts goes on without them, and one with `AsyncContext` has them by that', async () => {
  const { child } = await import('../../support/child.js');
  const none = child(`
    delete process.getBuiltinModule;
    process.getBuiltinModule = undefined;
    const manager = new SubAgentManager({ maxConcurrent: 1, spawnSubAgent: async (params) => ({ output: params.instructions }) });
    const all = ['a', 'b'].map((instructions) => manager.spawn({ instructions }).wait());
    console.log((await Promise.all(all)).map(({ output }) => output).join());`);
  expect(none).toMatchObject({ stdout: 'a,b\n', status: 0 });
  const snapshots = child(`
    process.getBuiltinModule = undefined;
    let at = 'nowhere';
    globalThis.AsyncContext = { Snapshot: class { #at = at; run(body) { const before = at; at = this.#at; try { return body(); } finally { at = before; } } } };
    const manager = new SubAgentManager({ maxConcurrent: 1, spawnSubAgent: (params) => { console.log(params.instructions, at); return { output: 'x' }; } });
    const all = ['a', 'b'].map((who) => { at = who; return manager.spawn({ instructions: who }).wait(); });
    at = 'elsewhere';
    await Promise.all(all);`);
  expect(snapshots).toMatchObject({ stdout: 'a a\nb b\n', status: 0 });
});
