// Idempotent spawns: one key, one sub-agent. Rule D7.

import '../../support/virtual-time.js';

import { afterEach, describe, expect, test } from 'vitest';
import {
  createSubAgentTool,
  type SubAgentDetails,
  SubAgentError,
  type SubAgentManager,
  type SubAgentManagerOptions,
} from '../../../dist/index.js';
import { done, expectSums, type Host, managerWith, manualHost, refusal, refusesUnchanged } from '../../support/hosts.js';
import { flush, isPending, pass } from '../../support/virtual-time.js';

const opened: SubAgentManager[] = [];
afterEach(() => {
  for (const manager of opened.splice(0)) manager.dispose();
});

function open(host: Host, options: SubAgentManagerOptions = {}): SubAgentManager {
  const { manager } = managerWith(host, options);
  opened.push(manager);
  return manager;
}

describe('spawn({ idempotencyKey })', () => {
  test('D7 the first sub-agent is returned: running, ended, and with its result', async () => {
    const { host, runs } = manualHost();
    const manager = open(host);
    const first = manager.spawn({ instructions: 'read', idempotencyKey: 'k' });
    const again = manager.spawn({ instructions: 'read', idempotencyKey: 'k' });
    expect(again.taskId).toBe(first.taskId);
    expect(runs).toHaveLength(1);
    const waits = [first.wait(), again.wait()];
    runs[0]?.end.resolve({ ...done('the text'), artifacts: [{ file: 'a' }] });
    const [one, other] = await Promise.all(waits);
    expect(other).toMatchObject({ output: 'the text', status: 'completed', artifacts: [{ file: 'a' }] });
    expect(other?.taskId).toBe(one?.taskId);
    const late = manager.spawn({ instructions: 'read', idempotencyKey: 'k' });
    expect(late.taskId).toBe(first.taskId);
    expect(await late.wait()).toMatchObject({ run: 1, output: 'the text', artifacts: [{ file: 'a' }] });
    expect(runs).toHaveLength(1);
    expect(manager.stats().total).toBe(1);
    expectSums(manager);
  });

  test('D7 the same text by another name is the same spawn', () => {
    const { host, runs } = manualHost();
    const manager = open(host);
    const first = manager.spawn({ instructions: 'read', idempotencyKey: 'k' });
    expect(manager.spawn({ instructions: 'read', idempotencyKey: 'k' }).taskId).toBe(first.taskId);
    expect(runs).toHaveLength(1);
  });

  test('D7 a repeated key changes nothing, queued work and a full queue included', () => {
    const { host, runs } = manualHost();
    const manager = open(host, { maxConcurrent: 1, maxQueued: 1 });
    manager.spawn({ instructions: 'a' });
    const queued = manager.spawn({ instructions: 'b', idempotencyKey: 'k' });
    expect(refusal(() => manager.spawn({ instructions: 'c' })).code).toBe('queue_full');
    const events: string[] = [];
    manager.subscribe((event) => events.push(event.type));
    expect(manager.spawn({ instructions: 'b', idempotencyKey: 'k' }).taskId).toBe(queued.taskId);
    expect([events, runs.length]).toEqual([[], 1]);
  });

  test.each([
    { instructions: 'another text' },
    { instructions: 'read', background: true },
    { instructions: 'read', maxTurns: 3 },
    { instructions: 'read', tools: [] },
    { instructions: 'read', budget: { tokens: 500 } },
    { instructions: 'read', maxCost: Number.POSITIVE_INFINITY },
    { instructions: 'read', maxTurns: 20 },
    { instructions: 'read', rateLimitKey: 'r' },
    { instructions: 'read', schema: { type: 'number' } },
    {},
  ])('D7 with other parameters it is a conflict that names the sub-agent: %o', (options) => {
    const manager = open(manualHost().host);
    const { taskId } = manager.spawn({ instructions: 'read', idempotencyKey: 'k' });
    const error = refusesUnchanged(manager, 'idempotency_conflict', () => manager.spawn({ ...options, idempotencyKey: 'k' }));
    expect(error.details).toEqual({ taskId });
  });

  test('D7 a label is for display: with another one it is the same spawn, which keeps its own', () => {
    const manager = open(manualHost().host);
    const first = manager.spawn({ instructions: 'read', label: 'Reads', idempotencyKey: 'k' });
    const again = manager.spawn({ instructions: 'read', label: 'Reads once more', idempotencyKey: 'k' });
    expect([again.taskId, manager.get(again.taskId).label]).toEqual([first.taskId, 'Reads']);
    expect(manager.spawn({ instructions: 'read', idempotencyKey: 'k' }).taskId).toBe(first.taskId);
  });

  test('D7 the order of the options and another name for the same one make no difference', () => {
    const manager = open(manualHost().host);
    const first = manager.spawn({ instructions: 'read', maxTurns: 3, priority: 1, idempotencyKey: 'k' });
    const signal = new AbortController().signal;
    const again = manager.spawn({ idempotencyKey: 'k', priority: 1, signal, maxTurns: 3, instructions: 'read' });
    expect(again.taskId).toBe(first.taskId);
  });

  test('D7 keys belong to the session or the sub-agent, not to the run', async () => {
    const { host, runs } = manualHost();
    const manager = open(host, { maxDepth: 2, maxConcurrent: 10, budget: { tokens: 1_000_000 } });
    const key = { instructions: 'help', idempotencyKey: 'k', budget: { tokens: 2_000 } };
    const program = manager.spawn(key);
    const session = manager.session('s').spawn(key);
    const parent = manager.spawn({ instructions: 'parent' });
    const ofRun = runs.at(-1)?.run.spawn({ ...key, background: true });
    expect(new Set([program, session, parent, ofRun].map((handle) => handle?.taskId)).size).toBe(4);
    expect(manager.session('s').spawn(key).taskId).toBe(session.taskId);
    // A second run of the same sub-agent is in the same scope.
    const first = parent.wait();
    runs.find(({ run }) => run.taskId === parent.taskId)?.end.resolve(done());
    await first;
    parent.send('once more');
    await flush();
    const second = runs.find(({ run }) => run.taskId === parent.taskId && run.run === 2)?.run;
    expect(second?.spawn({ ...key, background: true }).taskId).toBe(ofRun?.taskId);
  });

  test('D7 a refused spawn leaves the key unused', () => {
    const { host } = manualHost();
    const manager = open(host, { maxConcurrent: 1, onLimit: 'reject', checkConsumerSpawn: ({ label }) => ({ allowed: label !== 'no' }) });
    refusesUnchanged(manager, 'spawn_denied', () => manager.spawn({ instructions: 'a', label: 'no', idempotencyKey: 'k' }));
    const other = manager.spawn({ instructions: 'b' });
    refusesUnchanged(manager, 'concurrency_limit', () => manager.spawn({ instructions: 'c', idempotencyKey: 'k' }));
    other.cancel({ graceMs: 0 }).catch(() => undefined);
  });

  test('D7 after `forget` it says so and starts nothing, until `idempotencyTtlMs` ends', async () => {
    const manager = open(() => done(), { idempotencyTtlMs: 60_000 });
    const handle = manager.spawn({ instructions: 'a', idempotencyKey: 'k' });
    await handle.wait();
    manager.forget(handle);
    const error = refusesUnchanged(manager, 'idempotency_forgotten', () => manager.spawn({ instructions: 'a', idempotencyKey: 'k' }));
    expect(error.details).toEqual({ taskId: handle.taskId, status: 'forgotten', lastStatus: 'completed' });
    expect(error.message).toContain('completed');
    refusesUnchanged(manager, 'idempotency_conflict', () => manager.spawn({ instructions: 'b', idempotencyKey: 'k' }));
    await pass(60_000);
    const fresh = manager.spawn({ instructions: 'b', idempotencyKey: 'k' });
    expect(fresh.taskId).not.toBe(handle.taskId);
  });

  test('D7 L8 `retain` evicts no task whose key answers; `maxTasks` does, and then the key says so', async () => {
    const manager = open(() => done(), { retain: 0, maxTasks: 2, idempotencyTtlMs: 60_000 });
    const spawn = (key: string) => manager.spawn({ instructions: key, idempotencyKey: key });
    const first = spawn('a');
    expect(await first.wait()).toMatchObject({ output: 'done' });
    expect((await spawn('a').wait()).taskId).toBe(first.taskId);
    await spawn('b').wait();
    await spawn('c').wait();
    expect(refusal(() => spawn('a')).code).toBe('idempotency_forgotten');
    expect((await spawn('b').wait()).output).toBe('done');
    await pass(60_000);
    await manager.spawn({ instructions: 'x' }).wait();
    expect(manager.stats().total).toBe(0);
  });

  test('D7 what 2,000 keys stand for stays readable under the defaults', async () => {
    const manager = open(() => done());
    const all = Array.from({ length: 2_000 }, (_, i) => ({ instructions: `doc ${i}`, idempotencyKey: `doc ${i}` }));
    await Promise.all(all.map((options) => manager.spawn(options).wait()));
    const again = await Promise.all(all.map((options) => manager.spawn(options).wait()));
    expect(again.filter(({ output }) => output === 'done')).toHaveLength(2_000);
    expect(manager.stats().runsEnded ?? 2_000).toBe(2_000);
  });

  test('D7 `retryEnded` attempts a bad end again, with the same keys for what it does, and raises the cap', async () => {
    const [seen, keys]: [unknown[], string[]] = [[], []];
    const manager = open(
      async (
        _params: unknown,
        run: { idempotencyKey(step: string): string; run: number; previousError: { reason: string } | undefined; limits: object },
      ) => {
        keys.push(run.idempotencyKey('pay'));
        seen.push([run.run, run.previousError?.reason, (run.limits as { tokens: number }).tokens]);
        if (seen.length < 3) throw new Error('broken');
        return { output: 'paid', usage: { tokens: 10 } };
      },
      { turnEstimate: 10 },
    );
    const spawn = (tokens: number, retryEnded?: true | ['host_threw' | 'timeout']) =>
      manager.spawn({ instructions: 'pay', idempotencyKey: 'k', budget: { tokens }, retryEnded });
    const first = spawn(100);
    expect((await first.wait()).stopReason).toBe('host_threw');
    expect((await spawn(100).wait()).run).toBe(1);
    expect(refusal(() => spawn(500)).code).toBe('idempotency_conflict');
    expect((await spawn(500, ['timeout']).wait()).run).toBe(1);
    const second = spawn(500, ['host_threw']);
    expect([second.taskId, (await second.wait()).run]).toEqual([first.taskId, 2]);
    expect(await spawn(400, true).wait()).toMatchObject({ taskId: first.taskId, run: 3, status: 'completed', output: 'paid' });
    expect(await spawn(900, true).wait()).toMatchObject({ run: 3, output: 'paid' });
    expect(new Set(keys).size).toBe(1);
    expect(seen).toEqual([
      [1, undefined, 100],
      [2, 'host_threw', 500],
      [3, 'host_threw', 500],
    ]);
  });

  test('D7 `retryEnded` needs a key, and reasons that a run can end badly with', () => {
    const manager = open(() => done());
    const refuses = (options: object) => refusal(() => manager.spawn({ instructions: 'a', ...options })).message;
    expect(refuses({ retryEnded: true })).toBe(
      "`retryEnded` is for a spawn with an `idempotencyKey`. A right call is `spawn({ instructions: 'Read the report', idempotencyKey: 'report', retryEnded: true })`",
    );
    for (const retryEnded of ['timeout', [], ['finished'], ['closed'], 1])
      expect(refuses({ idempotencyKey: 'k', retryEnded })).toMatch(/^`retryEnded(\[0\])?` must be .*host_failed/);
  });

  test('a key answers while its work goes on, however long that takes', async () => {
    const { host } = manualHost();
    const manager = open(host, { idempotencyTtlMs: 10, timeoutMs: Number.POSITIVE_INFINITY });
    const handle = manager.spawn({ instructions: 'a', idempotencyKey: 'k' });
    await pass(1_000);
    expect(manager.spawn({ instructions: 'a', idempotencyKey: 'k' }).taskId).toBe(handle.taskId);
  });

  test('only the signal of the first spawn is followed', async () => {
    const { host } = manualHost();
    const manager = open(host);
    const [first, second] = [new AbortController(), new AbortController()];
    const handle = manager.spawn({ instructions: 'a', idempotencyKey: 'k', signal: first.signal });
    manager.spawn({ instructions: 'a', idempotencyKey: 'k', signal: second.signal });
    second.abort();
    await flush();
    expect(handle.snapshot().cancelRequested).toBe(false);
    first.abort();
    await flush();
    expect(handle.snapshot().cancelRequested).toBe(true);
  });

  test.each(['', 'x'.repeat(1_025), 5, null, {}])('a key that is none is an error (%#)', (idempotencyKey) => {
    const manager = open(() => done());
    refusesUnchanged(manager, 'invalid_argument', () => manager.spawn({ instructions: 'a', idempotencyKey } as never));
  });

  test('definitions: the same call is the same call', () => {
    const manager = open(manualHost().host, { agents: { reader: { description: 'reads', prompt: 'Read.', tools: ['read'] } } });
    const call = { instructions: 'a', agent: 'reader', idempotencyKey: 'k' };
    const { taskId } = manager.spawn(call);
    expect(manager.spawn(call).taskId).toBe(taskId);
    refusesUnchanged(manager, 'idempotency_conflict', () => manager.spawn({ ...call, agent: null }));
  });
});

