// What a manager lets go of, and what it keeps from ending: memory (R6), the process, its owner's signals (C4),
// listeners that throw. Each in a process of its own.

import { describe, expect, test } from 'vitest';
import { child } from '../../support/child.js';
import { rowsOf } from '../../support/share.js';

/** A manager whose core holds 40 MB; `held` says what else is still held after it was disposed. */
const heavy = (held: string): string => `
  const MB = 2 ** 20;
  const outside = () => process.memoryUsage().arrayBuffers + process.memoryUsage().external;
  const before = outside();
  let settleHost;
  const make = async () => {
    const manager = new SubAgentManager({ maxResultBytes: Infinity, graceMs: 0, spawnSubAgent: (params, run) => {
      if (params.instructions === 'big') return { output: 'é'.repeat(20 * MB) };
      return ${held.includes('HOST') ? 'host(run)' : "{ output: 'small' }"};
    } });
    ${held.includes('HOST') ? held : ''}
    await manager.spawn({ instructions: 'big' }).wait();
    const grown = outside() - before > 30 * MB;
    const kept = await (async () => { ${held.includes('HOST') ? 'const handle = manager.spawn({ instructions: "x" }); await Promise.resolve(); const end = handle.wait().catch((error) => error); await handle.cancel(); manager.dispose(); return [handle, await end];' : held} })();
    manager.dispose();
    return { kept, grown };
  };
  const { kept, grown } = await make();
  await settle(() => outside() - before < 10 * MB);
  console.log(grown, outside() - before < 10 * MB, kept === undefined);`;

describe('R6 disposing frees the memory of the core, whatever is still held', () => {
  test.each(
    rowsOf(
      [
        ['the manager', 'return manager;'],
        ['a result', "return await manager.spawn({ instructions: 'small' }).wait();"],
        ['a handle', "return manager.spawn({ instructions: 'small' });"],
        [
          'an idle handle that follows a signal',
          "return manager.spawn({ label: 'idle', signal: (globalThis.controller = new AbortController()).signal });",
        ],
        ['a session', "const session = manager.session('s'); session.inbox.peek(); return session;"],
        ['tools', 'return [manager.createSubAgentTool(), manager.createTools(), manager.session("s").createTools()];'],
        ['an inbox', 'return manager.inbox;'],
        [
          'a listener and what ends it',
          'const seen = []; return [seen, manager.subscribe((event) => seen.push(event)), manager.spawn({ instructions: "small" })];',
        ],
        ['a refusal', "try { manager.spawn({ instructions: '' }); } catch (error) { return error; }"],
        [
          'a refusal that a listener caught',
          "let caught; manager.subscribe(() => { try { manager.get('none'); } catch (error) { caught ??= error; } }); await manager.spawn({ instructions: 'small' }).wait(); return caught;",
        ],
        [
          'the error of what was disposed',
          "const waiting = manager.spawn({ instructions: 'small' }).wait(); manager.dispose(); return await waiting.catch((error) => error);",
        ],
        ['an error of use after that', 'manager.dispose(); try { manager.stats(); } catch (error) { return error; }'],
        [
          'an open wait',
          "const wait = manager.wait([manager.spawn({ instructions: 'small' })]); wait.catch(() => undefined); return wait;",
        ],
        ['a drain', 'const drain = manager.drain(); drain.catch(() => undefined); return drain;'],
      ],
      7,
    ),
  )('%s', (_, held) => {
    expect(child(heavy(held))).toMatchObject({ stdout: 'true true false\n', status: 0 });
  });

  test.each([
    [
      'its run and its signal',
      '/* HOST */ globalThis.host = (run) => { globalThis.run = [run, run.signal]; run.signal.addEventListener("abort", () => { globalThis.reason = run.signal.reason; }); return never(); };',
    ],
    ['what it threw at once', '/* HOST */ globalThis.host = () => { throw (globalThis.thrown = new TypeError("at once")); };'],
    [
      'what it rejected with',
      '/* HOST */ globalThis.host = async () => { throw (globalThis.thrown = new Error("outer", { cause: new Error("inner") })); };',
    ],
  ])('a host function that was abandoned, or has ended, with %s', (_, held) => {
    expect(child(heavy(held))).toMatchObject({ stdout: 'true true false\n', status: 0 });
  });

  test('when it is disposed by a listener, in the middle of a batch', () => {
    const held =
      "manager.subscribe((event) => { if (event.type === 'run_ended') manager.dispose(); }); const handle = manager.spawn({ instructions: 'small' }); await handle.wait().catch(() => undefined); return handle;";
    expect(child(heavy(held))).toMatchObject({ stdout: 'true true false\n', status: 0 });
  });

  test('what is left can still say whose it is, by the same id', () => {
    const { stdout } = child(`
      const { insidesOf } = await import('${new URL('../../support/insides.mjs', import.meta.url)}');
      const runtimeOf = insidesOf(SubAgentManager);
      for (let round = 0; round < 20; round += 1) {
        const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
        const results = await Promise.all(Array.from({ length: 5 }, () => manager.spawn({ instructions: 'x' }).wait()));
        const known = manager.list().items.map(({ taskId }) => taskId);
        manager.dispose();
        if (results.map(({ taskId }) => taskId).join() !== known.join() || runtimeOf(manager).scratch.memoryBytes !== 0) throw new Error('another id');
      }
      console.log('same');`);
    expect(stdout).toBe('same\n');
  });
});

