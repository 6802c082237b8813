// The face of Cortex: programs written for its tool and its manager, with nothing changed but the import.

import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import {
  createSubAgentTool,
  SUB_AGENT_TOOL_NAME,
  type SubAgentDetails,
  SubAgentManager,
  SubAgentParams,
  type SubAgentParamsType,
  type SubAgentResult,
  type SubAgentToolConfig,
  type TrackedSubAgent,
} from '../../dist/from/cortex.js';
import { isSubAgentError } from '../../dist/index.js';

const done: SubAgentResult = { output: 'The licence is MIT.', status: 'completed', usage: { turns: 5, cost: 0.1, durationMs: 8_000 } };

function configOf(given: Partial<SubAgentToolConfig> = {}): SubAgentToolConfig {
  return {
    spawnSubAgent: vi.fn(async () => ({ taskId: 'agent-1', ...done })),
    spawnBackgroundSubAgent: vi.fn(async () => ({ taskId: 'agent-2' })),
    canSpawn: () => true,
    getConcurrencyInfo: () => ({ active: 1, limit: 4 }),
    getModelId: () => 'large',
    ...given,
  };
}

describe('the tool of Cortex', () => {
  test('S2.05 S2.06 S2.12 S2.23 S2.24 its name, description, parameters and function', () => {
    const tool = createSubAgentTool(configOf());
    expect(Object.keys(tool)).toEqual(['name', 'description', 'parameters', 'execute']);
    expect([tool.name, SUB_AGENT_TOOL_NAME]).toEqual(['SubAgent', 'SubAgent']);
    const read = [tool.description, ...Object.values(SubAgentParams.properties).map(({ description }) => description)];
    expect(read[0]).toMatch(/^Spawn a sub-agent to handle(?:.|\n)*Background mode \(background: true\): Returns a task ID immediately/);
    expect(read.slice(1)).toEqual([
      "What the sub-agent should do. This becomes the sub-agent's initial prompt.",
      "Tool names to make available. Default: inherits parent's registered tools.",
      "Custom system prompt. Default: inherits parent's full system prompt.",
      "Maximum LLM turns. Default: inherits parent's budget guard config.",
      "Maximum cost in USD. Default: inherits parent's budget guard config.",
      'Run asynchronously. Default: false (blocks until complete).',
    ]);
    expect(tool.parameters).toBe(SubAgentParams);
    expect(Object.keys(SubAgentParams.properties)).toEqual(['instructions', 'tools', 'systemPrompt', 'maxTurns', 'maxCost', 'background']);
    expect(SubAgentParams.required).toEqual(['instructions']);
    expectTypeOf<SubAgentParamsType>().toHaveProperty('instructions').toEqualTypeOf<string>();
  });

  test('S2.13 S2.14 the types of its configuration and details', () => {
    expectTypeOf<SubAgentToolConfig['spawnSubAgent']>().parameters.toEqualTypeOf<[SubAgentParamsType]>();
    expectTypeOf<SubAgentToolConfig['checkConsumerSpawn']>().extract<() => unknown>().parameters.toEqualTypeOf<[]>();
    // @ts-expect-error each function but `checkConsumerSpawn` has to be there
    const without: SubAgentToolConfig = { spawnSubAgent: configOf().spawnSubAgent };
    expect(() => createSubAgentTool(without)).not.toThrow();
    const details: SubAgentDetails = { taskId: 'a', background: true, status: 'running', durationMs: null, turns: null, cost: null };
    expect(details.modelId).toBeUndefined();
  });

  test('S2.01 S2.15 in the foreground it waits, calls the host with one argument, and says how it ended', async () => {
    const spawnSubAgent = vi.fn(async () => ({ taskId: 'agent-1', ...done }));
    const text = await createSubAgentTool(configOf({ spawnSubAgent })).execute({ instructions: 'Read the licence' });
    expect(spawnSubAgent.mock.calls).toEqual([[{ instructions: 'Read the licence' }]]);
    expect(text).toBe('Sub-agent completed successfully. (5 turns, $0.1000, 8.0s)\n\nThe licence is MIT.');
  });

  test.each(['failed', 'timed_out', 'error', 'max_turns'])('S2.15 a status of %s is said in the host’s word', async (status) => {
    const ended = { taskId: 'a', output: '', status, usage: { turns: 1, cost: 0.01, durationMs: 500 } };
    const tool = createSubAgentTool(configOf({ spawnSubAgent: async () => ended }));
    expect(await tool.execute({ instructions: 'go' })).toBe(
      `Sub-agent finished with status: ${status} (1 turns, $0.0100, 0.5s)\n\nNo output was produced.`,
    );
  });

  test('S2.02 S2.17 in the background it says the host’s id at once, and the host has what it was given', async () => {
    const config = configOf();
    const text = await createSubAgentTool(config).execute({ instructions: 'Search', background: true });
    expect(config.spawnBackgroundSubAgent).toHaveBeenCalledWith({ instructions: 'Search', background: true });
    expect(config.spawnSubAgent).not.toHaveBeenCalled();
    expect(text).toBe(
      'Sub-agent spawned in background. Task ID: agent-2\nYou will be notified when it completes. Continue with other work.',
    );
  });

  test('S2.18 S2.19 S2.21 at the limit it names the numbers, and asks no other function', async () => {
    const checkConsumerSpawn = vi.fn(() => ({ allowed: true }));
    const config = configOf({ canSpawn: () => false, getConcurrencyInfo: () => ({ active: 4, limit: 4 }), checkConsumerSpawn });
    expect(await createSubAgentTool(config).execute({ instructions: 'go' })).toBe(
      'Cannot spawn sub-agent: concurrency limit reached (4/4 active). Wait for a running sub-agent to complete or cancel one to free a slot.',
    );
    expect(checkConsumerSpawn).not.toHaveBeenCalled();
    expect(config.spawnSubAgent).not.toHaveBeenCalled();
  });

  test('S2.20 a gate that refuses gives the model its reason and nothing else; it is asked without arguments', async () => {
    const checkConsumerSpawn = vi.fn((): { allowed: boolean; reason?: string } => ({ allowed: false, reason: 'Weekly budget reached' }));
    const config = configOf({ checkConsumerSpawn });
    const tool = createSubAgentTool(config);
    expect(await tool.execute({ instructions: 'go' })).toBe('Weekly budget reached');
    checkConsumerSpawn.mockReturnValueOnce({ allowed: false });
    expect(await tool.execute({ instructions: 'go', background: true })).toBe('Cannot spawn sub-agent right now.');
    expect(config.spawnSubAgent).not.toHaveBeenCalled();
    checkConsumerSpawn.mockReturnValue({ allowed: true });
    expect(await tool.execute({ instructions: 'go' })).toContain('completed successfully');
    expect(checkConsumerSpawn.mock.calls).toEqual([[], [], []]);
  });

  test('S2.07 S2.08 S2.09 S2.10 S2.11 S2.16 each parameter reaches the host, in both modes', async () => {
    const config = configOf();
    const params = { instructions: 'go', tools: ['Read', 'Write'], systemPrompt: 'Be brief.', maxTurns: 5, maxCost: 0.1 };
    const tool = createSubAgentTool(config);
    await tool.execute(params);
    await tool.execute({ ...params, background: true });
    expect(config.spawnSubAgent).toHaveBeenCalledWith(params);
    expect(config.spawnBackgroundSubAgent).toHaveBeenCalledWith({ ...params, background: true });
  });

  test('a host function that rejects makes the call reject with the same error', async () => {
    const error = new Error('no key');
    const reject = async (): Promise<never> => Promise.reject(error);
    const tool = createSubAgentTool(configOf({ spawnSubAgent: reject, spawnBackgroundSubAgent: reject }));
    await expect(tool.execute({ instructions: 'go' })).rejects.toBe(error);
    await expect(tool.execute({ instructions: 'go', background: true })).rejects.toBe(error);
  });

  test('its functions may be methods, and calls at once are kept apart', async () => {
    class Host implements SubAgentToolConfig {
      active = 0;
      async spawnSubAgent({ instructions }: SubAgentParamsType) {
        this.active += 1;
        await new Promise((resolve) => setTimeout(resolve, 1));
        return { taskId: instructions, ...done, output: `did ${instructions}` };
      }
      spawnBackgroundSubAgent = async () => ({ taskId: 'b' });
      canSpawn() {
        return this.active < 2;
      }
      getConcurrencyInfo() {
        return { active: this.active, limit: 2 };
      }
      getModelId = () => 'm';
    }
    const tool = createSubAgentTool(new Host());
    const texts = await Promise.all(['one', 'two', 'three'].map((instructions) => tool.execute({ instructions })));
    expect(texts.map((text) => text.split('\n').at(-1))).toEqual(['did one', 'did two', expect.stringContaining('(2/2 active)')]);
  });

  test('wrong arguments reach no host function', async () => {
    const config = configOf();
    expect(await createSubAgentTool(config).execute({ maxTurns: 3 })).toContain('`instructions`');
    expect(await createSubAgentTool(config).execute(undefined)).toContain('instructions');
    for (const wrong of ['Read the report', '', 42, null, [], {}]) {
      const text = await createSubAgentTool(config).execute(wrong);
      expect(text).toMatch(/^No sub-agent was started: .* Correct the arguments and call again\.$/);
      expect(text).not.toContain('onDetails');
    }
    expect(config.spawnSubAgent).not.toHaveBeenCalled();
  });

  test('S2.09 S2.10 placeholders of optional arguments never reach the host: null, blank texts, empty lists, 0', async () => {
    const config = configOf();
    const placeholders = { tools: [], systemPrompt: ' ', maxTurns: 0, maxCost: 0 };
    await createSubAgentTool(config).execute({ instructions: 'go', ...placeholders });
    await createSubAgentTool(config).execute({ instructions: 'go', tools: null, maxTurns: null, background: null });
    expect(vi.mocked(config.spawnSubAgent).mock.calls).toEqual([[{ instructions: 'go' }], [{ instructions: 'go' }]]);
  });

  test('S2.07 tools that spawn or send to the user reach no child; if no other is named, the answer is true', async () => {
    const config = configOf();
    const tool = createSubAgentTool(config);
    await tool.execute({ instructions: 'go', tools: ['Read', 'SubAgent', 'message', 'ask_user'] });
    expect(config.spawnSubAgent).toHaveBeenCalledWith({ instructions: 'go', tools: ['Read', 'ask_user'] });
    expect(await tool.execute({ instructions: 'go', tools: ['SubAgent'] })).toBe(
      'No sub-agent was started: none of the requested tools (SubAgent) may be handed on to it.',
    );
  });

  test('an argument that it does not know reaches the host, and adds nothing to the words of the source', async () => {
    const config = configOf({ canSpawn: vi.fn(() => true).mockReturnValueOnce(false) });
    const [tool, args] = [createSubAgentTool(config), { instructions: 'go', foo: 1 }];
    expect(await tool.execute(args)).toMatch(/^Cannot spawn sub-agent: .* to free a slot\.$/);
    expect(await tool.execute(args)).toMatch(/The licence is MIT\.$/);
    expect(await tool.execute({ ...args, background: true })).toMatch(/Continue with other work\.$/);
    expect(config.spawnSubAgent).toHaveBeenCalledWith(args);
  });

  test('S2.11 arguments that come as JSON are read, in both modes', async () => {
    const config = configOf();
    const tool = createSubAgentTool(config);
    await tool.execute('{"instructions":"go"}');
    await tool.execute('{"instructions":"go","background":true}');
    expect(vi.mocked(config.spawnSubAgent).mock.calls).toEqual([[{ instructions: 'go' }]]);
    expect(config.spawnBackgroundSubAgent).toHaveBeenCalledWith({ instructions: 'go', background: true });
  });
});

