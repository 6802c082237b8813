// pkg/ alone: the wasm class and its glue, without the TypeScript package around them.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { open, type Run, type Runtime } from '../../../pkg/host.js';
import { instantiate, type SubAgentToolObject } from '../../../pkg/subagents.js';
import { NOTHING_WAITS } from '../../support/waiting.js';

let module: WebAssembly.Module;
beforeAll(async () => {
  module = await WebAssembly.compile(readFileSync(new URL('../../../pkg/subagents.wasm', import.meta.url)));
});

function opened(options: Record<string, unknown> = {}): Runtime {
  return open(instantiate(module), options);
}

const host = (params: { instructions: string }) => ({
  output: `did ${params.instructions}`,
  status: 'completed',
  usage: { turns: 2, cost: 0.5, tokens: 10, durationMs: 100 },
});

test('canSpawn() of the core: true until the slots are taken (D3)', async () => {
  const { core } = opened({ maxConcurrent: 1, spawnSubAgent: () => new Promise(() => undefined) });
  expect(core.canSpawn()).toBe(true);
  void core.createSubAgentTool().execute({ instructions: 'x' });
  await Promise.resolve();
  expect(core.canSpawn()).toBe(false);
});

test('getConcurrencyInfo() of the core (D4, S2.21)', async () => {
  const { core } = opened({ maxConcurrent: 2, maxQueued: 7, spawnSubAgent: () => new Promise(() => undefined) });
  expect(core.getConcurrencyInfo()).toEqual({
    ...{ active: 0, limit: 2, queued: 0, queueLimit: 7, parked: 0, abandoned: 0 },
    waitingFor: NOTHING_WAITS,
  });
  const tool = core.createSubAgentTool();
  for (let call = 0; call < 3; call += 1) void tool.execute({ instructions: 'x' });
  await Promise.resolve();
  expect(core.getConcurrencyInfo()).toMatchObject({ active: 2, queued: 1 });
  expect(opened({ maxConcurrent: Number.POSITIVE_INFINITY }).core.getConcurrencyInfo().limit).toBe(Number.POSITIVE_INFINITY);
});

describe('checkConsumerSpawn() of the core (D5, S2.20)', () => {
  test('without a gate everything is allowed', () => {
    expect(opened().core.checkConsumerSpawn({ instructions: 'x' })).toMatchObject({ allowed: true });
  });

  test('the gate gets the very parameters, and its answer comes back', () => {
    const asked: unknown[] = [];
    const { core } = opened({
      checkConsumerSpawn: (params: unknown) => {
        asked.push(params);
        return { allowed: false, reason: 'too late' };
      },
    });
    const params = { instructions: 'x' };
    expect(core.checkConsumerSpawn(params)).toEqual({ allowed: false, reason: 'too late' });
    expect(asked).toEqual([params]);
    expect(asked[0]).toBe(params);
  });

  test.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['promises', () => Promise.resolve({ allowed: true })],
    ['says nothing', () => undefined],
  ])('one that %s refuses', (_, gate) => {
    const answer = opened({ checkConsumerSpawn: gate }).core.checkConsumerSpawn({ instructions: 'x' });
    expect(answer.allowed).toBe(false);
    expect(answer.reason).toContain('checkConsumerSpawn');
  });
});

describe('createSubAgentTool() of the core', () => {
  test('S2.24 it makes the tool, which runs the host and resolves to text', async () => {
    const { core } = opened({ spawnSubAgent: host });
    const tool: SubAgentToolObject = core.createSubAgentTool();
    expect(tool.name).toBe('SubAgent');
    expect(tool.description).toContain('sub-agent');
    expect(JSON.parse(JSON.stringify(tool.parameters))).toMatchObject({ type: 'object', required: ['instructions'] });
    const text = await tool.execute({ instructions: 'x' });
    for (const part of ['completed', '2 turns', '$0.5000', '0.1 s', 'did x']) expect(text).toContain(part);
  });

  test("pi's way, wrong arguments, and the gate work as well", async () => {
    const { core } = opened({
      spawnSubAgent: host,
      checkConsumerSpawn: () => ({ allowed: false, reason: 'closed' }),
      getModelId: () => 'm',
    });
    const tool = core.createSubAgentTool();
    expect(await tool.execute('id', { instructions: 'x' })).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('closed') }],
      details: { status: 'refused', modelId: 'm' },
    });
    expect(await tool.execute({})).toContain('instructions');
  });

  test('a host that throws is reported as text', async () => {
    const { core } = opened({
      spawnSubAgent: () => {
        throw new Error('broken');
      },
    });
    expect(await core.createSubAgentTool().execute({ instructions: 'x' })).toContain('broken');
    expect(core.getConcurrencyInfo().active).toBe(0);
  });
});