describe('R6 no process lives on', () => {
  test('for a host function that never returns, once its run has ended', () => {
    const { stdout, status } = child(`
      const manager = new SubAgentManager({ timeoutMs: 30, graceMs: 10, abandonMs: 90_000, spawnSubAgent: never });
      console.log((await manager.spawn({ instructions: 'x' }).wait()).status);
      const cancelled = new SubAgentManager({ graceMs: 10, abandonMs: 90_000, spawnSubAgent: never });
      const handle = cancelled.spawn({ instructions: 'x' });
      await handle.cancel();
      console.log(handle.status);`);
    expect({ stdout, status }).toEqual({ stdout: 'timed_out\ncancelled\n', status: 0 });
  });

  test('for one that was abandoned; but work that is queued behind it is still done', () => {
    const { stdout, status } = child(`
      const manager = new SubAgentManager({ maxConcurrent: 1, timeoutMs: 30, graceMs: 10, abandonMs: 50,
        spawnSubAgent: (params) => { console.log(params.instructions); return params.instructions === 'hangs' ? never() : { output: 'x' }; } });
      await manager.spawn({ instructions: 'hangs' }).wait();
      manager.spawn({ instructions: 'queued', background: true });`);
    expect({ stdout, status }).toEqual({ stdout: 'hangs\nqueued\n', status: 0 });
  });

  test('for a message that waits until such a host function has returned, though, it does', () => {
    const { stdout, status } = child(`
      let calls = 0;
      const unlimited = { budget: { tokens: Infinity }, taskBudget: { tokens: Infinity } };
      const manager = new SubAgentManager({ ...unlimited, timeoutMs: 30, graceMs: 10, abandonMs: 50,
        spawnSubAgent: (params, run) => { console.log(run.prompt); return calls++ === 0 ? never() : { output: 'x' }; } });
      const handle = manager.spawn({ instructions: 'hangs' });
      await handle.wait();
      handle.send('next');`);
    expect({ stdout, status }).toEqual({ stdout: 'hangs\nnext\n', status: 0 });
  });

  test('and nobody need keep the manager for it', () => {
    const { stdout } = child(`
      let calls = 0;
      let next = false;
      const unlimited = { budget: { tokens: Infinity }, taskBudget: { tokens: Infinity } };
      const send = async () => {
        const manager = new SubAgentManager({ ...unlimited, timeoutMs: 30, graceMs: 10, abandonMs: 100,
          spawnSubAgent: () => { next = calls > 0; return calls++ === 0 ? never() : { output: 'x' }; } });
        const handle = manager.spawn({ instructions: 'hangs' });
        await handle.wait();
        handle.send('next');
      };
      await send();
      await settle(() => next);
      console.log(next);`);
    expect(stdout).toBe('true\n');
  });
});

describe('a listener that throws, without `onError`, ends nothing', () => {
  const seen = `
    const log = []; console.error = (error) => log.push(error?.message ?? String(error));`;
  const one = `const manager = new SubAgentManager({ OPTIONS spawnSubAgent: async (_, run) => { await run.beforeTurn(); run.report({ message: 'm' }); return { output: 'x' }; } });`;
  test.each([
    ['one that throws', "manager.subscribe((event) => { if (event.type === 'run_started') throw new Error('bad'); });", ''],
    ['one that rejects', "manager.subscribe(async (event) => { if (event.type === 'run_started') throw new Error('bad'); });", ''],
    [
      'one whose thenable rejects',
      "manager.subscribe((event) => event.type === 'run_started' ? { then: (_, no) => no(new Error('bad')) } : undefined);",
      '',
    ],
    [
      'one whose thenable throws',
      "manager.subscribe((event) => event.type === 'run_started' ? { then() { throw new Error('bad'); } } : undefined);",
      '',
    ],
    ['`onWake` that throws', '', "onWake: () => { throw new Error('bad'); },"],
    ['`onWake` that rejects', '', "onWake: async () => { throw new Error('bad'); },"],
    [
      '`onDetails` that throws',
      "await manager.createSubAgentTool({ onDetails: () => { throw new Error('bad'); } }).execute({ instructions: 'x' });",
      '',
    ],
    [
      '`onDetails` that rejects',
      "await manager.createSubAgentTool({ onDetails: async () => { throw new Error('bad'); } }).execute({ instructions: 'x' });",
      '',
    ],
    ['`countTokens` that throws', '', "countTokens: () => { throw new Error('bad'); },"],
    [
      'a policy on a timeout that rejects',
      "await manager.spawn({ instructions: 'x' }).wait();",
      "policies: { subAgents: [{ afterTool: async () => { throw new Error('bad'); } }] },",
    ],
    [
      '`onError` itself',
      "manager.subscribe((event) => { if (event.type === 'run_started') throw new Error('first'); });",
      "onError: () => { throw new Error('bad'); },",
    ],
  ])('%s', (name, setUp, options) => {
    const counts = name.startsWith('`countTokens`') ? "run.countTokens('x');" : '';
    const tools = name.startsWith('a policy') ? "await run.afterTool('read', 1);" : counts;
    const { stdout, stderr, status } = child(`${seen}
      ${one.replace('OPTIONS', options).replace("run.report({ message: 'm' });", tools)}
      const heard = [];
      ${setUp}
      manager.subscribe((event) => heard.push(event.type));
      const result = await manager.spawn({ instructions: 'x', background: true }).wait();
      manager.spawn({ instructions: 'unheard', background: true });
      await settle(() => log.length > 0);
      console.log(result.status, heard.includes('run_ended'), [...new Set(log)].join());`);
    expect({ stdout, stderr, status }).toEqual({ stdout: 'completed true bad\n', stderr: '', status: 0 });
  });

  test('in a page, where there is no process, it is reported as errors there are', () => {
    const { stdout } = child(`
      const out = console.log;
      globalThis.reportError = (error) => out('reported', error.message);
      const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
      manager.subscribe((event) => { if (event.type === 'run_started') throw new Error('bad'); });
      const { process } = globalThis;
      delete globalThis.process;
      const { status } = await manager.spawn({ instructions: 'x' }).wait();
      globalThis.process = process;
      out(status);`);
    expect(stdout).toBe('reported bad\ncompleted\n');
  });
});