describe('the manager of Cortex', () => {
  const made: SubAgentManager[] = [];
  afterEach(() => {
    for (const manager of made.splice(0)) manager.destroy();
  });
  const managerOf = (config?: { maxConcurrent: number }): SubAgentManager => {
    const manager = new SubAgentManager(config);
    made.push(manager);
    return manager;
  };
  function tracked(taskId: string, given: Partial<TrackedSubAgent> = {}): TrackedSubAgent {
    let resolve!: TrackedSubAgent['resolve'];
    const completion = new Promise<SubAgentResult>((settle) => {
      resolve = settle;
    });
    return { taskId, agent: {}, instructions: 'work', background: false, spawnedAt: Date.now(), completion, resolve, ...given };
  }

  test('four at once by default; a slot is free again after each end', async () => {
    const manager = managerOf();
    expect([manager.limit, manager.activeCount, manager.canSpawn(), manager.hasCapacity()]).toEqual([4, 0, true, true]);
    for (const id of ['a', 'b', 'c', 'd']) expect(manager.track(tracked(id))).toBe(true);
    expect([manager.activeCount, manager.canSpawn(), manager.hasCapacity()]).toEqual([4, false, false]);
    expect(manager.track(tracked('e'))).toBe(false);
    manager.complete('a', done);
    expect([manager.activeCount, manager.canSpawn()]).toEqual([3, true]);
    manager.fail('b', 'broken');
    await manager.cancel('c');
    expect(manager.activeCount).toBe(1);
    expect(manager.getActiveTaskIds()).toEqual(['d']);
    expect(manager.manager.getConcurrencyInfo()).toMatchObject({ active: 1, abandoned: 0, queued: 0 });
  });

  test('a result without `usage`, as JavaScript may give it, ends its sub-agent too', async () => {
    const manager = managerOf({ maxConcurrent: 1 });
    const entry = tracked('a');
    expect(manager.track(entry)).toBe(true);
    manager.complete('a', { output: 'x', status: 'completed' } as SubAgentResult);
    expect([manager.activeCount, manager.canSpawn()]).toEqual([0, true]);
    expect(manager.manager.get('a')).toMatchObject({ status: 'completed', output: 'x' });
  });

  test('`spawn` takes the caller’s id and child, and its completion resolves with the result', async () => {
    const manager = managerOf({ maxConcurrent: 1 });
    const childAgent = { child: true };
    const { completion, agent } = manager.spawn({ instructions: 'Read' }, { taskId: 'task-1', childAgent, background: true });
    expect(agent).toBe(childAgent);
    expect(manager.get('task-1')).toMatchObject({ instructions: 'Read', background: true, toolCount: 0 });
    expect(manager.manager.get('task-1')).toMatchObject({ status: 'running', instructions: 'Read' });
    expect(() => manager.spawn({ instructions: 'x' }, { taskId: 'task-2' })).toThrow(/concurrency limit reached \(1\/1 active\)/);
    manager.complete('task-1', done);
    expect(await completion).toBe(done);
    expect(manager.get('task-1')).toBeUndefined();
    // The id is free again.
    expect(manager.spawn({ instructions: 'x', background: true }, { taskId: 'task-1' }).background).toBe(true);
  });

  test('the caller’s ids may be any text, and two at work never share one', () => {
    const manager = managerOf();
    for (const id of ['sub_1', 'with space', '任务']) expect(manager.track(tracked(id))).toBe(true);
    expect(manager.getActiveTaskIds()).toEqual(['sub_1', 'with space', '任务']);
    expect(() => manager.track(tracked('sub_1'))).toThrow(/running sub-agent has the id/);
    try {
      manager.spawn({ instructions: 'x' }, { taskId: 'sub_1' });
    } catch (error) {
      expect(isSubAgentError(error, 'id_taken')).toBe(true);
    }
  });

  test('hooks get the spawn, the end and the failure, with what the source gives them; one that throws harms nothing', async () => {
    const manager = managerOf();
    const [onSpawned, onCompleted, onFailed] = [vi.fn(), vi.fn(), vi.fn()];
    manager.setHooks({ onSpawned, onCompleted, onFailed });
    manager.track(tracked('a', { instructions: 'do it' }));
    manager.track(tracked('b', { background: true }));
    const toolCalls = [{ name: 'Read', durationMs: 3 }];
    manager.complete('a', { ...done, toolCalls });
    manager.fail('b', 'broken');
    expect(onSpawned.mock.calls).toEqual([
      ['a', 'do it', false],
      ['b', 'work', true],
    ]);
    expect(onCompleted.mock.calls).toEqual([['a', done.output, 'completed', { ...done.usage, toolCalls }]]);
    expect(onFailed.mock.calls).toEqual([['b', 'broken']]);
    manager.setHooks({
      onSpawned() {
        throw new Error('hook');
      },
    });
    expect(manager.track(tracked('c'))).toBe(true);
    expect(onSpawned).toHaveBeenCalledTimes(2);
  });

  test('a failure resolves as failed, an unknown id does nothing', async () => {
    const manager = managerOf();
    const entry = tracked('a');
    manager.track(entry);
    manager.fail('nobody', 'x');
    manager.complete('nobody', done);
    expect(manager.activeCount).toBe(1);
    manager.fail('a', 'broken');
    manager.complete('a', done);
    expect(await entry.completion).toMatchObject({ output: '', status: 'failed', usage: { turns: 0, cost: 0 } });
  });

  test('a cancel frees the slot before it aborts the child, and what comes later is ignored', async () => {
    const manager = managerOf({ maxConcurrent: 1 });
    const [onCompleted, onFailed] = [vi.fn(), vi.fn()];
    manager.setHooks({ onCompleted, onFailed });
    const entry = tracked('a', { agent: 'child' });
    manager.track(entry);
    const abort = vi.fn(async (_agent: unknown) => {
      expect(manager.canSpawn()).toBe(true);
      throw new Error('it does not stop');
    });
    expect(await manager.cancel('a', abort)).toBe(true);
    expect(abort.mock.calls).toEqual([['child']]);
    manager.complete('a', done);
    expect((await entry.completion).status).toBe('cancelled');
    expect(onFailed.mock.calls).toEqual([['a', 'Cancelled']]);
    expect(onCompleted).not.toHaveBeenCalled();
    expect(await manager.cancel('a', abort)).toBe(false);
  });

  test('cancelAll ends every one, each with the hook and its promise', async () => {
    const manager = managerOf();
    const onFailed = vi.fn();
    manager.setHooks({ onFailed });
    const entries = [tracked('a'), tracked('b', { background: true })];
    for (const entry of entries) manager.track(entry);
    const abort = vi.fn(async () => undefined);
    await manager.cancelAll(abort);
    expect(abort).toHaveBeenCalledTimes(2);
    expect(await Promise.all(entries.map(async ({ completion }) => (await completion).status))).toEqual(['cancelled', 'cancelled']);
    expect(onFailed.mock.calls).toEqual([
      ['a', 'Parent agent destroyed'],
      ['b', 'Parent agent destroyed'],
    ]);
    expect(manager.activeCount).toBe(0);
  });

  test('the activity of tools, and the completions of those in the background', async () => {
    const manager = managerOf();
    manager.track(tracked('front'));
    const { completion } = manager.spawn({ instructions: 'x' }, { taskId: 'back', background: true });
    manager.updateToolActivity('back', 'Bash', 'npm test');
    manager.updateToolActivity('back', 'Read', 'a.ts');
    manager.updateToolActivity('nobody', 'Read', 'a.ts');
    expect(manager.get('back')).toMatchObject({ toolCount: 2, lastToolName: 'Read', lastToolSummary: 'a.ts' });
    expect(manager.get('back')?.lastToolStartedAt).toBeTypeOf('number');
    expect(manager.getBackgroundCompletions()).toEqual([{ taskId: 'back', completion }]);
  });

  test('a limit of 0 lets none run, as in the source; what is no number of sub-agents is refused at once', () => {
    const manager = managerOf({ maxConcurrent: 0 });
    expect([manager.limit, manager.activeCount, manager.canSpawn(), manager.hasCapacity()]).toEqual([0, 0, false, false]);
    expect(manager.track(tracked('a'))).toBe(false);
    expect(() => manager.spawn({ instructions: 'x' }, { taskId: 'a' })).toThrow(/limit reached \(0\/0 active\)/);
    for (const maxConcurrent of [-1, 1.5, Number.NaN]) expect(() => managerOf({ maxConcurrent })).toThrow(/`maxConcurrent`/);
  });

  test('the manager behind keeps ended ones, and counts them, until their id is used again', async () => {
    const manager = managerOf();
    for (const id of ['a', 'b', 'c']) manager.track(tracked(id));
    manager.complete('a', done);
    manager.fail('b', 'broken');
    await manager.cancel('c');
    expect(manager.manager.stats()).toMatchObject({ total: 3, running: 0, completed: 1, failed: 1, cancelled: 1 });
    expect(manager.manager.get('a')).toMatchObject({ status: 'completed', output: done.output });
    expect(manager.manager.get('b')).toMatchObject({ status: 'failed', error: 'broken' });
    expect(manager.track(tracked('a'))).toBe(true);
    expect(manager.manager.stats()).toMatchObject({ total: 3, running: 1, completed: 0 });
  });

  test('destroy forgets all, hooks too; the manager can be used again', () => {
    const manager = managerOf();
    const onSpawned = vi.fn();
    manager.setHooks({ onSpawned });
    manager.track(tracked('a'));
    manager.destroy();
    expect([manager.activeCount, manager.getActiveTaskIds()]).toEqual([0, []]);
    expect(manager.track(tracked('a'))).toBe(true);
    expect(onSpawned).toHaveBeenCalledTimes(1);
  });

  test('S2.03 S2.04 S2.22 a run made by the package’s manager has tools without SubAgent, and the model of its parent', async () => {
    const manager = managerOf();
    const handle = manager.manager.spawn({ instructions: 'x', tools: ['Read', 'SubAgent'], modelId: 'large', drive: 'program' });
    const run = await handle.start();
    expect([run.tools, run.modelId, run.session.size, run.contextHint]).toEqual([['Read'], 'large', 0, '']);
  });
});