test('a host function gets the run: its turns, its reports, its signal', async () => {
  const seen: unknown[] = [];
  const { core } = opened({
    maxTurns: 1,
    spawnSubAgent: async (_: unknown, run: Run) => {
      seen.push(run.prompt, run.run, run.signal.aborted, (await run.beforeTurn({ tokens: 5 })).go);
      run.report({ tokens: 7, message: 'half way' });
      seen.push(await run.beforeTurn());
      return { output: run.taskId, status: 'completed' };
    },
  });
  expect(await core.createSubAgentTool().execute({ instructions: 'x' })).toContain('sub_');
  expect(seen).toEqual(['x', 1, false, true, { go: false, reason: 'max_turns' }]);
});

test('drain() of the core resolves', async () => {
  const { core } = opened({ spawnSubAgent: host });
  expect(await core.drain(Date.now(), 1_000)).toEqual({ ended: 0, cancelled: 0, stillRunning: 0, timedOut: false });
});

test('the core answers first: the host is called at dispatch, and not before', () => {
  const instance = instantiate(module);
  const called: string[] = [];
  const spawnSubAgent = ({ instructions }: { instructions: string }) => {
    called.push(instructions);
    return new Promise(() => undefined);
  };
  const { core } = open(instance, { spawnSubAgent });
  core.seed(0);
  const at = core.scratch(1);
  new Uint8Array(instance.memory.buffer)[at] = 'x'.charCodeAt(0);
  const place = core.begin(1_000, 0, 0, 0, 0, 1, Number.NaN, Number.NaN, Number.NaN);
  expect(place).toBeGreaterThan(0);
  expect(core.getConcurrencyInfo()).toMatchObject({ active: 1 });
  expect(called).toEqual([]);
  core.dispatch();
  expect(called).toEqual(['x']);
});

test('one module serves any number of instances, and they are independent', async () => {
  const one = opened({ maxConcurrent: 1, spawnSubAgent: () => new Promise(() => undefined) });
  const two = opened({ maxConcurrent: 5, spawnSubAgent: host });
  const pending = one.core.createSubAgentTool().execute({ instructions: 'x' });
  await Promise.resolve();
  expect(one.core.getConcurrencyInfo()).toMatchObject({ active: 1, limit: 1 });
  expect(two.core.getConcurrencyInfo()).toMatchObject({ active: 0, limit: 5 });
  expect([one.core.canSpawn(), two.core.canSpawn()]).toEqual([false, true]);
  expect(await two.core.createSubAgentTool().execute({ instructions: 'y' })).toContain('did y');
  one.dispose();
  await expect(pending).rejects.toMatchObject({ code: 'disposed' });
  expect(two.core.canSpawn()).toBe(true);
  expect(await two.core.createSubAgentTool().execute({ instructions: 'z' })).toContain('did z');
});

test('each instance has its own memory', () => {
  const [one, two] = [instantiate(module), instantiate(module)];
  expect(one.memory.buffer).not.toBe(two.memory.buffer);
  expect(one.SubAgentCore).not.toBe(two.SubAgentCore);
});

test('wrong options are refused with a code, and the instance is let go', () => {
  expect(() => opened({ maxConcurrent: 0 })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  expect(() => opened({ nonsense: 1 })).toThrow(/nonsense/);
});

test('the types of what is exported are what comes out', () => {
  const { core } = opened();
  const info: { active: number; limit: number } = core.getConcurrencyInfo();
  const allowed: boolean = core.checkConsumerSpawn({}).allowed;
  const can: boolean = core.canSpawn();
  expect([typeof info.active, typeof allowed, typeof can]).toEqual(['number', 'boolean', 'boolean']);
});

describe('lists that are given to the bare class', () => {
  const noEntry: string[] = ['read'];
  noEntry[2] = 'search';
  test.each<[string, unknown]>([
    ['with a hole', noEntry],
    ['with a number', ['read', 7]],
    ['that is a text', 'read'],
    ['that is a revoked proxy', revoked()],
  ])('one %s is refused, and the module lives on', (_, list) => {
    const { core } = opened();
    expect(core.reopen(0, 0, list as string[], [], {})).toBe(false);
    expect(core.canSpawn()).toBe(true);
  });

  function revoked(): unknown {
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  }
});