describe('C4 signals', () => {
  test('one signal given to many, in any manager, is listened to once, and let go of', () => {
    const { stdout, stderr } = child(`
      import { getEventListeners } from 'node:events';
      process.on('warning', ({ name }) => console.log(name));
      const { signal } = new AbortController();
      const count = () => getEventListeners(signal, 'abort').length;
      const managers = Array.from({ length: 3 }, () => new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) }));
      const waits = [];
      for (const manager of managers) {
        const tool = manager.createSubAgentTool();
        for (let at = 0; at < 11; at += 1) {
          const handle = manager.spawn({ instructions: 'x', signal });
          waits.push(handle.wait({ signal }), manager.wait([handle], { signal }), tool.execute({ instructions: 'x' }, { signal }));
          manager.session('s' + at, { signal });
          manager.spawn({ label: 'idle', signal });
        }
      }
      console.log(count());
      await Promise.all(waits);
      console.log(count());
      for (const manager of managers) manager.dispose();
      console.log(count());
      await settle();`);
    expect({ stdout, stderr }).toEqual({ stdout: '1\n1\n0\n', stderr: '' });
  });

  test('when it fires, all that follow it are stopped, and what one of them does harms no other', () => {
    const { stdout } = child(`
      const controller = new AbortController();
      const { signal } = controller;
      const managers = Array.from({ length: 2 }, () => new SubAgentManager({ graceMs: 0, spawnSubAgent: never }));
      const [first, second] = managers;
      const handles = managers.flatMap((manager) => [1, 2].map(() => manager.spawn({ instructions: 'x', signal })));
      const idle = second.spawn({ label: 'idle', signal });
      const session = second.session('s', { signal });
      const inSession = session.spawn({ instructions: 'x' });
      // The grace is over in the step in which its signal ends it: it has the end.
      const waiting = second.wait([inSession], { signal }).then(({ completed }) => completed[0].status, ({ code }) => code);
      first.subscribe(() => { throw new Error('listener'); });
      console.error = () => undefined;
      const ends = [...handles, inSession].map((handle) => handle.wait());
      controller.abort();
      console.log((await Promise.all(ends)).map(({ stopReason }) => stopReason).join(), await waiting, idle.status);
      try { session.spawn({ instructions: 'x' }); } catch ({ code }) { console.log(code); }`);
    expect(stdout).toBe('signal_aborted,signal_aborted,signal_aborted,signal_aborted,signal_aborted cancelled cancelled\nactor_ended\n');
  });

  test('one that lives long keeps no manager that nobody uses', () => {
    const { stdout } = child(`
      import { getEventListeners } from 'node:events';
      const { signal } = new AbortController();
      const kept = [];
      // In a function of its own: what a frame still holds is not kept by a signal.
      const use = async (round) => {
        const manager = new SubAgentManager({ spawnSubAgent: async () => ({ output: 'x' }) });
        if (round % 3 === 0) await manager.spawn({ instructions: 'x', signal }).wait({ signal });
        if (round % 3 === 1) manager.session('s', { signal });
        if (round % 3 === 2) manager.spawn({ label: 'idle', signal });
        kept.push(new WeakRef(manager));
      };
      for (let round = 0; round < 60; round += 1) await use(round);
      const alive = () => kept.flatMap((ref, round) => (ref.deref() === undefined ? [] : [round]));
      await settle(() => alive().length === 0);
      console.log(alive().join(), getEventListeners(signal, 'abort').length <= 1);`);
    expect(stdout).toBe(' true\n');
  });
});