describe('the tool', () => {
  test('D7 one that stands alone takes the option too', async () => {
    let calls = 0;
    const tool = createSubAgentTool({
      spawnSubAgent: async () => {
        calls += 1;
        return { output: 'once', status: 'completed' };
      },
      spawnBackgroundSubAgent: async () => ({ taskId: 'x' }),
      canSpawn: () => true,
      getConcurrencyInfo: () => ({ active: 0, limit: 1 }),
      getModelId: () => 'm',
      idempotencyKey: (toolCallId) => toolCallId,
    });
    for (let at = 0; at < 2; at += 1) expect(await tool.execute({ instructions: 'x' }, { toolCallId: 'c' })).toContain('once');
    expect(calls).toBe(1);
  });

  function toolOf(manager: SubAgentManager) {
    const seen: SubAgentDetails[] = [];
    const tool = manager.createSubAgentTool({ idempotencyKey: (toolCallId) => toolCallId, onDetails: (details) => seen.push(details) });
    return { tool, seen };
  }

  test('D7 a call that is made twice is one sub-agent, and both calls get its result', async () => {
    const { host, runs } = manualHost();
    const manager = open(host);
    const { tool, seen } = toolOf(manager);
    const calls = [1, 2].map(() => tool.execute({ instructions: 'read' }, { toolCallId: 'call-1' }));
    await flush();
    expect(runs).toHaveLength(1);
    runs[0]?.end.resolve(done('found it'));
    const texts = await Promise.all(calls);
    for (const text of texts) expect(text).toContain('found it');
    expect(seen.map(({ taskId, status }) => [taskId, status])).toEqual([
      [runs[0]?.run.taskId, 'completed'],
      [runs[0]?.run.taskId, 'completed'],
    ]);
    expect(await tool.execute({ instructions: 'read' }, { toolCallId: 'call-1' })).toContain('found it');
    expect(await tool.execute({ instructions: 'other' }, { toolCallId: 'call-1' })).toContain('other parameters');
    expect(runs).toHaveLength(1);
  });

  test('M5 D7 a call that is made again while its sub-agent asks gets the question', async () => {
    const manager = open(async (_, run) => done(JSON.stringify(await run.ask('WHICH ONE?'))));
    const { tool, seen } = toolOf(manager);
    const call = () => tool.execute({ instructions: 'read' }, { toolCallId: 'c' });
    for (let at = 0; at < 2; at += 1) expect(await call()).toContain('WHICH ONE?');
    expect(seen.map(({ status, background }) => [status, background])).toEqual([
      ['running', true],
      ['running', true],
    ]);
  });

  test('D7 in the background it says how it stands; forgotten, what it was', async () => {
    const { host, runs } = manualHost();
    const manager = open(host);
    const { tool, seen } = toolOf(manager);
    const call = () => tool.execute({ instructions: 'read', background: true }, { toolCallId: 'c' });
    expect(await call()).toContain("I'll notify you");
    expect(await call()).toMatch(/was started before \(id: sub_[0-9a-f]{32}\); it is running\./);
    runs[0]?.end.resolve(done());
    await flush();
    expect(await call()).toContain('it is completed');
    const taskId = runs[0]?.run.taskId ?? '';
    manager.forget(taskId);
    expect(await call()).toContain('completed and has been forgotten');
    expect(seen.at(-1)).toMatchObject({ taskId, status: 'forgotten' });
    expect(runs).toHaveLength(1);
  });

  test('D6 D7 work that the host started under its own id is reported under that id again', async () => {
    const manager = open(() => done(), { spawnBackgroundSubAgent: async () => ({ taskId: 'job-7' }) });
    const { tool, seen } = toolOf(manager);
    const call = () => tool.execute({ instructions: 'read', background: true }, { toolCallId: 'c' });
    expect(await call()).toContain('(id: job-7)');
    expect(await call()).toContain('was started before (id: job-7); it is running.');
    expect(seen.at(-1)).toMatchObject({ hostTaskId: 'job-7', taskId: expect.stringMatching(/^sub_/) });
  });

  test('aborting the second call ends that call only', async () => {
    const { host, runs } = manualHost();
    const manager = open(host);
    const { tool } = toolOf(manager);
    const first = tool.execute({ instructions: 'read' }, { toolCallId: 'c' });
    await flush();
    const abort = new AbortController();
    const second = tool.execute({ instructions: 'read' }, { toolCallId: 'c', signal: abort.signal });
    await flush();
    abort.abort();
    expect(await second).toContain('continues');
    expect(await isPending(first)).toBe(true);
    runs[0]?.end.resolve(done('the end'));
    expect(await first).toContain('the end');
  });

  test('wrong: a key that is no text, a function that throws, no function', async () => {
    const manager = open(() => done());
    const execute = (idempotencyKey: unknown) =>
      manager.createSubAgentTool({ idempotencyKey } as never).execute({ instructions: 'x' }, { toolCallId: 'c' });
    expect(await execute(() => 5)).toContain('No sub-agent was started');
    await expect(
      execute(() => {
        throw new Error('no key');
      }),
    ).rejects.toThrow('no key');
    expect(await execute(() => undefined)).toContain('completed');
    expect(() => manager.createSubAgentTool({ idempotencyKey: 'c' } as never)).toThrow(SubAgentError);
  });
});
